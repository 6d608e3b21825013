"""Values derived from points: grades, the offer of an attribute, and unspent points (FS-4)."""

from domain.systems.frame_state.state import Attribute, Build, Category
from domain.systems.frame_state.tables import BLANK, GRADES, HIGHEST_GRADE

REFIT_SHARE = 10
"""A refit costs one tenth of an advance (FS-14)."""


def grade(attribute: Attribute, invested: int) -> int:
    """Base grade plus placed points; never below base (FS-A8)."""
    return attribute.base + max(0, invested)


def die_of_grade(of: int) -> str | None:
    """The die of a grade, a d12 for everything above; None for grade 0, which is blank."""
    return GRADES[min(of, HIGHEST_GRADE)].die if of > 0 else None


def offer(attribute: Attribute, invested: int) -> int | str:
    """The offer of an attribute: a die (`d8`, `d12+1`, or a dash for none), or its value."""
    reached = grade(attribute, invested)
    if attribute.type == "val":
        return reached
    past = beyond(attribute, invested)
    return f"{die_of_grade(reached)}+{past}" if past else die_of_grade(reached) or BLANK


def experimental(build: Build, attribute: str) -> int:
    """The sum of an attribute's experimental upgrades (FS-A12)."""
    return sum(build.experimental.get(attribute, []))


def beyond(attribute: Attribute, invested: int) -> int:
    """Grades past d12, each worth +1 if a setting allows them (FS-A5)."""
    return max(0, grade(attribute, invested) - HIGHEST_GRADE) if attribute.type == "die" else 0


def pool_maximum(build: Build, category_id: str) -> int:
    """All points of a category, placed or not."""
    pool = build.pools.get(category_id)
    return pool.granted + pool.advances if pool is not None else 0


def invested_in(build: Build, category: Category) -> int:
    """Points placed in a category's attributes."""
    return sum(build.invested.get(attribute, 0) for attribute in category.attributes)


def unspent(build: Build, category_id: str, category: Category) -> int:
    """Points of a category that are not placed."""
    return pool_maximum(build, category_id) - invested_in(build, category)


def advances(build: Build, category_id: str) -> int:
    """How often a category was advanced."""
    pool = build.pools.get(category_id)
    return pool.advances if pool is not None else 0


def refit_cost(category: Category) -> int:
    """One tenth of the price, rounded up (FS-A9)."""
    return -(-category.cost // REFIT_SHARE)
