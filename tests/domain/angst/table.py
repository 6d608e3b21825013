"""A table at which Angst is played: one state, its facts, and people who ask."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain import lifecycle_events
from domain.campaign.scheduling.schedule import first_due
from domain.command_context import Asked
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst
from domain.systems.angst.tables import HOUR_SECONDS, CoreName
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

CORES: dict[CoreName, str] = {"physical": "d8", "mental": "d6", "social": "d12", "resolve": "d6"}
TYPES = ["anger", "fear", "guilt"]


class Table:
    """`gm` leads, `mara` and `jun` play; their characters come when asked for."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.state = Angst()
        self.settings = settings or Settings()
        self.hour = 0
        self.now = 0
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, Asked] = {}
        self.sessions = 0
        self.do("gm", c.DefineAngstTypes(types=TYPES))

    def asked(self, who: str, command: Any) -> Asked:
        role: Any = {"gm": "gm", "worker": "worker", "observer": "observer"}.get(who, "player")
        self.asks[len(self.actions)] = asked = Asked(
            command=command,
            account=None if who == "worker" else person(who),
            role=role,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=self.now,
            game_time=self.hour * HOUR_SECONDS,
            settings=self.settings,
        )
        return asked

    def do(self, who: str, command: Any, faces: Sequence[int] = (1,)) -> list[Any]:
        """Somebody asks; what happens is folded. Deciding never changes the state."""
        before = deepcopy(self.state)
        try:
            with for_people(partial(ANGST.name, self.state)):
                events = ANGST.decide(self.state, self.asked(who, command), ScriptedDice(faces))
        finally:
            assert self.state == before, "deciding changed the state"
        return self._happened(events)

    def follow(self, moment: lifecycle_events.Moment) -> list[Any]:
        return self._happened(ANGST.follow(self.state, moment, self.asked("gm", None)))

    def pass_hours(self, hours: int) -> list[Any]:
        """The calendar moves, and what it makes due happens as the campaign commands it."""
        self.hour += hours
        after = self.hour * HOUR_SECONDS
        moved = self.follow(lifecycle_events.CalendarAdvanced(seconds=hours * HOUR_SECONDS, game_time_after=after))
        return moved + self._settle(None)

    def pass_real_time(self, microseconds: int) -> list[Any]:
        """A worker comes by so much later, and does what is due."""
        self.now += microseconds
        return self._settle(self.now)

    def _settle(self, real_time: int | None) -> list[Any]:
        happened: list[Any] = []
        while (due := first_due(ANGST.owed(self.state), self.hour * HOUR_SECONDS, real_time)) is not None:
            happened += self.do("worker", due.command)
        return happened

    def start_session(self) -> list[Any]:
        self.sessions += 1
        return self.follow(lifecycle_events.SessionStarted(session_id="s", number=self.sessions, present=[]))

    def start_scene(self) -> list[Any]:
        return self.follow(lifecycle_events.SceneStarted(scene_id="scene"))

    def end_scene(self) -> list[Any]:
        return self.follow(lifecycle_events.SceneEnded(scene_id="scene"))

    def _happened(self, events: list[Any]) -> list[Any]:
        for event in events:
            self.state = ANGST.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith("AN-")
        assert len(str(refused.value)) > 10
        return refused.value.code

    def character(self, who: str = "mara", **changes: Any) -> str:
        """A character with something of everything; a `gmc` is the GM's."""
        gmc = changes.get("kind") == "gmc"
        sheet: dict[str, Any] = {
            "name": who.title(),
            "cores": CORES,
            "player": None if gmc else person(who),
            "rocks": [c.TraitDraft("track", "physical"), c.TraitDraft("math", "mental", really=True)],
            "sucks": [c.TraitDraft("clumsy", "physical", really=True)],
            "perks": ["ace pilot"],
            "factoids": ["old soldier"] if gmc else [],
            "angst": {"anger": 2},
            "stressors": ["dogs"],
            "comforts": ["guitar"],
            "story_points": 5,
            "life_experience": 3,
        }
        [created] = self.do("gm", c.CreateCharacter(**{**sheet, **changes}))
        return str(created.character)

    def sheet(self, character: str) -> Any:
        return self.state.characters[character]


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))


def kinds(events: Sequence[Any]) -> list[str]:
    return [type(event).__name__ for event in events]
