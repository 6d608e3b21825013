"""`…/table`: everything that one screen shows of a campaign, as of one seq."""

from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from msgspec import Meta, Raw, Struct

from domain.campaign.play.characters import characters, system_of
from projections.boards import boards
from projections.campaign.campaign_view import CampaignView
from projections.campaign.chronicle import ActionEntry, listed
from projections.campaign.things import things_of
from projections.campaign.timers import TimerView
from projections.command_forms import CommandsView
from projections.sheets import sheet
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.boards import drawn_board
from services.http.api.openapi_roles import MEMBERS
from services.http.api.sheets import SheetView
from services.http.route_parameters import AtQuery
from services.lifecycle.campaign_overview import view_of
from services.reading.chronicle import Filters, actions_page
from services.reading.names_in_answers import with_names
from services.reading.timers import timer_views

ACTIONS_MAX = 50
TIMERS_MAX = 20

BoardJson = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/BoardView"})]


class TableView(Struct, frozen=True):
    """A campaign on one screen, all of it as of one seq.

    `sheets` are those of the characters that the reader plays. `actions` are the last 50, the newest first, and
    `timers` the next 20. `commands` is null for a moment of the past and for a watching link, where nothing can be
    done. `names` are those of the ids in actions and timers; the other parts have their own.
    """

    as_of: int
    campaign: CampaignView
    commands: CommandsView | None
    sheets: list[SheetView]
    boards: list[BoardJson]
    actions: list[ActionEntry]
    timers: list[TimerView]
    names: dict[str, str] = {}


class TableController(Controller):
    """The table at a glance."""

    path = "/api/campaigns/{campaign_id:str}/table"
    tags = ("campaigns",)

    @get("", summary="Everything for one screen", operation_class=MEMBERS)
    async def table(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        at: AtQuery = None,
    ) -> TableView:
        """The campaign, what you may do, your sheets, the boards, the last actions and the next timers."""
        visible = visible.standing_still()
        actions = await actions_page(
            application.log,
            application.views,
            visible,
            0,
            ACTIONS_MAX,
            Filters(None, None, None, None),
            visible.seq + 1,
        )
        acts = at is None and not visible.is_watched
        view = TableView(
            as_of=visible.seq,
            campaign=await view_of(application, visible),
            commands=await application.possible.all(visible, None) if acts else None,
            sheets=_sheets(visible),
            boards=[_board(visible, entry.system, entry.board) for entry in boards(visible.state)],
            actions=[*map(listed, actions.actions)],
            timers=(await timer_views(application, visible, at))[:TIMERS_MAX],
        )
        return with_names(view, visible)


def _sheets(campaign: VisibleCampaign) -> list[SheetView]:
    """The sheets of the reader's characters."""
    own = [character.character for character in characters(campaign.state) if character.player == campaign.account]
    systems = {character_id: system_of(campaign.state, character_id) for character_id in own}
    return [
        with_names(
            SheetView(
                campaign.seq,
                character_id,
                system,
                sheet(campaign.state, system, character_id),
                things=things_of(campaign.state, character_id),
            ),
            campaign,
        )
        for character_id, system in systems.items()
    ]


def _board(campaign: VisibleCampaign, system: str, key: str) -> Raw:
    return Raw(msgspec.json.encode(drawn_board(campaign, system, key)))
