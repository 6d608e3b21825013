"""Random bytes and nearly right input, for as long as there is time (invariant 24).

A few seconds in CI; FIELDLOG_FUZZ_SECONDS=60 ./run test -m slow tests/domain/test_fuzz.py for a minute of each.
"""

import os
from collections.abc import Callable, Iterator
from random import Random
from time import monotonic

import msgspec
import pytest

from domain.campaign.request import ActRequest
from domain.dice.notation import Expression, NotationInvalid, NotationTooLarge, written
from domain.dice.parsing import parse

SECONDS = float(os.environ.get("FIELDLOG_FUZZ_SECONDS", "3"))
REFUSED = (msgspec.ValidationError, msgspec.DecodeError, UnicodeDecodeError, RecursionError)

NOTATIONS = [
    "4d6kh3+2",
    "2d20kl1",
    "3d6!",
    "d%",
    "(2d8+3)*2",
    "8d10>=7",
    "4dF",
    "10d6r1",
    "-d4",
    "d6*(d4-1)/2",
    "2d6ro<3",
]
SPLINTERS = [b"9" * 30, b"(", b"[" * 70, b'{"', b"d", b"!", b"-", b"e999", b"\x00"]
REQUESTS = [
    b'{"command":{"type":"campaign.roll","notation":"4d6kh3+2","label":"luck"},"visibility":"blind"}',
    b'{"command":{"type":"campaign.set_setting","key":"campaign.dice_origins","value":["any",1,{"a":null}]}}',
    b'{"command":{"type":"frame_state.call_test","mark":6,"dice":[{"die":"d6"}]},"dice":[[6,6]],"note":"\\u00e9"}',
    b'{"command":{"type":"campaign.adopt_character","system":"frame_state","sheet":{"a":[1.5e3,true,"x"]}}}',
]
canonical = msgspec.json.Encoder(order="sorted")
decoder = msgspec.json.Decoder(ActRequest)


def mutated(seeds: list[bytes], chance: Random) -> Iterator[bytes]:
    """Inputs that are nearly right: cut, doubled, shuffled, spliced, with any byte anywhere."""
    while True:
        made = bytearray(chance.choice(seeds))
        for _ in range(chance.randint(1, 8)):
            at = chance.randint(0, len(made))
            match chance.randint(0, 5):
                case 0:
                    made[at : at + chance.randint(1, 5)] = b""
                case 1:
                    made[at:at] = bytes([chance.randint(0, 255)])
                case 2:
                    made[at:at] = made[: chance.randint(0, 40)]
                case 3:
                    other = chance.choice(seeds)
                    made[at:] = other[chance.randint(0, len(other)) :]
                case 4:
                    made[at:at] = chance.choice(
                        [b"9" * 30, b"(", b"[" * 70, b'{"', b"d", b"!", b"-", b"e999", b"\x00"]
                    )
                case _:
                    if made:
                        made[at % len(made)] ^= 1 << chance.randint(0, 7)
        yield bytes(made)


def fuzz(seeds: list[bytes], holds: Callable[[bytes], bool]) -> tuple[int, int]:
    """Try for the time there is; how many inputs were tried, and how many were taken."""
    chance = Random(8420)  # noqa: S311
    taken = 0
    until = monotonic() + SECONDS
    for tried, made in enumerate(mutated(seeds, chance), 1):
        taken += holds(made)
        if monotonic() > until:
            return tried, taken
    raise AssertionError


def notation_holds(made: bytes) -> bool:
    """What is taken has a canonical form that means itself; everything else is refused with a code."""
    try:
        expression: Expression = parse(made.decode("utf-8", "replace"))
    except (NotationInvalid, NotationTooLarge):
        return False
    assert parse(written(expression)) == expression
    return True


def request_holds(made: bytes) -> bool:
    """What is taken has one canonical form; everything else is refused as unreadable."""
    try:
        request = decoder.decode(made)
    except REFUSED:
        return False
    once = canonical.encode(request)
    again = decoder.decode(once)
    assert canonical.encode(again) == once
    return True


@pytest.mark.slow
def test_no_notation_breaks_the_parser():
    tried, taken = fuzz([each.encode() for each in NOTATIONS], notation_holds)
    assert tried > 1_000
    assert taken > 10, "what is nearly right is sometimes right"


@pytest.mark.slow
def test_no_request_breaks_the_decoder_and_canonical_json_is_canonical():
    tried, taken = fuzz(REQUESTS, request_holds)
    assert tried > 1_000
    assert taken > 10


@pytest.mark.slow
def test_what_breaks_is_found():
    """Negative control."""

    def breaks(made: bytes) -> bool:
        return bool(made.decode())  # as if nobody had thought of what is no text

    with pytest.raises(UnicodeDecodeError):
        fuzz(REQUESTS, breaks)
