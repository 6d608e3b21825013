"""`/c/{campaign}/downtime`: the group's calendar, and what characters do with the time between adventures."""

from collections.abc import Iterable, Mapping
from typing import Annotated, ClassVar, Literal

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter
from litestar.response import Response
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.messages.downtime import PlanActivity, StopActivity
from domain.campaign.money.ledger import check_accounts
from domain.campaign.settings import OWN, CampaignSettings, settings_of
from domain.personal_text import FreeText
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, say
from projections.campaign.downtime import ActivityView, DowntimeView
from projections.campaign.downtime_lanes import LAST_DAY
from projections.campaign.ledger import AccountBalance, account_balances
from projections.campaign_words.narration import in_words
from projections.command_forms import CommandOffer, RefusedNow
from projections.narration_tables import currency_name
from projections.systems import SYSTEM_VIEWS
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.submit import done_before, submit_command
from services.http.route_parameters import AtQuery, checked_key
from services.http.screen.commands.command_list import Doing, doing_of
from services.http.screen.commands.command_page import CommandEntry, CommandPage
from services.http.screen.commands.commands import path_after
from services.http.screen.commands.play_table import PlayTable, offers_of, play_table, table_of
from services.http.screen.shared.campaign_page import (
    CampaignPage,
    campaign_path,
    frame_of,
    read_paths,
    watched_paths,
)
from services.http.screen.shared.changed_values import ChangedThing, InWords
from services.http.screen.shared.chronicle_lines import OwnAction, happened_of
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.http.screen.time.activity_rows import ActivityRow, ActivityRows, end_title, is_secret, money_of
from services.http.screen.time.downtime_calendar import CalendarPart, calendar_part
from services.http.screen.time.timer_lines import ADVANCE, Advance, TimerLines, refusal_of
from services.reading.past_downtime import downtime_with_past
from services.reading.timers import timer_views

START, END, PLAN = (f"campaign.{command}" for command in ("start_downtime", "end_downtime", "plan_activity"))
BY_THE_RULES = tuple(f"{system}.{command}" for system, views in SYSTEM_VIEWS.items() for command in views.downtime)
"""The offers of each system's rules for this time; a form says what it costs before it is done."""
MONEY_MAX = 12

DayQuery = Annotated[int | None, QueryParameter(name="day", ge=0, le=LAST_DAY)]


class PlanPart(Struct, frozen=True):
    """The form that plans an activity, and facts to know before: the decider, and the money in hand."""

    form: CommandPage
    is_approved: bool
    in_hand: list[Sentence]


class DowntimePage(CampaignPage, frozen=True, kw_only=True):
    """The time between adventures."""

    template: ClassVar[str] = "downtime.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "downtime"
    moment: Sentence | None
    """Of a past one: when that was."""
    happened: OwnAction | None
    """The reader's last action."""
    now: Sentence
    runs: Sentence | None
    """How long downtime lasts; None: there is none."""
    reason: str
    activities: list[ActivityRow]
    calendar: CalendarPart
    plan: PlanPart | None
    steps: list[Doing]
    """Begin or end it."""
    rules: list[Doing]
    """Ways that the rule systems offer for it."""
    advances: list[Advance]
    refused: str
    """Why the calendar cannot be moved on."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("Downtime")

    @property
    def planned(self) -> list[ActivityRow]:
        """The plans that a GM has to decide on."""
        return [activity for activity in self.activities if activity.state == "planned"]


class EndPage(CampaignPage, frozen=True, kw_only=True):
    """An activity before it is ended or turned down: its sentences and changes then, or why it cannot be."""

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
        """The page's title: the planned step."""
        return say("{what}: {activity}", what=self.verb, activity=self.activity)


class EndForm(FormStruct, frozen=True):
    """Why an activity ends."""

    reason: FreeText = ""
    key: str = ""
    visibility: Literal["all", "gm"] = "all"


@get(watched_paths("/downtime"))
async def downtime_page(
    visit: NamedDependency[Visit], at: AtQuery = None, day: DayQuery = None
) -> Response[bytes]:
    """Lanes, plans and what can be done about them; `?day=` is the first day that is shown."""
    visible = await open_campaign(visit, at)
    table, here = table_of(visit.application, visible), f"{campaign_path(visible)}/downtime"
    may_act = at is None and visible.state.archived_at is None and visible.role != "observer"
    view = await downtime_with_past(visit.application.log, visit.application.views, visible)
    board = await timer_views(visit.application, visible, at)
    offers = await offers_of(table) if may_act else {}
    rows, lines = ActivityRows(table, here, may_act=may_act), TimerLines(table, here)
    refusal = refusal_of(offers[ADVANCE]) if ADVANCE in offers else ""
    page = DowntimePage(
        **frame_of(visible),
        moment=moment_told(visible, at),
        happened=await happened_of(visit.application, visible, visit.request.query_params.get("done", "")),
        now=lines.now(),
        runs=_runs(visible, lines),
        reason=next((period.reason or "" for period in view.periods if period.ended is None), ""),
        activities=[await rows.row(activity) for activity in view.activities],
        calendar=calendar_part(
            visible, view, board, lines, here if at is None else f"{here}?at={visible.seq}", day
        ),
        plan=await _plan(table, here) if _is_possible(offers, PLAN) else None,
        steps=_doings(table, here, offers, (START, END)),
        rules=[] if view.downtime is None else _doings(table, here, offers, BY_THE_RULES),
        advances=lines.advances(board) if visible.role == "gm" and may_act and not refusal else [],
        refused=refusal if visible.role == "gm" else "",
    )
    return show_page(visit, page)


@get(read_paths("/downtime/{activity:str}/end"))
async def end_page(visit: NamedDependency[Visit], activity: FromPath[str]) -> Response[bytes]:
    """Show the sentences and changes of ending an activity early. Refuses `unknown_activity`."""
    table = await play_table(visit)
    await visit.application.rates.act(table.campaign.campaign_id, table.campaign.account)
    return show_page(visit, await _end(table, _activity(table.campaign, await _view(table), activity), Form()))


@post("/c/{campaign:str}/downtime/{activity:str}/end")
async def end(visit: NamedDependency[Visit], activity: FromPath[str]) -> Response[bytes]:
    """End an activity early, or turn a plan down, with a reason that the chronicle keeps."""
    table, form = await play_table(visit), await read_form(visit.request)
    visible, back = table.campaign, f"{table.path}/downtime"
    await visit.application.rates.act(visible.campaign_id, visible.account)
    try:
        fields = EndForm.parse(form)
        act = ActRequest(StopActivity(activity), note=fields.reason or None, visibility=fields.visibility)
        once = checked_key(fields.key or None)
        before = await done_before(visit.application, visible.campaign_id, visible.account, once)
        answer = await submit_command(visit.application, visible.campaign_id, visible.account, act, key=once)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        return see_other(path_after(back, answer, is_before=before is not None))
    again = await play_table(visit)
    page = await _end(again, _activity(again.campaign, await _view(again), activity), form)
    return show_page(visit, page, REFUSED)


def moment_told(campaign: VisibleCampaign, at: str | None) -> Sentence | None:
    """That this is the past, and when."""
    return None if at is None else say("You read this as it was at no. {seq}.", seq=campaign.seq)


def _runs(campaign: VisibleCampaign, lines: TimerLines) -> Sentence | None:
    """That downtime runs, and until when; None: it does not."""
    if campaign.state.downtime is None:
        return None
    until = campaign.state.downtime_until
    if until is None:
        return say("Downtime runs until a GM ends it.")
    return say("Downtime runs until {date}.", date=lines.date(until))


def _is_possible(offers: Mapping[str, CommandOffer], command: str) -> bool:
    return command in offers and offers[command].possible != "no"


def _doings(
    table: PlayTable, here: str, offers: Mapping[str, CommandOffer], commands: Iterable[str]
) -> list[Doing]:
    """Those of some commands that can be given now; all of them have more to say first."""
    ways = table.ways(here)
    doings = (doing_of(offers[command], ways) for command in commands if _is_possible(offers, command))
    return [structs.replace(doing, key=None) for doing in doings]


async def _plan(table: PlayTable, here: str) -> PlanPart:
    """The form of a plan: the free characters, and the balances that it may be paid from."""
    campaign = table.campaign
    form = await CommandEntry(table, PlanActivity, [("next", here)], is_sent=False).page()
    settings: CampaignSettings = settings_of(OWN, campaign.state.changed_settings)
    balances = [
        balance
        for balance in account_balances(campaign.state, campaign.name)
        if balance.balance > 0
        and balance.kind != "world"
        and _may_pay(campaign, balance.account, balance.currency)
    ]
    return PlanPart(
        form=form,
        is_approved=settings.downtime_approval == "gm" and campaign.role != "gm",
        in_hand=[_holds(campaign, balance) for balance in balances[:MONEY_MAX]],
    )


def _holds(campaign: VisibleCampaign, balance: AccountBalance) -> Sentence:
    account, currency = in_words(balance.account, campaign.name), currency_name(balance.currency, campaign.name)
    return say("{account}: {amount} {currency}", account=account, amount=balance.balance, currency=currency)


def _may_pay(campaign: VisibleCampaign, account: str, currency: str) -> bool:
    """Whether the rules let an activity be paid from an account."""
    try:
        check_accounts(campaign.state, account, "world:work", currency)
    except Rejection:
        return False
    return True


async def _view(table: PlayTable) -> DowntimeView:
    return await downtime_with_past(table.application.log, table.application.views, table.campaign)


def _activity(campaign: VisibleCampaign, view: DowntimeView, activity: str) -> ActivityView:
    """A current activity by its id. Refuses `unknown_activity`."""
    for activity_view in view.activities:
        if activity_view.activity == activity:
            return activity_view
    over = say("Nobody does that any more: it is over, or was never planned.")
    raise Missing("unknown_activity", campaign.text_of(over))


async def _end(table: PlayTable, activity: ActivityView, form: Form) -> EndPage:
    """The page of an end, from a try that changes nothing."""
    campaign = table.campaign
    tried = await table.application.possible.dry_run(campaign, StopActivity(activity.activity))
    here = f"{table.path}/downtime/{activity.activity}/end"
    return EndPage(
        **frame_of(campaign),
        verb=end_title(campaign, activity),
        who=activity.character_name,
        activity=activity.title,
        told=money_of(campaign, activity),
        would_tell=tried.summary,
        changed=[] if tried.changes is None else InWords(campaign, tried.names).all(tried.changes),
        refused=tried.refused,
        here=here,
        key=str(table.application.entropy.new_id()),
        visibility="gm" if is_secret(campaign, activity.activity) else "all",
        form=form,
    )
