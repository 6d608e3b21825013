"""`…/sheets`: the characters of a campaign."""

from typing import Any

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId, SystemId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.campaign.campaign_view import RosterEntry, roster
from projections.sheets import sheet
from services.api.openapi_roles import MEMBERS
from services.queries.campaign_reader import VisibleCampaign
from services.queries.names_in_answers import named


class SheetsPage(Struct, frozen=True):
    """Every character of the campaign."""

    as_of: int
    sheets: list[RosterEntry]


class SheetView(Struct, frozen=True):
    """One character's sheet, in the shape of its rule system. `names` are those of the ids in it."""

    as_of: int
    character: CharacterId
    system: SystemId
    sheet: Any
    names: dict[str, str] = {}


class SheetsController(Controller):
    """Sheets as they stand now."""

    path = "/api/campaigns/{campaign_id:str}/sheets"
    tags = ("sheets",)

    @get("", summary="All characters", operation_class=MEMBERS)
    async def all(
        self,
        seen: NamedDependency[VisibleCampaign],
    ) -> SheetsPage:
        """The roster: every character with its rule system and player."""
        return SheetsPage(as_of=seen.seq, sheets=roster(seen.state, seen.name))

    @get("/{character:str}", summary="One sheet", operation_class=MEMBERS)
    async def one(
        self,
        seen: NamedDependency[VisibleCampaign],
        character: FromPath[str],
    ) -> SheetView:
        """A character's sheet. Refuses `character_not_found`."""
        known = CharacterId(character)
        try:
            system = system_of(seen.state, known)
        except Rejection:
            missing = say("No character of this campaign has that id.")
            raise Missing("character_not_found", seen.told(missing)) from None
        return named(SheetView(seen.seq, known, system, sheet(seen.state, system, known)), seen)
