"""A table at which Overdrive is played: one state, its facts, and people who ask."""

from collections.abc import Collection
from typing import Any

from domain.ids import AccountId
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.fight_choices import Fight
from domain.systems.overdrive.pending_answers import PendingAnswer
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState, Position
from tests.domain.system_table import SystemTable

PAIRING: Any = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}


class Table(SystemTable):
    """`gm` is the GM, `mara` and `jun` are players; their characters sit in a mech with a rifle."""

    SYSTEM = OVERDRIVE
    RULES = "OD-"
    FACES = (6,)
    PEOPLE = ("mara", "jun")

    state: OverdriveState
    settings: Settings

    def character(self, who: str = "mara", *, od: int = 3) -> str:
        """Somebody with a mech, aboard, and a relation called after them."""
        created = self.do(
            who,
            c.CreateCharacter(
                name=who.title(),
                stats={"strength": 2, "agility": 3, "intellect": 2, "will": 4},
                skills={"mech_combat": 3, "personal_combat": 2, "social": 3, "field_ops": 2},
                od_start=od,
                reactions=[c.ReactionDraft("Laughs too loudly", "laugh")],
            ),
        )
        me = str(created[0].character_id)
        self.do(
            who,
            c.CreateMech(
                name=f"{who.title()}'s Heron",
                attributes={"weapons": 2, "armor": 1, "technology": 1, "speed": 2},
                pairing=PAIRING,
                configs=["shield", "boost"],
                weapons={"rifle": c.WeaponDraft(3), "blade": c.WeaponDraft(0, cools=False)},
                character=me,
            ),
        )
        self.do(who, c.BoardMech(character=me))
        self.do(who, c.AddRelation(with_="Ines", nature="mentor", relation=f"ines_{who}", character=me))
        return me

    def fight(self, *people: str, **others: Any) -> None:
        """A fight in which turns follow the order of the names."""
        self.do("gm", c.StartCombat(participants=list(people), **others))
        for nth, who in enumerate(people):
            self.do("gm", c.RollInitiative(character=who), [2] if nth == 0 else [6])
        self.do("gm", c.BeginTurns(order=list(people)))


def at(ring: int, quadrant: int) -> Position:
    return Position(ring, quadrant)


def choices_of(
    state: OverdriveState, settings: Settings, able: Collection[AccountId] | None = None
) -> list[PendingAnswer]:
    """The choices that the current fight waits for; empty outside of fights."""
    return Fight(state, state.combat, settings, able).choices() if state.combat is not None else []
