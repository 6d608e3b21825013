"""`/c/{campaign}/downtime`: the group's calendar, and what characters do with the time between adventures."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, ClassVar, Literal

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.messages.downtime import PlanActivity, StopActivity
from domain.campaign.money.ledger import check_accounts
from domain.campaign.request import ActRequest
from domain.campaign.settings import OWN, CampaignSettings, settings_of
from domain.personal_text import FreeText
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, say, term
from projections.campaign.downtime import ActivityView, DowntimeView
from projections.campaign.downtime_lanes import LAST_DAY
from projections.campaign.ledger import AccountBalance, account_balances
from projections.campaign_words.narration import in_words
from projections.possible_commands import CommandOffer, RefusedNow
from projections.systems import SYSTEM_VIEWS
from services.api.actions import checked_key
from services.api.paths import AtQuery, campaign_of, moment_of
from services.api.timers import timer_views
from services.application import Application
from services.commands.submit import submit_command
from services.pages.commands import path_after
from services.queries.campaign_reader import VisibleCampaign
from services.queries.past_downtime import downtime_with_past
from services.runtime.reader_language import prefer
from services.web.activity_rows import ActivityRow, ActivityRows, end_title, is_secret, money_of
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, read_paths
from services.web.changed_values import ChangedThing, InWords
from services.web.chronicle_lines import Line, line_of
from services.web.command_list import Doing, doing_of
from services.web.command_page import CommandEntry, CommandPage
from services.web.downtime_calendar import CalendarPart, calendar_part
from services.web.forms import Checked, Form, Unfit, entered
from services.web.play_table import PlayTable, offers_of, play_table, table_of
from services.web.refusals import REFUSALS, told_refusal
from services.web.timer_lines import ADVANCE, Advance, TimerLines, refusal_of
from services.web.visitor import Visitor

START, END, PLAN = (f"campaign.{each}" for each in ("start_downtime", "end_downtime", "plan_activity"))
BY_THE_RULES = tuple(f"{system}.{each}" for system, views in SYSTEM_VIEWS.items() for each in views.downtime)
"""What the rules of each system offer for this time; a form says what it costs before it is done."""
MONEY_MAX = 12

DayQuery = Annotated[int | None, QueryParameter(name="day", ge=0, le=LAST_DAY)]


class PlanPart(Struct, frozen=True):
    """The form that plans an activity, and what is good to know before: who decides, and what is in hand."""

    form: CommandPage
    is_approved: bool
    in_hand: list[Sentence]


class DowntimePage(CampaignPage, frozen=True, kw_only=True):
    """The time between adventures; `moment` says of a past one when that was. `happened` is what was just done.

    `runs` says how long downtime lasts, None: there is none. `steps` begin or end it, `rules` are ways that the
    rule systems offer for it. `refused` says why the calendar cannot be moved on.
    """

    template: ClassVar[str] = "downtime.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "downtime"
    moment: Sentence | None
    happened: Line | None
    now: Sentence
    runs: Sentence | None
    reason: str
    activities: list[ActivityRow]
    calendar: CalendarPart
    plan: PlanPart | None
    steps: list[Doing]
    rules: list[Doing]
    advances: list[Advance]
    refused: str

    @property
    def title(self) -> Part:
        """What the page is called."""
        return say("Downtime")

    @property
    def planned(self) -> list[ActivityRow]:
        """The plans that a GM has to decide on."""
        return [each for each in self.activities if each.state == "planned"]


class EndPage(CampaignPage, frozen=True, kw_only=True):
    """An activity before it is ended or turned down: what would be told and changed then, or why it cannot be."""

    template: ClassVar[str] = "downtime_end.html"
    section: ClassVar[str] = "downtime"
    verb: Sentence
    who: str
    activity: str
    told: list[Sentence]
    would_tell: list[str]
    changed: list[ChangedThing]
    refused: RefusedNow | None
    here: str
    key: str
    visibility: str
    form: Form

    @property
    def title(self) -> Part:
        """What would be done."""
        return say("{what}: {activity}", what=self.verb, activity=self.activity)


class EndForm(Checked, frozen=True):
    """Why an activity ends."""

    reason: FreeText = ""
    key: str = ""
    visibility: Literal["all", "gm"] = "all"


@get(read_paths("/downtime"))
async def downtime_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    at: AtQuery = None,
    day: DayQuery = None,
) -> Response[bytes]:
    """Lanes, plans and what can be done about them; `?day=` is the first day that is shown."""
    seen = await seen_at(application, visitor, campaign, at)
    table, here = table_of(application, seen), f"{campaign_path(seen)}/downtime"
    may_act = at is None and seen.state.archived_at is None and seen.role != "observer"
    view = await downtime_with_past(application.log, application.views, seen)
    board = await timer_views(application, seen, at)
    offers = await offers_of(table) if may_act else {}
    rows, lines = ActivityRows(table, here, may_act=may_act), TimerLines(table, here)
    refused = refusal_of(offers[ADVANCE]) if ADVANCE in offers else ""
    page = DowntimePage(
        **frame_of(seen),
        moment=moment_told(seen, at),
        happened=await line_of(application, seen, request.query_params.get("done", "")),
        now=lines.now(),
        runs=_runs(seen, lines),
        reason=next((each.reason or "" for each in view.periods if each.ended is None), ""),
        activities=[await rows.row(each) for each in view.activities],
        calendar=calendar_part(seen, view, board, lines, here if at is None else f"{here}?at={seen.seq}", day),
        plan=await _plan(table, here) if _is_possible(offers, PLAN) else None,
        steps=_doings(table, here, offers, (START, END)),
        rules=[] if view.downtime is None else _doings(table, here, offers, BY_THE_RULES),
        advances=lines.advances(board) if seen.role == "gm" and may_act and not refused else [],
        refused=refused if seen.role == "gm" else "",
    )
    return shown(request, visitor, page)


@get(read_paths("/downtime/{activity:str}/end"))
async def end_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    activity: FromPath[str],
) -> Response[bytes]:
    """What ending an activity early would tell and change. Refuses `unknown_activity`."""
    table = await play_table(application, visitor, campaign)
    await application.rates.act(table.seen.campaign_id, table.seen.account)
    return shown(request, visitor, await _end(table, _activity(table.seen, await _view(table), activity), Form()))


@post("/c/{campaign:str}/downtime/{activity:str}/end")
async def end(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    activity: FromPath[str],
) -> Response[bytes]:
    """End an activity early, or turn a plan down, with a reason that the chronicle keeps."""
    table, form = await play_table(application, visitor, campaign), await entered(request)
    seen, back = table.seen, f"{table.path}/downtime"
    await application.rates.act(seen.campaign_id, seen.account)
    try:
        sent = EndForm.read(form)
        act = ActRequest(StopActivity(activity), note=sent.reason or None, visibility=sent.visibility)
        once = checked_key(sent.key or None)
        answer = await submit_command(application, seen.campaign_id, seen.account, act, key=once)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.refused("", told_refusal(refusal))
    else:
        return see_other(path_after(back, answer))
    again = await play_table(application, visitor, campaign)
    page = await _end(again, _activity(again.seen, await _view(again), activity), form)
    return shown(request, visitor, page, REFUSED)


async def seen_at(application: Application, visitor: Visitor, campaign: str, at: str | None) -> VisibleCampaign:
    """The campaign as its reader may see it, now or at a moment; the whole page is in the language of that."""
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(campaign_of(campaign), account, moment_of(at), visitor.reads_as)
    prefer(seen.language)
    return seen


def moment_told(seen: VisibleCampaign, at: str | None) -> Sentence | None:
    """That this is the past, and when."""
    return None if at is None else say("You read this as it was at no. {seq}.", seq=seen.seq)


def _runs(seen: VisibleCampaign, lines: TimerLines) -> Sentence | None:
    """That downtime runs, and until when; None: it does not."""
    if seen.state.downtime is None:
        return None
    until = seen.state.downtime_until
    if until is None:
        return say("Downtime runs until a GM ends it.")
    return say("Downtime runs until {date}.", date=lines.date(until))


def _is_possible(offers: Mapping[str, CommandOffer], command: str) -> bool:
    return command in offers and offers[command].possible != "no"


def _doings(table: PlayTable, here: str, offers: Mapping[str, CommandOffer], wanted: Iterable[str]) -> list[Doing]:
    """Those of some commands that can be given now; all of them have more to say first."""
    ways = table.ways(here)
    found = (doing_of(offers[each], ways) for each in wanted if _is_possible(offers, each))
    return [structs.replace(each, key=None) for each in found]


async def _plan(table: PlayTable, here: str) -> PlanPart:
    """The form of a plan: who is free, and what the accounts hold that it may be paid from."""
    seen = table.seen
    form = await CommandEntry(table, PlanActivity, [("next", here)], sent=False).page()
    settings: CampaignSettings = settings_of(OWN, seen.state.changed_settings)
    held = [
        each
        for each in account_balances(seen.state, seen.name)
        if each.balance > 0 and each.kind != "world" and _may_pay(seen, each.account, each.currency)
    ]
    return PlanPart(
        form=form,
        is_approved=settings.downtime_approval == "gm" and seen.role != "gm",
        in_hand=[_holds(seen, each) for each in held[:MONEY_MAX]],
    )


def _holds(seen: VisibleCampaign, each: AccountBalance) -> Sentence:
    account, currency = in_words(each.account, seen.name), term(each.currency)
    return say("{account}: {amount} {currency}", account=account, amount=each.balance, currency=currency)


def _may_pay(seen: VisibleCampaign, account: str, currency: str) -> bool:
    """Whether the rules let an activity be paid from an account."""
    try:
        check_accounts(seen.state, account, "world:work", currency)
    except Rejection:
        return False
    return True


async def _view(table: PlayTable) -> DowntimeView:
    return await downtime_with_past(table.application.log, table.application.views, table.seen)


def _activity(seen: VisibleCampaign, view: DowntimeView, activity: str) -> ActivityView:
    """A current activity by its id. Refuses `unknown_activity`."""
    for each in view.activities:
        if each.activity == activity:
            return each
    over = say("Nobody does that any more: it is over, or was never planned.")
    raise Missing("unknown_activity", seen.told(over))


async def _end(table: PlayTable, each: ActivityView, form: Form) -> EndPage:
    """The page of an end, from a try that changes nothing."""
    seen = table.seen
    tried = await table.application.possible.dry_run(seen, StopActivity(each.activity))
    here = f"{table.path}/downtime/{each.activity}/end"
    return EndPage(
        **frame_of(seen),
        verb=end_title(seen, each),
        who=each.character_name,
        activity=each.title,
        told=money_of(seen, each),
        would_tell=tried.summary,
        changed=[] if tried.changes is None else InWords(seen, tried.names).all(tried.changes),
        refused=tried.refused,
        here=here,
        key=f"page-{seen.seq}-end-{each.activity}",
        visibility="gm" if is_secret(seen, each.activity) else "all",
        form=form,
    )
