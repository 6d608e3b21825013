"""What a preview says of every sheet, balance, timer and board is what its reader finds after the undo or redo.

Random play of every system, in which some is hidden: GMs and players look at what an undo or redo of any action
would do, open or hidden, and then do it.
"""

import os
from collections import Counter
from itertools import groupby
from typing import Any

import pytest
from msgspec import structs

from domain.campaign.events import Hidden
from domain.campaign.messages.undo import (
    ActionAffected,
    ActionRedone,
    ActionUndone,
    RedoAction,
    UndoAction,
    UndoSince,
)
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event, past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from projections.campaign.full_view import Everything, changes, everything
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.history.undo import HistoryRequest, Preview, UndoPlan, undo_or_redo
from services.history.undo_preview import preview
from services.reading.action_sentences import told_of
from services.reading.event_scan import by_action
from tests.domain.plays import PLAYS
from tests.sampling import slow_but
from tests.services.play_at_random import Campaign

pytestmark = pytest.mark.anyio

SEEDS = int(os.environ.get("FIELDLOG_PLAYS", "6"))
"""Plays of each system that are looked at."""

QUICK = 2
"""The one that the quick tests look at; in several systems, something follows by itself in it."""

EVERY_MOVES = 3
"""So often somebody looks, once the first third is played."""

SHOWN_MIN = 4
"""Previews in one play, or it would prove little."""

AS_PLAYERS = 0.8
"""How often players look at what they did themselves, and not the GM."""

LATEST = 40
"""So many actions go at most with a moment that the GM goes back to."""

STOPPING = ("campaign.cancel_timer", "campaign.pause_timer", "campaign.stop_activity", "campaign.set_setting")
"""Without these, something may be due that has not happened."""


class Previews:
    """Looks at what undos and redos would do, does them, and looks at what came of it."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.application = campaign.application
        self.counts: Counter[str] = Counter()

    async def play(self, *, elsewhere: bool = False) -> Counter[str]:
        """Play, and look again and again; `elsewhere`: the second half is played in a fork."""
        await self.campaign.gather()
        moves = len(self.campaign.moves)
        async for nth in self.campaign.play():
            if elsewhere and nth == moves // 2:
                await self.campaign.go_on_elsewhere()
            if 3 * nth > moves and nth % EVERY_MOVES == 0:
                await self._look()
        await self.application.handler.close()
        return self.counts

    async def _look(self) -> None:
        """Somebody has second thoughts about something, and mostly third ones."""
        campaign, chance = self.campaign, self.campaign.chance
        undone = (await campaign.seen(campaign.gm)).state.undone
        past = await campaign.past()
        kinds = [
            [each for each in past if each.visibility != "all"],
            [each for each in past if each.action_id in undone],
            [each for each in past if each.actor in campaign.players],
            [each for each in past if each.command in STOPPING],
            past,
        ]
        target = chance.choice(chance.choice([kind for kind in kinds if kind]))
        who = campaign.gm
        if target.actor in campaign.players and chance.random() < AS_PLAYERS:
            who = target.actor
        kind = RedoAction if target.action_id in undone else UndoAction
        await self._compare(who, target, kind(target.action_id, reason="No."))
        if kind is UndoAction and target.action_id in (await campaign.seen(campaign.gm)).state.undone:
            await self._compare(who, target, RedoAction(target.action_id, reason="Yes."))

    async def _compare(self, who: AccountId, target: PastAction, wish: HistoryRequest) -> None:
        """What is shown to somebody is what they find; what is refused is refused alike."""
        application, campaign = self.application, self.campaign
        reader = "gm" if who == campaign.gm else "player"
        about = (reader, type(wish).__name__, target.command, target.visibility, target.first_seq)
        before = await self._found_by(who)
        shown = await self._shown(who, wish)
        if isinstance(shown, Rejection):
            with pytest.raises(Rejection, check=lambda refusal: refusal.code == shown.code):
                await undo_or_redo(application, campaign.id, who, _with_cascade(wish, 0), None)
            self.counts["refused"] += 1
            return
        counted = ("depends", "asked") if isinstance(wish, UndoSince) else ("depends",)
        depends = sum(each.because in counted for each in shown.undone)
        await undo_or_redo(application, campaign.id, who, _with_cascade(wish, depends), None)
        await campaign.work()
        assert changes(before, await self._found_by(who)) == shown.changes, about
        own, *following = by_action(await application.log.tail(campaign.id, shown.as_of))
        seen = await campaign.seen(who)
        known = [rows for rows in following if not isinstance(seen.read(rows[0]).event, Hidden)]
        followed = [told_of(past_action(rows), seen) for rows in known]
        assert followed == [each.summary for each in shown.follows], about
        said = _said([row for row in own if not isinstance(seen.read(row).event, Hidden)])
        listed = _listed(shown)
        if isinstance(wish, UndoSince):  # the first that everybody reads comes first in the log
            said, listed = ({name: sorted(ids) for name, ids in lists.items()} for lists in (said, listed))
        assert said == listed, about
        back = by_action(await application.log.actions(campaign.id, said["redone"]))
        assert [told_of(past_action(rows), seen) for rows in back] == [each.summary for each in shown.redone], (
            about
        )
        self.counts.update(["shown", f"{reader} {type(wish).__name__}"])
        self.counts.update(["hidden"] * (target.visibility != "all") + ["followed"] * bool(known))

    async def _shown(self, who: AccountId, wish: HistoryRequest) -> Preview | Rejection:
        try:
            return await preview(self.application, self.campaign.id, who, wish)
        except Rejection as refusal:
            return refusal

    async def _found_by(self, who: AccountId) -> Everything:
        seen = await self.campaign.seen(who)
        return everything(seen.state, seen.name)


class PreviewsOfSeveral(Previews):
    """The same for undos of several actions at once."""

    async def _look(self) -> None:
        """The GM has second thoughts about all since a moment, or a few, and mostly third ones."""
        campaign, chance = self.campaign, self.campaign.chance
        past = await campaign.past()
        kept, few = chance.choice(past[-LATEST:]), chance.sample(past, min(3, len(past)))
        wish = chance.choice(
            [
                UndoSince(after=kept.first_seq, reason="No."),
                UndoSince(action_ids=[action.action_id for action in few], reason="No."),
            ]
        )
        before = {*(await campaign.seen(campaign.gm)).state.undone}
        await self._compare(campaign.gm, kept, wish)
        gone = {*(await campaign.seen(campaign.gm)).state.undone} - before
        asked = [action for action in past if action.action_id in gone and action.actor is not None]
        if asked and chance.random() < AS_PLAYERS:
            await self._compare(campaign.gm, asked[0], RedoAction(asked[0].action_id, reason="Yes."))


def _with_cascade(wish: HistoryRequest, confirm: int) -> HistoryRequest:
    return structs.replace(wish, cascade=True, confirm=confirm)


def _said(rows: list[StoredEvent]) -> dict[str, list[ActionId]]:
    """What went, came back and stands though it would have gone otherwise, as the log says."""
    names: dict[Any, str] = {ActionUndone: "undone", ActionRedone: "redone", ActionAffected: "affected"}
    said: dict[str, list[ActionId]] = {name: [] for name in names.values()}
    for row in rows:
        event: Any = decode_event(row)
        said[names[type(event)]].append(event.action_id)
    return {name: [each for each, _ in groupby(found)] for name, found in said.items()}


def _listed(shown: Preview) -> dict[str, list[ActionId]]:
    """The same, as the preview says."""
    lists = {"undone": shown.undone, "redone": shown.redone, "affected": shown.affected}
    return {name: [each.action_id for each in found] for name, found in lists.items()}


@pytest.mark.parametrize("system", slow_but(PLAYS, "frame_state"))
async def test_what_a_preview_says_is_what_its_reader_finds(system):
    counts = await Previews(Campaign(system, QUICK)).play()
    assert counts["shown"] >= SHOWN_MIN


@pytest.mark.slow
@pytest.mark.parametrize("seed", [seed for seed in range(SEEDS) if seed != QUICK])
@pytest.mark.parametrize("system", PLAYS)
async def test_the_same_for_more_plays_some_of_which_go_on_in_a_fork(system, seed):
    await Previews(Campaign(system, seed)).play(elsewhere=seed % 3 == 0)


@pytest.mark.parametrize("system", slow_but(PLAYS, "overdrive"))
async def test_the_same_for_all_since_a_moment_and_for_several_that_are_named(system):
    counts = await PreviewsOfSeveral(Campaign(system, QUICK)).play()
    assert counts["gm UndoSince"] >= SHOWN_MIN
    assert counts["gm RedoAction"] >= 1


async def _nothing_follows(_: Any, state: CampaignState, *__: Any) -> tuple[list[Any], CampaignState]:
    return [], state


async def _nothing_goes(
    application: Application, seen: VisibleCampaign, plan: UndoPlan, audience: Audience
) -> CampaignState:
    return await application.states.at(seen.campaign_id, audience, plan.head.seq)


async def _all_is_open(_: Application, __: VisibleCampaign, plan: UndoPlan, ___: Audience) -> CampaignState:
    return decode_state(encode_state(plan.search.state))


@pytest.mark.parametrize(
    ("name", "instead", "system", "seed"),
    [
        ("_Rewriting._following", _nothing_follows, "angst", 2),
        ("known_without", _nothing_goes, "overdrive", 3),
        ("known_without", _all_is_open, "overdrive", 1),
    ],
)
async def test_a_preview_that_says_anything_else_would_be_found_out(name, instead, system, seed, monkeypatch):
    """Negative control: nothing follows by itself, nothing goes for players, players are told what GMs know."""
    monkeypatch.setattr(f"services.history.undo_preview.{name}", instead)
    with pytest.raises(AssertionError):
        await Previews(Campaign(system, seed)).play()
