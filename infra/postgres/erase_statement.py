"""The statement that erases texts, and how a chunk's erasure is laid out as what it takes."""

from typing import Any

from psycopg.types.numeric import Int8

from domain.event_store_types import Chunk
from domain.projection_types import TAKEN_BACK
from infra.postgres.driver.binary_arrays import BigintArray, BytesArray, TextArray, UuidArray
from infra.postgres.driver.statements import statement

ERASE_TEXTS = statement("erase_texts")


def erase_arguments(chunk: Chunk) -> list[Any]:
    """Lay out the arguments of `ERASE_TEXTS`, in its order. It does nothing unless the chunk was appended."""
    assert chunk.erasure is not None
    texts, answers = chunk.erasure.texts, chunk.erasure.answers
    return ERASE_TEXTS.arguments(
        campaign=chunk.campaign_id,
        hash=chunk.events[-1].hash,
        first=Int8(chunk.erasure.first_seq),
        taken_back=TAKEN_BACK,
        seqs=BigintArray([seq for seq, _ in texts]),
        left_texts=BytesArray([left for _, left in texts]),
        accounts=UuidArray([answer.account_id for answer in answers]),
        keys=TextArray([answer.key for answer in answers]),
        answers=BytesArray([answer.answer for answer in answers]),
    )
