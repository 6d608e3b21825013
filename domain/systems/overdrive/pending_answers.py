"""Choices that the game waits for: their players, subjects, and the commands that the rules accept as answers."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from domain.ids import AccountId
from domain.mechanics import acceptable_commands
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.decide import decide
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState


class PendingAnswer(Struct, frozen=True):
    """A choice that the game waits for."""

    kind: str
    subject: str
    character: str | None
    """The one it is about, if any."""
    waits_for: AccountId | None
    """The player; None: a GM."""
    answers: list[c.AnyCommand]
    optional: bool = False
    """The game goes on without it."""
    absent: AccountId | None = None
    """The player whose choice it was before that account could no longer act."""


class Trial(acceptable_commands.Trial):
    """Finds out which answers are possible, by asking the rules."""

    def __init__(
        self, state: OverdriveState, settings: Settings, able: Collection[AccountId] | None = None
    ) -> None:
        super().__init__(decide, state, settings, able)
        self.state = state

    def player_of(self, character: str | None) -> AccountId | None:
        """The player of a character; None: a GM."""
        sheet = self.state.characters.get(character or "")
        return sheet.player_id if sheet is not None else None

    def of(
        self,
        player: AccountId | None,
        kind: str,
        subject: str,
        character: str | None,
        answers: Iterable[c.AnyCommand],
        *,
        optional: bool = False,
    ) -> PendingAnswer:
        """A choice of a player, or of a GM for None and for one who may not act, with the possible answers."""
        here = self.here(player)
        accepted = [answer for answer in answers if self.accepts(answer, here)]
        absent = player if here is None else None
        return PendingAnswer(kind, subject, character, here, accepted, optional, absent)
