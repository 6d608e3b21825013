"""Vectors: one line a case, of any file in the form that the rules' own vectors have.

`pytest tests/domain/test_vectors.py --vectors FILE` runs another file. A system, a `given` or an `expect`
that nobody translates fails loudly.
"""

import re
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.dice import TableDice
from domain.dice.die_proofs import proofs_in
from domain.lifecycle_events import CalendarAdvanced
from domain.rejection import Rejection
from tests.domain.due import first_due
from tests.domain.situation import Situation, only
from tests.domain.translators import TRANSLATORS
from tests.fold import fold


def test_vector(vector):
    only({"system", "id", "given", "command", "dice", "expect", "cite"}, vector, "the vector")
    expect = vector["expect"]
    only({"events", "state", "refused"}, expect, "expect")
    assert expect, "a vector that expects nothing proves nothing"
    assert vector["system"] in TRANSLATORS, f"nobody translates the system {vector['system']!r}"
    situation = TRANSLATORS[vector["system"]](vector["given"], vector["command"])
    dice = TableDice([(sides, face) for sides, face in vector.get("dice", [])])
    before = deepcopy(situation.state)

    if "refused" in expect:
        with pytest.raises(Rejection) as refusal:
            decided(situation, dice)
        assert refusal.value.code == expect["refused"]
        assert situation.state == before, "a refusal changed the state"
        return
    events = decided(situation, dice)
    assert situation.state == before, "deciding changed the state"
    assert len(proofs_in(events)) >= len(vector.get("dice", [])), "a die that was rolled stands in no event"
    check_events(vector["system"], events, expect.get("events"))
    after = fold(situation.system.evolve, situation.state, events)
    stored = msgspec.json.decode(msgspec.json.encode(after), type=situation.system.state)
    assert stored == after
    check_subset(situation.view(after), expect.get("state", {}), "state")


def decided(situation: Situation, dice: TableDice) -> list[Any]:
    if situation.moment is not None:
        events = situation.system.on_lifecycle_event(situation.state, situation.moment, situation.context)
        if isinstance(situation.moment, CalendarAdvanced):
            events += settled(situation, events, situation.moment.game_time_after)
    else:
        events = situation.system.decide(situation.state, situation.context, dice)
    dice.finish()
    decoder = msgspec.json.Decoder(situation.system.events)
    for event in events:
        assert decoder.decode(msgspec.json.encode(event)) == event, "an event is not what is stored of it"
    return events


def settled(situation: Situation, events: list[Any], now: int) -> list[Any]:
    """What the calendar makes due, as the campaign commands it after the calendar has moved."""
    system, found = situation.system, []
    state = fold(system.evolve, deepcopy(situation.state), events)
    while (due := first_due(system.due_commands(state), now, None)) is not None:
        context = structs.replace(
            situation.context, command=due.command, role="worker", account=None, game_time=now
        )
        happened = system.decide(state, context, TableDice([]))
        state = fold(system.evolve, state, happened)
        found += happened
    return found


def check_events(system: str, events: list[Any], expected: list[dict[str, Any]] | None) -> None:
    if expected is None:
        return
    found = [msgspec.to_builtins(event) for event in events]
    tags = [f"{system}.{re.sub(r'(?<!^)(?=[A-Z])', '_', each['type']).lower()}" for each in expected]
    assert [each["type"] for each in found] == tags
    for event, wanted in zip(found, expected, strict=True):
        check_subset(event, {key: value for key, value in wanted.items() if key != "type"}, wanted["type"])


def check_subset(found: Any, wanted: Any, where: str) -> None:
    """Every key that is wanted is there with that value; lists match element by element."""
    if isinstance(wanted, dict):
        assert isinstance(found, dict), f"{where}: {found!r} is no object"
        for key, value in wanted.items():
            assert key in found, f"{where} has no {key!r}, only {sorted(found)}"
            check_subset(found[key], value, f"{where}.{key}")
    elif isinstance(wanted, list):
        assert isinstance(found, list), f"{where}: {found!r} is no list"
        assert len(found) == len(wanted), f"{where}: {found!r} is not {wanted!r}"
        for nth, (one, value) in enumerate(zip(found, wanted, strict=True)):
            check_subset(one, value, f"{where}[{nth}]")
    else:
        assert type(found) is type(wanted), f"{where}: {found!r} is not {wanted!r}"
        assert found == wanted, f"{where}: {found!r} is not {wanted!r}"
