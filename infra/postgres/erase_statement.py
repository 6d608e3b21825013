"""The statement that erases texts, and its arguments for a batch's erasure."""

from typing import Any

from psycopg.types.numeric import Int8

from domain.event_store_types import EventBatch
from domain.stored_view_types import TAKEN_BACK
from infra.postgres.driver.binary_arrays import BigintArray, BytesArray, TextArray, UuidArray
from infra.postgres.driver.statements import SQL


def erase_arguments(batch: EventBatch) -> list[Any]:
    """The arguments of `erase_texts.sql`, in order: it does nothing unless the batch was appended."""
    assert batch.erasure is not None
    texts, answers = batch.erasure.texts, batch.erasure.answers
    return SQL["erase_texts"].arguments(
        campaign=batch.campaign_id,
        hash=batch.events[-1].hash,
        first=Int8(batch.erasure.first_seq),
        taken_back=TAKEN_BACK,
        seqs=BigintArray([seq for seq, _ in texts]),
        left_texts=BytesArray([text for _, text in texts]),
        accounts=UuidArray([answer.account_id for answer in answers]),
        keys=TextArray([answer.key for answer in answers]),
        answers=BytesArray([answer.answer for answer in answers]),
    )
