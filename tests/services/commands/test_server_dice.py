"""The service's dice, from the founding of a campaign to seeds that everybody may know."""

from hashlib import sha256
from random import Random
from typing import Any

import pytest

from domain.campaign.commands import (
    AcceptRestore,
    AddNote,
    EndDiceEpoch,
    ProveHiddenRoll,
    RevealHiddenDice,
    RollDice,
    SetSetting,
)
from domain.campaign.dice.dice_after_undo import DiceBack
from domain.campaign.dice.epochs import EPOCHS_KEPT
from domain.campaign.dice.server_dice import require_all_kept
from domain.campaign.events import DiceEpochEnded, DiceEpochStarted, DiceRolled, HiddenDiceRevealed
from domain.campaign.evolve import evolve, evolve_undone
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.timers import ScheduleTimer
from domain.campaign.state import CampaignState, ServerDice, WaitingDie
from domain.campaign.storage.event_codec import decode_event
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.dice.die_proofs import read_proof
from domain.dice.key_tree import climbed
from domain.dice.seeded_dice import HIDDEN_ROLLS, commitment, face, hidden_commitment, roll_key
from domain.event_store_types import SealedSeeds
from infra.machine.entropy import EntropyDice
from services.commands.append_batch import AppendBatch
from services.commands.run_due import RunDue, run_due
from tests.services.calendar_played import CAMPAIGN, CalendarPlayed
from tests.services.conftest import Table
from tests.services.deciding import Deciding
from tests.services.hiding import hidden
from tests.services.undoing import undo

pytestmark = pytest.mark.anyio


@pytest.fixture
async def played() -> Deciding:
    return Deciding()


def dice_of(events: list[Any]) -> list[Any]:
    return [die for event in events if isinstance(event, DiceRolled) for die in event.dice]


async def test_a_campaign_begins_with_seeds_that_are_committed_to(played):
    started = played.events[-2]
    assert started == DiceEpochStarted(
        1, played.hot.seeds.commitment.hex(), played.hot.seeds.hidden_commitment.hex()
    )
    assert played.hot.seeds.open_seed != played.hot.seeds.hidden_seed
    assert [epoch.epoch for epoch in played.hot.state.dice.epochs] == [1]


async def test_every_die_recomputes_from_the_seed_that_is_revealed(played):
    """Invariant 19, over random rolls of all kinds and three epochs."""
    chance = Random(19)  # noqa: S311 — the same rolls every time
    for nth in range(120):
        notation = (
            f"{chance.randint(1, 5)}d{chance.choice([2, 4, 6, 7, 20, 100, 1000])}{chance.choice(['', '!', 'kh1'])}"
        )
        played.do(RollDice(notation), visibility=chance.choice(["all", "all", "gm", "blind"]))
        if nth % 40 == 39:
            played.do(EndDiceEpoch())
    for epoch in (1, 2, 3):
        played.do(RevealHiddenDice(epoch), seeds=played.seeds[epoch])
    opened = {event.epoch: event.seed or "" for event in played.events if isinstance(event, DiceEpochEnded)}
    hidden = {event.epoch: event.seed for event in played.events if isinstance(event, HiddenDiceRevealed)}
    committed = {event.epoch: event for event in played.events if isinstance(event, DiceEpochStarted)}
    for epoch in (1, 2, 3):
        assert commitment(bytes.fromhex(opened[epoch])).hex() == committed[epoch].commitment
        published = hidden_commitment(bytes.fromhex(hidden[epoch]), played.campaign_id, epoch)
        assert published.hex() == committed[epoch].hidden_commitment
    fallen = dice_of(played.events)
    for die in fallen:
        proof = read_proof(die.proof)
        assert proof is not None
        key = bytes.fromhex(opened[proof.epoch])
        if proof.roll is not None:
            key = roll_key(bytes.fromhex(hidden[proof.epoch]), played.campaign_id, proof.epoch, proof.roll)
        assert face(key, played.campaign_id, proof.epoch, proof.nonce, die.sides) == die.natural
    assert len(fallen) > 300


async def test_open_nonces_have_no_gap_and_no_die_has_the_place_of_another(played):
    """Invariant 20. Hidden rolls between them use up nothing of the open chain, which tells nothing of them."""
    for visibility in ("all", "gm", "all", "blind", "all"):
        played.do(RollDice("3d6"), visibility=visibility)
    played.refused(RollDice("3d"))
    played.do(RollDice("2d6"))
    assert [die.proof for die in dice_of(played.events)] == [
        *(f"open:1:{nonce}" for nonce in range(3)),
        *(f"hidden:1:0:{nonce}" for nonce in range(3)),
        *(f"open:1:{nonce}" for nonce in range(3, 6)),
        *(f"hidden:1:1:{nonce}" for nonce in range(3)),
        *(f"open:1:{nonce}" for nonce in range(6, 11)),
    ]


async def test_no_undo_gives_anyone_new_dice(played):
    """Invariant 20: whatever is struck, the folded state draws the same next die."""
    for nth in range(8):
        played.do(RollDice("2d20"), visibility="gm" if nth % 3 == 0 else "all")
        played.do(AddNote("something"))
        if nth == 5:
            played.do(EndDiceEpoch())
    events = [decode_event(row) for row in played.rows]
    for struck in range(2, len(events)):
        state = CampaignState()
        for nth, event in enumerate(events):
            state = evolve_undone(state, event) if nth == struck else evolve(state, event)
        assert state.dice == played.hot.state.dice


async def test_dice_of_the_table_and_notes_use_up_nothing(played):
    before = decode_state(encode_state(played.hot.state)).dice
    played.do(RollDice("2d6"), dice=[(6, 1), (6, 2)])
    played.do(AddNote("well rolled"))
    assert played.hot.state.dice == before


async def test_the_seed_of_an_ended_epoch_is_public_and_new_ones_follow(played):
    played.do(RollDice("5d6"))
    old = played.hot.seeds
    ended, started = played.do(EndDiceEpoch())
    assert ended == DiceEpochEnded(1, old.open_seed.hex(), "asked")
    assert sha256(bytes.fromhex(ended.seed)).digest() == old.commitment
    assert started.epoch == 2
    assert played.hot.seeds.open_seed not in (old.open_seed, old.hidden_seed)
    assert dice_of(played.do(RollDice("d6")))[0].proof == "open:2:0"
    first, second = played.hot.state.dice.epochs
    assert (first.ended, first.seed, first.hidden_seed) == ("asked", ended.seed, None)
    assert (second.ended, second.seed) == (None, None)


async def test_the_hidden_seed_stays_secret_until_a_gm_says_otherwise_and_the_epoch_has_ended(played):
    played.do(RollDice("d20"), visibility="gm")
    old = played.hot.seeds
    assert played.refused(RevealHiddenDice(1), seeds=old) == "dice_epoch_open"
    played.do(EndDiceEpoch())
    assert played.refused(RevealHiddenDice(1), played.player, seeds=old) == "gm_only"
    assert played.refused(RevealHiddenDice(3)) == "unknown_dice_epoch"
    assert played.refused(RevealHiddenDice(1)) == "dice_key_missing", (
        "the open epoch's seeds are not the ones meant"
    )
    assert played.do(RevealHiddenDice(1), seeds=old) == [HiddenDiceRevealed(1, old.hidden_seed.hex())]
    assert played.do(RevealHiddenDice(1), seeds=old) == [], "it is public already"


async def test_one_hidden_roll_is_proved_by_its_own_key_while_the_others_stay_hidden(played):
    for _ in range(3):
        played.do(RollDice("2d20"), visibility="gm")
    [proved] = played.do(ProveHiddenRoll(epoch=1, roll=1), seeds=played.hot.seeds)
    key = bytes.fromhex(proved.key)
    root = climbed(key, proved.roll, [bytes.fromhex(node) for node in proved.path])
    assert root.hex() == played.hot.state.dice.epochs[0].hidden_commitment
    rolled = dice_of(played.events)[2:4]
    assert [face(key, played.campaign_id, 1, nonce, 20) for nonce in (0, 1)] == [die.natural for die in rolled]
    assert played.refused(ProveHiddenRoll(epoch=1, roll=3)) == "unknown_hidden_roll"
    assert played.refused(ProveHiddenRoll(epoch=2, roll=0)) == "unknown_dice_epoch"
    assert played.refused(ProveHiddenRoll(epoch=1, roll=1), played.player) == "gm_only"


async def test_after_the_last_hidden_roll_that_was_committed_to_comes_a_new_epoch(played):
    played.hot.state.dice.hidden_roll = HIDDEN_ROLLS - 1
    played.do(RollDice("d6"))
    assert played.hot.state.dice.epoch == 1, "an open roll uses up no hidden one"
    before = len(played.rows)
    rolled, ended, started = played.do(RollDice("2d6"), visibility="gm")
    assert [die.proof for die in rolled.dice] == ["hidden:1:255:0", "hidden:1:255:1"]
    assert (ended.epoch, ended.reason, started.epoch) == (1, "used_up", 2)
    assert [row.visibility for row in played.rows[before:]] == ["gm", "all", "all"]
    assert dice_of(played.do(RollDice("d6"), visibility="gm"))[0].proof == "hidden:2:0:0"


async def test_without_the_key_only_dice_of_the_table_fall(played):
    played.do(RollDice("d6"))
    played.hot.seeds = None
    assert played.refused(RollDice("d6")) == "dice_key_missing"
    assert played.refused(EndDiceEpoch()) == "dice_key_missing"
    played.do(RollDice("d6"), dice=[(6, 3)])
    played.do(AddNote("we go on"))
    assert played.hot.state.dice.nonce == 1


async def test_a_restored_log_goes_on_with_seeds_of_its_own_even_if_the_old_ones_are_lost(played):
    lost = played.hot.seeds
    ended, started = played.do(AcceptRestore())
    assert ended == DiceEpochEnded(1, lost.open_seed.hex(), "restored")
    played.hot.seeds = None
    ended, started = played.do(AcceptRestore())
    assert ended == DiceEpochEnded(2, None, "restored")
    assert dice_of(played.do(RollDice("d6")))[0].proof == "open:3:0"
    assert started.epoch == 3


async def test_a_campaign_from_before_the_first_epoch_begins_it_with_its_next_action(played):
    played.hot.state.dice, played.hot.seeds = ServerDice(), None
    rolled, started = played.do(RollDice("2d6"))
    assert [die.proof for die in rolled.dice] == ["none", "none"]
    assert started.epoch == 1
    assert dice_of(played.do(RollDice("d6")))[0].proof == "open:1:0"


async def test_an_epoch_that_a_timer_starts_has_its_seeds_sealed_with_it():
    """Invariant 20: without them, no die of that epoch could ever be rolled or proved."""
    table = CalendarPlayed()
    table.do("ana", ScheduleTimer("Rent is due", Span(hours=1), clock="real"))
    table.hot.state.dice, table.hot.seeds = ServerDice(), None  # a campaign from before there were epochs
    batch = AppendBatch(CAMPAIGN, table.hot)
    now, command = table.now + 3_600_000_000, RunDue(real_time=table.now + 3_600_000_000)
    run = run_due(CAMPAIGN, table.hot, now, EntropyDice, table.entropy, command, batch.add, lambda: False)
    fired, started = run.events
    assert (fired.title, type(started)) == ("Rent is due", DiceEpochStarted)
    sealed = batch.seal(table.entropy.salts, lambda seeds: SealedSeeds(seeds.epoch, seeds.commitment))
    assert [(each.epoch, each.ciphertext.hex()) for each in sealed.seeds] == [(1, started.commitment)]
    [committed_to] = [each.seeds for each in run.actions]
    assert committed_to == table.hot.seeds, "the next die falls from them"


async def test_a_setting_says_whose_dice_count_as_before(played):
    played.do(SetSetting("campaign.dice_origins", "table"))
    assert played.refused(RollDice("d6")) == "table_dice_wanted"
    played.do(SetSetting("campaign.dice_origins", "server"))
    assert played.refused(RollDice("d6"), dice=[(6, 1)]) == "table_dice_not_allowed"


async def test_what_becomes_public_becomes_so_for_everybody(played):
    assert played.refused(EndDiceEpoch(), visibility="gm") == "cannot_be_hidden"
    assert played.refused(RevealHiddenDice(1), visibility="gm") == "cannot_be_hidden"
    played.do(RollDice("d6"), visibility="gm")
    shown = f"account:{played.player}"
    played.do(ProveHiddenRoll(epoch=1, roll=0), seeds=played.hot.seeds, visibility=shown)
    assert played.rows[-1].visibility == shown, "one hidden roll can be proved to one player"


async def test_only_a_gm_ends_an_epoch(played):
    assert played.refused(EndDiceEpoch(), played.player) == "gm_only"


async def test_a_rule_that_throws_dice_away_is_stopped(played):
    for waiting in ([], [WaitingDie(6, 3, "open:1:0", None, "all", is_free=True, action_id=played.campaign_id)]):
        dice = DiceBack(waiting, lambda _: True, played.hot.seeds.open_dice(1))
        dice.roll(6)
        with pytest.raises(AssertionError, match="not kept"):
            require_all_kept(dice, [])
    dice = played.hot.seeds.open_dice(0)
    dice.roll(6)
    with pytest.raises(AssertionError, match="not kept"):
        require_all_kept(dice, [])


async def test_what_a_state_keeps_of_epochs_is_bounded():
    state = CampaignState()
    for epoch in range(1, EPOCHS_KEPT + 51):
        state = evolve(state, DiceEpochStarted(epoch, "", ""))
        state = evolve(state, DiceEpochEnded(epoch, "", "asked"))
    assert [epoch.epoch for epoch in state.dice.epochs] == list(range(51, EPOCHS_KEPT + 51))


@pytest.mark.parametrize("before", ["nothing", "a hidden pilot", "an undone roll", "a hidden entry"])
def test_a_hidden_roll_is_proved_whatever_else_is_hidden(table: Table, before: str):
    """Which hidden rolls there were is a fact, whatever those know to whom one is proved."""
    for nth in range(3):
        if nth == 1 and before == "a hidden pilot":
            table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
            hidden(table, "frame_state.create_pilot", name="The mole")
        if nth == 1 and before == "a hidden entry":
            money = {"currency": "credits", "debit": "world:docks", "credit": "crew", "amount": 5}
            entry = {"type": "campaign.post_entry", "reason": "a bribe", "new": True, **money}
            bribed = table.gm.post(f"{table.path}/actions", {"command": entry, "visibility": "gm"})
            assert bribed.status_code == 201, bribed.text
        rolled = hidden(table, "campaign.roll", notation=f"{nth + 1}d20")
        if nth == 1 and before == "an undone roll":
            assert undo(table, table.gm, rolled).status_code == 201
    for nth in range(3):
        proved = table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=nth)
        assert [event["roll"] for event in proved["events"]] == [nth]
    own = f"account:{table.player.account_id}"
    proof = {"type": "campaign.prove_hidden_roll", "epoch": 1, "roll": 1}
    shown = table.gm.post(f"{table.path}/actions", {"command": proof, "visibility": own})
    assert shown.status_code == 201, shown.text
    assert table.refused(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=3) == (422, "unknown_hidden_roll")
    assert table.gm.get(f"{table.path}/verify").json()["dice"]["waiting"] == 0
