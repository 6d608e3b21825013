"""`/c/{campaign}`: a campaign's home: latest actions, players, answers waited for, timers due."""

from datetime import UTC, datetime
from itertools import islice
from typing import ClassVar, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response
from msgspec import Struct

from domain.campaign.calendar_shapes import CalendarShape, MoonPhase, calendar_of
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import EndSession, StartSession
from domain.campaign.settings import OWN, settings_of
from domain.ids import AccountId
from domain.personal_text import Name
from domain.rejection import Missing
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.campaign.campaign_view import CampaignView, RosterEntry
from projections.campaign.dates import date_in, date_in_words, moons_in
from projections.campaign.pending_choices import Awaited
from projections.campaign.recap import RecapPart
from projections.campaign.timers import TimerView
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import submit_command
from services.http.route_parameters import checked_key
from services.http.screen.home.next_session import NextDates, next_dates
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    follower_of,
    frame_of,
    watched_paths,
)
from services.http.screen.shared.chronicle_lines import OwnAction, happened_of
from services.http.screen.shared.first_steps import BEFORE, FirstSteps, first_steps
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.sheet_links import FATES, SheetLink, in_story_first
from services.http.screen.shared.systems import INVITED_AS, ROLES
from services.http.screen.shared.time_line import reading
from services.http.screen.shared.visitor import Visit
from services.lifecycle.campaign_overview import view_of
from services.lifecycle.invitations import InviteView, invites_of
from services.reading.parameters import number_after
from services.reading.play_session import session_title
from services.reading.records_and_recaps import retell_session
from services.reading.timers import timer_views

DUE_MAX = 6


class Person(Struct, frozen=True):
    """A member, with the characters that they play."""

    name: str
    role: Sentence
    is_you: bool
    is_here: bool


class SessionRecap(Struct, frozen=True):
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
    """An answer that the table waits for, in a sentence; `is_yours` if it waits for the reader."""

    sentence: str
    is_yours: bool


class Due(Struct, frozen=True):
    """A timer: its name, its effect, and when it fires, in the campaign's calendar or in real time."""

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
    """A campaign as one member sees it."""

    template: ClassVar[str] = "campaign.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "home"
    games: list[str]
    archived_at: int | None
    """None: it is played."""
    date: Part
    """Empty before anything took time."""
    moons: list[MoonPhase]
    """Today's, of the group's own calendar."""
    session: Sentence | None
    next_dates: NextDates | None
    may_propose: bool
    not_yet: str
    """Why no play session can begin, where a GM would begin one."""
    recap: SessionRecap | None
    people: list[Person]
    sheets: list[SheetLink]
    first: FirstSteps | None
    """The steps before any character is made."""
    waiting: list[Waiting]
    due: list[Due]
    invites: list[OpenInvite]
    """Empty for readers who may not see them."""
    alarms: list[str]
    room: str | None
    form: Form
    key: str
    invite_key: str
    happened: OwnAction | None
    """The reader's last action."""

    @property
    def title(self) -> str:
        """The campaign's name."""
        return self.name


class SessionForm(FormStruct, frozen=True):
    """The GM's way to begin or end the play session; the title is that of one that begins."""

    what: Literal["begin", "end"]
    title: Name | None = None

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a title."""
        return {"title": say("A title has at most 80 characters.")}


@get(watched_paths(""))
async def campaign_home(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The campaign's home now or at a moment; `?session=` retells another play session than the last.

    Refuses `session_not_found` and `unknown_value`.
    """
    session = number_after("session", visit.request.query_params.get("session", ""))
    return show_page(visit, await _home(visit, Form(), session))


@post("/c/{campaign:str}/session")
async def play_session(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Begin the play session, or end it; sent again with the same key, it happens once."""
    account, form = visit.signed_in.account_id, await read_form(visit.request)
    try:
        fields = SessionForm.parse(form.without_empty())
        command = EndSession() if fields.what == "end" else StartSession(title=fields.title)
        await visit.application.rates.act(visit.campaign_id, account)
        key = checked_key(form.value("key") or None)
        act = ActRequest(command=command)
        await submit_command(visit.application, visit.campaign_id, account, act, key=key)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        return see_other(f"/c/{visit.campaign_id}")
    return show_page(visit, await _home(visit, form), REFUSED)


async def _home(visit: Visit, form: Form, session: int | None = None) -> CampaignHome:
    application, moment = visit.application, await reading(visit)
    visible, time = moment.campaign, moment.time
    view = await view_of(application, visible)
    may_invite = view.your_role == "gm" and not time.is_past
    path = campaign_path(visible)
    shape: CalendarShape = settings_of(OWN, visible.state.changed_settings).calendar
    parts = application.for_campaigns
    invites = (await invites_of(parts, visit.signed_in, visit.campaign_id)).invites if may_invite else []
    return CampaignHome(
        **frame_of(moment.now),
        follower=follower_of(moment.now, form, campaign_path(moment.now)),
        time=time,
        games=[SYSTEMS[system].title for system in view.systems],
        archived_at=visible.state.archived_at,
        date=date_in_words(date_in(visible.language, view.game_time, shape)) if view.game_time else "",
        moons=moons_in(visible.language, calendar_of(shape).day_of(view.game_time), shape),
        session=_session(view),
        next_dates=next_dates(visible),
        may_propose=may_invite and visible.state.archived_at is None,
        not_yet=await _not_yet(application, moment.now, view) if may_invite else "",
        recap=await _recap(application, visible, session, view.sessions_played),
        people=_people(view, visible.account),
        sheets=[_sheet(path, time.query, character) for character in in_story_first(view.characters)],
        first=None if view.characters else BEFORE if time.is_past else await first_steps(application, visible),
        waiting=[_waiting(choice, view, visible.account) for choice in view.pending],
        due=[_due(timer) for timer in islice(await timer_views(application, visible, moment.at), DUE_MAX)],
        invites=[_invite(path, invite) for invite in invites if _is_open(invite)],
        alarms=view.alarms,
        room=view.storage.warning if view.storage is not None else None,
        form=form,
        key=str(application.entropy.new_id()),
        invite_key=str(application.entropy.new_id()),
        happened=await happened_of(application, visible, visit.request.query_params.get("done", "")),
    )


async def _not_yet(application: Application, campaign: VisibleCampaign, view: CampaignView) -> str:
    """Why no play session can begin now; empty: it can, or one is running."""
    if view.session is not None or campaign.state.archived_at is not None:
        return ""
    refusal = (await application.possible.dry_run(campaign, StartSession())).refused
    return "" if refusal is None else refusal.detail


def _session(view: CampaignView) -> Sentence | None:
    """The play session that is running; None: there is none."""
    if view.session is None:
        return None
    return session_title(view.session.number, view.session.title)


async def _recap(
    application: Application, campaign: VisibleCampaign, number: int | None, sessions_played: int
) -> SessionRecap | None:
    try:
        recap = await retell_session(application, campaign, number)
    except Missing:
        if number is not None:
            raise
        return None
    session = recap.session
    return SessionRecap(
        number=session.number,
        title=session.title or "",
        began_at=session.began_at,
        is_over=session.ended_at is not None,
        present=recap.present,
        highlights=recap.highlights,
        parts=recap.parts,
        earlier=session.number - 1 or None,
        later=session.number + 1 if session.number < sessions_played else None,
    )


def _people(view: CampaignView, reader: AccountId) -> list[Person]:
    here = view.session.present if view.session is not None else []
    return [
        Person(member.name, ROLES[member.role], member.account == reader, member.account in here)
        for member in view.members
    ]


def _sheet(path: str, moment: str, entry: RosterEntry) -> SheetLink:
    at, game = f"{path}/sheets/{entry.character}{moment}", SYSTEMS[entry.system].title
    return SheetLink(at, entry.name, entry.player_name or "", game, fate=FATES.get(entry.fate))


def _waiting(choice: Awaited, view: CampaignView, reader: AccountId) -> Waiting:
    is_yours = view.your_role == "gm" if choice.waits_for is None else choice.waits_for == reader
    return Waiting(choice.told, is_yours)


def _due(timer: TimerView) -> Due:
    return Due(
        title=timer.title,
        does=timer.does if timer.does != timer.title else "",
        date=date_in_words(timer.date) if timer.date is not None else "",
        at=timer.at or "",
        remaining=timer.remaining or "",
        is_late=timer.state in {"due", "failing", "parked"},
    )


def _invite(path: str, invite: InviteView) -> OpenInvite:
    return OpenInvite(
        f"{path}/invites/{invite.invite_id}/revoke",
        INVITED_AS[invite.role],
        invite.created_at,
        invite.expires_at,
        invite.uses,
        invite.uses_max,
    )


def _is_open(invite: InviteView) -> bool:
    """Whether an invite can still be accepted; a link for watching never is."""
    if invite.role == "watcher":
        return False
    is_used_up = invite.uses_max is not None and invite.uses >= invite.uses_max
    return not invite.revoked and not is_used_up and datetime.fromisoformat(invite.expires_at) > datetime.now(UTC)
