"""What it costs to find what an undo touches, in whole campaigns: time beside a floor, and memory beside events.

The floor is what no search can do without: fold the campaign from its first event, and decide all later actions
again. Nothing is stored of these campaigns, as after an import.
"""

import time
import tracemalloc
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from random import Random
from typing import Any
from uuid import uuid4

from msgspec import Struct, structs

from domain.campaign.commands import AddNote, CreateCampaign, JoinCampaign
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted
from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import decided_again
from domain.campaign.history.undo import Search
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import GM
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from domain.systems.frame_state import commands as c
from services.application import Application
from services.history.undo import undo_or_redo
from services.history.undo_preview import preview
from services.reading.event_scan import actions_after
from tests.bench.campaigns import CALL, ROLL, Playing, write
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.stage import Stage, a_house
from tests.domain.plays import PLAYS, told
from tests.engines import DatabaseUrls

THREEFOLD = Goal(3.0, better="less")
AS_MUCH = Goal(1.2, better="less")
FLOOR = "a cold fold, all later decided"
MEBIBYTE = 2**20
RANDOM_PLAYS = 8


class Told(Struct, frozen=True):
    """A campaign played once, as its rows; `first` is the first action that may be undone by itself."""

    campaign_id: CampaignId
    gm: AccountId
    player: AccountId
    log: list[StoredEvent]
    first: ActionId

    def rows(self, campaign_id: CampaignId, events: int | None = None) -> Iterator[StoredEvent]:  # noqa: ARG002
        """All of them: `write` asks."""
        return iter(self.log)


async def searches(stage: Stage) -> list[Row]:
    """The first action undone in a campaign of so many actions, and in one of so many events."""
    rows: list[Row] = []
    with stage.database() as urls:
        for what in ("actions", "events"):
            count = stage.scale.undo_actions if what == "actions" else stage.scale.undo_events
            stage.say(f"playing {count:,} {what}")
            campaign = played(count, what)
            rows += await _timed(stage, urls, campaign, f"the first of {count:,} {what}")
        few, many = [
            await _peak_bytes(urls, played(events, "events"))
            for events in (stage.scale.undo_events // 5, stage.scale.undo_events)
        ]
    memory = Rounds(
        f"memory of an undo at {stage.scale.undo_events:,} events", "MiB", "the same at a fifth of them", AS_MUCH
    )
    memory.add(many / MEBIBYTE, few / MEBIBYTE)
    return [*rows, memory.row(), _random_play(stage)]


def played(count: int, what: str) -> Told:
    """Frame State: an award, then tests called and rolled, notes and awards, until there are so many."""
    gm, player, playing = AccountId(uuid4()), AccountId(uuid4()), Playing()
    playing.do(gm, CreateCampaign("Iron Rain", [SystemId("frame_state")]))
    playing.do(player, JoinCampaign("player", "invite-1"))
    playing.do(gm, c.DefineCatalogue(preset="playtest1.2"))
    pilot = playing.do(player, c.CreatePilot(name="Mara"))[0].pilot_id
    playing.do(gm, c.AwardCurrency(amount=5, reason="a find", pilot=pilot))
    first = playing.lines[-1].row.action_id
    coin, note = c.AwardCurrency(amount=1, reason="a coin", pilot=pilot), AddNote(text="On we go.")
    turns = [(gm, structs.replace(CALL, pilot=pilot)), (player, ROLL), (gm, note), (gm, coin)]
    actions = 0
    while (actions if what == "actions" else len(playing.lines)) < count:
        playing.do(*turns[actions % len(turns)])
        actions += 1
    return Told(playing.campaign_id, gm, player, [line.row for line in playing.lines], first)


async def _timed(stage: Stage, urls: DatabaseUrls, campaign: Told, which: str) -> list[Row]:
    dry, real = (Rounds(f"{how} of {which}", "ms", FLOOR, THREEFOLD) for how in ("dry run", "undo"))
    campaign_id, gm = campaign.campaign_id, campaign.gm
    await write(urls, campaign, {campaign_id: None})
    async with a_house(urls) as application:
        await application.campaigns.see(campaign_id, gm)
        for _ in range(stage.scale.rounds):
            floor = await _folded_ms(application, campaign_id) + await _decided_ms(application, campaign)
            seen: list[Any] = []

            async def look() -> None:
                seen.append(await preview(application, campaign_id, gm, UndoAction(campaign.first)))  # noqa: B023

            async def undo() -> None:
                await undo_or_redo(application, campaign_id, gm, UndoAction(campaign.first), None)

            dry.add(await _ms(look), floor)
            require([each.action_id for each in seen[0].undone] == [campaign.first], "more than one action goes")
            real.add(await _ms(undo), floor)
            await undo_or_redo(application, campaign_id, gm, RedoAction(campaign.first), None)
    return [dry.row(), real.row()]


async def _peak_bytes(urls: DatabaseUrls, campaign: Told) -> int:
    """The most that Python held during a dry run and an undo, above what it held before."""
    await write(urls, campaign, {campaign.campaign_id: None})
    wish, campaign_id, gm = UndoAction(campaign.first), campaign.campaign_id, campaign.gm
    async with a_house(urls) as application:
        await application.campaigns.see(campaign_id, gm)
        del campaign
        tracemalloc.start()
        try:
            before, _ = tracemalloc.get_traced_memory()
            await preview(application, campaign_id, gm, wish)
            await undo_or_redo(application, campaign_id, gm, wish, None)
            return tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()


def _random_play(stage: Stage) -> Row:
    """Every system's random play, of which the first action is undone that can be: the search by itself."""
    rounds = Rounds("search in random play of every system", "ms", "folded, all later decided", THREEFOLD)
    chances = [Random(seed) for seed in range(RANDOM_PLAYS)]  # noqa: S311 — not for secrets
    plays = [told(system, play(deepcopy(chance))) for system, play in PLAYS.items() for chance in chances]
    for _ in range(stage.scale.rounds):
        figure = floor = 0.0
        for state, actions in plays:
            start = next(nth for nth, each in enumerate(actions) if each.undoable and each.request is not None)
            floor += _once_ms(lambda: _folded_and_decided(state, actions, start))  # noqa: B023
            figure += _once_ms(lambda: _searched(state, actions, start))  # noqa: B023
        rounds.add(figure, floor)
    return rounds.row()


def _folded_and_decided(before: CampaignState, actions: list[PastAction], start: int) -> None:
    state = decode_state(encode_state(before))
    for nth, action in enumerate(actions):
        if nth > start and action.undoable and action.request is not None:
            _decide(state, action)
        for event in action.events:
            state = evolve(state, event)


def _searched(before: CampaignState, actions: list[PastAction], start: int) -> None:
    state = decode_state(encode_state(before))
    for action in actions[:start]:
        for event in action.events:
            state = evolve(state, event)
    search = Search(state, set(), {actions[start].action_id}, set())
    for action in actions[start:]:
        search.take(action)


def _decide(state: CampaignState, action: PastAction) -> None:
    with suppress(Rejection, OtherDiceWanted):  # what time did by itself was not asked so
        decided_again(state, action)


async def _folded_ms(application: Application, campaign_id: CampaignId) -> float:
    head = await application.log.head(campaign_id)
    assert head is not None
    seq = head.seq

    async def fold() -> None:
        await application.states.at(campaign_id, GM, seq)

    return await _ms(fold)


async def _decided_ms(application: Application, campaign: Told) -> float:
    """Every action after the first decided again on the campaign as it was then; only deciding counts."""
    state, seconds, begun = CampaignState(), 0.0, False
    async for rows in actions_after(application.log, campaign.campaign_id, 0, len(campaign.log)):
        action = past_action(rows)
        if begun and action.undoable and action.request is not None:
            began = time.perf_counter()
            decided_again(state, action)
            seconds += time.perf_counter() - began
        begun = begun or action.action_id == campaign.first
        for event in action.events:
            state = evolve(state, event)
    return 1000 * seconds


async def _ms(work: Callable[[], Awaitable[None]]) -> float:
    began = time.perf_counter()
    await work()
    return 1000 * (time.perf_counter() - began)


def _once_ms(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - began)
