"""Rolls a dice expression and keeps every face.

Pools are rolled from left to right. The dice of a pool come first; then, in waves, the dice that these add: the
order in which a group reads its dice off the table.
"""

from typing import Literal

from msgspec import Struct

from domain.dice.bounds import applied
from domain.dice.die import Dice, Die, Origin
from domain.dice.notation import Expression, Minus, Operation, Pool, Whole, extra_dice_max, notation_of

Role = Literal["roll", "reroll", "explosion"]


class CountedDie(Struct, frozen=True):
    """A die of a roll. `pool` counts the expression's pools from 0; `role` says why the die was rolled.

    `natural` is the face, 1 … `sides`, and `value` its worth (a fudge die: -1, 0 or +1). `kept` dice count;
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
    """A die before its pool is judged. `extra_dice` is how many dice it may still add."""

    die: Die
    role: Role
    extra_dice: int
    exploded: bool = False
    rerolled: bool = False


def roll(expression: Expression, dice: Dice) -> Roll:
    """Roll an expression, with exactly the dice it needs. Raises the errors of `dice`."""
    table = _Table(dice, extra_dice_max(expression))
    total = table.worth(expression)
    successes = [die.success for die in table.counted if die.success is not None]
    return Roll(
        notation=notation_of(expression),
        dice=table.counted,
        total=total,
        successes=sum(successes) if successes else None,
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
                left_worth = self.worth(expression.left)
                return applied(expression.sign, left_worth, self.worth(expression.right))

    def _worth_of_pool(self, pool: Pool) -> int:
        falls = self._fall(pool)
        values = [pool.value(fall.die.natural) for fall in falls]
        kept_places = {place for place, fall in enumerate(falls) if not fall.rerolled}
        for keep in pool.keeps:
            places = sorted(kept_places)
            kept_places = {places[stays] for stays in keep.kept_places([values[place] for place in places])}
        number, self._pools = self._pools, self._pools + 1
        worth = 0
        for place, (fall, value) in enumerate(zip(falls, values, strict=True)):
            counts = place in kept_places
            success = None if pool.successes is None else counts and value in pool.successes
            worth += (value if counts else 0) if success is None else success
            self.counted.append(
                CountedDie(
                    pool=number,
                    role=fall.role,
                    sides=fall.die.sides,
                    natural=fall.die.natural,
                    value=value,
                    origin=fall.die.origin,
                    proof=fall.die.proof,
                    kept=counts,
                    exploded=fall.exploded,
                    rerolled=fall.rerolled,
                    success=success,
                )
            )
        return worth

    def _fall(self, pool: Pool) -> list[_Fallen]:
        """The pool's dice in the order they are rolled, wave after wave."""
        wave = [self._draw(pool, "roll", self._extra_dice) for _ in range(pool.count)]
        falls = list(wave)
        while wave:
            wave = [following for fall in wave if (following := self._following(pool, fall)) is not None]
            falls += wave
        return falls

    def _following(self, pool: Pool, fall: _Fallen) -> _Fallen | None:
        """The die that replaces this one, or that it adds by exploding."""
        value = pool.value(fall.die.natural)
        again = pool.reroll is not None and value in pool.reroll
        if again and fall.extra_dice and not (pool.reroll_once and fall.role == "reroll"):
            fall.rerolled = True
            return self._draw(pool, "reroll", fall.extra_dice - 1)
        if pool.explode is not None and value in pool.explode and fall.extra_dice:
            fall.exploded = True
            return self._draw(pool, "explosion", fall.extra_dice - 1)
        return None

    def _draw(self, pool: Pool, role: Role, extra_dice: int) -> _Fallen:
        return _Fallen(self._dice.roll(pool.sides), role, extra_dice)
