"""A field on which Mobile Frame is played: one state, its facts, and people who ask."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain.command_context import Asked
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.battles import next_to_go
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Battle, Frame, MobileFrameState
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

PEOPLE = ("ann", "ben", "cleo")


class Field:
    """`gm` leads; `ann`, `ben` and `cleo` have companies; a `worker` is nobody. Frames are called by name."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.state = MobileFrameState()
        self.settings = settings or Settings()
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, Asked] = {}

    def asked(self, who: str, command: Any) -> Asked:
        role: Any = {"gm": "gm", "observer": "observer", "worker": "worker"}.get(who, "player")
        self.asks[len(self.actions)] = asked = Asked(
            command=command,
            account=person(who) if who != "worker" else None,
            role=role,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=0,
            game_time=0,
            settings=self.settings,
        )
        return asked

    def do(self, who: str, command: Any, faces: Sequence[int] = ()) -> list[Any]:
        """Somebody asks; what happens is folded. Deciding never changes the state."""
        before = deepcopy(self.state)
        try:
            with for_people(partial(MOBILE_FRAME.name, self.state)):
                events = MOBILE_FRAME.decide(self.state, self.asked(who, command), ScriptedDice(faces or [1]))
        finally:
            assert self.state == before, "deciding changed the state"
        for event in events:
            self.state = MOBILE_FRAME.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith("MF-")
        assert len(str(refused.value)) > 10
        return refused.value.code

    def field_frame(self, who: str, name: str, notation: str = "WWBGYRdRd") -> str:
        [registered] = self.do(who, c.RegisterLoadout(notation=notation, name=name))
        return str(registered.frame)

    def field_cover_that_fell(self, name: str) -> None:
        """Cover that somebody has razed."""
        [placed] = self.do("gm", c.PlaceCover(bricks=6, height=3, name=name))
        self.state.covers[placed.cover].fallen = True

    def fight(self) -> Battle:
        """Start the battle."""
        self.do("gm", c.SetPointsPerAsset())
        self.do("gm", c.StartBattle())
        assert self.state.battle is not None
        return self.state.battle

    def activates(self, name: str) -> None:
        """A frame begins its turn; whoever would go before it passes."""
        frame = self.frame(name)
        while frame.owner not in (first := next_to_go(self.state, self.battle)):
            self.do("gm", c.Pass(player=first[0]))
        self.do("gm", c.ActivateFrame(frame=frame.frame_id))

    @property
    def battle(self) -> Battle:
        assert self.state.battle is not None
        return self.state.battle

    def frame(self, name: str) -> Frame:
        return next(each for each in self.state.frames.values() if each.name == name)

    def id(self, name: str) -> str:
        return self.frame(name).frame_id

    def acting(self) -> str | None:
        turn = self.state.acting()
        return self.state.frames[turn.frame].name if turn is not None else None

    def called(self, thing: Any) -> str:
        people: dict[Any, str] = {person(who): who.title() for who in (*PEOPLE, "gm")}
        return people.get(thing) or MOBILE_FRAME.name(self.state, str(thing)) or str(thing)


def duel(settings: Settings | None = None, **notations: str) -> Field:
    """Ann's Adder and Ben's Bear, in a battle; everybody asks through the GM where it does not matter."""
    field = Field(settings)
    field.field_frame("ann", "Adder", notations.get("adder", "WWBGYRdRd"))
    field.field_frame("ben", "Bear", notations.get("bear", "WWBGYRdRd"))
    field.fight()
    return field


def kinds(events: Sequence[Any]) -> list[str]:
    return [type(event).__name__ for event in events]


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))
