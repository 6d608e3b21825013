"""What the campaign owes itself, in words: the commands that nobody has to give."""

from collections.abc import Callable
from typing import Any

from domain.campaign.calendar.downtime_messages import FinishActivity
from domain.campaign.commands import EndDowntime
from domain.sentences import Sentence, say
from domain.systems.angst.commands import RecoverCore
from domain.systems.angst.terms import CORE_WORDS
from domain.systems.frame_state.commands import PostPayout
from domain.systems.freefall.commands import CompleteRepair, CompleteTreatment
from domain.systems.overdrive.commands import PostObjectiveAward

Foretell = Callable[[Any, Callable[[Any], str]], Sentence]

FORETOLD: dict[type, Foretell] = {
    FinishActivity: lambda _, __: say("A downtime activity is finished"),
    EndDowntime: lambda _, __: say("Downtime ends"),
    PostPayout: lambda command, name: say(
        "{pilot} is paid for “{mission}”", pilot=name(command.pilot), mission=name(command.mission_id)
    ),
    PostObjectiveAward: lambda _, __: say("An objective that has waited long enough is rewarded"),
    RecoverCore: lambda command, name: say(
        "{who} recovers a step of {core}", who=name(command.character), core=CORE_WORDS[command.core]
    ),
    CompleteTreatment: lambda _, __: say("A treatment is finished"),
    CompleteRepair: lambda command, name: say("{item} is repaired", item=name(command.item)),
}
"""By the type of the command; what is missing here is told by its wire name."""


def foretold(command: Any, name: Callable[[Any], str]) -> Sentence:
    """What will happen when the campaign gives itself this command."""
    tell = FORETOLD.get(type(command))
    if tell is not None:
        return tell(command, name)
    return say("The campaign's own order: {command}", command=command.__struct_config__.tag)
