"""Events as JSON with their seq in front, for answers and pages."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw

EVENT = "Event"
"""The name of an event of any kind in the OpenAPI document."""
EventJson = Annotated[Raw, Meta(extra_json_schema={"$ref": f"#/components/schemas/{EVENT}"})]

_encoder = msgspec.json.Encoder()


def json_with_seq(seq: int, event: Any) -> Raw:
    """An event's JSON with its seq in front: `{"seq":12,"type":…}`."""
    return with_seq(seq, _encoder.encode(event))


def with_seq(seq: int, body: bytes) -> Raw:
    """The JSON of an event as it is stored, with its seq in front."""
    return Raw(b'{"seq":%d,' % seq + body[1:])
