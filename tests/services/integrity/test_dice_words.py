"""Words of the members in the service's dice: whoever chose the seeds did not know them."""

from hashlib import sha256
from typing import Any

import pytest

from domain.campaign.commands import AddDiceWords, EndDiceEpoch, RollDice
from domain.campaign.events import DiceWordsAdded
from domain.campaign.state import ServerDice
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.dice.seeded_dice import face, with_words
from tests.services.conftest import Person, Table
from tests.services.deciding import Deciding
from tests.services.dice_back import faces, roll, verify
from tests.services.hiding import hidden
from tests.services.transfers import forked
from tests.services.undoing import undo

OURS, THEIRS = (sha256(words).hexdigest() for words in (b"the sea gives", b"and takes"))


@pytest.mark.anyio
async def test_all_words_so_far_decide_every_later_die_open_and_hidden():
    played = Deciding()
    seeds = played.hot.seeds
    assert seeds is not None
    before = played.do(RollDice("d1000"))[0].dice[0]
    assert before.natural == face(seeds.open_seed, played.campaign_id, 1, 0, 1000), "without words, as ever"
    assert played.do(AddDiceWords(OURS), played.player) == [DiceWordsAdded(played.player, 1, OURS)]
    played.do(AddDiceWords(THEIRS))
    words = with_words(with_words(b"", bytes.fromhex(OURS)), bytes.fromhex(THEIRS))
    [rolled] = played.do(RollDice("2d1000"))
    assert [(die.proof, die.natural) for die in rolled.dice] == [
        (f"open:1:{nonce}:w2", face(seeds.open_seed, played.campaign_id, 1, nonce, 1000, words))
        for nonce in (1, 2)
    ]
    [secret] = played.do(RollDice("d1000"), visibility="gm")
    key = seeds.key_of(0)
    assert (secret.dice[0].proof, secret.dice[0].natural) == (
        "hidden:1:0:0:w2",
        face(key, played.campaign_id, 1, 0, 1000, words),
    )
    assert (played.hot.state.dice.nonce, played.hot.state.dice.hidden_roll) == (3, 1)


@pytest.mark.anyio
async def test_words_count_for_the_epoch_in_which_they_are_said():
    played = Deciding()
    played.do(AddDiceWords(OURS))
    played.do(EndDiceEpoch())
    assert (played.hot.state.dice.words, played.hot.state.dice.said) == ("", 0)
    assert played.do(RollDice("d6"))[0].dice[0].proof == "open:2:0"


@pytest.mark.anyio
async def test_words_outlive_a_snapshot():
    played = Deciding()
    played.do(AddDiceWords(OURS))
    played.hot.state = decode_state(encode_state(played.hot.state))
    assert played.do(RollDice("d6"))[0].dice[0].proof == "open:1:0:w1"


@pytest.mark.anyio
async def test_words_are_for_everybody_to_read_and_for_an_epoch_that_has_begun():
    played = Deciding()
    assert played.refused(AddDiceWords(OURS), visibility="gm") == "cannot_be_hidden"
    played.hot.state.dice, played.hot.seeds = ServerDice(), None
    assert played.refused(AddDiceWords(OURS)) == "no_dice_epoch"


@pytest.mark.parametrize("digest", ["", "ab" * 31, "AB" * 32, "zz" * 32, "ab" * 32 + "\n", 7])
def test_words_are_32_bytes(table: Table, digest: Any):
    assert table.refused(table.player, "campaign.add_dice_words", digest=digest) == (400, "malformed")


def test_every_member_adds_words_and_everybody_reads_so(table: Table):
    observer = Person(table.player.client, "Olga")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    observer.post(f"/invites/{code}/accept")
    for who in (table.gm, table.player, observer):
        added = table.act(who, "campaign.add_dice_words", digest=OURS)
        assert added["summary"] == [f"{who.name} added words to the dice of epoch 1"]
    seen = table.player.get(f"{table.path}/dice").json()
    words = b""
    for _ in range(3):
        words = with_words(words, bytes.fromhex(OURS))
    assert (seen["words"], seen["words_digest"]) == (3, words.hex())
    refused = undo(table, table.gm, added["action_id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


def test_a_log_with_words_verifies_and_dice_that_come_back_keep_the_words_that_they_fell_after(table: Table):
    first = roll(table, table.player, "2d20")
    table.act(table.player, "campaign.add_dice_words", digest=OURS)
    roll(table, table.gm, "2d20")
    secret = hidden(table, "campaign.roll", notation="3d8")
    undo(table, table.gm, first["action_id"])
    table.act(table.gm, "campaign.add_dice_words", digest=THEIRS)
    again = roll(table, table.player, "3d20")
    assert faces(again)[:2] == faces(first)
    assert [die["proof"] for die in faces(again)] == ["open:1:0", "open:1:1", "open:1:4:w2"]
    table.act(table.gm, "campaign.end_dice_epoch")
    table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=0)
    assert verify(table, table.gm) == {"recomputed": 10, "waiting": 0, "unproven": 0, "table": 0, "faults": []}
    table.act(table.gm, "campaign.reveal_action", action_id=secret)
    assert verify(table, table.player)["recomputed"] == 10


def test_a_fork_starts_without_words(table: Table):
    table.act(table.player, "campaign.add_dice_words", digest=OURS)
    other = forked(table)
    seen = other.gm.get(f"{other.path}/dice").json()
    assert (seen["words"], seen["words_digest"]) == (0, None)
    assert faces(roll(other, other.gm, "d20"))[0]["proof"] == "open:1:0"
    verify(other, other.gm)
