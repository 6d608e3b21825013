"""`…/table`: everything that one screen shows of a campaign, as of one seq."""

from typing import Annotated

import msgspec
from litestar import Controller, get
from litestar.di import NamedDependency
from msgspec import Meta, Raw, Struct, structs

from domain.campaign.play.characters import characters, system_of
from domain.campaign.storage.snapshot import decode_state, encode_state
from projections.boards import boards
from projections.campaign.campaign_view import CampaignView
from projections.campaign.chronicle import ActionEntry
from projections.campaign.timers import TimerView
from projections.possible_commands import CommandsView
from projections.sheets import sheet
from services.api.boards import drawn_board
from services.api.campaigns import view_of
from services.api.openapi_roles import MEMBERS
from services.api.paths import AtQuery
from services.api.sheets import SheetView
from services.api.timers import timer_views
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import Filters, actions_page
from services.queries.names_in_answers import named

ACTIONS_MAX = 50
TIMERS_MAX = 20

BoardJson = Annotated[Raw, Meta(extra_json_schema={"$ref": "#/components/schemas/BoardView"})]


class TableView(Struct, frozen=True):
    """A campaign on one screen, all of it as of one seq.

    `sheets` are those of the characters that the reader plays. `actions` are the last 50, the newest first, and
    `timers` the next 20. `commands` is null for a moment of the past, where nothing can be done. `names` are those
    of the ids in actions and timers; what else is here has its own.
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
        seen: NamedDependency[VisibleCampaign],
        at: AtQuery = None,
    ) -> TableView:
        """The campaign, what you may do, your sheets, the boards, the last actions and the next timers."""
        # A copy: the campaign goes on while the parts are put together.
        seen = structs.replace(seen, state=decode_state(encode_state(seen.state)))
        actions = await actions_page(
            application.log, application.views, seen, 0, ACTIONS_MAX, Filters(None, None, None, None), seen.seq + 1
        )
        view = TableView(
            as_of=seen.seq,
            campaign=await view_of(application, seen),
            commands=None if at is not None else await application.possible.all(seen, None),
            sheets=_sheets(seen),
            boards=[_board(seen, entry.system, entry.board) for entry in boards(seen.state)],
            actions=actions.actions,
            timers=(await timer_views(application, seen, at))[:TIMERS_MAX],
        )
        return named(view, seen)


def _sheets(seen: VisibleCampaign) -> list[SheetView]:
    """The sheets of the reader's characters."""
    own = [each.character for each in characters(seen.state) if each.player == seen.account]
    systems = {known: system_of(seen.state, known) for known in own}
    return [
        named(SheetView(seen.seq, known, system, sheet(seen.state, system, known)), seen)
        for known, system in systems.items()
    ]


def _board(seen: VisibleCampaign, system: str, key: str) -> Raw:
    return Raw(msgspec.json.encode(drawn_board(seen, system, key)))
