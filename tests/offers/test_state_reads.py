"""A watched state answers as the state does and notes each read; what would read past the notes fails."""

from copy import deepcopy
from typing import Any

import msgspec
import pytest
from msgspec import Struct, structs

from domain.offers.state_read_tracker import HOLDS, KEYS, NOW, WHOLE, ReadPast, StateReads, differing


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


@pytest.mark.parametrize(
    ("work_out", "later", "is_noticed"),
    [
        (lambda now: now, 1, False),
        (lambda now: now + 5, 1, False),
        (lambda now: now < 10, 1, False),
        (lambda now: now < 10, 9, True),
        (lambda now: max(10, now), 10, True),
        (lambda now: now + 5 < 10, 3, False),
        (lambda now: now + 5 < 10, 4, True),
        (lambda now: 5 + now < 10, 4, True),
        (lambda now: now - 5 == 0, 4, True),
        (lambda now: now // 10, 5, False),
        (lambda now: now // 10, 9, True),
        (lambda now: now + 5 // 10, 4, False),
        (lambda now: (now + 5) // 10, 4, True),
        (lambda now: now < 10.0, 1, True),
        (lambda now: now < now + 1, 1, True),
        (str, 1, True),
        (lambda now: deepcopy([now])[0] < 10, 9, True),
    ],
)
def test_what_is_worked_out_with_a_moment_is_noticed_when_it_comes_out_otherwise(work_out, later, is_noticed):
    reads = StateReads()
    answer, noted = work_out(reads.moment(1, NOW)), reads.taken()
    assert answer == work_out(1)
    assert bool(noted & reads.moment_changes(NOW, 1, 1 + later)) == is_noticed
    assert reads.moment_changes(NOW, 1, 1) == set()


def test_work_apart_notes_what_it_reads_for_itself_and_for_the_whole():
    reads = StateReads()
    state = reads.watched(fleet(), ())
    assert state.bells == 0
    hull, own = reads.apart(lambda: state.ships["a"].hull)
    assert (hull, own) == (3, own - reads.numbers([("bells", WHOLE)]))
    assert reads.taken() == own | reads.numbers([("bells", WHOLE)])


def test_keys_say_what_of_a_part_is_otherwise():
    before, after = fleet(), fleet()
    del after.ships["a"]
    assert {*differing(before, after)} == {(WHOLE,), ("ships", WHOLE), ("ships", KEYS), ("ships", "a", HOLDS)}
