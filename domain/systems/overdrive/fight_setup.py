"""The builder of a fight: opponents, those who take part, and their sectors (OD-19, OD-C18)."""

from collections.abc import Iterator

from msgspec import structs

from domain.mechanics.builders import Builder, Draft, Joining, Newcomers, Preset, Step, command
from domain.sentences import say
from domain.systems.overdrive.character_builder import BUILDER
from domain.systems.overdrive.commands import BoardMech, CreateCharacter, StartCombat
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import OverdriveState


def _sectors(settings: Settings) -> int:
    return settings.quadrants


def _is_on(state: OverdriveState) -> bool:
    return state.combat is not None


def _opponents(state: OverdriveState, settings: Settings) -> Iterator[Preset]:
    """Those who are ready, in their mechs and on foot."""
    presets = [*BUILDER.presets(state, settings)]
    for preset in presets:
        yield structs.replace(preset, commands=_aboard(preset.commands))
    for preset in presets:
        yield Preset(f"{preset.key}-on-foot", say("{who}, on foot", who=preset.title), preset.commands[:1])


def _copy(state: OverdriveState, settings: Settings, original: str) -> Draft:
    return _aboard(BUILDER.copy(state, settings, original))


def _aboard(draft: Draft) -> Draft:
    """The commands of a pilot who gets into the mech, if there is one."""
    return [*draft, command(BoardMech)] if len(draft) > 1 else draft


OPPONENTS = structs.replace(
    BUILDER,
    steps=(*BUILDER.steps, Step(kind=BoardMech, title=say("The mech"), who="character")),
    presets=_opponents,
    copy=_copy,
)

FIGHT = Builder(
    title=say("Set up a fight"),
    verb=say("Start the fight"),
    gm_only=True,
    gate=StartCombat,
    is_on=_is_on,
    steps=(
        Step(
            kind=CreateCharacter,
            title=say("Opponents"),
            rows=1,
            newcomers=Newcomers(builder=OPPONENTS, lists={"surprised": say("Surprised")}),
            fields_of_refusals={"ambiguous_name": "name"},
        ),
        Step(
            kind=StartCombat,
            title=say("Who takes part, and where"),
            joining=Joining(
                members="participants", places="positions", goal="objective_position", sectors=_sectors
            ),
            fields_of_refusals={
                "no_character": "participants",
                "unknown_participant": "participants",
                "not_fit": "participants",
                "off_the_map": "positions",
            },
        ),
    ),
)
