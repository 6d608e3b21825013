"""The rulebook's words and numbers."""

from typing import Literal, get_args

Stat = Literal["strength", "agility", "intellect", "will"]
Attribute = Literal["weapons", "armor", "technology", "speed"]
Score = Literal["attack", "defense", "detection", "movement"]
Skill = Literal["mech_combat", "personal_combat", "social", "field_ops", "engineering", "biology"]
Use = Literal[
    "score:attack",
    "score:defense",
    "score:detection",
    "score:movement",
    "stat:strength",
    "stat:agility",
    "stat:intellect",
    "stat:will",
]
SceneKind = Literal["social", "field_ops", "mech_repair", "care"]
Tier = Literal["none", "major", "cinematic"]
RollKind = Literal["plain", "relation", "scene", "initiative", "movement", "attack", "defense", "duel"]
MovementMode = Literal["maneuver", "cover", "advantage"]
Weight = Literal["staged", "central", "team_tension"]
Scale = Literal["mech", "foot", "ship"]
Direction = Literal["outward", "inward", "clockwise", "counterclockwise"]
Counter = Literal["phase", "fatal"]
Status = Literal["fit", "stunned", "out"]
Side = Literal["a", "b"]
ConfigState = Literal["available", "active", "lost"]

STATS: tuple[Stat, ...] = get_args(Stat)
ATTRIBUTES: tuple[Attribute, ...] = get_args(Attribute)
SKILLS: tuple[Skill, ...] = get_args(Skill)
SCORES: tuple[Score, ...] = get_args(Score)
ATTRIBUTE_OF: dict[Score, Attribute] = {
    "attack": "weapons",
    "defense": "armor",
    "detection": "technology",
    "movement": "speed",
}
SKILL_OF_SCENE: dict[SceneKind, Skill] = {
    "social": "social",
    "field_ops": "field_ops",
    "mech_repair": "engineering",
    "care": "biology",
}
SKILL_RANGE = (1, 5)
TIERS = {"strict": (6, 9), "inclusive": (5, 8)}
"""The fewest rolled successes of major and cinematic rolls (OD-8, OD-A2)."""

RELATION_DICE = 3
RECOVERED = {"staged": 1, "central": 3, "team_tension": 3}
CONFIG_PRICE = 1
SUCCESSES_PER_CONFIG = 2
BUTT = "butt"
COOLING_TURNS = 2
PM_PER_CURVE = 1
PM_PER_STRAIGHT = 2
PM_PER_PROTECTION = 1
QUADRANTS = 4
"""The quadrants of a ring in fights that do not say; old fights do not."""

QUADRANTS_RANGE = (2, 24)

RULINGS = 2
"""The rulings of new fights; events of the first ones leave them out.

Since the first: pending choices block, the map counts, protections last. Since the second: mechs are boarded in
one's turn and at their price, turns wait for held initiative, no extra action is promised too late, and a
protector does not defend against their own attack.
"""
STAT_PRICE = 4
SKILL_PRICE = 10
CHAPTER_AWARD_MIN = 10
RECAP_AWARD_MIN = 2
OBJECTIVE_PER_SESSION = 2
OBJECTIVE_SESSIONS = 5
OBJECTIVE_AWARD_DUE = 10
