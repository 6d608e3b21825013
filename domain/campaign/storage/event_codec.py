"""Encodes events and requests as bytes, and decodes them.

A body is the event's JSON as msgspec writes it: the tag first, then the fields in the order of the struct.
Personal text is replaced by its salted hash when an event is encoded, and put back when it is decoded; an erased
text is read as the word `erased`. Old versions of a kind are upcast when they are read, one version at a time;
the stored bytes stay as they are.
"""

import re
from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from typing import Any, get_args, get_type_hints
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest, FollowRequest, GroupRequest
from domain.campaign.commands import (
    SHEET_DEPTH_MAX,
    AdoptCharacter,
    FollowHidden,
    MembershipCommand,
    OperatorCommand,
    PlayCommand,
    RevealAction,
)
from domain.campaign.events import CampaignEvent
from domain.campaign.messages.character_arrivals import ArrivalAgreed, ArrivalAsked
from domain.campaign.messages.imports import ImportCampaign, first_cause, first_recorded, imported_at
from domain.campaign.messages.text_erasure import EraseTexts
from domain.campaign.messages.timers import Order
from domain.campaign.messages.undo import UndoCommand
from domain.campaign.recorded_action import PastAction
from domain.event_store_types import Head, StoredEvent, StoredFact, UnsealedEvent
from domain.hash_chain import event_hash, private_hash
from domain.ids import ActionId, CampaignId
from domain.personal_text import Path, personal_paths, personal_places
from domain.recorded_event import RecordedEvent
from domain.systems import SYSTEMS
from domain.type_cache import once_per_kind

ERASED = "erased"
"""The text that readers see in place of an erased one."""

EVENT_TYPES: dict[str, type[Struct]] = {
    kind.__struct_config__.tag: kind
    for union in (CampaignEvent, *(system.events for system in SYSTEMS.values()))
    for kind in (get_args(union) or (union,))
}
"""Every kind of event, by its wire name."""

COMMAND_TYPES: dict[str, type[Struct]] = {
    kind.__struct_config__.tag: kind
    for union in (
        PlayCommand,
        MembershipCommand,
        OperatorCommand,
        UndoCommand,
        RevealAction,
        ImportCampaign,
        EraseTexts,
        *(system.commands for system in SYSTEMS.values()),
    )
    for kind in (get_args(union) or (union,))
}
"""Every kind of command, by its wire name."""

UPCASTS = {step: lift for system in SYSTEMS.values() for step, lift in system.upcasts.items()}
"""How to upcast a body of `(kind, version)` to the next version."""

SHEET_TEXTS = frozenset(key for system in SYSTEMS.values() for key in system.sheet_texts)
"""The places of personal texts in the sheet of an imported character."""

WITH_SHEET = frozenset({AdoptCharacter, ArrivalAsked, ArrivalAgreed})
"""The commands and events whose `sheet` is that of an imported character, with its texts."""

ORDERING = frozenset(
    kind
    for kind in (*EVENT_TYPES.values(), *COMMAND_TYPES.values())
    if Order in get_args(get_type_hints(kind).get("effect"))
)
"""The events and commands whose `effect` may be an order: a command of a rule system, with its texts."""

OWN_TEXTS: tuple[Path, ...] = (("note",),)
"""The free text of a request besides its command's."""

HASHED = re.compile("text:[0-9a-f]{64}")
"""Stands in a stored body in place of a text."""

_encoder = msgspec.json.Encoder()
_sorted_encoder = msgspec.json.Encoder(order="sorted")
_plain_decoder = msgspec.json.Decoder()


class _Writing(Struct, frozen=True):
    """How one kind of event or command is encoded: `texts` are its personal fields and their wire names.

    `deep` kinds hold texts further inside: in parts of its own, in an order or in a sheet.
    """

    texts: tuple[tuple[str, str], ...]
    deep: bool


@once_per_kind
def _writing(kind: type[Struct]) -> _Writing:
    wire_names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    personal = personal_paths(kind)
    texts = tuple((field, wire_name) for field, wire_name in wire_names if (wire_name,) in personal)
    return _Writing(texts, len(texts) < len(personal) or kind in ORDERING or kind in WITH_SHEET)


class _Reading(Struct, frozen=True):
    """How one kind of event is decoded in its present version."""

    decode: Callable[[bytes], Any]
    version: int
    deep: bool
    """Whether it has any nested texts, or may hold an order."""
    texts: tuple[tuple[str, str], ...]
    """Its personal fields and their paths."""
    nested: tuple[Path, ...]
    """The fields that hold personal texts deeper inside."""


def _reading(kind: type[Struct]) -> _Reading:
    writing = _writing(kind)
    texts = tuple((field, f"event.{wire_name}") for field, wire_name in writing.texts)
    nested = tuple(path for path in personal_paths(kind) if len(path) > 1)
    return _Reading(msgspec.json.Decoder(kind).decode, kind.kind_version, writing.deep, texts, nested)  # type: ignore[attr-defined]


_readings = {tag: _reading(kind) for tag, kind in EVENT_TYPES.items()}


class Draft(Struct, frozen=True, gc=False):
    """The fields that all events of an action share."""

    campaign_id: CampaignId
    action_id: ActionId
    recorded_at: int
    game_time: int
    actor: UUID | None
    cause: str
    visibility: str


def seal(draft: Draft, head: Head, event: Any, request: ActRequest | None, salts: bytes) -> StoredEvent:
    """The row of one event that follows `head`.

    `request` goes with the first event of an action only. `salts` is 32 random bytes: the first half salts the
    row's hash, the second its personal text.
    """
    salt, text_salt = salts[:16], salts[16:]
    texts: dict[str, str] = {}
    body = _encoder.encode(_without_texts(event, "event", text_salt, texts))
    command = None if request is None else _encoder.encode(_asked_without_texts(request, text_salt, texts))
    kind: str = event.__struct_config__.tag
    seq = head.seq + 1
    recorded_at = max(draft.recorded_at, head.recorded_at)
    private = private_hash(
        salt, kind, event.kind_version, draft.actor, draft.cause, draft.game_time, command, body, draft.action_id
    )
    return StoredEvent(
        seq=seq,
        action_id=draft.action_id,
        kind=kind,
        kind_version=event.kind_version,
        recorded_at=recorded_at,
        game_time=draft.game_time,
        actor=draft.actor,  # type: ignore[arg-type]
        cause=draft.cause,
        visibility=draft.visibility,
        command=command,
        body=body,
        salt=salt,
        hash=event_hash(draft.campaign_id, seq, head.hash, recorded_at, draft.visibility, private),
        text_salt=text_salt if texts else None,
        texts=_encoder.encode(texts) if texts else None,
    )


def seal_action(
    draft: Draft,
    head: Head,
    events: list[Any],
    request: ActRequest,
    salts: Callable[[], bytes],
    visibilities: Sequence[str] = (),
) -> list[StoredEvent]:
    """The rows of a whole action that follows `head`; `visibilities` where they differ."""
    rows: list[StoredEvent] = []
    for nth, event in enumerate(events):
        if visibilities and visibilities[nth] != draft.visibility:
            draft = structs.replace(draft, visibility=visibilities[nth])
        row = seal(draft, head, event, None if rows else request, salts())
        head = Head(row.seq, row.hash, row.recorded_at)
        rows.append(row)
    return rows


def request_hash(request: ActRequest) -> bytes:
    """The hash of a request that is stored with its idempotency key; the choice it is meant for does not count."""
    same = request if request.choice is None else structs.replace(request, choice=None)
    return sha256(_sorted_encoder.encode(same)).digest()


def record_of(row: StoredEvent | UnsealedEvent) -> RecordedEvent:
    """An event decoded from its row."""
    return RecordedEvent(
        row.seq,
        row.action_id,
        row.kind,
        row.kind_version,
        first_recorded(row),
        row.game_time,
        row.actor,
        row.cause,
        row.visibility,
        row.command,
        decode_event(row),
        imported_at(row),
    )


def _kind_of_request(plain_request: Any) -> type[ActRequest]:
    if plain_request is not None and "follow" in plain_request:
        return GroupRequest
    is_hidden = (
        plain_request is not None and plain_request["command"].get("type") == FollowHidden.__struct_config__.tag
    )
    return FollowRequest if is_hidden else ActRequest


def past_action(rows: list[StoredEvent]) -> PastAction:
    """A whole action decoded from its rows."""
    first = rows[0]
    plain_request = decode_request(first)
    if plain_request is not None and "visibility" in plain_request:
        # The request of an action has readers of its own, perhaps two accounts.
        plain_request["visibility"] = plain_request["visibility"].partition(",")[0]
    try:
        request = msgspec.convert(plain_request, _kind_of_request(plain_request))
    except msgspec.ValidationError:
        request = None  # a membership command, which has a route of its own, or an old format
    return PastAction(
        action_id=first.action_id,
        first_seq=first.seq,
        last_seq=rows[-1].seq,
        recorded_at=first_recorded(first),
        game_time=first.game_time,
        actor=first.actor,
        cause=first_cause(first.cause),
        visibilities=[row.visibility for row in rows],
        request=request,
        events=[decode_event(row) for row in rows],
    )


def decode_event(row: StoredEvent | UnsealedEvent | StoredFact) -> Any:
    """The event struct of a row, upcast to the present version of its kind, with its texts."""
    reading = _readings[row.kind]
    if row.kind_version == reading.version and not reading.deep:
        event = reading.decode(row.body)  # the usual case
    else:
        kind = EVENT_TYPES[row.kind]
        body = _plain_decoder.decode(row.body)
        for version in range(row.kind_version, reading.version):
            body = UPCASTS[row.kind, version](body)
        _put_back(body, (*reading.nested, *_order_paths(kind, body)), "event", _texts_of(row))
        _put_back_in_sheet(kind, body, "event", _texts_of(row))
        event = msgspec.convert(body, kind)
    for field, path in reading.texts:
        if isinstance(getattr(event, field), str):
            # The struct was just decoded and has no other owner, so it may be changed. A copy takes four times as
            # long.
            structs.force_setattr(event, field, _texts_of(row).get(path, ERASED))
    return event


def decode_request(row: StoredEvent) -> dict[str, Any] | None:
    """The request that an action began with, as plain JSON with its texts; None on later events of the action."""
    if row.command is None:
        return None
    request: dict[str, Any] = _plain_decoder.decode(row.command)
    texts = _texts_of(row)
    _put_back(request, OWN_TEXTS, "request", texts)
    for command, root in commands_in(request):
        kind = COMMAND_TYPES[command["type"]]
        _put_back(command, (*personal_paths(kind), *_order_paths(kind, command)), root, texts)
        _put_back_in_sheet(kind, command, root, texts)
    return request


def commands_in(request: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """The commands of a request that is plain JSON, each with the place under which its texts are kept."""
    follow = request.get("follow", ())
    return [
        (request["command"], "request.command"),
        *((further["command"], _place_of(nth)) for nth, further in enumerate(follow, 1)),
    ]


def _place_of(nth: int) -> str:
    """The place of a group's command: those after the first one count from 1."""
    return f"request.commands[{nth}]"


def erase_in(plain: dict[str, Any], stays: Collection[str] = ()) -> None:
    """Replace the texts in an event that is plain JSON with its tag, as an answer holds it; some may stay."""
    kind = EVENT_TYPES[plain["type"]]
    places = personal_places(plain, (*personal_paths(kind), *_order_paths(kind, plain)), "event")
    for part, key, place in [*places, *_sheet_texts(kind, plain, "event")]:
        if place not in stays:
            part[key] = ERASED


def text_hash(salt: bytes, path: str, text: str) -> str:
    """The placeholder of a personal text in a body: `text:` and the salted SHA-256 of its path and content."""
    return "text:" + sha256(salt + path.encode() + b"\0" + text.encode()).hexdigest()


def texts_belong(row: StoredEvent) -> bool:
    """Whether the texts beside a row match the hashes in its body."""
    salt, content = row.text_salt or b"", row.body + (row.command or b"")
    try:
        texts = _texts_of(row)
        return all(text_hash(salt, path, text).encode() in content for path, text in texts.items())
    except (msgspec.DecodeError, UnicodeError, AttributeError):
        return False  # an event without personal texts


def _asked_without_texts(request: ActRequest, salt: bytes, texts: dict[str, str]) -> ActRequest:
    """A request with hashes in place of its personal texts, which are added to `texts`."""
    if (note := request.note) is not None:
        note = _taken_out(note, "request.note", salt, texts)
    command = _without_texts(request.command, "request.command", salt, texts)
    if isinstance(request, GroupRequest):
        follow = [
            structs.replace(further, command=_without_texts(further.command, _place_of(nth), salt, texts))
            for nth, further in enumerate(request.follow, 1)
        ]
        return structs.replace(request, command=command, note=note, follow=follow)
    if command is request.command and note is None:
        return request  # the usual case
    return structs.replace(request, command=command, note=note)


def _without_texts(whole: Struct, root: str, salt: bytes, texts: dict[str, str]) -> Any:
    """An event or command with hashes in place of its personal texts, which are added to `texts`."""
    writing = _writing(type(whole))
    if writing.deep:
        return _plain_without_texts(whole, root, salt, texts)
    without = whole
    for field, wire_name in writing.texts:
        if isinstance(text := getattr(whole, field), str):
            hashed = _taken_out(text, f"{root}.{wire_name}", salt, texts)
            without = structs.replace(without, **{field: hashed})
    return without


def _plain_without_texts(whole: Struct, root: str, salt: bytes, texts: dict[str, str]) -> dict[str, Any]:
    kind, plain = type(whole), msgspec.to_builtins(whole)
    places = personal_places(plain, (*personal_paths(kind), *_order_paths(kind, plain)), root)
    for part, key, path in [*places, *_sheet_texts(kind, plain, root)]:
        part[key] = _taken_out(part[key], path, salt, texts)
    return plain  # type: ignore[no-any-return]


def _order_paths(kind: type[Struct], plain: dict[str, Any]) -> tuple[Path, ...]:
    """The paths of free texts in the order that an event or command may hold."""
    effect = plain.get("effect") if kind in ORDERING else None
    ordered = effect.get("command") if isinstance(effect, dict) else None
    if not isinstance(ordered, dict):
        return ()
    return tuple(("effect", "command", *path) for path in personal_paths(COMMAND_TYPES[ordered["type"]]))


def _taken_out(text: str, path: str, salt: bytes, texts: dict[str, str]) -> str:
    """The placeholder of a text, which is added to `texts`."""
    texts[path] = text
    return text_hash(salt, path, text)


def _put_back(plain: dict[str, Any], paths: tuple[Path, ...], root: str, texts: dict[str, str]) -> None:
    """Put the texts back. A value that is no hash was stored before this field counted as personal text."""
    for part, key, path in personal_places(plain, paths, root):
        if path in texts or HASHED.fullmatch(part[key]):
            part[key] = texts.get(path, ERASED)


def _put_back_in_sheet(kind: type[Struct], plain: dict[str, Any], root: str, texts: dict[str, str]) -> None:
    for part, key, path in _sheet_texts(kind, plain, root):
        if path in texts or HASHED.fullmatch(part[key]):
            part[key] = texts.get(path, ERASED)


def _sheet_texts(kind: type[Struct], plain: dict[str, Any], root: str) -> list[tuple[dict[str, Any], str, str]]:
    """Every personal text of the sheet in a command or event: its object, its key there, and its path."""
    texts: list[tuple[dict[str, Any], str, str]] = []
    level: list[tuple[Any, str]] = [(plain["sheet"], f"{root}.sheet")] if kind in WITH_SHEET else []
    for _ in range(SHEET_DEPTH_MAX + 1):
        inner: list[tuple[Any, str]] = []
        for part, path in level:
            if isinstance(part, dict):
                texts += [
                    (part, key, f"{path}.{key}")
                    for key in part
                    if key in SHEET_TEXTS and isinstance(part[key], str)
                ]
                inner += [(value, f"{path}.{key}") for key, value in part.items()]
            elif isinstance(part, list):
                inner += [(value, f"{path}[{nth}]") for nth, value in enumerate(part)]
        level = inner
    return texts


def _texts_of(row: StoredEvent | UnsealedEvent | StoredFact) -> dict[str, str]:
    return {} if row.texts is None else _plain_decoder.decode(row.texts)
