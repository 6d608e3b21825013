"""Randomness and time from the machine: what the rules take as arguments."""

import os
import secrets
import time
from uuid import UUID

import msgspec

from domain.dice import Die

_RANDOM_BITS = ~(0xF000 << 64 | 0xC000 << 48)
_VERSION_4 = 0x4000 << 64 | 0x8000 << 48


class MachineEntropy:
    """Random bytes and ids from the operating system."""

    def salts(self) -> bytes:
        """32 random bytes."""
        return os.urandom(32)

    def new_id(self) -> UUID:
        """A random UUID (version 4)."""
        number = int.from_bytes(os.urandom(16), "big") & _RANDOM_BITS | _VERSION_4
        # `UUID` itself takes longer to look at its arguments than all of this does.
        return msgspec.convert(number.to_bytes(16, "big"), UUID)


class EntropyDice:
    """Server dice from the machine's entropy: fair, but not provable afterwards (`proof: none`)."""

    def roll(self, sides: int) -> Die:
        """One die, every face equally likely."""
        return Die(sides=sides, natural=secrets.randbelow(sides) + 1, origin="server")

    def finish(self) -> None:
        """Nothing is ever left over."""


def machine_clock() -> int:
    """Microseconds UTC."""
    return time.time_ns() // 1000
