"""Checks that every die of a log is the one that its seed decides, from the events alone.

Events come as plain JSON, oldest first, as they are exported and stored. They hold the commitments, the revealed
seeds and the dice.
"""

from collections.abc import Hashable, Iterator, Mapping
from itertools import islice
from typing import Any, Literal, TypeGuard
from uuid import UUID

from msgspec import Struct, field

from domain.dice.die_proofs import KEPT_BACK, UNPROVEN, Proof, read_proof
from domain.dice.key_tree import climbed
from domain.dice.notation import SIDES_MAX, SIDES_MIN
from domain.dice.seeded_dice import SEED_BYTES, commitment, face, hidden_commitment, roll_key, with_words
from domain.systems import SYSTEMS

FAULTS_MAX = 100
"""The most faults that a report names."""

FACE_FIELDS = ("natural", "value", "die")
"""The fields in which rule systems keep a die's face; of several in one object, the first counts."""

Fault = Literal[
    "wrong_face",
    "wrong_seed",
    "wrong_words",
    "no_such_epoch",
    "late_die",
    "repeated_die",
    "skipped_die",
    "unreadable",
]

TELL_AGAIN = frozenset(kind.__struct_config__.tag for system in SYSTEMS.values() for kind in system.retold)
"""Events that may repeat dice of an earlier action."""


class DiceFault(Struct, frozen=True):
    """A fault that an honest service never causes, with its event and its die or seed.

    `wrong_face`: the seed decides another one. `wrong_seed`: it is not the one committed to. `wrong_words`: the
    die was rolled after other words of members than it says. `no_such_epoch`: the die claims seeds that were not
    committed to before. `late_die`: its seed was public when it was rolled. `repeated_die`: it counts in two
    actions, or differs from the die that was in its place before. `skipped_die`: an open die was drawn and is in
    no event. `unreadable`: this cannot be checked.
    """

    seq: int
    fault: Fault
    about: str


class DiceReport(Struct, frozen=True):
    """How many dice were recomputed, and how many could not be yet, or ever.

    `waiting` are dice whose seed, or place in it, is still secret, `unproven` the service's from before the
    first epoch, `table` those that the group rolled itself.
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


class _FallenDie(Struct, frozen=True, gc=False):
    """The die of one place, and the last action that it was rolled in."""

    action: Hashable
    sides: int
    words: int


class _Epoch(Struct):
    """The known facts of one epoch.

    `words` are the digests of the members' words: first none, then one after each addition. `dice_by_place`
    are the dice seen so far, by roll (None: open) and nonce.
    """

    commitment: str
    hidden_commitment: str
    ended: bool = False
    open_seed: bytes | None = None
    hidden_seed: bytes | None = None
    keys: dict[int, bytes] = field(default_factory=dict)
    words: list[bytes] = field(default_factory=lambda: [b""])
    dice_by_place: dict[tuple[int | None, int], _FallenDie] = field(default_factory=dict)
    waiting: list[_Die] = field(default_factory=list)


class DiceCheck:
    """Takes a campaign's events one after the other and recomputes their dice as soon as that is possible.

    A die counts in one action. It may be in another one only while the one before is undone.
    """

    def __init__(self, campaign: UUID) -> None:
        self._campaign = campaign
        self._epochs: dict[int, _Epoch] = {}
        self._recomputed = self._unproven = self._table = self._kept_back = 0
        self._faults: list[DiceFault] = []
        self._action: Hashable = None
        self._undone: set[Hashable] = set()
        self._handed_on: set[Hashable] = set()
        self._some_is_hidden = False
        self._doubts: list[DiceFault] = []

    def add(self, seq: int, action: Hashable, event: Mapping[str, Any]) -> None:
        """Check one more event; `action` is the id of its action, as text.

        A wrong event is a fault in the report, never an error.
        """
        if action != self._action:
            self._settle_doubts()
            self._action = action
        match kind := str(event.get("type")):
            case "campaign.hidden":
                self.note_hidden()
            case "campaign.dice_came_back":
                self._came_back()
            case "campaign.action_undone" | "campaign.action_redone":
                self._rewrite(seq, str(event.get("action_id")), is_undo=kind == "campaign.action_undone")
            case _ if kind in _ABOUT_EPOCHS:
                self._about_epoch(seq, kind, event)
            case _:
                for die in _dice_in(event):
                    self._look_at(seq, die, retold=kind in TELL_AGAIN)

    def note_hidden(self) -> None:
        """Note that this reader may not see an event, or its dice's numbers: returned dice may be in it."""
        self._some_is_hidden = True

    def _about_epoch(self, seq: int, kind: str, event: Mapping[str, Any]) -> None:
        number = event.get("epoch")
        if not _is_whole(number):
            self.fault(seq, "unreadable", f"{kind} of no epoch")
        elif kind == "campaign.dice_epoch_started":
            self._start(seq, number, event)
        elif number not in self._epochs:
            self.fault(seq, "no_such_epoch", f"epoch {number}")
        elif kind == "campaign.dice_epoch_ended":
            self._end(seq, number, event.get("seed"))
        elif kind == "campaign.dice_words_added":
            self._add_words(seq, number, event.get("digest"))
        elif kind == "campaign.hidden_dice_revealed":
            self._reveal_hidden(seq, number, event.get("seed"))
        else:
            self._prove(seq, number, event)

    def fault(self, seq: int, fault: Fault, about: str) -> None:
        """Add a fault to the report."""
        if len(self._faults) < FAULTS_MAX:
            self._faults.append(DiceFault(seq, fault, about))

    def report(self) -> DiceReport:
        """The result so far."""
        self._settle_doubts()
        waiting = self._kept_back + sum(len(epoch.waiting) for epoch in self._epochs.values())
        return DiceReport(self._recomputed, waiting, self._unproven, self._table, list(self._faults))

    def _settle_doubts(self) -> None:
        for doubt in self._doubts:
            self.fault(doubt.seq, doubt.fault, doubt.about)
        self._doubts = []

    def _came_back(self) -> None:
        """Drop doubts about returned dice that may have been rolled where this reader may not look."""
        if self._some_is_hidden:
            self._doubts = []

    def _rewrite(self, seq: int, action: str, *, is_undo: bool) -> None:
        if is_undo:
            self._undone.add(action)
            return
        self._undone.discard(action)
        if action in self._handed_on:
            self.fault(seq, "repeated_die", f"dice of action {action[:36]}")

    def _look_at(self, seq: int, fields: Mapping[str, Any], *, retold: bool) -> None:
        text = fields["proof"]
        if text == UNPROVEN:
            self._table += fields.get("origin") == "table"
            self._unproven += fields.get("origin") != "table"
            return
        if text == KEPT_BACK:
            self._kept_back += 1
            self.note_hidden()
            return
        proof = read_proof(text)
        sides, natural = fields.get("sides"), next((fields[name] for name in FACE_FIELDS if name in fields), None)
        if proof is None or type(natural) is not int or type(sides) is not int or not _is_size(sides):
            self.fault(seq, "unreadable", text[:100])
            return
        epoch = self._epochs.get(proof.epoch)
        if epoch is None:
            self.fault(seq, "no_such_epoch", text)
            return
        if proof.words >= len(epoch.words):
            self.fault(seq, "wrong_words", text)
            return
        die = _Die(seq, text, proof, sides, natural)
        before = epoch.dice_by_place.get((proof.roll, proof.nonce))
        if before is None:
            self._falls_first(epoch, die)
        elif not self._falls_again(epoch, die, before, retold=retold):
            self.fault(seq, "repeated_die", text)
        self._judge(epoch, die)

    def _falls_first(self, epoch: _Epoch, die: _Die) -> None:
        proof = die.proof
        if epoch.ended:
            self._doubts.append(DiceFault(die.seq, "late_die", die.text))
        elif proof.words != len(epoch.words) - 1:
            self._doubts.append(DiceFault(die.seq, "wrong_words", die.text))
        epoch.dice_by_place[proof.roll, proof.nonce] = _FallenDie(self._action, die.sides, proof.words)

    def _falls_again(self, epoch: _Epoch, die: _Die, before: _FallenDie, *, retold: bool) -> bool:
        """Whether a die that is in another event already may be in this one too."""
        proof = die.proof
        if (before.sides, before.words) != (die.sides, proof.words):
            return False
        if before.action == self._action or (retold and before.action not in self._undone):
            return True
        if before.action not in self._undone:
            return False
        self._handed_on.add(before.action)
        epoch.dice_by_place[proof.roll, proof.nonce] = _FallenDie(self._action, die.sides, proof.words)
        return True

    def _judge(self, epoch: _Epoch, die: _Die) -> None:
        """Recompute a die, or keep it until its key is public."""
        proof = die.proof
        key = epoch.open_seed if proof.roll is None else self._key_of(epoch, proof)
        if key is None:
            epoch.waiting.append(die)
            return
        words = epoch.words[proof.words]
        if face(key, self._campaign, proof.epoch, proof.nonce, die.sides, words) == die.natural:
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
        last = max((nonce for roll, nonce in epoch.dice_by_place if roll is None), default=-1)
        skipped = (nonce for nonce in range(last) if (None, nonce) not in epoch.dice_by_place)
        for nonce in islice(skipped, FAULTS_MAX):
            self.fault(seq, "skipped_die", f"open:{number}:{nonce}")
        epoch.ended = True
        if seed is None:
            return  # the seed is lost: its dice wait for ever
        seed_bytes = _bytes(seed)
        if seed_bytes is None or commitment(seed_bytes).hex() != epoch.commitment:
            self.fault(seq, "wrong_seed", f"epoch {number}")
            return
        epoch.open_seed = seed_bytes
        self._judge_waiting(epoch)

    def _add_words(self, seq: int, number: int, digest: Any) -> None:
        epoch, words = self._epochs[number], _bytes(digest)
        if words is None or epoch.ended:
            self.fault(seq, "wrong_words", f"words for epoch {number}")
        else:
            epoch.words.append(with_words(epoch.words[-1], words))

    def _reveal_hidden(self, seq: int, number: int, seed: Any) -> None:
        epoch, seed_bytes = self._epochs[number], _bytes(seed)
        if (
            seed_bytes is None
            or hidden_commitment(seed_bytes, self._campaign, number).hex() != epoch.hidden_commitment
        ):
            self.fault(seq, "wrong_seed", f"hidden seed of epoch {number}")
            return
        epoch.hidden_seed = seed_bytes
        self._judge_waiting(epoch)

    def _prove(self, seq: int, number: int, event: Mapping[str, Any]) -> None:
        epoch, roll, key = self._epochs[number], event.get("roll"), _bytes(event.get("key"))
        path = event.get("path")
        nodes = [node for text in path if (node := _bytes(text))] if isinstance(path, list) else []
        if key is None or not _is_whole(roll) or climbed(key, roll, nodes).hex() != epoch.hidden_commitment:
            self.fault(seq, "wrong_seed", f"hidden roll {roll} of epoch {number}")
            return
        epoch.keys[roll] = key
        self._judge_waiting(epoch)


_ABOUT_EPOCHS = {
    "campaign.dice_epoch_started",
    "campaign.dice_epoch_ended",
    "campaign.dice_words_added",
    "campaign.hidden_dice_revealed",
    "campaign.hidden_roll_proved",
}


def _dice_in(event: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every object with a proof in an event, in order, at any depth."""
    parts_left: list[Any] = [event]
    while parts_left:
        part = parts_left.pop()
        if isinstance(part, Mapping):
            if isinstance(part.get("proof"), str):
                yield part
            parts_left.extend(reversed(list(part.values())))
        elif isinstance(part, list):
            parts_left.extend(reversed(part))


def _is_size(sides: int) -> bool:
    return SIDES_MIN <= sides <= SIDES_MAX


def _is_whole(number: Any) -> TypeGuard[int]:
    """Whether this is a valid number of an epoch or a roll."""
    return type(number) is int and 0 <= number < 2**32


def _bytes(text: Any) -> bytes | None:
    """Thirty-two bytes written in hexadecimal."""
    try:
        content = bytes.fromhex(text)
    except (TypeError, ValueError):
        return None
    return content if len(content) == SEED_BYTES else None
