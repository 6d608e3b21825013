"""What must be true when everything has settled: of the answers, of the log, and of what hangs on it."""

from collections import defaultdict
from itertools import groupby
from typing import Any

from domain.campaign.codec import decode_event
from domain.campaign.evolve import evolve
from domain.campaign.knowledge import decides
from domain.campaign.owing import key_of, owed
from domain.campaign.snapshot import freeze
from domain.campaign.state import CampaignState
from domain.campaign.timer_events import TimerFired
from domain.campaign.visibility import GM, TABLE, Audience
from domain.ids import CampaignId
from domain.stored import NEVER, StoredEvent
from domain.systems.system import OnCalendar
from services.standing import Standing, rewrites_in, struck_by
from tests.infra.log_entries import broken_links
from tests.simulation.commands import Attempt, Command, read_answer
from tests.simulation.simulation import ANSWER_SECONDS_MAX, Simulation

LONE_SECONDS_MAX = 0.5
"""A lone command waits no longer than its own calls take, and this."""

ALIVE = ("accepted", "refused")


class NothingStored:
    """No stored folds: what is folded begins with the first event."""

    async def fold(self, *_: Any) -> None:
        return None

    async def fold_before(self, *_: Any) -> None:
        return None

    async def folds(self, *_: Any) -> list[Any]:
        return []


async def check(simulation: Simulation) -> list[str]:
    """Everything that is wrong, in words."""
    simulation.database.log.deleted.clear()  # what was deleted must be as sound as what was not
    logs = {each: simulation.database.log._events[each] for each in simulation.database.log.campaigns()}
    wrong = [*simulation.wrong]
    for command in simulation.commands:
        wrong += [f"{command}: {each}" for each in _answers(simulation, command)]
        wrong += [f"{command}: {each}" for each in _effects(simulation, command, logs)]
    wrong += _lines(simulation, logs)
    for campaign_id, rows in logs.items():
        found = _log(simulation, campaign_id, rows)
        if not found:
            found += await _folds(simulation, campaign_id, rows)
        wrong += [f"{campaign_id}: {each}" for each in found]
    return wrong


# --- answers ----------------------------------------------------------------------------------------------


def _answers(simulation: Simulation, command: Command) -> list[str]:
    wrong = []
    for attempt in command.attempts:
        if attempt.outcome == "waiting":
            wrong.append("never answered")
            continue
        if attempt.outcome == "failed":
            wrong.append(f"failed with {attempt.result!r}")
        assert attempt.answered_at is not None
        sound = _sound_seconds(simulation, attempt)
        if sound > ANSWER_SECONDS_MAX:
            wrong.append(f"answered after {attempt.answered_at - attempt.asked_at:.3f} s")
        if attempt.code == "log_behind_checkpoint" and not simulation.was_set_back:
            wrong.append("was told that an old backup was restored")
        if (attempt.code == "campaign_busy" or attempt.outcome == "away") and not _was_wrong(simulation, attempt):
            wrong.append(f"{attempt.code or attempt.outcome} although nothing was wrong")
        if (
            command.is_lone
            and attempt.outcome in ALIVE
            and not _was_wrong(simulation, attempt, command.campaign_id)
        ):
            own = _own_seconds(simulation, command, attempt)
            if attempt.answered_at - attempt.asked_at > own + LONE_SECONDS_MAX:
                wrong.append(
                    f"a lone command waited for {attempt.answered_at - attempt.asked_at:.3f} s, its appends for {own:.3f} s"
                )
    return wrong


def _sound_seconds(simulation: Simulation, attempt: Attempt) -> float:
    """How long an attempt took, the time not counted in which something was wrong."""
    assert attempt.answered_at is not None
    at, sound = attempt.asked_at, 0.0
    for start, end in sorted((fault.start, fault.felt_until) for fault in simulation.faults):
        if end > at:
            sound += max(0.0, min(start, attempt.answered_at) - at)
            at = max(at, min(end, attempt.answered_at))
    return sound + attempt.answered_at - at


def _was_wrong(simulation: Simulation, attempt: Attempt, campaign_id: CampaignId | None = None) -> bool:
    """Whether anything was wrong while it was under way (with this campaign, if one is named, or with all)."""
    assert attempt.answered_at is not None
    return any(
        fault.start <= attempt.answered_at and fault.felt_until >= attempt.asked_at
        for fault in simulation.faults
        if campaign_id is None or fault.campaign in (None, campaign_id)
    )


def _own_seconds(simulation: Simulation, command: Command, attempt: Attempt) -> float:
    """How long appends of its own campaign took while it waited."""
    assert attempt.answered_at is not None
    return sum(
        append.end - append.start
        for way in simulation.ways.values()
        for append in way.appends
        if command.campaign_id in append.campaigns
        and append.end >= attempt.asked_at
        and append.start <= attempt.answered_at
    )


def _effects(simulation: Simulation, command: Command, logs: dict[CampaignId, list[StoredEvent]]) -> list[str]:
    """What was acknowledged is in the log once, what was refused is not, and nothing is there twice."""
    ids = set(command.ids)
    rows = logs.get(command.campaign_id, [])
    mine = [
        action_id
        for action_id, _ in groupby(
            (row for row in rows if row.cause == "request" and row.action_id in ids), key=lambda row: row.action_id
        )
    ]
    if not command.answers:
        return []
    wrong = []
    if len(mine) > 1:
        wrong.append(f"acted {len(mine)} times")
    told = command.told()
    may_have_happened = any(each.outcome not in ALIVE for each in command.attempts)
    if mine and not told and not may_have_happened:
        wrong.append("refused, and in the log")
    if not told:
        return wrong
    answers = [read_answer(each.result) for each in told]
    if len({answer.action_id for answer in answers}) > 1:
        wrong.append("two answers to one key")
    answer = answers[0]
    own = [row for row in rows if row.action_id == answer.action_id]
    if not answer.events and not own:
        return wrong  # it changed nothing, because it is so already
    if not own:
        return [*wrong, "acknowledged, and not in the log"]
    if rows[answer.seq - 1].hash.hex() != answer.head_hash:
        wrong.append("its head hash is not that of the log")
    if [event.seq for event in answer.events][: len(own)] != [row.seq for row in own]:
        wrong.append("its answer tells of other events than its own")
    if own[0].seq <= command.attempts[0].floor:
        wrong.append(f"at seq {own[0].seq}, though {command.attempts[0].floor} was known when it was asked")
    if command.if_match is not None and own[0].seq != command.if_match + 1:
        wrong.append(f"at seq {own[0].seq}, though it insisted on {command.if_match}")
    return wrong


def _lines(simulation: Simulation, logs: dict[CampaignId, list[StoredEvent]]) -> list[str]:
    """What one client sent to one process without waiting stands in the log in that order."""
    if simulation.conditions.order == "shuffled":
        return []
    lines: dict[int, list[tuple[int, int, Command]]] = defaultdict(list)
    for command in simulation.commands:
        if command.line is not None and command.told() and len(command.attempts) == 1:
            answer = read_answer(command.told()[0].result)
            if not answer.events:
                continue
            lines[command.line[0]].append((command.line[1], answer.events[0].seq, command))
    wrong = []
    for line in lines.values():
        line.sort(key=lambda each: each[0])
        for (_, seq, first), (_, next_seq, second) in zip(line, line[1:], strict=False):
            if next_seq < seq:
                wrong.append(f"{second} overtook {first}")
    return wrong


# --- the log and what hangs on it -------------------------------------------------------------------------


def _log(simulation: Simulation, campaign_id: CampaignId, rows: list[StoredEvent]) -> list[str]:
    wrong = broken_links(campaign_id, rows)
    actions = [action_id for action_id, _ in groupby(rows, key=lambda row: row.action_id)]
    if len({*actions}) != len(actions):
        wrong.append("an action stands in the log twice")
    for (campaign, account, key), kept in simulation.database.log._answers.items():
        if campaign == campaign_id and actions.count(kept.action_id) != 1:
            wrong.append(f"the kept answer of {account} {key} is about no action of the log")
    struck = struck_by(rewrites_in(rows))
    fired: set[Any] = set()
    for row in rows:
        if row.kind == TimerFired.__struct_config__.tag and row.action_id not in struck:
            event = decode_event(row)
            if (event.timer_id, event.occurrence) in fired:
                wrong.append(f"{event.timer_id} fired twice for occurrence {event.occurrence}")
            fired.add((event.timer_id, event.occurrence))
            simulation.trace.counts["timers fired"] += 1
    return wrong + _early(simulation, campaign_id, rows)


def _early(simulation: Simulation, campaign_id: CampaignId, rows: list[StoredEvent]) -> list[str]:
    """Timers that fired before their moment: by the calendar as it stood, or by the database's clock."""
    if not any(row.kind == TimerFired.__struct_config__.tag for row in rows):
        return []
    wrong = []
    state = CampaignState()
    for row in rows:
        event = decode_event(row)
        if isinstance(event, TimerFired) and (timer := state.timers.get(event.timer_id)) is not None:
            real = simulation.database.log.committed_at(campaign_id, row.seq)
            if (state.game_time if timer.clock == "game" else real) < event.due:
                wrong.append(f"{event.timer_id} fired early at seq {row.seq}")
        state = evolve(state, event)  # undone time counts too: what was due then may fire
    return wrong


async def _folds(simulation: Simulation, campaign_id: CampaignId, rows: list[StoredEvent]) -> list[str]:
    """Memory, stored views and timer rows are what the log says."""
    standing = Standing(simulation.database.log, NothingStored())  # type: ignore[arg-type]
    wrong = []
    private = [Audience.called(each) for each in await simulation.database.log.hidden(campaign_id) if ":" in each]
    known: dict[tuple[Audience, int], CampaignState] = {}

    async def folded(audience: Audience, seq: int) -> CampaignState:
        if (audience, seq) not in known:
            known[audience, seq] = await standing.state(campaign_id, audience, seq)
        return known[audience, seq]

    for name, process in simulation.processes.items():
        for kept in process.kept():
            if kept.campaign_id != campaign_id:
                continue
            seq = kept.head.seq
            if seq == 0:
                continue
            if seq > len(rows) or rows[seq - 1].hash != kept.head.hash:
                wrong.append(f"{name} has a head in memory that the log does not have: {seq} of {len(rows)}")
                continue
            if freeze(kept.state) != freeze(await folded(GM, seq)):
                wrong.append(f"the memory of {name} is not the fold of the log up to {seq}")
            for audience in (TABLE, *private):
                whole = Audience(gm=False, account=audience.account, whole=True)
                if decides(kept.knowledge.of(audience, kept.state)) != decides(await folded(whole, seq)):
                    wrong.append(f"what {audience.key} knows in the memory of {name} is not the fold up to {seq}")
            if seq == len(rows) and {*kept.timers} != {*simulation.database.log.timers[campaign_id]}:
                wrong.append(f"{name} believes in other timers than are stored")
    for stored in await simulation.database.views.folds(campaign_id):
        if stored.content and stored.content != freeze(await folded(Audience.called(stored.audience), stored.seq)):
            wrong.append(f"the stored view of {stored.audience} is not the fold of the log")
    return wrong + _timers(simulation, campaign_id, await folded(GM, len(rows)))


def _timers(simulation: Simulation, campaign_id: CampaignId, state: CampaignState) -> list[str]:
    """The rows of timers are what the campaign owes, and nothing that is due was forgotten."""
    rows = simulation.database.log.timers[campaign_id]
    due_now = simulation.database.clock()
    wrong = []
    expected = {key_of(each): each for each in owed(state)}
    if {*expected} != {*rows}:
        missing = sorted(subject for _, subject in {*expected} - {*rows})
        spare = sorted(subject for _, subject in {*rows} - {*expected})
        return [f"timer rows are not what is owed: {missing[:3]} are missing, {spare[:3]} are too many"]
    for key, each in expected.items():
        kept = rows[key]
        if state.archived_at is not None:
            sleeps, is_due = True, False
        elif isinstance(each.due, OnCalendar):
            is_due = each.due.second <= state.game_time
            sleeps = not is_due
        else:
            is_due = each.due is None or each.due.microsecond + 10_000_000 < due_now
            sleeps = False
        if (kept.timer.wake_at == NEVER) != sleeps and kept.parked_at is None:
            wrong.append(f"{key[1]} {'never wakes' if not sleeps else 'is awake'}")
        if is_due and kept.parked_at is None:
            wrong.append(f"{key[1]} is due and was forgotten")
    return wrong
