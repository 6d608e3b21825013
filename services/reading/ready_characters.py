"""Ready-made characters and copies of others, as commands that a member may give together."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from domain.campaign.settings import settings_of
from domain.ids import SystemId
from domain.mechanics.builders import NAME, Builder, Draft, Step
from domain.systems import SYSTEMS
from projections.languages import all_rendered
from services.campaign.visible_campaign import VisibleCampaign


class ReadyCharacter(Struct, frozen=True):
    """A character to start with: `commands` can be sent as they are, as one action."""

    system: SystemId
    preset: str
    title: str
    commands: list[dict[str, Any]]


def ready_characters(campaign: VisibleCampaign) -> list[ReadyCharacter]:
    """The characters to start with in each of a campaign's games."""
    return [
        ReadyCharacter(
            system,
            preset.key,
            str(all_rendered(preset.title, campaign.language)),
            whole(builder, draft_for(campaign, builder, system, preset.commands)),
        )
        for system, state in campaign.state.systems.items()
        if (builder := SYSTEMS[system].builder) is not None
        for preset in builder.presets(state, settings_of(system, campaign.state.changed_settings))
    ]


def draft_for(campaign: VisibleCampaign, builder: Builder, system: SystemId, draft: Draft) -> list[dict[str, Any]]:
    """A draft as its reader may give it: in their language, without fields of GMs, with a name that is free."""
    names = builder.originals(campaign.state.systems[system]).values()
    commands = []
    for command in all_rendered(draft, campaign.language):
        step = _step_of(builder, command)
        left_out = frozenset[str]() if campaign.role == "gm" else step.gm_only
        fields = {name: value for name, value in command.items() if name not in left_out}
        if step is builder.steps[0] and NAME in fields:
            fields[NAME] = _free_name(str(fields[NAME]), names)
        commands.append(fields)
    return commands


def whole(builder: Builder, draft: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The commands of a draft with all that its builder says by itself."""
    who = next((command[NAME] for command in draft if _step_of(builder, command) is builder.steps[0]), "")
    commands = []
    for command in draft:
        step = _step_of(builder, command)
        commands.append({**command, **step.fixed_fields, **({step.who: who} if step.who else {})})
    return commands


def _step_of(builder: Builder, command: Mapping[str, Any]) -> Step:
    return next(step for step in builder.steps if step.kind.__struct_config__.tag == command["type"])


def _free_name(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it where it is in use."""
    taken_names = {other.casefold() for other in others}
    candidates = (name if nth == 1 else f"{name} {nth}" for nth in range(1, len(taken_names) + 2))
    return next(candidate for candidate in candidates if candidate.casefold() not in taken_names)
