"""A table at which Angst is played: one state, its facts, and people who ask."""

from typing import Any

from domain import lifecycle_events
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst
from domain.systems.angst.tables import HOUR_SECONDS, CoreName
from tests.domain.system_table import SystemTable, person

CORES: dict[CoreName, str] = {"physical": "d8", "mental": "d6", "social": "d12", "resolve": "d6"}
TYPES = ["anger", "fear", "guilt"]


class Table(SystemTable):
    """`gm` leads, `mara` and `jun` play; their characters come when asked for."""

    SYSTEM = ANGST
    RULES = "AN-"
    PEOPLE = ("mara", "jun")

    state: Angst
    settings: Settings
    sessions = 0

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.do("gm", c.DefineAngstTypes(types=TYPES))

    def pass_hours(self, hours: int) -> list[Any]:
        return self.pass_time(hours * HOUR_SECONDS)

    def start_session(self) -> list[Any]:
        self.sessions += 1
        return self.follow(lifecycle_events.SessionStarted(session_id="s", number=self.sessions, present=[]))

    def start_scene(self) -> list[Any]:
        return self.follow(lifecycle_events.SceneStarted(scene_id="scene"))

    def end_scene(self) -> list[Any]:
        return self.follow(lifecycle_events.SceneEnded(scene_id="scene"))

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
