"""The checks that every event store makes of the batches it is given."""

from domain.event_store_types import EventBatch


def require_well_formed(batches: list[EventBatch]) -> None:
    """Raise ValueError for batches that no event store may accept, whatever it holds.

    Each campaign has one batch per call; events follow the expected head without gaps and without going back in
    time (invariant 4); no key is answered twice (invariant 2); a batch without events brings nothing else.
    """
    if len({batch.campaign_id for batch in batches}) < len(batches):
        raise ValueError("two batches of one campaign in one append")
    for batch in batches:
        if not batch.events:
            if batch.answers or batch.members or batch.timers or batch.fired or batch.seeds or batch.erasure:
                raise ValueError("a batch that brings something, but no events")
            continue
        seq, moment = batch.expected_seq, batch.events[0].recorded_at
        for event in batch.events:
            seq += 1
            if event.seq != seq:
                raise ValueError(f"event {event.seq} stands where {seq} must")
            if event.recorded_at < moment:
                raise ValueError(f"event {event.seq} was recorded before its predecessor")
            moment = event.recorded_at
        answers = batch.answers
        if len(answers) > 1 and len({(answer.account_id, answer.key) for answer in answers}) < len(answers):
            raise ValueError("two answers to one idempotency key in one batch")
