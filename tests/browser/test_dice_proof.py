"""Dice are recomputed in the browser just as Python does it, and one that was changed since is found there."""

import hmac
import random
from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from domain.dice.notation import SIDES_MAX, SIDES_MIN
from domain.dice.seeded_dice import EpochSeeds, face, fair_face, with_words
from services.http.screen.shared.static_files import asset
from tests.engines import DatabaseUrls
from tests.services.conftest import Table
from tests.services.forged_log import changed

pytestmark = pytest.mark.slow

CHANCE = random.Random(20261124)  # noqa: S311 — the same every time
ROLLS = 2_000
HALF_REJECTED = 2**31 + 1
"""A die of so many sides takes every second number only, and one block in 256 decides nothing."""
RECOMPUTE = """async ([path, rolls]) => {
    const {die, bytes} = await import(path);
    return rolls.map(([key, campaign, epoch, number, sides, words]) =>
        die(bytes(key), bytes(campaign), epoch, number, sides, bytes(words)).face);
}"""


def random_rolls(sides: list[int]) -> list[list[Any]]:
    """Key, campaign, epoch, number, sides and words, as text and numbers."""
    return [
        [
            CHANCE.randbytes(32).hex(),
            UUID(bytes=CHANCE.randbytes(16)).hex,
            CHANCE.randrange(1, 10**9),
            CHANCE.choice([CHANCE.randrange(300), CHANCE.randrange(10**15)]),
            each,
            CHANCE.choice(["", CHANCE.randbytes(32).hex()]),
        ]
        for each in sides
    ]


def by_python(roll: list[Any]) -> int:
    key, campaign, epoch, number, sides, words = roll
    return face(bytes.fromhex(key), UUID(campaign), epoch, number, sides, bytes.fromhex(words))


def test_any_die_is_recomputed_as_python_does_it_and_numbers_that_would_favour_a_face_are_passed_over(
    table, screens
):
    page = screens(table.player).open("/chronicle")
    assert page.evaluate("isSecureContext") is False
    sides = [*range(SIDES_MIN, SIDES_MAX + 1), *CHANCE.choices((4, 6, 8, 10, 12, 20), k=ROLLS)]
    rolls = random_rolls(sides)
    assert page.evaluate(RECOMPUTE, [asset("proof.js"), rolls]) == [by_python(each) for each in rolls]
    rolls = random_rolls([HALF_REJECTED] * ROLLS)
    assert page.evaluate(RECOMPUTE, [asset("proof.js"), rolls]) == [by_python(each) for each in rolls]
    assert sum(decides_nothing(each) for each in rolls) >= 1, "the control: some blocks decide nothing"


def decides_nothing(roll: list[Any]) -> bool:
    """Whether the first block of a die decides nothing."""
    key, campaign, epoch, number, sides, words = roll
    message = b"".join(
        (UUID(campaign).bytes, epoch.to_bytes(4), number.to_bytes(8), bytes(4), bytes.fromhex(words))
    )
    return fair_face(hmac.digest(bytes.fromhex(key), message, "sha256"), sides) is None


def test_any_text_has_the_hash_that_python_gives_it(table, screens):
    page = screens(table.player).open("/chronicle")
    texts = [CHANCE.randbytes(length) for length in [*range(200), 1_000, 100_000]]
    hashed = page.evaluate(
        "async ([path, texts]) => { const {sha256, bytes, hex} = await import(path);"
        " return texts.map((each) => hex(sha256(bytes(each)))); }",
        [asset("proof.js"), [each.hex() for each in texts]],
    )
    assert hashed == [sha256(each).hexdigest() for each in texts]


def test_keys_of_hidden_rolls_lead_to_their_fingerprint_as_in_python(table, screens):
    page = screens(table.player).open("/chronicle")
    for roll in (0, 1, 77, 255):
        seeds = EpochSeeds(UUID(bytes=CHANCE.randbytes(16)), 9, CHANCE.randbytes(32), CHANCE.randbytes(32))
        place = {"epoch": 9, "roll": roll}
        for kind, secret in (("tree", seeds.hidden_seed), ("key", seeds.key_of(roll))):
            found = page.evaluate(
                "async ([path, given]) => { const {opened, bytes, hex} = await import(path);"
                " const place = {campaign: bytes(given.campaign), path: given.path.map(bytes)};"
                " const {key, fingerprint} = opened({...given, ...place});"
                " return [hex(key), fingerprint]; }",
                [
                    asset("proof.js"),
                    place
                    | {"kind": kind, "secret": secret.hex(), "campaign": seeds.campaign.hex}
                    | {"path": [each.hex() for each in seeds.path_of(roll)]},
                ],
            )
            assert found == [seeds.key_of(roll).hex(), seeds.hidden_commitment.hex()]


def test_words_are_digested_as_in_python(table, screens):
    page = screens(table.player).open("/chronicle")
    digests = [sha256(bytes([nth])).digest() for nth in range(5)]
    wanted = b""
    for each in digests:
        wanted = with_words(wanted, each)
    found = page.evaluate(
        "async ([path, digests]) => { const {withWords, bytes, hex} = await import(path);"
        " return hex(withWords(digests.map(bytes))); }",
        [asset("proof.js"), [each.hex() for each in digests]],
    )
    assert found == wanted.hex()


def rolled_and_published(table: Table) -> int:
    """The seq of a roll after words of a member, whose seed is public."""
    table.act(table.player, "campaign.add_dice_words", digest=sha256(b"Salt").hexdigest())
    rolled = table.act(table.player, "campaign.roll", notation="4d20+2d6")
    table.act(table.gm, "campaign.end_dice_epoch")
    seq: int = rolled["events"][0]["seq"]
    return seq


def test_dice_are_recomputed_on_their_page_in_plain_http(table, screens):
    seq = rolled_and_published(table)
    screen = screens(table.player)
    page = screen.open(f"/a/{seq}/proof")
    screen.sees("#result.holds", "every die that can be proved")
    assert page.locator("#proof .fails").count() == 0
    assert page.locator("[data-verdict].holds").count() == 6
    page.locator("summary").first.click()
    assert " mod 20 + 1 = " in page.locator("[data-drawn]").first.inner_text()


def test_a_die_that_was_changed_in_the_database_turns_red(table, screens, database: DatabaseUrls):
    seq = rolled_and_published(table)
    body = table.gm.get(f"{table.path}/events?after={seq - 1}&limit=1").json()["events"][0]
    shown = body["dice"][0]["natural"]
    other = shown % 20 + 1

    def forge(stored: bytes) -> bytes:
        old, new = (b'"natural":%d,"value":%d' % (each, each) for each in (shown, other))
        return stored.replace(old, new, 1)

    changed(database, table.campaign_id, seq, forge, rechained=True)
    screen = screens(table.player)
    page = screen.open(f"/a/{seq}/proof")
    screen.sees("#result.fails", "NOT the dice that the seed gives")
    screen.sees("[data-verdict].fails", f"recomputed: {shown}, another one")
    assert page.locator("[data-verdict].fails").count() == 1
    assert page.locator("[data-fingerprint-verdict].holds").count() == 1


def test_another_seed_than_the_one_that_was_committed_to_turns_red(table, screens):
    seq = rolled_and_published(table)
    screen = screens(table.player)
    page = screen.open(f"/a/{seq}/proof")
    screen.sees("#result.holds", "every die that can be proved")
    page.evaluate(
        "(path) => { const {dataset} = document.querySelector('[data-secret]');"
        " dataset.secret = [...dataset.secret].reverse().join('');"
        " return import(`${path}?again`); }",
        asset("proof.js"),
    )
    screen.sees("[data-fingerprint-verdict].fails", "NOT the fingerprint")
    screen.sees("#result.fails", "NOT the dice")
