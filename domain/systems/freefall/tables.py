"""Numbers and words of the rulebook."""

from typing import Literal

AttributeName = Literal["body", "mind", "ghost"]
MachineAttribute = Literal["frm", "sys"]
HarmType = Literal["physical", "psychic", "compromise"]
HarmState = Literal["temporary", "permanent"]
ItemKind = Literal["gear", "augmentation", "machine"]
ItemState = Literal["functional", "faulty", "broken"]
Subtype = Literal["cybernetic", "spliced", "bionic"]
Removal = Literal["downtime", "free"]
Mode = Literal["narrative", "montage", "action", "bullet"]
ActionKind = Literal["simple", "specialized"]
Outcome = Literal["failure", "basic", "greater"]
Fate = Literal["dead", "retired"]
Source = Literal["attack", "prerequisite", "montage", "machine"]
Means = Literal["rest", "stabilisation", "care"]
Occasion = Literal["scene_end", "regroup", "downtime"]

Preset = Literal["v7"]

ATTRIBUTES: tuple[AttributeName, ...] = ("body", "mind", "ghost")
MATCHING: dict[HarmType, AttributeName] = {"physical": "body", "psychic": "mind", "compromise": "ghost"}
"""The attribute that resists a type of harm (FF-16)."""

MACHINE_ATTRIBUTES: tuple[MachineAttribute, ...] = ("frm", "sys")
MACHINE_MATCHING: dict[HarmType, MachineAttribute] = {"physical": "frm", "psychic": "sys"}
"""The attributes with which a machine takes harm; it has none against Compromise (FF-22, FF-A19)."""

SCALES: dict[Mode, int] = {"narrative": 1, "montage": 2, "action": 4, "bullet": 16}
"""How closely each time mode looks."""

SLOTS = 3
POOL = 5
POOL_MIN = 2
DIE = 20
CONFLICT_MIN = 2
CREATION_ARRAY = (12, 8, 6)
"""Public: the values that the v7 rulebook distributes at creation."""

CLASSES: dict[Preset, dict[str, tuple[str, ...]]] = {
    "v7": {
        "Vanguard": ("Breaching", "Close Combat Tactics", "Tactical Defense"),
        "Spectre": ("Infiltration", "Sabotage", "Surveillance"),
        "Wirehead": ("System Cracking", "Data Mining", "Cybernetics Intrusion"),
        "Fixer": ("Human Systems", "Field Systems Tech", "Clocksmith (AI)"),
        "Operator": ("Deadeye", "Target Acquisition", "Field Support"),
        "Broker": ("Negotiation", "Impersonation", "Influence Peddling"),
        "Pilot": ("Vehicle Handling", "Logistics", "Sensors & Countermeasures"),
    },
}
"""Public: the classes of a rulebook and their specialties (FF-4)."""


def dice_pool(filled: int) -> int:
    """Five d20, one fewer for each filled slot, never under two (FF-7)."""
    return max(POOL_MIN, POOL - filled)


def outcome(successes: int) -> Outcome:
    """No success fails, one is basic, more are greater (FF-11)."""
    if successes == 0:
        return "failure"
    return "basic" if successes == 1 else "greater"
