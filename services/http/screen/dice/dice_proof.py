"""`/c/{campaign}/a/{seq}/proof`: the dice of an action, recomputed in the browser from what was published."""

from typing import ClassVar

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.sentences import Sentence, say
from services.http.screen.chronicle.chronicle import page_at
from services.http.screen.dice.dice_sources import Source, sources_of
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, watched_paths
from services.http.screen.shared.chronicle_lines import Line, lines_of
from services.http.screen.shared.page_responses import show_page
from services.http.screen.shared.visitor import Visit, open_campaign


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
        """The page's title: the roll of this proof."""
        return say("Proof of no. {seq}", seq=self.line.seq)

    @property
    def is_recomputed(self) -> bool:
        """Whether there is anything that can be recomputed already."""
        return any(source.secret for source in self.sources)


@get(watched_paths("/a/{seq:int}/proof"))
async def dice_proof(visit: NamedDependency[Visit], seq: FromPath[int]) -> Response[bytes]:
    """The dice of the action that an event belongs to."""
    visible = await open_campaign(visit)
    action_page = await page_at(visit.application, visible, seq)
    [entry], [line] = action_page.actions, await lines_of(visit.application, visible, action_page)
    page = DiceProofPage(
        **frame_of(visible),
        line=line,
        campaign=visible.campaign_id.hex,
        sources=await sources_of(visit.application, visible, entry.rolls),
    )
    return show_page(visit, page)
