"""How far each campaign's log had come, in small files outside the database: one per campaign, `<seq> <hash>`."""

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from uuid import UUID

from domain.event_store_types import Head
from domain.ids import CampaignId

CAMPAIGN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""What a campaign's file is called; one that is being written has more to its name."""


FOLDER_MODE = 0o700
FILE_MODE = 0o600


class FileHeadStore:
    """A folder of heads that its owner alone reads. What is kept only moves on; several processes may share it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._is_closed = False

    def campaigns(self) -> list[CampaignId]:
        """The campaigns of which a head was kept."""
        names = [each.name for each in self._folder.iterdir()] if self._folder.is_dir() else []
        return [CampaignId(UUID(name)) for name in names if CAMPAIGN.fullmatch(name)]

    def last(self, campaign_id: CampaignId) -> Head | None:
        """The newest head that was kept; None: none was, or what is there cannot be read."""
        try:
            seq, digest = (self._folder / str(campaign_id)).read_text("ascii").split()
            return Head(seq=int(seq), hash=bytes.fromhex(digest), recorded_at=0)
        except (OSError, ValueError):
            return None

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Keep those that are newer. Raises OSError."""
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
            new.replace(self._folder / str(campaign_id))

    def forget(self, campaign_id: CampaignId) -> None:
        """Keep nothing of a campaign any more."""
        with contextlib.suppress(FileNotFoundError):
            (self._folder / str(campaign_id)).unlink()

    def _close(self) -> None:
        """Close folder and files to all others, whatever an earlier version or the umask left open."""
        for path in (self._folder, *self._folder.iterdir()):
            mode = FOLDER_MODE if path == self._folder else FILE_MODE
            with contextlib.suppress(FileNotFoundError, PermissionError):  # moved just now; another user's
                if path.stat().st_mode & 0o777 != mode:
                    path.chmod(mode)
        self._is_closed = True


class NoHeadStore:
    """For a service without a folder of its own: nothing is kept."""

    def campaigns(self) -> list[CampaignId]:
        """Nothing is kept of any campaign."""
        return []

    def last(self, campaign_id: CampaignId) -> Head | None:  # noqa: ARG002 — of no campaign
        """Nothing is known of any campaign."""
        return None

    def keep(self, heads: Mapping[CampaignId, Head]) -> None:
        """Keep nothing."""

    def forget(self, campaign_id: CampaignId) -> None:
        """There is nothing to forget."""
