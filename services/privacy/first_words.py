"""Authorship of texts: a text belongs to the account that wrote it first.

Events that describe a thing entering play, and characters adopted from a sheet, copy earlier texts. Such an event
holds the same text about the same thing as an earlier one, by which the origin is found: it is not stored.
"""

from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign.commands import AdoptCharacter
from domain.campaign.messages.erasure import EVENTS_MAX
from domain.campaign.messages.imports import first_cause
from domain.campaign.storage.event_codec import EVENT_TYPES
from domain.campaign.subjects import named_in
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.personal_text import personal_paths
from domain.systems import owner_of_kind
from services.ports.event_store import EventStore

_ENTERING = frozenset(
    tag
    for tag, kind in EVENT_TYPES.items()
    if owner_of_kind(kind) is not None and not getattr(kind, "undoable", True) and personal_paths(kind)
)
"""Events of rule systems that cannot be undone: a hidden thing enters play."""
_ADOPTING = b'"%s"' % str(AdoptCharacter.__struct_config__.tag).encode()
_decoder = msgspec.json.Decoder(dict[str, str])


def texts_beside(row: StoredEvent) -> dict[str, str]:
    """The texts of an event, by their places."""
    return {} if row.texts is None else _decoder.decode(row.texts)


async def written(log: EventStore, campaign_id: CampaignId) -> AsyncIterator[StoredEvent]:
    """All events that have texts, in order."""
    after = 0
    while page := await log.written(campaign_id, after, EVENTS_MAX):
        for row in page:
            yield row
        after = page[-1].seq


class Said(Struct, frozen=True):
    """Where a text stands: its action, its actor, and its cause."""

    seq: int
    action_id: ActionId
    actor: AccountId | None
    cause: str


def said_in(row: StoredEvent) -> Said:
    """The place of an event's texts."""
    return Said(row.seq, row.action_id, row.actor, first_cause(row.cause))


class FirstWords:
    """The first occurrence of each text. Has to take all events of a campaign that have texts, in order."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], Said] = {}
        self._adopted_in: ActionId | None = None

    def take(self, row: StoredEvent) -> dict[str, Said]:
        """Where each of an event's texts was first written, by their places: in itself, unless it is a copy."""
        if row.command is not None and _ADOPTING in row.command:
            self._adopted_in = row.action_id
        tells_again = row.kind in _ENTERING or row.action_id == self._adopted_in
        things = named_in(row.body, row.command or b"")
        own, found = said_in(row), {}
        for place, text in texts_beside(row).items():
            known = [self._first[text, each] for each in things if (text, each) in self._first]
            first = min(known, key=lambda said: said.seq) if tells_again and known else own
            found[place] = first
            for each in things:
                self._first.setdefault((text, each), first)
        return found


class Authors:
    """The author of each text: the actor, or the actor of the action that caused it."""

    def __init__(self, log: EventStore, campaign_id: CampaignId) -> None:
        self._log = log
        self._campaign_id = campaign_id
        self._behind: dict[ActionId, Said | None] = {}

    async def of(self, said: Said) -> AccountId | None:
        """The author; None: not known."""
        return (await self.chain(said))[-1].actor

    async def chain(self, said: Said) -> list[Said]:
        """The action and the chain of its causes, up to one with an actor."""
        chain = [said]
        while chain[-1].actor is None and (before := await self._cause(chain[-1])) is not None:
            chain.append(before)
        return chain

    async def _cause(self, said: Said) -> Said | None:
        kind, _, cause = said.cause.partition(":")
        if kind != "action":
            return None
        action_id = ActionId(UUID(cause))
        if action_id not in self._behind:
            rows = await self._log.action(self._campaign_id, action_id)
            self._behind[action_id] = said_in(rows[0]) if rows else None
        return self._behind[action_id]
