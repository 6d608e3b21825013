"""Settings of Overdrive. A setting that matters to an event is recorded in it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.systems.overdrive.tables import QUADRANTS, QUADRANTS_RANGE

TierReading = Literal["strict", "inclusive"]
Tie = Literal["fails", "holds"]
RaiseRule = Literal["overtake", "free"]
RevelationAward = Literal["each", "one"]
Progression = Literal["off", "exo_progression"]


BonusDice = Literal["given", "free"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of an Overdrive campaign; every one has the ruling of the specification as its default."""

    tier_reading: Annotated[
        TierReading,
        Meta(description="Whether a major success takes more than 5 successes, or 5."),
    ] = "strict"
    stabilisation_tie: Annotated[
        Tie, Meta(description="Whether a stabilisation die that equals the counter fails or holds.")
    ] = "fails"
    phase_counters: Annotated[
        int, Meta(ge=1, le=20, description="How many failures a mech survives before the next means Fatal mode.")
    ] = 1
    reset_on_failure: Annotated[
        bool, Meta(description="Whether a failed stabilisation empties the phase counter.")
    ] = False
    quadrants: Annotated[
        int,
        Meta(
            ge=QUADRANTS_RANGE[0],
            le=QUADRANTS_RANGE[1],
            description="How many quadrants a ring of the map has. A fight keeps those that it began with.",
        ),
    ] = QUADRANTS
    bonus_dice: Annotated[
        BonusDice,
        Meta(description="Whether players roll the bonus dice that a GM has given them, or as many as they say."),
    ] = "given"
    duel_raise: Annotated[
        RaiseRule, Meta(description="Whether a raise in a duel must overtake the other side, or is free.")
    ] = "overtake"
    revelation_award: Annotated[
        RevelationAward,
        Meta(description="Whether a revelation gives Overdrive to each participant or to one alone."),
    ] = "each"
    progression: Annotated[
        Progression,
        Meta(description="Whether Overdrive buys advances and is awarded by the author's progression page."),
    ] = "off"
