"""The service's one secret outside the database: it encrypts dice seeds and news, and signs checkpoints."""

import contextlib
import os
import secrets
import tempfile
from functools import lru_cache
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Literal
from uuid import UUID

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from domain.dice.seeded_dice import SEED_BYTES, EpochSeeds

KEY_BYTES = 32
NONCE_BYTES = 12
SENDER_BYTES = 16
SENDERS_MAX = 256
"""Processes whose derived keys are kept at a time."""
PUSH_SEED_BYTES = 48
"""16 more than the order has, so that what is left of it is as good as evenly spread (FIPS 186-5, A.2.1)."""
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class KeyUnusable(Exception):  # noqa: N818 — it states what is the case, as rejections do
    """The key cannot be read or made; the message is one sentence."""


def kept_key(path: Path) -> bytes:
    """Return the key in a file that only its owner can read; make the file if there is none.

    Raises KeyUnusable. Several processes may start at once: all of them get the key that was written first.
    """
    try:
        if not path.exists():
            _make(path, secrets.token_hex(KEY_BYTES))
        text = path.read_text("ascii").strip()
        key = bytes.fromhex(text)
    except (OSError, ValueError) as failure:
        raise KeyUnusable(f"{path}, which holds the key to the dice, cannot be used: {failure}.") from None
    if len(key) != KEY_BYTES:
        raise KeyUnusable(f"{path} must hold {2 * KEY_BYTES} hexadecimal digits, the key to the dice.")
    return key


def put_key(path: Path, text: str) -> None:
    """Write a key, in hexadecimal, to a file that is not there yet. Raises KeyUnusable."""
    try:
        _make(path, text)
    except OSError as failure:
        raise KeyUnusable(f"{path} cannot be written: {failure.strerror}.") from None
    kept_key(path)


def fingerprint(key: bytes) -> str:
    """Sixteen hexadecimal digits that tell keys apart; the key cannot be computed from them."""
    return sha256(b"fieldlog dice key fingerprint\0" + key).hexdigest()[:16]


def _make(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, new = tempfile.mkstemp(dir=path.parent, prefix=path.name)  # of mode 600
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(new, path)
    finally:
        Path(new).unlink()


class AesSeedCipher:
    """Encrypts seeds with AES-256-GCM, each bound to its campaign and epoch: elsewhere they do not decrypt."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(_derived(key, b"fieldlog dice seeds"))

    def seal(self, seeds: EpochSeeds) -> bytes:
        """Encrypt the seeds of one epoch for storage."""
        nonce = os.urandom(NONCE_BYTES)
        plain = seeds.open_seed + seeds.hidden_seed
        return nonce + self._cipher.encrypt(nonce, plain, _place(seeds.campaign, seeds.epoch))

    def decrypt(self, campaign_id: UUID, epoch: int, ciphertext: bytes) -> EpochSeeds | None:
        """Decrypt seeds; None: they were encrypted with another key, or for another campaign or epoch."""
        nonce, content = ciphertext[:NONCE_BYTES], ciphertext[NONCE_BYTES:]
        try:
            plain = self._cipher.decrypt(nonce, content, _place(campaign_id, epoch))
        except (InvalidTag, ValueError):
            return None
        return EpochSeeds(campaign_id, epoch, plain[:SEED_BYTES], plain[SEED_BYTES:])


class AesNewsCipher:
    """Encrypts with AES-256-GCM, each message bound to its campaign.

    Every process has a key of its own, which the others derive from its name in front of each message: so a
    nonce can count, and none is used twice however many messages there are.
    """

    def __init__(self, key: bytes) -> None:
        self._by = lru_cache(SENDERS_MAX)(lambda sender: AESGCM(_derived(key, b"fieldlog news" + sender)))
        self._me = os.urandom(SENDER_BYTES)
        self._sent = count()

    def seal(self, campaign_id: UUID, content: bytes) -> bytes:
        """Encrypt something about a campaign."""
        nonce = next(self._sent).to_bytes(NONCE_BYTES, "big")
        return self._me + nonce + self._by(self._me).encrypt(nonce, content, campaign_id.bytes)

    def decrypt(self, campaign_id: UUID, ciphertext: bytes) -> bytes | None:
        """Decrypt it; None: it was altered, or encrypted with another key or for another campaign."""
        sender, ciphertext = ciphertext[:SENDER_BYTES], ciphertext[SENDER_BYTES:]
        try:
            return self._by(sender).decrypt(ciphertext[:NONCE_BYTES], ciphertext[NONCE_BYTES:], campaign_id.bytes)
        except (InvalidTag, ValueError):
            return None


class AesAddressCipher:
    """Encrypts with AES-256-GCM, each address bound to whose and which it is: elsewhere it does not decrypt."""

    def __init__(self, key: bytes, purpose: Literal["webhooks", "devices"]) -> None:
        self._cipher = AESGCM(_derived(key, f"fieldlog {purpose}".encode()))

    def seal(self, owner: UUID, subject: UUID, content: bytes) -> bytes:
        """Encrypt an address and its secrets."""
        nonce = os.urandom(NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, content, owner.bytes + subject.bytes)

    def decrypt(self, owner: UUID, subject: UUID, ciphertext: bytes) -> bytes | None:
        """Decrypt it; None: it was encrypted with another key, or for another owner or subject."""
        nonce, content = ciphertext[:NONCE_BYTES], ciphertext[NONCE_BYTES:]
        try:
            return self._cipher.decrypt(nonce, content, owner.bytes + subject.bytes)
        except (InvalidTag, ValueError):
            return None


class CheckpointSigner:
    """Signs with Ed25519."""

    def __init__(self, key: bytes) -> None:
        self._private = Ed25519PrivateKey.from_private_bytes(_derived(key, b"fieldlog checkpoints"))

    @property
    def public_key(self) -> bytes:
        """The public key that verifies its signatures."""
        return self._private.public_key().public_bytes_raw()

    def sign(self, content: bytes) -> bytes:
        """The signature of some bytes."""
        return self._private.sign(content)


def is_signed(content: bytes, signature: bytes, public_key: bytes) -> bool:
    """Whether `content` was signed with the private key of `public_key`."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, content)
    except (InvalidSignature, ValueError):
        return False
    return True


def invite_key(key: bytes) -> bytes:
    """The key that makes the codes of invites which come with an idempotency key."""
    return _derived(key, b"fieldlog invites")


def push_key(key: bytes) -> ec.EllipticCurvePrivateKey:
    """The key by which push services know this service: a number below P-256's order, derived without bias."""
    number = int.from_bytes(_derived(key, b"fieldlog push", PUSH_SEED_BYTES), "big")
    return ec.derive_private_key(number % (P256_ORDER - 1) + 1, ec.SECP256R1())


def _derived(key: bytes, purpose: bytes, length: int = KEY_BYTES) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=purpose).derive(key)


def _place(campaign_id: UUID, epoch: int) -> bytes:
    return campaign_id.bytes + epoch.to_bytes(8, "big")
