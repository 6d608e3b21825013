"""An entry as files for accountants' tools have it."""

from msgspec import Struct

from domain.ids import ActionId
from domain.one_line import with_controls_written
from projections.campaign.ledger import LedgerEntry
from projections.campaign.ledger_files.entry_date import EntryDate

Balances = dict[tuple[str, str], int]
"""Balances by account and currency."""


class EntryInFile(Struct, frozen=True):
    """An entry with its date."""

    entry: LedgerEntry
    date: EntryDate
    change: int
    """The currency that came into `credit`: its amount, but for balances with which something came into play."""
    game_date: str
    """The date of the campaign's calendar, in words."""
    undone_in: ActionId | None
    """The action that undid it."""

    @property
    def tags(self) -> list[str]:
        """Marks of what was undone, and of what undoes or redoes it."""
        marks = {
            "undone": self.undone_in is not None,
            "undo": self.entry.undoes is not None,
            "redo": self.entry.redoes is not None,
        }
        return [mark for mark, holds in marks.items() if holds]

    @property
    def references(self) -> dict[str, str]:
        """The action of the entry and those that it has to do with, by their role."""
        actions = {
            "action": self.entry.action_id,
            "undone-by": self.undone_in,
            "undoes": self.entry.undoes,
            "redoes": self.entry.redoes,
        }
        return {role: str(action) for role, action in actions.items() if action is not None}


class NamedInFile(Struct, frozen=True):
    """An account or a currency by its key, and by its name for people."""

    key: str
    title: str


def on_line(text: str) -> str:
    """People's own words on one line, so that they end neither a string nor a comment."""
    return with_controls_written(" ".join(text.split()))
