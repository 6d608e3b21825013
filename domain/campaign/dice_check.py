"""Whether every die of a log is the one that its seed decides, from the events alone.

Events come as plain JSON, oldest first, as they are exported and stored. Nobody is asked: what was committed to,
what was revealed, and the dice are all in them.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Literal, TypeGuard
from uuid import UUID

from msgspec import Struct, field

from domain.dice.key_tree import climbed
from domain.dice.notation import SIDES_MAX, SIDES_MIN
from domain.dice.proofs import KEPT_BACK, UNPROVEN, Proof, read_proof
from domain.dice.seeds import SEED_BYTES, commitment, face, hidden_commitment, roll_key

FAULTS_MAX = 100
"""So many faults are named; one is enough to know."""

FACE_FIELDS = ("natural", "value", "die")
"""Under which name the rule systems keep a die's face; where several are there, the first one is it."""

Fault = Literal["wrong_face", "wrong_seed", "no_such_epoch", "late_die", "skipped_die", "unreadable"]


class DiceFault(Struct, frozen=True):
    """Something that an honest service never writes: what, in which event, and about which die or seed.

    `wrong_face`: the seed decides another one. `wrong_seed`: it is not what was committed to. `no_such_epoch`: the
    die claims seeds that were not committed to before. `late_die`: its seed was public when it fell.
    `skipped_die`: an open die was drawn and is in no event. `unreadable`: this cannot be checked.
    """

    seq: int
    fault: Fault
    about: str


class DiceReport(Struct, frozen=True):
    """How many dice were recomputed, and how many could not be yet, or ever.

    `waiting` are dice whose seed, or place in it, is still secret, `unproven` the service's from before the first
    epoch, `table` those that the group rolled itself.
    """

    recomputed: int
    waiting: int
    unproven: int
    table: int
    faults: list[DiceFault]


class _Die(Struct, frozen=True):
    """A die that claims a place in an epoch."""

    seq: int
    text: str
    proof: Proof
    sides: int
    natural: int


class _Epoch(Struct):
    """What is known of one epoch. `drawn` are the open nonces that were seen, `rolls` how many hidden rolls."""

    commitment: str
    hidden_commitment: str
    ended: bool = False
    open_seed: bytes | None = None
    hidden_seed: bytes | None = None
    keys: dict[int, bytes] = field(default_factory=dict)
    drawn: set[int] = field(default_factory=set)
    rolls: int = 0
    waiting: list[_Die] = field(default_factory=list)


class DiceCheck:
    """Takes a campaign's events one after the other and recomputes their dice as soon as that is possible."""

    def __init__(self, campaign: UUID) -> None:
        self._campaign = campaign
        self._epochs: dict[int, _Epoch] = {}
        self._recomputed = self._unproven = self._table = self._kept_back = 0
        self._faults: list[DiceFault] = []

    def add(self, seq: int, event: Mapping[str, Any]) -> None:
        """Look at one more event. What is not as it should be is a fault in the report, never an error."""
        kind = event.get("type")
        if kind not in _ABOUT_EPOCHS:
            for die in _dice_in(event):
                self._look_at(seq, die)
            return
        number = event.get("epoch")
        if not _is_whole(number):
            self.fault(seq, "unreadable", f"{kind} of no epoch")
        elif kind == "campaign.dice_epoch_started":
            self._start(seq, number, event)
        elif number not in self._epochs:
            self.fault(seq, "no_such_epoch", f"epoch {number}")
        elif kind == "campaign.dice_epoch_ended":
            self._end(seq, number, event.get("seed"))
        elif kind == "campaign.hidden_dice_revealed":
            self._reveal_hidden(seq, number, event.get("seed"))
        else:
            self._prove(seq, number, event)

    def fault(self, seq: int, fault: Fault, about: str) -> None:
        """Note a fault."""
        if len(self._faults) < FAULTS_MAX:
            self._faults.append(DiceFault(seq, fault, about))

    def report(self) -> DiceReport:
        """What was found so far."""
        waiting = self._kept_back + sum(len(epoch.waiting) for epoch in self._epochs.values())
        return DiceReport(self._recomputed, waiting, self._unproven, self._table, list(self._faults))

    def _look_at(self, seq: int, found: Mapping[str, Any]) -> None:
        text = found["proof"]
        if text == UNPROVEN:
            self._table += found.get("origin") == "table"
            self._unproven += found.get("origin") != "table"
            return
        if text == KEPT_BACK:
            self._kept_back += 1
            return
        proof = read_proof(text)
        sides, natural = found.get("sides"), next((found[name] for name in FACE_FIELDS if name in found), None)
        if proof is None or type(natural) is not int or type(sides) is not int or not _is_size(sides):
            self.fault(seq, "unreadable", text[:100])
            return
        epoch = self._epochs.get(proof.epoch)
        if epoch is None:
            self.fault(seq, "no_such_epoch", text)
            return
        if epoch.ended and not _fell_before(epoch, proof):
            self.fault(seq, "late_die", text)
        if proof.roll is None:
            epoch.drawn.add(proof.nonce)
        else:
            epoch.rolls = max(epoch.rolls, proof.roll + 1)
        self._judge(epoch, _Die(seq, text, proof, sides, natural))

    def _judge(self, epoch: _Epoch, die: _Die) -> None:
        """Recompute a die, or keep it until its key is public."""
        proof = die.proof
        key = epoch.open_seed if proof.roll is None else self._key_of(epoch, proof)
        if key is None:
            epoch.waiting.append(die)
            return
        if face(key, self._campaign, proof.epoch, proof.nonce, die.sides) == die.natural:
            self._recomputed += 1
        else:
            self.fault(die.seq, "wrong_face", die.text)

    def _key_of(self, epoch: _Epoch, proof: Proof) -> bytes | None:
        assert proof.roll is not None
        if epoch.hidden_seed is not None:
            return roll_key(epoch.hidden_seed, self._campaign, proof.epoch, proof.roll)
        return epoch.keys.get(proof.roll)

    def _judge_waiting(self, epoch: _Epoch) -> None:
        waiting, epoch.waiting = epoch.waiting, []
        for die in waiting:
            self._judge(epoch, die)

    def _start(self, seq: int, number: int, event: Mapping[str, Any]) -> None:
        if number in self._epochs:
            self.fault(seq, "wrong_seed", f"epoch {number} began before, with other seeds")
            return
        self._epochs[number] = _Epoch(str(event.get("commitment")), str(event.get("hidden_commitment")))

    def _end(self, seq: int, number: int, seed: Any) -> None:
        epoch = self._epochs[number]
        skipped = (nonce for nonce in range(max(epoch.drawn, default=-1)) if nonce not in epoch.drawn)
        for nonce in islice(skipped, FAULTS_MAX):
            self.fault(seq, "skipped_die", f"open:{number}:{nonce}")
        epoch.ended = True
        if seed is None:
            return  # lost: its dice wait for ever
        known = _bytes(seed)
        if known is None or commitment(known).hex() != epoch.commitment:
            self.fault(seq, "wrong_seed", f"epoch {number}")
            return
        epoch.open_seed = known
        self._judge_waiting(epoch)

    def _reveal_hidden(self, seq: int, number: int, seed: Any) -> None:
        epoch, known = self._epochs[number], _bytes(seed)
        if known is None or hidden_commitment(known, self._campaign, number).hex() != epoch.hidden_commitment:
            self.fault(seq, "wrong_seed", f"hidden seed of epoch {number}")
            return
        epoch.hidden_seed = known
        self._judge_waiting(epoch)

    def _prove(self, seq: int, number: int, event: Mapping[str, Any]) -> None:
        epoch, roll, key = self._epochs[number], event.get("roll"), _bytes(event.get("key"))
        path = event.get("path")
        nodes = [node for each in path if (node := _bytes(each))] if isinstance(path, list) else []
        if key is None or not _is_whole(roll) or climbed(key, roll, nodes).hex() != epoch.hidden_commitment:
            self.fault(seq, "wrong_seed", f"hidden roll {roll} of epoch {number}")
            return
        epoch.keys[roll] = key
        self._judge_waiting(epoch)


_ABOUT_EPOCHS = {
    "campaign.dice_epoch_started",
    "campaign.dice_epoch_ended",
    "campaign.hidden_dice_revealed",
    "campaign.hidden_roll_proved",
}


def _fell_before(epoch: _Epoch, proof: Proof) -> bool:
    """Whether this die was there before: some rules tell again what was rolled in an earlier event."""
    return proof.nonce in epoch.drawn if proof.roll is None else proof.roll < epoch.rolls


def _dice_in(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every object with a proof in an event, in order, however deep it lies."""
    left: list[Any] = [event]
    while left:
        part = left.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("proof"), str):
                yield part
            left.extend(reversed(list(part.values())))
        elif isinstance(part, list):
            left.extend(reversed(part))


def _is_size(sides: int) -> bool:
    return SIDES_MIN <= sides <= SIDES_MAX


def _is_whole(number: Any) -> TypeGuard[int]:
    """Whether this is a number of an epoch or a roll, and not too large for one."""
    return type(number) is int and 0 <= number < 2**32


def _bytes(text: Any) -> bytes | None:
    """Thirty-two bytes written in hexadecimal."""
    try:
        known = bytes.fromhex(text)
    except (TypeError, ValueError):
        return None
    return known if len(known) == SEED_BYTES else None
