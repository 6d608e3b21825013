"""Words of Overdrive that sentences are made of."""

from collections.abc import Iterable

REASONS = {
    "major": "a major success",
    "social_scene": "a social scene",
    "revelation": "a revelation",
    "fatal_mode": "going into Fatal mode",
    "chapter": "the end of a chapter",
    "recap": "the recap",
    "personal_objective": "a personal objective",
}
CONFIGURED = {"success": "a success", "configuration": "a configuration", "question": "a question"}
WEIGHTS = {
    "staged": "played out",
    "central": "at the heart of the scene",
    "team_tension": "at the team's expense",
}
SCENES = {
    "social": "among people",
    "field_ops": "operations in the field",
    "mech_repair": "in the hangar",
    "care": "care and healing",
}


def words(key: str) -> str:
    """A key as words: `mech_combat` → `mech combat`."""
    return key.replace("_", " ")


def points(amount: int) -> str:
    """So much Overdrive."""
    return f"{amount} Overdrive"


def joined(parts: Iterable[str]) -> str:
    """Join with commas and a last "and"."""
    *most, last = [*parts] or [""]
    return f"{', '.join(most)} and {last}" if most else last
