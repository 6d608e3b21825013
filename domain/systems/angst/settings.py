"""Settings of Angst. A setting that matters to an event is recorded in it."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

Clock = Literal["game", "real"]
SparedCap = Literal["d4", "none"]
SuckFloor = Literal["d0", "d4"]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of an Angst campaign; every one has our ruling as its default."""

    players_set_dn: Annotated[
        bool, Meta(description="Whether players may make tests that nobody called, and set their own DN.")
    ] = False
    gmc_spendables: Annotated[
        bool, Meta(description="Whether GMCs earn and spend Story Points and Life Experience too.")
    ] = False
    spared_cap: Annotated[
        SparedCap,
        Meta(description="How high a GM may set the Core of a spared character: d4 at most, or with a warning."),
    ] = "none"
    suck_floor: Annotated[SuckFloor, Meta(description="How low a Suck can knock a Core die: d0 or d4.")] = "d0"
    clock: Annotated[
        Clock, Meta(description="Whether lost steps come back by the campaign's calendar or by real time.")
    ] = "game"
