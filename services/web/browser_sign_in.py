"""Signing in, up and out in a browser, for every page that has the form."""

from typing import Any

from litestar import Request
from litestar.response import Response

from domain.sentences import Sentence, say
from services.accounts.authentication import Password, PersonName, Principal, SaidName, SaidPassword
from services.api.authentication import address_of
from services.api.session_cookie import cleared_cookies, session_cookie
from services.api.sessions import begin_session, end_session_of
from services.application import Application
from services.campaigns.sign_up import sign_up
from services.web.forms import Checked, Form


class Known(Checked, frozen=True):
    """Who signs in."""

    name: SaidName
    password: SaidPassword


class Fresh(Checked, frozen=True):
    """Who signs up."""

    name: PersonName
    password: Password

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """What is wrong with a field that cannot be taken."""
        return {
            "name": say("A name has 2 to 40 characters."),
            "password": say("A password has 8 to 200 characters."),
        }


class SignedIn:
    """A browser that is signed in now: who it is, and the secret for its cookie."""

    def __init__(self, principal: Principal, secret: str) -> None:
        self.principal = principal
        self._secret = secret

    def remembered(self, request: Request[Any, Any, Any], answer: Response[bytes]) -> Response[bytes]:
        """The answer, with the cookie."""
        answer.set_cookie(session_cookie(request.scope, self._secret))
        return answer


async def sign_by_form(
    application: Application,
    request: Request[Any, Any, Any],
    form: Form,
    *,
    fresh: bool,
    invite: str | None = None,
) -> SignedIn:
    """Sign in, or up if `fresh`, as a form says, perhaps with an invite. Raises `Unfit` and what the two raise."""
    if fresh:
        new = Fresh.read(form)
        await sign_up(application.for_campaigns, new.name, new.password, address_of(request), invite)
        return await sign_in(application, request, new.name, new.password)
    known = Known.read(form)
    return await sign_in(application, request, known.name, known.password)


async def sign_in(application: Application, request: Request[Any, Any, Any], name: str, password: str) -> SignedIn:
    """Begin a session. Raises `WrongNameOrPassword` and `RateLimitExceeded`."""
    principal, secret = await begin_session(application, request, name, password)
    return SignedIn(principal, secret)


async def signed_out(
    application: Application, request: Request[Any, Any, Any], answer: Response[bytes]
) -> Response[bytes]:
    """End the session of the request's cookie, if there is one; the answer clears it."""
    await end_session_of(application, request)
    for cookie in cleared_cookies():
        answer.set_cookie(cookie)
    return answer
