"""Calendars that are changed, undone and redone in random play: every copy of the campaign has the same dates.

Timers that repeat by the calendar follow it, hidden ones too, in folds that go on, in folds that begin anew, in
stored ones and in a fork. What is redone is as it was before the undo.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from domain.campaign.calendar.calendar_setting import calendar_in
from domain.campaign.calendar_shapes import CalendarShape, as_json, calendar_of
from domain.campaign.commands import AddNote, AdvanceCalendar, SetSetting
from domain.campaign.messages.base_types import EndDate, Span
from domain.campaign.messages.timers import (
    AnyRepetition,
    CancelTimer,
    EveryDay,
    EveryMonth,
    EveryMonthEnd,
    EveryMonthWeekday,
    EveryWeek,
    EveryYear,
    PauseTimer,
    ResumeTimer,
    ScheduleTimer,
)
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.state import CampaignState
from domain.rejection import Rejection
from projections.campaign.timers import timer_board
from services.campaign.visible_campaign import CampaignReader
from services.history.undo import undo_or_redo
from services.workers.projector import Projector
from tests.domain.campaign.calendars_made import CALENDARS
from tests.sampling import slow_but
from tests.services.play_at_random import Campaign

pytestmark = pytest.mark.anyio

STEPS = 60
HOT_BYTES = 10_000_000


class Calendars:
    """A campaign whose GM cannot decide on a calendar."""

    def __init__(self, seed: int) -> None:
        self.campaign = Campaign("frame_state", seed)
        self.chance = Random(f"calendars {seed}")  # noqa: S311 — a seed per play, so that it can be played again
        self.counts: Counter[str] = Counter()

    async def play(self) -> Counter[str]:
        await self.campaign.gather()
        for step in range(STEPS):
            await self._step()
            await self.campaign.work()
            if step % 3 == 0:
                await self._compare_copies()
            if step == STEPS // 2:
                await self.campaign.go_on_elsewhere()
                await self._compare_copies()
        await self.campaign.application.handler.close()
        return self.counts

    async def _step(self) -> None:
        chance = self.chance
        if chance.random() < 0.35:
            await self._undo_and_redo()
            return
        state = (await self.campaign.seen(self.campaign.gm)).state
        what = chance.choice([self._another_calendar, self._another_timer, self._time, self._timer_step])
        command = what(state)
        readers = chance.choice(["all", "all", "gm"]) if isinstance(command, ScheduleTimer) else "all"
        done = await self.campaign.act(self.campaign.gm, command, readers)
        self.counts[type(command).__name__] += done

    def _another_calendar(self, _state: CampaignState) -> Any:
        return SetSetting("campaign.calendar", as_json(self.chance.choice([*CALENDARS.values()])))

    def _another_timer(self, state: CampaignState) -> Any:
        chance = self.chance
        rules: list[AnyRepetition] = [
            EveryDay(),
            EveryWeek([chance.randint(1, 5)]),
            EveryMonth(chance.randint(1, 30)),
            EveryMonthEnd(),
            EveryMonthWeekday(chance.randint(1, 5), chance.choice([None, 1, 5])),
            EveryYear(chance.randint(1, 4), chance.randint(1, 29)),
        ]
        rule = chance.choice(rules)
        if chance.random() < 0.3:
            today = calendar_of(_shape(state)).date_of(state.game_time)
            return ScheduleTimer("Feast", until=EndDate(today.year + 1, chance.randint(1, 6), 1))
        return ScheduleTimer("Bell", repeats=rule, times=chance.choice([None, 3]))

    def _time(self, _state: CampaignState) -> Any:
        return self.chance.choice([AdvanceCalendar(Span(days=self.chance.randint(1, 9))), AddNote("A quiet day.")])

    def _timer_step(self, state: CampaignState) -> Any:
        timer = self.chance.choice([*state.timers, "none"])
        return self.chance.choice([CancelTimer, PauseTimer, ResumeTimer])(timer)

    async def _undo_and_redo(self) -> None:
        """The GM takes something back, mostly a calendar, and perhaps brings it back at once."""
        campaign, past = self.campaign, await self.campaign.past()
        undone = (await campaign.seen(campaign.gm)).state.undone
        calendars = [each for each in past if each.command == "campaign.set_setting"]
        target = self.chance.choice(self.chance.choice([calendars[1:] or past, past[4:] or past]))
        before = await self._told()
        wish = (RedoAction if target.action_id in undone else UndoAction)(target.action_id)
        if not await self._rewrite(wish):
            return
        if self.chance.random() < 0.5:
            back = (UndoAction if isinstance(wish, RedoAction) else RedoAction)(target.action_id)
            if await self._rewrite(back):
                assert await self._told() == before, target.command
                self.counts["there and back"] += 1

    async def _rewrite(self, wish: Any) -> bool:
        try:
            await undo_or_redo(self.campaign.application, self.campaign.id, self.campaign.gm, wish, None)
        except Rejection:
            return False
        self.counts[type(wish).__name__] += 1
        return True

    async def _told(self) -> Any:
        """The dates that the GM and a player read."""
        seen = [await self.campaign.seen(who) for who in (self.campaign.gm, self.campaign.players[0])]
        return [_dates(each.state) for each in seen]

    async def _compare_copies(self) -> None:
        """Every way to the campaign's state leads to the same dates."""
        campaign, application = self.campaign, self.campaign.application
        told = await self._told()
        anew = CampaignReader(application.log, application.views, application.names, HOT_BYTES)
        people = (campaign.gm, campaign.players[0])
        assert [_dates((await anew.see(campaign.id, who)).state) for who in people] == told
        if self.chance.random() < 0.3:
            await Projector(application.log, application.views, application.handler).campaign(campaign.id)
            stored = CampaignReader(application.log, application.views, application.names, HOT_BYTES)
            assert [_dates((await stored.see(campaign.id, who)).state) for who in people] == told
            self.counts["stored"] += 1
        self.counts["compared"] += 1
        self.counts["timers"] += len(told[0][2])


def _shape(state: CampaignState) -> CalendarShape:
    return calendar_in(state).shape


def _dates(state: CampaignState) -> Any:
    return _shape(state), state.game_time, timer_board(state, {}, str)


@pytest.mark.parametrize("seed", slow_but(range(6), 0))
async def test_every_copy_has_the_same_dates_after_undos_and_redos_of_calendars(seed):
    counts = await Calendars(seed).play()
    assert counts["there and back"] > 1
    assert counts["SetSetting"] > 5
    assert counts["UndoAction"] > 5
    assert counts["timers"] > 5
