"""Folding the log into what is stored of it, for one audience at a time."""

from itertools import groupby

from msgspec import Struct

from domain.campaign.characters import characters
from domain.campaign.evolve import evolve
from domain.campaign.snapshot import FORM, freeze, thaw
from domain.campaign.state import CampaignState
from domain.campaign.visibility import Audience, seen_by
from domain.recorded import Recorded
from domain.stored import StoredEvent
from domain.stored_views import StoredFold, ViewRow
from projections.chronicle import index_rows
from projections.ledger import statement_rows


class Fold(Struct):
    """One audience's state as of `seq`, and the rows that were added to its lists since the fold began."""

    audience: Audience
    seq: int
    state: CampaignState
    rows: list[ViewRow]

    def add(self, action: list[Recorded]) -> None:
        """Fold one whole action, as this audience may see it."""
        seen = [seen_by(self.audience, record) for record in action]
        for record in seen:
            self.state = evolve(self.state, record.event)
        known = {str(each.character) for each in characters(self.state)}
        self.rows += [*index_rows(seen, known), *statement_rows(seen)]
        self.seq = action[-1].seq

    def stored(self) -> StoredFold:
        """The state as it is kept."""
        return StoredFold(self.audience.key, self.seq, FORM, freeze(self.state))


def restored(stored: StoredFold | None) -> tuple[int, CampaignState]:
    """The seq and state of a stored fold; the beginning, where there is none that this code can read."""
    if stored is None or stored.form != FORM:
        return 0, CampaignState()
    return stored.seq, thaw(stored.content)


def by_action(rows: list[StoredEvent]) -> list[list[StoredEvent]]:
    """Events grouped into their actions; an action's events always stand together."""
    return [list(events) for _, events in groupby(rows, key=lambda row: row.action_id)]
