"""Random play of one rule system: how it goes on, and what holds in every system, whatever people ask."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from domain.campaign.money.ledger import postings
from domain.rejection import Rejection
from projections.languages import render
from projections.narration import tell
from projections.systems import SYSTEM_VIEWS
from tests.domain.system_table import SystemTable
from tests.fold import fold
from tests.refusals import not_for_people

CHANCES = st.randoms(use_true_random=True)


def examples(count: int) -> settings:
    """So many plays of a test, each of which may take its time."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large]
    return settings(max_examples=count, deadline=None, suppress_health_check=slow)


def go_on(moves: int, move: Callable[[], object], hold: Callable[[], object] = lambda: None) -> None:
    """Make random moves; a refused one changes nothing, and `hold` looks at what must hold after each."""
    for _ in range(moves):
        with suppress(Rejection):
            move()
        hold()


def balances(events: list[Any]) -> Counter[tuple[str, str]]:
    """What accounts hold of a currency after events; no posting moves nothing."""
    found: Counter[tuple[str, str]] = Counter()
    for event in events:
        for posting in postings(event):
            assert posting.amount > 0
            found[posting.debit, posting.currency] -= posting.amount
            found[posting.credit, posting.currency] += posting.amount
    return found


def shown(table: SystemTable, state: Any) -> bytes:
    """Everything that is read of a state: what it owes and waits for, its sheets and its boards."""
    system, views = table.SYSTEM, SYSTEM_VIEWS[table.SYSTEM.id]
    sheet = views.sheet
    sheets = [] if sheet is None else [sheet(state, each, table.settings) for each in sorted(table.sheets(state))]
    boards = [each.view(state, str, table.settings, None) for each in views.boards]
    awaited = [*system.pending(state), *system.also_pending(state, table.settings)]
    return msgspec.json.encode([system.due_commands(state), awaited, system.characters(state), sheets, boards])


def snapshot_goes_on_like_the_state(table: SystemTable) -> None:
    stored = msgspec.json.encode(table.state, order="sorted")
    again = msgspec.json.decode(stored, type=table.SYSTEM.state)
    assert again == table.state
    assert shown(table, again) == shown(table, table.state)


def facts_fold_in_any_order_and_with_gaps(table: SystemTable, chance: Random) -> None:
    events = table.events
    chance.shuffle(events)
    kept = events[: chance.randint(0, len(events))]
    state = fold(table.SYSTEM.evolve, table.SYSTEM.state(), [*kept, *kept])
    assert msgspec.json.decode(msgspec.json.encode(state), type=table.SYSTEM.state) == state
    shown(table, state)


def without(table: SystemTable, struck: int) -> list[Any]:
    """The facts that stand when one action is struck."""
    return [event for nth, action in enumerate(table.actions) if nth != struck for event in action]


def every_event_is_told_and_stored(table: SystemTable, untold: tuple[str, ...] = ()) -> None:
    """All but the kinds that nobody has to hear of say a sentence without ids, in English and in French."""
    system = table.SYSTEM
    decoder = msgspec.json.Decoder(system.events)
    for event in table.events:
        assert decoder.decode(msgspec.json.encode(event)) == event
        assert system.redact(event) == event or event.mark_hidden
        said = tell(event, table.called)
        assert table.unknown_in_french(said) == set()
        for told in (render(said, "en"), render(said, "fr")):
            assert told or event.__struct_config__.tag in untold
            assert "None" not in told
            assert "{" not in told
            assert not_for_people(told) == []
        for rolled in system.rolls(event):
            assert rolled.dice
            assert rolled.odds is None or abs(sum(rolled.odds.values()) - 1) < 1e-9
            assert rolled.odds is None or rolled.outcome in rolled.odds
