"""Folds the log into stored projections, for one audience at a time."""

from collections.abc import Collection, Sequence

from msgspec import Struct, structs

from domain.campaign.evolve import evolve_all
from domain.campaign.play.characters import characters
from domain.campaign.secrecy.audience import Audience, is_same_for_all, redacted_for, standing_for
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import FORM, decode_state, encode_state
from domain.ids import ActionId
from domain.recorded_event import RecordedEvent
from domain.stored_view_types import StoredFold, ViewRow
from projections.campaign.chronicle import index_rows
from projections.campaign.ledger import statement_rows

LISTED_AT_ONCE = 64
"""Actions listed together: many enough to fetch the characters seldom, few enough to be released soon."""


class StoredProjection(Struct):
    """One audience's state as of `seq`, and the rows added to its lists since the fold began.

    `unlisted` are redacted actions whose rows are still to be made by `list_all`.
    """

    audience: Audience
    seq: int
    state: CampaignState
    rows: list[ViewRow] = []
    unlisted: list[list[RecordedEvent]] = []

    def add(self, action: list[RecordedEvent]) -> None:
        """Fold one whole action, redacted for this audience."""
        self.add_seen(_redact(self.audience, action, self.state.revealed))

    def add_seen(self, records: list[RecordedEvent]) -> None:
        """The same for an action that is redacted already."""
        self.state = evolve_all(self.state, [record.event for record in records])
        self.unlisted.append(records)
        self.seq = records[-1].seq
        if len(self.unlisted) == LISTED_AT_ONCE:
            self.list_all()

    def rewritten(self, action: list[RecordedEvent], state: CampaignState) -> None:
        """Add a history change: its own rows, and the campaign's state after it, with who stands for whom then."""
        self.list_all()
        self.state, self.audience = state, standing_for(self.audience, state.stands_for)
        self.unlisted.append(_redact(self.audience, action, state.revealed))
        self.seq = action[-1].seq

    def list_again(self, action: list[RecordedEvent], audience: Audience, before: Collection[ActionId]) -> None:
        """List an earlier action again if it reads otherwise than it did `before`, for the `audience` of then."""
        records = _redact(self.audience, action, self.state.revealed)
        if records != _redact(audience, action, before):
            character_ids = {str(character.character) for character in characters(self.state)}
            lines = [*index_rows(records, character_ids), *statement_rows(records, reader=self.state)]
            self.rows += [structs.replace(row, since=self.seq) for row in lines]

    def list_all(self) -> None:
        """Make the rows of the folded actions with the last state: only an undo ever removes a character."""
        character_ids = {str(character.character) for character in characters(self.state)}
        for action in self.unlisted:
            self.rows += index_rows(action, character_ids)
            self.rows += statement_rows(action, reader=self.state)
        self.unlisted.clear()

    def for_another(self, audience: Audience) -> "StoredProjection":
        """A copy for an audience that has seen the same so far, and now goes on separately."""
        return StoredProjection(
            audience, self.seq, decode_state(encode_state(self.state)), list(self.rows), list(self.unlisted)
        )


def encode_folds(folds: Sequence[StoredProjection]) -> list[StoredFold]:
    """The states in their stored form; one that several audiences share is encoded once."""
    states = {id(fold.state): fold.state for fold in folds}
    contents = {key: encode_state(state) for key, state in states.items()}
    return [StoredFold(fold.audience.key, fold.seq, FORM, contents[id(fold.state)]) for fold in folds]


class StoredProjections:
    """The folds of several audiences of one campaign, all at one seq.

    Mostly all of them see the same. Those that share a state are folded once, until they see something different;
    the next batch groups them again.
    """

    def __init__(self, folds: list[StoredProjection]) -> None:
        self._order = [fold.audience for fold in folds]
        together: dict[int, list[StoredProjection]] = {}
        for fold in folds:
            together.setdefault(id(fold.state), []).append(fold)
        self._together = [(same[0], [fold.audience for fold in same[1:]]) for same in together.values()]

    def add(self, action: list[RecordedEvent]) -> None:
        """Fold one whole action, redacted for each audience."""
        if all(map(is_same_for_all, action)):
            for fold, _ in self._together:
                fold.add_seen(action)
            return
        parted: list[tuple[StoredProjection, list[Audience]]] = []
        for fold, others in self._together:
            open_ = fold.state.revealed
            records = _redact(fold.audience, action, open_)
            for audience in [other for other in others if _redact(other, action, open_) != records]:
                others.remove(audience)
                own = fold.for_another(audience)
                own.add(action)
                parted.append((own, []))
            fold.add_seen(records)
        self._together += parted

    def finished_folds(self) -> list[StoredProjection]:
        """Every audience's fold with all its rows, in the order they were given."""
        folded: dict[Audience, StoredProjection] = {}
        for fold, others in self._together:
            fold.list_all()
            folded |= {audience: structs.replace(fold, audience=audience) for audience in (fold.audience, *others)}
        return [folded[audience] for audience in self._order]


def _redact(
    audience: Audience, action: list[RecordedEvent], revealed_ids: Collection[ActionId]
) -> list[RecordedEvent]:
    return action if audience.gm else [redacted_for(audience, record, revealed_ids) for record in action]
