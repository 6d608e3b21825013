"""A browser signs in and out: a session begins and ends."""

from typing import Any

from litestar import Request

from domain.sentences import ENGLISH
from projections.languages import render
from services.accounts.authentication import Principal, name_key
from services.accounts.browser_labels import browser_label
from services.application import Application
from services.http.middleware.authentication import address_of
from services.http.middleware.session_cookie import session_secret
from services.runtime.reader_language import prefer, reader_language


async def begin_session(
    application: Application, request: Request[Any, Any, Any], name: str, password: str, *, is_shared: bool = False
) -> tuple[Principal, str]:
    """Sign the browser of a request in; returns its account and the secret for its cookie.

    The session that it had ends. Raises `WrongNameOrPassword` and `RateLimitExceeded`.
    """
    key, address = name_key(name), address_of(request)
    is_known = await application.rates.sign_in(key, address)
    label = render(browser_label(request.headers.get("user-agent", "")), reader_language() or ENGLISH)
    secret, principal = await application.people.begin_session(
        name, password, label, session_secret(request.scope), is_known=is_known, is_shared=is_shared
    )
    await application.rates.signed_in(key, address)
    prefer(principal.language)
    return principal, secret


async def end_session_of(application: Application, request: Request[Any, Any, Any]) -> None:
    """End the session that a request has a cookie of, if that is valid."""
    if (secret := session_secret(request.scope)) is not None:
        await application.people.end_session_of(secret)
