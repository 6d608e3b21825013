"""An engine's folder: made, checked for room, and owned by one process at a time."""

import contextlib
import fcntl
import json
import os
import shutil
from pathlib import Path
from typing import Self

from infra.embedded.errors import EngineFailed

FREE_BYTES_MIN = 200 * 2**20
FOLDER_HINT = "Name another folder with FIELDLOG_HOME"


def make_folder(folder: Path, mode: int = 0o700) -> None:
    """Make a folder and its parents. Raises EngineFailed with the reason."""
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(mode)  # against any umask
    except (FileExistsError, NotADirectoryError):
        raise EngineFailed(f"{folder} cannot be made: a file stands in the way. {FOLDER_HINT}.") from None
    except OSError as error:
        raise EngineFailed(f"{folder} cannot be made: {error.strerror}. {FOLDER_HINT}.") from None


class Claim:
    """Exclusive ownership of an engine's folder, held by flock: the kernel releases it when the process ends."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor: int | None = descriptor

    @classmethod
    def take(cls, folder: Path) -> Self:
        """Claim a folder for this process; EngineFailed when it is not writable or another has it."""
        try:
            descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise EngineFailed(f"{folder} is not writable: {error.strerror}. {FOLDER_HINT}.") from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            raise EngineFailed(
                f"another Fieldlog (process {owner}) owns {folder}. Stop it, or give this one its own "
                "folder with FIELDLOG_HOME."
            ) from None
        with contextlib.suppress(OSError):  # only informs the reader of the sentence above
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
        return cls(descriptor)

    def release(self) -> None:
        """Release the folder; a second call does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_claimed(folder: Path) -> bool:
    """Say whether some process owns the folder now."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def require_room(folder: Path) -> None:
    """Raise EngineFailed if the disk is too full for a new database."""
    free = shutil.disk_usage(folder).free
    if free < FREE_BYTES_MIN:
        raise EngineFailed(
            f"{folder} has {free // 2**20} MB free, and a new database needs {FREE_BYTES_MIN // 2**20} MB."
        )


def write_secrets(path: Path, secrets: dict[str, str]) -> None:
    """Write a file that only its owner reads, whole or not at all."""
    new = path.with_name(path.name + ".new")
    try:
        with contextlib.suppress(FileNotFoundError):
            new.unlink()
        descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(secrets, file)
            file.flush()
            os.fsync(file.fileno())
        new.replace(path)
    except OSError as error:
        raise EngineFailed(f"{path} cannot be written: {error.strerror}. {FOLDER_HINT}.") from None


def read_secrets(path: Path) -> dict[str, str] | None:
    """Read what write_secrets wrote; None when there is no such file, EngineFailed when it is damaged."""
    try:
        secrets = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise EngineFailed(f"{path}, which holds the engine's passwords, cannot be read: {error}.") from None
    if not isinstance(secrets, dict):
        raise EngineFailed(f"{path}, which holds the engine's passwords, is damaged.")
    return {str(name): str(value) for name, value in secrets.items()}
