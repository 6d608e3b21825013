"""Campaigns that go out to files, come in from them, and fork."""

import json
from typing import Any

import pytest

from domain.campaign.transfer.export_format import EndLine, encode_line
from tests.services.conftest import Person, Table

SECRET = "the reactor is a bomb"


@pytest.fixture
def played(table: Table) -> Table:
    return played_at(table)


def played_at(table: Table) -> Table:
    """Play: notes for all and for some, a hidden mark, dice of the service, an epoch that ended, and an undo."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    table.act(table.gm, "campaign.start_session", title="One")
    table.act(table.gm, "campaign.roll", notation="3d6")
    hidden = {"command": {"type": "campaign.add_note", "text": SECRET}}
    for visibility in ("gm", f"account:{table.gm.account_id}", f"account:{table.player.account_id}"):
        told = table.gm.post(f"{table.path}/actions", {**hidden, "visibility": visibility})
        assert told.status_code == 201
    table.act(
        table.gm,
        "frame_state.call_test",
        test_type="proactive",
        mark=9,
        mark_hidden=True,
        dice=[{"attribute": "sharpness"}],
        modifiers=[1],
    )
    wrong = table.act(table.gm, "campaign.add_note", text="a slip of the pen")
    assert table.gm.post(f"{table.path}/actions/{wrong['action_id']}/undo", {}).status_code == 201
    table.act(table.gm, "campaign.end_dice_epoch")
    return table


def export(table: Table, who: Person, upto: int | None = None) -> bytes:
    answer = who.get(f"{table.path}/export", params={} if upto is None else {"upto": upto})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("application/x-ndjson")
    content: bytes = answer.content
    return content


def lines_of(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.splitlines()]


def closed(lines: list[dict[str, Any]]) -> bytes:
    """Lines with an end that fits them: what somebody makes who knows how the file is built."""
    from hashlib import sha256  # noqa: PLC0415 — only here

    content = b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines[:-1])
    return content + encode_line(EndLine(len(lines), sha256(content).hexdigest()))


def bring(who: Person, content: bytes, **params: Any) -> Any:
    return who.send("POST", "/campaigns/import", content=content, params=params)


def brought(who: Person, content: bytes, **params: Any) -> Table:
    answer = bring(who, content, **params)
    assert answer.status_code == 201, answer.text
    return Table(who, who, answer.json()["campaign_id"])


def forked(table: Table, **body: Any) -> Table:
    answer = table.gm.post(f"{table.path}/fork", body)
    assert answer.status_code == 201, answer.text
    return Table(table.gm, table.player, answer.json()["campaign_id"])
