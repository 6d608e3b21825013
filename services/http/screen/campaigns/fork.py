"""`/c/{campaign}/fork?at=`: a new campaign that begins as this one stood at a moment."""

from typing import ClassVar

from litestar import get, post
from litestar.di import NamedDependency
from litestar.response import Response

from domain.personal_text import Name
from domain.sentences import Sentence, say
from projections.languages import render
from services.http.middleware.authentication import address_of
from services.http.middleware.time_limit import takes_long
from services.http.route_parameters import checked_key
from services.http.screen.shared.campaign_page import CampaignPage, frame_of, read_paths
from services.http.screen.shared.forms import Form, FormStruct, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, told_refusal
from services.http.screen.shared.time_line import Reading, TimeLine, reading
from services.http.screen.shared.visitor import Visit
from services.transfer.fork_and_import_requests import ForkBody, fork_here

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
        """The question that the page asks."""
        return say("Fork from no. {seq}", seq=self.moment.number)


class ForkForm(FormStruct, frozen=True):
    """The new campaign's name; `key` makes sending it again harmless."""

    name: Name
    key: str = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a name."""
        return {"name": say("A campaign needs a name, of at most 80 characters.")}


@get(read_paths("/fork"))
async def fork_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Show the meaning of a fork, before it is made."""
    moment = await reading(visit)
    name = say("{campaign}, from no. {seq}", campaign=moment.campaign.state.name, seq=moment.time.number)
    fresh = {
        "name": [render(name, moment.now.language)[-NAME_MAX:]],
        "key": [str(visit.application.entropy.new_id())],
    }
    return show_page(visit, _page(moment, Form(fresh)))


@post("/c/{campaign:str}/fork", guards=[takes_long])
async def make_fork(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Make it, and go there; sent again with the same key, it is made once."""
    moment = await reading(visit)
    account, form = visit.signed_in.account_id, await read_form(visit.request)
    try:
        fields = ForkForm.parse(form)
        body, key = ForkBody(moment.campaign.seq, fields.name), checked_key(fields.key or None)
        fork = await fork_here(
            visit.application.for_transfer, account, address_of(visit.request), moment.now.campaign_id, body, key
        )
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("", told_refusal(refusal))
    else:
        return see_other(f"/c/{fork.campaign_id}")
    return show_page(visit, _page(moment, form), REFUSED)


def _page(moment: Reading, form: Form) -> ForkPage:
    may_fork = moment.now.role == "gm" and moment.now.shown_to is None
    return ForkPage(**frame_of(moment.now), moment=moment.time, may_fork=may_fork, form=form)
