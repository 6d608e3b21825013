"""A table at which Frame State is played: one state, its facts, and people who ask."""

from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain import lifecycle_events
from domain.command_context import Asked, Role
from domain.ids import AccountId, ActionId, SystemId
from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState
from tests.refusals import for_people
from tests.scripted_dice import ScriptedDice

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


class Table:
    """`handler` is the GM, `mara` and `jun` are players; their pilots are created when asked for."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.state = FrameState()
        self.settings = settings or Settings()
        self.members: dict[AccountId, Role] | None = None
        self.events: list[Any] = []
        self.actions: list[list[Any]] = []
        self.asks: dict[int, Asked] = {}
        self.follow(
            lifecycle_events.CampaignCreated(
                name="Night shift", systems=[SystemId("frame_state")], created_by=person("handler")
            )
        )

    def asked(self, who: str, command: Any) -> Asked:
        role: Any = {"handler": "gm", "worker": "worker", "observer": "observer"}.get(who, "player")
        self.asks[len(self.actions)] = asked = Asked(
            command=command,
            account=None if who == "worker" else person(who),
            role=role,
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action-{len(self.actions)}")),
            at=0,
            game_time=0,
            settings=self.settings,
            members=self.members,
        )
        return asked

    def do(self, who: str, command: Any, faces: Sequence[int] = (1,)) -> list[Any]:
        """Somebody asks; what happens is folded. Deciding never changes the state."""
        before = deepcopy(self.state)
        try:
            with for_people(partial(FRAME_STATE.name, self.state)):
                events = FRAME_STATE.decide(self.state, self.asked(who, command), ScriptedDice(faces))
        finally:
            assert self.state == before, "deciding changed the state"
        return self._happened(events)

    def follow(self, moment: lifecycle_events.Moment) -> list[Any]:
        return self._happened(FRAME_STATE.follow(self.state, moment, self.asked("handler", None)))

    def _happened(self, events: list[Any]) -> list[Any]:
        for event in events:
            self.state = FRAME_STATE.evolve(self.state, event)
        self.events.extend(events)
        self.actions.append(events)
        return events

    def refusal(self, who: str, command: Any) -> str:
        """The code under which a command is refused; every refusal names its rule and says a sentence."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command)
        assert refused.value.rule.startswith("FS-")
        assert len(str(refused.value)) > 10
        return refused.value.code

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


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))
