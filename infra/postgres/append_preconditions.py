"""What every event log asks of the chunks it is given."""

from domain.event_store_types import Chunk


def require_well_formed(chunks: list[Chunk]) -> None:
    """ValueError for chunks that no log may take, whatever it holds.

    Each campaign has one chunk per call; events follow the expected head without gaps and without going back in
    time (invariant 4); no key is answered twice (invariant 2); a chunk without events brings nothing else.
    """
    if len({chunk.campaign_id for chunk in chunks}) < len(chunks):
        raise ValueError("two chunks of one campaign in one append")
    for chunk in chunks:
        if not chunk.events:
            if chunk.answers or chunk.members or chunk.timers or chunk.fired or chunk.seeds or chunk.erasure:
                raise ValueError("a chunk that brings something, but no events")
            continue
        seq, moment = chunk.expected_seq, chunk.events[0].recorded_at
        for event in chunk.events:
            seq += 1
            if event.seq != seq:
                raise ValueError(f"event {event.seq} stands where {seq} must")
            if event.recorded_at < moment:
                raise ValueError(f"event {event.seq} was recorded before its predecessor")
            moment = event.recorded_at
        answers = chunk.answers
        if len(answers) > 1 and len({(answer.account_id, answer.key) for answer in answers}) < len(answers):
            raise ValueError("two answers to one idempotency key in one chunk")
