"""Dice that a member keeps by name, unseen by others. They are no facts of the campaign: no event has them."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.one_line import ONE_LINE
from domain.personal_text import NAME_MAX
from domain.rejection import Missing, Rejection, Stale
from domain.sentences import say
from domain.word_search import folded

SAVED_MAX: Final = 50
"""So many rolls a member keeps in one campaign."""

RollName = Annotated[str, Meta(min_length=1, max_length=NAME_MAX, pattern=ONE_LINE)]


class SavedRoll(Struct, frozen=True):
    """Dice by a name; `notation` is their canonical form."""

    name: str
    notation: str


def with_roll(rolls: list[SavedRoll], roll: SavedRoll, was: str | None = None) -> list[SavedRoll]:
    """The rolls with this one, by name: in place of that of its name, or of the one that `was` called otherwise.

    Renamed twice, it is the same as once. Raises `saved_roll_not_found`, `saved_roll_name_taken` and
    `too_many_saved_rolls`.
    """
    others = [other for other in rolls if not _is_called(other, roll.name)]
    if was is not None and folded(was) != folded(roll.name):
        left = [other for other in others if not _is_called(other, was)]
        if len(left) < len(others) < len(rolls):
            raise Stale(
                "saved_roll_name_taken", say("You have saved other dice as “{name}” already.", name=roll.name)
            )
        if len(left) == len(rolls):
            raise Missing("saved_roll_not_found", say("You have saved no dice as “{name}” here.", name=was))
        others = left
    if len(others) >= SAVED_MAX:
        raise Rejection(
            "too_many_saved_rolls",
            say("You have saved {most} rolls here, as many as there may be: delete one first.", most=SAVED_MAX),
        )
    return sorted([*others, roll], key=lambda other: folded(other.name))


def without_roll(rolls: list[SavedRoll], name: str) -> list[SavedRoll]:
    """The rolls without the one of that name, if there is one."""
    return [other for other in rolls if not _is_called(other, name)]


def _is_called(roll: SavedRoll, name: str) -> bool:
    return folded(roll.name) == folded(name)
