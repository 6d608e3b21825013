"""`…/record` and `…/recap`: service records of characters, and recaps of play sessions."""

from datetime import UTC
from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.campaign.recap import Recap, recap
from projections.service_records import ServiceRecord, ServiceRecordFold
from services.api.openapi_roles import MEMBERS
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import events_of, folded_from
from services.queries.names_in_answers import named
from services.queries.play_session import session_events
from services.queries.quotation import telling
from services.runtime.reader_language import reader_time_zone

SessionQuery = Annotated[
    int | None, QueryParameter(ge=1, le=2**31, description="The number of a play session; left out, the last.")
]


class RecordsController(Controller):
    """Service records and recaps."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("records",)

    @get("/sheets/{character:str}/record", summary="A service record", operation_class=MEMBERS)
    async def record(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        character: FromPath[str],
    ) -> ServiceRecord:
        """Missions, tests, money, losses and gains of one character. Refuses `character_not_found`."""
        return named(await record_of(application, seen, character), seen)

    @get("/recap", summary="Last time …", operation_class=MEMBERS)
    async def recap(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
        session: SessionQuery = None,
    ) -> Recap:
        """A play session as a short text and in its parts. Refuses `session_not_found`."""
        return await told_session(application, seen, session)


async def record_of(application: Application, seen: VisibleCampaign, character: str) -> ServiceRecord:
    """What a character has been through. Refuses `character_not_found`."""
    known = CharacterId(character)
    try:
        system = system_of(seen.state, known)
    except Rejection:
        missing = say("No character of this campaign has that id.")
        raise Missing("character_not_found", seen.told(missing)) from None
    fold = ServiceRecordFold(system, known)
    async for record in events_of(application.log, seen, kinds=fold.kinds):
        fold.add(record)
    return fold.view(seen.seq, folded_from(seen), seen.name)


async def told_session(application: Application, seen: VisibleCampaign, session: int | None) -> Recap:
    """A play session retold; None: the last. Refuses `session_not_found`."""
    records = await session_events(application.log, application.views, seen, session)
    words = await telling(application.log, seen, (record.event for record in records))
    where = reader_time_zone() or UTC
    return named(recap(records, seen.seq, words.name, seen.language, words.quote, where), seen)
