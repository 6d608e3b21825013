"""`/c/{campaign}/files`: the campaign as a file: its content, its use, and the download."""

from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.response import Response

from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from services.http.route_parameters import AtQuery
from services.http.screen.shared.campaign_page import CampaignPage, frame_of
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit
from services.reading.parameters import moment_of
from services.runtime.reader_language import prefer


class FilesPage(CampaignPage, frozen=True, kw_only=True):
    """The campaign as a file, up to a seq."""

    template: ClassVar[str] = "files.html"
    section: ClassVar[str] = "home"
    moment: Sentence | None
    """Of a past one: when that was."""
    games: list[str]
    as_of: int
    members: int
    is_whole: bool
    """Nothing in it is left out for its reader."""
    file: str
    """The address of the download."""
    chronicle: str
    """The address of the chronicle, but for its format."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return say("The campaign as a file")


@get("/c/{campaign:str}/files")
async def files_page(visit: NamedDependency[Visit], at: AtQuery = None) -> Response[bytes]:
    """The content of a download, of now or up to a moment."""
    account = visit.signed_in.account_id
    visible = await visit.application.campaigns.see(visit.campaign_id, account, moment_of(at))
    prefer(visible.language)
    page = FilesPage(
        **frame_of(visible),
        moment=None if at is None else say("You read this as it was at no. {seq}.", seq=visible.seq),
        games=[SYSTEMS[system].title for system in visible.state.systems],
        as_of=visible.seq,
        members=len(visible.state.members),
        is_whole=visible.audience.gm,
        file=f"/api/campaigns/{visible.campaign_id}/export?upto={visible.seq}",
        chronicle=f"/api/campaigns/{visible.campaign_id}/chronicle/export?at={visible.seq}",
    )
    return show_page(visit, page)
