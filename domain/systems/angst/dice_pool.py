"""The dice of a test: rolling them, and re-rolling some (AN-8, AN-12, AN-15)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from domain.dice import Dice
from domain.systems.angst.rolls import DieRole, Faces, RolledDie
from domain.systems.angst.state import Test
from domain.systems.angst.tables import BASE_SIDES, EXPLODES_ON, EXTRA_SIDES, DieName, sides

ORDER: tuple[DieRole, ...] = ("base", "core", "bonus", "penalty")
"""Dice are rolled in this order; an explosion comes last (AN-8)."""


class RolledPool(NamedTuple):
    """Rolled dice, and the faces that count."""

    rolled_dice: list[RolledDie]
    dice: Faces


def roll(core_die: DieName, *, bonus: bool, penalty: bool, explosive: bool, dice: Dice) -> RolledPool:
    """The dice of a test, each rolled once; a d0 rolls nothing."""
    sides_by_role: dict[DieRole, int] = {"base": BASE_SIDES}
    if sides(core_die):
        sides_by_role["core"] = sides(core_die)
    if bonus:
        sides_by_role["bonus"] = EXTRA_SIDES
    if penalty:
        sides_by_role["penalty"] = EXTRA_SIDES
    rolled_dice = _fall(sides_by_role, dice, explosive=explosive)
    return RolledPool(rolled_dice, with_faces(Faces(base=[0]), rolled_dice))


def reroll(test: Test, roles: Iterable[str], dice: Dice) -> RolledPool:
    """Some dice rolled again, in place of their old faces; a Base Die may explode now (AN-A18)."""
    size: dict[DieRole, int] = {
        "base": BASE_SIDES,
        "core": sides(test.core_die),
        "bonus": EXTRA_SIDES,
        "penalty": EXTRA_SIDES,
    }
    again = set(roles)
    rolled_dice = _fall({role: size[role] for role in ORDER if role in again}, dice, explosive=True)
    return RolledPool(rolled_dice, with_faces(test.dice, rolled_dice))


def on_the_table(test: Test) -> set[str]:
    """The dice of a test that were rolled, and so can be re-rolled."""
    rolled_roles = {"base": True, "core": sides(test.core_die) > 0}
    rolled_roles |= {"bonus": test.dice.bonus is not None, "penalty": test.dice.penalty is not None}
    return {role for role, there in rolled_roles.items() if there}


def _fall(sides_by_role: dict[DieRole, int], dice: Dice, *, explosive: bool) -> list[RolledDie]:
    """The dice in order, and one more Base Die if it shows its 6; that one never explodes (AN-12)."""
    rolled_dice = [_draw_die(role, count, dice) for role, count in sides_by_role.items()]
    if explosive and any(die.role == "base" and die.natural == EXPLODES_ON for die in rolled_dice):
        rolled_dice.append(_draw_die("base", BASE_SIDES, dice, explosion=True))
    return rolled_dice


def _draw_die(role: DieRole, count: int, dice: Dice, *, explosion: bool = False) -> RolledDie:
    """One die of a role."""
    die = dice.roll(count)
    return RolledDie(role, die.sides, die.natural, die.origin, die.proof, explosion)


def with_faces(faces: Faces, rolled_dice: Sequence[RolledDie]) -> Faces:
    """The faces that count after these dice; roles that were not rolled keep theirs."""
    faces_by_role: dict[str, list[int]] = {}
    for die in rolled_dice:
        faces_by_role.setdefault(die.role, []).append(die.natural)
    return Faces(
        base=faces_by_role.get("base", faces.base),
        core=faces_by_role["core"][-1] if "core" in faces_by_role else faces.core,
        bonus=faces_by_role["bonus"][-1] if "bonus" in faces_by_role else faces.bonus,
        penalty=faces_by_role["penalty"][-1] if "penalty" in faces_by_role else faces.penalty,
    )
