"""Words that are awaited: whose, about what, and which commands the rules take for an answer now."""

from collections.abc import Collection, Iterable

from msgspec import Struct

from domain.ids import AccountId
from domain.mechanics import trial
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.decide import decide
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState


class Awaited(Struct, frozen=True):
    """A word that is awaited: a command by its name, about what, from whom (None: a GM), and what it may be.

    `character` is who it is about, if anybody. It was `absent` whose word it was, where it is a GM's only because
    that player may not act any more. What is `optional` holds nobody up.
    """

    kind: str
    subject: str
    character: str | None
    waits_for: AccountId | None
    answers: list[c.AnyCommand]
    optional: bool = False
    absent: AccountId | None = None


class Trial(trial.Trial):
    """Finds out what may be answered, by asking the rules."""

    def __init__(
        self, state: OverdriveState, settings: Settings, able: Collection[AccountId] | None = None
    ) -> None:
        super().__init__(decide, state, settings, able)
        self.state = state

    def player_of(self, character: str | None) -> AccountId | None:
        """Who plays somebody; None: a GM."""
        found = self.state.characters.get(character or "")
        return found.player_id if found is not None else None

    def of(
        self,
        player: AccountId | None,
        kind: str,
        subject: str,
        character: str | None,
        answers: Iterable[c.AnyCommand],
        *,
        optional: bool = False,
    ) -> Awaited:
        """What waits for a player (None, or gone: a GM), with those of the answers that are accepted from them."""
        here = self.here(player)
        accepted = [each for each in answers if self.accepts(each, here)]
        absent = player if here is None else None
        return Awaited(kind, subject, character, here, accepted, optional, absent)
