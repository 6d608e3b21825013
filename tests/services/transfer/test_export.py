"""An export can be verified by anybody, and holds nothing that its reader may not see (invariants 7 and 23)."""

import gzip
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from services.transfer.uploaded_export import FileVerified, Limits, verified
from tests.services.conftest import Table
from tests.services.transfers import SECRET, closed, export, lines_of, played

__all__ = ["played"]

HEXADECIMAL = "0123456789abcdef"


def check(content: bytes, limits: Limits | None = None) -> FileVerified:
    return verified(io.BytesIO(content), limits or Limits())


def test_a_gms_export_holds_everything_and_verifies(played):
    content = export(played, played.gm)
    found = check(content)
    assert found.fault is None
    assert found.check.header is not None
    assert found.check.header.as_of == found.check.seq == played.seq()
    assert (found.check.hidden, found.check.unlinked) == (0, 0)
    assert found.dice is not None
    assert (found.dice.recomputed, found.dice.waiting, found.dice.faults) == (3, 0, [])
    by_kind = {line["line"] for line in lines_of(content)}
    assert by_kind == {"header", "event", "person", "seed", "checkpoint", "end"}
    assert {line["name"] for line in lines_of(content) if line["line"] == "person"} == {"Ana", "Mara"}


def test_a_players_export_verifies_and_holds_nothing_hidden(played):
    content = export(played, played.player)
    found = check(content)
    assert found.fault is None
    hidden = [line for line in lines_of(content) if line["line"] == "hidden"]
    assert len(hidden) == found.check.hidden == 3
    assert found.check.unlinked == 3
    assert content.count(SECRET.encode()) == 2  # their own note: in the event, and in what was asked
    assert b'mark\\":9' not in content
    assert all({*line} == {"line", "seq", "recorded_at", "hash"} for line in hidden), "whoever may see it"
    assert export(played, played.gm).count(SECRET.encode()) == 6
    assert b'mark\\":9' in export(played, played.gm)


def test_an_export_up_to_a_seq_is_the_beginning_of_the_whole(played):
    for who in (played.gm, played.player):
        whole = [line for line in lines_of(export(played, who)) if "seq" in line and line["line"] != "checkpoint"]
        for upto in range(1, played.seq() + 1):
            part = export(played, who, upto)
            assert check(part).fault is None
            end = lines_of(part)[0]["as_of"]  # of the action that this seq belongs to
            assert end >= upto
            assert [line for line in lines_of(part) if "seq" in line and line["line"] != "checkpoint"] == [
                line for line in whole if line["seq"] <= end
            ]
    late = played.gm.get(f"{played.path}/export", params={"upto": played.seq() + 1})
    assert (late.status_code, late.json()["code"]) == (404, "moment_not_reached")


def test_an_erased_text_stays_erased_and_the_export_verifies(played, database):
    import psycopg  # noqa: PLC0415 — only here

    with psycopg.connect(database.owner) as owner:
        owner.execute("DELETE FROM personal_text")
    content = export(played, played.gm)
    assert SECRET.encode() not in content
    assert check(content).fault is None


# --- tampering -------------------------------------------------------------------------------------------------


def altered(value: Any) -> Any:
    """The same kind of thing, but another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, dict):
        return {key: altered(each) for key, each in value.items()}
    if isinstance(value, list):
        return [*value, "another"]
    text = value or "00000000-0000-4000-8000-000000000000"
    return text[:-1] + ("1" if text[-1] == "0" else "0") if text[-1] in HEXADECIMAL else text + " "


def test_every_changed_field_of_every_line_is_found_and_the_first_bad_seq_named(played):
    """Even by somebody who makes the end fit: then by the chain."""
    lines = lines_of(export(played, played.gm))
    assert check(closed(lines)).fault is None  # the control: nothing was changed
    for place, line in enumerate(lines[:-1]):
        for field in line:
            changed = [*lines[:place], {**line, field: altered(line[field])}, *lines[place + 1 :]]
            plain = b"".join(json.dumps(each, separators=(",", ":")).encode() + b"\n" for each in changed)
            assert check(plain).fault is not None, (place, field)
            if line["line"] == "event" and field != "line":
                found = check(closed(changed))
                assert found.fault is not None, (place, field)
                assert found.check.seq + 1 == line["seq"], (place, field)


@pytest.mark.parametrize(
    "tamper",
    [
        lambda lines, at: [*lines[:at], *lines[at + 1 :]],
        lambda lines, at: [*lines[:at], lines[at], *lines[at:]],
        lambda lines, at: [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]],
    ],
    ids=["deleted", "inserted", "swapped"],
)
def test_events_that_were_deleted_inserted_or_swapped_are_found(
    played: Table, tamper: Callable[[list[Any], int], list[Any]]
) -> None:
    for who in (played.gm, played.player):
        lines = lines_of(export(played, who))
        last = max(place for place, line in enumerate(lines) if line["line"] == "event")
        for at in range(1, last):
            found = check(closed(tamper(lines, at)))
            assert found.fault is not None
            assert found.fault.code in ("file_edited", "file_truncated")
            assert found.check.seq + 1 in (lines[at]["seq"], lines[at]["seq"] + 1)


def test_a_file_that_was_cut_anywhere_is_found(played):
    content = export(played, played.gm)
    packed = gzip.compress(content)
    assert check(packed).fault is None
    for length in range(0, len(content) - 1, 97):
        assert check(content[:length]).fault is not None, length
    for length in range(2, len(packed) - 1, 31):
        cut = check(packed[:length]).fault
        assert cut is not None
        assert cut.code in ("file_truncated", "file_format_unknown", "file_malformed"), length
