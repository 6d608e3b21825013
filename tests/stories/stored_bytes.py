"""What a story leaves in the log, byte for byte, as if ids and salts were given out in order.

Ids and salts are random, and drawn in an order that is not the story's (a refused command draws an id too), so the
rows are hashed with others in their place:

- ids (UUIDs, those of automatic firings among them) and commitments to dice seeds, by the order in which they
  first appear: 1, 2, 3 …
- ids of what an action made (`pilot-5f0c2a91e3b4`): worked out again from the action's id. That they follow from
  one is checked on the way.
- salts: by seq. That the hashes of texts follow from texts and salts is checked on the way.

So nothing depends on how commands are grouped into commits, nor on what was drawn and thrown away meanwhile. One
thing does: where rules list things in the order of their ids, as sessions do, ids of another order are another
story. `memory_service` therefore ties them to the request in which they are drawn.
"""

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import Any
from uuid import UUID, uuid5

import msgspec
from msgspec import structs

from domain.event_store_types import StoredEvent
from domain.hash_chain import GENESIS, event_hash, private_hash_of
from domain.ids import AccountId, ActionId, CampaignId

SHORT = 16
BORN_MAX = 50
CAMPAIGN = CampaignId(UUID(int=0))
DRAWN = re.compile(
    r"\b(?P<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b"
    r"|\b(?P<kind>[a-z_]+(?:-[a-z_]+)*)-[0-9a-f]{12}\b"
    r"|(?<!text:)\b(?P<commitment>[0-9a-f]{64})\b"
)
HASHED = re.compile(r"text:[0-9a-f]{64}")


def stored_bytes(rows: list[StoredEvent]) -> dict[str, Any]:
    """One line per event (seq, kind, short hash), the head of the hash chain, and a SHA-256 over everything."""
    plain = list(normalised(rows))
    whole = [msgspec.msgpack.encode(row) for row in plain]
    # Without the link to its predecessor, so that only the event itself counts.
    alone = [msgspec.msgpack.encode(structs.replace(row, hash=b"")) for row in plain]
    return {
        "events": [
            f"{row.seq} {row.kind} {sha256(content).hexdigest()[:SHORT]}"
            for row, content in zip(plain, alone, strict=True)
        ],
        "head": plain[-1].hash.hex(),
        "sha256": sha256(b"".join(whole)).hexdigest(),
    }


def first_broken_link(campaign_id: CampaignId, rows: list[StoredEvent]) -> int | None:
    """The first seq whose hash does not follow from the row and its predecessor; None: all do."""
    previous = GENESIS
    for row in rows:
        if row.hash != _linked(campaign_id, previous, row):
            return row.seq
        previous = row.hash
    return None


def normalised(rows: list[StoredEvent]) -> Iterator[StoredEvent]:
    """The rows with ids, salts and hashes that are the same in every play."""
    naming, previous = _Naming(), GENESIS
    for row in rows:
        plain = _renamed(row, naming)
        plain = structs.replace(plain, hash=_linked(CAMPAIGN, previous, plain))
        previous = plain.hash
        yield plain


def _linked(campaign_id: CampaignId, previous: bytes, row: StoredEvent) -> bytes:
    return event_hash(campaign_id, row.seq, previous, row.recorded_at, row.visibility, private_hash_of(row))


def _renamed(row: StoredEvent, naming: "_Naming") -> StoredEvent:
    """The row with other ids and salts. Raises AssertionError for a text's hash that is not its own."""
    salt = row.seq.to_bytes(16)
    action_id = naming.renamed(str(row.action_id))
    naming.actions[row.action_id] = UUID(action_id)
    actor = None if row.actor is None else AccountId(UUID(naming.renamed(str(row.actor))))
    texts, hashes = {}, {}
    for path, text in msgspec.json.decode(row.texts or b"{}", type=dict[str, str]).items():
        other_path, other = naming.renamed(path), naming.renamed(text)
        hashes[_text_hash(row.text_salt or b"", path, text)] = _text_hash(salt, other_path, other)
        texts[other_path] = other
    content = [
        None if each is None else naming.renamed(_rehashed(each.decode(), row, hashes)).encode()
        for each in (row.command, row.body)
    ]
    return StoredEvent(
        seq=row.seq,
        action_id=ActionId(UUID(action_id)),
        kind=row.kind,
        kind_version=row.kind_version,
        recorded_at=row.recorded_at,
        game_time=row.game_time,
        actor=actor,
        cause=naming.renamed(row.cause),
        visibility=naming.renamed(row.visibility),
        command=content[0],
        body=content[1] or b"",
        salt=salt,
        hash=b"",
        text_salt=None if row.text_salt is None else salt,
        texts=None if row.texts is None else msgspec.json.encode(texts),
    )


def _text_hash(salt: bytes, path: str, text: str) -> str:
    """What stands for a text: written out here, so that a change of the formula is noticed."""
    return "text:" + sha256(salt + path.encode() + b"\0" + text.encode()).hexdigest()


def _rehashed(content: str, row: StoredEvent, hashes: dict[str, str]) -> str:
    unknown = set(HASHED.findall(content)) - hashes.keys()
    assert not unknown, f"seq {row.seq}, {row.kind}: {unknown} is the hash of none of its texts"
    return HASHED.sub(lambda found: hashes[found[0]], content)


class _Naming:
    """Other names for random ids, by first appearance; `actions` are those so far, with their other ids."""

    def __init__(self) -> None:
        self.actions: dict[ActionId, UUID] = {}
        self._known: dict[str, str] = {}

    def renamed(self, text: str) -> str:
        """A text with every id in it replaced. Raises AssertionError for one that no action has made."""
        return DRAWN.sub(self._name, text)

    def _name(self, found: re.Match[str]) -> str:
        drawn = found[0]
        if drawn not in self._known:
            nth = len(self._known) + 1
            if found["uuid"]:
                self._known[drawn] = str(UUID(int=nth))
            elif found["commitment"]:
                self._known[drawn] = f"{nth:064x}"
            else:
                self._known[drawn] = self._born(drawn, found["kind"])
        return self._known[drawn]

    def _born(self, drawn: str, kind: str) -> str:
        """Its name if its action had the other id: the formula is written out here too, to notice a change."""
        for action_id, other in reversed(self.actions.items()):
            for nth in range(BORN_MAX):
                if drawn == f"{kind}-{uuid5(action_id, f'{kind}:{nth}').hex[:12]}":
                    return f"{kind}-{uuid5(other, f'{kind}:{nth}').hex[:12]}"
        raise AssertionError(f"no action has made {drawn}")
