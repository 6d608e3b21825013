"""Names, titles and keys stand on one line, in every command, setting and sheet; own words keep their lines."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from typing import Any, get_args, get_type_hints
from uuid import UUID

import msgspec
import pytest
from msgspec import Meta, Struct
from msgspec import inspect as shapes

from domain.campaign.command_request import AnyPlayCommand
from domain.campaign.commands import CreateCampaign
from domain.campaign.events import SettingChanged
from domain.campaign.settings import CampaignSettings, settings_of
from domain.campaign.storage import event_codec
from domain.event_store_types import Head
from domain.hash_chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.lifecycle_events import CampaignCreated
from domain.one_line import on_one_line
from domain.personal_text import LINES, FreeText, Name, personal_paths
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.angst.imported_sheet import AdoptedCharacter as AngstSheet
from domain.systems.frame_state.imported_sheet import AdoptedPilot
from domain.systems.freefall.character_import import AdoptedCharacter as FreefallSheet
from domain.systems.freefall.commands import DeclareActions
from domain.systems.mobile_frame.commands import RegisterLoadout
from domain.systems.overdrive.character_import import AdoptedCharacter as OverdriveSheet
from tests.domain.made_values import parts, some

KINDS: list[type[Struct]] = [
    *get_args(AnyPlayCommand),
    CreateCampaign,
    AngstSheet,
    AdoptedPilot,
    FreefallSheet,
    OverdriveSheet,
    CampaignSettings,
    *(system.settings for system in SYSTEMS.values()),
]
BAD = ["\n", "\r", "\t", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u2029"]

Place = tuple[str | int, ...]


def is_free(shape: Any) -> bool:
    match shape:
        case shapes.Metadata(type=inner, extra=extra):
            return LINES in (extra or {}) or is_free(inner)
        case shapes.UnionType(types=types):
            return any(map(is_free, types))
    return False


def texts(shape: Any, plain: Any, place: Place = (), path: str = "") -> Iterator[tuple[Place, str, bool]]:
    """Every text in plain JSON of a type: its place, that without numbers and keys, and whether it is free."""
    for part in parts(shape):
        if isinstance(part, shapes.StrType) and isinstance(plain, str):
            yield place, path, is_free(shape)
        for inner, item, step, told in inside(part, plain):
            yield from texts(inner, item, (*place, step), f"{path}{told}")


def inside(part: Any, plain: Any) -> Iterator[tuple[Any, Any, str | int, str]]:
    match part, plain:
        case ((shapes.ListType() | shapes.VarTupleType()), list()):
            yield from ((part.item_type, item, nth, "[]") for nth, item in enumerate(plain))
        case shapes.DictType(), dict() if not isinstance(part.value_type, shapes.AnyType):
            yield from ((part.value_type, item, key, "{}") for key, item in plain.items())
        case shapes.StructType(), dict() if part.tag is None or plain.get(part.tag_field) == part.tag:
            names = ((field.type, field.encode_name) for field in part.fields if field.encode_name in plain)
            yield from ((inner, plain[name], name, f".{name}") for inner, name in names)


def known_paths(shape: Any, path: str = "") -> Iterator[str]:
    """The paths of all texts that a type may hold."""
    for part in parts(shape):
        match part:
            case shapes.StrType():
                yield path
            case shapes.ListType() | shapes.VarTupleType():
                yield from known_paths(part.item_type, f"{path}[]")
            case shapes.DictType() if not isinstance(part.value_type, shapes.AnyType):
                yield from known_paths(part.value_type, f"{path}{{}}")
            case shapes.StructType():
                for field in part.fields:
                    yield from known_paths(field.type, f"{path}.{field.encode_name}")


def with_text(plain: Any, place: Place, text: str) -> Any:
    changed = json.loads(json.dumps(plain))
    within = changed
    for step in place[:-1]:
        within = within[step]
    within[place[-1]] = text
    return changed


def refusal(said: Any, kind: Any) -> str | None:
    try:
        on_one_line(said, kind)
    except Rejection as refused:
        return refused.code
    return None


def sent(plain: Any, kind: Any) -> str | None:
    """What refuses it where it is sent: its type, or the guard."""
    try:
        return refusal(msgspec.convert(plain, kind), kind)
    except msgspec.ValidationError:
        return "wrong_shape"


def samples(kind: type[Struct]) -> Iterator[tuple[Any, Place, bool]]:
    """Something of a type for every text in it: where it is, and whether it may have lines."""
    shape, chance = shapes.type_info(kind), Random(str(kind))  # noqa: S311 — the same every time
    left = {*known_paths(shape)}
    for _ in range(3_000):
        if not left:
            return
        plain = some(shape, chance)
        for place, path, free in texts(shape, plain):
            if path in left:
                left.discard(path)
                yield plain, place, free
    raise AssertionError(f"{kind.__name__} is never made with {left}")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__.split('.')[-2]}.{kind.__name__}")
def test_no_text_takes_what_no_line_holds_and_own_words_keep_it(kind):
    for plain, place, free in samples(kind):
        for bad in BAD:
            for text in (f"m{bad}", f"{bad}m", f"m{bad}m"):
                said = with_text(plain, place, text)
                assert refusal(said, kind) == (None if free else "not_one_line"), (place, text)
                assert sent(said, kind) in ((None,) if free else ("not_one_line", "wrong_shape"))
        assert sent(plain, kind) != "not_one_line"
        if not free:
            trimmed = on_one_line(with_text(plain, place, "  m \u00a0"), kind)
            assert trimmed == on_one_line(with_text(plain, place, "m"), kind)


def test_a_struct_is_trimmed_as_its_json_is_and_keeps_its_lines_where_it_may():
    class Thing(Struct):
        name: Name
        note: FreeText | None = None
        parts: dict[Name, "list[Name]"] = {}

    thing = Thing("  Mara  ", " one\n two ", {" a ": [" b "]})
    assert on_one_line(thing, Thing) == Thing("Mara", " one\n two ", {"a": ["b"]})
    twice = Thing("Mara", parts={"a": [], " a": []})
    assert refusal(twice, Thing) == "named_twice"
    assert refusal(Thing("Mara", parts={"a\n": []}), Thing) == "not_one_line"


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.__module__.split('.')[-2]}.{kind.__name__}")
def test_no_text_of_blanks_becomes_one_that_cannot_be_read_again(kind):
    for plain, place, free in samples(kind):
        blank = with_text(plain, place, " \u00a0")
        try:
            said = msgspec.convert(blank, kind)
        except msgspec.ValidationError:
            continue
        if free or sent(blank, kind) is None:
            msgspec.convert(msgspec.to_builtins(on_one_line(said, kind)), kind)
        else:
            assert sent(blank, kind) == refusal(blank, kind) == "only_blanks", place


def test_blanks_name_nobody_and_nothing():
    attack = {"type": "freefall.declare_actions", "actions": [{"dice": 1, "attack": {"target": " "}}]}
    assert sent(attack, DeclareActions) == "only_blanks"
    for blank in (" ", "\u200b", "\ufeff \u2060"):
        assert sent({"type": "mobile_frame.register_loadout", "owner": blank}, RegisterLoadout) == "only_blanks"


def test_blanks_where_a_text_or_a_list_may_stand_break_no_memory():
    """Seen in a process of its own: it dies where memory is damaged."""
    again_and_again = """
import os
from domain.one_line import on_one_line
from domain.rejection import Rejection
from domain.systems.angst.commands import AvoidAngst

for _ in range(100):
    try:
        on_one_line(AvoidAngst(candidates=["x"], suck="\\u200b"), AvoidAngst)
    except Rejection as refusal:
        assert refusal.code == "only_blanks"
    else:
        raise AssertionError
os._exit(0)
"""
    watched_memory = {**os.environ, "PYTHONMALLOC": "debug"}
    command = [sys.executable, "-c", again_and_again]
    done = subprocess.run(command, env=watched_memory, capture_output=True, check=False)  # noqa: S603 — words of this file
    assert done.returncode == 0, done.stderr[-500:]


def test_every_text_of_several_lines_is_in_own_words():
    """What may have lines is erased as personal text is; nothing else may."""
    for kind in get_args(AnyPlayCommand):
        for field, hint in get_type_hints(kind, include_extras=True).items():
            metas = [meta for meta in getattr(hint, "__metadata__", ()) if isinstance(meta, Meta)]
            if any((meta.extra or {}).get(LINES) for meta in metas):
                assert any(path[0] == field for path in personal_paths(kind))


def read_back(event: Any) -> Any:
    draft = event_codec.Draft(CampaignId(UUID(int=1)), ActionId(UUID(int=2)), 1_000, 0, None, "request", "all")
    row = event_codec.seal(draft, Head(seq=0, hash=GENESIS, recorded_at=0), event, None, bytes(32))
    return event_codec.decode_event(row)


def test_what_was_stored_with_such_characters_is_read_as_it_was_stored():
    """Negative control of the guard: it stands where something is asked for, not where a log is read."""
    created = CampaignCreated(name="Night\nshift\u2028 ", systems=[], created_by=AccountId(UUID(int=4)))
    assert read_back(created).name == "Night\nshift\u2028 "
    chart = [{"account": "crew\n", "title": "The crew\u2028", "debt": False}]
    changed = read_back(SettingChanged(key="campaign.chart", value=chart))
    assert settings_of("campaign", {changed.key: changed.value}).chart[0].account == "crew\n"
