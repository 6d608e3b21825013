"""`…/sheets`: the characters of a campaign."""

from typing import Any

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct, structs

from domain.campaign.play.characters import system_of
from domain.ids import CharacterId, SystemId
from domain.rejection import Missing, Rejection
from domain.sentences import say
from projections.campaign.campaign_view import RosterEntry, roster
from projections.campaign.things import OwnThing, things_of
from projections.command_forms import Act
from projections.sheets import sheet
from projections.things_on_sheets import things_on_sheet
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.route_parameters import ActsQuery, AtQuery
from services.reading.names_in_answers import with_names


class SheetsPage(Struct, frozen=True):
    """Every character of the campaign."""

    as_of: int
    sheets: list[RosterEntry]


class SheetView(Struct, frozen=True):
    """One character's sheet, in the shape of its rule system. `names` are those of the ids in it.

    `acts` are the commands that you may give now about a value of it, by the value's path as `…/why` takes it:
    empty for the past, and within other answers.
    """

    as_of: int
    character: CharacterId
    system: SystemId
    sheet: Any
    names: dict[str, str] = {}
    acts: dict[str, list[Act]] = {}
    things: list[OwnThing] = []
    """The things of the group in accounts of the character."""


class SheetsController(Controller):
    """Sheets as they stand now."""

    path = "/api/campaigns/{campaign_id:str}/sheets"
    tags = ("sheets",)

    @get("", summary="All characters", operation_class=MEMBERS)
    async def all(
        self,
        visible: NamedDependency[VisibleCampaign],
    ) -> SheetsPage:
        """The roster: every character with its rule system and player."""
        return SheetsPage(as_of=visible.seq, sheets=roster(visible.state, visible.name))

    @get("/{character:str}", summary="One sheet", operation_class=MEMBERS)
    async def one(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        character: FromPath[str],
        at: AtQuery = None,
        with_acts: ActsQuery = True,
    ) -> SheetView:
        """A character's sheet. Refuses `character_not_found`."""
        character_id = CharacterId(character)
        try:
            system = system_of(visible.state, character_id)
        except Rejection:
            missing = say("No character of this campaign has that id.")
            raise Missing("character_not_found", visible.text_of(missing)) from None
        contents = sheet(visible.state, system, character_id)
        view = with_names(
            SheetView(visible.seq, character_id, system, contents, things=things_of(visible.state, character_id)),
            visible,
        )
        if at is not None or not with_acts:
            return view
        acts = await application.possible.acts(visible, things_on_sheet(contents))
        return structs.replace(view, acts=acts)
