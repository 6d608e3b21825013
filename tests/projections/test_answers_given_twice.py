"""An answer that is given twice: the second one says which choice it means, and answers no other."""

from collections import Counter
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
import pytest

from domain.command_context import CommandContext, Role
from domain.dice import Die
from domain.ids import AccountId, ActionId
from domain.mechanics.acceptable_commands import NOBODY
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.system import Pending, RuleSystem
from projections.awaited_answers import WaitingFor
from projections.systems import SYSTEM_VIEWS
from tests.domain.board_answers import commands
from tests.domain.plays import PLAYS

SEEDS = 10
BEGUN_FROM = 4
"""So many states of a play are gone on from."""
STEPS = 40
"""So many answers are given from there."""


TURNS = {"take_turn", "end_turn"}
"""They wait for all that is done in a turn, of which some may be done again on purpose."""


class FairDice:
    """Dice that fall by chance."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance

    def roll(self, sides: int) -> Die:
        return Die(sides, self._chance.randint(1, sides), "table")

    def finish(self) -> None:
        """Any number of them may fall."""


class Table:
    """A state of a system that is gone on from by what boards list as answers."""

    def __init__(self, system: RuleSystem, state: Any, settings: Any, chance: Random) -> None:
        self.system = system
        self.state = state
        self.chance = chance
        self._settings = settings
        self._acted = 0

    def waiting(self) -> list[WaitingFor]:
        """All that is listed, with at least one answer."""
        listed = [
            entry
            for waits_for in SYSTEM_VIEWS[self.system.id].waits_for
            for entry in waits_for(self.state, str, self._settings, None)
        ]
        return [entry for entry in listed if entry.answers]

    def open(self) -> set[str]:
        """The names of what can be answered."""
        system, state = self.system, self.state
        choices = [*system.pending(state), *system.also_pending(state, self._settings), *system.steps(state)]
        return {choice.choice for choice in choices}

    def decided(self, who: AccountId | None, command: Any) -> Any:
        """The state after a command, which is not given. Raises `Rejection`."""
        self._acted += 1
        role: Role = "gm" if who is None else "player"
        context = CommandContext(
            command=command,
            account=who or AccountId(NOBODY),
            role=role,
            action_id=ActionId(UUID(int=self._acted << 64)),
            at=0,
            game_time=0,
            settings=self._settings,
        )
        state = _copy(self.state)
        for event in self.system.decide(self.state, context, FairDice(self.chance)):
            state = self.system.evolve(state, event)
        return _copy(state)


def _copy(state: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(state), type=type(state))


class Found(NamedTuple):
    """The kinds of choices that were answered, and what was wrong with which."""

    answered: Counter[str]
    faults: set[tuple[str, str]]


def answered_twice(system: RuleSystem, seed: int) -> Found:
    """Play by the boards from several states of a random play, and press each answer a second time at once."""
    chance = Random(seed)  # noqa: S311 — play, not secrets
    played = PLAYS[system.id](chance)
    states, state = [], system.state()
    for events in played.actions:
        for event in events:
            state = system.evolve(state, event)
        states.append(_copy(state))
    found = Found(Counter(), set())
    for begun in chance.sample(states, BEGUN_FROM):
        table = Table(system, begun, played.settings, chance)
        made: dict[str, tuple[str, Any]] = {}
        for _ in range(STEPS):
            waiting = table.waiting()
            if not waiting:
                break
            entry = min(waiting, key=lambda entry: (found.answered[entry.kind], chance.random()))
            before = table.state
            command = chance.choice(commands(system, chance.choice(entry.answers)))
            table.state = table.decided(entry.waits_for, command)
            found.answered[entry.kind] += 1
            now_open = table.open()
            found.faults.update(
                (kind, "again")
                for choice, (kind, then) in made.items()
                if choice in now_open and then != table.state
            )
            is_of_turn = entry.kind in TURNS and type(command).__name__ != "EndTurn"
            if entry.choice not in now_open and not is_of_turn:
                made[entry.choice] = entry.kind, before
            if entry.choice in now_open and not is_of_turn and _changes_more(table, entry.waits_for, command):
                found.faults.add((entry.kind, "twice"))
            if not entry.choice:
                found.faults.add((entry.kind, "nameless"))
    return found


def _changes_more(table: Table, who: AccountId | None, command: Any) -> bool:
    """Whether the same answer, given to the same choice once more, is accepted and changes anything."""
    try:
        return bool(table.decided(who, command) != table.state)
    except Rejection:
        return False


@pytest.mark.parametrize("key", sorted(SYSTEMS))
def test_an_answer_given_twice_answers_nothing_else(key):
    for seed in range(SEEDS):
        found = answered_twice(SYSTEMS[key], seed)
        assert found.faults == set(), seed
        assert found.answered or seed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("key", "missed"),
    [
        ("angst", ("purge_angst", "twice")),
        ("freefall", ("roll_action", "again")),
        ("mobile_frame", ("choose_loss", "twice")),
        ("mobile_frame", ("activate_frame", "again")),
    ],
)
def test_choices_that_go_by_kind_and_subject_alone_would_be_noticed(key, missed, monkeypatch):
    def nameless(kind: str, subject: str, waits_for: AccountId | None, *_marks: Any) -> Pending:
        return Pending(kind, subject, waits_for, choice=f"{kind} {subject}")

    monkeypatch.setattr(Pending, "of", nameless)
    assert missed in set().union(*(answered_twice(SYSTEMS[key], seed).faults for seed in range(SEEDS)))
