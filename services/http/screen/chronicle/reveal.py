"""`/c/{campaign}/a/{seq}/reveal`: the events that revealing a hidden action opens, and doing it."""

from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import RevealAction
from domain.ids import ActionId
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.history.reveal import preview_reveal
from services.history.submit import submit
from services.http.route_parameters import checked_key
from services.http.screen.chronicle.chronicle import UNFILTERED
from services.http.screen.shared.campaign_page import CampaignPage, campaign_path, frame_of
from services.http.screen.shared.chronicle_lines import Line, action_path, lines_of
from services.http.screen.shared.forms import read_form
from services.http.screen.shared.page_responses import REFUSED, Link, see_other, show_page
from services.http.screen.shared.refusals import told_refusal
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.chronicle import actions_page


class RevealPage(CampaignPage, frozen=True):
    """A hidden action, and what everybody will read once it is revealed.

    `refused` says why that cannot be, and `needed` are the hidden actions that have to be revealed before.
    """

    template: ClassVar[str] = "reveal.html"
    section: ClassVar[str] = "gm"
    line: Line
    told: list[str]
    refused: Part
    needed: list[Link]
    key: str
    back: str

    @property
    def title(self) -> Sentence:
        """The question that the page asks."""
        return say("Reveal no. {seq}?", seq=self.line.seq)


@get("/c/{campaign:str}/a/{seq:int}/reveal")
async def reveal_page(visit: NamedDependency[Visit], seq: FromPath[int]) -> Response[bytes]:
    """Show the events that a reveal would open, before it is done."""
    visible = await open_campaign(visit)
    action, line = await _action(visit.application, visible, seq)
    await visit.application.rates.act(visible.campaign_id, visible.account)
    sentences, refusal = list[str](), None
    try:
        act = ActRequest(command=RevealAction(action))
        with visible.refusing():
            sentences = (await preview_reveal(visit.application, visible, act)).summary
    except Rejection as failure:
        refusal = failure
    return show_page(visit, _page(visible, line, sentences, refusal, str(visit.application.entropy.new_id())))


@post("/c/{campaign:str}/a/{seq:int}/reveal")
async def reveal(visit: NamedDependency[Visit], seq: FromPath[int]) -> Response[bytes]:
    """Reveal the action."""
    visible = await open_campaign(visit)
    action, line = await _action(visit.application, visible, seq)
    key = checked_key((await read_form(visit.request)).value("key") or None)
    await visit.application.rates.act(visible.campaign_id, visible.account)
    try:
        act = ActRequest(command=RevealAction(action))
        await submit(visit.application, visible.campaign_id, visible.account, act, key=key)
    except Rejection as refusal:
        return show_page(
            visit, _page(visible, line, [], refusal, str(visit.application.entropy.new_id())), REFUSED
        )
    return see_other(_back(visible, line))


async def _action(application: Application, campaign: VisibleCampaign, seq: int) -> tuple[ActionId, Line]:
    """The action that begins at a seq, if the reader may see it."""
    page = await actions_page(
        application.log, application.views, campaign, 0, 1, UNFILTERED, min(seq, campaign.seq) + 1
    )
    if not page.actions or page.actions[0].seq != seq or page.actions[0].type is None:
        raise NotFoundException
    [line] = await lines_of(application, campaign, page)
    return page.actions[0].action_id, line


def _page(
    campaign: VisibleCampaign, line: Line, sentences: list[str], refusal: Rejection | None, key: str
) -> RevealPage:
    needed = [] if refusal is None else refusal.details.get("actions", [])
    return RevealPage(
        **frame_of(campaign),
        line=line,
        told=sentences,
        refused="" if refusal is None else told_refusal(refusal),
        needed=[
            Link(f"{action_path(campaign, action.seq)}/reveal", " ".join(action.summary), str(action.seq))
            for action in needed
        ],
        key=key,
        back=_back(campaign, line),
    )


def _back(campaign: VisibleCampaign, line: Line) -> str:
    return f"{campaign_path(campaign)}/gm" if campaign.role == "gm" else line.path
