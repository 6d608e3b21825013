"""`…/chronicle/export`: the chronicle to be read elsewhere."""

from typing import Annotated

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter
from litestar.response import Stream

from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.openapi_roles import MEMBERS
from services.http.file_download import saved_file
from services.http.middleware.time_limit import takes_long
from services.reading.chronicle_export import ChronicleFormat, export_chronicle

ChronicleFormatQuery = Annotated[
    ChronicleFormat,
    QueryParameter(name="format", description="A vault of Markdown notes (an archive), or plain text."),
]


class ChronicleController(Controller):
    """The chronicle as a file."""

    path = "/api/campaigns/{campaign_id:str}/chronicle"
    tags = ("actions",)

    @get(
        "/export",
        summary="The chronicle to be read elsewhere",
        operation_class=MEMBERS,
        guards=[takes_long],
        responses={
            200: ResponseSpec(
                str,
                description="Plain text, or an archive of Markdown notes (`application/zip`).",
                media_type="text/plain",
                generate_examples=False,
            )
        },
    )
    async def export(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
        file_format: ChronicleFormatQuery,
    ) -> Stream:
        """Every action that the reader may read, with its dice: a note for each play session and each character.

        It says as of which event it is, and comes piece by piece.
        """
        file = await export_chronicle(application, visible, file_format)
        return saved_file(file.pieces, file.name, file.media_type)
