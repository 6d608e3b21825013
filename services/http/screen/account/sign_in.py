"""`/sign-in`, `/sign-up` and `/sign-out`."""

from typing import Any, ClassVar

from litestar import Request, get, post
from litestar.di import NamedDependency
from litestar.response import Response

from domain.sentences import Sentence, say
from services.application import Application
from services.http.screen.account.browser_sign_in import sign_by_form, signed_out
from services.http.screen.shared.forms import Form, Unfit, read_form
from services.http.screen.shared.page_responses import REFUSED, Page, own_path, see_other, show_page
from services.http.screen.shared.refusals import REFUSALS, is_of_new_password, told_refusal
from services.http.screen.shared.visitor import Visit

ENDED: dict[str, Sentence] = {
    "yes": say("You are signed out."),
    "password": say("Your password is changed, and every sign-in has ended. Sign in with the new one."),
    "deleted": say("You are signed out, and your account is going to be deleted. Sign in again to keep it."),
}
"""The notice for a browser that was signed in before."""


class SignInPage(Page, frozen=True):
    """The form to sign in, or up if `fresh`; afterwards the browser goes to `next`."""

    template: ClassVar[str] = "sign_in.html"
    form: Form
    next: str
    fresh: bool
    ended: Sentence | None = None

    @property
    def title(self) -> Sentence:
        """The page's title."""
        return say("Create an account") if self.fresh else say("Sign in")

    @property
    def action(self) -> str:
        """Where the form goes."""
        return "/sign-up" if self.fresh else "/sign-in"


@get("/sign-in")
async def sign_in_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form to sign in; a reader who is signed in goes on."""
    return _page(visit, fresh=False)


@get("/sign-up")
async def sign_up_page(visit: NamedDependency[Visit]) -> Response[bytes]:
    """The form to sign up; a reader who is signed in goes on."""
    return _page(visit, fresh=True)


@post("/sign-in")
async def sign_in(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Sign in, and go on."""
    return await _signed(visit, fresh=False)


@post("/sign-up")
async def sign_up(visit: NamedDependency[Visit]) -> Response[bytes]:
    """Sign up, and go on."""
    return await _signed(visit, fresh=True)


@post("/sign-out")
async def sign_out(application: NamedDependency[Application], request: Request[Any, Any, Any]) -> Response[bytes]:
    """Sign out, in this browser only."""
    return await signed_out(application, request, see_other("/sign-in?ended=yes"))


def _page(visit: Visit, *, fresh: bool) -> Response[bytes]:
    onwards = own_path(visit.request.query_params.get("next"))
    if visit.visitor.principal is not None:
        return see_other(onwards)
    ended = ENDED.get(visit.request.query_params.get("ended", ""))
    return show_page(visit, SignInPage(Form(), onwards, fresh, ended))


async def _signed(visit: Visit, *, fresh: bool) -> Response[bytes]:
    form = await read_form(visit.request)
    onwards = own_path(form.value("next"))
    try:
        signed_in = await sign_by_form(visit.application, visit.request, form, fresh=fresh)
    except Unfit as unfit:
        form = unfit.form
    except REFUSALS as refusal:
        form = form.with_fault("password" if is_of_new_password(refusal) else "", told_refusal(refusal))
    else:
        return signed_in.remembered(visit.request, see_other(onwards))
    return show_page(visit, SignInPage(form, onwards, fresh), REFUSED)
