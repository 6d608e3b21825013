"""Whether every command was answered in time, and truly."""

from collections import defaultdict
from itertools import pairwise

from domain.campaign.events import MemberJoined, MemberLeft
from domain.ids import AccountId
from tests.simulation.commands import TOLD, Attempt, Command, read_answer
from tests.simulation.log_checks import LogRead
from tests.simulation.simulation import ANSWER_SECONDS_MAX, Simulation
from tests.simulation.store import EPOCH

LONE_SECONDS_MAX = 0.5
"""A lone command waits no longer than appends of its own campaign take, and this."""

CROWD_MIN = 700
"""So many commands of one campaign may wait in any case."""


def wrong_answers(simulation: Simulation, command: Command, log: LogRead | None) -> list[str]:
    """What is wrong with the answers to a command, and with what is in the log of it."""
    wrong = []
    for attempt in command.attempts:
        if attempt.outcome == "waiting":
            wrong.append("never answered")
        else:
            wrong += _untimely(simulation, command, attempt) + _untrue(simulation, command, attempt, log)
    return wrong + _effects(command, log) if command.answers else wrong


def _untimely(simulation: Simulation, command: Command, attempt: Attempt) -> list[str]:
    """What came too late, or need not have come at all."""
    wrong = []
    if attempt.outcome == "failed":
        wrong.append(f"failed with {attempt.result!r}")
    if _sound_seconds(simulation, attempt) > ANSWER_SECONDS_MAX:
        wrong.append(f"answered after {attempt.seconds:.3f} s")
    if (attempt.code == "campaign_busy" or attempt.outcome == "away") and not _was_wrong(simulation, attempt):
        wrong.append(f"{attempt.code or attempt.outcome} although nothing was wrong")
    if attempt.code == "campaign_queue_full" and _waiting(simulation, command, attempt) < CROWD_MIN:
        wrong.append("campaign_queue_full, though few are waiting")
    if command.is_lone and attempt.outcome in TOLD and not _was_wrong(simulation, attempt, command):
        own = _own_seconds(simulation, command, attempt)
        if attempt.seconds > own + LONE_SECONDS_MAX:
            wrong.append(f"alone, and waited for {attempt.seconds:.3f} s, its appends for {own:.3f} s")
    return wrong


def _waiting(simulation: Simulation, command: Command, attempt: Attempt) -> int:
    """How many attempts were under way in its campaign when it was asked."""
    return sum(
        each.asked_at <= attempt.asked_at <= each.asked_at + each.seconds
        for other in simulation.commands
        if other.campaign_id == command.campaign_id
        for each in other.attempts
        if each.outcome != "waiting"
    )


def _sound_seconds(simulation: Simulation, attempt: Attempt) -> float:
    """How long an attempt took, the time not counted in which something was wrong."""
    at, until, sound = attempt.asked_at, attempt.asked_at + attempt.seconds, 0.0
    for start, end in sorted((fault.start, fault.felt_until) for fault in simulation.faults):
        if end > at:
            sound += max(0.0, min(start, until) - at)
            at = max(at, min(end, until))
    return sound + until - at


def _was_wrong(simulation: Simulation, attempt: Attempt, command: Command | None = None) -> bool:
    """Whether anything was wrong while it was under way; with a command: anything that concerns its campaign."""
    return any(
        fault.start <= attempt.asked_at + attempt.seconds and fault.felt_until >= attempt.asked_at
        for fault in simulation.faults
        if command is None or fault.campaign in (None, command.campaign_id)
    )


def _own_seconds(simulation: Simulation, command: Command, attempt: Attempt) -> float:
    """How long appends of its own campaign took while it waited."""
    return sum(
        append.end - append.start
        for way in simulation.ways.values()
        for append in way.appends
        if command.campaign_id in append.campaigns
        and append.end >= attempt.asked_at
        and append.start <= attempt.asked_at + attempt.seconds
    )


def _untrue(simulation: Simulation, command: Command, attempt: Attempt, log: LogRead | None) -> list[str]:
    """Refusals that were true at no moment."""
    if attempt.code == "log_behind_checkpoint" and not simulation.was_set_back:
        return ["was told that an old backup was restored"]
    if attempt.code == "campaign_not_found" and log is not None and command.account is not None:
        until = attempt.asked_at + attempt.seconds
        absent = any(
            start <= until and end >= attempt.asked_at
            for start, end in simulation.database.deletions.absences(command.campaign_id)
        )
        if not absent and _was_member_throughout(simulation, log, command.account, attempt.asked_at, until):
            return ["campaign_not_found, though it was there and the asker a member of it"]
    return []


def _was_member_throughout(
    simulation: Simulation, log: LogRead, account: AccountId, start: float, end: float
) -> bool:
    """Whether somebody was a member of a campaign from one virtual second to another."""
    is_member = False
    for row, event in zip(log.rows, log.events, strict=True):
        if isinstance(event, (MemberJoined, MemberLeft)) and event.account == account:
            moment = (simulation.database.log.committed_at(log.campaign_id, row.seq) - EPOCH) / 1_000_000
            if moment > end:
                break
            if moment >= start:
                return False
            is_member = isinstance(event, MemberJoined)
    return is_member


def _effects(command: Command, log: LogRead | None) -> list[str]:
    """What was acknowledged is in the log once, what was refused is not, and nothing is there twice."""
    mine = [] if log is None else [each for each in command.ids if each in log.requests]
    wrong = [f"acted {len(mine)} times"] if len(mine) > 1 else []
    told = command.told()
    if told:
        return wrong + _acknowledged(command, log)
    if mine and all(each.outcome in TOLD for each in command.attempts):
        wrong.append("refused, and in the log")
    return wrong


def _acknowledged(command: Command, log: LogRead | None) -> list[str]:
    answers = [read_answer(each.result) for each in command.told()]
    answer, own = answers[0], []
    if log is not None:
        own = [row.seq for row in log.rows if row.action_id == answer.action_id]
    if not answer.events and not own:
        return []  # it changed nothing, because it is so already
    if log is None or not own:
        return ["acknowledged, and not in the log"]
    wrong = []
    if len({each.action_id for each in answers}) > 1:
        wrong.append("two answers to one key")
    if answer.seq > len(log.rows) or log.rows[answer.seq - 1].hash.hex() != answer.head_hash:
        wrong.append("its head hash is not that of the log")
    if [event.seq for event in answer.events][: len(own)] != own:
        wrong.append("its answer tells of other events than its own")
    if own[0] <= command.attempts[0].floor:
        wrong.append(f"at seq {own[0]}, though {command.attempts[0].floor} was known when it was asked")
    if command.if_match is not None and own[0] != command.if_match + 1:
        wrong.append(f"at seq {own[0]}, though it insisted on {command.if_match}")
    return wrong


def wrong_orders(simulation: Simulation) -> list[str]:
    """What one client sent to one process without waiting, and does not stand in the log in that order."""
    if simulation.conditions.order == "shuffled":
        return []  # this order keeps those who wait for the same thing in none
    lines: dict[int, list[tuple[int, int, Command]]] = defaultdict(list)
    for command in simulation.commands:
        if command.line is not None and command.told() and len(command.attempts) == 1:
            answer = read_answer(command.told()[0].result)
            if answer.events:
                lines[command.line[0]].append((command.line[1], answer.events[0].seq, command))
    return [
        f"{second} overtook {first}"
        for line in lines.values()
        for (_, seq, first), (_, next_seq, second) in pairwise(sorted(line, key=lambda each: each[0]))
        if next_seq < seq
    ]
