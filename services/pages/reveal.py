"""`/c/{campaign}/a/{seq}/reveal`: what revealing a hidden action opens, and doing it."""

from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response import Response

from domain.campaign.commands import RevealAction
from domain.campaign.request import ActRequest
from domain.ids import ActionId
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, say
from services.api.actions import checked_key
from services.application import Application
from services.commands.reveal import preview_reveal
from services.commands.submit import submit_command
from services.pages.chronicle import UNFILTERED
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import actions_page
from services.web.answers import REFUSED, Link, see_other, shown
from services.web.campaign_page import CampaignPage, campaign_path, frame_of, seen_by
from services.web.chronicle_lines import Line, action_path, lines_of
from services.web.forms import entered
from services.web.refusals import told_refusal
from services.web.visitor import Visitor

COMMAND = str(RevealAction.__struct_config__.tag)
OK = 200


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
        """What is asked."""
        return say("Reveal no. {seq}?", seq=self.line.seq)


@get("/c/{campaign:str}/a/{seq:int}/reveal")
async def reveal_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    seq: FromPath[int],
) -> Response[bytes]:
    """What a reveal would open, before it is done."""
    seen = await seen_by(application, visitor, campaign)
    action, line = await _action(application, seen, seq)
    await application.rates.act(seen.campaign_id, seen.account)
    told, refusal = list[str](), None
    try:
        asked = ActRequest(command=RevealAction(action))
        with seen.refusing():
            told = (await preview_reveal(application, seen, asked)).summary
    except Rejection as failure:
        refusal = failure
    return shown(request, visitor, _page(seen, line, told, refusal))


@post("/c/{campaign:str}/a/{seq:int}/reveal")
async def reveal(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
    seq: FromPath[int],
) -> Response[bytes]:
    """Reveal the action."""
    seen = await seen_by(application, visitor, campaign)
    action, line = await _action(application, seen, seq)
    key = checked_key((await entered(request)).value("key") or None)
    await application.rates.act(seen.campaign_id, seen.account)
    try:
        asked = ActRequest(command=RevealAction(action))
        await submit_command(application, seen.campaign_id, seen.account, asked, key=key)
    except Rejection as refusal:
        return shown(request, visitor, _page(seen, line, [], refusal), REFUSED)
    return see_other(_back(seen, line))


async def _action(application: Application, seen: VisibleCampaign, seq: int) -> tuple[ActionId, Line]:
    """The action that begins at a seq, if the reader may see it."""
    page = await actions_page(application.log, application.views, seen, 0, 1, UNFILTERED, min(seq, seen.seq) + 1)
    if not page.actions or page.actions[0].seq != seq or page.actions[0].type is None:
        raise NotFoundException
    [line] = await lines_of(application, seen, page)
    return page.actions[0].action_id, line


def _page(seen: VisibleCampaign, line: Line, told: list[str], refusal: Rejection | None) -> RevealPage:
    needed = [] if refusal is None else refusal.details.get("actions", [])
    return RevealPage(
        **frame_of(seen),
        line=line,
        told=told,
        refused="" if refusal is None else told_refusal(refusal),
        needed=[
            Link(f"{action_path(seen, each.seq)}/reveal", " ".join(each.summary), str(each.seq)) for each in needed
        ],
        key=f"page-{seen.seq}-{COMMAND}-{line.seq}",
        back=_back(seen, line),
    )


def _back(seen: VisibleCampaign, line: Line) -> str:
    return f"{campaign_path(seen)}/gm" if seen.role == "gm" else line.path
