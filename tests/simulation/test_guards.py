"""Each guard of the command path, removed, is found: by the cheapest seed or script that needs it.

A guard that could go unnoticed would go one day. What stands beside each is what its absence comes to.
"""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import Struct, structs

from tests.simulation import guard_scripts as scripts
from tests.simulation import history_scripts as history
from tests.simulation import stories
from tests.simulation.guards import GUARDS
from tests.simulation.run import Broken, Script, run, simulate
from tests.simulation.simulation import Conditions


class Found(Struct, frozen=True):
    """What is played without a guard, and what is wrong then: a seed, a script, or a story."""

    told: str
    seed: int | None = None
    script: Script | None = None
    story: Callable[..., Any] | None = None
    slowness: float = 1.0
    memory_bytes: int = 10_000_000

    def play(self, order: int = 1) -> None:
        """Play it; a script in this order of what happens. Raises `Broken`, or what `pytest.fail` raises."""
        if self.seed is not None:
            simulate(self.seed)
        elif self.script is not None:
            conditions = Conditions(slowness=self.slowness, memory_bytes=self.memory_bytes)
            run(order, conditions, self.script, name=self.script.__name__)
        elif self.story is not None:
            self.story()


def second_seed() -> None:
    stories.a_database_that_lost_what_it_had_confirmed(2)  # one of six finds nothing to break, such as the first


FOUND = {
    "the hash of the head is compared": Found("the chain breaks at 7", story=second_seed),
    "keys are compared": Found("acted 2 times", seed=5),
    "an answer is for members": Found("though no member any more", script=scripts.a_member_who_is_gone),
    "how late a decision is counts from the decision": Found(
        "was scheduled by a clock that is off by -3600",
        story=stories.a_clock_that_is_set_back,
    ),
    "newcomers wait for what is decided again": Found("told after 0.", script=scripts.known_keys_without_end),
    "an append has only so much that is due": Found(
        "1101 events in one append", script=scripts.a_day_of_minutes, slowness=0.0
    ),
    "those whose time is up are answered": Found("told after 20", script=scripts.a_commit_that_never_ends),
    "there is a third writer": Found("alone, and waited for 1.", script=scripts.two_slow_commits),
    "a group loses patience beside one": Found("alone, and waited for 3.", script=scripts.two_slow_commits),
    "a group loses patience beside two": Found("alone, and waited for 1.", script=scripts.two_slow_commits),
    "orphans are noticed": Found("other timers than are stored", script=scripts.a_timer_that_is_not_owed),
    "orphans are removed": Found("other timers than are stored", script=scripts.a_timer_that_is_not_owed),
    "only committed heads are kept": Found(
        "a head was kept that the log does not have", script=scripts.a_commit_that_fails
    ),
    "refusals are confirmed": Found("refused campaign_not_found", script=scripts.a_member_of_a_moment_ago),
    "what is decided again comes first": Found("overtook", script=scripts.lines_in_two_processes),
    "seeds are compared by what they are committed to": Found(
        "wrong_seed",
        story=stories.two_processes_that_end_one_dice_epoch_at_once,
    ),
    "what is missing may be known": Found(
        "refused unknown_member",
        story=stories.a_key_whose_command_named_what_is_gone_by_now,
    ),
    "the seq of the head is compared": Found("log_behind_checkpoint", script=scripts.lines_in_two_processes),
    "known keys are remembered": Found("away although nothing was wrong", seed=5),
    "copies join the first": Found("3 of 3 were not accepted", script=scripts.one_key_twice_at_once),
    "duplicates are remembered": Found("201 of 201 were not accepted", script=scripts.known_keys_without_end),
    "what is due has only a slice of time": Found(
        "alone, and waited for 1.", script=scripts.a_hundred_timers_at_one_moment, slowness=50.0
    ),
    "the rest of what is due follows": Found(
        "worker does not stop", script=scripts.a_hundred_timers_at_one_moment, slowness=50.0
    ),
    "what is not committed is dropped": Found("dice at seq 16", script=scripts.dice_in_two_processes),
    "the kept head is asked for before the log": Found(
        "refused log_behind_checkpoint", script=scripts.a_head_that_is_kept_while_a_campaign_is_loaded
    ),
    "what was decided in vain is not folded on": Found("dice at seq 16", script=scripts.dice_in_two_processes),
    "an undo in a tail reaches back to the snapshot only": Found(
        "another state than the fold", script=history.an_undo_of_what_was_loaded
    ),
    "an undo in a tail is folded without what it undoes": Found(
        "another state than the fold", script=history.an_undo_of_what_was_not_loaded
    ),
    "reveals and erasures are loaded anew": Found(
        "what was erased is told again", script=history.an_erasure_in_another_process
    ),
    "history becomes the snapshot": Found("another state than the fold", script=history.an_undo_and_a_lost_race),
    "hidden history is loaded anew": Found(
        "table knows something else", script=history.an_undo_of_something_hidden
    ),
    "what was erased is loaded anew": Found("what was erased is told again", script=history.a_word_that_is_erased),
    "nothing is due behind hidden history": Found(
        "fired for ['gm']", script=history.an_undo_that_makes_something_due
    ),
    "nothing follows history in its batch": Found(
        "['refused rests_on_hidden']", script=history.a_command_behind_an_undo
    ),
    "history begins its batch": Found("told after 1.", script=history.a_note_beside_a_refusal_and_an_erasure),
    "history begins its group": Found("told after 1.", script=history.a_note_before_an_erasure),
    "history ends its group": Found("told after 1.", script=history.a_note_behind_an_erasure),
    "stored timers are read again": Found(
        "other timers than are stored", script=scripts.a_timer_of_another_process
    ),
    "the caught-up log is the same log": Found("campaign_busy", story=second_seed),
    "what is due comes before a command": Found(
        "before all that was due", script=scripts.an_outage_while_timers_fire, slowness=50.0
    ),
    "a batch ends where more is due": Found(
        "told after 0.", script=scripts.an_outage_while_timers_fire, slowness=50.0
    ),
    "what is in use stays in memory": Found(
        "loads of two campaigns", script=scripts.two_campaigns_in_no_memory, memory_bytes=1
    ),
    "what failed is forgotten": Found("another state than the fold", script=scripts.an_append_that_fails),
    "who loses races waits longer": Found("were for nothing", script=scripts.two_busy_processes),
    "a clock that is off is set": Found("told after 8", script=scripts.a_clock_that_is_a_day_ahead),
    "a batch has only so many commands": Found(
        "events in one append", script=scripts.six_hundred_at_once, slowness=0.0
    ),
    "a group has only so much time": Found("told after", script=scripts.a_crowd_and_a_quiet_table, slowness=50.0),
    "all audiences are read at one head": Found(
        "table knows something else", script=scripts.a_campaign_that_is_loaded_while_something_hidden_happens
    ),
}


ORDERS_MAX = 5
"""Scripts are played in so many orders at the most: what a guard prevents needs some bad luck, too."""

SLOW = ("known keys are remembered", "duplicates are remembered")
"""Without these, commands are decided again and again until their time is up."""


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=[pytest.mark.slow] if each in SLOW else []) for each in FOUND]
)
def test_a_guard_that_is_removed_is_found(name, monkeypatch):
    GUARDS[name].remove(monkeypatch)
    found, told = FOUND[name], list[str]()
    for order in range(1, ORDERS_MAX + 1):
        try:
            found.play(order)
        except (Broken, pytest.fail.Exception) as broken:
            told.append(str(broken))
            if found.told in told[-1]:
                return
    pytest.fail(f"it is not missed: {told}")


SCRIPTS = {each.script: each for each in FOUND.values() if each.script} | {
    scripts.a_clock_that_is_set_ahead: Found("", script=scripts.a_clock_that_is_set_ahead),
    scripts.a_note_behind_a_step: Found("", script=scripts.a_note_behind_a_step, slowness=10.0),
}


@pytest.mark.parametrize("found", SCRIPTS.values(), ids=lambda each: each.script.__name__)
def test_with_every_guard_in_place_its_script_is_sound(found):
    found.play()


def test_every_guard_has_what_finds_it():
    assert {*FOUND} == {*GUARDS}


def test_a_guard_that_stands_elsewhere_by_now_is_told(monkeypatch):

    moved = structs.replace(GUARDS["keys are compared"], there="if nothing of the kind")
    with pytest.raises(AssertionError, match="stands there 0 times"):
        moved.remove(monkeypatch)
