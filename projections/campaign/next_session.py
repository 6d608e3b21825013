"""The dates on which a group may play next, with who can and who cannot."""

from msgspec import Struct

from domain.campaign.play.next_session import answers_of, moment_of, without_answer
from domain.campaign.state import CampaignState
from domain.ids import AccountId


class DateAnswers(Struct, frozen=True):
    """A date, a moment in UTC, with the members who said yes, maybe and no."""

    date: str
    yes: list[AccountId]
    maybe: list[AccountId]
    no: list[AccountId]


class NextSessionView(Struct, frozen=True):
    """The dates that are proposed for the next play session, or the `chosen` one alone.

    `unanswered` are the members who have still to answer.
    """

    chosen: str | None
    dates: list[DateAnswers]
    note: str | None
    unanswered: list[AccountId]


def next_session_view(state: CampaignState) -> NextSessionView | None:
    """The dates of the next play session; None: none is proposed."""
    if state.next_session is None:
        return None
    answers = answers_of(state)

    def members_saying(date: str, answer: str) -> list[AccountId]:
        return [account for account in state.members if answers.get(account, {}).get(date) == answer]

    dates = [
        DateAnswers(date, *(members_saying(date, answer) for answer in ("yes", "maybe", "no")))
        for date in state.next_session.dates
        if moment_of(date) is not None  # an import may bring in what no command would
    ]
    return NextSessionView(state.next_session.choice, dates, state.next_session.note, [*without_answer(state)])
