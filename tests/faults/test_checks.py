"""Each check of a fault campaign says so where what it looks for is there, and is silent where it is not."""

from typing import Any

import pytest

from tests.faults import checks, money
from tests.faults.checker import Evidence, check_journal
from tests.faults.log import Log, Row
from tests.faults.wear import MIB, ProcessSample, calm, growth_of_files, slope_per_hour

NOW = 2 * checks.FAR_MICROS
TIMER = {"timer_id": "timer-1", "clock": "real", "due": NOW}


def row(seq: int, kind: str, body: dict[str, Any], *, at: int = NOW, actor: str | None = None) -> Row:
    digest = bytes([seq]) * 32
    return Row(seq, f"action-{seq}", kind, actor, body, 0, at, at, digest, digest)


def log_of(*rows: Row) -> Log:
    return Log(list(rows), (rows[-1].seq, rows[-1].hash))


@pytest.fixture
def evidence() -> Evidence:
    """A campaign of four events: made, then two actions of a client, then a timer that fired."""
    log = log_of(
        row(1, "campaign.created", {}, actor="ana"),
        row(2, "campaign.timer_scheduled", TIMER, actor="ana"),
        row(3, "campaign.note_added", {}, actor="ana"),
        row(4, "campaign.timer_fired", {"timer_id": "timer-1", "due": NOW}),
    )
    lines: list[dict[str, Any]] = [{"what": "gathered", "campaign": "c", "actions": ["action-1"], "pilots": []}]
    for seq in (2, 3):
        lines += [
            {"what": "asked", "client": "c/0", "campaign": "c", "key": f"key-{seq}"},
            {
                "what": "told",
                "key": f"key-{seq}",
                "sha256": "same",
                "action_id": f"action-{seq}",
                "seq": seq,
                "seqs": [seq],
                "head_hash": log.rows[seq - 1].hash.hex(),
            },
        ]
    lines += [{"what": "fed", "campaign": "c", "seq": seq} for seq in (1, 2, 3, 4)]
    lines.append({"what": "read", "client": "c/0", "view": "", "floor": 3, "as_of": 4})
    return Evidence(lines, {"c": log}, [("c", "key-2", "action-2"), ("c", "key-3", "action-3")])


def with_rows(evidence: Evidence, *rows: Row) -> Evidence:
    return evidence._replace(logs={"c": log_of(*rows)})


def test_nothing_is_said_where_all_is_well(evidence):
    assert check_journal(evidence) == []


@pytest.mark.parametrize(
    ("nth", "altered", "said"),
    [
        (2, {"head_hash": "00"}, "c: action-2 at 2 is not what was acknowledged"),
        (2, {"action_id": "action-9"}, "c: action-9 at 2 was acknowledged and is not in the log"),
        (2, {"seqs": [3], "seq": 3}, "c: action-2 at 3 was acknowledged and lies in the log otherwise, at [2]"),
        (2, {"what": "refused"}, "key-2 was refused, and has an effect"),
        (2, {"what": "gave up"}, "key-2 was never answered"),
        (2, {"key": "key-3", "sha256": "other"}, "key-3 was answered in 2 ways"),
        (6, {"seq": 3}, "c: the live feed left something out or repeated it"),
        (9, {"as_of": 2}, "c/0 read  as of 2 after having been told 3"),
    ],
)
def test_a_journal_with_one_line_altered_is_reported(evidence, nth, altered, said):
    lines = [*evidence.lines]
    lines[nth] = lines[nth] | altered
    assert said in check_journal(evidence._replace(lines=lines))


def test_actions_of_a_client_in_another_order_are_reported(evidence):
    lines = [*evidence.lines]
    lines[1:5] = [*lines[3:5], *lines[1:3]]
    [said] = checks.orders(checks.Journal.of(lines), evidence.logs)
    assert "key-2 came to lie at 2" in said


def test_a_key_with_two_effects_and_an_action_without_a_key_are_reported(evidence):
    journal = checks.Journal.of(evidence.lines)
    twice = [*evidence.keys, ("c", "key-2", "action-3")]
    assert "key-2 stands for 2 actions" in checks.keys(journal, evidence.logs, twice)
    missing = checks.keys(journal, evidence.logs, evidence.keys[:1])
    assert "c: action-3 was done, and no key stands for it" in missing


def test_a_broken_chain_a_gap_and_another_head_are_reported(evidence):
    rows = evidence.logs["c"].rows
    broken = [*rows[:2], rows[2]._replace(hash=b"other"), rows[3]]
    assert "c: the hash chain breaks at 3" in checks.chains({"c": log_of(*broken)})
    assert "c: the log has gaps" in checks.chains({"c": log_of(rows[0], rows[2])})
    assert "c: the head is not the last event's" in checks.chains({"c": Log(rows, (3, rows[2].hash))})


@pytest.mark.parametrize(
    ("fired", "said"),
    [
        ([], "c: timer-1 fired 0 times, and once was due"),
        ([NOW, NOW], "c: timer-1 fired 2 times, and once was due"),
        ([NOW - 1], f"c: timer-1 fired at {NOW - 1}, and was due at {NOW}"),
    ],
)
def test_timers_that_fire_never_twice_or_early_are_reported(evidence, fired, said):
    body = {"timer_id": "timer-1", "due": NOW}
    rows = evidence.logs["c"].rows[:3]
    rows += [row(4 + nth, "campaign.timer_fired", body, at=at) for nth, at in enumerate(fired)]
    assert said in checks.timers({"c": log_of(*rows)})


def test_a_payout_that_is_missing_doubled_or_made_up_is_reported():
    owed = row(1, money.CONCLUDED, {"mission_id": "m", "payouts": {"pilot-1": 5}})
    paid = row(2, money.AWARDED, {"mission_id": "m", "pilot": "pilot-1", "amount": 5})
    assert money.payouts({"c": log_of(owed, paid)}) == []
    assert money.payouts({"c": log_of(owed)}) == ["c: ('m', 'pilot-1') was posted 0 times"]
    assert money.payouts({"c": log_of(owed, paid, paid)}) == ["c: ('m', 'pilot-1') was posted 2 times"]
    assert money.payouts({"c": log_of(paid)}) == ["c: ('m', 'pilot-1') was never owed"]


def test_a_ledger_whose_balance_is_not_its_entries_is_reported():
    moved = {"seq": 1, "debit": "world:start", "credit": "pilot:p", "currency": "credits", "amount": 100}
    held = [("world:start", -100), ("pilot:p", 100)]
    shown: dict[str, Any] = {
        "": [{"alarms": []}],
        "/ledger/accounts": [
            {
                "accounts": [{"account": name, "currency": "credits", "balance": left} for name, left in held],
                "trial_balance": {"credits": 0},
                "drift": [],
            }
        ],
        "/ledger/entries": [{"entries": [moved]}],
        "/sheets/p": [{"sheet": {"currency": 100}}],
    }
    log = log_of(row(1, "campaign.created", {}))
    assert money.ledgers(log, shown) == []
    shown["/ledger/entries"][0]["entries"] = [moved | {"amount": 99}]
    assert "pilot:p holds 100, and its entries add up to 99" in money.ledgers(log, shown)
    earned = log_of(row(1, money.AWARDED, {"pilot": "p", "amount": 7}))
    assert any("107 by the log" in said for said in money.ledgers(earned, shown))


# --- the soak -------------------------------------------------------------------------------------------------


def samples(rss_mib: list[float], files: list[int]) -> list[ProcessSample]:
    return [
        ProcessSample(60.0 * nth, int(rss * MIB), opened)
        for nth, (rss, opened) in enumerate(zip(rss_mib, files, strict=True))
    ]


def test_memory_that_grows_by_two_mebibytes_an_hour_shows_as_that_slope():
    steady = samples([100 + nth / 30 for nth in range(60)], [20] * 60)
    assert slope_per_hour(steady) == pytest.approx(2.0, abs=0.01)
    assert slope_per_hour(samples([100.0] * 60, [20] * 60)) == 0


def test_what_a_request_takes_for_its_while_is_no_growth():
    spiky = [ProcessSample(5.0 * nth, (160 if nth % 7 == 3 else 100) * MIB, 20 + nth % 3) for nth in range(720)]
    assert slope_per_hour(calm(spiky, 60)) == 0
    assert growth_of_files(calm(spiky, 60)) == 0


def test_files_that_stay_open_show_as_growth():
    assert growth_of_files(samples([100.0] * 40, [20 + nth // 4 for nth in range(40)])) == 5
