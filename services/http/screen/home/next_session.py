"""`/c/{campaign}/next`: the dates on which the group may play next, with forms to propose, answer and choose.

And the address of the reader's calendar feed, which has the date.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.messages.next_session import (
    DATES_MAX,
    AnswerDates,
    CallOffDates,
    ChooseDate,
    NextSessionCommand,
    ProposeDates,
)
from domain.campaign.play.next_session import moment_of
from domain.ids import AccountId
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say
from projections.campaign.next_session import NextSessionView, next_session_view
from services.accounts.calendar_feeds import feed_made_at, feed_path, is_own_feed, make_feed, revoke_feed
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    follower_of,
    frame_of,
    read_paths,
)
from services.http.screen.shared.forms import Form, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.templates import where_read
from services.http.screen.shared.visitor import Visit, open_campaign
from services.runtime.reader_language import reader_time_zone

DATE = re.compile(r"\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z")
FIELDS = 6
"""So many fields for dates a form has, where there are no more of them."""


class DateRow(Struct, frozen=True):
    """A date with the names of who can, who may and who cannot, and the reader's own answer (empty: none yet)."""

    date: str
    yes: list[str]
    maybe: list[str]
    no: list[str]
    own: str


class NextDates(Struct, frozen=True):
    """The dates for the next play session: the chosen one alone, or those that are proposed."""

    is_chosen: bool
    rows: list[DateRow]
    note: str
    unanswered: list[str]
    waits_for_you: bool

    @property
    def mark(self) -> str:
        """The dates that a form is about: it takes no others away."""
        return " ".join((*(row.date for row in self.rows), *(["chosen"] if self.is_chosen else [])))


class NextSessionPage(CampaignPage, frozen=True, kw_only=True):
    """The dates for the next play session, with forms for who may do something about them."""

    template: ClassVar[str] = "next_session.html"
    section: ClassVar[str] = "home"
    dates: NextDates | None
    fields: list[str]
    """The entries in the fields for dates to propose, by the reader's clock."""
    zone: str
    """The reader's time zone."""
    may_answer: bool
    may_lead: bool
    form: Form
    key: str
    may_have_feed: bool
    feed_made_at: str
    """When the address of the reader's calendar feed was made; empty: there is none."""
    feed: str = ""
    """The address, where it was just made."""

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Next play session")


@get(read_paths("/next"))
async def next_session_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The dates, and what can be done about them."""
    visible = await open_campaign(visit)
    page = await _page(visit, visible, Form())
    name = visit.request.query_params.get("feed", "")
    if not await is_own_feed(visit.application.calendar_feeds, visible, name):
        return show_page(visit, page)
    feed = f"{str(visit.request.base_url).rstrip('/')}{feed_path(name)}"
    answer = show_page(visit, structs.replace(page, feed=feed))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@post("/c/{campaign:str}/next")
async def change_next_session(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Propose, answer, choose or call off, as the button says; sent again with the same key, it happens once."""
    visible = await open_campaign(visit)
    form = await read_form(visit.request)
    try:
        act = ActRequest(command=_command(form, visible))
        await visit.application.rates.act(visible.campaign_id, visible.account)
        key = checked_key(form.value("key") or None)
        await submit_command(visit.application, visible.campaign_id, visible.account, act, key=key)
    except REFUSALS as refusal:
        words = _by_their_clock(told_refusal(refusal))
        return show_page(visit, await _page(visit, visible, form.with_fault("", words)), REFUSED)
    return see_other(f"{campaign_path(visible)}/next")


@post("/c/{campaign:str}/next/feed")
async def change_feed(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Make a new address of the reader's calendar feed and go where it is shown, or revoke it."""
    visible = await open_campaign(visit)
    await visit.application.rates.act(visible.campaign_id, visible.account)
    store = visit.application.calendar_feeds
    if (await read_form(visit.request)).value("do") == "revoke":
        await revoke_feed(store, visible)
        return see_other(f"{campaign_path(visible)}/next")
    return see_other(f"{campaign_path(visible)}/next?feed={await make_feed(store, visible)}")


def next_dates(campaign: VisibleCampaign) -> NextDates | None:
    """The dates as a page shows them; None: none is proposed."""
    view = next_session_view(campaign.state)
    return None if view is None else _dates(view, campaign)


def _dates(view: NextSessionView, campaign: VisibleCampaign) -> NextDates:
    def names(accounts: Sequence[AccountId]) -> list[str]:
        return [campaign.name(account) for account in accounts]

    rows = []
    for day in view.dates:
        answers = {"yes": day.yes, "maybe": day.maybe, "no": day.no}
        own = next((answer for answer, accounts in answers.items() if campaign.account in accounts), "")
        rows.append(DateRow(day.date, names(day.yes), names(day.maybe), names(day.no), own))
    return NextDates(
        view.chosen is not None,
        rows,
        view.note or "",
        names(view.unanswered),
        campaign.account in view.unanswered,
    )


def _command(form: Form, campaign: VisibleCampaign) -> NextSessionCommand:
    """The command that a form asks for. Raises `Rejection`, also where it was about other dates than there are."""
    kind, fields = _wish(form)
    dates = next_dates(campaign)
    if kind is AnswerDates:
        answers = {name.removeprefix("on-"): form.value(name) for name in form.values if name.startswith("on-")}
        fields = {own: [date for date, answer in answers.items() if answer == own] for own in ("yes", "maybe")}
        is_current = {*answers} == {row.date for row in dates.rows} if dates else False
    else:
        is_current = kind is not CallOffDates or form.value("shown") == (dates.mark if dates else "")
    if not is_current:
        raise Rejection("unknown_date", say("The dates have changed meanwhile, or an answer is missing."))
    try:
        return msgspec.convert(fields, kind)
    except msgspec.ValidationError:
        raise Rejection("session_date_impossible", say("That cannot be taken.")) from None


def _wish(form: Form) -> tuple[type[NextSessionCommand], dict[str, Any]]:
    """The kind of the command, and its fields but for answers. Raises `Rejection`."""
    if form.value("choose"):
        return ChooseDate, {"date": form.value("choose")}
    match form.value("what"):
        case "propose":
            dates = [_in_utc(text) for text in form.values.get("date", []) if text.strip()]
            if not dates:
                raise Rejection("session_date_impossible", say("Say at least one date."))
            return ProposeDates, {"dates": dates, "note": form.value("note").strip() or None}
        case "call_off":
            return CallOffDates, {"reason": form.value("reason").strip() or None}
        case "answer":
            return AnswerDates, {}
        case _:
            raise Rejection("session_date_impossible", say("That cannot be taken."))


def _in_utc(text: str) -> str:
    """A date as its field has it, by the reader's clock, in UTC. Raises `Rejection`."""
    try:
        local = datetime.fromisoformat(text.strip())
        zone = reader_time_zone()
        moment = (local.astimezone() if zone is None else local.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Rejection("session_date_impossible", say("There is no such date: {date}.", date=text)) from None
    return moment.strftime("%Y-%m-%dT%H:%MZ")


def _by_their_clock(words: Part) -> Part:
    """A refusal with the dates in it as its reader entered them, not in UTC."""
    if not isinstance(words, Sentence):
        return words
    parts = {key: _local(part) if isinstance(part, str) else part for key, part in words.parts.items()}
    return structs.replace(words, message=_local(words.message), parts=parts)


def _local(text: str) -> str:
    def entered(date: re.Match[str]) -> str:
        moment = moment_of(date[0])
        return date[0] if moment is None else f"{where_read(moment):%Y-%m-%d %H:%M}"

    return DATE.sub(entered, text)


async def _page(visit: Visit, campaign: VisibleCampaign, form: Form) -> NextSessionPage:
    dates = next_dates(campaign)
    feed_made = await feed_made_at(visit.application.calendar_feeds, campaign)
    is_open = campaign.state.archived_at is None and campaign.shown_to is None
    fields = form.values.get("date") or [
        f"{where_read(datetime.fromisoformat(row.date)):%Y-%m-%dT%H:%M}" for row in (dates.rows if dates else [])
    ]
    return NextSessionPage(
        **frame_of(campaign),
        follower=follower_of(campaign, form, f"{campaign_path(campaign)}/next"),
        dates=dates,
        fields=[*fields, *[""] * max(1, FIELDS - len(fields))][:DATES_MAX],
        zone=str(reader_time_zone() or datetime.now().astimezone().tzname()),
        may_answer=is_open and campaign.role != "observer",
        may_lead=is_open and campaign.role == "gm",
        form=form,
        key=str(visit.application.entropy.new_id()),
        may_have_feed=campaign.shown_to is None,
        feed_made_at="" if feed_made is None else feed_made.isoformat(),
    )
