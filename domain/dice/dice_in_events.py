"""The dice in events, in any shape in which systems keep them."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from domain.dice import Die

FACES = ("natural", "value", "die")
"""The fields in which a system may keep a die's face."""


def dice_of(events: list[Any]) -> list[Die]:
    """Every die of these events, in order."""
    return [die for event in events for die in _dice_in(event)]


def _dice_in(value: Any) -> Iterator[Die]:
    if isinstance(value, Struct):
        fields = value.__struct_fields__
        if "sides" in fields and "origin" in fields:
            plain: Any = value
            face_field = next(field for field in FACES if field in fields)
            yield Die(plain.sides, getattr(plain, face_field), plain.origin, plain.proof)
            return
        for field in fields:
            yield from _dice_in(getattr(value, field))
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _dice_in(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _dice_in(inner)
