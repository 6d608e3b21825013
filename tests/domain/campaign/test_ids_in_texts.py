"""Ids in a text are found by how they end; here by one expression for the whole of them, which is slow."""

import random
import re

from domain.campaign.subjects import ids_in, named_in

ID = re.compile(
    rb"(?<![0-9a-z_-])(?:(?P<thing>[a-z_]+(?:-[a-z_]+)*-[0-9a-f]{12})|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"
    rb"(?![0-9a-f-])"
)
PIECES = (
    *("pilot", "frame_part", "a", "-", "--", "_", '"', " ", ".", "é", "0123456789ab", "abcdefabcdef", "0123"),
    *("-0123456789ab", "pilot-0123456789ab", "0123456789abc", "8f14e45f-ceea-467f-a3c1-0123456789ab", "G", "g"),
)


def test_the_ids_in_any_text_are_those_that_one_expression_finds():
    chance = random.Random(41)  # noqa: S311
    found = 0
    for _ in range(20_000):
        text = "".join(chance.choices(PIECES, k=chance.randint(1, 9))).encode()
        expected = [(match[0], match["thing"] is not None) for match in ID.finditer(text) if len(match[0]) < 128]
        assert [*ids_in(text)] == expected, text
        assert named_in(text) == {word.decode() for word, is_thing in expected if is_thing}
        found += len(expected)
    assert found


def test_a_word_that_is_longer_than_any_id_is_none():
    assert not [*ids_in(b"p" * 200 + b"-0123456789ab")]
    assert [*ids_in(b" " * 200 + b"pilot-0123456789ab")] == [(b"pilot-0123456789ab", True)]
