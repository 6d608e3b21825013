"""`…/dice/read`: the meaning of a dice expression. Nothing is rolled."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import QueryParameter

from domain.campaign.play.free_rolls import notation_of_campaign
from domain.dice.dialects import Notation
from projections.campaign.dice_readings import DiceReading, read_dice
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long

NotationQuery = Annotated[
    str, QueryParameter(max_length=1000, description="The dice expression, as somebody types or pastes it.")
]
DialectQuery = Annotated[
    Notation | None,
    QueryParameter(description="Whose notation it is in; left out, that of the setting `campaign.notation`."),
]


class DiceController(Controller):
    """Dice expressions before they are rolled."""

    path = "/api/campaigns/{campaign_id:str}/dice"
    tags = ("actions",)

    @get("/read", summary="What would these dice do?", operation_class=MEMBERS, guards=[takes_long])
    async def read(
        self,
        visible: NamedDependency[VisibleCampaign],
        notation: NotationQuery,
        dialect: DialectQuery = None,
    ) -> DiceReading:
        """The meaning of a dice expression, with its range, its average and its odds; no die falls.

        Where tools read it differently, `readings` has each way. Refuses `notation_too_large`,
        and `notation_invalid` with the `column`, the parts `expected` there and, where it is known, the notation
        to `write`.
        """
        spoken = notation_of_campaign(visible.state) if dialect is None else dialect
        with visible.refusing():
            return read_dice(notation, spoken, visible.language)
