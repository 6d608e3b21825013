"""A table at which Overdrive is played: one state, its facts, and people who ask."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from msgspec import structs

from domain import lifecycle_events
from domain.command_context import Asked
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState, Position
from tests.languages.messages import translations, unheard
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

PAIRING: Any = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}


class Table:
    """`gm` is the GM, `mara` and `jun` are players; their characters sit in a mech with a rifle."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.state = OverdriveState()
        self.settings = settings or Settings()
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, Asked] = {}

    def asked(self, who: str, command: Any) -> Asked:
        role: Any = {"gm": "gm", "worker": "worker", "observer": "observer"}.get(who, "player")
        self.asks[len(self.actions)] = asked = Asked(
            command=command,
            account=None if who == "worker" else person(who),
            role=role,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=0,
            game_time=0,
            settings=self.settings,
        )
        return asked

    def do(self, who: str, command: Any, faces: Sequence[int] = (6,)) -> list[Any]:
        """Somebody asks; what happens is folded. Deciding never changes the state."""
        before = deepcopy(self.state)
        try:
            with for_people(partial(OVERDRIVE.name, self.state)):
                events = OVERDRIVE.decide(self.state, self.asked(who, command), ScriptedDice(faces))
        finally:
            assert self.state == before, "deciding changed the state"
        return self.happened(events)

    def follow(self, moment: lifecycle_events.Moment) -> list[Any]:
        return self.happened(OVERDRIVE.follow(self.state, moment, self.asked("gm", None)))

    def happened(self, events: list[Any]) -> list[Any]:
        for event in events:
            self.state = OVERDRIVE.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith("OD-")
        assert len(str(refused.value)) > 10
        assert unheard(refused.value.message, translations("fr", "overdrive")) == set()
        return refused.value.code

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

    @staticmethod
    def dice(faces: Sequence[int]) -> ScriptedDice:
        return ScriptedDice(faces)

    @staticmethod
    def with_members(asked: Asked, members: dict[AccountId, Any]) -> Asked:
        """The same, in a campaign of these members."""
        return structs.replace(asked, members=members)

    def tags(self, events: list[Any]) -> list[str]:
        return [type(event).__name__ for event in events]


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))


def at(ring: int, quadrant: int) -> Position:
    return Position(ring, quadrant)
