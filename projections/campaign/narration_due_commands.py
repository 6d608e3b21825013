"""Due commands as sentences."""

from typing import Any

from domain.campaign.commands import EndDowntime
from domain.campaign.messages.downtime import FinishActivity
from domain.sentences import Sentence, say
from domain.systems import owner_of
from projections.awaited_answers import Name
from projections.system_views import DescribeScheduled
from projections.systems import SYSTEM_VIEWS
from projections.titles import command_title

OWN: dict[type, DescribeScheduled] = {
    FinishActivity: lambda _, __: say("A downtime activity is finished"),
    EndDowntime: lambda _, __: say("Downtime ends"),
}
"""The campaign's own due commands, by type."""


def describe_scheduled(command: Any, name: Name) -> Sentence:
    """The effect that a due command will have when it runs."""
    system = owner_of(command)
    descriptions = OWN if system is None else SYSTEM_VIEWS[system.id].describe_scheduled
    describe = descriptions.get(type(command))
    if describe is not None:
        return describe(command, name)
    return say("The campaign's own order: {command}", command=command_title(command.__struct_config__.tag))
