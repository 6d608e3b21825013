"""A process tells others the rows it appended with its news, encrypted, so that they need not read them."""

import msgspec

from domain.event_store_types import Head, StoredEvent
from domain.ids import CampaignId
from services.campaign.verify_log import is_sound
from services.ports.crypto import NewsCipher

ROWS_MAX = 10
BYTES_MAX = 8_192
"""More than this is not told, and is read where it is needed."""

SEQ_BYTES = 8

_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(list[StoredEvent])


def last_seq(encrypted_tail: bytes) -> int:
    """Where the log ended when this was told: a hint, as it stands beside what is encrypted."""
    return int.from_bytes(encrypted_tail[:SEQ_BYTES], "big")


class TailNews:
    """Encrypts tails for other processes, and opens what they told."""

    def __init__(self, cipher: NewsCipher) -> None:
        self._cipher = cipher

    def encrypt(self, campaign_id: CampaignId, rows: list[StoredEvent]) -> bytes:
        """Rows that were appended, encrypted; empty where they are too many or too large."""
        if len(rows) > ROWS_MAX:
            return b""
        content = _encoder.encode(rows)
        if len(content) > BYTES_MAX:
            return b""
        return rows[-1].seq.to_bytes(SEQ_BYTES, "big") + self._cipher.seal(campaign_id, content)

    def tail(self, campaign_id: CampaignId, head: Head, encrypted_tails: list[bytes]) -> list[StoredEvent]:
        """The rows after a head, from the news of a campaign; empty if there are none, or one is missing.

        Unreadable news, as from another release or with another key, is missing, and so are rows that do not
        follow in the hash chain, though the key shows who told them.
        """
        tail: list[StoredEvent] = []
        last, seq = head.hash, head.seq
        for encrypted_tail in encrypted_tails:
            if last_seq(encrypted_tail) <= seq:
                continue  # it was read after it was heard
            rows = self._decrypt(campaign_id, encrypted_tail)
            for row in rows:
                if row.seq != seq + 1 or not is_sound(campaign_id, last, row):
                    return []
                last, seq = row.hash, row.seq
            if not rows:
                return []
            tail += rows
        return tail

    def _decrypt(self, campaign_id: CampaignId, encrypted_tail: bytes) -> list[StoredEvent]:
        content = self._cipher.decrypt(campaign_id, encrypted_tail[SEQ_BYTES:])
        try:
            return [] if content is None else _decoder.decode(content)
        except msgspec.DecodeError:
            return []
