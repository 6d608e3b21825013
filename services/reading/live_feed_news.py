"""The news that live feeds tell of the log: its events, and actions in words with their changes for the reader."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec import Raw, structs

from domain.campaign.storage.event_codec import record_of
from domain.event_store_types import StoredEvent
from projections.campaign.chronicle import ActionEntry, listed
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.reading.changed_reads import EVERYTHING, Drawing, Drawings, touched_by
from services.reading.chronicle import entries_of, event_json
from services.reading.event_scan import by_action
from services.reading.names_in_answers import names_in

Frame = tuple[int, bytes]
"""The seq that a feed has come to when it has sent this; empty where there is nothing to say of an event."""


class FeedAction(ActionEntry, frozen=True, kw_only=True):
    """One action as a live feed tells it: an entry of the chronicle, the `names` of the ids in it, and `touches`.

    Reads that `touches` does not name are as before: `campaign`, `members`, `sheets`, `boards`,
    `sheet:<character>`, `board:<system>/<board>`, `commands`, `ledger`, `timers`, `calendar`, `downtime`,
    `dice`, `rolls:<account>` (the last free rolls of a member), `statistics`, `recap`, `records`, and `chronicle`
    for what was told of earlier actions. `everything` names them all. Actions that come together share what they
    touch. Reads about the log itself (events, export, verification) grow with every action; a timer that fails,
    and an accountant's finding, are no actions.
    """

    touches: list[str]
    names: dict[str, str]


class Teller(Protocol):
    """The kind of news that one feed tells.

    Those of a kind that have come equally far, with the same `changes`, tell alike.
    """

    @property
    def changes(self) -> frozenset[str]:
        """The reads that changed since the look before, in the words of `touches`."""

    def look(self, campaign: VisibleCampaign, after: int) -> None:
        """See what was just seen, before anything else happens: `after` is how far the feed has come."""

    async def frames(self, log: EventStore, campaign: VisibleCampaign, rows: Sequence[StoredEvent]) -> list[Frame]:
        """The messages for these events, the next ones, in their order."""


class ToldEvents:
    """Tells every event as the history has it."""

    changes = frozenset[str]()

    def look(self, campaign: VisibleCampaign, after: int) -> None:
        """Nothing is compared."""

    async def frames(self, _: EventStore, campaign: VisibleCampaign, rows: Sequence[StoredEvent]) -> list[Frame]:
        """One for each event."""
        return [(row.seq, _frame(row.seq, event_json(row, campaign), None)) for row in rows]


class ToldActions(ABC):
    """Tells each action behind its last event, with what has come to read otherwise for one reader.

    `drawings` are those of all feeds of this process.
    """

    def __init__(self, drawings: Drawings) -> None:
        self._drawings = drawings
        self._drawing: Drawing | None = None
        self._changes: frozenset[str] = frozenset()

    @property
    def changes(self) -> frozenset[str]:
        """The reads that changed since the look before."""
        return self._changes

    def look(self, campaign: VisibleCampaign, after: int) -> None:
        """Draw what was just seen, before anything else happens: `after` is how far the feed has come.

        Of what happened before the feed's first look it is not known what it changed.
        """
        before, self._drawing = self._drawing, self._drawings.of(campaign)
        if before is None:
            self._changes = frozenset({EVERYTHING} if after < campaign.seq else ())
            return
        if after >= before.seq:
            self._changes = frozenset()  # all that the last look saw has been told
        self._changes |= self._drawing.unlike(before)

    async def frames(self, log: EventStore, campaign: VisibleCampaign, rows: Sequence[StoredEvent]) -> list[Frame]:
        """One for each event; that of an action's last one tells it, too."""
        changes = self.changes
        actions = await ending_within(log, campaign, rows)
        entries = await entries_of(log, actions, campaign)
        action_texts = await self.write_actions(
            campaign, entries, [touches_of(action, campaign, changes) for action in actions]
        )
        by_seq = dict(zip((entry.last_seq for entry in entries), action_texts, strict=True))
        return [(row.seq, self.frame(row, campaign, by_seq.get(row.seq))) for row in rows]

    @abstractmethod
    async def write_actions(
        self, campaign: VisibleCampaign, entries: Sequence[ActionEntry], touches: Sequence[list[str]]
    ) -> list[bytes]:
        """Each of these actions in JSON, with what it touched."""

    @abstractmethod
    def frame(self, row: StoredEvent, campaign: VisibleCampaign, action: bytes | None) -> bytes:
        """The messages for an event, and for the action that it ends."""


class EventTeller(ToldActions):
    """Tells every event, and actions in words."""

    async def write_actions(
        self, campaign: VisibleCampaign, entries: Sequence[ActionEntry], touches: Sequence[list[str]]
    ) -> list[bytes]:
        """Entries of the chronicle with the names in them."""
        return [
            msgspec.json.encode(
                FeedAction(**structs.asdict(listed(entry)), touches=touched, names=names_in(entry, campaign)),
            )
            for entry, touched in zip(entries, touches, strict=True)
        ]

    def frame(self, row: StoredEvent, campaign: VisibleCampaign, action: bytes | None) -> bytes:
        """An event, and behind the last one of an action that action."""
        return _frame(row.seq, event_json(row, campaign), action)


def touches_of(action: list[StoredEvent], campaign: VisibleCampaign, changes: frozenset[str]) -> list[str]:
    """The reads that an action touched for its reader, for whom this has changed since the last look."""
    touched = changes | touched_by([campaign.as_read(record_of(row)) for row in action], campaign.state)
    return [EVERYTHING] if EVERYTHING in touched else sorted(touched)


async def ending_within(
    log: EventStore, campaign: VisibleCampaign, rows: Sequence[StoredEvent]
) -> list[list[StoredEvent]]:
    """The whole actions whose last event is among these, which follow each other."""
    parts = [(part, await _whole(log, campaign, part, rows)) for part in by_action([*rows])]
    return [action for part, action in parts if action[-1].seq == part[-1].seq]


async def _whole(
    log: EventStore, campaign: VisibleCampaign, part: list[StoredEvent], rows: Sequence[StoredEvent]
) -> list[StoredEvent]:
    """The action that these rows are of: some of its events may lie before or behind them."""
    is_whole = part[0].command is not None and (part[-1].seq < rows[-1].seq or part[-1].seq == campaign.seq)
    return part if is_whole else await log.action(campaign.campaign_id, part[0].action_id)


def _frame(seq: int, event: Raw, action: bytes | None) -> bytes:
    """An event, and behind the last one of an action that action in words.

    The action has the id of both: a client that loses the line between them resumes before them, and misses none.
    """
    event_lines = b"event: event\ndata: %b\n\n" % bytes(event)
    if action is None:
        return b"id: %d\n%b" % (seq, event_lines)
    return b"%bid: %d\nevent: action\ndata: %b\n\n" % (event_lines, seq, action)
