"""Rulebook terms in sentences, and amounts of money."""

from typing import Final

from domain.sentences import Sentence, say, say_many, term

PRESET_WORDS: Final[dict[str, Sentence]] = {
    "skills": say("skills"),
    "tuning": say("tuning"),
    "weapons": say("weapons"),
    "expansions": say("expansions"),
    "weapon_limit": say("weapon limit"),
    "sharpness": say("sharpness"),
    "smarts": say("smarts"),
    "synergy": say("synergy"),
    "thrusters": say("thrusters"),
    "servos": say("servos"),
    "sensors": say("sensors"),
    "targeting": say("targeting"),
    "stabilisers": say("stabilisers"),
    "manipulators": say("manipulators"),
    "comms": say("comms"),
    "camouflage": say("camouflage"),
    "plating": say("plating"),
    "reactor": say("reactor"),
    "cooling": say("cooling"),
    "fuel": say("fuel"),
    "rifle": say("rifle"),
    "cannon": say("cannon"),
    "missiles": say("missiles"),
    "scattergun": say("scattergun"),
    "blade": say("blade"),
    "maul": say("maul"),
    "jump_jets": say("jump jets"),
    "repair_drone": say("repair drone"),
    "field_shield": say("field shield"),
    "mounts": say("mounts"),
    "magazines": say("magazines"),
    "heat_sinks": say("heat sinks"),
}
"""The names of the presets' categories and attributes."""


def name_of_key(key: str) -> Sentence:
    """The name of a category or an attribute; those of a group's own catalogue stay as written."""
    return PRESET_WORDS.get(key) or term(key)


def money(amount: int) -> Sentence:
    """An amount of currency."""
    return say_many("{n} credit", "{n} credits", amount)
