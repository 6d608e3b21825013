"""Packs the JSON of events and requests, so that it takes a third of its room on the disk.

Packed JSON is the number of a dictionary and a zstd frame without its magic number; JSON begins with a brace,
so either is told by its first byte. A dictionary never changes, and none goes, since rows are packed with it: a
better one gets the next number. Hashes are of the JSON, and know nothing of this.
"""

from pathlib import Path
from threading import local

from zstandard import (
    FORMAT_ZSTD1_MAGICLESS,
    ZstdCompressionDict,
    ZstdCompressionParameters,
    ZstdCompressor,
    ZstdDecompressor,
    ZstdError,
)

NUMBER = b"\x01"
DICTIONARY = ZstdCompressionDict((Path(__file__).parent / "event_dictionary_1.bin").read_bytes())
"""Trained on the recorded stories by `python -m tests.infra.event_dictionary`."""
PARAMETERS = ZstdCompressionParameters.from_level(
    3, format=FORMAT_ZSTD1_MAGICLESS, write_content_size=True, write_checksum=False, write_dict_id=False
)

READ_BY_STATEMENTS = frozenset({"campaign.imported", "campaign.member_left"})
"""Kinds of events whose bodies SQL looks into: in `read_seq_at`, and where a lost membership is noted."""


class _Codec(local):
    """Compresses and decompresses for one thread: zstd's contexts are not shared."""

    def __init__(self) -> None:
        self.compress = ZstdCompressor(dict_data=DICTIONARY, compression_params=PARAMETERS).compress
        self.decompress = ZstdDecompressor(dict_data=DICTIONARY, format=FORMAT_ZSTD1_MAGICLESS).decompress


_codec = _Codec()


def pack(json: bytes) -> bytes:
    """JSON as it is stored: packed, where that is shorter."""
    frame = NUMBER + _codec.compress(json)
    return frame if len(frame) < len(json) else json


def unpacked(content: bytes) -> bytes:
    """The JSON that was stored, packed or not. Bytes that cannot be unpacked stay, and no hash fits them."""
    if content[:1] != NUMBER:
        return content
    try:
        return _codec.decompress(content[1:])
    except ZstdError:
        return content
