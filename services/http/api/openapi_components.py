"""The components of the OpenAPI document: all bodies and answers, in the shapes of all rule systems.

No route can say the shape of a sheet, a board, a record or an event; the functions that draw them do.
"""

from collections.abc import Iterable
from functools import reduce
from operator import or_

from msgspec import Struct

from domain.campaign.command_request import ActionBody
from domain.campaign.commands import CreateCampaign
from domain.campaign.storage.event_codec import EVENT_TYPES
from projections.awaited_answers import MayAnswer
from projections.service_records import ServiceRecord
from projections.view_types import BOARDS, RECORDS, SHEETS
from services.commands.response import Answer
from services.history.undo import Preview
from services.http.api.boards import BoardView
from services.http.api.openapi_structs import (
    COMPONENTS,
    Schema,
    component_name,
    described,
    enumeration,
    name_of,
    one_of,
    reference,
    structs_in,
)
from services.http.api.sheets import SheetView
from services.http.problems import Problem
from services.reading.chronicle import EventPlace
from services.reading.live_feed import FeedBegins, FeedEnds, FeedPresence
from services.reading.live_feed_news import FeedAction
from services.reading.numbered_events import EVENT
from services.runtime.progress import SearchProgress

COMMAND = "Command"
ACTION = component_name(ActionBody)
BODIES = (ActionBody, CreateCampaign)
FEED = {
    "hello": component_name(FeedBegins),
    "event": EVENT,
    "action": component_name(FeedAction),
    "presence": component_name(FeedPresence),
    "end": component_name(FeedEnds),
}
"""The data of each kind of server-sent event."""
PROGRESS = {
    "progress": (component_name(SearchProgress),),
    "answer": (component_name(Preview), component_name(Answer)),
    "problem": (component_name(Problem),),
}
"""The data of the events that tell how far an undo or redo is, and how it ends."""
BESIDE = (Problem, MayAnswer, EventPlace, FeedBegins, FeedAction, FeedPresence, FeedEnds, SearchProgress)
"""Answers besides those that routes declare."""


def components(kinds: Iterable[type[Struct]]) -> dict[str, Schema]:
    """All components by name: these kinds, what is drawn and what happens, and all that is within them."""
    request_kinds = [kind for kind in kinds if kind.__struct_config__.forbid_unknown_fields]
    bodies, events = structs_in([*BODIES, *request_kinds]), [*EVENT_TYPES.values()]
    drawings = [*SHEETS.values(), *BOARDS.values(), *RECORDS.values()]
    schemas = described(structs_in([*kinds, *bodies, *BESIDE, *drawings, reduce(or_, events)]), bodies)
    for kind in events:
        _number(schemas[component_name(kind)])
    schemas[EVENT] = one_of(events) | {
        "title": EVENT,
        "description": "Something that happened, as its reader may know it.",
    }
    schemas[COMMAND] = _taken_out(schemas[ACTION], "command", COMMAND) | {
        "description": "Something to do, of the campaign's own or of one of its rule systems."
    }
    schemas[ACTION]["properties"]["commands"]["items"] = reference(COMMAND)
    schemas["MayAnswer"]["properties"]["command"] = reference(COMMAND)
    schemas |= _sheets(schemas)
    schemas |= _boards(schemas)
    schemas |= _records(schemas)
    return schemas


def _number(event: Schema) -> None:
    """An event as it is told: with its seq, and but for answers to actions with its place in the log."""
    where = {"seq": {"type": "integer"}, "recorded": reference(component_name(EventPlace))}
    event["properties"] = event["properties"] | where
    event["required"] = [*event["required"], "seq"]


def _taken_out(whole: Schema, field: str, name: str) -> Schema:
    """A field's values, as a component of its own."""
    plain: Schema = whole["properties"][field]
    whole["properties"][field] = reference(name)
    return plain | {"title": name}


def _sheets(schemas: dict[str, Schema]) -> dict[str, Schema]:
    return _several(
        schemas[component_name(SheetView)],
        {(system,): {"sheet": reference(component_name(drawing))} for system, drawing in SHEETS.items()},
    )


def _records(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """A record of each system that has sheets, beside which stands what the others tell of the character."""
    records = {system: reference(component_name(structs_in([record])[0])) for system, record in RECORDS.items()}
    others = {system: record for system, record in records.items() if system not in SHEETS}
    elsewhere = {"type": "object", "properties": others}
    return _several(
        schemas[component_name(ServiceRecord)],
        {(system,): {"record": records[system], "elsewhere": elsewhere} for system in SHEETS},
    )


def _boards(schemas: dict[str, Schema]) -> dict[str, Schema]:
    """A board has the fields of its drawing beside those that all boards have."""
    return _several(
        schemas[component_name(BoardView)],
        {which: schemas.pop(component_name(drawing))["properties"] for which, drawing in BOARDS.items()},
    )


def _several(plain: Schema, fields: dict[tuple[str, ...], dict[str, Schema]]) -> dict[str, Schema]:
    """A component that is one of several, and those: each says which `system` it belongs to, and which `board`."""
    parts = {}
    for which, own in fields.items():
        constants = {key: enumeration([value]) for key, value in zip(("system", "board"), which, strict=False)}
        properties = plain["properties"] | constants | own
        title = name_of(*which) + plain["title"]
        parts[title] = plain | {"title": title, "properties": properties, "required": [*properties]}
    whole = {"title": plain["title"], "description": plain["description"], "oneOf": [*map(reference, parts)]}
    if all(len(which) == 1 for which in fields):
        mapping = {system: COMPONENTS + name for (system,), name in zip(fields, parts, strict=True)}
        whole["discriminator"] = {"propertyName": "system", "mapping": mapping}
    return {plain["title"]: whole, **parts}
