"""Secrets and heads outside the database: the service's key, and the kept heads."""

from pathlib import Path

import psycopg

from infra.machine.head_store import FileHeadStore, NoHeadStore
from infra.machine.service_key import AesSeedCipher, KeyUnusable, fingerprint, invite_key, is_signed, kept_key
from infra.machine.withdrawal_journal import FileWithdrawalJournal
from infra.postgres.key_fingerprint import SealedSeeds, first_sealed, note_fingerprint, noted_fingerprint
from services.settings import Settings
from services.wiring.database_check import connected
from services.wiring.database_engines import home_folder

__all__ = [
    "KEY_FILE",
    "KeyUnusable",
    "claim_database",
    "invite_key",
    "is_signed",
    "kept_heads",
    "kept_key_path",
    "require_its_key",
    "service_key",
    "withdrawal_journal",
]

KEY_FILE = "dice.key"
HEADS_FOLDER = "heads"
WITHDRAWALS_FILE = "withdrawals.ndjson"


def service_key(settings: Settings) -> bytes:
    """The 32 bytes of the key, from the environment or from home, where the first start makes it.

    Raises KeyUnusable, and EngineFailed if there is no home.
    """
    path = kept_key_path(settings)
    return kept_key(path) if path is not None else bytes.fromhex(settings.dice_key or "")


def kept_key_path(settings: Settings) -> Path | None:
    """The file of the key in home; None: the environment gives it. Raises EngineFailed if there is no home."""
    return None if settings.dice_key is not None else home_folder(settings) / KEY_FILE


def require_its_key(settings: Settings, url: str) -> None:
    """Refuse a missing or wrong key for a database whose seeds are encrypted with another; changes nothing.

    Raises KeyUnusable, DatabaseUnreachable, and EngineFailed if there is no home.
    """
    with connected(url) as service:
        _require(settings, service)


def claim_database(settings: Settings, url: str) -> None:
    """As `require_its_key`, but make the key if there is none yet, and note its fingerprint.

    Of several processes that start at once with different keys, all but one get KeyUnusable.
    """
    with connected(url) as service:
        if _require(settings, service) is None:
            note_fingerprint(service, fingerprint(service_key(settings)))
            _require(settings, service)


def kept_heads(settings: Settings) -> FileHeadStore | NoHeadStore:
    """The store of kept heads: in home, or none if the service was given its key and no home."""
    if settings.dice_key is not None and settings.home is None:
        return NoHeadStore()
    return FileHeadStore(home_folder(settings) / HEADS_FOLDER)


def withdrawal_journal(settings: Settings) -> FileWithdrawalJournal | None:
    """The journal of what was taken away, beside the heads; None where heads are not kept either."""
    if settings.dice_key is not None and settings.home is None:
        return None
    return FileWithdrawalJournal(home_folder(settings) / WITHDRAWALS_FILE)


def _require(settings: Settings, service: psycopg.Connection) -> str | None:
    """The fingerprint that the database has noted. Raises KeyUnusable."""
    # Asked before the file is looked for: another process may be making it, and notes it afterwards.
    noted = noted_fingerprint(service)
    sealed_seeds = first_sealed(service) if noted is None else None
    if noted is None and sealed_seeds is None:
        return None
    file = kept_key_path(settings)
    if file is not None and not file.exists():
        raise KeyUnusable(_missing(file, noted))
    key = service_key(settings)
    fits = fingerprint(key) == noted if noted is not None else _opens(key, sealed_seeds)
    if not fits:
        raise KeyUnusable(_foreign(file, fingerprint(key), noted))
    return noted


def _opens(key: bytes, seeds: SealedSeeds | None) -> bool:
    return seeds is None or AesSeedCipher(key).decrypt(*seeds) is not None


def _missing(file: Path, noted: str | None) -> str:
    which = "" if noted is None else f" (fingerprint {noted})"
    return (
        f"{file} is missing: the key to the dice{which} that this database's seeds are sealed with. Put that "
        "file back from its backup, or set FIELDLOG_DICE_KEY to the key; no other is made in its place."
    )


def _foreign(file: Path | None, ours: str, noted: str | None) -> str:
    expected_key = "another, which opens them" if noted is None else f"the one with the fingerprint {noted}"
    remedy = (
        "Set FIELDLOG_DICE_KEY to the right key."
        if file is None
        else "Put the right file back from its backup, or set FIELDLOG_DICE_KEY to the key."
    )
    return (
        f"{file or 'FIELDLOG_DICE_KEY'} holds a foreign key to the dice (fingerprint {ours}): this database's "
        f"seeds are sealed with {expected_key}. {remedy}"
    )
