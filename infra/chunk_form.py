"""What every event log asks of the chunks it is given."""

from itertools import pairwise

from domain.stored import Chunk


def check_form(chunks: list[Chunk]) -> None:
    """ValueError for chunks that no log may take, whatever it holds.

    Each campaign has one chunk per call; each chunk has events; these follow the expected head without
    gaps and without going back in time (invariant 4); no key is answered twice (invariant 2).
    """
    if len({chunk.campaign_id for chunk in chunks}) < len(chunks):
        raise ValueError("two chunks of one campaign in one append")
    for chunk in chunks:
        if not chunk.events:
            raise ValueError("a chunk without events")
        for seq, event in enumerate(chunk.events, chunk.expected_seq + 1):
            if event.seq != seq:
                raise ValueError(f"event {event.seq} stands where {seq} must")
        for earlier, later in pairwise(chunk.events):
            if later.recorded_at < earlier.recorded_at:
                raise ValueError(f"event {later.seq} was recorded before its predecessor")
        if len({(answer.account_id, answer.key) for answer in chunk.answers}) < len(chunk.answers):
            raise ValueError("two answers to one idempotency key in one chunk")
