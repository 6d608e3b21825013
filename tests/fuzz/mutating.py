"""Mutations that keep lines of JSON whole: what is no JSON any more is soon known, and rules lie behind it."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec

PLAIN: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**53, 2**63 - 1, -(2**63), 10**9 + 1, 0.5, 1e308),
    *("", " ", "x" * 300, "\u2028", "all", "gm", "blind", "00000000-0000-0000-0000-000000000001", [], {}, [[]]),
]
WHOLE_LINES_CHANCE = 0.7


def mutated(made: bytes, size_max: int, chance: Random, by_bytes: Callable[[bytes, int], bytes]) -> bytes:
    """Other bytes that are like these, at most so many; `by_bytes` is how libFuzzer changes them."""
    if chance.random() > WHOLE_LINES_CHANCE:
        return by_bytes(made, size_max)
    lines = made.split(b"\n")
    at = chance.randrange(len(lines))
    match chance.randrange(6) if len(lines) > 1 else None:
        case 0:
            del lines[at]
        case 1:
            lines.insert(chance.randint(0, len(lines)), lines[at])
        case 2:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        case _:
            lines[at] = _changed(lines, at, chance)
    return b"\n".join(lines)[:size_max]


def _changed(lines: list[bytes], at: int, chance: Random) -> bytes:
    """A line with one value of it replaced by another, mostly of its own kind."""
    try:
        plain = msgspec.json.decode(lines[at])
        places = list(_places(plain))
        if not places:
            return lines[at]
        part, key = chance.choice(places)
        match chance.randrange(4):
            case 0:
                part[key] = chance.choice(PLAIN)
            case 1:
                others = [each[name] for each, name in _places(msgspec.json.decode(chance.choice(lines)))]
                part[key] = chance.choice(others or PLAIN)
            case 2 if isinstance(part, dict):
                del part[key]
            case _:
                part[key] = _near(part[key], chance)
        return msgspec.json.encode(plain)
    except (msgspec.MsgspecError, UnicodeError, RecursionError, OverflowError):
        return lines[at]


def _near(value: Any, chance: Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice([1, -1, 100, -100, 10**6])
        case str() if value:
            return value[: chance.randrange(len(value))] + chance.choice(["", "0", "-", "é"]) + value[1:]
        case list():
            return value + value[:1]
        case _:
            return chance.choice(PLAIN)


def _places(plain: Any) -> Iterator[tuple[Any, Any]]:
    """Everything in it that could be something else: what it stands in, and where."""
    inner = plain.items() if isinstance(plain, dict) else enumerate(plain) if isinstance(plain, list) else ()
    for key, value in inner:
        yield plain, key
        yield from _places(value)
