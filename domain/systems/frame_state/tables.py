"""Tables of the rulebook: grades, the resolution table, and the public presets."""

from typing import Literal

from msgspec import Struct

AttributeType = Literal["die", "val"]
DieName = Literal["d4", "d6", "d8", "d10", "d12"]
TestType = Literal["proactive", "reactive"]
Outcome = Literal["fumble", "miss", "hit", "critical"]
Method = Literal["roll", "avg"]
Owner = Literal["pilot", "frame"]
PresetName = Literal["playtest1", "playtest1.2"]

BLANK = "\u2013"
"""A dash, as the reference table shows grade 0 of a die attribute: it offers no die."""

HIGHEST_GRADE = 5
"""A d12, or a value of 5 (FS-10)."""

ACE_BONUS = 2
"""The bonus of an ace to the score, once (FS-6)."""

EXPERIMENTAL_RANGE = (1, 3)
"""An experimental upgrade is worth +1 to +3 (FS-13)."""

BEYOND_D12_CATEGORY = "tuning"
"""The one category that may grow past d12, if a setting allows it (FS-A5)."""

COMPANY_SIZE = (4, 6)
"""How many pilots the rulebook recommends (FS-A13)."""

MISSION_COST_UNIT = 5
"""Currency per integrity lost and per tier of a weapon use (FS-W1, public)."""


class Grade(Struct, frozen=True):
    """One row of the reference table (FS-2). `sides` is the die's maximum as well."""

    die: DieName
    sides: int
    average: int


GRADES: dict[int, Grade] = {
    1: Grade("d4", 4, 3),
    2: Grade("d6", 6, 4),
    3: Grade("d8", 8, 5),
    4: Grade("d10", 10, 6),
    5: Grade("d12", 12, 7),
}
"""Grade 1 to 5; grade 0 is blank and has no row."""

BY_DIE: dict[str, Grade] = {grade.die: grade for grade in GRADES.values()}

EXTREME = 2
"""A difference of 2 or more makes a critical or a fumble (FS-A1)."""

RESOLUTION: dict[int, dict[TestType, Outcome]] = {
    -2: {"proactive": "miss", "reactive": "fumble"},
    -1: {"proactive": "miss", "reactive": "miss"},
    0: {"proactive": "hit", "reactive": "miss"},
    1: {"proactive": "hit", "reactive": "hit"},
    2: {"proactive": "critical", "reactive": "hit"},
}
"""Outcome by difference, where -2 stands for everything below and 2 for everything above (FS-6)."""


def outcome(test_type: TestType, difference: int) -> Outcome:
    """The outcome for a difference between score and mark (FS-6, FS-A1, FS-A2)."""
    row = RESOLUTION.get(difference) or RESOLUTION[EXTREME if difference > 0 else -EXTREME]
    return row[test_type]


class PresetCategory(Struct, frozen=True):
    """A category of a public price page; `attributes` are base grades of die attributes."""

    owner: Owner
    starting_points: int
    cost: int
    advance_limit: int
    attributes: dict[str, int] = {}


class Preset(Struct, frozen=True):
    """Numbers from the game's public pages, loaded only when a campaign names them (FS-3)."""

    categories: dict[str, PresetCategory]
    starting_currency: int = 0
    new_frame_price: int | None = None


# The public page has start, price and maximum; the limit on advances is maximum minus start.
_PLAYTEST_1 = {
    "skills": PresetCategory("pilot", 8, 900, 13 - 8),
    "tuning": PresetCategory("frame", 20, 300, 60 - 20),
    "weapons": PresetCategory("frame", 20, 600, 30 - 20),
    "expansions": PresetCategory("frame", 4, 1200, 8 - 4),
    "weapon_limit": PresetCategory("frame", 8, 900, 13 - 8),
}

PRESETS: dict[PresetName, Preset] = {
    "playtest1": Preset(categories=_PLAYTEST_1),
    "playtest1.2": Preset(
        categories=_PLAYTEST_1
        | {"skills": PresetCategory("pilot", 7, 900, 13 - 8, {"sharpness": 1, "smarts": 1, "synergy": 1})},
        starting_currency=100,
        new_frame_price=3000,
    ),
}
"""1.2 never published its own price table, so it keeps the prices of playtest 1."""

LISTS_TO_BEGIN_WITH: dict[str, dict[str, AttributeType]] = {
    "skills": {"sharpness": "die", "smarts": "die", "synergy": "die"},
    "tuning": {
        "thrusters": "die",
        "servos": "die",
        "sensors": "die",
        "targeting": "die",
        "stabilisers": "die",
        "manipulators": "die",
        "comms": "die",
        "camouflage": "die",
        "plating": "val",
        "reactor": "val",
        "cooling": "val",
        "fuel": "val",
    },
    "weapons": {
        "rifle": "die",
        "cannon": "die",
        "missiles": "die",
        "scattergun": "die",
        "blade": "die",
        "maul": "die",
    },
    "expansions": {"jump_jets": "die", "repair_drone": "die", "field_shield": "val"},
    "weapon_limit": {"mounts": "val", "magazines": "val", "heat_sinks": "val"},
}
"""Attributes of a preset's categories for which the public pages name none: with them a group can play at once.

They are no rule of the game, and take every point that a category of a preset can ever have.
"""
