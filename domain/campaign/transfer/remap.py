"""Turns rows of one campaign into rows of another: sealed again, with other accounts, without its seeds."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct, structs

from domain.campaign.events import (
    DiceEpochEnded,
    DiceEpochStarted,
    DiceWordsAdded,
    HiddenDiceRevealed,
    HiddenRollProved,
)
from domain.campaign.messages.imports import marked
from domain.campaign.messages.text_erasure import TextsErased
from domain.event_store_types import REWRITE_KINDS, Head, StoredEvent
from domain.hash_chain import event_hash, private_hash_of
from domain.ids import AccountId, CampaignId

LEFT_BEHIND = frozenset(
    kind.__struct_config__.tag
    for kind in (DiceEpochStarted, DiceEpochEnded, DiceWordsAdded, HiddenDiceRevealed, HiddenRollProved)
)
"""Seeds, and words in the dice, decide dice of their own campaign only."""

ID = re.compile(rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OTHER_ID = re.compile(rb'"(?:urn:uuid:|\{)?[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}\}?"')
_NUMBERED = REWRITE_KINDS | {TextsErased.__struct_config__.tag}
_PROOF = re.compile(rb'"proof":"(?:[^"\\]|\\.)*"')
_NO_PROOF = b'"proof":"none"'
_PLAIN = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()

OPENING_EVENTS = 1
"""The number of events before the imported ones."""


class Crossing(Struct, frozen=True):
    """Where rows go. `people` maps accounts; `left_behind` are the seqs of excluded events, in order."""

    campaign_id: CampaignId
    people: Callable[[UUID], UUID]
    left_behind: list[int]

    def seq(self, seq: int) -> int:
        """The new seq of an event; for an excluded one, that of the last imported one before it."""
        return OPENING_EVENTS + seq - bisect_right(self.left_behind, seq)

    def brought(
        self, rows: Iterable[StoredEvent], head: Head, at: Callable[[], int], salt: Callable[[], bytes]
    ) -> Iterator[StoredEvent]:
        """The rows that are not imported yet at `head`, recorded `at` (microseconds UTC) after it.

        Their dice are unproven.
        """
        already = head.seq
        for row in rows:
            if row.kind not in LEFT_BEHIND and self.seq(row.seq) > already:
                new = self._seal_row(row, head, max(at(), head.recorded_at), salt())
                head = Head(seq=new.seq, hash=new.hash, recorded_at=new.recorded_at)
                yield new

    def _seal_row(self, row: StoredEvent, head: Head, recorded_at: int, salt: bytes) -> StoredEvent:
        new = structs.replace(
            row,
            seq=head.seq + 1,
            recorded_at=recorded_at,
            actor=None if row.actor is None else AccountId(self.people(row.actor)),
            cause=marked(row),
            visibility=self._renamed(row.visibility.encode()).decode(),
            command=None if row.command is None else self._renamed(row.command),
            body=self._renamed(_PROOF.sub(_NO_PROOF, self._renumbered(row))),
            salt=salt,
        )
        private = private_hash_of(new)
        linked = event_hash(self.campaign_id, new.seq, head.hash, recorded_at, new.visibility, private)
        return structs.replace(new, hash=linked)

    def _renumbered(self, row: StoredEvent) -> bytes:
        """A row with new seqs where undos, redos and erasures name them."""
        if row.kind not in _NUMBERED:
            return row.body
        body: dict[str, Any] = _PLAIN.decode(row.body)
        body |= {name: self.seq(body[name]) for name in ("first_seq", "last_seq") if name in body}
        if "seqs" in body:
            body["seqs"] = [self.seq(seq) for seq in body["seqs"]]
        return _encoder.encode(body)

    def _renamed(self, content: bytes) -> bytes:
        return ID.sub(lambda match: str(self.people(UUID(match[0].decode()))).encode(), content)


def is_canonical(content: bytes) -> bool:
    """Whether JSON is encoded as events are: then every id in it can be found."""
    return _encoder.encode(_PLAIN.decode(content)) == content and all(
        ID.fullmatch(text[1:-1]) for text in OTHER_ID.findall(content)
    )
