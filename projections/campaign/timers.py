"""The timer board: due commands, whose they are, when they run, and what they do."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from domain.campaign.dates import Date
from domain.campaign.messages.timers import FireTimer, Order, Post
from domain.campaign.schedule import OwedKey, id_of, key_of, owed_by_rules
from domain.campaign.settings import OWN, language_of, settings_of
from domain.campaign.state import CampaignState, OwnTimer
from domain.event_store_types import KeptTimer
from domain.sentences import Sentence, say, term
from domain.systems import owner_of
from domain.systems.system import InRealTime, OnCalendar, Owed
from projections.campaign.dates import date_in
from projections.campaign.narration_schedule import describe_scheduled
from projections.campaign_words.narration import in_words, span
from projections.languages import render
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
    state: str
    attempts: int
    error: str | None


def timer_board(
    state: CampaignState,
    kept: Mapping[OwedKey, KeptTimer],
    name: Callable[[Any], str],
    language: str | None = None,
) -> list[TimerView]:
    """Every due command that the reader knows of, soonest first, then paused timers.

    It is told in `language`; None: the campaign's. `kept` is what the database knows of it, for GMs only. Of a
    date before an import it is what the original owed itself then.
    """
    draw = _Drawing(state, name, language or language_of(state.changed_settings))
    waiting = sorted(owed_by_rules(state), key=_soonest)
    running = [draw.owed(each, kept.get(key_of(each))) for each in waiting]
    return running + [draw.paused(timer) for timer in state.timers.values() if timer.left is not None]


def _soonest(each: Owed) -> tuple[int, int, str]:
    match each.due:
        case None:
            return 0, 0, each.subject
        case OnCalendar(second):
            return 1, second, each.subject
        case InRealTime(microsecond):
            return 2, microsecond, each.subject


class _Drawing:
    """Makes the timer views for one reader."""

    def __init__(self, state: CampaignState, name: Callable[[Any], str], language: str) -> None:
        self._state = state
        self._name = name
        self._language = language
        self._shape = settings_of(OWN, state.changed_settings).calendar

    def owed(self, each: Owed, kept: KeptTimer | None) -> TimerView:
        """The view of a command that is waiting or due."""
        own = self._state.timers.get(each.command.timer) if isinstance(each.command, FireTimer) else None
        game_time = each.due.second if isinstance(each.due, OnCalendar) else None
        return self._view(
            str(id_of(key_of(each))),
            own,
            self._describe_scheduled(each) if own is None else _does(own, self._name),
            system=owner_of(each.command),
            clock=_clock(each),
            game_time=game_time,
            at=moment(each.due.microsecond) if isinstance(each.due, InRealTime) else None,
            left=None if game_time is None else max(0, game_time - self._state.game_time),
            state=_state_of(each, kept, self._state),
            kept=kept,
        )

    def _describe_scheduled(self, each: Owed) -> Sentence:
        """What a due command of a system, or of downtime, will do."""
        activity = self._state.activities.get(each.subject)
        if activity is None:
            return describe_scheduled(each.command, self._name)
        return say("{who} finishes: “{title}”", who=self._name(activity.character), title=activity.title)

    def paused(self, timer: OwnTimer) -> TimerView:
        """The view of a paused timer."""
        left = (timer.left or 0) // (1 if timer.clock == "game" else SECOND_MICROS)
        key = (timer.scheduled_in, f"{timer.timer_id}:{timer.occurrence}")
        return self._view(
            str(id_of(key)), timer, _does(timer, self._name), clock=timer.clock, left=left, state="paused"
        )

    def _view(
        self,
        id_: str,
        own: OwnTimer | None,
        does: Sentence,
        *,
        clock: str,
        state: str,
        left: int | None,
        system: Any = None,
        game_time: int | None = None,
        at: str | None = None,
        kept: KeptTimer | None = None,
    ) -> TimerView:
        said = render(does, self._language)
        who = own.character if own is not None else None
        every = None
        if own is not None and own.every is not None:
            every = render(span(own.every // (1 if own.clock == "game" else SECOND_MICROS)), self._language)
        return TimerView(
            id=id_,
            timer=own.timer_id if own is not None else None,
            title=own.title if own is not None else said,
            does=said,
            system=system.id if system is not None else None,
            character=who,
            character_name=self._name(who) if who is not None else None,
            clock=clock,
            game_time=game_time,
            date=date_in(self._language, game_time, self._shape) if game_time is not None else None,
            at=at,
            remaining=render(span(left), self._language) if left is not None else None,
            every=every,
            state=state,
            attempts=kept.attempts if kept is not None else 0,
            error=render(kept.error, self._language) if kept is not None and kept.error else None,
        )


def _clock(each: Owed) -> str:
    if isinstance(each.due, OnCalendar):
        return "game"
    return "now" if each.due is None else "real"


def _state_of(each: Owed, kept: KeptTimer | None, state: CampaignState) -> str:
    if state.archived_at is not None:
        return "resting"
    if kept is not None and kept.attempts:
        return "failing" if kept.parked_at is None else "parked"
    due = each.due is None or (isinstance(each.due, OnCalendar) and each.due.second <= state.game_time)
    return "due" if due else "waiting"


def _does(timer: OwnTimer, name: Callable[[Any], str]) -> Sentence:
    """What one of the campaign's own timers will do."""
    effect = timer.effect
    if isinstance(effect, Post):
        return say(
            "{amount} {currency} move from {debit} to {credit}",
            amount=effect.amount,
            currency=term(effect.currency),
            debit=in_words(effect.debit, name),
            credit=in_words(effect.credit, name),
        )
    if isinstance(effect, Order):
        return say("The campaign's own order: {command}", command=str(effect.command.get("type")))
    return say("The table is reminded")
