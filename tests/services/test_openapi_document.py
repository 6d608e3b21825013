"""The OpenAPI document has every route, and says of each what it takes, what it answers and how it refuses."""

from collections.abc import Iterator
from typing import Any

from services.api.app import create_app
from services.settings import Settings
from tests.engines import DICE_KEY

PROBLEM_JSON = "application/problem+json"
OPEN_TO_ALL = {"/api/accounts", "/api/tokens", "/health/live", "/health/ready"}


def operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return [
        (f"{method.upper()} {path}", operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_every_route_is_in_the_document(document):
    app = create_app(Settings(database_url="postgresql://nobody@127.0.0.1:1/none", dice_key=DICE_KEY))
    served = {
        (method, route.path_format)
        for route in app.routes
        for method in getattr(route, "route_handler_map", {})
        if method != "OPTIONS" and not route.path_format.startswith("/api/docs")
    }
    documented = {tuple(label.split(" ", 1)) for label, _ in operations(document)}
    assert documented == served


def test_every_operation_has_a_summary_a_success_and_its_refusals(document):
    for label, operation in operations(document):
        statuses = set(operation["responses"])
        assert operation["summary"], label
        assert operation["description"], label
        assert {each for each in statuses if each.startswith("2")}, label
        for status in statuses:
            if status >= "400":
                assert set(operation["responses"][status]["content"]) == {PROBLEM_JSON}, (label, status)
        if "/api/" in label:
            assert {"400", "503"} <= statuses, label
        if "{" in label:
            assert "404" in statuses, label
        if "requestBody" in operation:
            assert "413" in statuses, label


def test_every_operation_says_whether_it_needs_a_token(document):
    assert "token" in document["components"]["securitySchemes"]
    for label, operation in operations(document):
        method, path = label.split(" ", 1)
        is_open = path in OPEN_TO_ALL and not (method == "GET" and path == "/api/tokens")
        assert operation["security"] == ([{}] if is_open else [{"token": []}]), label
        assert ("401" in operation["responses"]) == (not is_open or path == "/api/tokens"), label


def test_operation_ids_and_references_hold(document):
    ids = [operation["operationId"] for _, operation in operations(document)]
    assert len(set(ids)) == len(ids)
    for reference in references(document):
        assert reference.removeprefix("#/components/schemas/") in document["components"]["schemas"], reference


def references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        yield from (part["$ref"] for _ in [0] if isinstance(part.get("$ref"), str))
        for each in part.values():
            yield from references(each)
    elif isinstance(part, list):
        for each in part:
            yield from references(each)


def test_bodies_say_which_command_they_are_and_what_they_may_hold(document):
    schemas = document["components"]["schemas"]
    assert schemas["AddNote"]["required"] == ["type", "text"]
    assert schemas["AddNote"]["additionalProperties"] is False
    assert "type" not in schemas["CreateCampaign"]["required"]
