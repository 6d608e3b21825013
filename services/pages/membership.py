"""`/join`: an invite, from its link to the campaign."""

import re
from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response

from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from services.api.authentication import address_of
from services.api.members import InviteLook, join, look_at_invite
from services.application import Application
from services.web.answers import REFUSED, Page, see_other, shown
from services.web.browser_sign_in import sign_by_form
from services.web.forms import Form, Unfit, entered
from services.web.refusals import REFUSALS, told_refusal
from services.web.systems import ROLES
from services.web.visitor import Visitor

CODE = re.compile(r"[A-Za-z0-9_-]{10,100}")


class InvitePage(Page, frozen=True):
    """What one would join, and the way in: with one's account, with another's password, or with a new account."""

    template: ClassVar[str] = "join.html"
    code: str
    campaign: str
    systems: list[str]
    accent: str
    role: Sentence
    invited_by: str
    form: Form
    fresh: bool

    @property
    def title(self) -> Sentence:
        """Which campaign this is."""
        return say("Join “{campaign}”", campaign=self.campaign)


@post("/join")
async def join_by_code(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page of a code, or of a link that holds one at its end."""
    said = (await entered(request)).value("code").strip().rstrip("/").rpartition("/")[2]
    return see_other(f"/join/{said if CODE.fullmatch(said) else '-'}")


@get("/join/{code:str}")
async def invite_page(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    code: FromPath[str],
) -> Response[bytes]:
    """What one would join."""
    look = await _look(application, request, visitor, code)
    fresh = application.sign_up != "closed" and "known" not in request.query_params
    return shown(request, visitor, _page(code, look, Form(), fresh=fresh))


@post("/join/{code:str}")
async def accept(
    application: NamedDependency[Application],
    request: Request[Any, Any, Any],
    visitor: NamedDependency[Visitor],
    code: FromPath[str],
) -> Response[bytes]:
    """Sign up or in where that is needed, join, and go to the campaign."""
    form = await entered(request)
    look = await _look(application, request, visitor, code)
    fresh = form.value("known") == ""
    signed_in = None
    try:
        if visitor.principal is None:
            signed_in = await sign_by_form(application, request, form, fresh=fresh, invite=code)
            visitor = Visitor(signed_in.principal)
        joined = await join(application, visitor.signed_in.account_id, code, address_of(request))
    except Unfit as unfit:
        answer = shown(request, visitor, _page(code, look, unfit.form, fresh=fresh), REFUSED)
    except REFUSALS as refusal:
        refused = form.refused("", told_refusal(refusal))
        answer = shown(request, visitor, _page(code, look, refused, fresh=fresh), REFUSED)
    else:
        answer = see_other(f"/c/{joined.campaign_id}/table")
    return answer if signed_in is None else signed_in.remembered(request, answer)


async def _look(
    application: Application, request: Request[Any, Any, Any], visitor: Visitor, code: str
) -> InviteLook:
    account = None if visitor.principal is None else visitor.principal.account_id
    return await look_at_invite(application, code, address_of(request), account)


def _page(code: str, look: InviteLook, form: Form, *, fresh: bool) -> InvitePage:
    return InvitePage(
        code=code,
        campaign=look.campaign,
        systems=[SYSTEMS[system].title for system in look.systems],
        accent=look.systems[0],
        role=ROLES[look.role],
        invited_by=look.invited_by,
        form=form,
        fresh=fresh,
    )
