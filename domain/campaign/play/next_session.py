"""When a group plays next: GMs propose dates, members answer, a GM chooses one."""

import re
from collections.abc import Iterator
from datetime import MAXYEAR, MINYEAR, datetime

from domain.campaign.membership import must_be_gm
from domain.campaign.messages.next_session import (
    UTC_MINUTE,
    AnswerDates,
    CallOffDates,
    ChooseDate,
    DateChosen,
    DatesAnswered,
    DatesCalledOff,
    DatesProposed,
    NextSessionEvent,
    ProposeDates,
)
from domain.campaign.state import CampaignState, NextSession
from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.rejection import Missing, Rejection
from domain.sentences import say

SECOND_MICROSECONDS = 1_000_000


def propose(_state: CampaignState, context: CommandContext, command: ProposeDates) -> list[NextSessionEvent]:
    """Propose dates. Raises `session_date_impossible` and `session_date_past`."""
    must_be_gm(context, say("Only a GM may propose dates."))
    dates = sorted({*command.dates})
    for date in dates:
        _require_to_come(date, context)
    return [DatesProposed(dates, command.note)]


def answer(state: CampaignState, context: CommandContext, command: AnswerDates) -> list[NextSessionEvent]:
    """Answer each of the dates. Raises `no_dates_proposed`, `unknown_date` and `date_named_twice`."""
    dates = _require_dates(state).dates
    for date in (*command.yes, *command.maybe):
        if date not in dates:
            raise Missing("unknown_date", say("That date is not proposed."), choices=dates)
    if twice := {*command.yes} & {*command.maybe}:
        raise Rejection("date_named_twice", say("{date} cannot be both yes and maybe.", date=min(twice)))
    assert context.account is not None
    yes, maybe = {*command.yes}, {*command.maybe}
    return [
        DatesAnswered(
            context.account,
            {date: "yes" if date in yes else "maybe" if date in maybe else "no" for date in dates},
        )
    ]


def choose(state: CampaignState, context: CommandContext, command: ChooseDate) -> list[NextSessionEvent]:
    """Choose a date. Raises `session_date_impossible` and `session_date_past`."""
    must_be_gm(context, say("Only a GM may choose the date."))
    _require_to_come(command.date, context)
    if state.next_session is not None and state.next_session.choice == command.date:
        return []
    return [DateChosen(command.date)]


def call_off(state: CampaignState, context: CommandContext, command: CallOffDates) -> list[NextSessionEvent]:
    """Call off what is chosen or proposed. Raises `no_dates_proposed`."""
    must_be_gm(context, say("Only a GM may call off a date."))
    return [DatesCalledOff(_require_dates(state).choice, command.reason)]


def without_answer(state: CampaignState) -> Iterator[AccountId]:
    """The members who have not answered every date that is proposed; none, where one is chosen."""
    if state.next_session is None or state.next_session.choice is not None:
        return
    answers = answers_of(state)
    for account, role in state.members.items():
        if role != "observer" and not {*state.next_session.dates} <= answers.get(account, {}).keys():
            yield account


def answers_of(state: CampaignState) -> dict[AccountId, dict[str, str]]:
    """The answers of those who are members now, also of what they said as people of an import."""
    answers: dict[AccountId, dict[str, str]] = {}
    if state.next_session is None:
        return answers
    for account, by_date in state.next_session.answers.items():
        owner = state.owner_of(account)
        if owner is not None and state.members.get(owner, "observer") != "observer":
            answers[owner] = {**by_date, **answers.get(owner, {})}
    return answers


def _require_dates(state: CampaignState) -> NextSession:
    if state.next_session is None:
        raise Rejection("no_dates_proposed", "No date is proposed for the next play session.")
    return state.next_session


def moment_of(date: str) -> datetime | None:
    """The moment in UTC that a date means; None: there is no such date, or not everywhere on Earth."""
    try:
        moment = datetime.fromisoformat(date) if re.match(UTC_MINUTE, date) else None
    except ValueError:
        return None
    return moment if moment is not None and MINYEAR < moment.year < MAXYEAR else None


def _require_to_come(date: str, context: CommandContext) -> None:
    """Raise the refusal of a date that there is not, or that is over."""
    moment = moment_of(date)
    if moment is None:
        raise Rejection("session_date_impossible", say("There is no such date: {date}.", date=date))
    if int(moment.timestamp()) * SECOND_MICROSECONDS <= context.at:
        raise Rejection("session_date_past", say("{date} is over already.", date=date))


def _note_dates(state: CampaignState, event: DatesProposed) -> None:
    """The dates of the event count, with the answers to those that were proposed before."""
    answers = {} if state.next_session is None else state.next_session.answers
    state.next_session = NextSession(event.dates, _about(answers, event.dates), event.note)


def _note_answers(state: CampaignState, event: DatesAnswered) -> None:
    if state.next_session is not None:
        state.next_session.answers[event.account] = {
            date: event.answers[date] for date in state.next_session.dates if date in event.answers
        }


def _note_choice(state: CampaignState, event: DateChosen) -> None:
    answers = {} if state.next_session is None else state.next_session.answers
    state.next_session = NextSession([event.date], _about(answers, [event.date]), None, event.date)


def _drop_dates(state: CampaignState, _event: DatesCalledOff) -> None:
    state.next_session = None


def _about(answers: dict[AccountId, dict[str, str]], dates: list[str]) -> dict[AccountId, dict[str, str]]:
    """The answers to some dates."""
    return {
        account: some
        for account, by_date in answers.items()
        if (some := {date: reply for date, reply in by_date.items() if date in dates})
    }


DECIDE: Decide[CampaignState, NextSessionEvent] = without_dice(
    {ProposeDates: propose, AnswerDates: answer, ChooseDate: choose, CallOffDates: call_off}
)
EVOLVE: Evolve[CampaignState] = {
    DatesProposed: _note_dates,
    DatesAnswered: _note_answers,
    DateChosen: _note_choice,
    DatesCalledOff: _drop_dates,
}
