"""The meaning of the same notation in other tools: for each, a table of differences over one grammar."""

from typing import Final, Literal

from msgspec import Struct

from domain.dice.notation import Join, RoundWord

Notation = Literal["fieldlog", "roll20", "foundry", "avrae"]
"""The tools whose notation a campaign may speak."""

Limited = Literal["count", "explode", "reroll"]


class Dialect(Struct, frozen=True):
    """The differences of a tool from the grammar of `domain.dice.notation`; the defaults are none."""

    title: str
    includes: frozenset[Limited] = frozenset()
    """The modifiers in which `>` and `<` include the number."""
    rerolls_once: bool = False
    """`r` rerolls once; `rr` does until none is left."""
    bare_faces_are_limits: bool = False
    """`r2` is two or less, `e8` eight or more, each once."""
    numbers_explosions: bool = False
    """`x5=10` explodes on ten, five times at most."""
    words_only_mark: bool = False
    """`cs` and `cf` only mark dice; the pool is worth its sum."""
    words_count_failures: bool = False
    """`cf` counts dice as `cs` does."""
    compares_totals: bool = False
    """`>`, `<` and `=` compare a whole total."""
    keeps_faces: bool = False
    """`k3` keeps the dice that show 3, and `p3` drops them."""
    join: Join = ""
    """How several keeps go together."""
    division: RoundWord | None = None
    """How a total with fractions is rounded at its end; None: `/` rounds down wherever it stands."""
    tens: bool = False
    """`d%` is one of 0, 10 … 90."""
    signs_advantage: bool = False
    """`+d20` and `-d20` have advantage and disadvantage."""


DIALECTS: Final[dict[str, Dialect]] = {
    "fieldlog": Dialect("Fieldlog"),
    "roll20": Dialect(
        "Roll20",
        includes=frozenset({"count", "explode", "reroll"}),
        words_only_mark=True,
        division="floor",
    ),
    "foundry": Dialect(
        "Foundry VTT",
        rerolls_once=True,
        numbers_explosions=True,
        words_count_failures=True,
        division="floor",
    ),
    "avrae": Dialect(
        "Avrae",
        compares_totals=True,
        keeps_faces=True,
        join="|",
        division="trunc",
        tens=True,
    ),
    "rpg-dice-roller": Dialect("RPG Dice Roller", words_only_mark=True, join="&", division="floor"),
    "dice_maiden": Dialect("Dice Maiden", bare_faces_are_limits=True, signs_advantage=True),
}
"""Every tool whose readings are known. Campaigns speak one of the first four."""
