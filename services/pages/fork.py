"""`/c/{campaign}/fork?at=`: what it means to begin a new campaign as this one stood at a moment, and doing it."""

from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.personal_text import Name
from domain.sentences import Sentence, say
from projections.languages import render
from services.api.actions import checked_key
from services.api.authentication import address_of
from services.api.time_limit import takes_long
from services.api.transfer import ForkBody, fork_here
from services.application import Application
from services.web.answers import REFUSED, see_other, shown
from services.web.campaign_page import CampaignPage, frame_of, read_paths
from services.web.forms import Checked, Form, Unfit, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.time_line import Reading, TimeLine, reading
from services.web.visitor import Visitor

NAME_MAX = 80


class ForkPage(CampaignPage, frozen=True, kw_only=True):
    """A fork before it is made; `moment` is where it begins. `may_fork`: the reader is a game master."""

    template: ClassVar[str] = "fork.html"
    section: ClassVar[str] = "chronicle"
    moment: TimeLine
    may_fork: bool
    form: Form

    @property
    def title(self) -> Sentence:
        """What is asked."""
        return say("Fork from no. {seq}", seq=self.moment.number)


class ForkForm(Checked, frozen=True):
    """What the new campaign is called; `key` makes sending it again harmless."""

    name: Name
    key: str = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """What is wrong with a name."""
        return {"name": say("A campaign needs a name, of at most 80 characters.")}


@get(read_paths("/fork"))
async def fork_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """What a fork means, before it is made."""
    read = await reading(application, request, visitor, campaign)
    name = say("{campaign}, from no. {seq}", campaign=read.seen.state.name, seq=read.time.number)
    fresh = {"name": [render(name, read.now.language)[-NAME_MAX:]], "key": [str(application.entropy.new_id())]}
    return shown(request, visitor, _page(read, Form(fresh)))


@post("/c/{campaign:str}/fork", guards=[takes_long])
async def make_fork(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    campaign: FromPath[str],
) -> Response[bytes]:
    """Make it, and go there; sent again with the same key, it is made once."""
    read = await reading(application, request, visitor, campaign)
    account, form = visitor.signed_in.account_id, await entered(request)
    try:
        sent = ForkForm.read(form)
        wanted, key = ForkBody(read.seen.seq, sent.name), checked_key(sent.key or None)
        made = await fork_here(application, account, address_of(request), read.now.campaign_id, wanted, key)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.refused("", told_refusal(refusal))
    else:
        return see_other(f"/c/{made.campaign_id}")
    return shown(request, visitor, _page(read, form), REFUSED)


def _page(read: Reading, form: Form) -> ForkPage:
    may_fork = read.now.role == "gm" and read.now.shown_to is None
    return ForkPage(**frame_of(read.now), moment=read.time, may_fork=may_fork, form=form)
