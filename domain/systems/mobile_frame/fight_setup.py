"""The builder of a battle: opposing frames, terrain, stations and the points of each asset (MF-C1 to MF-C3)."""

from domain.mechanics.builders import Builder, Newcomers, Step
from domain.sentences import Part, join_parts, say
from domain.systems.mobile_frame.commands import (
    PlaceCover,
    PlaceStation,
    RegisterLoadout,
    SetPointsPerAsset,
    StartBattle,
)
from domain.systems.mobile_frame.frame_builder import BUILDER
from domain.systems.mobile_frame.state import MobileFrameState


def _is_on(state: MobileFrameState) -> bool:
    return state.battle is not None


def _on_the_field(state: MobileFrameState) -> Part:
    """The frames that fight in any case."""
    names = sorted(frame.name for frame in state.in_play())
    if not names:
        return say("There are no frames on the field yet: players bring theirs, or you add them here.")
    return say("Already on the field, and in the battle: {frames}.", frames=join_parts(names))


FIGHT = Builder(
    title=say("Set up a battle"),
    verb=say("Start the battle"),
    gm_only=True,
    gate=PlaceStation,
    is_on=_is_on,
    steps=(
        Step(
            kind=RegisterLoadout,
            title=say("Opponents"),
            rows=1,
            newcomers=Newcomers(builder=BUILDER, asked=frozenset({"owner"}), left_open=say("Your own company")),
            note=_on_the_field,
        ),
        Step(
            kind=PlaceCover,
            title=say("Cover"),
            rows=0,
            fields_of_refusals={"too_low_for_cover": "height"},
        ),
        Step(kind=PlaceStation, title=say("Stations"), rows=0),
        Step(kind=SetPointsPerAsset, title=say("Points per asset")),
        Step(kind=StartBattle, title=say("The battle")),
    ),
)
