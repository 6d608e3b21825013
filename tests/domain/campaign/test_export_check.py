"""An export is checked line by line, from the file alone (invariants 7 and 23)."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest
from msgspec import structs

from domain.campaign.transfer import export_verifier
from domain.campaign.transfer.export_format import (
    AnyLine,
    CheckpointLine,
    EndLine,
    EventLine,
    Header,
    PersonLine,
    encode_line,
    event_line,
    hidden_line,
    stored_event,
)
from domain.campaign.transfer.export_verifier import FileCheck
from domain.hash_chain import DOMAIN, GENESIS, event_hash, link_of, private_hash, private_hash_of
from domain.json_depth import DEPTH_MAX, is_too_deep
from domain.rejection import Rejection
from tests.services.forged import ANA, CAMPAIGN, beginning, chained, file_of, more


def lines_of(*events: EventLine, **header: Any) -> list[bytes]:
    """An export's lines: a header, the founding and whatever else happened, Ana, and the end."""
    return file_of([*beginning(), *events], **header).splitlines()


def closed(lines: list[bytes]) -> list[bytes]:
    """Lines with an end that fits them."""
    content = b"".join(line + b"\n" for line in lines)
    return [*lines, encode_line(EndLine(len(lines) + 1, sha256(content).hexdigest())).rstrip()]


def plain(line: AnyLine) -> bytes:
    return encode_line(line).rstrip()


def taken(lines: list[bytes]) -> FileCheck:
    check = FileCheck()
    for line in lines:
        check.take(line)
    return check


def whole(lines: list[bytes]) -> FileCheck:
    check = taken(lines)
    check.finish()
    return check


def refused(lines: list[bytes]) -> Rejection:
    """How a file is refused, by one of its lines or at its end."""
    with pytest.raises(Rejection) as refusal:
        whole(lines)
    return refusal.value


def note(text: str = "hear") -> EventLine:
    return more({"type": "campaign.note_added", "note_id": "note-1", "text": text})


def test_what_was_exported_is_taken_with_its_header_its_events_and_its_people():
    lines = lines_of(note())
    check = FileCheck()
    rows = [check.take(line) for line in lines]
    assert [row is not None for row in rows] == [False, True, True, True, False, False]
    header = check.finish()
    assert header is check.header
    assert (header.campaign_id, header.as_of, check.seq) == (CAMPAIGN, 3, 3)
    assert check.hash.hex() == header.head_hash
    assert (check.hidden, check.unlinked) == (0, 0)
    assert check.people == [PersonLine(ANA, "Ana", "gm")]
    assert check.checkpoint is None


def test_no_line_holds_what_other_programs_take_for_its_end_and_the_text_is_the_same():
    """JSON leaves U+0085, U+2028 and U+2029 as they are; hashes are of the text that is read back."""
    text = "a\u2028b\u2029c\x85d"
    content = file_of([*beginning(), note(text)])
    assert content.decode().splitlines() == content.decode().split("\n")[:-1]
    whole(content.splitlines())
    rows = filter(None, map(FileCheck().take, content.splitlines()))
    assert text in [msgspec.json.decode(row.body).get("text") for row in rows]


def test_a_file_that_ends_too_soon_is_truncated():
    lines = lines_of(note())
    for length in range(len(lines)):
        assert refused(lines[:length]).code == "file_truncated"
    short = refused(closed(lines_of(note(), as_of=4)[:-1]))
    assert (short.code, short.details["seq"]) == ("file_truncated", 3)


def test_the_header_names_the_last_event():
    assert refused(lines_of(note(), as_of=2)).code == "file_edited"
    assert refused(lines_of(note(), head_hash="0" * 64)).code == "file_edited"


def test_there_is_one_header_in_the_first_line_and_nothing_after_the_end():
    lines = lines_of()
    again = refused([lines[0], *lines])
    assert (again.code, again.details["line"]) == ("file_malformed", 2)
    late = refused([*lines, lines[-2]])
    assert (late.code, late.details["line"]) == ("file_malformed", len(lines) + 1)
    assert "follows the end" in str(late)


@pytest.mark.parametrize(
    "first", [b"", b"7", b"[]", b"{", b'{"format":"x","version":1}', b"\xff", b'{"line":"event"}']
)
def test_what_is_no_export_is_said_to_be_none(first):
    assert refused([first]).code == "file_format_unknown"


@pytest.mark.parametrize("version", ["2", "0", '"1"', "null"])
def test_an_export_of_another_version_is_told_apart(version):
    assert (
        refused([b'{"format":"fieldlog.export","version":%s}' % version.encode()]).code == "file_version_unknown"
    )


@pytest.mark.parametrize("line", [b"", b"7", b'{"line":"poem"}', b'{"line":"event"}', b"\xff"])
def test_a_line_that_says_nothing_known_is_malformed(line):
    found = refused([lines_of()[0], line])
    assert (found.code, found.details["line"]) == ("file_malformed", 2)


@pytest.mark.parametrize("nul", [b"\\u0000", b"\0"])
def test_no_line_has_a_nul_in_it(nul):
    header, first, *rest = lines_of()
    assert refused([header.replace(b"Iron", b"Iron" + nul), first, *rest]).code == "file_malformed"
    assert refused([header, first.replace(b"Iron", b"Iron" + nul), *rest]).code == "file_malformed"


def test_neither_a_line_nor_a_body_nor_a_command_is_nested_too_deeply():
    def nested(depth: int) -> str:
        return "[" * depth + "]" * depth

    header = lines_of()[0]
    assert refused([header, nested(DEPTH_MAX + 1).encode()]).code == "file_too_deep"
    assert refused([header, nested(DEPTH_MAX).encode()]).code == "file_malformed"
    for field in ("body", "command"):
        founded = beginning()
        deep = [structs.replace(founded[0], **{field: nested(DEPTH_MAX + 1)}), founded[1]]
        assert refused(file_of(deep).splitlines()).code == "file_too_deep"
        as_deep_as_may_be = [structs.replace(founded[0], **{field: nested(DEPTH_MAX)}), founded[1]]
        taken(file_of(as_deep_as_may_be).splitlines()).finish()


@pytest.mark.parametrize(
    ("text", "too_deep"),
    [
        ("[" * 65 + "]" * 65, True),
        ("[" * 64 + "]" * 64, False),
        ("[{}]" * 40, False),
        ('"' + "[" * 99 + '"', False),
        ('"\\"' + "[" * 99 + '"', False),
        ("[]", False),
    ],
)
def test_nesting_is_counted_outside_of_strings(text, too_deep):
    assert is_too_deep(text.encode()) is too_deep


def test_events_stand_in_order_and_before_the_people():
    header, first, second, person, _ = lines_of()
    for order in ([header, second], [header, first, first], [header, first, person, second]):
        found = refused(order)
        assert found.code == "file_edited"
        assert "should stand here" in str(found)


def test_an_event_that_was_changed_breaks_the_chain_where_it_stands():
    header, first, second, *rest = lines_of(note())
    changed = plain(structs.replace(chained(beginning())[1], game_time=1))
    found = refused([header, first, changed, *rest])
    assert (found.code, found.details["seq"], found.details["line"]) == ("file_edited", 2, 3)
    assert second != changed


def test_a_text_that_is_not_the_one_that_was_written_is_found():
    lines = chained(beginning())
    with_text = structs.replace(lines[1], texts={"text": "something else"}, text_salt="0" * 32)
    without_salt = structs.replace(lines[1], texts={"text": "something else"})
    for each in (with_text, without_salt):
        found = refused([lines_of()[0], plain(lines[0]), plain(each)])
        assert (found.code, "personal text" in str(found)) == ("file_edited", True)


def hiding(visibility: str, *, as_before: bool = False) -> list[bytes]:
    """The export of somebody who may not see the last event, now or as earlier versions wrote it."""
    lines = chained([*beginning(), structs.replace(note(), visibility=visibility)])
    row = stored_event(lines[-1])
    header = lines_of(structs.replace(note(), visibility=visibility))[0]
    first = structs.replace(_decoded(header), head_hash=lines[-1].hash)
    hidden = hidden_line(row)
    if as_before:
        hidden = structs.replace(hidden, visibility=row.visibility, private=private_hash_of(row).hex())
    return closed([plain(first), *map(plain, lines[:-1]), plain(hidden)])


def _decoded(header: bytes) -> Header:
    check = FileCheck()
    check.take(header)
    assert check.header is not None
    return check.header


@pytest.mark.parametrize("visibility", ["gm", "blind", f"account:{ANA}"])
def test_what_the_reader_may_not_see_is_told_the_same_whoever_may(visibility):
    check = taken(hiding(visibility))
    check.finish()
    assert (check.hidden, check.unlinked, check.seq) == (1, 1, 3)
    assert {*msgspec.json.decode(hiding(visibility)[-2])} == {"line", "seq", "recorded_at", "hash"}


def test_files_of_earlier_versions_link_it_by_its_salted_hash():
    check = taken(hiding("gm", as_before=True))
    check.finish()
    assert (check.hidden, check.unlinked, check.seq) == (1, 0, 3)
    *before, hidden, _ = hiding("gm", as_before=True)
    for was, now in ((b'"visibility":"gm"', b'"visibility":"blind"'), (b'"recorded_at":1', b'"recorded_at":2')):
        assert was in hidden
        assert refused(closed([*before, hidden.replace(was, now)])).code == "file_edited"


def test_a_checkpoint_is_of_the_end_of_this_log():
    lines = lines_of(note())
    last = chained([*beginning(), note()])[-1]
    here = CheckpointLine(CAMPAIGN, 3, _decoded(lines[0]).head_hash, "now", "0" * 64, "0" * 128)
    check = taken(closed([*lines[:-1], plain(here)]))
    assert check.checkpoint == here
    check.finish()
    for other in ({"seq": 2}, {"hash": "1" * 64}, {"campaign_id": last.action_id}):
        found = refused(closed([*lines[:-1], plain(structs.replace(here, **other))]))
        assert (found.code, "another log" in str(found)) == ("file_edited", True)


def test_the_end_counts_the_lines_and_knows_every_byte_before_it():
    *lines, end = lines_of()
    wrong_count = plain(EndLine(len(lines), sha256(b"".join(line + b"\n" for line in lines)).hexdigest()))
    assert refused([*lines, wrong_count]).code == "file_edited"
    assert refused([lines[0].replace(b"Iron", b"Zinc"), *lines[1:], end]).code == "file_edited"


def test_so_many_people_are_named(monkeypatch):
    monkeypatch.setattr(export_verifier, "PEOPLE_MAX", 2)
    *lines, _ = lines_of()
    taken(closed([*lines, lines[-1]])).finish()
    assert refused(closed([*lines, lines[-1], lines[-1]])).code == "file_malformed"


# --- the chain ------------------------------------------------------------------------------------------------


def spelled(*fields: bytes) -> bytes:
    """SHA-256 of fields, each after its length: as the chain was always made."""
    return sha256(b"".join(len(each).to_bytes(4) + each for each in fields)).digest()


def number(value: int, length: int = 8) -> bytes:
    return value.to_bytes(length, signed=True)


def test_the_hash_of_an_event_covers_its_place_and_what_only_some_may_read():
    row = stored_event(structs.replace(beginning()[0], game_time=-7, command='{"type":"x"}', cause="request"))
    assert row.actor is not None
    assert row.command is not None
    fields = [
        row.salt,
        row.kind.encode(),
        number(row.kind_version, 4),
        row.actor.bytes,
        b"request",
        number(-7),
        row.command,
        row.body,
    ]
    told = (row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body)
    assert private_hash(*told, row.action_id) == spelled(*fields, row.action_id.bytes) == private_hash_of(row)
    assert private_hash(*told, None) == spelled(*fields)
    nobody = (row.salt, row.kind, row.kind_version, None, row.cause, row.game_time, None, row.body, None)
    assert private_hash(*nobody) == spelled(*fields[:3], b"", *fields[4:6], b"", row.body)
    private = bytes(range(32))
    made = event_hash(CAMPAIGN, 5, GENESIS, 1_700_000_000_000_000, "gm", private)
    place = (CAMPAIGN.bytes, number(5), GENESIS, number(1_700_000_000_000_000), b"gm", private)
    assert made == spelled(DOMAIN, *place)
    assert (b"fieldlog.event.v1", bytes(32)) == (DOMAIN, GENESIS)


def test_a_row_follows_the_hash_before_it_with_or_without_its_action():
    row = stored_event(chained(beginning())[0])
    assert link_of(CAMPAIGN, GENESIS, row) == private_hash_of(row)
    assert link_of(CAMPAIGN, bytes([1]) * 32, row) is None
    told = (row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body)
    private = private_hash(*told, None)
    old = structs.replace(row, hash=event_hash(CAMPAIGN, 1, GENESIS, row.recorded_at, row.visibility, private))
    assert link_of(CAMPAIGN, GENESIS, old) == private
    assert event_line(old).hash == old.hash.hex()
