"""The short form of `python -m tests.faults.campaign`, and what its checker finds where something is wrong."""

import os
import secrets

import pytest

from tests.faults import checker
from tests.faults.campaign import PROCESSES, Sizes, run, summary
from tests.faults.disk import NoDisk, a_disk

pytestmark = pytest.mark.slow

KILLS = 60
LOST_REPLIES = 200
POWER_CUTS = 10
KILLS_OF_PROCESSES = 40
LOST_OF_PROCESSES = 100
"""`.ci/release faults` plays more of each."""


def a_seed() -> int:
    return int(os.environ.get("FIELDLOG_FIRE_SEED") or secrets.randbelow(10**6))


def test_what_clients_were_told_holds_after_kills_lost_replies_full_disks_and_power_cuts(tmp_path):
    seed = a_seed()
    outcome = run(tmp_path, Sizes.of(KILLS, LOST_REPLIES, POWER_CUTS), seed)
    assert outcome.wrong == [], summary(seed, outcome)
    assert sum(times for kind, times in outcome.faults.items() if kind.startswith("kill")) == KILLS
    assert outcome.faults["lose a reply"] >= LOST_REPLIES
    assert outcome.faults["redis for good"] == 1
    assert outcome.not_tried or outcome.faults["cut the power"] == POWER_CUTS
    an_altered_line_is_reported(outcome.evidence)


def test_what_clients_were_told_holds_while_any_of_four_apis_and_two_workers_is_killed(tmp_path):
    """Each client asks all four in turn, and the time of Redis ends on the way, as above."""
    seed = a_seed()
    only_processes = Sizes.of(KILLS_OF_PROCESSES, LOST_OF_PROCESSES, power_cuts=0)._replace(stops=0, full_disks=0)
    outcome = run(tmp_path, only_processes, seed, apis=4, killed=PROCESSES)
    assert outcome.wrong == [], summary(seed, outcome)
    assert outcome.faults["kill api"] + outcome.faults["kill worker"] == KILLS_OF_PROCESSES
    assert outcome.faults["lose a reply"] >= LOST_OF_PROCESSES
    assert outcome.figures["undone"] > 0, summary(seed, outcome)
    assert outcome.figures["timers fired"] > 0, summary(seed, outcome)
    an_altered_line_is_reported(outcome.evidence)


def an_altered_line_is_reported(evidence: checker.Evidence) -> None:
    """The control of the checker: it says so when a client was told something else."""
    for field, other in (("head_hash", "00" * 32), ("seq", 10**6), ("action_id", "another")):
        nth = next(nth for nth, line in enumerate(evidence.lines) if line["what"] == "told")
        altered = [*evidence.lines]
        altered[nth] = altered[nth] | {field: other}
        assert checker.check_journal(evidence._replace(lines=altered)), field


def test_without_synchronous_commit_power_cuts_lose_what_was_acknowledged_and_the_checker_says_so(tmp_path):
    try:
        with a_disk():
            pass
    except NoDisk as why:
        pytest.skip(f"no power can be cut here: {why}")
    only_cuts = Sizes(kills=0, lost_replies=0, power_cuts=3, stops=0, full_disks=0, clock_steps=0, wipes=0)
    outcome = run(tmp_path, only_cuts, a_seed(), is_unsafe=True)
    lost = [sentence for sentence in outcome.wrong if "was acknowledged and is not in the log" in sentence]
    assert lost, outcome.figures
