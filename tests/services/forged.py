"""Exports that no service ever wrote: well-formed, chained and sealed, whatever is in them."""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid4

import msgspec
from msgspec import structs

from domain.campaign.events import MemberJoined
from domain.campaign.storage import event_codec
from domain.campaign.transfer.export_format import (
    FORMAT,
    VERSION,
    AnyLine,
    EndLine,
    EventLine,
    Header,
    PersonLine,
    encode_line,
    event_line,
    stored_event,
)
from domain.event_store_types import Head
from domain.hash_chain import GENESIS, event_hash, private_hash_of
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.lifecycle_events import CampaignCreated

ANA = AccountId(UUID(int=1))
CAMPAIGN = CampaignId(UUID(int=2))


def beginning() -> list[EventLine]:
    """A campaign of Frame State that Ana has just founded."""
    draft = event_codec.Draft(CAMPAIGN, ActionId(uuid4()), 1_000_000, 0, ANA, "request", "all")
    head = Head(seq=0, hash=GENESIS, recorded_at=0)
    found = []
    events = [
        CampaignCreated(name="Iron Rain", systems=[SystemId("frame_state")], created_by=ANA),
        MemberJoined(ANA, "gm"),
    ]
    for event in events:
        row = event_codec.seal(draft, head, event, None, bytes(range(32)))
        head = Head(seq=row.seq, hash=row.hash, recorded_at=row.recorded_at)
        found.append(event_line(row))
    return found


def more(body: Any, **changed: Any) -> EventLine:
    """One more event, with this body, or with this text in place of one."""
    text = body if isinstance(body, str) else msgspec.json.encode(body).decode()
    kind = "campaign.note_added" if isinstance(body, str) else body["type"]
    fields = {"action_id": ActionId(uuid4()), "kind": kind, "body": text} | changed
    return structs.replace(beginning()[1], **fields)


def chained(lines: Iterable[EventLine]) -> list[EventLine]:
    """The lines as if they had been written so from the beginning."""
    previous, done = GENESIS, []
    for seq, line in enumerate(lines, 1):
        row = stored_event(structs.replace(line, seq=seq))
        previous = event_hash(CAMPAIGN, seq, previous, row.recorded_at, row.visibility, private_hash_of(row))
        done.append(structs.replace(line, seq=seq, hash=previous.hex()))
    return done


def file_of(lines: list[EventLine], *, before_people: AnyLine | None = None, **header: Any) -> bytes:
    """A file with these events, a header and an end that fit."""
    lines = chained(lines)
    first = Header(
        format=FORMAT,
        version=VERSION,
        campaign_id=CAMPAIGN,
        name="Iron Rain",
        systems=["frame_state"],
        exported_at="2026-11-21T20:15:00Z",
        as_of=len(lines),
        head_hash=lines[-1].hash,
        role="gm",
    )
    between = [] if before_people is None else [before_people]
    all_lines = [structs.replace(first, **header), *lines, *between, PersonLine(ANA, "Ana", "gm")]
    content = b"".join(encode_line(line) for line in all_lines)
    return content + encode_line(EndLine(len(all_lines) + 1, sha256(content).hexdigest()))


def an_export(change: Callable[[list[EventLine]], list[EventLine]] = lambda lines: lines) -> bytes:
    """The export of a campaign that was just founded, changed somehow."""
    return file_of(change(beginning()))
