"""Rolls a dice expression and keeps every face.

Pools are rolled from left to right. The dice of a pool come first; then, in waves, the dice that these add: the
order in which a group reads its dice off the table.
"""

from fractions import Fraction
from typing import Literal

from msgspec import UNSET, Struct, UnsetType, structs

from domain.dice.bounds import applied
from domain.dice.die import Dice, Die, Origin
from domain.dice.notation import (
    DICE_MAX,
    Comparison,
    Exact,
    Expression,
    Faces,
    Group,
    Minus,
    Operation,
    Pool,
    Rounding,
    RoundWord,
    Whole,
    extra_dice_max,
    kept_of,
    notation_of,
    pools,
)
from domain.dice.rounded_fractions import rounded

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
    failure: bool | UnsetType = UNSET
    """Whether the die took a success away; left out where it did not."""


class Roll(Struct, frozen=True):
    """A rolled expression. `successes` adds up the pools that count them, less failures; None where none does.

    `exact` is the total before it was rounded, where that is not the same.
    """

    notation: str
    dice: list[CountedDie]
    total: int
    successes: int | None
    exact: Fraction | None = None


class _FallenDie(Struct):
    """A die before its pool is judged. `extra_dice` is how many dice it may still add."""

    die: Die
    role: Role
    extra_dice: int
    exploded: bool = False
    rerolled: bool = False
    first: int = 0
    """The place of the die that a compound one adds to."""
    is_extra: bool = False
    """Whether an explosion brought it."""


def roll(expression: Expression, dice: Dice) -> Roll:
    """Roll an expression, with exactly the dice it needs. Raises the errors of `dice`."""
    table = _Table(dice, expression)
    exact = table.worth_before_rounding(expression)
    total = exact if isinstance(exact, int) else rounded(_last_rounding(expression), exact)
    return Roll(
        notation=notation_of(expression),
        dice=table.counted,
        total=total,
        successes=table.successes,
        exact=Fraction(exact) if total != exact else None,
    )


def _last_rounding(expression: Expression) -> RoundWord:
    return expression.word if isinstance(expression, Rounding) else "floor"


class _JudgedPool(Struct):
    """A pool whose dice have fallen, with the value of each and the places of those that are kept."""

    pool: Pool
    number: int
    falls: list[_FallenDie]
    values: list[int]
    kept_places: set[int]


class _Table:
    """The dice rolled so far, and the room for those that others add."""

    def __init__(self, dice: Dice, expression: Expression) -> None:
        self._dice = dice
        self._extra_dice = extra_dice_max(expression)
        self._room = DICE_MAX - sum(pool.count for pool in pools(expression))
        self._pools = 0
        self.counted: list[CountedDie] = []
        self.successes: int | None = None

    def worth_before_rounding(self, expression: Expression) -> int | Fraction:
        """Roll an expression and return its total before its last rounding, if that is its last step."""
        match expression:
            case Rounding():
                return _plain(self.worth(expression.of))
            case Operation(sign="/"):
                left_worth = self.worth(expression.left)
                return _plain(Fraction(left_worth) / Fraction(self.worth(expression.right)))
            case _:
                return _plain(self.worth(expression))

    def worth(self, expression: Expression) -> int | Fraction:  # noqa: PLR0911 — one for each kind
        """Roll an expression and return its total."""
        match expression:
            case Whole() | Exact():
                return expression.value
            case Pool():
                return self._worth_of_pool(expression)
            case Group():
                return self._worth_of_group(expression)
            case Comparison():
                return int(self.worth(expression.of) in expression.faces)
            case Rounding():
                return rounded(expression.word, self.worth(expression.of))
            case Minus():
                return -self.worth(expression.of)
            case Operation():
                left_worth = self.worth(expression.left)
                return applied(expression.sign, left_worth, self.worth(expression.right))

    def _worth_of_pool(self, pool: Pool) -> int:
        fallen_pool = self._judged(pool)
        heads = [place for place in sorted(fallen_pool.kept_places) if fallen_pool.falls[place].first == place]
        sums = self._chain_sums(fallen_pool)
        kept_heads = kept_of(pool.keeps, pool.join, sums, {*heads})
        kept_places = {place for place in fallen_pool.kept_places if fallen_pool.falls[place].first in kept_heads}
        return self._count(fallen_pool, kept_places, pool.successes, sums)

    @staticmethod
    def _chain_sums(fallen_pool: _JudgedPool) -> list[int]:
        """The value of each die, together with those that add to it."""
        sums = [*fallen_pool.values]
        for place in fallen_pool.kept_places:
            first = fallen_pool.falls[place].first
            if first != place:
                sums[first] += fallen_pool.values[place]
        return sums

    def _judged(self, pool: Pool) -> _JudgedPool:
        """The dice of a pool, before any is dropped."""
        falls = self._fall(pool)
        number, self._pools = self._pools, self._pools + 1
        values = []
        for fall in falls:
            value = pool.value(fall.die.natural) - (pool.penetrating and fall.is_extra)
            values.append(pool.counted_value(value))
        kept_places = {place for place, fall in enumerate(falls) if not fall.rerolled}
        return _JudgedPool(pool, number, falls, values, kept_places)

    def _count(
        self, fallen_pool: _JudgedPool, kept_places: set[int], successes: Faces | None, sums: list[int]
    ) -> int:
        """Note the dice of a pool, and return what they are worth."""
        worth = 0
        for place, (fall, value) in enumerate(zip(fallen_pool.falls, fallen_pool.values, strict=True)):
            counts = place in kept_places
            success, fails = None, False
            if successes is not None:
                is_head = counts and fall.first == place
                success = is_head and sums[place] in successes
                failures = fallen_pool.pool.failures
                fails = is_head and failures is not None and sums[place] in failures
                self.successes = (self.successes or 0) + success - fails
                worth += success - fails
            elif counts:
                worth += value
            self.counted.append(
                CountedDie(
                    pool=fallen_pool.number,
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
                    failure=True if fails else UNSET,
                )
            )
        return worth

    def _worth_of_group(self, group: Group) -> int | Fraction:
        if len(group.parts) == 1:
            return self._worth_of_dice(group)
        worths, ranges = [], []
        for part in group.parts:
            start, before = len(self.counted), self.successes or 0
            worths.append(int(self.worth(part)))
            ranges.append((range(start, len(self.counted)), (self.successes or 0) - before))
        kept_places = kept_of(group.keeps, group.join, worths, {*range(len(worths))})
        for nth, (places, successes) in enumerate(ranges):
            if nth in kept_places:
                continue
            if self.successes is not None:
                self.successes -= successes
            for place in places:
                die = self.counted[place]
                success = None if die.success is None else False
                self.counted[place] = structs.replace(die, kept=False, success=success, failure=UNSET)
        if group.successes is not None:
            counted = sum(worths[nth] in group.successes for nth in kept_places)
            self.successes = (self.successes or 0) + counted
            return counted
        return sum(worths[nth] for nth in kept_places)

    def _worth_of_dice(self, group: Group) -> int:
        """Keeps dice of all pools of a group."""
        all_judged = [self._judged(pool) for pool in pools(group)]
        values: list[int] = []
        owners: list[tuple[int, int]] = []
        places: set[int] = set()
        for nth, fallen_pool in enumerate(all_judged):
            places |= {len(values) + place for place in fallen_pool.kept_places}
            values += fallen_pool.values
            owners += [(nth, place) for place in range(len(fallen_pool.values))]
        kept_places = {owners[place] for place in kept_of(group.keeps, group.join, values, places)}
        return sum(
            self._count(
                fallen_pool,
                {place for which, place in kept_places if which == nth},
                group.successes,
                fallen_pool.values,
            )
            for nth, fallen_pool in enumerate(all_judged)
        )

    def _fall(self, pool: Pool) -> list[_FallenDie]:
        """The pool's dice in the order they are rolled, wave after wave."""
        falls = [self._draw(pool, "roll", self._extra_dice) for _ in range(pool.count)]
        for place, fall in enumerate(falls):
            fall.first = place
        explosions = pool.explosions_max
        wave = [*enumerate(falls)]
        while wave:
            next_wave = []
            for place, fall in wave:
                following = self._following(pool, fall, may_explode=explosions is None or explosions > 0)
                if following is None:
                    continue
                if fall.exploded and explosions is not None:
                    explosions -= 1
                adds = pool.compound and (fall.exploded or fall.first != place)
                following.first = fall.first if adds else len(falls)
                next_wave.append((len(falls), following))
                falls.append(following)
            wave = next_wave
        return falls

    def _following(self, pool: Pool, fall: _FallenDie, *, may_explode: bool) -> _FallenDie | None:
        """The die that replaces this one, or that it adds by exploding."""
        value = pool.value(fall.die.natural)
        if not fall.extra_dice or not self._room:
            return None
        if pool.reroll is not None and value in pool.reroll and not (pool.reroll_once and fall.role == "reroll"):
            fall.rerolled = True
            return self._draw_more(pool, "reroll", fall)
        spent = pool.explode_once and fall.is_extra
        if pool.explode is not None and value in pool.explode and may_explode and not spent:
            fall.exploded = True
            return self._draw_more(pool, "explosion", fall)
        return None

    def _draw_more(self, pool: Pool, role: Role, fall: _FallenDie) -> _FallenDie:
        self._room -= 1
        following = self._draw(pool, role, fall.extra_dice - 1)
        following.is_extra = fall.is_extra or role == "explosion"
        return following

    def _draw(self, pool: Pool, role: Role, extra_dice: int) -> _FallenDie:
        return _FallenDie(self._dice.roll(pool.sides), role, extra_dice)


def _plain(value: int | Fraction) -> int | Fraction:
    """A fraction that is whole as a whole number."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value
