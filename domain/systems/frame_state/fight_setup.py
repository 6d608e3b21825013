"""The builder of a mission: its pilots, and the machines that the Handler brings (FS-C5, FS-C10).

The rules know no fight of its own: everything that happens on a mission is a test of a pilot's.
"""

from collections.abc import Iterator

from domain.mechanics.builders import Builder, Joining, Newcomers, Preset, Step, command
from domain.sentences import say
from domain.systems.frame_state.commands import CreateUnit, StartMission
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState


def _is_on(state: FrameState) -> bool:
    return any(mission.state == "running" for mission in state.missions)


def _units(_state: FrameState, _settings: Settings) -> Iterator[Preset]:
    yield Preset("npc", say("An NPC"), [command(CreateUnit, name="")])


UNITS = Builder(
    title=say("Opponents"),
    steps=(Step(kind=CreateUnit, title=say("Opponents"), fixed_fields={"kind": "npc"}),),
    presets=_units,
)
"""How an NPC is made: it has a name, and nothing else that the rules ask about."""

FIGHT = Builder(
    title=say("Set up a mission"),
    verb=say("Start the mission"),
    gm_only=True,
    gate=StartMission,
    is_on=_is_on,
    steps=(
        Step(
            kind=CreateUnit,
            title=say("Opponents"),
            rows=1,
            newcomers=Newcomers(builder=UNITS),
        ),
        Step(
            kind=StartMission,
            title=say("The mission"),
            joining=Joining(members="pilots", with_newcomers=False),
            fields_of_refusals={
                "mission_without_pilots": "pilots",
                "mission_already_running": "pilots",
                "new_frame_unpaid": "pilots",
            },
        ),
    ),
)
