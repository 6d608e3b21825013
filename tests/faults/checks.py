"""Single checks of a fault campaign: each takes what was written down and read, and says what does not hold."""

from collections import Counter, defaultdict
from typing import Any, NamedTuple, Self

from tests.faults.log import Log

CLOCK_MICROS_MAX = 1_000_000
"""How far the time in an event may lie from the database's: so much an append lets through."""

FAR_MICROS = 10**15
"""Moments in real time are larger, those of a campaign's calendar smaller."""


class Journal(NamedTuple):
    """What clients wrote down, sorted. `told` and `refused` are by key; `answers` all answers to a key."""

    asked: dict[str, dict[str, Any]]
    told: dict[str, dict[str, Any]]
    refused: dict[str, dict[str, Any]]
    answers: dict[str, set[str]]
    gathered: dict[str, dict[str, Any]]
    fed: dict[str, list[dict[str, Any]]]
    reads: list[dict[str, Any]]
    broke: list[dict[str, Any]]
    counts: Counter[str]

    @classmethod
    def of(cls, lines: list[dict[str, Any]]) -> Self:
        """Sort the lines of a journal."""
        sorted_lines = cls({}, {}, {}, defaultdict(set), {}, defaultdict(list), [], [], Counter())
        for line in lines:
            sorted_lines.counts[line["what"]] += 1
            match line["what"]:
                case "asked":
                    sorted_lines.asked[line["key"]] = line
                case "told":
                    sorted_lines.told.setdefault(line["key"], line)
                    sorted_lines.answers[line["key"]].add(line["sha256"])
                case "refused":
                    sorted_lines.refused[line["key"]] = line
                case "gathered":
                    sorted_lines.gathered[line["campaign"]] = line
                case "fed":
                    sorted_lines.fed[line["campaign"]].append(line)
                case "read":
                    sorted_lines.reads.append(line)
                case "broke":
                    sorted_lines.broke.append(line)
        return sorted_lines


def chains(logs: dict[str, Log]) -> list[str]:
    """Gaps, hashes that do not follow, heads that are not the last event's, and times that go back or are off."""
    wrong = []
    for campaign, log in logs.items():
        if [row.seq for row in log.rows] != list(range(1, log.seq + 1)):
            wrong.append(f"{campaign}: the log has gaps")
        broken = next((row.seq for row in log.rows if row.hash != row.computed_hash), None)
        if broken is not None:
            wrong.append(f"{campaign}: the hash chain breaks at {broken}")
        if log.head != (log.rows[-1].seq, log.rows[-1].hash):
            wrong.append(f"{campaign}: the head is not the last event's")
        for before, after in zip(log.rows, log.rows[1:], strict=False):
            if after.recorded_at < before.recorded_at:
                wrong.append(f"{campaign}: time goes back at {after.seq}")
        off = [row.seq for row in log.rows if row.recorded_at > row.committed_at + CLOCK_MICROS_MAX]
        if off:
            wrong.append(f"{campaign}: {len(off)} events are of a time to come, first {off[0]}")
    return wrong


def told(journal: Journal, logs: dict[str, Log]) -> list[str]:
    """Acknowledgements that the log does not bear out, and answers that no client should get."""
    wrong = []
    by_action = {campaign: _by_action(log) for campaign, log in logs.items()}
    for key, line in journal.told.items():
        campaign = journal.asked[key]["campaign"]
        log, own = logs[campaign], by_action[campaign].get(line["action_id"], [])
        at = f"{campaign}: {line['action_id']} at {line['seq']}"
        if not own:
            wrong.append(f"{at} was acknowledged and is not in the log")
        elif own != list(range(own[0], own[-1] + 1)) or not set(own) <= set(line["seqs"]):
            wrong.append(f"{at} was acknowledged and lies in the log otherwise, at {own}")
        elif line["seq"] > log.seq or line["seq"] != line["seqs"][-1]:
            wrong.append(f"{at} was acknowledged beyond what the log has")
        elif log.rows[line["seq"] - 1].hash.hex() != line["head_hash"]:
            wrong.append(f"{at} is not what was acknowledged")
    wrong += [f"a client got {line['status']}: {line['said'][:300]}" for line in journal.broke]
    return wrong


def orders(journal: Journal, logs: dict[str, Log]) -> list[str]:
    """Acknowledged actions of one client that lie in the log in another order than it did them."""
    wrong = []
    first = {
        campaign: {action: seqs[0] for action, seqs in _by_action(log).items()} for campaign, log in logs.items()
    }
    last: dict[str, int] = defaultdict(int)
    for key, asked in journal.asked.items():  # in the order in which each client asked
        line = journal.told.get(key)
        seq = first[asked["campaign"]].get(line["action_id"]) if line else None
        if seq is None:
            continue
        if seq <= last[asked["client"]]:
            wrong.append(f"{asked['client']}: {key} came to lie at {seq}, before what this client did earlier")
        last[asked["client"]] = seq
    return wrong


def keys(journal: Journal, logs: dict[str, Log], stored: list[Any]) -> list[str]:
    """Keys with two effects, with an effect where a refusal was told, with two answers, or with none."""
    wrong = [f"{key} was answered in {len(seen)} ways" for key, seen in journal.answers.items() if len(seen) > 1]
    known: dict[str, list[str]] = defaultdict(list)
    for _, key, action_id in stored:
        known[key].append(action_id)
    wrong += [f"{key} stands for {len(actions)} actions" for key, actions in known.items() if len(actions) > 1]
    for key in journal.asked:
        if key in journal.told:
            if known[key] != [journal.told[key]["action_id"]]:
                wrong.append(f"{key} was acknowledged as another action than {known[key]}")
        elif key in journal.refused:
            if known[key]:
                wrong.append(f"{key} was refused, and has an effect")
        else:
            wrong.append(f"{key} was never answered")
    for campaign, log in logs.items():
        by_people = {row.action_id for row in log.rows if row.actor is not None}
        asked_for = {action for key in journal.asked for action in known[key]}
        unasked = by_people - asked_for - set(journal.gathered[campaign]["actions"])
        wrong += [f"{campaign}: {action} was done, and no key stands for it" for action in sorted(unasked)]
    return wrong


def reads(journal: Journal) -> list[str]:
    """Views that did not hold what their reader had been told before."""
    return [
        f"{line['client']} read {line['view']} as of {line['as_of']} after having been told {line['floor']}"
        for line in journal.reads
        if line["as_of"] < line["floor"]
    ]


def feeds(journal: Journal, logs: dict[str, Log]) -> list[str]:
    """Live feeds that left out, repeated or invented something, or stopped before what was acknowledged."""
    wrong = []
    for campaign, log in logs.items():
        seqs = [line["seq"] for line in journal.fed[campaign]]
        if seqs != list(range(1, len(seqs) + 1)):
            wrong.append(f"{campaign}: the live feed left something out or repeated it")
        elif len(seqs) > log.seq:
            wrong.append(f"{campaign}: the live feed told {len(seqs)} events of {log.seq}")
        floor = max(
            (line["seq"] for key, line in journal.told.items() if journal.asked[key]["campaign"] == campaign),
            default=0,
        )
        if len(seqs) < floor:
            wrong.append(f"{campaign}: the live feed ended at {len(seqs)}, and {floor} had been acknowledged")
    return wrong


def timers(logs: dict[str, Log]) -> list[str]:
    """Timers that fired twice, never, unasked or early; by PostgreSQL's clock, or by the campaign's calendar."""
    wrong = []
    for campaign, log in logs.items():
        times = Counter(row.body["timer_id"] for row in log.fired)
        made = {row.body["timer_id"]: row.body for row in log.scheduled}
        now = log.rows[-1].game_time
        for timer, body in made.items():
            is_due = body["clock"] == "real" or body["due"] <= now
            if times[timer] != is_due:
                wrong.append(
                    f"{campaign}: {timer} fired {times[timer]} times, and {'once' if is_due else 'never'} was due"
                )
        wrong += [f"{campaign}: {timer} was never scheduled" for timer in times if timer not in made]
        for row in log.fired:
            at = row.committed_at if row.body["due"] > FAR_MICROS else row.game_time
            if at < row.body["due"]:
                wrong.append(f"{campaign}: {row.body['timer_id']} fired at {at}, and was due at {row.body['due']}")
    return wrong


def _by_action(log: Log) -> dict[str, list[int]]:
    seqs: dict[str, list[int]] = {}
    for row in log.rows:
        seqs.setdefault(row.action_id, []).append(row.seq)
    return seqs
