"""Terms from which Overdrive's sentences are made."""

from domain.sentences import Sentence, say, term
from domain.systems.overdrive.access import in_words
from domain.systems.overdrive.tables import BUTT
from projections.narration_tables import Name

REASONS = {
    "major": say("a major success"),
    "social_scene": say("a social scene"),
    "revelation": say("a revelation"),
    "fatal_mode": say("going into Fatal mode"),
    "chapter": say("the end of a chapter"),
    "recap": say("a recap"),
    "personal_objective": say("a personal objective"),
}
PURPOSES = {
    "success": say("a success"),
    "configuration": say("a configuration"),
    "question": say("a question"),
}
WEIGHTS = {
    "staged": say("played out"),
    "central": say("at the heart of the scene"),
    "team_tension": say("causing tension in the team"),
}
SCENES = {
    "social": say("social scene"),
    "field_ops": say("field operations"),
    "mech_repair": say("mech repair"),
    "care": say("care and healing"),
}
DIRECTIONS = {
    "outward": say("outward"),
    "inward": say("inward"),
    "clockwise": say("clockwise"),
    "counterclockwise": say("counterclockwise"),
}
COUNTERS = {"phase": say("phase counter"), "fatal": say("Fatal counter")}
MODES = {"normal": say("normal mode"), "fatal": say("Fatal mode")}


def weapon(key: str) -> str | Sentence:
    """A weapon by its name; every character has a butt to strike with."""
    return term("butt") if key == BUTT else in_words(key)


def points(amount: int) -> Sentence:
    """An amount of Overdrive."""
    return say("{n} Overdrive", n=amount)


def reaction(character: str, key: str, name: Name) -> str:
    """A reaction in its player's words."""
    reaction_id = f"{character}:{key}"
    text = name(reaction_id)
    return in_words(key) if text == reaction_id else text


def with_whom(relation: str, name: Name) -> str:
    """The other person of a relation; a made-up name is not translated."""
    whom = name(relation)
    return in_words(whom) if whom == relation else whom
