"""The OpenAPI document: what Litestar finds by itself, completed where it cannot know.

Litestar describes refusals in its own words, and loses what a body may not hold; every refusal here is
problem+json, and bodies are what msgspec lets in.
"""

import inspect
from dataclasses import fields
from typing import Any

import msgspec
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import OpenAPI

from domain.campaign.commands import CreateCampaign
from domain.campaign.request import ActRequest
from services.api.problems import PROBLEM_JSON, TITLE_BY_STATUS, Problem

COMPONENTS = "#/components/schemas/"
COMPONENT = COMPONENTS + "{name}"
OPEN: list[dict[str, list[str]]] = [{}]
"""The `security` of what needs no token; an empty list would be left out, and then the token is asked for."""

_TOO_MANY = "Too many at once"

PUBLISHED_NAMES = {
    "Preview": "undo_Preview",
    "services_queries_diff_Move": "services_comparing_Move",
    "ImportPreview": "importing_Preview",
}
"""Components that clients know by another name than that of the struct or of its module."""


RATED = {
    *(("post", last) for last in ("accounts", "tokens", "invites", "accept", "actions", "import", "fork")),
    ("put", "password"),
}
"""What may be done too often, by the last part of its path."""


class Documentation(OpenAPIConfig):
    """An OpenAPI configuration whose document is completed when somebody asks for it."""

    def to_openapi_schema(self) -> OpenAPI:
        """The document, without its paths so far."""
        plain = super().to_openapi_schema()
        return _Completed(**{field.name: getattr(plain, field.name) for field in fields(plain)})


class _Completed(OpenAPI):
    def to_schema(self) -> dict[str, Any]:
        schema = super().to_schema()
        schemas = schema["components"]["schemas"]
        schemas.update(_bodies())
        # Only under `…/actions` must a command say which it is.
        schemas["CreateCampaign"]["required"].remove("type")
        for path, operations in schema["paths"].items():
            for method, operation in operations.items():
                operation.setdefault("security", schema["security"])
                operation["responses"] |= _refusals(method, path, operation)
        published: dict[str, Any] = _with_published_names(schema)
        return published


def _with_published_names(part: Any) -> Any:
    """A part of the document in which every component has the name that clients know."""
    match part:
        case dict():
            return {PUBLISHED_NAMES.get(key, key): _published(key, each) for key, each in part.items()}
        case list():
            return [_with_published_names(each) for each in part]
        case str() if part.startswith(COMPONENTS):
            name = part.removeprefix(COMPONENTS)
            return COMPONENTS + PUBLISHED_NAMES.get(name, name)
    return part


def _published(key: str, part: Any) -> Any:
    """What stands under a key; the title of a component goes by its published name, too."""
    named = _with_published_names(part)
    return named | {"title": PUBLISHED_NAMES[key].rpartition("_")[2]} if key in PUBLISHED_NAMES else named


def _bodies() -> dict[str, Any]:
    """The schemas of what is sent, and of a problem, with every limit that decoding them checks."""
    _, components = msgspec.json.schema_components([ActRequest, CreateCampaign, Problem], ref_template=COMPONENT)
    for component in components.values():
        if "description" in component:
            component["description"] = inspect.cleandoc(component["description"])
    return components


def _refusals(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    """The problems that an operation may answer with."""
    content = {PROBLEM_JSON: {"schema": {"$ref": COMPONENT.format(name=Problem.__name__)}}}
    return {
        str(status): {"description": TITLE_BY_STATUS.get(status, _TOO_MANY), "content": content}
        for status in sorted(_statuses(method, path, operation))
    }


def _statuses(method: str, path: str, operation: dict[str, Any]) -> set[int]:
    if not path.startswith("/api/"):
        return {"/health/ready": {503}, "/metrics": {401, 404}}.get(path, set())
    changes = method != "get"
    found = {400, 503}
    found |= {401} if operation["security"] != OPEN or path == "/api/tokens" else set()
    found |= {404} if "{" in path else set()
    found |= {413, 415} if "requestBody" in operation else set()
    found |= {429} if (method, path.rpartition("/")[2]) in RATED else set()
    found |= {403, 409, 422} if changes and path != "/api/tokens" else set()
    found |= {403} if path.endswith("/invites") else set()
    return found | ({409, 429} if path.endswith("/live") else set())
