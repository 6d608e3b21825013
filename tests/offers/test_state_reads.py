"""A watched state answers as the state does and notes each read; what would read past the notes fails."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from domain.offers.state_reads import HOLDS, KEYS, NOW, WHOLE, ReadPast, StateReads, differing


class Ship(Struct):
    name: str
    hull: int = 3


class Fleet(Struct):
    ships: dict[str, Ship]
    orders: list[Ship]
    crews: dict[str, int]
    berths: dict[str, str]
    bells: int = 0


def fleet() -> Fleet:
    return Fleet({"a": Ship("Anka"), "b": Ship("Brine")}, [Ship("Cormorant"), Ship("Dabchick")], {"a": 5}, {})


def reads_of(look: Any) -> tuple[StateReads, frozenset[int]]:
    reads = StateReads()
    look(reads.watched(fleet(), ()))
    return reads, reads.taken()


@pytest.mark.parametrize(
    ("look", "change", "is_noticed"),
    [
        (lambda state: state.bells, lambda state: setattr(state, "bells", 1), True),
        (lambda state: state.ships["a"].hull, lambda state: setattr(state.ships["a"], "hull", 1), True),
        (lambda state: state.ships["a"].hull, lambda state: setattr(state.ships["a"], "name", "Alk"), False),
        (lambda state: state.ships["a"].hull, lambda state: setattr(state.ships["b"], "hull", 1), False),
        (lambda state: state.ships["a"].hull, lambda state: setattr(state, "bells", 1), False),
        (lambda state: "c" in state.ships, lambda state: state.ships.update(c=Ship("Cove")), True),
        (lambda state: "c" in state.ships, lambda state: state.ships.update(d=Ship("Dune")), False),
        (lambda state: state.ships.get("c"), lambda state: state.ships.update(c=Ship("Cove")), True),
        (lambda state: len(state.ships), lambda state: state.ships.pop("a"), True),
        (lambda state: [*state.ships], lambda state: state.ships.update(a=state.ships.pop("a")), True),
        (lambda state: [*state.ships], lambda state: setattr(state.ships["a"], "hull", 1), False),
        (lambda state: {**state.ships}, lambda state: state.ships.pop("a"), True),
        (
            lambda state: state.ships["a"] == Ship("Brine"),
            lambda state: setattr(state.ships["a"], "hull", 1),
            True,
        ),
        (lambda state: state.ships == {}, lambda state: setattr(state.ships["a"], "hull", 1), True),
        (lambda state: state.orders[0].hull, lambda state: setattr(state.orders[0], "hull", 1), True),
        (lambda state: state.orders[0].hull, lambda state: setattr(state.orders[0], "name", "Coot"), False),
        (lambda state: state.orders[-1].hull, lambda state: state.orders.append(Ship("Dory")), True),
        (lambda state: [*state.orders], lambda state: state.orders.append(Ship("Dory")), True),
        (lambda state: [*state.orders], lambda state: setattr(state.orders[0], "hull", 1), False),
        (lambda state: bool(state.orders), lambda state: state.orders.pop(), True),
        (lambda state: bool(state.orders), lambda state: setattr(state.orders[0], "hull", 1), False),
        (lambda state: Ship("Cormorant") in state.orders, lambda state: setattr(state.orders[0], "hull", 1), True),
        (lambda state: state.orders[:1], lambda state: state.orders.insert(0, Ship("Dory")), True),
        (lambda state: [ship.name for ship in state.orders], lambda state: state.orders.reverse(), True),
        (lambda state: "c" in state.crews, lambda state: state.crews.update(c=1), True),
        (lambda state: "c" in state.crews, lambda state: state.crews.update(d=1), False),
        (lambda state: "d" in state.berths, lambda state: state.berths.update(c="a"), False),
        (lambda state: state.berths.get("c"), lambda state: state.berths.update(c="a"), True),
        (lambda state: deepcopy(state.ships), lambda state: setattr(state.ships["b"], "hull", 1), True),
    ],
)
def test_what_was_looked_at_is_noticed_when_it_changes(look, change, is_noticed):
    reads, noted = reads_of(look)
    after = fleet()
    change(after)
    assert (not noted.isdisjoint(reads.numbers(differing(fleet(), after)))) == is_noticed


def test_a_watched_state_answers_as_the_state_does():
    state, watched = fleet(), StateReads().watched(fleet(), ())
    assert isinstance(watched, Fleet)
    assert isinstance(watched.ships, dict)
    assert watched == state
    assert state == watched
    assert [*watched.ships.items()] == [*state.ships.items()]
    assert {**watched.ships} == state.ships
    assert watched.ships | {} == state.ships
    assert [*watched.orders] == state.orders == watched.orders[:]
    assert [Ship("Auk")] + watched.orders == [Ship("Auk"), *state.orders]  # noqa: RUF005
    assert watched.orders + [Ship("Auk")] == [*state.orders, Ship("Auk")]  # noqa: RUF005
    assert watched.orders.index(state.orders[1]) == 1
    assert [*reversed(watched.orders)] == state.orders[::-1]
    assert watched.crews == state.crews
    assert sum(watched.crews.values()) == 5
    assert not watched.berths
    assert deepcopy(watched) == state
    assert bool(watched.ships)
    with pytest.raises(KeyError):
        watched.ships["c"]


@pytest.mark.parametrize(
    "read",
    [
        msgspec.json.encode,
        msgspec.to_builtins,
        lambda state: msgspec.json.encode(state.ships),
        lambda state: msgspec.json.encode(state.orders),
        lambda state: msgspec.json.encode(state.crews),
        lambda state: structs.replace(state, bells=1).ships,
        lambda state: structs.asdict(state)["bells"] + 1,
        lambda state: structs.astuple(state)[0]["a"],
    ],
)
def test_what_reads_past_the_notes_fails(read):
    with pytest.raises((TypeError, ReadPast)):
        read(StateReads().watched(fleet(), ()))


def test_a_moment_is_noted_where_something_is_worked_out_with_it():
    reads = StateReads()
    moment = reads.moment(5, NOW)
    kept = {"at": moment}
    assert reads.taken() == frozenset()
    assert kept["at"] + 1 == 6
    assert reads.numbers([NOW]) == reads.taken()
    assert max(0, 7 - moment) == 2
    assert reads.numbers([NOW]) == reads.taken()


def test_keys_say_what_of_a_part_is_otherwise():
    before, after = fleet(), fleet()
    del after.ships["a"]
    assert {*differing(before, after)} == {(WHOLE,), ("ships", WHOLE), ("ships", KEYS), ("ships", "a", HOLDS)}
