"""Folds the log into stored projections, for one audience at a time."""

from collections.abc import Collection, Sequence

from msgspec import Struct, structs

from domain.campaign.evolve import evolve_all
from domain.campaign.play.characters import characters
from domain.campaign.secrecy.audience import Audience, is_same_for_all, seen_by
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import FORM, decode_state, encode_state
from domain.ids import ActionId
from domain.projection_types import StoredFold, ViewRow
from domain.recorded_event import Recorded
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
    unlisted: list[list[Recorded]] = []

    def add(self, action: list[Recorded]) -> None:
        """Fold one whole action, redacted for this audience."""
        self.add_seen(_seen(self.audience, action, self.state.revealed))

    def add_seen(self, seen: list[Recorded]) -> None:
        """The same for an action that is redacted already."""
        self.state = evolve_all(self.state, [record.event for record in seen])
        self.unlisted.append(seen)
        self.seq = seen[-1].seq
        if len(self.unlisted) == LISTED_AT_ONCE:
            self.list_all()

    def rewritten(self, action: list[Recorded], state: CampaignState) -> None:
        """Add a history change: its own rows, and the campaign's state after it."""
        self.list_all()
        self.state = state
        self.unlisted.append(_seen(self.audience, action, state.revealed))
        self.seq = action[-1].seq

    def opened(self, action: list[Recorded], before: Collection[ActionId]) -> None:
        """List an earlier action again if it reads otherwise than it did `before`."""
        seen = _seen(self.audience, action, self.state.revealed)
        if seen != _seen(self.audience, action, before):
            known = {str(each.character) for each in characters(self.state)}
            lines = [*index_rows(seen, known), *statement_rows(seen, reader=self.state)]
            self.rows += [structs.replace(row, since=self.seq) for row in lines]

    def list_all(self) -> None:
        """Make the rows of the folded actions with the last state: only an undo ever removes a character."""
        known = {str(each.character) for each in characters(self.state)}
        for seen in self.unlisted:
            self.rows += index_rows(seen, known)
            self.rows += statement_rows(seen, reader=self.state)
        self.unlisted.clear()

    def for_another(self, audience: Audience) -> "StoredProjection":
        """A copy for an audience that has seen the same so far, and now goes on separately."""
        return StoredProjection(
            audience, self.seq, decode_state(encode_state(self.state)), list(self.rows), list(self.unlisted)
        )


def stored(folds: Sequence[StoredProjection]) -> list[StoredFold]:
    """The states in their stored form; one that several audiences share is encoded once."""
    states = {id(fold.state): fold.state for fold in folds}
    contents = {each: encode_state(state) for each, state in states.items()}
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

    def add(self, action: list[Recorded]) -> None:
        """Fold one whole action, redacted for each audience."""
        if all(map(is_same_for_all, action)):
            for fold, _ in self._together:
                fold.add_seen(action)
            return
        parted: list[tuple[StoredProjection, list[Audience]]] = []
        for fold, others in self._together:
            open_ = fold.state.revealed
            seen = _seen(fold.audience, action, open_)
            for audience in [each for each in others if _seen(each, action, open_) != seen]:
                others.remove(audience)
                own = fold.for_another(audience)
                own.add(action)
                parted.append((own, []))
            fold.add_seen(seen)
        self._together += parted

    def each(self) -> list[StoredProjection]:
        """Every audience's fold with all its rows, in the order they were given."""
        folded: dict[Audience, StoredProjection] = {}
        for fold, others in self._together:
            fold.list_all()
            folded |= {audience: structs.replace(fold, audience=audience) for audience in (fold.audience, *others)}
        return [folded[audience] for audience in self._order]


def _seen(audience: Audience, action: list[Recorded], revealed: Collection[ActionId]) -> list[Recorded]:
    return action if audience.gm else [seen_by(audience, record, revealed) for record in action]
