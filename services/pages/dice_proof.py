"""`/c/{campaign}/a/{seq}/proof`: the dice of an action, recomputed in the browser from what was published."""

from typing import Any, ClassVar

from litestar import Request, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.sentences import Sentence, say
from services.application import Application
from services.pages.chronicle import page_at
from services.web.answers import shown
from services.web.campaign_page import CampaignPage, frame_of, read_paths, seen_by
from services.web.chronicle_lines import Line, lines_of
from services.web.dice_sources import Source, sources_of
from services.web.visitor import Visitor


class DiceProofPage(CampaignPage, frozen=True):
    """An action and its dice, by where they come from; `campaign` are the bytes of its id, in hexadecimal."""

    template: ClassVar[str] = "dice_proof.html"
    may_be_kept: ClassVar[bool] = True
    section: ClassVar[str] = "chronicle"
    line: Line
    campaign: str
    sources: list[Source]

    @property
    def title(self) -> Sentence:
        """Whose proof it is."""
        return say("Proof of no. {seq}", seq=self.line.seq)

    @property
    def is_recomputed(self) -> bool:
        """Whether there is anything that can be recomputed already."""
        return any(each.secret for each in self.sources)


@get(read_paths("/a/{seq:int}/proof"))
async def dice_proof(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    seq: FromPath[int],
) -> Response[bytes]:
    """The dice of the action that an event belongs to."""
    seen = await seen_by(application, visitor, campaign)
    found = await page_at(application, seen, seq)
    [entry], [line] = found.actions, await lines_of(application, seen, found)
    page = DiceProofPage(
        **frame_of(seen),
        line=line,
        campaign=seen.campaign_id.hex,
        sources=await sources_of(application, seen, entry.rolls),
    )
    return shown(request, visitor, page)
