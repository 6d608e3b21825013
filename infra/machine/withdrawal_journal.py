"""Withdrawals, in a file outside the database: one JSON object a line, ids only."""

import fcntl
import os
from collections.abc import Iterable
from pathlib import Path
from uuid import UUID

import msgspec

from domain.withdrawals import Withdrawal

FILE_MODE = 0o600
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Withdrawal)


class FileWithdrawalJournal:
    """A private file that only grows; several processes may share it. Every method may raise OSError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_to = 0
        self._known: set[UUID] = set()

    def read(self) -> list[Withdrawal]:
        """All of it, oldest first."""
        try:
            content = self._path.read_bytes()
        except FileNotFoundError:
            return []
        return sorted(_whole(content), key=lambda withdrawal: (withdrawal.noted_at, withdrawal.withdrawal_id))

    def add(self, withdrawals: Iterable[Withdrawal]) -> None:
        """Add those that are not in it, to the disk."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, FILE_MODE)
        with os.fdopen(descriptor, "r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            size = file.seek(0, os.SEEK_END)
            file.seek(min(self._read_to, size))
            content = file.read()
            self._known |= {withdrawal.withdrawal_id for withdrawal in _whole(content)}
            new = [withdrawal for withdrawal in withdrawals if withdrawal.withdrawal_id not in self._known]
            if new:
                torn = b"\n" if content and not content.endswith(b"\n") else b""
                file.write(torn + b"".join(_encoder.encode(withdrawal) + b"\n" for withdrawal in new))
                file.flush()
                os.fsync(file.fileno())
            self._read_to = file.seek(0, os.SEEK_END)
            self._known |= {withdrawal.withdrawal_id for withdrawal in new}


def _whole(content: bytes) -> list[Withdrawal]:
    """The lines that are whole: one that a killed process left is not, and is written again."""
    withdrawals = []
    for line in content.splitlines():
        try:
            withdrawals.append(_decoder.decode(line))
        except msgspec.MsgspecError:
            continue
    return withdrawals
