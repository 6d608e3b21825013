"""`…/export`, `/api/campaigns/import` and `…/fork`: campaigns as files, and campaigns made of them."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from services.api.paths import campaign_of
from services.api.roles import MEMBERS
from services.exporting import exported
from services.house import House
from services.people import Principal
from services.reading import Moment

NDJSON = "application/x-ndjson"

UptoQuery = Annotated[
    int | None, QueryParameter(name="upto", ge=1, le=2**53, description="Only up to this seq, as it was then.")
]


class ExportController(Controller):
    """A campaign as a file."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("exchange",)

    @get(
        "/export",
        summary="Export a campaign",
        operation_class=MEMBERS,
        media_type=NDJSON,
        responses={200: ResponseSpec(str, description="One JSON object per line", media_type=NDJSON)},
    )
    async def export(
        self,
        house: NamedDependency[House],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
        upto: UptoQuery = None,
    ) -> Stream:
        """Every event with all that its hash covers: anybody can verify it offline (`fieldlog verify FILE`).

        What you may not see is there as its hash only. A GM's export can be imported again. Refuses
        `moment_not_reached`.
        """
        at = None if upto is None else Moment(seq=upto)
        seen = await house.reading.see(campaign_of(campaign_id), principal.account_id, at)
        headers = {"Content-Disposition": f'attachment; filename="{seen.campaign_id}.ndjson"'}
        return Stream(exported(house, seen), media_type=NDJSON, headers=headers)
