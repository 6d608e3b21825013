"""`…/record` and `…/recap`: what a character has been through, and what happened last time."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from domain.campaign.characters import system_of
from domain.ids import CharacterId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.recaps.recap import Recap, recap
from projections.records import ServiceRecord, ServiceRecordFold
from services.api.paths import AtQuery, campaign_of, moment_of
from services.api.roles import MEMBERS
from services.house import House
from services.past import folded_from, past
from services.people import Principal
from services.quotes import telling
from services.session_events import session_events

SessionQuery = Annotated[
    int | None, QueryParameter(ge=1, le=2**31, description="The number of a play session; left out, the last.")
]


class RecordsController(Controller):
    """The past, told again."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("records",)

    @get("/sheets/{character:str}/record", summary="A service record", operation_class=MEMBERS)
    async def record(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        character: FromPath[str],
        at: AtQuery = None,
    ) -> ServiceRecord:
        """Missions, tests, money, losses and gains of one character. Refuses `character_not_found`."""
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        known = CharacterId(character)
        try:
            system = system_of(seen.state, known)
        except Rejection:
            nobody = say("No character of this campaign has that id.")
            raise Missing("character_not_found", seen.told(nobody)) from None
        fold = ServiceRecordFold(system, known)
        async for record in past(house.log, seen, kinds=fold.kinds):
            fold.add(record)
        return fold.view(seen.seq, folded_from(seen), seen.name)

    @get("/recap", summary="Last time …", operation_class=MEMBERS)
    async def recap(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        session: SessionQuery = None,
        at: AtQuery = None,
    ) -> Recap:
        """A play session as a short text and in its parts. Refuses `session_not_found`."""
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, moment_of(at))
        records = await session_events(house.log, seen, session)
        words = await telling(house.log, seen, (record.event for record in records))
        return recap(records, seen.seq, words.name, seen.language, words.quote)
