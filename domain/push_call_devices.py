"""Calls: a device of an account is told that a table waits, while its owner has no table in sight."""

from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from domain.ids import AccountId, CampaignId
from domain.sentences import say

WORDS = say("A table waits for you.")
"""The text of a call without words."""
DEVICES_MAX = 10
"""So many devices has an account at most."""


class Wait(Struct, frozen=True):
    """Something that a table waits for, known by a mark, and the seq since which it does."""

    mark: str
    since: int


class Place(Struct, frozen=True, array_like=True):
    """How far a device has come in a campaign, in seqs, and what waited there when its owner knew of it."""

    upto: int
    """Up to here its owner was called, or has seen the table, or nothing waited."""
    sighting: int = 0
    """Up to here its owner had the table in sight when that was last looked at; 0: they had not."""
    marks: list[str] | None = []
    """The marks of all that waited at `upto`; None: that was not looked at."""

    def is_new(self, wait: Wait) -> bool:
        """Whether the owner does not know of it: it waits since later, or since an undo or a reveal."""
        return wait.since > self.upto or (self.marks is not None and wait.mark not in self.marks)

    def after_call(self, seq: int, waits: Sequence[Wait]) -> "Place":
        """Its owner was told of everything that waits at a seq."""
        return Place(seq, 0, [wait.mark for wait in waits])

    def in_sight(self, seq: int, waits: Sequence[Wait]) -> "Place":
        """Its owner has the table in sight at a seq: they know of what was there already at the look before.

        The rest may have come when the connection was lost, and a device was put away. It is looked at again.
        """
        familiar = [wait for wait in waits if not self.is_new(wait) or wait.since <= self.sighting]
        upto = seq if len(familiar) == len(waits) else max(self.upto, self.sighting)
        return Place(upto, seq, [wait.mark for wait in familiar])


class DeviceTarget(Struct, frozen=True):
    """Where a push service takes messages for a browser, and the keys that only this browser can decrypt with.

    As browsers give them: `p256dh` is a point of P-256, `auth` are 16 bytes, both as base64url.
    """

    endpoint: str
    p256dh: str
    auth: str


class PushRequest(Struct, frozen=True):
    """The headers and the encrypted body of a request to a push service."""

    headers: dict[str, str]
    body: bytes


class Device(Struct, frozen=True):
    """A browser in which an account is signed in, and which is called. Moments are microseconds UTC."""

    device_id: UUID
    """The sign-in that it belongs to: the calls end with it."""
    account_id: AccountId
    endpoint_hash: bytes
    """SHA-256 of where it is called: a browser in which another account signs in calls the former no more."""
    host: str
    """The host of its push service."""
    sealed: bytes
    """Its `DeviceTarget`, encrypted."""
    with_words: bool
    """Whether calls say in which campaign, and what waits there."""
    language: str
    """The language of calls: the account's, or that of the browser."""
    created_at: int
    places: dict[CampaignId, Place]
    attempts: int
    """Failed attempts since the last that succeeded."""
    due_at: int
    """When it is looked at next; a worker that does moves it on, and holds the device until then."""
    failing_since: int | None
    parked_at: int | None
    """Since when it is not called any more."""
    fault: str | None
    """Why the last attempt failed: `http_<status>`, or a code of `WebhookUnreachable`."""


class DeviceWithNews(Struct, frozen=True):
    """A device, and the campaigns of its owner that have gone on since it was told."""

    device: Device
    campaigns: list[CampaignId]


EndpointText = Annotated[str, Meta(min_length=1, max_length=2_000)]
KeyText = Annotated[str, Meta(min_length=1, max_length=200)]
