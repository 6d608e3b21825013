"""Words and numbers of the rulebook. Ranges are in ruler units."""

from typing import Literal

System = Literal["defense", "movement", "spotting", "weapon:hand", "weapon:direct", "weapon:artillery"]
Color = Literal["white", "blue", "green", "yellow", "red"]
Letter = Literal["h", "d", "a", "r"]
"""The range of a red die: hand, direct, artillery, or a rocket, which is direct."""

Range = Literal["hand", "direct", "artillery"]
Weapon = Literal["weapon:hand", "weapon:direct", "weapon:artillery", "rocket"]
"""The weapon of an attack, if one is named."""

Action = Literal["defense", "movement", "attack", "spot"]
Situation = Literal["melee", "open", "in_cover", "covered_by_frame", "is_cover"]
ScoreReason = Literal["frame_destroyed", "station_captured", "station_lost", "frame_entered"]

RANGE_OF: dict[Letter, Range] = {"h": "hand", "d": "direct", "a": "artillery", "r": "direct"}
WEAPON_LETTERS: dict[Letter, System] = {"h": "weapon:hand", "d": "weapon:direct", "a": "weapon:artillery"}
LETTER_OF: dict[Weapon, Letter] = {
    "weapon:hand": "h",
    "weapon:direct": "d",
    "weapon:artillery": "a",
    "rocket": "r",
}
COLOR_OF_SYSTEM: dict[System, Color] = {"defense": "blue", "spotting": "yellow", "movement": "green"}
COLOR_OF_ACTION: dict[Action, Color] = {
    "defense": "blue",
    "movement": "green",
    "attack": "red",
    "spot": "yellow",
}

WHITE_DICE = 2
"""The pilot and the bare machine (MF-3)."""

SYSTEMS_MAX = 4
SYSTEMS_OF_A_TYPE_MAX = 2
"""Limits of a loadout, from the game's public pages (MF-2)."""

ROCKETS_MAX = 10

HAND_UNITS = 1
"""How far a hand reaches, and how near a station is contested (MF-5, MF-22)."""

COVER_HEIGHT_MIN = 3
"""Bricks high; anything lower is no cover (MF-6)."""

BRICKS_PER_HIT = 6
"""MF-20."""

STRAY_PROOF_DEFENSE = 2
"""The number of defence systems with which a covering frame ignores strays (MF-19)."""

SPOT_ANYTHING = 2
"""The number of spotting systems with which distance and cover do not matter (MF-16)."""

POINTS_PER_ASSET = 5
"""Points before the most and the fewest frames and systems are counted (MF-23)."""
