"""`/api/session` and `/api/sessions`: browsers, which sign in by a cookie that no script can read."""

from typing import Any
from uuid import UUID

from litestar import Controller, Request, Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Struct

from services.accounts.authentication import SaidName, SaidPassword
from services.accounts.own_account import You, describe_account
from services.application import Application
from services.errors import session_not_found
from services.http.api.caller import Caller
from services.http.api.openapi import OPEN
from services.http.api.openapi_roles import ACCOUNT, ANYONE
from services.http.middleware.authentication import bearer_token
from services.http.middleware.browser_session import begin_session
from services.http.middleware.origin_check import require_no_foreign_page, require_own_page
from services.http.middleware.session_cookie import (
    cleared_cookies,
    documented_clearing,
    documented_cookie,
    session_cookie,
    session_secret,
)
from services.http.route_parameters import BeforeIdQuery, LimitQuery
from services.reading.parameters import LIMIT_DEFAULT, page_by_id, uuid_or


class BrowserSignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and its password; `shared_computer`: others use this browser, too.

    Then the cookie goes when the browser is closed, and the session is over after 12 hours.
    """

    name: SaidName
    password: SaidPassword
    shared_computer: bool = False


class BrowserSession(Struct, frozen=True):
    """A browser in which you are signed in, until `expires_at` unless it is used before; `current` is this one.

    `last_used_at` is right to the hour.
    """

    session_id: UUID
    label: str
    created_at: str
    last_used_at: str
    expires_at: str
    current: bool


class BrowserSessionsPage(Struct, frozen=True):
    """Your sessions, ordered by id, or with `before` backwards.

    `next_after`, or with `before` `next_before`, goes into the next request; null after the last.
    """

    sessions: list[BrowserSession]
    next_after: UUID | None
    next_before: UUID | None


class SessionsController(Controller):
    """Sign in and out in a browser."""

    path = "/api"
    tags = ("accounts",)

    @post(
        "/session",
        security=OPEN,
        summary="Sign a browser in",
        operation_class=ANYONE,
        response_cookies=[documented_cookie()],
    )
    async def sign_in(
        self,
        application: NamedDependency[Application],
        data: JSONBody[BrowserSignIn],
        request: Request[Any, Any, Any],
    ) -> Response[You]:
        """Begin a session. 201 with your account; its secret is set as a cookie, and told nowhere else.

        The cookie is called `fieldlog_session`, over HTTPS `__Host-fieldlog_session`. A session is over after 90
        days without use, or after a year, on a shared computer after 12 hours; of more than 20 the one that was
        idle longest ends, and so does the one that this browser had. Refuses `wrong_name_or_password`,
        `account_disabled` and `foreign_origin` (403) to a page of another site, and `too_many_sign_ins` (429).
        """
        require_no_foreign_page(request.scope, application.origins)
        is_shared = data.shared_computer
        principal, secret = await begin_session(
            application, request, data.name, data.password, is_shared=is_shared
        )
        cookie = session_cookie(request.scope, secret, is_shared=is_shared)
        return Response(await describe_account(application.for_accounts, principal), cookies=[cookie])

    @delete(
        "/session",
        security=OPEN,
        summary="Sign this browser out",
        operation_class=ANYONE,
        response_cookies=documented_clearing(),
    )
    async def sign_out(
        self, application: NamedDependency[Application], request: Request[Any, Any, Any]
    ) -> Response[None]:
        """End the session of the cookie, and its feeds; without one there is nothing to do. Clears the cookie.

        Refuses `foreign_origin` (403), as everything does that changes something by a cookie.
        """
        secret = session_secret(request.scope)
        if secret is not None:
            if not bearer_token(request.scope):
                require_own_page(request.scope, application.origins)
            await application.people.end_session_of(secret)
        return Response(None, cookies=cleared_cookies())

    @get("/sessions", summary="Your sessions", operation_class=ACCOUNT)
    async def sessions(
        self,
        caller: NamedDependency[Caller],
        after: FromQuery[UUID | None] = None,
        before: BeforeIdQuery = None,
        limit: LimitQuery = LIMIT_DEFAULT,
    ) -> BrowserSessionsPage:
        """The browsers in which you are signed in."""
        sessions, next_after, next_before = page_by_id(
            await caller.application.people.sessions(caller.account),
            lambda session: session.session_id,
            after,
            before,
            limit,
        )
        return BrowserSessionsPage(
            [
                BrowserSession(
                    session.session_id,
                    session.label,
                    session.created_at.isoformat(),
                    session.last_used_at.isoformat(),
                    session.expires_at.isoformat(),
                    current=session.session_id == caller.principal.token_id,
                )
                for session in sessions
            ],
            next_after,
            next_before,
        )

    @delete("/sessions/{session_id:str}", summary="Sign a browser out", operation_class=ACCOUNT)
    async def end(self, caller: NamedDependency[Caller], session_id: FromPath[str]) -> None:
        """End a session, and its feeds. Refuses `session_not_found`."""
        session = uuid_or(session_id, session_not_found())
        await caller.application.people.end_session(caller.account, session)

    @delete("/sessions", summary="Sign all other browsers out", operation_class=ACCOUNT)
    async def end_others(self, caller: NamedDependency[Caller]) -> None:
        """End all your sessions but that of this request. Tokens stay."""
        await caller.application.people.end_other_sessions(caller.principal)
