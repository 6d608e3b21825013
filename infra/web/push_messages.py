"""Requests to push services: encrypted for one browser (RFC 8291) and signed in the service's name (RFC 8292)."""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02, VapidException

from domain.push_call_devices import DeviceTarget, PushRequest

CONTENT_BYTES_MAX = 3_000
"""Push services take bodies of 4,096 bytes, of which encryption takes about a hundred."""
PADDED_BYTES = 1_024
"""Contents are filled up to a multiple of this, so that their length does not tell what they say."""
KEPT_SECONDS = 6 * 3_600
"""How long a push service keeps a message for a device that is off: a call of yesterday is worth nothing."""
SIGNED_SECONDS = 3_600
"""How long a signature holds; 24 hours are the most."""
POINT_BYTES, AUTH_BYTES = 65, 16
NO_CONTACT = "https://fieldlog.invalid"
"""The contact for push services where the host has given none."""


class PushMessages:
    """Makes requests that are signed with `key`; `contact` is a `mailto:` or an address by HTTPS, if any."""

    def __init__(self, key: ec.EllipticCurvePrivateKey, contact: str | None) -> None:
        self._signer = Vapid02(key, {"no-strict": True})  # it knows fewer contacts than there are
        self._contact = contact or NO_CONTACT
        public_bytes = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self._public_key = urlsafe_b64encode(public_bytes).rstrip(b"=").decode()

    @property
    def public_key(self) -> str:
        """The key by which push services know this service, as browsers take it (base64url)."""
        return self._public_key

    def is_usable(self, target: DeviceTarget) -> bool:
        """Whether something can be encrypted with the keys of a browser."""
        try:
            self.request(target, b"{}", "", 0)
            return (len(_bytes_of(target.p256dh)), len(_bytes_of(target.auth))) == (POINT_BYTES, AUTH_BYTES)
        except (ValueError, VapidException):  # no point of the curve, or an address that cannot be signed for
            return False

    def request(self, target: DeviceTarget, content: bytes, topic: str, now: int) -> PushRequest:
        """The request that brings a content of 3,000 bytes at most, in place of one of the same topic.

        `now` is in seconds since 1970. Only for a target that `is_usable`.
        """
        assert len(content) <= CONTENT_BYTES_MAX
        body = http_ece.encrypt(
            content.ljust(-(-len(content) // PADDED_BYTES) * PADDED_BYTES),
            salt=os.urandom(16),
            private_key=ec.generate_private_key(ec.SECP256R1()),
            dh=_bytes_of(target.p256dh),
            auth_secret=_bytes_of(target.auth),
            version="aes128gcm",
        )
        place = urlsplit(target.endpoint)
        claims = {"aud": f"{place.scheme}://{place.netloc}", "exp": now + SIGNED_SECONDS, "sub": self._contact}
        headers = {
            **self._signer.sign(claims),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT_SECONDS),
            "Topic": topic,
            "Urgency": "high",
        }
        return PushRequest(headers, body)


def _bytes_of(text: str) -> bytes:
    """The bytes of a text in base64url, with or without its padding. Raises ValueError."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
