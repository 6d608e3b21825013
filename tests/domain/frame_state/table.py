"""A table at which Frame State is played: one state, its facts, and people who ask."""

from typing import Any

from domain import lifecycle_events
from domain.ids import CharacterId, SystemId
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState
from tests.domain.system_table import SystemTable, person

CATALOGUE = c.DefineCatalogue(
    categories={
        "skills": c.CategoryDraft(
            owner="pilot",
            starting_points=7,
            cost=900,
            advance_limit=5,
            attributes={"sharpness": c.BaseAttribute("die", 1), "smarts": c.BaseAttribute("die", 1)},
        ),
        "tuning": c.CategoryDraft(
            owner="frame",
            starting_points=20,
            cost=305,
            advance_limit=3,
            attributes={"aim_assist": c.BaseAttribute("die"), "armour": c.BaseAttribute("val")},
        ),
    }
)
PEOPLE = ("mara", "jun")


class Table(SystemTable):
    """`handler` is the GM, `mara` and `jun` are players; their pilots are created when asked for."""

    SYSTEM = FRAME_STATE
    RULES = "FS-"
    GM = "handler"
    OWN_TERMS = True
    PEOPLE = PEOPLE

    state: FrameState
    settings: Settings

    def __init__(self, settings: Settings | None = None) -> None:
        super().__init__(settings)
        self.follow(
            lifecycle_events.CampaignCreated(
                name="Night shift", systems=[SystemId("frame_state")], created_by=person("handler")
            )
        )

    def sheets(self, state: FrameState) -> list[CharacterId]:
        return [CharacterId(each) for each in state.pilots]

    def pilot(self, who: str = "mara") -> str:
        """A pilot with a frame and 1,000 credits."""
        if self.state.catalogue is None:
            self.do("handler", CATALOGUE)
        [created] = self.do(who, c.CreatePilot(name=who.title()))
        self.do(who, c.CreateUnit(kind="frame", name=f"Frame of {who}"))
        self.do("handler", c.AwardCurrency(amount=1000, reason="to begin with", pilot=created.pilot_id))
        return str(created.pilot_id)

    def frame(self, pilot: str) -> Any:
        """The frame that a pilot flies."""
        return self.state.active_frame(self.state.pilots[pilot])
