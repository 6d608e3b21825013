"""The builder of a character (AN-C1)."""

from collections.abc import Iterator
from typing import Any

from domain.mechanics.builders import Builder, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.angst.commands import CreateCharacter
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, Trait


def _presets(_state: Angst, _settings: Settings) -> Iterator[Preset]:
    """Three people who can be played at once; their player may write everything about them once more."""
    yield Preset(
        "strong",
        say("Strong and stubborn"),
        [
            command(
                CreateCharacter,
                name="Jonah Reed",
                cores={"physical": "d10", "mental": "d6", "social": "d6", "resolve": "d8"},
                rocks=[
                    {"name": say("never lets go"), "core": "physical", "really": True},
                    {"name": say("reads the tide"), "core": "mental"},
                ],
                sucks=[{"name": say("cannot lie"), "core": "social"}],
                story_points=3,
                life_experience=3,
            )
        ],
    )
    yield Preset(
        "clever",
        say("Clever and restless"),
        [
            command(
                CreateCharacter,
                name="Ada Brandt",
                cores={"physical": "d6", "mental": "d10", "social": "d8", "resolve": "d6"},
                rocks=[
                    {"name": say("sees how it works"), "core": "mental", "really": True},
                    {"name": say("talks her way in"), "core": "social"},
                ],
                sucks=[{"name": say("cannot wait"), "core": "resolve"}],
                story_points=3,
                life_experience=3,
            )
        ],
    )
    yield Preset(
        "charming",
        say("Charming and frail"),
        [
            command(
                CreateCharacter,
                name="Theo Lindqvist",
                cores={"physical": "d6", "mental": "d6", "social": "d10", "resolve": "d8"},
                rocks=[
                    {"name": say("everybody's friend"), "core": "social", "really": True},
                    {"name": say("keeps a promise"), "core": "resolve"},
                ],
                sucks=[{"name": say("out of breath"), "core": "physical"}],
                story_points=3,
                life_experience=3,
            )
        ],
    )


def _originals(state: Angst) -> dict[str, str]:
    return {character.character_id: character.name for character in state.everybody}


def _traits(traits: dict[str, Trait]) -> list[dict[str, Any]]:
    return [{"name": name, "core": trait.core, "really": trait.really} for name, trait in traits.items()]


def _copy(state: Angst, _settings: Settings, original: str) -> Draft:
    """A character like this one, healed."""
    character = state.characters[original]
    return [
        command(
            CreateCharacter,
            name=character.name,
            kind=character.kind,
            cores={name: core.rated for name, core in character.cores.items()},
            rocks=_traits(character.rocks),
            sucks=_traits(character.sucks),
            perks=character.perks,
            factoids=character.factoids,
            angst=dict(character.angst),
            stressors=character.stressors,
            comforts=[*character.comforts],
            relationships={target: tie.grade for target, tie in character.relationships.items()},
            story_points=character.story_points,
            life_experience=character.life_experience.max,
        )
    ]


BUILDER = Builder(
    title=say("A new character"),
    steps=(
        Step(
            kind=CreateCharacter,
            title=say("The character"),
            gm_only=frozenset({"player", "kind", "factoids"}),
            rare=frozenset({"perks", "factoids", "angst", "stressors", "comforts", "relationships"}),
            fields_of_refusals={
                "core_missing": "cores",
                "core_out_of_range": "cores",
                "unknown_grade": "relationships",
                "unknown_angst_type": "angst",
                "factoid_gmc_only": "factoids",
            },
        ),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
