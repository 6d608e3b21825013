"""Server dice from a committed seed: unpredictable beforehand, and recomputable by everyone afterwards.

A die is the face that `HMAC-SHA256(key, campaign ‖ epoch ‖ nonce ‖ block ‖ words)` decides, in 16, 4, 8 and 4
bytes, big-endian. `words` is empty or, where members have added words to the epoch's dice, the digest of all of
them in 32 bytes: a person who chose the seed before cannot know the dice after them. An open die's key is the
epoch's open seed, and its nonce counts the epoch's dice from 0. A hidden roll has a key of its own,
`HMAC-SHA256(hidden seed, campaign ‖ epoch ‖ roll ‖ 0)`, and its nonces count the dice of that roll.

Both seeds are committed to before the first die is rolled: the open one by its SHA-256, the hidden one by the
root of a tree over the keys of its rolls (`domain.dice.key_tree`), so that one can be proved without the others.
"""

import hmac
from hashlib import sha256
from itertools import count
from struct import Struct as Packing
from typing import Protocol
from uuid import UUID

from msgspec import Struct

from domain.dice.die import Die
from domain.dice.die_proofs import after_words
from domain.dice.key_tree import path, root

SEED_BYTES = 32
HIDDEN_ROLLS = 256
"""The number of hidden rolls of one epoch."""

_PLACE = Packing(">16sIQI")
_NUMBER = Packing(">I")
_RANGE = 2**32


def fair_face(digest: bytes, sides: int) -> int | None:
    """The face that 32 bytes decide, 1 … `sides`; None if they decide none, and the next block must.

    The bytes are eight numbers. The first one below the greatest multiple of `sides` counts, so that every face
    has as many numbers as any other; the remainder of any number would favour the low faces.
    """
    limit = _RANGE - _RANGE % sides
    for (number,) in _NUMBER.iter_unpack(digest):
        if number < limit:
            return int(number % sides) + 1
    return None


def face(key: bytes, campaign: UUID, epoch: int, nonce: int, sides: int, words: bytes = b"") -> int:
    """The face of one die, 1 … `sides`; `words` is the digest of the members' words, empty without any."""
    for block in count():
        place = _PLACE.pack(campaign.bytes, epoch, nonce, block)
        natural = fair_face(hmac.digest(key, place + words, "sha256"), sides)
        if natural is not None:
            return natural
    raise AssertionError  # pragma: no cover — blocks never run out


def with_words(before: bytes, words: bytes) -> bytes:
    """The digest of all words of an epoch, where `before` is the digest before these (empty: there were none)."""
    return sha256(before + words).digest()


def roll_key(hidden_seed: bytes, campaign: UUID, epoch: int, roll: int) -> bytes:
    """The key of one hidden roll, which decides all its dice and those of no other roll."""
    return hmac.digest(hidden_seed, _PLACE.pack(campaign.bytes, epoch, roll, 0), "sha256")


def commitment(seed: bytes) -> bytes:
    """The commitment to an open seed, published before its first die."""
    return sha256(seed).digest()


def hidden_commitment(hidden_seed: bytes, campaign: UUID, epoch: int) -> bytes:
    """The commitment to a hidden seed, published before its first die."""
    return root(_roll_keys(hidden_seed, campaign, epoch))


def _roll_keys(hidden_seed: bytes, campaign: UUID, epoch: int) -> list[bytes]:
    return [roll_key(hidden_seed, campaign, epoch, roll) for roll in range(HIDDEN_ROLLS)]


class SeededDice(Struct):
    """Dice of one key, drawn in the order of their nonces."""

    key: bytes
    campaign: UUID
    epoch: int
    chain: str
    nonce: int = 0
    """The nonce of the next die."""
    words: bytes = b""
    """The digest of what members have added to the epoch's dice."""
    word_count: int = 0
    """How often members have added words."""
    proofs: list[str] = []
    """Those of the drawn dice."""

    def roll(self, sides: int) -> Die:
        """The next die. Its `proof` names its place: `open:<epoch>:<nonce>`, `hidden:<epoch>:<roll>:<nonce>`.

        After words the proof ends in `:w` and their number.
        """
        nonce = self.nonce + len(self.proofs)
        proof = f"{self.chain}:{nonce}{after_words(self.word_count)}"
        self.proofs.append(proof)
        return Die(sides, face(self.key, self.campaign, self.epoch, nonce, sides, self.words), "server", proof)

    def finish(self) -> None:
        """Does nothing: seeded dice are drawn on demand."""


class PublishedSeeds(Protocol):
    """The part of an epoch's seeds that may be published."""

    @property
    def open_seed(self) -> bytes:
        """The seed of its open dice."""
        ...

    @property
    def hidden_seed(self) -> bytes:
        """The seed of its hidden dice."""
        ...

    def are_of(self, epoch: int) -> bool:
        """Whether they are the seeds of this epoch."""
        ...

    def key_of(self, roll: int) -> bytes:
        """The key of one hidden roll."""
        ...

    def path_of(self, roll: int) -> list[bytes]:
        """The path that proves a key to be one of those committed to."""
        ...


class EpochSeeds(Struct, frozen=True):
    """Both seeds of one epoch, 32 bytes each: a secret until the epoch has ended."""

    campaign: UUID
    epoch: int
    open_seed: bytes
    hidden_seed: bytes

    def are_of(self, epoch: int) -> bool:
        """Whether they are the seeds of this epoch."""
        return self.epoch == epoch

    def open_dice(self, nonce: int, words: bytes = b"", word_count: int = 0) -> SeededDice:
        """Open dice from a nonce on, after so many words."""
        return SeededDice(
            self.open_seed, self.campaign, self.epoch, f"open:{self.epoch}", nonce, words, word_count
        )

    def hidden_dice(self, roll: int, words: bytes = b"", word_count: int = 0) -> SeededDice:
        """The dice of one hidden roll, after so many words."""
        chain = f"hidden:{self.epoch}:{roll}"
        return SeededDice(self.key_of(roll), self.campaign, self.epoch, chain, 0, words, word_count)

    def key_of(self, roll: int) -> bytes:
        """The key of one hidden roll."""
        return roll_key(self.hidden_seed, self.campaign, self.epoch, roll)

    def path_of(self, roll: int) -> list[bytes]:
        """The path that proves a key to be one of those committed to."""
        return path(_roll_keys(self.hidden_seed, self.campaign, self.epoch), roll)

    @property
    def commitment(self) -> bytes:
        """The commitment to the open seed."""
        return commitment(self.open_seed)

    @property
    def hidden_commitment(self) -> bytes:
        """The commitment to the hidden seed."""
        return hidden_commitment(self.hidden_seed, self.campaign, self.epoch)
