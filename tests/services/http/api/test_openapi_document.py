"""The OpenAPI document has every route, and says of each what it takes, what it answers and how it refuses."""

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from services.http.api.app import create_app
from services.reading.live_feed import FeedBegins, end_frame, hello_frame
from services.settings import Settings
from tests.engines import DICE_KEY
from tests.services.operations import PROBLEM_JSON, operations
from tests.typed_answers import Checker

LIVE = "/api/campaigns/{campaign_id}/live"
SAYS_ANYTHING = {
    "AwaitedCommand.answers",
    "CampaignCreated.calendar",
    "CommandField.default",
    "CreateCampaign.settings",
    "Difference.after",
    "Difference.before",
    "FieldChoice.value",
    "MayAnswer.choices",
    "Move.after",
    "Move.before",
    "Order.command",
    "PartialCommand.command",
    "ReadyCharacter.commands",
    "AdoptCharacter.sheet",
    "ArrivalAgreed.sheet",
    "ArrivalAsked.brings",
    "ArrivalAsked.sheet",
    "Problem.details",
    "SettingChanged.value",
    "SettingHelp.default",
    "SettingHelp.value",
    "Way.fields",
    "Why.before",
    "Why.value",
}
"""Fields that may hold anything.

They are values of settings, of sheets and of commands' fields, commands that are half said, what a refusal knows,
and others' sheets.
"""
OPEN_TO_ALL = {
    "/api/accounts",
    "/api/session",
    "/api/tokens",
    "/api/words",
    "/api/invites/{code}",
    "/api/calendars/{feed}",
    "/health/live",
    "/health/ready",
}


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
        known: list[Any] = [{"token": []}] if path == "/metrics" else [{"token": []}, {"session": []}]
        assert operation["security"] == ([{}] if is_open else known), label
        is_sign_in = label in ("POST /api/tokens", "POST /api/session")
        assert ("401" in operation["responses"]) == (not is_open or is_sign_in), label


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


def test_components_have_plain_names_and_descriptions_and_are_all_used(document):
    schemas = document["components"]["schemas"]
    assert [name for name in schemas if not name.isalnum()] == []
    assert [name for name, schema in schemas.items() if not schema["description"]] == []
    used, left = set[str](), [*references(document["paths"])]
    while left:
        name = left.pop().rpartition("/")[2]
        if name not in used:
            used.add(name)
            left += references(schemas[name])
    assert set(schemas) - used == set()


def test_only_few_fields_may_hold_anything(document):
    schemas = document["components"]["schemas"]
    fields = {
        f"{name}.{field}": of for name, each in schemas.items() for field, of in each.get("properties", {}).items()
    }
    assert {field for field, of in fields.items() if says_anything(of)} == SAYS_ANYTHING


def says_anything(schema: dict[str, Any]) -> bool:
    inner = [schema.get(key) for key in ("items", "additionalProperties")]
    plain_object = schema.get("type") == "object" and not {"properties", "additionalProperties"} & set(schema)
    told = set(schema) - {"default", "description", "title"}
    return not told or plain_object or any(isinstance(each, dict) and says_anything(each) for each in inner)


@pytest.mark.parametrize(
    ("kind", "frame"),
    [("hello", hello_frame(FeedBegins(12, 3, "1.0.0"))), ("end", end_frame("internal", "Broken."))],
)
def test_the_feeds_own_events_are_in_the_document(document, kind, frame):
    content = document["paths"][LIVE]["get"]["responses"]["200"]["content"]["text/event-stream"]
    data = json.loads(frame.decode().partition("data: ")[2])
    assert Checker(document).faults(content["x-events"][kind], data) == []
    assert Checker(document).faults(content["x-events"][kind], {**data, "more": 1}) != []


ANSWERS = "https://fieldlog.test/api/campaigns/8a1f0c1e-0000-4000-8000-000000000000"
NOTE = {"type": "campaign.note_added", "note_id": "note-1", "text": "rain", "about": None, "seq": 1}
PAGE: dict[str, Any] = {"as_of": 1, "next_after": None, "next_before": None, "names": {}}
MISSION = {"as_of": 1, "system": "frame_state", "board": "mission", "title": "Missions", "replacements": []}


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/events", PAGE | {"events": [NOTE | {"mood": "grim"}]}),
        ("/events", PAGE | {"events": [NOTE | {"about": 7}]}),
        ("/events", PAGE | {"events": [{"type": "campaign.note_added", "seq": 1}]}),
        ("/sheets/x", {"as_of": 1, "character": "x", "system": "angst", "sheet": {}}),
        ("/sheets/x/record", {"as_of": 1, "record": {}}),
        ("/boards/frame_state/mission", MISSION),
    ],
)
def test_an_answer_of_another_shape_is_found_out(document, path, answer):
    """Negative control of the check that all recorded campaigns pass."""
    checker = Checker(document)
    request = httpx.Request("GET", ANSWERS + path)
    assert checker.wrong(httpx.Response(200, json=answer, request=request)) != []
    fine = PAGE | {"events": [NOTE]}
    assert checker.wrong(httpx.Response(200, json=fine, request=httpx.Request("GET", f"{ANSWERS}/events"))) == []


def test_bodies_say_which_command_they_are_and_what_they_may_hold(document):
    schemas = document["components"]["schemas"]
    assert schemas["AddNote"]["required"] == ["type", "text"]
    assert schemas["AddNote"]["additionalProperties"] is False
    assert "type" not in schemas["CreateCampaign"]["required"]
