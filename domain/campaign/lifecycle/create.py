"""How a campaign begins."""

from domain.campaign.commands import CreateCampaign, SetSetting
from domain.campaign.events import CampaignEvent, MemberJoined
from domain.campaign.settings import RULINGS, change_setting
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.lifecycle_events import CampaignCreated
from domain.rejection import Rejection
from domain.sentences import in_a_row, say
from domain.systems import SYSTEMS


def found(_state: CampaignState, asked: Asked, command: CreateCampaign) -> list[CampaignEvent]:
    """Name the campaign, choose its systems and settings, and make whoever asks its GM.

    Refuses `unknown_system` and what `change_setting` refuses. The settings come first, so that whatever a
    system adds at the beginning is already decided under them.
    """
    assert asked.account is not None
    systems = list(dict.fromkeys(command.systems))
    for system in systems:
        if system not in SYSTEMS:
            known = in_a_row(SYSTEMS)
            told = say("There is no rule system {system}; there is {known}.", system=system, known=known)
            raise Rejection("unknown_system", told)
    changed = [
        change_setting(systems, SetSetting(key=key, value=value)) for key, value in command.settings.items()
    ]
    return [
        CampaignCreated(name=command.name, systems=systems, created_by=asked.account, rulings=RULINGS),
        MemberJoined(account=asked.account, role="gm"),
        *changed,
    ]
