"""Settings of Mobile Frame. A setting that matters to an event is recorded in it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

SituationNamedBy = Literal["attacker", "agreed"]
DoomsdayTie = Literal["joint", "one_more_round", "most_assets"]
BetweenBattles = Literal["repaired", "kept"]
StrayShots = Literal["ignored", "passed_on"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of Mobile Frame; the defaults are the rulings and the public preset `mfz_condensed`."""

    situation_named_by: Annotated[
        SituationNamedBy,
        Meta(description="Who says what an attack meets: the attacker, or attacker and target in agreement."),
    ] = "attacker"
    stray_shots: Annotated[
        StrayShots,
        Meta(
            description="Stray shots at a covering frame with two defence systems: ignored or dealt to the target."
        ),
    ] = "ignored"
    woken_may_declare: Annotated[
        bool, Meta(description="Whether a frame that an attack wakes may declare a target of its own.")
    ] = True
    bonus_d8_on_cover: Annotated[
        bool, Meta(description="Whether the green d8 of a frame without ranged weapons lets it stand on cover.")
    ] = False
    doomsday_tie: Annotated[
        DoomsdayTie,
        Meta(description="A tie at doomsday: joint winners, one more round, or whoever has the most assets."),
    ] = "joint"
    doomsday_start: Annotated[int, Meta(ge=1, le=1000, description="Where the doomsday clock starts.")] = 11
    ruler_units: Annotated[
        int, Meta(ge=2, le=1000, description="How many units a ruler has: as far as direct fire reaches.")
    ] = 8
    loadout_limits: Annotated[
        bool, Meta(description="Whether a frame has at most four systems and two of a type.")
    ] = True
    bonus_d8: Annotated[
        bool,
        Meta(description="Whether a frame without direct or artillery weapons has a green d8 to run with."),
    ] = True
    between_battles: Annotated[
        BetweenBattles,
        Meta(description="Whether frames start every battle whole, or as the last one left them."),
    ] = "repaired"
