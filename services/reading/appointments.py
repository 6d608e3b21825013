"""The appointments of a campaign, as their reader knows them."""

from collections.abc import Sequence

from msgspec import Struct

from domain.campaign.due_commands import id_of, key_of, owed_by_rules
from domain.campaign.messages.archive import CampaignArchived, CampaignUnarchived
from domain.campaign.messages.timers import FireTimer, TimerFired
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.ids import ActionId
from domain.recorded_event import RecordedEvent
from domain.systems.system import InRealTime
from projections.campaign.appointments import (
    APPOINTMENT_KINDS,
    Appointment,
    HistoryTouch,
    session_appointments,
    timer_appointments,
)
from projections.campaign.timers import TimerView, timer_board
from services.campaign.history_changes import history_changes_in
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.chronicle import LIMIT_MAX, Filters, indexed_actions
from services.reading.read_dependencies import Readers


class AppointmentView(Struct, frozen=True):
    """An appointment, and for a timer what the board says of it; None: it is on the board no more."""

    appointment: Appointment
    timer: TimerView | None = None


async def appointments_of(parts: Readers, campaign: VisibleCampaign) -> list[AppointmentView]:
    """Everything with a date in real time that the reader knows of, soonest first.

    Of the past it looks at the last actions of each kind only, so that it takes as long after years of play.
    """
    records, floor = await _records(parts, campaign)
    touches, oldest_touch = await _touches(parts, campaign, {record.action_id for record in records})
    undone_ids = campaign.state.undone.keys()
    sessions = session_appointments(records, undone_ids, touches)
    timers = timer_appointments(campaign.state, records, undone_ids, touches, max(floor, oldest_touch))
    board = timer_board(campaign.state, {}, campaign.name, campaign.language)
    own = {view.timer: view for view in board if view.timer is not None}
    others = {view.id: view for view in board if view.timer is None}
    views = [
        *(AppointmentView(session) for session in sessions),
        *(AppointmentView(timer, own.get(timer.timer or "")) for timer in timers),
        *(
            AppointmentView(appointment, others[appointment.key.removeprefix("owed:")])
            for appointment in await _owed_by_systems(parts, campaign, records)
        ),
    ]
    return sorted(views, key=lambda view: (view.appointment.at, view.appointment.key))


async def _records(parts: Readers, campaign: VisibleCampaign) -> tuple[list[RecordedEvent], int]:
    """The last events of which appointments are made, in order, and the seq before which they do not reach."""
    records: dict[int, RecordedEvent] = {}
    floor = 0
    for kind in APPOINTMENT_KINDS:
        filters = Filters(type=str(kind.__struct_config__.tag))
        actions, reached = await indexed_actions(
            parts.log, parts.views, campaign, 0, LIMIT_MAX, filters, campaign.seq + 1
        )
        if reached is not None:
            floor = max(floor, reached)
        for row in (row for rows in actions for row in rows if row.seq <= campaign.seq):
            record = campaign.read(row)
            if isinstance(record.event, APPOINTMENT_KINDS):
                records[record.seq] = record
    return [records[seq] for seq in sorted(records)], floor


async def _touches(
    parts: Readers, campaign: VisibleCampaign, action_ids: set[ActionId]
) -> tuple[list[HistoryTouch], int]:
    """The undos and redos of these actions, and the last ones of others, with the timers that fired in them.

    The seq is that before which the others do not reach.
    """
    rows = await parts.log.rewrites(campaign.campaign_id, campaign.seq)
    moments = {row.seq: row.recorded_at for row in rows}
    changes = [change for change in history_changes_in(rows) if change.how in (ActionUndone, ActionRedone)]
    others = [change for change in changes if change.action_id not in action_ids]
    last = others[-LIMIT_MAX:]
    targets = list(dict.fromkeys(change.action_id for change in last))
    fired_timers: dict[ActionId, set[str]] = {}
    for row in await parts.log.actions(campaign.campaign_id, targets) if targets else []:
        event = campaign.read(row).event
        if isinstance(event, TimerFired):
            fired_timers.setdefault(row.action_id, set()).add(event.timer_id)
    touches = [
        HistoryTouch(
            change.seq,
            moments[change.seq],
            change.action_id,
            frozenset(fired_timers.get(change.action_id, ())),
        )
        for change in changes
        if change.action_id in action_ids or change.action_id in fired_timers
    ]
    return touches, last[0].seq if len(last) < len(others) else 0


async def _owed_by_systems(
    parts: Readers, campaign: VisibleCampaign, records: Sequence[RecordedEvent]
) -> list[Appointment]:
    """The things that rule systems do at a moment in real time, as long as they are owed.

    Only an archive moves them.
    """
    due_commands = [
        (due_command, due_command.due.microsecond)
        for due_command in owed_by_rules(campaign.state)
        if isinstance(due_command.due, InRealTime) and not isinstance(due_command.command, FireTimer)
    ]
    causes = list(dict.fromkeys(due_command.cause for due_command, _ in due_commands))
    rows = await parts.log.actions(campaign.campaign_id, causes) if causes else []
    cause_of = {row.action_id: (row.seq, row.recorded_at) for row in rows}
    archives = [
        (record.seq, record.recorded_at)
        for record in records
        if isinstance(record.event, CampaignArchived | CampaignUnarchived)
    ]
    appointments = []
    for due_command, at in due_commands:
        seq, recorded_at = max([cause_of.get(due_command.cause, (0, 0)), *archives[-1:]])
        appointments.append(
            Appointment(
                key=f"owed:{id_of(key_of(due_command))}",
                kind="timer",
                at=at,
                is_cancelled=campaign.state.archived_at is not None,
                sequence=seq,
                changed_at=recorded_at,
            )
        )
    return appointments
