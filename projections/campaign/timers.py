"""The timer board: due commands, whose they are, when they run, and what they do."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct

from domain.campaign.calendar_shapes import Date
from domain.campaign.due_commands import DueKey, id_of, key_of, owed_by_rules
from domain.campaign.messages.timers import FireTimer, Order, Post
from domain.campaign.settings import OWN, language_of, settings_of
from domain.campaign.state import CampaignState, OwnTimer
from domain.event_store_types import KeptTimer
from domain.sentences import Sentence, number, say
from domain.systems import owner_of
from domain.systems.system import DueCommand, InRealTime, OnCalendar
from projections.campaign.dates import date_in
from projections.campaign.narration_due_commands import describe_scheduled
from projections.campaign.repetition_words import repetition_in_words
from projections.campaign_words.narration import in_words, span
from projections.languages import render
from projections.narration_tables import currency_name
from projections.timestamps import moment

SECOND_MICROS = 1_000_000


class TimerView(Struct, frozen=True):
    """A command that will run by itself.

    `timer` is the id of one of the campaign's own timers, else `system` is the rule system that owes the command.
    `does` says what the command will do. On the calendar, `game_time` (seconds) and `date` say when and
    `remaining` how long that is; in real time, `at`. `state` is `waiting`, `paused`, `due` or `resting` (the
    campaign is archived). GMs also read `failing` (it is tried again) and `parked` (it failed too often, and waits
    for a GM), with the `attempts` and the `error`; others read `due`, since the reason may be hidden from them.
    """

    id: str
    timer: str | None
    title: str
    does: str
    system: str | None
    character: str | None
    character_name: str | None
    clock: str
    game_time: int | None
    date: Date | None
    at: str | None
    remaining: str | None
    every: str | None
    repeats: str | None
    """The days of the calendar on which it fires again, in words."""
    state: str
    attempts: int
    error: str | None


def timer_board(
    state: CampaignState,
    stored_timers: Mapping[DueKey, KeptTimer],
    name: Callable[[Any], str],
    language: str | None = None,
) -> list[TimerView]:
    """Every due command that the reader knows of, soonest first, then paused timers.

    It is told in `language`; None: the campaign's. `stored_timers` is what the database knows of it, for GMs only.
    Of a date before an import it is what the original owed itself then.
    """
    draw = _Drawing(state, name, language or language_of(state.changed_settings))
    waiting = sorted(owed_by_rules(state), key=_soonest)
    running = [draw.due_view(due_command, stored_timers.get(key_of(due_command))) for due_command in waiting]
    return running + [draw.paused_view(timer) for timer in state.timers.values() if timer.left is not None]


def ends_of_activities(state: CampaignState) -> dict[str, str]:
    """The activities of downtime that have begun, by the ids of the timers that end them."""
    return {
        str(id_of((activity.started_in, activity.activity_id))): activity.activity_id
        for activity in state.activities.values()
        if activity.started_in
    }


def _soonest(due_command: DueCommand) -> tuple[int, int, str]:
    match due_command.due:
        case None:
            return 0, 0, due_command.subject
        case OnCalendar(second):
            return 1, second, due_command.subject
        case InRealTime(microsecond):
            return 2, microsecond, due_command.subject


class _Drawing:
    """Makes the timer views for one reader."""

    def __init__(self, state: CampaignState, name: Callable[[Any], str], language: str) -> None:
        self._state = state
        self._name = name
        self._language = language
        self._shape = settings_of(OWN, state.changed_settings).calendar

    def due_view(self, due_command: DueCommand, stored_timer: KeptTimer | None) -> TimerView:
        """The view of a command that is waiting or due."""
        own = (
            self._state.timers.get(due_command.command.timer)
            if isinstance(due_command.command, FireTimer)
            else None
        )
        game_time = due_command.due.second if isinstance(due_command.due, OnCalendar) else None
        return self._view(
            str(id_of(key_of(due_command))),
            own,
            self._describe_scheduled(due_command) if own is None else _does(own, self._name),
            system=owner_of(due_command.command),
            clock=_clock(due_command),
            game_time=game_time,
            at=moment(due_command.due.microsecond) if isinstance(due_command.due, InRealTime) else None,
            time_left=None if game_time is None else max(0, game_time - self._state.game_time),
            state=_state_of(due_command, stored_timer, self._state),
            stored_timer=stored_timer,
        )

    def _describe_scheduled(self, due_command: DueCommand) -> Sentence:
        """The effect that a due command of a system, or of downtime, will have."""
        activity = self._state.activities.get(due_command.subject)
        if activity is None:
            return describe_scheduled(due_command.command, self._name)
        return say("{who} finishes: “{title}”", who=self._name(activity.character), title=activity.title)

    def paused_view(self, timer: OwnTimer) -> TimerView:
        """The view of a paused timer."""
        time_left = (timer.left or 0) // (1 if timer.clock == "game" else SECOND_MICROS)
        key = (timer.scheduled_in, f"{timer.timer_id}:{timer.occurrence}")
        return self._view(
            str(id_of(key)),
            timer,
            _does(timer, self._name),
            clock=timer.clock,
            time_left=time_left,
            state="paused",
        )

    def _view(
        self,
        id_: str,
        own: OwnTimer | None,
        does: Sentence,
        *,
        clock: str,
        state: str,
        time_left: int | None,
        system: Any = None,
        game_time: int | None = None,
        at: str | None = None,
        stored_timer: KeptTimer | None = None,
    ) -> TimerView:
        text = render(does, self._language)
        who = own.character if own is not None else None
        every = None
        if own is not None and own.every is not None:
            every = render(span(own.every // (1 if own.clock == "game" else SECOND_MICROS)), self._language)
        return TimerView(
            id=id_,
            timer=own.timer_id if own is not None else None,
            title=own.title if own is not None else text,
            does=text,
            system=system.id if system is not None else None,
            character=who,
            character_name=self._name(who) if who is not None else None,
            clock=clock,
            game_time=game_time,
            date=date_in(self._language, game_time, self._shape) if game_time is not None else None,
            at=at,
            remaining=render(span(time_left), self._language) if time_left is not None else None,
            every=every,
            repeats=None
            if own is None or own.repeats is UNSET
            else render(repetition_in_words(own.repeats, self._language, self._shape), self._language),
            state=state,
            attempts=stored_timer.attempts if stored_timer is not None else 0,
            error=render(stored_timer.error, self._language)
            if stored_timer is not None and stored_timer.error
            else None,
        )


def _clock(due_command: DueCommand) -> str:
    if isinstance(due_command.due, OnCalendar):
        return "game"
    return "now" if due_command.due is None else "real"


def _state_of(due_command: DueCommand, stored_timer: KeptTimer | None, state: CampaignState) -> str:
    if state.archived_at is not None:
        return "resting"
    if stored_timer is not None and stored_timer.attempts:
        return "failing" if stored_timer.parked_at is None else "parked"
    due = due_command.due is None or (
        isinstance(due_command.due, OnCalendar) and due_command.due.second <= state.game_time
    )
    return "due" if due else "waiting"


def _does(timer: OwnTimer, name: Callable[[Any], str]) -> Sentence:
    """The effect that one of the campaign's own timers will have."""
    effect = timer.effect
    if isinstance(effect, Post):
        return say(
            "{amount} {currency} move from {debit} to {credit}",
            amount=number(effect.amount),
            currency=currency_name(effect.currency, name),
            debit=in_words(effect.debit, name),
            credit=in_words(effect.credit, name),
        )
    if isinstance(effect, Order):
        return say("The campaign's own order: {command}", command=str(effect.command.get("type")))
    return say("The table is reminded")
