"""Heads of campaigns' streams in small files outside the database: one per campaign, `<seq> <hash>`.

A file's time of change is the moment at which its event was recorded. Where a copy has lost that, the time is
later, and an acceptance from before the copy has to be repeated.
"""

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from domain.event_store_types import Head
from domain.ids import CampaignId

CAMPAIGN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""The name of a campaign's file; a file that is being written has a longer one."""


FOLDER_MODE = 0o700
FILE_MODE = 0o600


class FileHeadStore:
    """A private folder of heads. Heads only move forward; several processes may share the folder."""

    is_durable = True

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_closed = False

    def campaigns(self) -> list[CampaignId]:
        """The campaigns whose head is stored."""
        names = [path.name for path in self._folder.iterdir()] if self._folder.is_dir() else []
        return [CampaignId(UUID(name)) for name in names if CAMPAIGN.fullmatch(name)]

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest stored head; None: there is none, or its file cannot be read."""
        try:
            file = self._folder / str(campaign_id)
            seq, digest = file.read_text("ascii").split()
            moment = file.stat().st_mtime_ns // 1_000
            return Head(seq=int(seq), hash=bytes.fromhex(digest), recorded_at=moment)
        except (OSError, ValueError):
            return None

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Store the heads that are newer than the stored ones. Raises OSError."""
        self._folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if not self._is_closed:
            self._close()
        for campaign_id, head in heads.items():
            last = self.last(campaign_id)
            if last is not None and last.seq >= head.seq:
                continue
            new = self._folder / f"{campaign_id}.{os.getpid()}.new"
            new.touch(FILE_MODE)
            new.write_text(f"{head.seq} {head.hash.hex()}\n", "ascii")
            os.utime(new, ns=(head.recorded_at * 1_000,) * 2)
            new.replace(self._folder / str(campaign_id))

    def forget(self, campaign_id: CampaignId) -> None:
        """Delete the stored head of a campaign."""
        with contextlib.suppress(FileNotFoundError):
            (self._folder / str(campaign_id)).unlink()

    def _close(self) -> None:
        """Make folder and files private, whatever an earlier version or the umask allowed."""
        for path in (self._folder, *self._folder.iterdir()):
            mode = FOLDER_MODE if path == self._folder else FILE_MODE
            with contextlib.suppress(FileNotFoundError, PermissionError):  # moved just now; another user's
                if path.stat().st_mode & 0o777 != mode:
                    path.chmod(mode)
        self._is_closed = True


class NoHeadStore:
    """For a service without a folder of its own: stores nothing."""

    is_durable = False

    def campaigns(self) -> list[CampaignId]:
        """Always empty."""
        return []

    def last(self, campaign_id: CampaignId) -> Head | None:  # noqa: ARG002 — of no campaign
        """Always None."""
        return None

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Do nothing."""

    def forget(self, campaign_id: CampaignId) -> None:
        """Do nothing."""
