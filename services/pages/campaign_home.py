"""`/c/{campaign}`: a campaign's home. What happened last, who plays, what is waited for, and what is due."""

from datetime import UTC, datetime
from itertools import islice
from typing import Any, ClassVar, Literal

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import Struct

from domain.campaign.commands import EndSession, StartSession
from domain.campaign.dates import CalendarShape
from domain.campaign.request import ActRequest
from domain.campaign.settings import OWN, settings_of
from domain.ids import AccountId
from domain.personal_text import Name
from domain.rejection import Missing
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import CampaignView, RosterEntry
from projections.campaign.dates import date_in, date_in_words
from projections.campaign.pending_choices import Awaited
from projections.campaign.recap import RecapPart
from projections.campaign.timers import TimerView
from services.api.actions import checked_key
from services.api.campaigns import view_of
from services.api.members import InviteView, invites_of
from services.api.paths import campaign_of
from services.api.records import told_session
from services.api.timers import timer_views
from services.application import Application
from services.commands.submit import submit_command
from services.queries.campaign_reader import VisibleCampaign
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.chronicle_lines import Line, line_of
from services.web.first_steps import BEFORE, FirstSteps, first_steps
from services.web.forms import Checked, Form, Unfit, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.sheet_links import SheetLink
from services.web.systems import ROLES
from services.web.time_line import reading, session_title
from services.web.visitor import Visitor

DUE_MAX = 6
SESSION_DIGITS_MAX = 6


class Person(Struct, frozen=True):
    """A member, with the characters that they play."""

    name: str
    role: Sentence
    is_you: bool
    is_here: bool


class Told(Struct, frozen=True):
    """A play session, retold; `earlier` and `later` are the numbers of those beside it."""

    number: int
    title: str
    began_at: str
    is_over: bool
    present: list[str]
    highlights: list[str]
    parts: list[RecapPart]
    earlier: int | None
    later: int | None


class Waiting(Struct, frozen=True):
    """What the table waits for, in a sentence; `is_yours` if it waits for the reader."""

    sentence: str
    is_yours: bool


class Due(Struct, frozen=True):
    """What happens by itself: what it is, what it does, and when, in the campaign's calendar or in real time."""

    title: str
    does: str
    date: Part
    at: str
    remaining: str
    is_late: bool


class OpenInvite(Struct, frozen=True):
    """An invite that can be accepted still, and where it is revoked."""

    path: str
    role: Sentence
    created_at: str
    expires_at: str
    uses: int
    uses_max: int | None


class CampaignHome(CampaignPage, frozen=True):
    """A campaign as one member sees it.

    `first` is what to do before anybody has made a character. `date` is empty before anything took time, `invites`
    for those who may not see them. `archived_at` is None for one that is played. `not_yet` is why no play session
    can begin, where a GM would begin one. `happened` is what the reader just did.
    """

    template: ClassVar[str] = "campaign.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    games: list[str]
    archived_at: int | None
    date: Part
    session: Sentence | None
    not_yet: str
    recap: Told | None
    people: list[Person]
    sheets: list[SheetLink]
    first: FirstSteps | None
    waiting: list[Waiting]
    due: list[Due]
    invites: list[OpenInvite]
    alarms: list[str]
    room: str | None
    form: Form
    key: str
    invite_key: str
    happened: Line | None

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self.name


class SessionForm(Checked, frozen=True):
    """What a GM does with the play session; the title is that of one that begins."""

    what: Literal["begin", "end"]
    title: Name | None = None

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """What is wrong with a title."""
        return {"title": say("A title has at most 80 characters.")}


@get(read_paths(""))
async def campaign_home(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """The campaign's home now or at a moment; `?session=` retells another play session than the last."""
    number = request.query_params.get("session", "")
    session = int(number) if number.isascii() and number.isdigit() and len(number) <= SESSION_DIGITS_MAX else None
    return shown(request, visitor, await _home(application, request, visitor, campaign, Form(), session))


@post("/c/{campaign:str}/session")
async def play_session(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Begin the play session, or end it; sent again with the same key, it happens once."""
    account, form = visitor.signed_in.account_id, await entered(request)
    try:
        asked = SessionForm.read(form.without_empty())
        command = EndSession() if asked.what == "end" else StartSession(title=asked.title)
        known = campaign_of(campaign)
        await application.rates.act(known, account)
        key = checked_key(form.value("key") or None)
        await submit_command(application, known, account, ActRequest(command=command), key=key)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.refused("", told_refusal(refusal))
    else:
        return see_other(f"/c/{campaign}")
    return shown(request, visitor, await _home(application, request, visitor, campaign, form), REFUSED)


async def _home(
    application: Application,
    request: Request[Any, Any, Any],
    visitor: Visitor,
    campaign: str,
    form: Form,
    session: int | None = None,
) -> CampaignHome:
    reader = visitor.signed_in
    read = await reading(application, request, visitor, campaign)
    seen, time = read.seen, read.time
    view = await view_of(application, seen)
    may_invite = view.your_role == "gm" and not time.is_past
    path = campaign_path(seen)
    shape: CalendarShape = settings_of(OWN, seen.state.changed_settings).calendar
    invites = (await invites_of(application, reader, campaign)).invites if may_invite else []
    return CampaignHome(
        **frame_of(read.now),
        time=time,
        games=[SYSTEMS[system].title for system in view.systems],
        archived_at=seen.state.archived_at,
        date=date_in_words(date_in(seen.language, view.game_time, shape)) if view.game_time else "",
        session=_session(view),
        not_yet=await _not_yet(application, read.now, view) if may_invite else "",
        recap=await _recap(application, seen, session, view.sessions_played),
        people=_people(view, seen.account),
        sheets=[_sheet(path, time.query, each) for each in view.characters],
        first=None if view.characters else BEFORE if time.is_past else await first_steps(application, seen),
        waiting=[_waiting(each, view, seen.account) for each in view.pending],
        due=[_due(each) for each in islice(await timer_views(application, seen, read.at), DUE_MAX)],
        invites=[_invite(path, each) for each in invites if _is_open(each)],
        alarms=view.alarms,
        room=view.storage.warning if view.storage is not None else None,
        form=form,
        key=f"page-{seen.seq}-session",
        invite_key=str(application.entropy.new_id()),
        happened=await line_of(application, seen, request.query_params.get("done", "")),
    )


async def _not_yet(application: Application, seen: VisibleCampaign, view: CampaignView) -> str:
    """Why no play session can begin now; empty: it can, or one is running."""
    if view.session is not None or seen.state.archived_at is not None:
        return ""
    refused = (await application.possible.dry_run(seen, StartSession())).refused
    return "" if refused is None else refused.detail


def _session(view: CampaignView) -> Sentence | None:
    """The play session that is running; None: there is none."""
    if view.session is None:
        return None
    return session_title(view.session.number, view.session.title)


async def _recap(application: Application, seen: VisibleCampaign, number: int | None, begun: int) -> Told | None:
    try:
        recap = await told_session(application, seen, number)
    except Missing:
        return None
    told = recap.session
    return Told(
        number=told.number,
        title=told.title or "",
        began_at=told.began_at,
        is_over=told.ended_at is not None,
        present=recap.present,
        highlights=recap.highlights,
        parts=recap.parts,
        earlier=told.number - 1 or None,
        later=told.number + 1 if told.number < begun else None,
    )


def _people(view: CampaignView, reader: AccountId) -> list[Person]:
    here = view.session.present if view.session is not None else []
    return [
        Person(each.name, ROLES[each.role], each.account == reader, each.account in here) for each in view.members
    ]


def _sheet(path: str, moment: str, each: RosterEntry) -> SheetLink:
    at, game = f"{path}/sheets/{each.character}{moment}", SYSTEMS[each.system].title
    return SheetLink(at, each.name, each.player_name or "", game)


def _waiting(each: Awaited, view: CampaignView, reader: AccountId) -> Waiting:
    is_yours = view.your_role == "gm" if each.waits_for is None else each.waits_for == reader
    return Waiting(each.told, is_yours)


def _due(each: TimerView) -> Due:
    return Due(
        title=each.title,
        does=each.does if each.does != each.title else "",
        date=date_in_words(each.date) if each.date is not None else "",
        at=each.at or "",
        remaining=each.remaining or "",
        is_late=each.state in {"due", "failing", "parked"},
    )


def _invite(path: str, each: InviteView) -> OpenInvite:
    return OpenInvite(
        f"{path}/invites/{each.invite_id}/revoke",
        ROLES[each.role],
        each.created_at,
        each.expires_at,
        each.uses,
        each.uses_max,
    )


def _is_open(each: InviteView) -> bool:
    """Whether an invite can still be accepted."""
    is_used_up = each.uses_max is not None and each.uses >= each.uses_max
    return not each.revoked and not is_used_up and datetime.fromisoformat(each.expires_at) > datetime.now(UTC)
