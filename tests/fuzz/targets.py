"""What is fuzzed. Each target takes any bytes, says whether they were taken, and raises where something breaks."""

import gzip
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.events import DiceEpochStarted, EntryPosted, MemberJoined, NoteAdded, SettingChanged
from domain.campaign.evolve import evolve
from domain.campaign.messages.imports import CampaignImported
from domain.campaign.messages.undo import ActionUndone
from domain.campaign.secrecy.audience import GM, Audience
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.campaign.transfer.export_format import EventLine
from domain.campaign.transfer.remap import Crossing
from domain.dice.dialects import DIALECTS
from domain.dice.parser import parse
from domain.dice.roll_input import read
from domain.event_store_types import Head
from domain.ids import AccountId, ActionId, CampaignId
from domain.lifecycle_events import CalendarAdvanced, CampaignCreated
from domain.rejection import Rejection
from projections.campaign.full_view import everything
from services.campaign.audience_fold import fold
from services.campaign.name_resolver import NameResolver
from services.errors import Malformed
from services.http.middleware.request_validation import require_plain_body
from services.transfer.import_file import contents, played, rows_of
from services.transfer.import_plan import NOTHING
from services.transfer.uploaded_export import Limits
from tests.domain.plays import PLAYS
from tests.doubles.account_stores import MemoryAccountStore
from tests.generators import finished
from tests.services.forged import ANA, CAMPAIGN, beginning, file_of

UNREADABLE = (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError, Malformed)
LIMITS = Limits(bytes_max=1_000_000, line_bytes=100_000, events=200)
HERE = CampaignId(UUID(int=9))
LINES_MAX = 60
LINES_AT_ONCE = 15
EVENTS_OF_A_PLAY = 120

_canonical = msgspec.json.Encoder(order="sorted")
_decoder = msgspec.json.Decoder(ActRequest)


class Target(NamedTuple):
    """`planted` breaks on something that no seed holds: the negative control."""

    seeds: Callable[[], list[bytes]]
    holds: Callable[[bytes], bool]
    planted: Callable[[bytes], bool]


class Planted(Exception):  # noqa: N818 - it is no error of ours
    """A fault that was put there to be found."""


# --- dice notation ---------------------------------------------------------------------------------------------


def some_notations() -> list[bytes]:
    told = "4d6kh3+2 2d20kl1 3d6! d% (2d8+3)*2 8d10>=7 4dF 10d6r1 -d4 d6*(d4-1)/2 2d6ro<3 5d10cs>=5 3d6x6 2d4-1"
    return [each.encode() for each in told.split()]


def notation_holds(made: bytes) -> bool:
    """What any dialect takes has a canonical form that means itself; everything else is refused with a code."""
    text = made.decode("utf-8", "replace")
    return sum(canonical_form_holds(text, dialect) for dialect in DIALECTS) > 0


def canonical_form_holds(text: str, dialect: str) -> bool:
    try:
        reading = read(text, dialect)
    except Rejection:
        return False
    assert parse(reading.canonical) == reading.expression
    return True


def notation_with_a_fault(made: bytes) -> bool:
    taken = notation_holds(made)
    if taken and b"!" in made and b"k" in made:
        raise Planted
    return taken


# --- requests, and what is kept of them --------------------------------------------------------------------------


def some_requests() -> list[bytes]:
    return [
        b'{"command":{"type":"campaign.roll","notation":"4d6kh3+2","label":"luck"},"visibility":"blind"}',
        b'{"command":{"type":"campaign.set_setting","key":"campaign.dice_origins","value":["any",1,{"a":null}]}}',
        b'{"command":{"type":"frame_state.call_test","mark":6,"dice":[{"die":"d6"}]},"dice":[[6,6]],"note":"\\u00e9"}',
        b'{"command":{"type":"campaign.adopt_character","system":"frame_state","sheet":{"a":[1.5e3,true,"x"]}}}',
        b'{"command":{"type":"campaign.add_note","text":"x"},"note":"y"}',
        b'{"command":{"type":"frame_state.create_pilot","name":"Mara"}}',
    ]


def request_holds(made: bytes) -> bool:
    """What is taken has one canonical form, and comes back whole from the log; all else is unreadable."""
    try:
        require_plain_body(made)
        request = _decoder.decode(made)
    except UNREADABLE:
        return False
    once = _canonical.encode(request)
    assert _canonical.encode(_decoder.decode(once)) == once
    draft = event_codec.Draft(CAMPAIGN, ActionId(UUID(int=3)), 1_000_000, 0, ANA, "request", "all")
    row = event_codec.seal(draft, NOTHING, CampaignCreated("x", [], ANA), request, bytes(range(32)))
    assert event_codec.texts_belong(row)
    assert _canonical.encode(msgspec.convert(event_codec.decode_request(row), ActRequest)) == once
    return True


def request_with_a_fault(made: bytes) -> bool:
    taken = request_holds(made)
    if taken and _decoder.decode(made).note == "-":
        raise Planted
    return taken


# --- files to import --------------------------------------------------------------------------------------------


def some_files() -> list[bytes]:
    """Pieces of what random play of every system leaves in a log, and files as they are."""
    plays = {system: play(Random(1)).actions for system, play in PLAYS.items()}  # noqa: S311
    pieces = [piece for system, actions in plays.items() for piece in _pieces(system, actions)]
    file = file_of(beginning())
    return [*pieces, *_pieces("frame_state", [of_the_campaign()]), b"raw\n" + file, b"raw\n" + gzip.compress(file)]


def of_the_campaign() -> list[Any]:
    """What happens in any game: time passes, money moves, something is undone."""
    third = ActionId(UUID(int=103))
    return [
        CalendarAdvanced(seconds=3600, game_time_after=3600),
        NoteAdded(note_id="note-1", text="x"),
        EntryPosted("entry-1", "credits", "pilot:pilot-1", "campaign", 5, "luck"),
        ActionUndone(third, 4, 4, "asked", "campaign.add_note", third),
        MemberJoined(AccountId(UUID(int=5)), "player"),
        SettingChanged("campaign.language", "fr"),
        DiceEpochStarted(1, "0" * 64, "1" * 64),
    ]


def _pieces(system: str, actions: list[list[Any]]) -> Iterator[bytes]:
    events = [event for action in actions for event in action][:EVENTS_OF_A_PLAY]
    # Every fifth is for the GMs alone: what others may not see must not break what they may.
    lines = [
        msgspec.json.encode({"body": event, **({} if nth % 5 else {"visibility": "gm"})})
        for nth, event in enumerate(events)
    ]
    for at in range(0, len(lines), LINES_AT_ONCE):
        yield b"\n".join([system.encode(), *lines[at : at + LINES_AT_ONCE]])


def file_in(made: bytes) -> bytes:
    """The file that is meant: raw bytes, or a system and events of it, which are chained as in a real file.

    No mutation would ever find the hashes of what it changed.
    """
    first, _, rest = made.partition(b"\n")
    if first == b"raw":
        return rest
    lines = beginning()
    founded = CampaignCreated("Iron Rain", [first.decode()], ANA)  # type: ignore[list-item]
    lines[0] = structs.replace(lines[0], body=msgspec.json.encode(founded).decode())
    for raw in rest.split(b"\n")[:LINES_MAX]:
        given = msgspec.json.decode(raw, type=dict[str, Any])
        body = given.pop("body")
        if given.get("command") is not None:
            given["command"] = msgspec.json.encode(given["command"]).decode()
        fields = {"kind": body["type"], "body": msgspec.json.encode(body).decode(), **given}
        checked = msgspec.convert({**msgspec.to_builtins(lines[1]), **fields}, EventLine)
        lines.append(structs.replace(checked, action_id=ActionId(UUID(int=100 + len(lines)))))
    return file_of(lines)


def import_holds(made: bytes) -> bool:
    """A file is refused with a code, or can be played through, folded for everybody and drawn."""
    return brought_over(made) is not None


def brought_over(made: bytes) -> CampaignState | None:
    """The campaign that comes of a file, None where it is refused."""
    try:
        file = BytesIO(file_in(made))
    except (*UNREADABLE, KeyError, TypeError, AttributeError, UnicodeError, ValueError, OverflowError):
        return None  # it does not even say which file it is
    try:
        found = finished(contents(file, LIMITS))
        crossing = Crossing(HERE, lambda each: each, found.left_behind)
        head = Head(seq=1, hash=bytes(32), recorded_at=0)
        rows = list(crossing.brought(rows_of(file, LIMITS), head, lambda: 0, lambda: bytes(16)))
        header = found.header
        opening = CampaignImported(
            header.campaign_id, header.as_of, header.head_hash, header.exported_at, 0, False
        )
        draft = event_codec.Draft(HERE, ActionId(UUID(int=4)), 0, 0, ANA, "request", "all")
        first = event_codec.seal(draft, NOTHING, opening, None, bytes(32))
        state = finished(played(chain([first], rows), found.undone_ids, NAMES))
    except Rejection:
        return None
    assert event_codec.record_of(first).event == opening
    for audience in (GM, Audience(gm=False), Audience(gm=False, account=ANA)):
        seen = fold(evolve(CampaignState(), opening), audience, rows, found.undone_ids, state.revealed)
        everything(seen, NAMES.within(seen))
    return state


def import_with_a_fault(made: bytes) -> bool:
    state = brought_over(made)
    held = [] if state is None else [amount for each in state.balances.values() for amount in each.values()]
    if any(amount > 1_000_000 for amount in held):  # about one mutation in a thousand; seeds hold some thousands
        raise Planted
    return state is not None


NAMES = NameResolver(MemoryAccountStore(lambda: 0))

TARGETS = {
    "notation": Target(some_notations, notation_holds, notation_with_a_fault),
    "request": Target(some_requests, request_holds, request_with_a_fault),
    "import": Target(some_files, import_holds, import_with_a_fault),
}
