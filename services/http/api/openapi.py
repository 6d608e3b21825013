"""The OpenAPI document: Litestar's own, completed with facts that it cannot know.

Litestar describes refusals in its own words; every refusal here is problem+json. Bodies and answers are
described by msgspec (`openapi_components`).
"""

from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import OpenAPI

from services.http.api.openapi_components import FEED, PROGRESS, components
from services.http.api.openapi_examples import examples, illustrate
from services.http.api.openapi_structs import COMPONENTS, StructReferences, component_name, reference, renamed
from services.http.problems import PROBLEM_JSON, TITLE_BY_STATUS, Problem
from services.http.progress_stream import EVENT_STREAM

OPEN: list[dict[str, list[str]]] = [{}]
"""The `security` of operations without a token. Litestar would leave out an empty list."""
BY_TOKEN: list[dict[str, list[str]]] = [{"token": []}]
"""The `security` of operations that no browser's session opens."""

LIVE = "/api/campaigns/{campaign_id}/live"
LEDGER_EXPORT = "/api/campaigns/{campaign_id}/ledger/export"
"""A table among other texts: Litestar knows one type of content for each answer."""
CHRONICLE_EXPORT = "/api/campaigns/{campaign_id}/chronicle/export"
"""An archive or a text, likewise."""
WITH_PROGRESS = (
    *(f"/api/campaigns/{{campaign_id}}/actions/{{action_id}}/{what}" for what in ("undo", "redo")),
    "/api/campaigns/{campaign_id}/undo_since",
)
"""The answer as events, if a client accepts them."""

UNCHANGED = "Not changed: `If-None-Match` named its `ETag`."

_TOO_MANY = "Too many at once"

MOMENTS = {"at", "from", "since"}
"""Parameters that may be a date, which the campaign's calendar may not have."""
RATED = {
    *(("post", last) for last in ("accounts", "tokens", "session", "invites", "accept")),
    *(
        ("post", last)
        for last in ("actions", "import", "fork", "undo", "redo", "undo_since", "undo-request", "decline")
    ),
    *(
        ("put", "password"),
        ("put", "name"),
        ("post", "saved"),
        ("delete", "saved"),
        ("post", "feed"),
        ("delete", "feed"),
    ),
}
"""Rate-limited operations, by the last part of their path."""

SIGN_INS = {("post", "/api/tokens"), ("post", "/api/session")}
"""They refuse a password, but nothing by a rule."""


@dataclass
class Documentation(OpenAPIConfig):
    """An OpenAPI configuration whose document is completed when it is first requested.

    `references` are the structs that Litestar has met by then.
    """

    references: StructReferences = field(default_factory=StructReferences)

    def to_openapi_schema(self) -> OpenAPI:
        """The document before its paths are completed."""
        plain = super().to_openapi_schema()
        completed = _WholeOpenAPI(**{field.name: getattr(plain, field.name) for field in fields(plain)})
        completed.references = self.references
        return completed


class _WholeOpenAPI(OpenAPI):
    references: StructReferences

    def to_schema(self) -> dict[str, Any]:
        """The document, made once: it takes half a second."""
        return self._schema

    @cached_property
    def _schema(self) -> dict[str, Any]:
        schema = super().to_schema()
        names = {
            COMPONENTS + name: COMPONENTS + part["title"] for name, part in schema["components"]["schemas"].items()
        }
        schema["paths"] = renamed(schema["paths"], names)
        schemas = schema["components"]["schemas"] = components(self.references.kinds)
        # Only under `…/actions` must a command say which it is.
        schemas["CreateCampaign"]["required"].remove("type")
        examples_by_operation = examples()
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                operation.setdefault("security", schema["security"])
                operation["responses"].get("204", {}).pop("content", None)  # nothing, which Litestar calls null
                operation["responses"] |= _refusals(method, path, operation)
                illustrate(operation, examples_by_operation.get(operation["operationId"], {}))
                kinds = operation["responses"].get("200", {}).get("content", {}).keys()
                if method == "get" and {"application/json", "text/calendar"} & kinds:
                    operation["responses"]["304"] = {"description": UNCHANGED}
        feed = schema["paths"][LIVE]["get"]["responses"]["200"]["content"][EVENT_STREAM]
        feed["x-events"] = {kind: reference(name) for kind, name in FEED.items()}  # which OpenAPI 3.1 cannot say
        ledger = schema["paths"][LEDGER_EXPORT]["get"]["responses"]["200"]["content"]
        ledger["text/csv"] = {"schema": {"type": "string"}}
        chronicle = schema["paths"][CHRONICLE_EXPORT]["get"]["responses"]["200"]["content"]
        chronicle["application/zip"] = {"schema": {"type": "string", "format": "binary"}}
        for path in WITH_PROGRESS:
            content = schema["paths"][path]["post"]["responses"]["200"]["content"]
            events = {
                kind: names[0] if len(names) == 1 else {"anyOf": names}
                for kind, shapes in PROGRESS.items()
                for names in [[*map(reference, shapes)]]
            }
            content[EVENT_STREAM] = {"schema": {"type": "string"}, "x-events": events}
        return schema


def _refusals(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    """The problems that an operation may answer with."""
    content = {PROBLEM_JSON: {"schema": reference(component_name(Problem))}}
    return {
        str(status): {"description": str(TITLE_BY_STATUS.get(status, _TOO_MANY)), "content": content}
        for status in sorted(_statuses(method, path, operation))
    }


def _statuses(method: str, path: str, operation: dict[str, Any]) -> set[int]:
    if not path.startswith("/api/"):
        return {"/health/ready": {503}, "/metrics": {401, 404}}.get(path, set())
    changes = method != "get"
    statuses = {400, 503}
    statuses |= {401} if operation["security"] != OPEN or (method, path) in SIGN_INS else set()
    statuses |= {404} if "{" in path else set()
    statuses |= {413, 415} if "requestBody" in operation else set()
    statuses |= {429} if not changes or (method, path.rpartition("/")[2]) in RATED else set()
    statuses |= {403, 409, 422} if changes and (method, path) not in SIGN_INS else set()
    statuses |= {403} if path == "/api/session" else set()
    statuses |= {403} if path.endswith("/invites") else set()
    statuses |= {409} if path.endswith("/{code}") else set()
    statuses |= {422} if path.endswith(("/commands", "/dice/read", "/ledger/export", "/calendar/month")) else set()
    statuses |= {422} if MOMENTS & {parameter["name"] for parameter in operation.get("parameters", ())} else set()
    return statuses | ({409, 429} if path.endswith("/live") else set())
