"""The additions of an accepted command to a campaign in memory, before they are sealed."""

from typing import Any

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import FollowHidden
from domain.campaign.storage import event_codec
from domain.dice.seeded_dice import EpochSeeds

OwnKey = tuple[int, str]
"""An idempotency key and its account's number: a number is found ten times as fast as a UUID."""


class UnsealedAction(Struct, frozen=True, gc=False):
    """An accepted command before its events are sealed."""

    draft: event_codec.Draft
    """Common to all its events."""
    request: ActRequest
    events: list[Any]
    visibilities: list[str]
    """The readers of each event."""
    seeds: EpochSeeds | None = None
    """Those of the dice epoch that begins with it."""

    @property
    def follows_hidden(self) -> bool:
        """Whether it is a consequence of an open action for things that some members may not know."""
        return isinstance(self.request.command, FollowHidden)
