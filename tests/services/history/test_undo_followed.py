"""Views follow undos of open and hidden actions, and every moment stays what it was (invariants 9 to 11)."""

import asyncio
from collections.abc import AsyncIterator
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.campaign.commands import (
    AddNote,
    AdvanceCalendar,
    AssignCharacter,
    EndDowntime,
    PostEntry,
    RollDice,
    SetSetting,
    StartDowntime,
)
from domain.campaign.knowledge.audience_states import decides
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import ApproveActivity, PlanActivity, StopActivity
from domain.campaign.messages.escrow import OfferTransfer, PostPending, VoidPending
from domain.campaign.messages.timers import Post, ScheduleTimer
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.secrecy.audience import GM, TABLE, Audience
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import AccountId, ActionId, CampaignId, CharacterId
from domain.rejection import Rejection
from domain.systems.frame_state import commands as frame_state
from domain.systems.frame_state.state import TestDie
from infra.machine.entropy import machine_clock
from projections.campaign.full_view import Everything, changes, everything
from services.application import Application
from services.campaign import visible_campaign as reading
from services.campaign.state_at import StateReader
from services.history.undo import undo_or_redo
from services.history.undo_preview import preview
from services.workers import projector as catching_up
from services.workers.projection_fingerprint import views_digest
from services.workers.projector import Projector
from tests.doubles.projection_store import MemoryProjectionStore
from tests.sampling import slow_but
from tests.services.campaign_followed import (
    CampaignFollowed,
    application_of,
    followed_in,
    no_views,
)

pytestmark = pytest.mark.anyio

STEPS = 45
REWRITTEN_MIN = 5
"""Undos and redos in one play, or it would prove little."""


@pytest.fixture
async def campaign() -> AsyncIterator[CampaignFollowed]:
    async with followed_in("memory", str) as found:
        yield found


class Play:
    """Random play of open and hidden actions, with undos and redos of whatever was done."""

    def __init__(self, campaign: CampaignFollowed, chance: Random) -> None:
        self.campaign = campaign
        self.chance = chance
        self.application = application_of(campaign)
        self.done: list[ActionId] = []
        self.then: dict[int, dict[str, bytes]] = {}
        self.rewritten = 0

    async def on(self) -> None:
        """Play, while views are stored now and then, and check after each step."""
        for _ in range(STEPS):
            await self.step()
            if self.chance.random() < 0.5:
                await self.campaign.worker.catch_up.step(self.campaign.id)
            await self.check()

    async def step(self) -> None:
        """Something happens, or is undone or redone."""
        if self.done and self.chance.random() < 0.4:
            await self._rewrite()
        else:
            await self._act()

    async def _act(self) -> None:
        chance, people = self.chance, self.campaign.people
        owner = chance.choice(["mara", "ines", "olaf"])
        readers = ["all", "all", "all", "gm", "blind", *(f"account:{people[who]}" for who in ("ines", "mara"))]
        who, command = chance.choice(["ana", owner]), await self._something(owner)
        try:
            acted = await self.campaign.act(who, command, visibility=chance.choice(readers))
        except Rejection:
            return
        self.done.append(ActionId(UUID(acted["action_id"])))

    async def _something(self, owner: str) -> Any:
        chance, pilot = self.chance, self.campaign.pilots[owner]
        state = await self._state()
        fees = Post("credits", f"pilot:{pilot}", "world:dock", 20, new=True)
        pending = chance.choice([*state.pending_entries, "none"])
        activity = chance.choice([*state.activities, "none"])
        return chance.choice(
            [
                AddNote("a note"),
                RollDice("d6"),
                SetSetting("campaign.language", chance.choice(["fr", "en"])),
                SetSetting("campaign.timer_clock", chance.choice(["real", "game"])),
                AdvanceCalendar(Span(days=1)),
                ScheduleTimer("Dock fees", Span(days=1), fees, every=chance.choice([None, Span(days=2)])),
                StartDowntime(),
                EndDowntime(),
                PlanActivity(CharacterId(pilot), "work", "Wages", Span(days=1), earns=30),
                PlanActivity(CharacterId(pilot), "train", "Drill", Span(days=2), price=40),
                ApproveActivity(activity),
                StopActivity(activity),
                OfferTransfer("credits", f"pilot:{pilot}", "world:dock", 30, "a bribe", new=True),
                PostPending(pending),
                VoidPending(pending),
                AssignCharacter(CharacterId(pilot), chance.choice([None, *self.campaign.people.values()])),
                frame_state.AwardCurrency(
                    pilot=CharacterId(pilot), amount=chance.randint(1, 900), reason="a find"
                ),
                frame_state.AdvanceCategory(pilot=CharacterId(pilot), category="skills"),
                frame_state.CreatePilot(name="Late"),
            ]
        )

    async def _rewrite(self) -> None:
        action, state = self.chance.choice(self.done), await self._state()
        kind = RedoAction if action in state.undone else UndoAction
        who = self.campaign.people[self.chance.choice(["ana", "ana", "ana", "mara"])]
        try:
            shown = await preview(self.application, self.campaign.id, who, kind(action))
            confirm = sum(each.because == "depends" for each in shown.undone)
            wish = kind(action, "on second thoughts", cascade=True, confirm=confirm)
            before = await self._drawn(who)
            await undo_or_redo(self.application, self.campaign.id, who, wish, None)
        except Rejection:
            return
        self.rewritten += 1
        after = await self._drawn(who)
        assert shown.changes == changes(before, after)

    async def _state(self) -> Any:
        return (await self.application.campaigns.see(self.campaign.id, self.campaign.people["ana"])).state

    async def _drawn(self, who: Any) -> Any:
        seen = await self.application.campaigns.see(self.campaign.id, who)
        return everything(seen.state, seen.name)

    async def check(self) -> None:
        """What is stored, what is in memory and what is folded anew is the same for every audience."""
        head = await self.campaign.log.head(self.campaign.id)
        anew = StateReader(self.campaign.log, no_views())
        people = self.campaign.people
        stood: dict[str, bytes] = {}
        for audience in (
            GM,
            TABLE,
            *(Audience(gm=False, account=people[who]) for who in ("ines", "mara", "olaf")),
        ):
            state = encode_state(await anew.at(self.campaign.id, audience, head.seq))
            assert encode_state(await self.application.states.at(self.campaign.id, audience, head.seq)) == state
            latest = await self.application.states.latest(self.campaign.id, audience)
            assert latest is not None
            assert encode_state(latest[1]) == state
            stood[audience.key] = state
        for account in people.values():
            seen = await self.application.campaigns.see(self.campaign.id, account)
            assert encode_state(seen.state) == stood[seen.audience.key]
        hot = self.campaign.worker.handler._cache.get(self.campaign.id)
        if hot is not None:
            assert encode_state(hot.state) == stood["gm"]
            for key, state in stood.items():
                known = hot.knowledge.of(Audience.from_key(key), hot.state)
                assert decides(known) == decides(decode_state(state)), key
        self.then[head.seq] = stood

    async def check_the_past(self) -> None:
        """Every moment is still what it was."""
        for seq, stood in self.then.items():
            for key, state in stood.items():
                found = await self.application.states.at(self.campaign.id, Audience.from_key(key), seq)
                assert encode_state(found) == state, (seq, key)


@pytest.mark.parametrize("seed", slow_but(range(5), 1))
async def test_whatever_is_undone_stored_views_are_folds_and_the_past_stays_what_it_was(
    campaign: CampaignFollowed, monkeypatch: pytest.MonkeyPatch, seed: int
):
    chance = Random(seed)  # noqa: S311 — a seed per play, so that each can be played again
    monkeypatch.setattr(catching_up, "BATCH_EVENTS", chance.choice([1, 3, 2_000]))
    monkeypatch.setattr(catching_up, "KEPT_EVERY_EVENTS", chance.choice([1, 4, 9]))
    play = Play(campaign, chance)
    await play.on()
    await play.check_the_past()
    await campaign.worker.catch_up.campaign(campaign.id)
    await play.check_the_past()
    assert await campaign.everything_read(campaign.views) == await campaign.everything_read(no_views())
    digest = await views_digest(campaign.views, campaign.id)
    afresh = MemoryProjectionStore(campaign.log)
    await Projector(campaign.log, afresh, campaign.worker.handler).campaign(campaign.id)
    assert await views_digest(afresh, campaign.id) == digest
    assert play.rewritten >= REWRITTEN_MIN


async def test_a_reader_who_folded_an_undo_onto_what_it_struck_would_be_found_out(
    campaign: CampaignFollowed, monkeypatch: pytest.MonkeyPatch
):
    """Negative control."""
    monkeypatch.setattr(reading, "changes_earlier_events", lambda *_: False)
    with pytest.raises(AssertionError):
        await Play(campaign, Random(1)).on()  # noqa: S311 — the same


async def noted(campaign: CampaignFollowed) -> ActionId:
    return ActionId(UUID((await campaign.act("ana", AddNote("a note")))["action_id"]))


async def test_of_two_who_undo_the_same_at_once_one_hears_that_it_is_undone(campaign: CampaignFollowed):
    application, ana, wish = application_of(campaign), campaign.people["ana"], UndoAction(await noted(campaign))
    both = [undo_or_redo(application, campaign.id, ana, wish, None) for _ in range(2)]
    answers = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(getattr(each, "code", "done") for each in answers) == ["already_undone", "done"]


async def test_one_key_sent_twice_at_once_undoes_once_and_is_answered_alike(campaign: CampaignFollowed):
    application, ana, wish = application_of(campaign), campaign.people["ana"], UndoAction(await noted(campaign))
    first, second = await asyncio.gather(
        *(undo_or_redo(application, campaign.id, ana, wish, "k") for _ in range(2))
    )
    assert first == second


async def test_an_undo_goes_through_while_others_act(campaign: CampaignFollowed):
    application, ana, action = application_of(campaign), campaign.people["ana"], await noted(campaign)
    others = (campaign.act("mara", AddNote(f"note {nth}")) for nth in range(20))
    await asyncio.gather(undo_or_redo(application, campaign.id, ana, UndoAction(action), None), *others)
    state = (await application.campaigns.see(campaign.id, ana)).state
    assert set(state.undone) == {action}


async def test_a_preview_does_not_say_that_a_timer_follows_which_failed_too_often(campaign: CampaignFollowed):
    """It waits for a GM, though it could fire again."""
    application, ana = application_of(campaign), campaign.people["ana"]
    purse = f"purse:{campaign.pilots['mara']}"
    made = await campaign.act("ana", PostEntry("gold", "world:market", purse, 5, "a find", new=True))
    late = ActionId(UUID(made["action_id"]))
    await undo_or_redo(application, campaign.id, ana, UndoAction(late), None)
    toll = Post("gold", purse, "world:dock", 5, new=True)
    await campaign.act("ana", ScheduleTimer("Toll", Span(days=1), toll, clock="game"))
    await campaign.act("ana", AdvanceCalendar(Span(days=1)))
    [fires] = (await preview(application, campaign.id, ana, RedoAction(late))).follows
    assert "5 gold" in fires.summary[1]
    [kept] = await application.timers.of(campaign.id)
    while await application.timers.failed(
        campaign.id, kept.timer.cause, kept.timer.subject, "There is not enough gold."
    ):
        pass
    shown = await preview(application, campaign.id, ana, RedoAction(late))
    before = await drawn(application, campaign.id, ana)
    await undo_or_redo(application, campaign.id, ana, RedoAction(late), None)
    await application.handler.run_due(campaign.id, machine_clock(), [])
    assert shown.follows == []
    assert shown.changes == changes(before, await drawn(application, campaign.id, ana))


async def drawn(application: Application, campaign_id: CampaignId, account: AccountId) -> Everything:
    seen = await application.campaigns.see(campaign_id, account)
    return everything(seen.state, seen.name)


@pytest.mark.parametrize("hidden", [False, True])
async def test_the_answer_to_a_players_undo_tells_what_waits_for_them_after_it(
    campaign: CampaignFollowed, hidden: bool
):
    """Also where what they know is kept apart from what GMs know, for something else is hidden."""
    application, mara, pilot = application_of(campaign), campaign.people["mara"], campaign.pilots["mara"]
    gift = frame_state.AwardCurrency(pilot=CharacterId(pilot), amount=5, reason="a gift")
    await campaign.act("ana", gift, visibility="gm" if hidden else "all")
    dice = [TestDie(die="d6")]
    await campaign.act("ana", frame_state.CallTest(mark=4, test_type="reactive", dice=dice, pilot=pilot))
    rolled = await campaign.act("mara", frame_state.RollTest(), dice=[(6, 3)])
    assert rolled["pending"] == []
    wish = UndoAction(ActionId(UUID(rolled["action_id"])))
    undone = msgspec.json.decode(await undo_or_redo(application, campaign.id, mara, wish, None))
    assert [each["kind"] for each in undone["pending"]] == ["roll_test"]
    redone = msgspec.json.decode(
        await undo_or_redo(application, campaign.id, mara, RedoAction(wish.action_id), None)
    )
    assert redone["pending"] == []
