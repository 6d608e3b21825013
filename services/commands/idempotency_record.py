"""The part of an answer that an idempotency record keeps, and the answer rebuilt from that and the log.

Most of an answer is in the log: its events, and the hash of the head after them. The rest is stored, uncompressed:
an erasure searches it for the account's name, and it is 145 bytes on average in the recorded stories. Rows of
earlier versions hold the whole answer as JSON, and so do those of which texts were erased. An empty one says that
the answer has expired, which leaves only what the log knows of its action.
"""

from typing import cast

import msgspec
from msgspec import Raw, Struct

from domain.campaign.storage.event_codec import record_of
from domain.event_store_types import Head, KeyedAnswer, StoredEvent
from domain.ids import CampaignId
from domain.systems.system import Pending
from services.commands.response import Answer, ResponseDraft, as_json
from services.errors import campaign_not_found
from services.ports.event_store import EventStore
from services.reading.numbered_events import json_with_seq

WHOLE = b"{"
"""The first byte of an answer that is stored as a whole."""


class KeptAnswer(Struct, frozen=True, array_like=True):
    """An answer without what the log holds: its events are those from `first` to `seq`."""

    first: int
    seq: int
    summary: list[str]
    pending: Raw
    more_due: bool
    apart: dict[int, Raw]
    """Those of its events, by seq, that the asker reads otherwise than they are stored."""
    left_out: list[int] = []
    """Those of its events that the asker may not read."""


_decoder = msgspec.json.Decoder(KeptAnswer)
_encoder = msgspec.json.Encoder()
NO_CHOICES = Raw(b"[]")


def bytes_to_store(draft: ResponseDraft, rows: list[StoredEvent], before: Head) -> bytes:
    """The bytes to store for an answer whose batch is sealed as `rows` that follow the head `before`."""
    places = draft.places
    first, seq = (rows[places[0]].seq, rows[places[-1]].seq) if places else (before.seq + 1, before.seq)
    apart = {}
    for place, event, visible_event in zip(places, draft.events, draft.visible_events, strict=True):
        if visible_event is not event:
            apart[rows[place].seq] = json_with_seq(rows[place].seq, visible_event)
    return _encoder.encode(
        KeptAnswer(
            first,
            seq,
            draft.summary,
            Raw(_encoder.encode(draft.pending)) if draft.pending else NO_CHOICES,
            draft.more_due,
            apart,
            [] if seq - first + 1 == len(places) else _find_gaps([rows[place].seq for place in places]),
        )
    )


def _find_gaps(seqs: list[int]) -> list[int]:
    """The seqs between these, in order, that are none of them."""
    return sorted({*range(seqs[0], seqs[-1])} - {*seqs})


async def answer_again(log: EventStore, campaign_id: CampaignId, answer: KeyedAnswer) -> bytes:
    """The answer's JSON; only its action's id, seq and hash if the answer has expired.

    Raises `campaign_not_found` if the campaign is deleted meanwhile.
    """
    if answer.answer.startswith(WHOLE):
        return answer.answer
    if not answer.answer:
        rows = await log.action(campaign_id, answer.action_id)
        return _answer_json(answer, rows, [], [], [], repeated=True)
    stored_answer = _decoder.decode(answer.answer)
    rows = await log.tail(campaign_id, stored_answer.first - 1, upto=stored_answer.seq)
    rows = [row for row in rows if row.seq not in stored_answer.left_out]
    events = [stored_answer.apart.get(row.seq) or json_with_seq(row.seq, record_of(row).event) for row in rows]
    pending = cast("list[Pending]", stored_answer.pending)
    return _answer_json(answer, rows, events, stored_answer.summary, pending, more_due=stored_answer.more_due)


def _answer_json(
    answer: KeyedAnswer,
    rows: list[StoredEvent],
    events: list[Raw],
    summary: list[str],
    pending: list[Pending],
    *,
    more_due: bool = False,
    repeated: bool = False,
) -> bytes:
    if not rows:
        raise campaign_not_found()
    head = rows[-1]
    return as_json(
        Answer(answer.action_id, head.seq, head.hash.hex(), events, summary, pending, more_due, repeated)
    )
