"""`since_seq` of what is waited for: the action since which it is, for whoever reads it, without a gap."""

from collections import Counter
from contextlib import suppress
from itertools import groupby
from random import Random
from typing import Any

import pytest

from domain.campaign.messages.next_session import ProposeDates
from domain.campaign.messages.undo import DeclineUndo, RedoAction, RequestUndo, UndoAction
from domain.campaign.pending_choices import pending
from domain.campaign.state import CampaignState
from domain.event_store_types import StoredEvent
from domain.rejection import Rejection
from domain.systems.system import Pending
from projections.campaign.pending_choices import choices_of
from services.campaign.audience_fold import fold
from services.campaign.history_changes import history_changes_in, revealed_by, undone_by
from services.campaign.visible_campaign import VisibleCampaign
from services.campaign.wait_starts import Thing, Waits
from services.history.undo import undo_or_redo
from services.reading.waiting_since import WaitingSince
from services.workers import projector as catching_up
from services.workers.projector import Projector
from tests.sampling import slow_but
from tests.services.conftest import Person, Table
from tests.services.play_at_random import Campaign

SYSTEMS = ("angst", "frame_state", "freefall", "mobile_frame", "overdrive")
PLAYS_MAX = 5
UNDONE = 0.15
"""After how many moves the GM undoes something, or brings it back."""
REQUESTED = 0.4
"""After how many an undo is asked for, or declined."""
STORED = 0.1
"""After how many a worker stores views."""

PART = 0.3
"""How many first ask for a part of what waits, as those do who are called for what waits for them."""

LATER = 0.2
"""How many reads are so slow that others have acted and read meanwhile."""


class Play:
    """Random play of a system, in which everybody asks now and then since when they wait for things."""

    def __init__(self, system: str, seed: int) -> None:
        self.campaign = Campaign(system, seed)
        self.application = self.campaign.application
        self.chance = Random(f"since {system} {seed}")  # noqa: S311 — a seed per play, so that it can be played again
        self.part = Random(f"part {system} {seed}")  # noqa: S311 — the same
        self.slow: list[tuple[VisibleCampaign, list[Thing]]] = []
        self.compared = self.long = self.rewritten = 0

    async def play(self) -> None:
        """Play it all."""
        application, campaign = self.application, self.campaign
        await campaign.gather()
        asking = WaitingSince(application.states)
        async for _ in campaign.play():
            if self.chance.random() < UNDONE:
                await self._rewrite()
            if self.chance.random() < REQUESTED:
                await self._ask()
            if self.chance.random() < STORED:
                await Projector(application.log, application.views, application.handler).campaign(campaign.id)
            slow = []
            for account in (campaign.gm, *campaign.players):
                seen = await campaign.seen(account)
                things = [_thing(choice) for choice in pending(seen.state)]
                if self.part.random() < PART:
                    await self._compare(asking, seen, self.part.sample(things, len(things) // 2))
                asks = (seen, things)
                if self.chance.random() < LATER:
                    slow.append(asks)
                elif self.chance.random() < 0.5:
                    await self._compare(asking, *asks)
            for asks in self.slow:
                await self._compare(asking, *asks)
            self.slow = slow

    async def _compare(self, asking: WaitingSince, seen: VisibleCampaign, things: list[Thing]) -> None:
        rows = await self.application.log.tail(seen.campaign_id, 0, upto=seen.seq)
        since = await asking.seqs(seen, things)
        assert since == await self._expected(seen, things, rows)
        hidden = {row.seq for row in rows if seen.read(row).event.__struct_config__.tag == "campaign.hidden"}
        assert hidden.isdisjoint(since)
        self.compared += len(things)
        self.long += sum(seen.seq - seq > 20 for seq in since)

    async def _expected(self, seen: VisibleCampaign, things: list[Thing], rows: list[Any]) -> list[int]:
        """The same from the beginning, action by action."""
        changes = history_changes_in(rows)
        undone, revealed = undone_by(changes), revealed_by(changes)
        state, since = CampaignState(), dict[Thing, int]()
        for _, events in groupby(rows, key=lambda row: row.action_id):
            action = [*events]
            state = fold(state, seen.audience, action, undone, revealed)
            since = {_thing(choice): since.get(_thing(choice), action[0].seq) for choice in pending(state)}
        return [since[thing] for thing in things]

    async def _ask(self) -> None:
        """A player asks for an undo of one of the first rolls, or the GM declines one: again and again."""
        campaign, chance = self.campaign, self.chance
        requests = (await campaign.seen(campaign.gm)).state.undo_requests
        if requests and chance.random() < 0.5:
            await campaign.act(campaign.gm, DeclineUndo(chance.choice([*requests])))
            return
        rolls = [action for action in await campaign.past() if action.command == "campaign.roll"]
        for action in rolls[:2]:
            await campaign.act(chance.choice(campaign.players), RequestUndo(action.action_id, "campaign.roll"))

    async def _rewrite(self) -> None:
        """The GM undoes something, or brings it back."""
        campaign = self.campaign
        undone = (await campaign.seen(campaign.gm)).state.undone
        action = self.chance.choice((await campaign.past())[-30:]).action_id
        wish = (RedoAction if action in undone else UndoAction)(action)
        with suppress(Rejection):
            await undo_or_redo(self.application, campaign.id, campaign.gm, wish, None)
            self.rewritten += 1


def _thing(choice: Pending) -> Thing:
    return choice.kind, choice.subject


async def played(system: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Play:
    monkeypatch.setattr(catching_up, "KEPT_EVERY_EVENTS", 5)
    play = Play(system, seed)
    await play.play()
    await play.application.handler.close()
    return play


@pytest.mark.anyio
@pytest.mark.parametrize("system", slow_but(SYSTEMS, "frame_state"))
async def test_things_wait_since_the_action_after_which_they_have_without_a_gap(system, monkeypatch):
    """With hidden actions, reveals, undos, views that are stored now and then, and slow readers."""
    counts = Counter[str]()
    for seed in range(4, 4 + PLAYS_MAX):  # until they hold what hardly any does: who waits for long
        play = await played(system, seed, monkeypatch)
        counts += Counter(compared=play.compared, long=play.long, rewritten=play.rewritten)
        if counts["long"] > 5 and counts["rewritten"] > 2:
            break
    assert counts["compared"] > 50
    assert counts["long"] > 5
    assert counts["rewritten"] > 2


@pytest.mark.anyio
@pytest.mark.slow
@pytest.mark.parametrize("system", SYSTEMS)
async def test_the_same_where_what_a_slow_reader_looked_for_is_used_for_the_next(system, monkeypatch):
    """In the play of Overdrive something is asked for again between the two."""
    await played(system, 5, monkeypatch)


def _over_gaps(waits: Waits, state: CampaignState, row: StoredEvent) -> None:
    """Whatever has waited once has done so since."""
    waits.since = {**dict.fromkeys(map(_thing, pending(state)), row.seq), **waits.since}
    waits.seq = row.seq


@pytest.mark.anyio
@pytest.mark.slow
async def test_waits_that_go_on_over_a_gap_are_found_out(monkeypatch):
    """Negative control."""
    monkeypatch.setattr(Waits, "follow", _over_gaps)
    with pytest.raises(AssertionError):
        await played("angst", 1, monkeypatch)


def test_of_what_came_after_a_change_of_the_past_nothing_is_relied_on():
    waits = Waits(30, {("roll_test", "a"): 9, ("roll_test", "b"): 21})
    assert waits.until(14) == Waits(14, {("roll_test", "a"): 9})
    assert waits.until(30) == waits.until(31) == waits


def asked(table: Table, who: Person) -> int:
    """Since when an undo is asked for, as somebody reads it; nothing else waits."""
    [waits] = who.get(f"{table.path}/commands").json()["waiting"]
    since: int = waits["since_seq"]
    return since


def test_an_undo_that_is_asked_for_again_after_it_was_declined_is_asked_for_since_then(table):
    """Whatever happens after that, hidden or not."""
    action = table.act(table.player, "campaign.roll", notation="d6")["action_id"]
    path = f"{table.path}/actions/{action}/undo-request"
    assert table.player.post(path, {}).status_code == 201
    first = asked(table, table.gm)
    table.act(table.gm, "campaign.add_note", text="Rain.")
    table.act(table.gm, "campaign.decline_undo", action_id=action)
    again = table.player.post(path, {}).json()["seq"]
    for nth in range(9):
        assert asked(table, table.gm) == again > first
        note: dict[str, Any] = {"command": {"type": "campaign.add_note", "text": f"Rain {nth}."}}
        note["visibility"] = "gm" if nth % 3 else "all"
        assert table.gm.post(f"{table.path}/actions", note).status_code == 201


@pytest.mark.anyio
async def test_a_slow_reader_is_told_of_what_began_to_wait_meanwhile():
    campaign = Campaign("frame_state", 5)
    application = campaign.application
    await campaign.gather()
    slow = await campaign.seen(campaign.gm)
    assert await campaign.act(campaign.gm, ProposeDates(["2030-01-05T19:00Z"]))
    now = await campaign.seen(campaign.gm)
    told = (await application.possible.all(slow, None, choices=False)).waiting
    assert {choice.since_seq for choice in told} == {slow.seq}
    assert [choice.sentence for choice in told] == [choice.told for choice in choices_of(now.state, now.name)]
    await application.handler.close()
