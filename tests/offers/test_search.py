"""Finding a whole command that is accepted, from the part of it that is said."""

from typing import Annotated, Any

import pytest
from msgspec import Meta, Struct

from domain.field_references import ref
from domain.mechanics.refused_fields import About
from domain.offers import command_search
from domain.offers.command_search import Indifferent, complete
from domain.offers.field_read_tracker import watched
from domain.offers.field_values import Values
from domain.offers.trial_outcomes import Outcome, Outcomes
from domain.rejection import Rejection

WHOSE = {"ann": ["bow", "net"], "bob": ["axe"]}


class Strike(Struct, frozen=True, tag_field="type", tag="test.strike"):
    """A command with a field that depends on another one, and two that make no difference."""

    weapon: Annotated[str, ref("weapon", of="who")]
    who: Annotated[str, ref("who")] | None = None
    loud: bool = False
    force: Annotated[int, Meta(ge=1, le=1000)] = 1


class Rules:
    """Only bob strikes, with his axe; as a trial would say so. Asked with `never`, nobody does."""

    def __init__(self, *, never: bool = False) -> None:
        self.never = never
        self.tries = 0

    def refusal(self, command: Strike) -> tuple[Rejection | None, list[str]]:
        made, reads = watched(command)
        self.tries += 1
        try:
            self._decide(made)
        except Rejection as refusal:
            return refusal, [*reads]
        return None, [*reads]

    def _decide(self, command: Strike) -> None:
        if command.loud or command.force:
            pass
        if self.never or command.who != "bob":
            raise Rejection("not_bob", "Only Bob strikes.")
        if command.weapon not in WHOSE[command.who]:
            raise Rejection("unknown_weapon", "He has no such weapon.")


def found(
    rules: Rules,
    given: dict[str, Any],
    drafts: list[dict[str, Any]] | None = None,
    indifferent: Indifferent | None = None,
) -> Any:
    def candidates(kind: str, said: Any) -> list[str]:
        if kind == "who":
            return [*WHOSE]
        return WHOSE.get(said.get("who"), ["bow", "net"])

    trial: Any = rules
    return complete(Outcomes(Strike, trial), given, Values(candidates), drafts or [], indifferent=indifferent)


def test_the_field_that_a_refusal_is_about_and_what_depends_on_it_are_found():
    assert found(Rules(), {}).example == {"type": "test.strike", "who": "bob", "weapon": "axe"}


def test_a_draft_is_tried_before_anything_else():
    rules = Rules()
    assert found(rules, {}, [{"who": "ann"}, {"who": "bob", "weapon": "axe", "force": 7}]).example == {
        "type": "test.strike",
        "who": "bob",
        "weapon": "axe",
        "force": 7,
    }
    assert rules.tries == 2


def test_what_is_given_stands_whatever_a_draft_says():
    assert found(Rules(), {"who": "ann"}, [{"who": "bob", "weapon": "axe"}]).example is None


@pytest.mark.parametrize("given", [{}, {"who": "ann"}, {"loud": True}])
def test_fields_that_make_no_difference_to_a_refusal_are_not_multiplied(given):
    rules = Rules(never=True)
    refused = found(rules, given)
    assert refused.refusal.code == "not_bob"
    assert rules.tries < 40


def test_what_made_no_difference_to_one_choice_is_tried_again_for_another_that_depends_on_it(monkeypatch):
    monkeypatch.setattr(command_search, "TRIES_AT_FIRST", 0)
    indifferent = Indifferent()
    for weapon in ("sling", "spear", "stone"):
        assert found(Rules(), {"weapon": weapon}, [{"who": "bob"}], indifferent).example is None
    assert indifferent["who", "unknown_weapon", ()] > 1
    assert found(Rules(), {"weapon": "axe"}, [{"who": "ann"}], indifferent).example is not None


def test_two_fields_that_have_to_be_changed_at_once_are_found():
    assert found(Rules(), {}, [{"who": "ann", "weapon": "net", "loud": True}]).example == {
        "type": "test.strike",
        "who": "bob",
        "weapon": "axe",
        "loud": True,
    }


def test_a_command_that_says_the_same_where_the_rules_look_is_not_tried_twice():
    rules = Rules(never=True)
    outcomes: Any = Outcomes(Strike, rules)  # type: ignore[arg-type]
    first, other = ({"type": "test.strike", "weapon": each, "who": "ann", "force": 1} for each in ("net", "bow"))
    assert outcomes.of(first).refusal.code == outcomes.of(other).refusal.code == "not_bob"
    assert rules.tries == 1
    assert outcomes.of({**first, "force": 2}).refusal.code == "not_bob"
    assert rules.tries == 2
    assert outcomes.of({**first, "force": "much"}).refusal.code == "not_a_value"
    assert outcomes.of({**other, "force": "much"}).refusal.code == "not_a_value"
    assert rules.tries == 2


CROWD = 30


class Open(Struct, frozen=True, tag_field="type", tag="test.open"):
    """A command for one of many people, each with a key of their own."""

    door: Annotated[str, ref("door")]
    who: Annotated[str, ref("who")]
    key: Annotated[str, ref("key")]


class Doors(Rules):
    """The north door is opened only by the key of the last of them."""

    def _decide(self, command: Any) -> None:
        if command.key.partition(" ")[2] != command.who.partition(" ")[2]:
            raise Rejection("no_such_key", "They have no such key.")
        if command.door == "north" and command.key != f"key {CROWD - 1}":
            raise Rejection("wrong_key", "That key does not open it.")
        if command.door == "west":
            raise Rejection("walled_up", "That door is walled up.")


def opened(door: str) -> Any:
    known = {
        "door": ["south", "north", "west"],
        "who": [f"person {nth}" for nth in range(CROWD)],
        "key": [f"key {nth}" for nth in range(CROWD)],
    }
    trial: Any = Doors()
    values = Values(lambda kind, _: known[kind])
    return complete(
        Outcomes(Open, trial),
        {"door": door},
        values,
        [{"who": "person 0", "key": "key 0"}],
        tries_max=2 * CROWD**2,
    )


def test_what_only_one_of_many_can_do_in_one_way_is_found():
    said = {"type": "test.open", "door": "north", "who": f"person {CROWD - 1}", "key": f"key {CROWD - 1}"}
    assert opened("north").example == said


def test_what_nobody_can_do_in_any_way_is_impossible_for_certain():
    locked = opened("west")
    assert locked.refusal.code == "walled_up"
    assert locked.exhausted


class Locked(Doors):
    """No door is opened, whoever comes with whatever key; they are asked for both before that is said."""

    def _decide(self, command: Any) -> None:
        if command.key and command.who:
            pass
        with About("door"):
            raise Rejection("walled_up", "That door is walled up.")


def test_what_one_field_alone_decides_is_not_tried_with_all_values_of_the_others():
    rules: Any = Locked()
    known = {
        "door": ["south", "north"],
        "who": [f"person {nth}" for nth in range(CROWD)],
        "key": [f"key {nth}" for nth in range(CROWD)],
    }
    looks: list[Any] = []

    class Counted(Outcomes):
        def of(self, said: dict[str, Any]) -> Outcome:
            looks.append(said)
            return super().of(said)

    locked = complete(Counted(Open, rules), {}, Values(lambda kind, _: known[kind]))
    assert locked.exhausted
    assert rules.tries == 2
    assert len(looks) == 4


def test_a_search_that_does_not_try_all_of_it_misses_that(monkeypatch):
    """Negative control: the search without its end."""
    monkeypatch.setattr("domain.offers.command_search._Search._is_refuted", lambda *_: False)
    missed = opened("north")
    assert missed.example is None
    assert not missed.exhausted
