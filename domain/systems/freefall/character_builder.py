"""The builder of a character (FF-C1)."""

from collections.abc import Iterator

from domain.mechanics.builders import Builder, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.freefall.commands import CreateCharacter
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.tables import ATTRIBUTES, CLASSES, CREATION_ARRAY, AttributeName
from domain.systems.freefall.term_words import class_word

READY: dict[str, tuple[str, tuple[AttributeName, ...]]] = {
    "Vanguard": ("Bricker", ("body", "ghost", "mind")),
    "Spectre": ("Moth", ("ghost", "mind", "body")),
    "Wirehead": ("Static", ("mind", "ghost", "body")),
    "Fixer": ("Solder", ("mind", "body", "ghost")),
    "Operator": ("Longshot", ("body", "mind", "ghost")),
    "Broker": ("Velvet", ("ghost", "mind", "body")),
    "Pilot": ("Sparrow", ("mind", "body", "ghost")),
}
"""A name for a character of each class of the rulebook, and its attributes from the strongest on."""


def _presets(state: FreefallState, _settings: Settings) -> Iterator[Preset]:
    """A character of each class that there is; before any is defined, of each of the rulebook's."""
    classes = state.classes or {name: list(specialties) for name, specialties in CLASSES["v7"].items()}
    for name, specialties in classes.items():
        who, order = READY.get(name, (name, ATTRIBUTES))
        yield Preset(
            name,
            class_word(name),
            [
                command(
                    CreateCharacter,
                    name=who,
                    permanents=dict(zip(order, CREATION_ARRAY, strict=True)),
                    **{"class": name},
                    specialties=specialties[:1],
                )
            ],
        )


def _originals(state: FreefallState) -> dict[str, str]:
    return {key: character.name for key, character in state.characters.items()}


def _copy(state: FreefallState, _settings: Settings, original: str) -> Draft:
    """A character like this one, whole and without gear."""
    character = state.characters[original]
    more = {} if character.crew is None else {"crew": character.crew}
    return [
        command(
            CreateCharacter,
            name=character.name,
            permanents={name: points.permanent for name, points in character.attributes.items()},
            **{"class": character.class_},
            specialties=character.specialties,
            npc=character.npc,
            **more,
        )
    ]


BUILDER = Builder(
    title=say("A new character"),
    steps=(
        Step(
            kind=CreateCharacter,
            title=say("The character"),
            gm_only=frozenset({"player", "npc"}),
            rare=frozenset({"crew"}),
            fields_of_refusals={
                "attribute_missing": "permanents",
                "creation_array_mismatch": "permanents",
                "unknown_class": "class",
                "specialty_not_of_class": "specialties",
                "npc_has_no_player": "player",
            },
        ),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
