"""Signing in, up and out in a browser, for every page that has the form."""

from typing import Any, Literal

from litestar import Request
from litestar.response import Response

from domain.rejection import Stale
from domain.sentences import Sentence, say
from services.accounts.authentication import (
    Password,
    PersonName,
    Principal,
    SaidName,
    SaidPassword,
    WrongNameOrPassword,
)
from services.application import Application
from services.http.middleware.authentication import address_of
from services.http.middleware.browser_session import begin_session, end_session_of
from services.http.middleware.session_cookie import cleared_cookies, session_cookie
from services.http.screen.shared.forms import Form, FormStruct
from services.lifecycle.sign_up import sign_up


class SignInForm(FormStruct, frozen=True):
    """The person signing in, and whether others share the browser."""

    name: SaidName
    password: SaidPassword
    shared: Literal["", "yes"] = ""


class SignUpForm(FormStruct, frozen=True):
    """The person signing up."""

    name: PersonName
    password: Password
    shared: Literal["", "yes"] = ""

    @classmethod
    def faults(cls) -> dict[str, Sentence]:
        """The fault in a field that cannot be taken."""
        return {
            "name": say("A name has 2 to 40 characters."),
            "password": say("A password has 8 to 200 characters."),
        }


class SignedIn:
    """A browser that is signed in now: its account, and the secret for its cookie."""

    def __init__(self, principal: Principal, secret: str, *, is_shared: bool) -> None:
        self.principal = principal
        self._secret = secret
        self._is_shared = is_shared

    def remembered(self, request: Request[Any, Any, Any], answer: Response[bytes]) -> Response[bytes]:
        """The answer, with the cookie."""
        answer.set_cookie(session_cookie(request.scope, self._secret, is_shared=self._is_shared))
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
        new = SignUpForm.parse(form)
        try:
            await sign_up(application.for_campaigns, new.name, new.password, address_of(request), invite)
        except Stale as taken:
            return await _sign_in_again(application, request, new, taken)
        return await _sign_in(application, request, new)
    return await _sign_in(application, request, SignInForm.parse(form))


async def _sign_in_again(
    application: Application, request: Request[Any, Any, Any], fields: SignUpForm, taken: Stale
) -> SignedIn:
    """Sign in a person who sent the form twice, and has the account by now. Raises `taken` for any other."""
    try:
        return await _sign_in(application, request, fields)
    except WrongNameOrPassword:
        raise taken from None


async def _sign_in(
    application: Application, request: Request[Any, Any, Any], fields: SignInForm | SignUpForm
) -> SignedIn:
    """Begin a session. Raises `WrongNameOrPassword` and `RateLimitExceeded`."""
    is_shared = fields.shared == "yes"
    principal, secret = await begin_session(
        application, request, fields.name, fields.password, is_shared=is_shared
    )
    return SignedIn(principal, secret, is_shared=is_shared)


async def signed_out(
    application: Application, request: Request[Any, Any, Any], answer: Response[bytes]
) -> Response[bytes]:
    """End the session of the request's cookie, if there is one; the answer clears it."""
    await end_session_of(application, request)
    for cookie in cleared_cookies():
        answer.set_cookie(cookie)
    return answer
