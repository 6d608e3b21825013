"""A push service of the test's own, and a browser that it takes messages for: it decrypts them, as browsers do."""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from py_vapid import Vapid02

from tests.services.workers.receiver import Received, Receiver, receiving


def as_text(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def as_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushBrowser:
    """A subscription of a browser: its endpoint, and the keys that it keeps to itself."""

    def __init__(self, receiver: Receiver, name: str = "one") -> None:
        self._receiver = receiver
        self._name = name
        self._private = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        self.endpoint = receiver.address.replace("/hook", f"/push/{name}")

    @property
    def subscription(self) -> dict[str, Any]:
        """As browsers turn it into JSON."""
        keys = {"p256dh": self.point(PublicFormat.UncompressedPoint), "auth": as_text(self._auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def point(self, form: PublicFormat) -> str:
        """The public key of the browser."""
        return as_text(self._private.public_key().public_bytes(Encoding.X962, form))

    @property
    def messages(self) -> list[Received]:
        """Those that came for this browser."""
        return [each for each in self._receiver.came if each.path == f"/push/{self._name}"]

    @property
    def calls(self) -> list[Any]:
        """What they say."""
        return [self.decrypt(each) for each in self.messages]

    def decrypt(self, message: Received) -> Any:
        assert message.headers["content-encoding"] == "aes128gcm"
        assert len(message.body) <= 4_096
        content = http_ece.decrypt(message.body, private_key=self._private, auth_secret=self._auth)
        return json.loads(content)


def claims_of(message: Received, public_key: str) -> dict[str, Any]:
    """The claims of a message that is signed with this key, as RFC 8292 wants it."""
    signature = message.headers["authorization"]
    assert Vapid02.verify(signature)
    parts = dict(part.strip().split("=", 1) for part in signature.removeprefix("vapid ").split(","))
    assert parts["k"] == public_key
    claims: dict[str, Any] = json.loads(as_bytes(parts["t"].split(".")[1]))
    assert claims["aud"] == f"http://{message.headers['host']}"
    return claims


@contextmanager
def push_service() -> Iterator[tuple[Receiver, PushBrowser]]:
    with receiving() as receiver:
        receiver.otherwise = lambda: 201
        assert urlsplit(receiver.address).hostname == "127.0.0.1"
        yield receiver, PushBrowser(receiver)
