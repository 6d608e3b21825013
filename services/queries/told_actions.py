"""Actions in words for the live feed: as the chronicle tells them, with what they changed for their reader."""

from collections.abc import Sequence

import msgspec
from msgspec import structs

from domain.campaign.storage.event_codec import recorded
from domain.event_store_types import StoredEvent
from projections.campaign.chronicle import ActionEntry
from services.ports.event_store import EventStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import entries_of
from services.queries.event_scan import by_action
from services.queries.names_in_answers import names_in
from services.queries.touches import EVERYTHING, Drawing, Drawings, touched_by


class FeedAction(ActionEntry, frozen=True, kw_only=True):
    """One action as a live feed tells it: an entry of the chronicle, the `names` of the ids in it, and `touches`.

    What `touches` does not name reads as before: `campaign`, `members`, `sheets`, `boards`, `sheet:<character>`,
    `board:<system>/<board>`, `commands`, `ledger`, `timers`, `calendar`, `downtime`, `dice`, `statistics`,
    `recap`, `records`, and `chronicle` for what was told of earlier actions. `everything` names them all.
    Actions that come together share what they touch. What is about the log itself (events, export, verification)
    grows with every action; that a timer fails, and what an accountant finds, is no action.
    """

    touches: list[str]
    names: dict[str, str]


class Told:
    """What one reader's feed tells in words; `drawings` are those of all feeds of this process."""

    def __init__(self, drawings: Drawings) -> None:
        self._drawings = drawings
        self._drawn: Drawing | None = None
        self._changed: set[str] = set()

    def look(self, seen: VisibleCampaign, after: int) -> None:
        """Draw what was just seen, before anything else happens: `after` is how far the feed has come.

        Of what happened before the feed's first look it is not known what it changed.
        """
        before, self._drawn = self._drawn, self._drawings.of(seen)
        if before is None:
            self._changed = {EVERYTHING} if after < seen.seq else set()
            return
        if after >= before.seq:
            self._changed = set()  # all that the last look saw has been told
        self._changed |= self._drawn.unlike(before)

    async def ending_within(
        self, log: EventStore, seen: VisibleCampaign, after: int, upto: int
    ) -> dict[int, bytes]:
        """Every action whose last event comes after one seq and up to another, in JSON, by that event's."""
        rows = await log.tail(seen.campaign_id, after, upto=upto)
        ending = [
            action
            for part in by_action(rows)
            if (action := await _whole(log, seen, part, rows))[-1].seq == part[-1].seq
        ]
        entries = await entries_of(log, ending, seen)
        return {
            entry.last_seq: self._told(entry, action, seen) for entry, action in zip(entries, ending, strict=True)
        }

    def _told(self, entry: ActionEntry, action: list[StoredEvent], seen: VisibleCampaign) -> bytes:
        records = [seen.as_read(recorded(row)) for row in action]
        touched = self._changed | touched_by(records, seen.state)
        return msgspec.json.encode(
            FeedAction(
                **structs.asdict(entry),
                touches=[EVERYTHING] if EVERYTHING in touched else sorted(touched),
                names=names_in(entry, seen),
            )
        )


async def _whole(
    log: EventStore, seen: VisibleCampaign, part: list[StoredEvent], rows: Sequence[StoredEvent]
) -> list[StoredEvent]:
    """The action that these rows are of: some of its events may lie before or behind them."""
    is_whole = part[0].command is not None and (part[-1].seq < rows[-1].seq or part[-1].seq == seen.seq)
    return part if is_whole else await log.action(seen.campaign_id, part[0].action_id)
