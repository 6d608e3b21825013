"""Server dice follow from their seed alone, and what was committed to binds all of them."""

import hashlib
import hmac
from struct import pack, unpack
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.dice import Die
from domain.dice import seeded_dice as seeds_module
from domain.dice.die_proofs import Proof, proofs_in, read_proof
from domain.dice.key_tree import climbed, path, root
from domain.dice.rolls import CountedDie
from domain.dice.seeded_dice import HIDDEN_ROLLS, EpochSeeds, face, fair_face, with_words
from domain.systems.freefall.events import ConflictRolled

CAMPAIGN = UUID("5f0c2a91-e3b4-4c55-9d3a-2f1b7c8d9e0f")
SEEDS = EpochSeeds(CAMPAIGN, 3, bytes(range(32)), bytes(range(32, 64)))


def by_hand(key: bytes, nonce: int, sides: int, words: bytes = b"") -> int:
    """The face as `docs/play/dice.md` describes it, written once more."""
    block = 0
    while True:
        message = CAMPAIGN.bytes + pack(">IQI", 3, nonce, block) + words
        for number in unpack(">8I", hmac.new(key, message, hashlib.sha256).digest()):
            if number < 2**32 // sides * sides:
                return int(number % sides) + 1
        block += 1


def test_a_die_is_the_one_that_its_description_gives():
    dice = SEEDS.open_dice(17)
    assert [dice.roll(sides) for sides in (20, 6, 1000)] == [
        Die(sides, by_hand(SEEDS.open_seed, nonce, sides), "server", f"open:3:{nonce}")
        for nonce, sides in ((17, 20), (18, 6), (19, 1000))
    ]
    assert dice.proofs == ["open:3:17", "open:3:18", "open:3:19"]


def test_the_dice_of_a_hidden_roll_follow_from_its_own_key():
    key = hmac.new(SEEDS.hidden_seed, CAMPAIGN.bytes + pack(">IQI", 3, 5, 0), hashlib.sha256).digest()
    assert SEEDS.key_of(5) == key
    dice = SEEDS.hidden_dice(5)
    assert [dice.roll(20), dice.roll(8)] == [
        Die(20, by_hand(key, 0, 20), "server", "hidden:3:5:0"),
        Die(8, by_hand(key, 1, 8), "server", "hidden:3:5:1"),
    ]


def test_known_faces_stay_what_they_are():
    """What was stored must recompute for ever: this list never changes."""
    faces = [SEEDS.open_dice(nonce).roll(20).natural for nonce in range(12)]
    assert faces == KNOWN_FACES
    assert SEEDS.commitment.hex() == KNOWN_COMMITMENT
    assert SEEDS.hidden_commitment.hex() == KNOWN_HIDDEN_COMMITMENT


WORDS = with_words(with_words(b"", b"a" * 32), b"b" * 32)


def test_words_take_part_in_open_and_in_hidden_dice():
    assert hashlib.sha256(hashlib.sha256(b"a" * 32).digest() + b"b" * 32).digest() == WORDS
    dice, hidden = SEEDS.open_dice(17, WORDS, 2), SEEDS.hidden_dice(5, WORDS, 2)
    assert dice.roll(1000) == Die(1000, by_hand(SEEDS.open_seed, 17, 1000, WORDS), "server", "open:3:17:w2")
    assert hidden.roll(1000) == Die(1000, by_hand(SEEDS.key_of(5), 0, 1000, WORDS), "server", "hidden:3:5:0:w2")


def faces_after(words: bytes) -> list[int]:
    return [SEEDS.open_dice(nonce, words, 2).roll(20).natural for nonce in range(12)]


def test_known_faces_after_words_stay_what_they_are():
    assert faces_after(WORDS) == KNOWN_FACES_AFTER_WORDS
    assert faces_after(b"") == KNOWN_FACES


def test_dice_that_leave_words_out_of_their_message_would_be_found_out(monkeypatch):
    """Negative control."""
    whole = seeds_module.face
    monkeypatch.setattr(seeds_module, "face", lambda *die: whole(*die[:5]))
    assert faces_after(WORDS) == KNOWN_FACES


KNOWN_FACES_AFTER_WORDS = [1, 11, 15, 14, 12, 4, 15, 16, 15, 17, 14, 3]
KNOWN_FACES = [7, 18, 7, 20, 5, 1, 8, 14, 13, 13, 8, 17]
KNOWN_COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
KNOWN_HIDDEN_COMMITMENT = "4b33ea568d1be8c3cd8dc06d5b54e64ca3a31e41834071f93b91c398ee7506df"


@given(st.integers(2, 1000), st.lists(st.integers(0, 2**32 - 1), min_size=8, max_size=8))
def test_the_first_number_that_favours_no_face_decides(sides: int, numbers: list[int]):
    limit = 2**32 - 2**32 % sides
    fair = [number for number in numbers if number < limit]
    found = fair_face(pack(">8I", *numbers), sides)
    assert found == (fair[0] % sides + 1 if fair else None)


def test_numbers_that_would_favour_low_faces_decide_nothing():
    too_large = 2**32 // 20 * 20
    assert fair_face(pack(">8I", *range(too_large, too_large + 8)), 20) is None
    assert fair_face(pack(">8I", *range(too_large, too_large + 7), 19), 20) == 20


def test_where_a_block_decides_nothing_the_next_one_does():
    """Never seen with real dice: half of all numbers are of no use to one with 2³¹ + 1 sides."""
    sides = 2**31 + 1
    first_blocks = [
        fair_face(hmac.digest(SEEDS.open_seed, CAMPAIGN.bytes + pack(">IQI", 3, nonce, 0), "sha256"), sides)
        for nonce in range(2000)
    ]
    assert None in first_blocks
    assert [face(SEEDS.open_seed, CAMPAIGN, 3, nonce, sides) for nonce in range(2000)] == [
        by_hand(SEEDS.open_seed, nonce, sides) for nonce in range(2000)
    ]


def test_one_key_is_proved_without_the_others():
    for roll in (0, 1, 100, HIDDEN_ROLLS - 1):
        neighbours = SEEDS.path_of(roll)
        assert len(neighbours) == 8
        assert climbed(SEEDS.key_of(roll), roll, neighbours) == SEEDS.hidden_commitment


@pytest.mark.parametrize("wrong", ["key", "place", "path"])
def test_another_key_place_or_path_leads_elsewhere(wrong: str):
    """Negative control."""
    key, place, neighbours = SEEDS.key_of(7), 7, SEEDS.path_of(7)
    changed = {
        "key": (SEEDS.key_of(8), place, neighbours),
        "place": (key, 6, neighbours),
        "path": (key, place, [*neighbours[:-1], bytes(32)]),
    }
    assert climbed(*changed[wrong]) != SEEDS.hidden_commitment


@given(st.integers(0, 4), st.data())
def test_every_place_of_every_tree_climbs_to_its_root(height: int, data: st.DataObject):
    keys = [bytes([nth]) * 32 for nth in range(2**height)]
    place = data.draw(st.integers(0, len(keys) - 1))
    assert climbed(keys[place], place, path(keys, place)) == root(keys)


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**15 - 1), st.integers(0, 10**9 - 1))
def test_a_proof_is_read_as_it_was_written(epoch: int, nonce: int, roll: int):
    assert read_proof(f"open:{epoch}:{nonce}") == Proof(epoch, nonce)
    assert read_proof(f"hidden:{epoch}:{roll}:{nonce}") == Proof(epoch, nonce, roll)
    assert read_proof(f"open:{epoch}:{nonce}:w7") == Proof(epoch, nonce, words=7)
    assert read_proof(f"hidden:{epoch}:{roll}:{nonce}:w7") == Proof(epoch, nonce, roll, 7)


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "",
        "open:1",
        "open:1:2:3",
        "hidden:1:2",
        "open:\u0661:2",
        "open:1:2\n",
        "open:1:2:w0",
        "open:1:2:w",
        "9" * 99,
    ],
)
def test_what_is_no_proof_is_read_as_none(text: str):
    assert read_proof(text) is None


def test_dice_are_found_wherever_a_rule_keeps_them():
    die = Die(6, 4, "server", "open:1:0")
    dice = {"a": [die], "b": [Die(6, 1, "server", "open:1:1")]}
    conflict = ConflictRolled("c", None, [], dice, {}, {}, {}, None, tie=True, tied=[], decided_by=None)
    assert proofs_in(conflict) == ["open:1:0", "open:1:1"]
    counted = CountedDie(0, "roll", 6, 4, 4, "server", "open:1:2", kept=True)
    assert proofs_in([counted, counted]) == ["open:1:2"] * 2
