"""Rolls a dice expression and keeps every face.

Pools are rolled from left to right. The dice of a pool come first; then, in waves, the dice that these add: the
order in which a group reads its dice off the table.
"""

from typing import Literal

from msgspec import Struct

from domain.dice.bounds import applied
from domain.dice.die import Dice, Die, Origin
from domain.dice.notation import Expression, Minus, Operation, Pool, Whole, extra_dice_max, written

Role = Literal["roll", "reroll", "explosion"]


class CountedDie(Struct, frozen=True):
    """A die of a roll. `pool` counts the expression's pools from 0; `role` says why the die was rolled.

    `natural` is the face, 1 … `sides`; `value` what it is worth (a fudge die: -1, 0 or +1). `kept` dice count;
    the others were dropped or, with `rerolled`, replaced by a later die. `exploded` added a later die. `success`
    is None where the pool counts no successes.
    """

    pool: int
    role: Role
    sides: int
    natural: int
    value: int
    origin: Origin
    proof: str
    kept: bool
    exploded: bool = False
    rerolled: bool = False
    success: bool | None = None


class Roll(Struct, frozen=True):
    """A rolled expression. `successes` adds up the pools that count them; None where none does."""

    notation: str
    dice: list[CountedDie]
    total: int
    successes: int | None


class _Fallen(Struct):
    """A die before its pool is judged. `left` is how many dice it may still add."""

    die: Die
    role: Role
    left: int
    exploded: bool = False
    rerolled: bool = False


def roll(expression: Expression, dice: Dice) -> Roll:
    """Roll an expression, with exactly the dice it needs. Raises what `dice` raises."""
    table = _Table(dice, extra_dice_max(expression))
    total = table.worth(expression)
    judged = [die.success for die in table.counted if die.success is not None]
    return Roll(
        notation=written(expression),
        dice=table.counted,
        total=total,
        successes=sum(judged) if judged else None,
    )


class _Table:
    """The dice rolled so far."""

    def __init__(self, dice: Dice, extra_dice: int) -> None:
        self._dice = dice
        self._extra_dice = extra_dice
        self._pools = 0
        self.counted: list[CountedDie] = []

    def worth(self, expression: Expression) -> int:
        """Roll an expression and return its total."""
        match expression:
            case Whole():
                return expression.value
            case Pool():
                return self._worth_of_pool(expression)
            case Minus():
                return -self.worth(expression.of)
            case Operation():
                left = self.worth(expression.left)
                return applied(expression.sign, left, self.worth(expression.right))

    def _worth_of_pool(self, pool: Pool) -> int:
        fallen = self._fall(pool)
        values = [pool.value(each.die.natural) for each in fallen]
        kept = {place for place, each in enumerate(fallen) if not each.rerolled}
        for keep in pool.keeps:
            places = sorted(kept)
            kept = {places[stays] for stays in keep.kept([values[place] for place in places])}
        number, self._pools = self._pools, self._pools + 1
        worth = 0
        for place, (each, value) in enumerate(zip(fallen, values, strict=True)):
            counts = place in kept
            success = None if pool.successes is None else counts and value in pool.successes
            worth += (value if counts else 0) if success is None else success
            self.counted.append(
                CountedDie(
                    pool=number,
                    role=each.role,
                    sides=each.die.sides,
                    natural=each.die.natural,
                    value=value,
                    origin=each.die.origin,
                    proof=each.die.proof,
                    kept=counts,
                    exploded=each.exploded,
                    rerolled=each.rerolled,
                    success=success,
                )
            )
        return worth

    def _fall(self, pool: Pool) -> list[_Fallen]:
        """The pool's dice in the order they are rolled, wave after wave."""
        wave = [self._drawn(pool, "roll", self._extra_dice) for _ in range(pool.count)]
        fallen = list(wave)
        while wave:
            wave = [following for each in wave if (following := self._following(pool, each)) is not None]
            fallen += wave
        return fallen

    def _following(self, pool: Pool, each: _Fallen) -> _Fallen | None:
        """The die that replaces this one, or that it adds by exploding."""
        value = pool.value(each.die.natural)
        again = pool.reroll is not None and value in pool.reroll
        if again and each.left and not (pool.reroll_once and each.role == "reroll"):
            each.rerolled = True
            return self._drawn(pool, "reroll", each.left - 1)
        if pool.explode is not None and value in pool.explode and each.left:
            each.exploded = True
            return self._drawn(pool, "explosion", each.left - 1)
        return None

    def _drawn(self, pool: Pool, role: Role, left: int) -> _Fallen:
        return _Fallen(self._dice.roll(pool.sides), role, left)
