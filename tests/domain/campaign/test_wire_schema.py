"""What stored events and commands look like on the wire: it may grow, and what is there stays as it is.

A new kind, and a new last field that has a default, are taken up by writing the file again:

    FIELDLOG_WRITE_GOLDEN=1 ./run test tests/domain/campaign/test_wire_schema.py && git diff tests/domain

Any other change is refused even then, because stored campaigns hold the old shape. An event of a new
`kind_version` with an upcast is an entry of its own beside the old one. Where a change is meant all the same
(a looser limit, one more choice), take the entry out of the file by hand first.
"""

from copy import deepcopy
from typing import Annotated, Any, ClassVar, Literal

import pytest
from msgspec import Meta, Struct, defstruct

from domain.campaign.storage.event_codec import COMMAND_TYPES, EVENT_TYPES, UPCASTS
from domain.personal_text import FreeText
from tests import golden
from tests.domain.campaign.wire_schema import GOLDEN, wire_schema

WIDTH = 110


def wire_schemas() -> dict[str, Any]:
    """Every stored shape, by what it is, its wire name and, for events, its version."""
    events = {f"event {tag} {kind.kind_version}": wire_schema(kind) for tag, kind in EVENT_TYPES.items()}  # type: ignore[attr-defined]
    return events | {f"command {tag}": wire_schema(kind) for tag, kind in COMMAND_TYPES.items()}


def still_read(kept: dict[str, Any]) -> dict[str, Any]:
    """The entries of old versions that upcasts lift."""
    lifted = {f"event {tag} {version}" for tag, version in UPCASTS}
    return {name: entry for name, entry in kept.items() if name in lifted}


def grown(kept: Any, found: Any) -> Any:
    """What is kept, with the fields that were appended to it with a default, at any depth."""
    if isinstance(kept, dict) and isinstance(found, dict):
        return {key: grown(each, found.get(key)) for key, each in kept.items()}
    if isinstance(kept, list) and isinstance(found, list):
        more = [each for each in found[len(kept) :] if isinstance(each, dict) and {"name", "default"} <= {*each}]
        return [grown(*pair) for pair in zip(kept, found, strict=False)] + kept[len(found) :] + more
    return kept


def changes(kept: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """What of the stored shapes is gone or other than it was; what only grew is no change."""
    same = {name: entry for name, entry in found.items() if name in kept}
    return list(golden.differences(grown(kept, found), same))


def test_what_is_stored_keeps_its_shape_and_the_file_knows_all_of_it():
    kept = golden.read(GOLDEN)
    found = wire_schemas() | still_read(kept)
    changed = "\n".join(changes(kept, found)[:5])
    assert not changed, f"stored campaigns hold the old shape\n{changed}"
    golden.compare(GOLDEN, found, width=WIDTH)


# --- what the schema says, and what it leaves out --------------------------------------------------------------


TEXT = Annotated[str, Meta(max_length=9)]
NOTE = (FreeText | None, None)


class Piece(Struct, frozen=True):
    left: int
    right: str = "x"


class Before(Struct, frozen=True, tag="tests.thing_made"):
    """A thing was made."""

    kind_version: ClassVar[int] = 1
    thing: Annotated[str, Meta(max_length=9, description="Its name.", title="Name")]
    pieces: list[Piece]
    note: FreeText | None = None


def remade(name: str = "Before", tag: str = "tests.thing_made", version: int = 1, **fields: Any) -> type[Struct]:
    """`Before` again, with other names or fields; a field is its type, or its type and its default."""
    return made({"thing": TEXT, "pieces": list[Piece], "note": NOTE} | fields, name, tag, version)


def made(
    fields: dict[str, Any], name: str = "Before", tag: str = "tests.thing_made", version: int = 1
) -> type[Struct]:
    each = [(key, *(kind if isinstance(kind, tuple) else (kind,))) for key, kind in fields.items()]
    return defstruct(name, each, tag=tag, frozen=True, namespace={"kind_version": version})


def test_names_of_classes_and_prose_are_no_part_of_it():
    fragment = defstruct("Fragment", [("left", int), ("right", str, "x")], namespace={"__doc__": "Other prose."})
    described = Annotated[str, Meta(max_length=9, description="What it is called.", examples=["a"])]
    other = remade("ThingWasMade", thing=described, pieces=list[fragment])  # type: ignore[valid-type]
    assert wire_schema(other) == wire_schema(Before)


@pytest.mark.parametrize(
    "changed",
    [
        made({"name": TEXT, "pieces": list[Piece], "note": NOTE}),
        made({"pieces": list[Piece], "thing": TEXT, "note": NOTE}),
        remade(tag="tests.thing_was_made"),
        remade(version=2),
        remade(note=(FreeText | None, "-")),
        remade(note=(str | None, None)),
        remade(thing=Literal["a", "b"]),
        remade(thing=Annotated[str, Meta(max_length=10)]),
        remade(pieces=list[str]),
        remade(pieces=list[defstruct("Piece", [("left", int), ("right", str, "x")], omit_defaults=True)]),  # type: ignore[misc]
        remade(more=(int, 0)),
    ],
    ids=["name", "order", "tag", "version", "default", "personal", "choices", "limit", "items", "omits", "more"],
)
def test_any_other_change_is_seen(changed):
    """Negative control."""
    assert wire_schema(changed) != wire_schema(Before)


# --- what may change -------------------------------------------------------------------------------------------


@pytest.fixture
def kept() -> dict[str, Any]:
    return {"event tests.thing_made 1": wire_schema(Before)}


def test_a_new_kind_and_an_appended_field_with_a_default_are_growth_that_has_to_be_written_down(kept):
    longer = {"event tests.thing_made 1": wire_schema(remade(more=(int, 0)))}
    longer["event tests.thing_lost 1"] = wire_schema(remade(tag="tests.thing_lost"))
    assert changes(kept, longer) == []
    told = golden.report(kept, longer)
    assert told is not None
    assert "event tests.thing_lost 1: kept nothing" in told
    assert "event tests.thing_made 1.fields[3]: kept nothing" in told


def test_what_stored_campaigns_could_not_bear_is_refused(kept):
    """Negative control, on a copy of the real file."""
    stored = golden.read(GOLDEN)
    assert changes(kept, {}) != []
    name = "event campaign.note_added 1"
    for spoil in (
        lambda entry: entry["fields"].reverse(),
        lambda entry: entry["fields"].pop(),
        lambda entry: entry["fields"][0].update(name="other"),
        lambda entry: entry["fields"][-1].update(default="other"),
        lambda entry: entry["fields"].append({"name": "required", "schema": {"type": "string"}}),
        lambda entry: entry["fields"].insert(0, {"name": "first", "schema": {"type": "string"}, "default": ""}),
        lambda entry: entry["tag"].update(type="campaign.noted"),
        lambda entry: entry.update(kind_version=2),
    ):
        altered = deepcopy(stored)
        spoil(altered[name])
        found = changes(stored, altered)
        assert found != []
        assert found[0].startswith(name)


def test_a_version_without_an_upcast_is_refused(kept):
    newer = {"event tests.thing_made 2": wire_schema(remade(version=2))}
    assert still_read(kept) == {}
    assert changes(kept, newer)[0].startswith("event tests.thing_made 1: kept {")
