"""A disk of its own for PostgreSQL: an ext4 in a file, which can be filled up, and whose power can be cut."""

import contextlib
import fcntl
import os
import shutil
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from tests.engines import engine_folder

GIBIBYTES = 4
LEFT_BYTES = 8192
# _IOR('X', 125, __u32): from now on nothing reaches the disk, and what its journal had not written is lost.
EXT4_IOC_SHUTDOWN = (2 << 30) | (4 << 16) | (ord("X") << 8) | 125
WITHOUT_FLUSHING_THE_LOG = 2
UNMOUNT_SECONDS_MAX = 10.0


class NoDisk(Exception):  # noqa: N818 - it states what is the case
    """This machine lets nobody mount a disk here; the message says why."""


class Disk:
    """A mounted file system."""

    def __init__(self, image: Path, folder: Path) -> None:
        self._image = image
        self.folder = folder
        self._filler = folder / "filler"

    def mount(self) -> None:
        """Mount it, which reads its journal as after any power cut. Raises NoDisk."""
        _run("mount", "-o", "loop", str(self._image), str(self.folder))

    def unmount(self) -> None:
        """Unmount it as soon as the last process has let go of it. Raises NoDisk."""
        deadline = time.monotonic() + UNMOUNT_SECONDS_MAX
        while self.folder.is_mount():
            try:
                _run("umount", str(self.folder))
            except NoDisk:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    def flush(self) -> None:
        """Everything written so far is on the disk."""
        _run("sync", "-f", str(self.folder))

    def cut_power(self) -> None:
        """From now on every write fails, and what was not flushed is lost when the disk is mounted again."""
        place = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.ioctl(place, EXT4_IOC_SHUTDOWN, struct.pack("I", WITHOUT_FLUSHING_THE_LOG))
        finally:
            os.close(place)

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """While inside, no block is left."""
        try:
            with self._filler.open("wb") as filler:
                for chunk in (2**30, 2**20, LEFT_BYTES):
                    with contextlib.suppress(OSError):
                        while True:
                            size = filler.seek(0, os.SEEK_END)
                            os.posix_fallocate(filler.fileno(), size, chunk)
            yield
        finally:
            self._filler.unlink(missing_ok=True)
            self.flush()  # else it is there again after a power cut


@contextlib.contextmanager
def a_disk() -> Iterator[Disk]:
    """Make and mount a disk that its users may write to. Raises NoDisk."""
    if os.geteuid() != 0:
        raise NoDisk("only root can mount a file system")
    with engine_folder() as place:
        image, folder = place / "image", place / "disk"
        folder.mkdir()
        with image.open("wb") as file:
            file.truncate(GIBIBYTES * 2**30)
        _run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", "lazy_itable_init=1,lazy_journal_init=1", str(image))
        disk = Disk(image, folder)
        disk.mount()
        try:
            folder.chmod(0o711)
            yield disk
        finally:
            disk.unmount()


def _run(program: str, *arguments: str) -> None:
    found = shutil.which(program, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        raise NoDisk(f"there is no {program} here")
    done = subprocess.run([found, *arguments], check=False, capture_output=True, text=True)  # noqa: S603
    if done.returncode != 0:
        raise NoDisk(f"{program} says: {done.stderr.strip()}")
