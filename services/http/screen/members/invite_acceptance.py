"""`/join`: an invite, from its link to the campaign."""

import re
from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Response
from msgspec import structs

from domain.sentences import Sentence, say
from domain.systems import SYSTEMS
from services.http.middleware.authentication import address_of
from services.http.screen.account.browser_sign_in import sign_by_form
from services.http.screen.shared.forms import Form, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, is_of_new_password, told_refusal
from services.http.screen.shared.systems import ROLES
from services.http.screen.shared.visitor import Visit, Visitor
from services.lifecycle.invitations import InviteLook, join, look_at_invite

CODE = re.compile(r"[A-Za-z0-9_-]{10,100}")


class InvitePage(Page, frozen=True):
    """The campaign of an invite, and the way in: with one's account, another's password, or a new account."""

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
    """The page of a code, or of a link that holds one at its end; without any, what to enter."""
    code = (await read_form(request)).value("code").strip().rstrip("/").rpartition("/")[2]
    if not code:
        return see_other("/?done=no_code")
    return see_other(f"/join/{code if CODE.fullmatch(code) else '-'}")


@get("/join/{code:str}")
async def invite_page(visit: NamedDependency[Visit], code: FromPath[str]) -> Response[bytes]:
    """The campaign that one would join."""
    look = await _look(visit, code)
    fresh = visit.application.sign_up != "closed" and "known" not in visit.request.query_params
    return show_page(visit, _page(code, look, Form(), fresh=fresh))


@post("/join/{code:str}")
async def accept(visit: NamedDependency[Visit], code: FromPath[str]) -> Response[bytes]:
    """Sign up or in where that is needed, join, and go to the campaign."""
    form = await read_form(visit.request)
    look = await _look(visit, code)
    fresh = form.value("known") == ""
    signed_in = None
    try:
        if visit.visitor.principal is None:
            signed_in = await sign_by_form(visit.application, visit.request, form, fresh=fresh, invite=code)
            visit = structs.replace(visit, visitor=Visitor(signed_in.principal))
        membership = await join(
            visit.application.for_campaigns, visit.signed_in.account_id, code, address_of(visit.request)
        )
    except Unfit as unfit:
        answer = show_page(visit, _page(code, look, unfit.form, fresh=fresh), REFUSED)
    except REFUSALS as refusal:
        faulty_form = form.with_fault("password" if is_of_new_password(refusal) else "", told_refusal(refusal))
        answer = show_page(visit, _page(code, look, faulty_form, fresh=fresh), REFUSED)
    else:
        answer = see_other(f"/c/{membership.campaign_id}/table")
    return answer if signed_in is None else signed_in.remembered(visit.request, answer)


async def _look(visit: Visit, code: str) -> InviteLook:
    account = None if visit.visitor.principal is None else visit.visitor.principal.account_id
    return await look_at_invite(visit.application.for_campaigns, code, address_of(visit.request), account)


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
