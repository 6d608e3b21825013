"""The dice of a test: rolling them, and re-rolling some (AN-8, AN-12, AN-15)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.dice import Dice
from domain.systems.angst.rolls import DieRole, Faces, RolledDie
from domain.systems.angst.state import Test
from domain.systems.angst.tables import BASE_SIDES, EXPLODES_ON, EXTRA_SIDES, DieName, sides

ORDER: tuple[DieRole, ...] = ("base", "core", "bonus", "penalty")
"""Dice are rolled in this order; an explosion comes last (AN-8)."""


class Fallen(NamedTuple):
    """Rolled dice, and the faces that count."""

    rolled: list[RolledDie]
    dice: Faces


def roll(core_die: DieName, *, bonus: bool, penalty: bool, explosive: bool, dice: Dice) -> Fallen:
    """The dice of a test, each rolled once; a d0 rolls nothing."""
    wanted: dict[DieRole, int] = {"base": BASE_SIDES}
    if sides(core_die):
        wanted["core"] = sides(core_die)
    if bonus:
        wanted["bonus"] = EXTRA_SIDES
    if penalty:
        wanted["penalty"] = EXTRA_SIDES
    rolled = _fall(wanted, dice, explosive=explosive)
    return Fallen(rolled, with_faces(Faces(base=[0]), rolled))


def reroll(test: Test, chosen: Iterable[str], dice: Dice) -> Fallen:
    """Some dice rolled again, in place of their old faces; a Base Die may explode now (AN-A18)."""
    size: dict[DieRole, int] = {
        "base": BASE_SIDES,
        "core": sides(test.core_die),
        "bonus": EXTRA_SIDES,
        "penalty": EXTRA_SIDES,
    }
    again = set(chosen)
    rolled = _fall({role: size[role] for role in ORDER if role in again}, dice, explosive=True)
    return Fallen(rolled, with_faces(test.dice, rolled))


def on_the_table(test: Test) -> set[str]:
    """The dice of a test that were rolled, and so can be re-rolled."""
    rolled = {"base": True, "core": sides(test.core_die) > 0}
    rolled |= {"bonus": test.dice.bonus is not None, "penalty": test.dice.penalty is not None}
    return {role for role, there in rolled.items() if there}


def _fall(wanted: dict[DieRole, int], dice: Dice, *, explosive: bool) -> list[RolledDie]:
    """The dice in order, and one more Base Die if it shows its 6; that one never explodes (AN-12)."""
    rolled = [_drawn(role, count, dice) for role, count in wanted.items()]
    if explosive and any(die.role == "base" and die.natural == EXPLODES_ON for die in rolled):
        rolled.append(_drawn("base", BASE_SIDES, dice, explosion=True))
    return rolled


def _drawn(role: DieRole, count: int, dice: Dice, *, explosion: bool = False) -> RolledDie:
    """One die of a role."""
    die = dice.roll(count)
    return RolledDie(role, die.sides, die.natural, die.origin, die.proof, explosion)


def with_faces(faces: Faces, rolled: Sequence[RolledDie]) -> Faces:
    """The faces that count after these dice; roles that were not rolled keep theirs."""
    found: dict[str, list[int]] = {}
    for die in rolled:
        found.setdefault(die.role, []).append(die.natural)
    return Faces(
        base=found.get("base", faces.base),
        core=found["core"][-1] if "core" in found else faces.core,
        bonus=found["bonus"][-1] if "bonus" in found else faces.bonus,
        penalty=found["penalty"][-1] if "penalty" in found else faces.penalty,
    )
