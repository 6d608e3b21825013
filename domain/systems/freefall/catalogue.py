"""The builder of what a group writes for itself: gear, machines and classes (FF-2, FF-4, FF-6)."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.mechanics.builders import Builder, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.freefall.commands import AddGear, CreateMachine, DefineClass
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState
from domain.systems.freefall.tables import CLASSES


def _presets(_state: FreefallState, _settings: Settings) -> Iterator[Preset]:
    """The classes of each published rulebook."""
    for key, classes in CLASSES.items():
        yield Preset(
            key,
            say("The classes of the rulebook"),
            [
                command(DefineClass, **{"class": name}, specialties=list(specialties))
                for name, specialties in classes.items()
            ],
        )


def _originals(state: FreefallState) -> dict[str, str]:
    """Everybody's gear, and the machines."""
    gear = {key: item.what.name for character in state.people() for key, item in character.items.items()}
    return gear | {key: machine.name for key, machine in state.machines.items()}


def _copy(state: FreefallState, _settings: Settings, original: str) -> Draft:
    """A whole thing like this one."""
    machine = state.machines.get(original)
    if machine is not None:
        limits = {"frm": machine.frm.permanent, "sys": machine.sys.permanent}
        seat: dict[str, Any] = msgspec.to_builtins({"pilot_binding": machine.pilot_binding})
        return [command(CreateMachine, name=machine.name, av=machine.av, **limits, **seat)]
    items = {key: item for character in state.people() for key, item in character.items.items()}
    return [command(AddGear, item=msgspec.to_builtins(items[original].what))]


CATALOGUE = Builder(
    title=say("Gear, machines and classes"),
    verb=say("Write them down"),
    gm_only=True,
    steps=(
        Step(
            kind=AddGear,
            title=say("Gear"),
            rows=0,
            fields_of_refusals={
                "too_much_gear": "character",
                "which_character": "character",
                "unknown_character": "character",
            },
        ),
        Step(kind=CreateMachine, title=say("Machines"), rows=0, fields_of_refusals={"ambiguous_name": "name"}),
        Step(kind=DefineClass, title=say("Classes"), rows=0, fields_of_refusals={"too_many_classes": "class"}),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
