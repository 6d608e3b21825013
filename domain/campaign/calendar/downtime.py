"""Downtime: a span of calendar time, and each character's activities in it.

Codes: no_downtime, downtime_running, gm_only, not_your_character, unknown_character,
character_busy, too_many_activities, no_account, account_on_a_sheet, insufficient_balance, unknown_activity,
activity_running, unknown_requirement, only_a_worker, not_due_yet, calendar_ends,
and those of `timers.ordered` and `spans`.
"""

from typing import Any

from msgspec import UNSET, structs

from domain.campaign.calendar import timers
from domain.campaign.calendar.durations import seconds_of
from domain.campaign.commands import EndDowntime, PostEntry, StartDowntime
from domain.campaign.membership import must_be_gm
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import (
    ActivityFinished,
    ActivityPlanned,
    ActivityStarted,
    ActivityStopped,
    ApproveActivity,
    FinishActivity,
    MeetRequirement,
    PlanActivity,
    RequirementMet,
    StopActivity,
)
from domain.campaign.messages.escrow import PendingPosted, PendingVoided
from domain.campaign.messages.timers import Post
from domain.campaign.money import ledger
from domain.campaign.play.characters import character_of
from domain.campaign.settings import OWN, CampaignSettings, settings_of
from domain.campaign.state import Activity, CampaignState
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.lifecycle_events import DowntimeEnded, DowntimeStarted
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.system import DueCommand, OnCalendar

ACTIVITIES_MAX = 200


def start(state: CampaignState, context: CommandContext, command: StartDowntime) -> list[Any]:
    """Begin time between adventures, for a span of it or until it is ended by hand."""
    must_be_gm(context, say("Only a GM may start downtime."))
    if state.downtime is not None:
        raise Rejection("downtime_running", "Downtime is already running.")
    until = None
    if command.span is not None or command.until is not UNSET:
        until = context.game_time + seconds_of(state, context.game_time, command.span or Span(), command.until)
        if until > timers.GAME_TIME_SECONDS_MAX:
            raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    downtime_id = derive_id("downtime", context.action_id)
    return [DowntimeStarted(downtime_id, reason=command.reason, until=until, started_in=context.action_id)]


def end(state: CampaignState, context: CommandContext, _command: EndDowntime) -> list[Any]:
    """End time between adventures. Unfinished activities stop, and their prices go back."""
    must_be_gm(context, say("Only a GM may end downtime."))
    running = _running_downtime(state)
    stopped = [event for activity in state.activities.values() for event in stop_events(state, activity, context)]
    return [*stopped, DowntimeEnded(downtime_id=running)]


def finish(state: CampaignState, context: CommandContext, command: FinishActivity) -> list[Any]:
    """Finish an activity. The aggregate runs its `effect`."""
    activity = _running(state, command.activity, context)
    events: list[Any] = [ActivityFinished(activity.activity_id, activity.character, activity.kind, activity.title)]
    events += [PendingPosted(*price) for price in _price(state, activity)]
    if activity.earns and activity.account is not None and activity.currency is not None:
        wages = Post(activity.currency, _world(activity.kind), activity.account, activity.earns)
        events.append(ledger.entry(wages, activity.title, context))
    return events


def due_commands(state: CampaignState) -> list[DueCommand]:
    """The end of a downtime that has one, and of every activity that waits only for time."""
    ends = [
        DueCommand(
            FinishActivity(activity.activity_id),
            activity.started_in,
            activity.activity_id,
            OnCalendar(activity.due),
            activity.visibility,
        )
        for activity in state.activities.values()
        if activity.started_in is not None and activity.due is not None and not missing(activity)
    ]
    if state.downtime is not None and state.downtime_until is not None and state.downtime_started_in is not None:
        until = OnCalendar(state.downtime_until)
        ends.append(DueCommand(EndDowntime(), state.downtime_started_in, state.downtime, until))
    return ends


def missing(activity: Activity) -> list[str]:
    """The requirements of an activity that are not met yet."""
    return [requirement for requirement in activity.requires if requirement not in activity.met]


def _plan(state: CampaignState, context: CommandContext, command: PlanActivity) -> list[Any]:
    with About():
        _running_downtime(state)
    with About("character"):
        _must_play(state, command.character, context)
    if command.effect is not None:
        must_be_gm(context, say("Only a GM says what an activity does when it is done."))
        timers.ordered(state, command.effect)
    if len(state.activities) >= ACTIVITIES_MAX:
        raise Rejection("too_many_activities", say("A downtime has up to {most} activities.", most=ACTIVITIES_MAX))
    with About("character"):
        _require_free(state, command.character)
    if (command.price or command.earns) and (command.account is None or command.currency is None):
        raise Rejection("no_account", "Name the account that it comes from or goes to, and the currency.")
    if command.account is not None:
        with About("account", "kind", "currency"):
            ledger.check_accounts(state, command.account, _world(command.kind), command.currency)
    planned = ActivityPlanned(
        activity_id=derive_id("activity", context.action_id),
        character=command.character,
        kind=command.kind,
        title=command.title,
        takes=seconds_of(state, context.game_time, command.takes, command.until),
        planned_by=context.account,
        currency=command.currency,
        account=command.account,
        price=command.price,
        earns=command.earns,
        requires=tuple(dict.fromkeys(command.requires)),
        effect=command.effect,
        visibility=context.visibility,
    )
    settings: CampaignSettings = settings_of(OWN, state.changed_settings)
    if settings.downtime_approval == "gm" and not context.is_gm:
        return [planned]
    return [planned, *_started(state, _as_planned(planned), context)]


def _running_downtime(state: CampaignState) -> str:
    if state.downtime is None:
        raise Rejection("no_downtime", "No downtime is running.")
    return state.downtime


def _require_free(state: CampaignState, character: Any) -> None:
    if any(activity.character == character for activity in state.activities.values()):
        raise Rejection(
            "character_busy", "That character is already busy in this downtime: one activity at a time."
        )


def _must_play(state: CampaignState, character: Any, context: CommandContext) -> None:
    known_character = character_of(state, character)
    if not context.is_gm and known_character.player != context.account:
        raise Forbidden("not_your_character", say("{name} is played by somebody else.", name=known_character.name))


def _started(state: CampaignState, activity: Activity, context: CommandContext) -> list[Any]:
    """The events that start an activity and put its price in escrow."""
    price: list[Any] = []
    if activity.price and activity.account is not None and activity.currency is not None:
        ledger.require_balance(state, activity.account, activity.currency, activity.price)
        entry = PostEntry(
            activity.currency, activity.account, _world(activity.kind), activity.price, activity.title
        )
        price = [ledger.pending_entry(entry, context, consent=None, on_sheet=False)]
    due = context.game_time + activity.takes
    if due > timers.GAME_TIME_SECONDS_MAX:
        raise Rejection("calendar_ends", "The calendar ends after a hundred thousand years.")
    started = ActivityStarted(
        activity_id=activity.activity_id,
        character=activity.character,
        title=activity.title,
        due=due,
        started_in=context.action_id,
        entry_id=price[0].entry_id if price else None,
    )
    return [started, *price]


def _world(kind: str) -> str:
    return f"world:{kind}"


def _approve(state: CampaignState, context: CommandContext, command: ApproveActivity) -> list[Any]:
    must_be_gm(context, say("Only a GM may approve what somebody does with their time."))
    activity = _activity(state, command.activity)
    if activity.started_in is not None:
        raise Rejection("activity_running", say("“{title}” has already begun.", title=activity.title))
    return _started(state, activity, context)


def _meet(state: CampaignState, context: CommandContext, command: MeetRequirement) -> list[RequirementMet]:
    must_be_gm(context, say("Only a GM says what is there."))
    activity = _activity(state, command.activity)
    if command.requirement not in activity.requires:
        raise Rejection(
            "unknown_requirement",
            say("“{title}” does not need that.", title=activity.title),
            missing=missing(activity),
        )
    if command.requirement in activity.met:
        return []  # the requirement was met already
    return [RequirementMet(activity.activity_id, activity.title, command.requirement, context.game_time)]


def _stop(state: CampaignState, context: CommandContext, command: StopActivity) -> list[Any]:
    activity = _activity(state, command.activity)
    _must_play(state, activity.character, context)
    return stop_events(state, activity, context)


def stop_events(state: CampaignState, activity: Activity, context: CommandContext) -> list[Any]:
    """The events that stop an activity and give its price back."""
    time_spent = 0 if activity.due is None else activity.takes - max(0, activity.due - context.game_time)
    stopped = ActivityStopped(
        activity.activity_id, activity.character, activity.title, min(time_spent, activity.takes), activity.takes
    )
    return [stopped, *(PendingVoided(*price) for price in _price(state, activity))]


def _price(state: CampaignState, activity: Activity) -> list[tuple[str, str, str, str, int]]:
    """An activity's escrow, unless a GM posted or voided it by hand: id, currency, from, for, amount."""
    entry = state.pending_entries.get(activity.entry_id or "")
    return [] if entry is None else [(entry.entry_id, entry.currency, entry.debit, entry.credit, entry.amount)]


def _activity(state: CampaignState, activity_id: str) -> Activity:
    activity = state.activities.get(activity_id)
    if activity is None:
        raise Rejection("unknown_activity", "No downtime activity has that id.")
    return activity


def _running(state: CampaignState, activity_id: str, context: CommandContext) -> Activity:
    """A running activity that is due. Raises `only_a_worker` unless the campaign itself asks."""
    if context.role != "worker":
        raise Forbidden("only_a_worker", "An activity finishes by itself when its time has passed.")
    activity = _activity(state, activity_id)
    if activity.due is None or context.game_time < activity.due or missing(activity):
        raise Rejection("not_due_yet", "It is not due yet.", due=activity.due)
    return activity


def _downtime_started(state: CampaignState, event: DowntimeStarted) -> None:
    state.downtime = event.downtime_id
    state.downtime_until, state.downtime_started_in = event.until, event.started_in


def _downtime_ended(state: CampaignState, _event: DowntimeEnded) -> None:
    state.downtime = state.downtime_until = state.downtime_started_in = None


def _activity_planned(state: CampaignState, event: ActivityPlanned) -> None:
    state.activities[event.activity_id] = _as_planned(event)


def _activity_started(state: CampaignState, event: ActivityStarted) -> None:
    activity = state.activities.get(event.activity_id)
    if activity is not None:
        started = {"due": event.due, "started_in": event.started_in, "entry_id": event.entry_id}
        state.activities[event.activity_id] = structs.replace(activity, **started)


def _requirement_met(state: CampaignState, event: RequirementMet) -> None:
    activity = state.activities.get(event.activity_id)
    if activity is not None:
        due = None if activity.due is None else max(activity.due, event.at)
        state.activities[event.activity_id] = structs.replace(
            activity, met=(*activity.met, event.requirement), due=due
        )


def _activity_over(state: CampaignState, event: ActivityFinished | ActivityStopped) -> None:
    state.activities.pop(event.activity_id, None)


def _as_planned(event: ActivityPlanned) -> Activity:
    return Activity(**{name: getattr(event, name) for name in Activity.__struct_fields__ if hasattr(event, name)})


DECIDE: Decide[CampaignState, Any] = without_dice(
    {
        StartDowntime: start,
        EndDowntime: end,
        PlanActivity: _plan,
        ApproveActivity: _approve,
        MeetRequirement: _meet,
        StopActivity: _stop,
    }
)
EVOLVE: Evolve[CampaignState] = {
    DowntimeStarted: _downtime_started,
    DowntimeEnded: _downtime_ended,
    ActivityPlanned: _activity_planned,
    ActivityStarted: _activity_started,
    RequirementMet: _requirement_met,
    **each_of(ActivityFinished | ActivityStopped, _activity_over),
}
