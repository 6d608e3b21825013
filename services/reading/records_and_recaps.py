"""Service records of characters, and recaps of play sessions."""

from datetime import UTC

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.campaign.dates import CampaignDates
from projections.campaign.recap import Recap, Say, recap
from projections.service_records import ServiceRecord, ServiceRecordFold
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.action_sentences import telling
from services.reading.event_scan import events_of, folded_from
from services.reading.names_in_answers import with_names
from services.reading.play_session import session_events
from services.reading.read_dependencies import Readers
from services.runtime.reader_language import reader_time_zone


async def record_of(parts: Readers, campaign: VisibleCampaign, character: str) -> ServiceRecord:
    """A character's record. Refuses `character_not_found`."""
    character_id = CharacterId(character)
    try:
        system = system_of(campaign.state, character_id)
    except Rejection:
        missing = say("No character of this campaign has that id.")
        raise Missing("character_not_found", campaign.text_of(missing)) from None
    fold = ServiceRecordFold(system, character_id)
    async for record in events_of(parts.log, campaign, kinds=fold.kinds):
        fold.add(record)
    return fold.view(campaign.seq, folded_from(campaign), campaign.name)


async def retell_session(
    parts: Readers, campaign: VisibleCampaign, session: int | None, in_words: Say | None = None
) -> Recap:
    """A play session retold; None: the last. `in_words` renders its sentences otherwise.

    Refuses `session_not_found`.
    """
    records = await session_events(parts.log, parts.views, campaign, session)
    words = await telling(parts.log, campaign, (record.event for record in records))
    where = reader_time_zone() or UTC
    dates = CampaignDates(campaign.state, campaign.language)
    retold = recap(
        records,
        campaign.seq,
        words.name,
        campaign.language,
        words.quote,
        where,
        dates,
        name_at=words.name_at,
        titles=campaign.state.later_titles,
        in_words=in_words,
    )
    return with_names(retold, campaign)
