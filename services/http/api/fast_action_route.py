"""A direct implementation of `POST …/actions`, the route that a table uses most.

Litestar's routing, injection and metrics cost twice as much as deciding and sealing the command itself (measured,
see docs/performance.md), so this one request is read and answered directly. It is the same request: the entry in
the OpenAPI document, the errors and the limits are those of `ActionsController.act`, and a test sends everything
through both. Where there is a query it is passed on, with accounts in place of the names of members and with wire
values in place of words.
"""

import time
from functools import cache
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.enums import ScopeType
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import ASGIApp, Receive, Scope, Send
from prometheus_client import Histogram

from domain.campaign.command_request import ActionBody, ActRequest, Together
from domain.ids import CampaignId
from domain.names import members_by_name
from domain.rejection import Rejection
from projections import choice_words
from services.accounts.authentication import Principal
from services.application import Application
from services.history.submit import submit
from services.http import request_faults
from services.http.api.actions import request_of
from services.http.middleware.authentication import principal_behind
from services.http.middleware.head_middleware import require_json
from services.http.middleware.request_validation import require_plain_body
from services.http.problems import problem_response
from services.http.route_parameters import checked_key, checked_seq
from services.reading.parameters import campaign_of

BEFORE = "/api/campaigns/"
AFTER = "/actions"
TEMPLATE = f"{BEFORE}{{campaign}}{AFTER}"

ACTION_SECONDS = Histogram(
    "fieldlog_action_seconds",
    "How long acting took, from the first byte of the request to the answer",
    ("status",),
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5),
)

_decoder = msgspec.json.Decoder(ActRequest)
_group_decoder = msgspec.json.Decoder(ActionBody)
_seconds_of = cache(ACTION_SECONDS.labels)  # finding it takes four times as long as counting


class FastActionRoute:
    """Answers `POST …/actions` itself and passes everything else on."""

    def __init__(self, application: Application, rest: ASGIApp, body_bytes_max: int) -> None:
        self._application = application
        self._rest = rest
        self._body_bytes_max = body_bytes_max

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One ASGI request."""
        campaign = _campaign_in(scope)
        if campaign is None:
            await self._rest(scope, receive, send)
            return
        scope["path_template"], scope["path_params"] = TEMPLATE, {"campaign": campaign}  # as Litestar notes them
        started = time.perf_counter()
        try:
            if scope["query_string"]:
                await self._pass_on(scope, receive, send, campaign)
                return
            content = await self._answer(scope, receive, campaign)
            status, headers, content_type = 201, [], b"application/json"
        except Exception as failure:  # noqa: BLE001 — every failure is a problem with a code
            response: Response[bytes] = problem_response(Request(scope), failure)
            status, content = response.status_code or 500, response.content
            content_type = (response.media_type or "").encode()
            headers = [(name.lower().encode(), str(value).encode()) for name, value in response.headers.items()]
        headers += [(b"content-type", content_type), (b"content-length", b"%d" % len(content))]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content, "more_body": False})
        _seconds_of(status).observe(time.perf_counter() - started)

    async def _answer(self, scope: Scope, receive: Receive, campaign: str) -> bytes:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        application = self._application
        principal = await principal_behind(application, scope)
        body = await self._body(receive, headers.get(b"content-length", b""))
        if body:
            require_json(headers.get(b"content-type", b"").decode("latin-1"))
        require_plain_body(body)
        request = _parse(body)
        campaign_id = campaign_of(campaign)
        await application.rates.act(campaign_id, principal.account_id, _count(request))
        return await submit(
            application,
            campaign_id,
            principal.account_id,
            request
            if isinstance(request, ActRequest)
            else await self._resolve_names(request, campaign_id, principal),
            key=checked_key(_text(headers.get(b"idempotency-key"))),
            if_match=checked_seq(_text(headers.get(b"if-match"))),
        )

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send, campaign: str) -> None:
        """Let the route answer a request with a query, after names and words were replaced in its body."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        body = await self._body(receive, headers.get(b"content-length", b""))
        try:
            body = await self._with_accounts(scope, body, campaign)
        except Rejection:
            raise
        except Exception:  # noqa: BLE001, S110 — the route finds the same fault, in its own order
            pass
        await self._rest(scope, _again(body, receive), send)

    async def _with_accounts(self, scope: Scope, body: bytes, campaign: str) -> bytes:
        require_plain_body(body)
        request = _parse(body)
        if isinstance(request, ActRequest):
            return body
        principal = await principal_behind(self._application, scope)
        return msgspec.json.encode(await self._with_ids(request, campaign_of(campaign), principal))

    async def _resolve_names(self, body: Any, campaign_id: CampaignId, principal: Principal) -> ActRequest:
        """The request with accounts for names, as the asker knows the campaign, and wire values for words."""
        request = await self._with_ids(body, campaign_id, principal)
        kind = _kind_of(request)
        try:
            wish = msgspec.convert(request, kind)
        except msgspec.ValidationError:
            raise request_faults.of_value(request, kind) from None
        return request_of(wish) if isinstance(wish, ActionBody) else wish

    async def _with_ids(self, body: Any, campaign_id: CampaignId, principal: Principal) -> Any:
        """The body with accounts for names and wire values for words, in each of its commands."""
        campaign = await self._application.campaigns.see(campaign_id, principal.account_id)
        members = {account: campaign.name(account) for account in campaign.state.members}

        def with_ids(wish: Any) -> Any:
            return members_by_name.with_accounts(choice_words.with_values(wish), campaign.state, members)

        with campaign.refusing():
            if _kind_of(body) is ActRequest or not isinstance(body["commands"], list):
                return with_ids(body)
            commands = [with_ids({"command": command})["command"] for command in body["commands"]]
            return {**body, "commands": commands}

    async def _body(self, receive: Receive, length: bytes) -> bytes:
        if length.isdigit() and int(length) > self._body_bytes_max:
            raise RequestEntityTooLarge
        body = b""
        while True:
            message: Any = await receive()
            part: bytes = message.get("body", b"")
            body += part
            if len(body) > self._body_bytes_max:
                raise RequestEntityTooLarge
            if not message.get("more_body", False):
                return body


def _again(body: bytes, receive: Receive) -> Receive:
    """Receives a body that was read, and then whatever else comes."""
    messages: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Any:
        return messages.pop() if messages else await receive()

    return received


def _parse(body: bytes) -> ActRequest | Any:
    """The request; or the decoded JSON, if it may contain names of members or the words of choices."""
    try:
        request = _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        content = request_faults.plain(body)
        kind = _kind_of(content)
        if kind is ActionBody:
            return _parse_group(body, content)
        if not _has_names_or_words(content):
            raise request_faults.of_value(content, ActRequest) from None
        return content
    if members_by_name.names_accounts(type(request.command)):
        content = msgspec.json.decode(body)
        return content if members_by_name.has_names(content) else request
    return request


def _parse_group(body: bytes, content: Any) -> ActRequest | Any:
    """The same for several commands in one request."""
    commands = content["commands"] if isinstance(content["commands"], list) else []
    try:
        wish = _group_decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        if not any(_has_names_or_words({"command": command}) for command in commands):
            raise request_faults.of_value(content, ActionBody) from None
        return content
    request = request_of(wish)
    return content if any(members_by_name.has_names({"command": command}) for command in commands) else request


def _has_names_or_words(content: Any) -> bool:
    return members_by_name.has_names(content) or choice_words.has_words(content)


def _kind_of(content: Any) -> type[ActRequest | ActionBody]:
    """How a body is to be read."""
    return ActionBody if isinstance(content, dict) and "commands" in content else ActRequest


def _count(request: ActRequest | Any) -> int:
    """How many commands a request holds."""
    if isinstance(request, ActRequest):
        return len(request.command.commands) if isinstance(request.command, Together) else 1
    commands = request.get("commands")
    return len(commands) if isinstance(commands, list) else 1


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def _campaign_in(scope: Scope) -> str | None:
    """The campaign's id in the path of `POST …/actions`; None for every other path."""
    if scope["type"] != ScopeType.HTTP or scope.get("method") != "POST":
        return None
    path: str = scope["path"]
    if not (path.startswith(BEFORE) and path.endswith(AFTER)):
        return None
    campaign = path[len(BEFORE) : -len(AFTER)]
    return campaign if campaign and "/" not in campaign else None
