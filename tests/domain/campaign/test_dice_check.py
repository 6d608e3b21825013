"""Dice that were changed, left out or made up are found by their events alone; honest ones are not."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.campaign.dice import audit
from domain.campaign.dice.audit import FAULTS_MAX, DiceCheck, DiceReport
from domain.dice.seeded_dice import EpochSeeds, with_words

CAMPAIGN = UUID("5f0c2a91-e3b4-4c55-9d3a-2f1b7c8d9e0f")
SEEDS = EpochSeeds(CAMPAIGN, 1, b"o" * 32, b"h" * 32)
SIZES = (4, 6, 20, 100)


def die(fallen: Any, face: str = "natural") -> dict[str, Any]:
    return {"sides": fallen.sides, face: fallen.natural, "origin": fallen.origin, "proof": fallen.proof}


def begun(seeds: EpochSeeds = SEEDS) -> dict[str, Any]:
    return {
        "type": "campaign.dice_epoch_started",
        "epoch": seeds.epoch,
        "commitment": seeds.commitment.hex(),
        "hidden_commitment": seeds.hidden_commitment.hex(),
    }


def ended() -> dict[str, Any]:
    return {"type": "campaign.dice_epoch_ended", "epoch": 1, "seed": SEEDS.open_seed.hex(), "reason": "asked"}


def proved(roll: int) -> dict[str, Any]:
    path = [node.hex() for node in SEEDS.path_of(roll)]
    key = SEEDS.key_of(roll).hex()
    return {"type": "campaign.hidden_roll_proved", "epoch": 1, "roll": roll, "key": key, "path": path}


def revealed() -> dict[str, Any]:
    return {"type": "campaign.hidden_dice_revealed", "epoch": 1, "seed": SEEDS.hidden_seed.hex()}


def log() -> list[dict[str, Any]]:
    """Four open dice in two events, two hidden rolls of two dice, a die of the table; then the open seed."""
    dice, first, second = SEEDS.open_dice(0), SEEDS.hidden_dice(0), SEEDS.hidden_dice(1)
    return [
        {
            "type": "campaign.dice_rolled",
            "dice": [{"sides": 6, "natural": 3, "origin": "server", "proof": "none"}],
        },
        begun(),
        {"type": "campaign.dice_rolled", "dice": [die(dice.roll(sides)) for sides in (20, 6)]},
        {"type": "freefall.conflict_rolled", "dice": {"a": [die(first.roll(6))], "b": [die(first.roll(6))]}},
        {"type": "overdrive.stabilisation_rolled", **die(dice.roll(10), "die"), "failures": 1},
        {"type": "mobile_frame.damage_rolled", "dice": [die(dice.roll(8), "value")], "total": 3},
        {"type": "campaign.dice_rolled", "dice": [{"sides": 6, "natural": 3, "origin": "table", "proof": "none"}]},
        {"type": "campaign.dice_rolled", "dice": [die(second.roll(20)), die(second.roll(20))]},
        ended(),
    ]


def report(events: list[dict[str, Any]]) -> DiceReport:
    check = DiceCheck(CAMPAIGN)
    for seq, event in enumerate(events, 1):
        check.add(seq, f"action {seq}", event)
    return check.report()


def faults(events: list[dict[str, Any]]) -> list[tuple[int, str]]:
    return [(found.seq, found.fault) for found in report(events).faults]


def test_an_honest_log_has_no_fault_and_every_open_die_recomputes():
    assert report(log()) == DiceReport(recomputed=4, waiting=4, unproven=1, table=1, faults=[])


def test_before_the_end_of_their_epoch_dice_wait():
    assert report(log()[:-1]) == DiceReport(recomputed=0, waiting=8, unproven=1, table=1, faults=[])


def test_one_hidden_roll_recomputes_from_its_own_key_and_all_from_the_hidden_seed():
    assert report([*log(), proved(1)]) == DiceReport(6, 2, 1, 1, [])
    assert report([*log(), proved(1), proved(0)]) == DiceReport(8, 0, 1, 1, [])
    assert report([*log(), revealed()]) == DiceReport(8, 0, 1, 1, [])


def test_what_is_told_again_later_is_the_same_die():
    """FREE/FALL's action tells the dice again that an earlier clash has rolled."""
    events = log()
    again = [*events, {"type": "freefall.action_rolled", "dice": deepcopy(events[2]["dice"])}]
    assert report(again) == DiceReport(6, 4, 1, 1, [])


@pytest.mark.parametrize("seq", [3, 5, 6])
@pytest.mark.parametrize("late", [False, True])
def test_a_changed_face_is_found(seq: int, late: bool):
    """Whether it was changed before the seed was revealed, or afterwards."""
    events = log()
    found = events[seq - 1]["dice"][0] if "dice" in events[seq - 1] else events[seq - 1]
    name = next(name for name in ("natural", "value", "die") if name in found)
    found[name] = found[name] % found["sides"] + 1
    assert faults(events) == [(seq, "wrong_face")]
    assert report(events[: None if late else -1]).recomputed == (3 if late else 0)


def test_a_changed_size_is_found():
    events = log()
    events[2]["dice"][0]["sides"] = 19
    assert faults(events) == [(3, "wrong_face")]


def test_a_changed_hidden_face_is_found_by_either_proof():
    events = log()
    events[7]["dice"][1]["natural"] = events[7]["dice"][1]["natural"] % 20 + 1
    assert faults(events) == []
    assert faults([*events, proved(1)]) == [(8, "wrong_face")]
    assert faults([*events, revealed()]) == [(8, "wrong_face")]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (lambda events: events[8].update(seed=b"x".hex() * 32), [(9, "wrong_seed")]),
        (lambda events: events[8].update(seed="zz"), [(9, "wrong_seed")]),
        (lambda events: events[8].update(epoch=2), [(9, "no_such_epoch")]),
        (lambda events: events[8].update(epoch=10**40), [(9, "unreadable")]),
        (lambda events: events[1].update(epoch=None), [(2, "unreadable"), (3, "no_such_epoch")]),
        (lambda events: events[1].update(commitment=bytes(32).hex()), [(9, "wrong_seed")]),
        (
            lambda events: events.insert(7, begun(EpochSeeds(CAMPAIGN, 1, b"n" * 32, b"n" * 32))),
            [(8, "wrong_seed")],
        ),
        (lambda events: events.pop(4), [(8, "skipped_die")]),
        (lambda events: events[2]["dice"][0].update(proof="open:7:0"), [(3, "no_such_epoch"), (9, "skipped_die")]),
        (lambda events: events[2]["dice"][0].update(proof="magic"), [(3, "unreadable"), (9, "skipped_die")]),
        (lambda events: events[2]["dice"][0].update(sides=10**30), [(3, "unreadable"), (9, "skipped_die")]),
        (lambda events: events[2]["dice"][0].update(natural="6"), [(3, "unreadable"), (9, "skipped_die")]),
        (lambda events: events.append({"dice": [die(SEEDS.open_dice(4).roll(6))]}), [(10, "late_die")]),
        (lambda events: events.append({"dice": [die(SEEDS.hidden_dice(2).roll(6))]}), [(10, "late_die")]),
        (lambda events: events.append(proved(1) | {"roll": 0}), [(10, "wrong_seed")]),
        (lambda events: events.append(proved(1) | {"path": ["00"] * 8}), [(10, "wrong_seed")]),
        (lambda events: events.append(proved(1) | {"path": None}), [(10, "wrong_seed")]),
        (lambda events: events.append(proved(1) | {"key": None}), [(10, "wrong_seed")]),
        (lambda events: events.append(revealed() | {"seed": SEEDS.open_seed.hex()}), [(10, "wrong_seed")]),
    ],
)
def test_whatever_else_is_changed_is_named(
    change: Callable[[list[dict[str, Any]]], None], found: list[tuple[int, str]]
):
    events = log()
    change(events)
    assert faults(events)[: len(found)] == found


def test_another_campaign_has_other_dice():
    check = DiceCheck(UUID(int=1))
    for seq, event in enumerate(log(), 1):
        check.add(seq, f"action {seq}", event)
    assert {found.fault for found in check.report().faults} == {"wrong_face"}


def test_a_lost_seed_is_no_fault_but_proves_nothing():
    events = log()
    events[8]["seed"] = None
    assert report(events) == DiceReport(0, 8, 1, 1, [])


def test_faults_that_are_named_are_bounded():
    far = {"dice": [{"sides": 6, "natural": 1, "origin": "server", "proof": "open:1:999999999999"}]}
    assert len(report([begun(), far, ended()]).faults) == FAULTS_MAX


WORDS = "77" * 32
AFTER = with_words(b"", bytes.fromhex(WORDS))


def said(digest: str = WORDS) -> dict[str, Any]:
    return {"type": "campaign.dice_words_added", "account": "mara", "epoch": 1, "digest": digest}


def rolled(*dice: dict[str, Any], kind: str = "campaign.dice_rolled") -> dict[str, Any]:
    return {"type": kind, "dice": list(dice)}


def undone(action: int) -> dict[str, Any]:
    return {"type": "campaign.action_undone", "action_id": f"action {action}", "dice": [{"proof": "open:1:0"}]}


def redone(action: int) -> dict[str, Any]:
    return {"type": "campaign.action_redone", "action_id": f"action {action}"}


CAME_BACK = {"type": "campaign.dice_came_back", "action_id": "action 2"}
HIDDEN = {"type": "campaign.hidden"}
FIRST, SECOND = (die(fallen) for fallen in map(SEEDS.open_dice(0).roll, (1000, 1000)))
LATER = die(SEEDS.open_dice(1, AFTER, 1).roll(1000))
UNSEEN = die(SEEDS.hidden_dice(0, AFTER, 1).roll(1000))


def test_dice_after_words_recompute_with_them():
    events = [begun(), rolled(FIRST), said(), rolled(LATER), rolled(UNSEEN), ended(), proved(0)]
    assert report(events) == DiceReport(3, 0, 0, 0, [])
    assert (LATER["proof"], UNSEEN["proof"]) == ("open:1:1:w1", "hidden:1:0:0:w1")


@pytest.mark.parametrize(
    ("events", "found"),
    [
        ([rolled(FIRST), said(WORDS.replace("7", "8")), rolled(LATER)], [(5, "wrong_face")]),
        ([rolled(FIRST), said(), rolled(SECOND)], [(4, "wrong_words")]),
        ([rolled(FIRST), rolled(LATER), said()], [(3, "wrong_words")]),
        ([rolled(FIRST), rolled(LATER | {"proof": "open:1:1:w9"})], [(3, "wrong_words")]),
        ([said("77"), rolled(FIRST)], [(2, "wrong_words")]),
    ],
)
def test_words_that_are_not_those_that_were_said_are_found(
    events: list[dict[str, Any]], found: list[tuple[int, str]]
):
    named = faults([begun(), *events, ended()])
    assert {fault for _, fault in found} <= {fault for _, fault in named}
    assert named


ROLLED_AGAIN = [begun(), rolled(FIRST), undone(2), rolled(FIRST), ended()]
HELD_TWICE = [
    [rolled(FIRST), rolled(FIRST)],
    [rolled(FIRST), undone(2), redone(2), rolled(FIRST)],
    [rolled(FIRST), undone(2), rolled(FIRST), rolled(FIRST)],
    [rolled(FIRST), undone(2), rolled(FIRST), redone(2)],
    [rolled(FIRST), undone(2), rolled(FIRST | {"sides": 999})],
    [rolled(FIRST), undone(2), rolled(FIRST, kind="freefall.action_rolled"), rolled(FIRST)],
]


def test_a_die_falls_again_while_the_action_that_it_fell_in_is_undone():
    assert report(ROLLED_AGAIN) == DiceReport(2, 0, 0, 0, [])
    once_more = [*ROLLED_AGAIN[:-1], undone(4), rolled(FIRST), ended()]
    assert report(once_more) == DiceReport(3, 0, 0, 0, [])
    late = [*ROLLED_AGAIN, undone(4), rolled(FIRST)]
    assert report(late) == DiceReport(3, 0, 0, 0, []), "its seed may be public by then: everybody knew it before"
    counts_again = [begun(), rolled(FIRST), undone(2), rolled(FIRST), undone(4), redone(4), ended()]
    assert report(counts_again) == DiceReport(2, 0, 0, 0, [])


@pytest.mark.parametrize("events", HELD_TWICE)
def test_a_die_counts_in_one_action_only(events: list[dict[str, Any]]):
    assert "repeated_die" in {fault for _, fault in faults([begun(), *events, ended()])}


def test_a_check_that_takes_any_die_for_a_second_time_would_be_found_out(monkeypatch: pytest.MonkeyPatch):
    """Negative control."""
    monkeypatch.setattr(DiceCheck, "_falls_again", lambda *_, **__: True)
    assert faults([begun(), *HELD_TWICE[0], ended()]) == []


def test_a_check_that_takes_none_would_be_found_out(monkeypatch: pytest.MonkeyPatch):
    """Negative control."""
    monkeypatch.setattr(DiceCheck, "_falls_again", lambda *_, **__: False)
    assert faults(ROLLED_AGAIN) == [(4, "repeated_die")]


def test_a_check_that_leaves_words_out_would_be_found_out(monkeypatch: pytest.MonkeyPatch):
    """Negative control."""
    monkeypatch.setattr(audit, "with_words", lambda *_: b"")
    assert faults([begun(), said(), rolled(LATER | {"proof": "open:1:0:w1"}), ended()]) == [(3, "wrong_face")]


def in_actions(*actions: list[dict[str, Any]]) -> list[str]:
    check = DiceCheck(CAMPAIGN)
    for nth, events in enumerate(actions):
        for event in events:
            check.add(nth, f"action {nth}", event)
    return [found.fault for found in check.report().faults]


def test_what_came_back_from_a_roll_that_one_may_not_see_is_no_fault_to_whom_it_was_hidden():
    """Who sees everything knows that it never fell."""
    late = die(SEEDS.hidden_dice(0).roll(6))
    assert in_actions([begun()], [HIDDEN], [ended()], [rolled(late), CAME_BACK]) == []
    assert in_actions([begun()], [HIDDEN], [said()], [rolled(late), CAME_BACK]) == []
    assert in_actions([begun()], [ended()], [rolled(late), CAME_BACK]) == ["late_die"]
    assert in_actions([begun()], [said()], [rolled(late), CAME_BACK]) == ["wrong_words"]
    assert in_actions([begun()], [HIDDEN], [said()], [rolled(late)]) == ["wrong_words"]
    assert in_actions([begun()], [HIDDEN], [said()], [rolled(late)], [CAME_BACK]) == ["wrong_words"]


json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "epoch", "seed", "roll", "key", "path", "proof", "sides", "natural", "dice", "x"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)
kinds = st.sampled_from(
    [
        "campaign.dice_epoch_started",
        "campaign.dice_epoch_ended",
        "campaign.hidden_dice_revealed",
        "campaign.hidden_roll_proved",
        "campaign.dice_words_added",
        "campaign.action_undone",
        "campaign.action_redone",
        "campaign.dice_came_back",
        "campaign.dice_rolled",
    ]
)


@given(
    st.lists(
        st.tuples(
            st.none() | kinds,
            st.dictionaries(
                st.sampled_from(
                    [
                        "epoch",
                        "seed",
                        "roll",
                        "key",
                        "path",
                        "proof",
                        "sides",
                        "natural",
                        "dice",
                        "commitment",
                        "hidden_commitment",
                        "digest",
                        "action_id",
                    ]
                ),
                json | st.just(1) | st.just("open:1:0"),
            ),
        )
    )
)
def test_nothing_that_an_event_may_hold_breaks_the_check(made_up: list[tuple[str | None, dict[str, Any]]]):
    """Invariant 24: a file may say anything."""
    report([begun(), *({**fields, "type": kind} for kind, fields in made_up)])
