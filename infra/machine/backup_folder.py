"""A backup as a folder of files. The note that is written last makes it one: without it, it is no backup."""

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, BinaryIO
from uuid import UUID

import msgspec
from msgspec import Meta, Struct

MANIFEST = "backup.json"
FORMAT = 1
FOLDER_MODE = 0o700
FILE_MODE = 0o600
CHUNK_BYTES = 1 << 20


class BackupUnusable(Exception):  # noqa: N818 — it states what is the case, as rejections do
    """A folder cannot be written as a backup or is none; the message is one sentence."""


FileName = Annotated[str, Meta(pattern=r"\A([a-z0-9_]+\.copy|dice\.key|heads\.txt)\Z")]
"""The name of a file in the folder itself."""

Column = Annotated[str, Meta(pattern=r"\A[a-z0-9_]+\Z")]


class KeptFile(Struct, frozen=True):
    """A file of a backup: how long it is, its SHA-256 in hexadecimal, and what is in it, if it is a table."""

    name: FileName
    size: int
    sha256: str
    rows: int | None = None
    columns: tuple[Column, ...] = ()


class _Format(Struct, frozen=True):
    format: int


class Manifest(Struct, frozen=True, kw_only=True):
    """The contents of a backup."""

    format: int
    backup_id: UUID
    fieldlog: str
    postgresql: str
    begun_at: str
    """The moment that it shows, RFC 3339."""
    seconds: float
    migrations: list[str]
    """The schema of its tables."""
    key: str | None
    """The fingerprint of the dice's key."""
    campaigns: int
    events: int
    unsound: list[UUID]
    """Campaigns with a bad log."""
    files: list[KeptFile]


class BackupFolder:
    """A folder with the files of one backup."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def make(self) -> None:
        """Make the folder, or take an empty one. Raises BackupUnusable."""
        try:
            self.folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            if any(self.folder.iterdir()):
                told = (
                    "a backup" if (self.folder / MANIFEST).exists() else "files, perhaps of an unfinished backup"
                )
                raise BackupUnusable(f"{self.folder} holds {told} already: name a new folder.")
            self.folder.chmod(FOLDER_MODE)
        except OSError as failure:
            raise BackupUnusable(f"{self.folder} cannot be made: {failure.strerror}.") from None

    def write(self, name: str, chunks: Iterable[bytes | bytearray | memoryview]) -> KeptFile:
        """Write a file, to the disk. Raises BackupUnusable."""
        size, digest = 0, sha256()
        try:
            with self._new(name) as file:
                for chunk in chunks:
                    file.write(chunk)
                    digest.update(chunk)
                    size += len(chunk)
                file.flush()
                os.fsync(file.fileno())
        except OSError as failure:
            raise BackupUnusable(f"{self.folder / name} cannot be written: {failure.strerror}.") from None
        return KeptFile(name, size, digest.hexdigest())

    def open(self, name: str) -> BinaryIO:
        """Open a file for reading. Raises BackupUnusable."""
        try:
            return (self.folder / name).open("rb")
        except OSError as failure:
            raise BackupUnusable(f"{self.folder / name} cannot be read: {failure.strerror}.") from None

    def chunks(self, name: str) -> Iterator[bytes]:
        """The content of a file, in pieces. Raises BackupUnusable."""
        with self.open(name) as file:
            while chunk := file.read(CHUNK_BYTES):
                yield chunk

    def require_intact(self, file: KeptFile) -> None:
        """Raise BackupUnusable unless a file is as it was written."""
        digest = sha256()
        for chunk in self.chunks(file.name):
            digest.update(chunk)
        if digest.hexdigest() != file.sha256:
            raise BackupUnusable(f"{self.folder / file.name} is not as it was written: the backup is damaged.")

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, with which the folder becomes a backup. Raises BackupUnusable."""
        new = f"{MANIFEST}.new"
        self.write(new, [msgspec.json.format(msgspec.json.encode(manifest), indent=2)])
        (self.folder / new).replace(self.folder / MANIFEST)
        descriptor = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def manifest(self) -> Manifest:
        """The manifest. Raises BackupUnusable where there is none, or one of another format."""
        path = self.folder / MANIFEST
        try:
            content = path.read_bytes()
            version = msgspec.json.decode(content, type=_Format).format
            if version == FORMAT:
                return msgspec.json.decode(content, type=Manifest)
        except FileNotFoundError:
            raise BackupUnusable(
                f"{self.folder} holds no finished backup: there is no {MANIFEST} in it."
            ) from None
        except (OSError, ValueError, RecursionError) as failure:
            raise BackupUnusable(f"{path} cannot be read: {failure}.") from None
        raise BackupUnusable(f"{self.folder} was made by another version of Fieldlog (format {version}).")

    def _new(self, name: str) -> BinaryIO:
        descriptor = os.open(self.folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
        return os.fdopen(descriptor, "wb", buffering=CHUNK_BYTES)
