"""The key outside the database: what it seals opens for nobody else, and its file is its owner's alone."""

import os
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest

from domain.dice.seeded_dice import EpochSeeds
from infra.machine.service_key import (
    AesNewsCipher,
    AesSeedCipher,
    CheckpointSigner,
    KeyUnusable,
    fingerprint,
    is_signed,
    kept_key,
)

KEY, OTHER = b"k" * 32, b"o" * 32
SEEDS = EpochSeeds(uuid4(), 4, os.urandom(32), os.urandom(32))


def test_what_is_sealed_opens_again_and_shows_nothing():
    sealed = AesSeedCipher(KEY).seal(SEEDS)
    assert AesSeedCipher(KEY).decrypt(SEEDS.campaign, 4, sealed) == SEEDS
    assert SEEDS.open_seed not in sealed
    assert SEEDS.hidden_seed not in sealed
    assert AesSeedCipher(KEY).seal(SEEDS) != sealed, "the same seeds twice look like different ones"


def test_it_opens_with_no_other_key_for_no_other_place_and_not_after_a_change():
    sealed = AesSeedCipher(KEY).seal(SEEDS)
    assert AesSeedCipher(OTHER).decrypt(SEEDS.campaign, 4, sealed) is None
    assert AesSeedCipher(KEY).decrypt(uuid4(), 4, sealed) is None
    assert AesSeedCipher(KEY).decrypt(SEEDS.campaign, 5, sealed) is None
    assert AesSeedCipher(KEY).decrypt(SEEDS.campaign, 4, sealed[:-1] + bytes([sealed[-1] ^ 1])) is None
    for length in (0, 5, 12, 20):
        assert AesSeedCipher(KEY).decrypt(SEEDS.campaign, 4, sealed[:length]) is None


def test_news_open_in_other_processes_with_the_same_key_for_their_campaign_and_not_after_a_change():
    here, there, place = AesNewsCipher(KEY), AesNewsCipher(KEY), uuid4()
    sealed = here.seal(place, b"a secret")
    assert there.decrypt(place, sealed) == here.decrypt(place, sealed) == b"a secret"
    assert b"a secret" not in sealed
    assert AesNewsCipher(OTHER).decrypt(place, sealed) is None
    assert there.decrypt(uuid4(), sealed) is None
    for at in range(len(sealed)):
        assert there.decrypt(place, sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :]) is None
        assert there.decrypt(place, sealed[:at]) is None


def test_no_two_news_have_the_same_key_and_nonce():
    one, other, place = AesNewsCipher(KEY), AesNewsCipher(KEY), uuid4()
    assert len({each.seal(place, b"")[:28] for each in (one, other) for _ in range(300)}) == 600


def test_a_signature_is_of_one_content_and_one_key():
    key = CheckpointSigner(KEY)
    signature = key.sign(b"head")
    assert is_signed(b"head", signature, key.public_key)
    assert not is_signed(b"heap", signature, key.public_key)
    assert not is_signed(b"head", signature, CheckpointSigner(OTHER).public_key)
    assert not is_signed(b"head", b"", key.public_key)
    assert not is_signed(b"head", signature, b"short")


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "home" / "dice.key"
    with ThreadPoolExecutor(8) as threads:
        keys = set(threads.map(kept_key, [path] * 8))
    assert keys == {kept_key(path)}
    assert len(kept_key(path)) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["dice.key"], "nothing half-made stays"


@pytest.mark.parametrize("content", [b"", b"d1ce", b"x" * 64, b"\xff" * 64, b"d1ce" * 17])
def test_a_damaged_key_file_is_said_and_never_replaced(tmp_path, content):
    path = tmp_path / "dice.key"
    path.write_bytes(content)
    with pytest.raises(KeyUnusable, match=r"dice\.key"):
        kept_key(path)
    assert path.read_bytes() == content


def test_a_home_that_cannot_be_made_is_said(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(KeyUnusable):
        kept_key(tmp_path / "file" / "dice.key")


def test_a_fingerprint_tells_keys_apart_and_stays_the_same_for_ever():
    """It is stored in every database: another way to reckon it would lock every service out."""
    assert fingerprint(KEY) == "7f9e73616b7c9027"
    assert fingerprint(OTHER) != fingerprint(KEY)
