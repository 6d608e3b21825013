"""Authorship of texts: a text belongs to the account that wrote it first.

Events copy earlier texts where they describe a thing entering play or a character adopted from a sheet, or say
what they are about: a reaction that a GM declines is the player's, and so is the reason of a request for an undo
that a redo opens again. Such an event holds the same text about the same thing as an earlier one, by which the
origin is found: it is not stored.
"""

from collections.abc import AsyncIterator
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign.commands import AdoptCharacter
from domain.campaign.messages.character_arrivals import AgreeToArrival
from domain.campaign.messages.imports import first_cause
from domain.campaign.messages.text_erasure import EVENTS_MAX
from domain.campaign.messages.undo import UndoRequested
from domain.campaign.storage.event_codec import EVENT_TYPES, decode_event
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
_ADOPTING = [b'"%s"' % str(kind.__struct_config__.tag).encode() for kind in (AdoptCharacter, AgreeToArrival)]
_REQUEST_KIND = UndoRequested.__struct_config__.tag
_OF_THE_COMMAND = "request."
"""The beginnings of the places of texts that an actor wrote."""
_decoder = msgspec.json.Decoder(dict[str, str])


def texts_beside(row: StoredEvent) -> dict[str, str]:
    """The texts of an event, by their places."""
    return {} if row.texts is None else _decoder.decode(row.texts)


async def rows_with_texts(log: EventStore, campaign_id: CampaignId) -> AsyncIterator[StoredEvent]:
    """All events that have texts, in order."""
    after = 0
    while page := await log.events_with_texts(campaign_id, after, EVENTS_MAX):
        for row in page:
            yield row
        after = page[-1].seq


class TextSource(Struct, frozen=True):
    """Where a text stands: its action, its actor, and its cause."""

    seq: int
    action_id: ActionId
    actor: AccountId | None
    cause: str


def source_of(row: StoredEvent) -> TextSource:
    """The place of an event's texts."""
    return TextSource(row.seq, row.action_id, row.actor, first_cause(row.cause))


class FirstWords:
    """The first occurrence of each text. Has to take all events of a campaign that have texts, in order."""

    def __init__(self) -> None:
        self._first: dict[tuple[str, str], TextSource] = {}
        self._action: ActionId | None = None
        self._written: set[str] = set()
        """The texts of the command of that action: its events say these in its actor's words."""
        self._adopted_in: ActionId | None = None
        self._asked_for: set[str] = set()

    def take(self, row: StoredEvent) -> dict[str, TextSource]:
        """Where each of an event's texts was first written, by their places: in itself, unless it is a copy."""
        things = named_in(row.body, row.command or b"")
        if row.kind == _REQUEST_KIND:
            things = things | {str(decode_event(row).action_id)}
        if row.command is not None and any(kind in row.command for kind in _ADOPTING):
            self._adopted_in, self._asked_for = row.action_id, things
        is_adopted = row.action_id == self._adopted_in
        tells_again = row.kind in _ENTERING or is_adopted
        if is_adopted:  # a character who came in when a GM agreed has the texts of what a player asked for
            things = things | self._asked_for
        own, sources, texts = source_of(row), {}, texts_beside(row)
        if row.action_id != self._action:
            self._action, self._written = row.action_id, set()
        self._written |= {text for place, text in texts.items() if place.startswith(_OF_THE_COMMAND)}
        for place, text in texts.items():
            earlier_sources = [self._first[text, subject] for subject in things if (text, subject) in self._first]
            # An event that happens by itself says the words of its cause, which `Authors` finds.
            is_copy = tells_again or (row.actor is not None and text not in self._written)
            first = min(earlier_sources, key=lambda source: source.seq) if is_copy and earlier_sources else own
            sources[place] = first
            for subject in things:
                self._first.setdefault((text, subject), first)
        return sources


class Authors:
    """The author of each text: the actor, or the actor of the action that caused it."""

    def __init__(self, log: EventStore, campaign_id: CampaignId) -> None:
        self._log = log
        self._campaign_id = campaign_id
        self._behind: dict[ActionId, TextSource | None] = {}

    async def of(self, source: TextSource) -> AccountId | None:
        """The author; None: not known."""
        return (await self.chain(source))[-1].actor

    async def chain(self, source: TextSource) -> list[TextSource]:
        """The action and the chain of its causes, up to one with an actor."""
        chain = [source]
        while chain[-1].actor is None and (before := await self._cause(chain[-1])) is not None:
            chain.append(before)
        return chain

    async def _cause(self, source: TextSource) -> TextSource | None:
        kind, _, cause = source.cause.partition(":")
        if kind != "action":
            return None
        action_id = ActionId(UUID(cause))
        if action_id not in self._behind:
            rows = await self._log.action(self._campaign_id, action_id)
            self._behind[action_id] = source_of(rows[0]) if rows else None
        return self._behind[action_id]
