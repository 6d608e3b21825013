"""Whether logs are sound, and memory, stored views and rows of timers what the logs say."""

from itertools import groupby
from typing import Any
from uuid import UUID

from msgspec import Struct, structs
from msgspec.json import decode

from domain.campaign.due_commands import due_commands, key_of
from domain.campaign.evolve import evolve
from domain.campaign.knowledge.audience_states import decides
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import TimerFired, TimerScheduled
from domain.campaign.secrecy.audience import GM, TABLE, Audience, private_audiences
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import encode_state
from domain.event_store_types import NEVER, StoredEvent
from domain.ids import CampaignId
from domain.systems.system import DueCommand, InRealTime, OnCalendar
from services.campaign.history_changes import history_changes_in, undone_by
from services.campaign.state_at import StateReader
from services.campaign.verify_log import verify_log
from tests.infra.log_entries import broken_links
from tests.simulation.process import Kept
from tests.simulation.simulation import Simulation

LATE_MICROSECONDS_MAX = 10_000_000
"""So late may a timer be that waits for a real moment: it was claimed, and whoever claimed it died."""

AHEAD_MICROSECONDS_MAX = 1_500_000
BEHIND_MICROSECONDS_MAX = 20_000_000
"""How far from its commit a command may have been decided."""


class LogRead(Struct):
    """A campaign's log as it is in the end. `requests` are its actions that somebody asked for."""

    campaign_id: CampaignId
    rows: list[StoredEvent]
    events: list[Any]
    actions: list[UUID] = []
    requests: set[UUID] = set()

    def __post_init__(self) -> None:
        self.actions = [action_id for action_id, _ in groupby(self.rows, key=lambda row: row.action_id)]
        self.requests = {row.action_id for row in self.rows if row.cause == "request"}


def wrong_log(simulation: Simulation, log: LogRead) -> list[str]:
    """Order, chain, actions, kept answers, and timers that fired twice or too early."""
    wrong = broken_links(log.campaign_id, log.rows)
    known = {*log.actions}
    if len(known) != len(log.actions):
        wrong.append("an action stands in the log twice")
    for (campaign, account, key), kept in simulation.database.log._answers.items():
        if campaign == log.campaign_id and kept.action_id not in known:
            wrong.append(f"the kept answer of {account} {key} is about no action of the log")
    return wrong + _wrong_moments(simulation, log) + _wrong_firings(simulation, log)


def _wrong_moments(simulation: Simulation, log: LogRead) -> list[str]:
    """Timers for a moment that was reckoned by a clock which the database does not share."""
    wrong = []
    for row, event in zip(log.rows, log.events, strict=True):
        if isinstance(event, TimerScheduled) and event.clock == "real" and row.command is not None:
            after = decode(row.command, type=_Scheduling).command.after.total_seconds
            committed = simulation.database.log.committed_at(log.campaign_id, row.seq)
            off = event.due - after * 1_000_000 - committed
            if not -BEHIND_MICROSECONDS_MAX <= off <= AHEAD_MICROSECONDS_MAX:
                wrong.append(f"{event.timer_id} was scheduled by a clock that is off by {off / 1_000_000:.3f} s")
    return wrong


class _Scheduled(Struct):
    after: Span


class _Scheduling(Struct):
    """What of a request to schedule a timer says when."""

    command: _Scheduled


def _wrong_firings(simulation: Simulation, log: LogRead) -> list[str]:
    if not any(isinstance(event, TimerFired) for event in log.events):
        return []
    struck = undone_by(history_changes_in(log.rows))
    wrong, fired, state = [], set(), CampaignState()
    for row, event in zip(log.rows, log.events, strict=True):
        if isinstance(event, TimerFired):
            simulation.trace.counts["timers fired"] += 1
            occurrence = (event.timer_id, event.occurrence)
            if occurrence in fired and row.action_id not in struck:
                wrong.append(f"{event.timer_id} fired twice for occurrence {event.occurrence}")
            if row.action_id not in struck:
                fired.add(occurrence)
            timer = state.timers.get(event.timer_id)
            real = simulation.database.log.committed_at(log.campaign_id, row.seq)
            if timer is not None and (state.game_time if timer.clock == "game" else real) < event.due:
                wrong.append(f"{event.timer_id} fired early at seq {row.seq}")
        state = evolve(state, event)  # undone time counts too: what was due then may fire
    return wrong


class NothingStored:
    """No stored folds: what is folded begins with the first event."""

    async def fold(self, *_: Any) -> None:
        return None

    async def fold_before(self, *_: Any) -> None:
        return None

    async def folds(self, *_: Any) -> list[Any]:
        return []


class Folding:
    """Folds of one log from its first event on, each made once."""

    def __init__(self, simulation: Simulation, log: LogRead) -> None:
        self._states = StateReader(simulation.database.log, NothingStored())  # type: ignore[arg-type]
        self._campaign_id = log.campaign_id
        self._known: dict[tuple[Audience, int], CampaignState] = {}

    async def state(self, audience: Audience, seq: int) -> CampaignState:
        """The campaign as an audience knew it at a seq."""
        if (audience, seq) not in self._known:
            self._known[audience, seq] = await self._states.at(self._campaign_id, audience, seq)
        return self._known[audience, seq]


async def wrong_folds(simulation: Simulation, log: LogRead) -> list[str]:
    """Where memory, stored views, members and timers are not what the log says."""
    database, folding, wrong = simulation.database, Folding(simulation, log), await _wrong_dice(simulation, log)
    hidden = await database.log.hidden_visibilities(log.campaign_id)
    audiences = [TABLE, *private_audiences(*hidden, stands_for={})]
    for name, process in simulation.processes.items():
        for kept in process.kept():
            if kept.campaign_id == log.campaign_id and kept.head.seq:
                found = await _wrong_memory(simulation, log, kept, audiences, folding)
                wrong += [f"in the memory of {name}: {each}" for each in found]
    for stored in await database.views.folds(log.campaign_id):
        now = await folding.state(Audience.from_key(stored.audience), stored.seq)
        if stored.content and stored.content != encode_state(now):
            wrong.append(f"the stored view of {stored.audience} is not the fold of the log")
    state = await folding.state(GM, len(log.rows))
    listed = {
        account: of[log.campaign_id] for account, of in database.log._members.items() if log.campaign_id in of
    }
    if listed != state.members and not state.importing:
        wrong.append(f"the list of members is {listed}, and should be {state.members}")
    return wrong + _wrong_timers(simulation, log, state)


async def _wrong_dice(simulation: Simulation, log: LogRead) -> list[str]:
    """Dice and seeds that are not those that were committed to, as anybody can find out once seeds are public."""
    _, report = await verify_log(simulation.database.log, log.campaign_id)
    return [f"dice at seq {fault.seq}: {fault.fault} {fault.about}" for fault in report.faults]


async def _wrong_memory(
    simulation: Simulation, log: LogRead, kept: Kept, audiences: list[Audience], folding: Folding
) -> list[str]:
    seq, wrong = kept.head.seq, []
    if seq > len(log.rows) or log.rows[seq - 1].hash != kept.head.hash:
        return [f"a head that the log does not have, {seq} of {len(log.rows)}"]
    if encode_state(kept.state) != encode_state(await folding.state(GM, seq)):
        wrong.append(f"another state than the fold of the log up to {seq}")
    for audience in audiences:
        whole = structs.replace(audience, whole=True)
        if decides(kept.knowledge.of(audience, kept.state)) != decides(await folding.state(whole, seq)):
            wrong.append(f"{audience.key} knows something else than the fold up to {seq}")
    stored = simulation.database.log.timers[log.campaign_id]
    if seq == len(log.rows) and {*kept.timers} != {*stored}:
        wrong.append("other timers than are stored")
    return wrong


def _wrong_timers(simulation: Simulation, log: LogRead, state: CampaignState) -> list[str]:
    """The rows of timers are what the campaign owes, and nothing that is due was forgotten."""
    rows = simulation.database.log.timers[log.campaign_id]
    expected = {key_of(each): each for each in due_commands(state)}
    if {*expected} != {*rows}:
        missing = sorted(subject for _, subject in {*expected} - {*rows})
        spare = sorted(subject for _, subject in {*rows} - {*expected})
        return [f"timer rows are not what is owed: {missing[:3]} are missing, {spare[:3]} are too many"]
    wrong = []
    for key, each in expected.items():
        kept = rows[key]
        if kept.parked_at is not None:
            simulation.trace.counts["timers parked"] += 1
            continue
        sleeps = state.archived_at is not None or (
            isinstance(each.due, OnCalendar) and each.due.second > state.game_time
        )
        if sleeps != (kept.timer.wake_at == NEVER):
            wrong.append(f"{key[1]} {'is awake' if sleeps else 'never wakes'}")
        if not sleeps and not _waits(each, simulation.database.clock()):
            wrong.append(f"{key[1]} is due and was forgotten")
    return wrong


def _waits(each: DueCommand, now: int) -> bool:
    """Whether something owed waits for a real moment that has not come, or only just."""
    return isinstance(each.due, InRealTime) and each.due.microsecond + LATE_MICROSECONDS_MAX > now
