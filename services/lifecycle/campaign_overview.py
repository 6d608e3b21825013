"""A campaign as its reader sees it, with what its room and its ledger ask of GMs."""

from msgspec import structs

from domain.sentences import Sentence, say
from projections.campaign.campaign_view import CampaignView, StorageView, campaign_view
from services.campaign.storage_quotas import Storage
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts
from services.reading.ledger_drift import check_of, known_drift
from services.reading.names_in_answers import with_names


async def view_of(parts: CommandParts, campaign: VisibleCampaign) -> CampaignView:
    """The campaign as its reader sees it, with alarms of its ledger."""
    drift = known_drift(campaign, await check_of(parts.ledger_checks, campaign))
    view = campaign_view(
        campaign.state,
        campaign.campaign_id,
        campaign.seq,
        campaign.role,
        campaign.name,
        drift,
        campaign.common,
        campaign.language,
    )
    room = parts.quotas.of(campaign.campaign_id) if campaign.role == "gm" else None
    if room is not None:
        view = structs.replace(
            view, storage=StorageView(room.bytes, room.bytes_max, campaign.text_of(warning_of(room)))
        )
    elif campaign.role == "gm" and parts.quotas.is_led_by_full(campaign.campaign_id):
        own = await parts.quotas.of_account(campaign.account)
        sentence = say(
            "The campaigns that you lead take {room}, all that they may: new actions are refused. The host of "
            "this service can give you more.",
            room=own.in_words,
        )
        view = structs.replace(view, storage=StorageView(own.bytes, own.bytes_max, campaign.text_of(sentence)))
    return with_names(view, campaign)


def warning_of(room: Storage) -> Sentence:
    """The sentence for GMs of a campaign that has little room left, or none."""
    if room.is_full:
        return say(
            "This campaign takes {room}, all that it may: new actions are refused. The host of this service can "
            "give it more.",
            room=room.in_words,
        )
    return say(
        "This campaign takes {room}. When that is full, new actions are refused: the host of this service can "
        "give it more before.",
        room=room.in_words,
    )
