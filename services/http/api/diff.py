"""`…/diff` and `…/why`: compare moments, and explain values."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter

from domain.ids import CharacterId
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import AsQuery
from services.reading.diff import Diff, Why, diff, why, why_balance, why_on_board
from services.reading.names_in_answers import with_names
from services.reading.parameters import currency_of, moment_of

FromQuery = Annotated[str, QueryParameter(name="from", description="A moment, as of `at`.", max_length=40)]
ToQuery = Annotated[str | None, QueryParameter(name="to", description="The same; left out, now.", max_length=40)]
PathQuery = Annotated[
    str,
    QueryParameter(
        name="path", description="A field of the sheet, e.g. currency or parts[0].name.", max_length=200
    ),
]
BoardPathQuery = Annotated[
    str,
    QueryParameter(
        name="path",
        description="A value on the board, e.g. turn, or fighters[…].pm with the id of a fighter.",
        max_length=200,
    ),
]
CurrencyQuery = Annotated[
    str, QueryParameter(name="currency", max_length=200, description="A currency or a thing, by key or name.")
]


class PastController(Controller):
    """Comparisons of moments, and the history of a value."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("the past",)

    @get("/diff", summary="The differences between two moments", operation_class=MEMBERS, guards=[takes_long])
    async def diff(
        self,
        asker: NamedDependency[CampaignCaller],
        earlier: FromQuery,
        later: ToQuery = None,
        as_member: AsQuery = None,
    ) -> Diff:
        """Every field that differs, and up to 500 actions in words; as you may read them now.

        An undo counts from the moment it was made. Refuses `moment_not_reached`,
        and for a date `date_impossible` and `date_before_start`.
        """
        campaign = asker.campaign_id
        moments = (moment_of(earlier), moment_of(later))
        return await diff(asker.application, campaign, asker.account, moments, as_member)

    @get(
        "/sheets/{character:str}/why",
        summary="Why a field of a sheet is what it is",
        operation_class=MEMBERS,
        guards=[takes_long],
    )
    async def why(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        character: FromPath[str],
        path: PathQuery,
    ) -> Why:
        """The standing events that changed the field, oldest first, with the values. Refuses `path_not_found`."""
        return with_names(await why(application, visible, CharacterId(character), path), visible)

    @get(
        "/boards/{system:str}/{board_key:str}/why",
        summary="Why a value of a board is what it is",
        operation_class=MEMBERS,
        guards=[takes_long],
    )
    async def why_on_board(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        system: FromPath[str],
        board_key: FromPath[str],
        path: BoardPathQuery,
    ) -> Why:
        """The standing events that changed the value, oldest first, of the last 2,000.

        A thing of a list is named by the id that stands first in it. Refuses `board_not_found` and
        `path_not_found`.
        """
        return with_names(await why_on_board(application, visible, system, board_key, path), visible)

    @get(
        "/ledger/accounts/{account:str}/why",
        summary="Why a balance is what it is",
        operation_class=MEMBERS,
        guards=[takes_long],
    )
    async def why_balance(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        account: FromPath[str],
        currency: CurrencyQuery,
    ) -> Why:
        """The standing events that changed the balance, oldest first, with the balance after each.

        Refuses `account_not_found` and `ambiguous_name`.
        """
        key = currency_of(visible, currency)
        return with_names(await why_balance(application, visible, account, key), visible)
