"""How a campaign begins."""

from msgspec import UNSET

from domain.campaign.calendar_shapes import PRESETS
from domain.campaign.commands import CreateCampaign, SetSetting
from domain.campaign.events import CampaignEvent, MemberJoined
from domain.campaign.settings import (
    CALENDAR,
    RULINGS,
    calendar_at_creation,
    change_setting,
    with_names_on_one_line,
)
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.lifecycle_events import CampaignCreated
from domain.rejection import Rejection
from domain.sentences import in_a_row, say
from domain.systems import SYSTEMS


def create_campaign(
    _state: CampaignState, context: CommandContext, command: CreateCampaign
) -> list[CampaignEvent]:
    """Create the campaign with its systems and settings; the asker becomes its GM.

    Raises `unknown_system` and the errors of `change_setting`. The settings come first, so that the events of a
    system at the beginning are decided under them.
    """
    assert context.account is not None
    systems = list(dict.fromkeys(command.systems))
    for system in systems:
        if system not in SYSTEMS:
            titles = in_a_row([rules.title for rules in SYSTEMS.values()])
            sentence = say("There is no rule system {system}; there is {known}.", system=system, known=titles)
            choices = [{"system": key, "name": rules.title} for key, rules in SYSTEMS.items()]
            raise Rejection("unknown_system", sentence, choices=choices)
    changes = [
        with_names_on_one_line(change_setting(systems, SetSetting(key=key, value=value)), context)
        for key, value in command.settings.items()
        if key != CALENDAR or value not in PRESETS
    ]
    calendar = calendar_at_creation(command.settings.get(CALENDAR), context.at)
    return [
        CampaignCreated(
            name=command.name,
            systems=systems,
            created_by=context.account,
            rulings=RULINGS,
            calendar=UNSET if calendar is None else calendar,
        ),
        MemberJoined(account=context.account, role="gm"),
        *changes,
    ]
