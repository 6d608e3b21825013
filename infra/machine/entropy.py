"""Randomness and time from the operating system, which the rules take as arguments."""

import os
import secrets
import time
from uuid import UUID

from domain.dice import Die


class MachineEntropy:
    """Random bytes and ids from the operating system."""

    def salts(self) -> bytes:
        """32 random bytes."""
        return os.urandom(32)

    def new_id(self) -> UUID:
        """A random UUID (version 4)."""
        return UUID(bytes=os.urandom(16), version=4)


class EntropyDice:
    """Server dice from the machine's entropy: fair, but not provable afterwards (`proof: none`)."""

    def roll(self, sides: int) -> Die:
        """One die, every face equally likely."""
        return Die(sides=sides, natural=secrets.randbelow(sides) + 1, origin="server")

    def finish(self) -> None:
        """Do nothing: this source holds no unused dice."""


def machine_clock() -> int:
    """Microseconds UTC."""
    return time.time_ns() // 1000
