"""Point buy, refits and experimental upgrades: how grades grow and move (FS-9, FS-10, FS-13, FS-14).

Codes: attribute_not_in_category, no_unspent_point, attribute_at_maximum, same_attribute, no_invested_point,
insufficient_currency, refit_frames_only, experimental_out_of_range.
"""

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import Sentence, say
from domain.systems.frame_state.access import (
    find_pilot,
    require_between_missions,
    require_catalogue,
    require_handler,
    require_player_of,
)
from domain.systems.frame_state.attributes import experimental, grade, offer, refit_cost, unspent
from domain.systems.frame_state.catalogue import (
    AttributeInCategory,
    Holder,
    build_of,
    find_attribute,
    find_category,
    holder_of,
    place_of,
)
from domain.systems.frame_state.commands import AllocatePoint, InstallExperimental, Refit
from domain.systems.frame_state.events import (
    CurrencySpent,
    ExperimentalInstalled,
    PointAllocated,
    PointGranted,
    PointLost,
)
from domain.systems.frame_state.ledger import spend
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Build, Catalogue, Category, FrameState, Pilot
from domain.systems.frame_state.tables import BEYOND_D12_CATEGORY, EXPERIMENTAL_RANGE, HIGHEST_GRADE
from domain.systems.frame_state.term_words import name_of_key


def allocate_point(state: FrameState, context: CommandContext, command: AllocatePoint) -> list[PointAllocated]:
    """FS-C6: one unspent point of a category becomes one grade of its attribute."""
    catalogue = require_catalogue(state, "FS-C6")
    pilot = find_pilot(state, context, command.pilot, "FS-C6")
    require_player_of(pilot, context, "FS-C6")
    category = find_category(catalogue, command.category, "FS-C6")
    holder = holder_of(state, pilot, category, "FS-C6")
    target = _within(catalogue, command.category, command.attribute, "FS-C6")
    points_left = unspent(holder.build, command.category, category)
    if points_left < 1:
        raise Rejection(
            "no_unspent_point",
            say(
                "Every point of {category} is placed; advance the category or refit first.",
                category=name_of_key(command.category),
            ),
            rule="FS-9",
        )
    _refuse_at_maximum(target, command.attribute, holder.build, context.settings)
    if points_left <= holder.build.freed.get(command.attribute, 0):
        raise Rejection(
            "same_attribute",
            say(
                "A refit took this point out of {attribute}; it goes to another attribute.",
                attribute=name_of_key(command.attribute),
            ),
            rule="FS-A10",
        )
    require_between_missions(state, pilot, "FS-A18")
    allocated = _allocated(pilot, holder, target, command.attribute, unspent_after=points_left - 1)
    return [replace(allocated, freed_from=_freed_elsewhere(holder.build, category, command.attribute))]


def refit(
    state: FrameState, context: CommandContext, command: Refit
) -> list[CurrencySpent | PointLost | PointAllocated | PointGranted]:
    """FS-C13: for a tenth of the category's price, a placed point moves, or comes free."""
    catalogue = require_catalogue(state, "FS-C13")
    pilot = find_pilot(state, context, command.pilot, "FS-C13")
    require_player_of(pilot, context, "FS-C13")
    category = find_category(catalogue, command.category, "FS-C13")
    settings: Settings = context.settings
    if settings.refit_scope == "frame" and category.owner != "frame":
        raise Rejection(
            "refit_frames_only",
            say(
                "In this campaign only frames are refitted, and {category} belongs to the pilot.",
                category=name_of_key(command.category),
            ),
            rule="FS-A10",
        )
    holder = holder_of(state, pilot, category, "FS-C13")
    require_between_missions(state, pilot, "FS-C13")
    source = _within(catalogue, command.category, command.from_attribute, "FS-C13")
    target = None
    if command.to_attribute is not None:
        target = _within(catalogue, command.category, command.to_attribute, "FS-C13")
        if command.to_attribute == command.from_attribute:
            raise Rejection("same_attribute", "A refit moves the point to another attribute.", rule="FS-A10")
    invested = holder.build.invested.get(command.from_attribute, 0)
    if invested < 1:
        raise Rejection(
            "no_invested_point",
            say(
                "No point has been placed in {attribute}; base grades and experimental upgrades cannot be moved.",
                attribute=name_of_key(command.from_attribute),
            ),
            rule="FS-14",
        )
    if target is not None and command.to_attribute is not None:
        _refuse_at_maximum(target, command.to_attribute, holder.build, settings)
    spent = spend(pilot, refit_cost(category), "refit", "FS-14", frame=holder.frame, category=command.category)
    lost = PointLost(
        pilot=pilot.pilot_id,
        frame=holder.frame_id,
        category=command.category,
        attribute=command.from_attribute,
        from_=offer(source.attribute, invested),
        to=offer(source.attribute, invested - 1),
        refit_scope=settings.refit_scope,
    )
    points_left = unspent(holder.build, command.category, category)
    if target is not None and command.to_attribute is not None:
        return [spent, lost, _allocated(pilot, holder, target, command.to_attribute, unspent_after=points_left)]
    granted = PointGranted(
        pilot=pilot.pilot_id,
        frame=holder.frame_id,
        category=command.category,
        unspent_after=points_left + 1,
        freed_from=command.from_attribute,
    )
    return [spent, lost, granted]


def install_experimental(
    state: FrameState, context: CommandContext, command: InstallExperimental
) -> list[ExperimentalInstalled]:
    """FS-C14: +1 to +3 on every result of an attribute, beside points and beyond every ceiling."""
    require_handler(context, "FS-C14")
    catalogue = require_catalogue(state, "FS-C14")
    pilot = find_pilot(state, context, command.pilot, "FS-C14")
    least, most = EXPERIMENTAL_RANGE
    if not least <= command.value <= most:
        raise Rejection(
            "experimental_out_of_range",
            out_of_range(command.value),
            rule="FS-13",
        )
    place = find_attribute(catalogue, command.attribute, "FS-C14")
    holder = holder_of(state, pilot, place.category, "FS-C14")
    return [
        ExperimentalInstalled(
            pilot=pilot.pilot_id,
            frame=holder.frame_id,
            attribute=command.attribute,
            value=command.value,
            bonus_total=experimental(holder.build, command.attribute) + command.value,
            offer=offer(place.attribute, holder.build.invested.get(command.attribute, 0)),
            note=command.note,
        )
    ]


def _within(catalogue: Catalogue, category_id: str, attribute: str, rule: str) -> AttributeInCategory:
    """The attribute. Raises `attribute_not_in_category`, because pools never mix (FS-9)."""
    place = find_attribute(catalogue, attribute, rule)
    if place.category_id != category_id:
        raise Rejection(
            "attribute_not_in_category",
            say(
                "{attribute} belongs to {home}, not to {category}; points never move between categories.",
                attribute=name_of_key(attribute),
                home=name_of_key(place.category_id),
                category=name_of_key(category_id),
            ),
            rule="FS-9",
        )
    return place


def _refuse_at_maximum(place: AttributeInCategory, attribute: str, build: Build, settings: Settings) -> None:
    """Raise `attribute_at_maximum` for a d12 or a 5, except where Tuning may grow (FS-10, FS-A5)."""
    if grade(place.attribute, build.invested.get(attribute, 0)) < HIGHEST_GRADE:
        return
    if settings.beyond_d12_bonus and may_go_beyond(place):
        return
    sentence = say(
        "{attribute} is already at 5; only experimental upgrades go beyond that.", attribute=name_of_key(attribute)
    )
    if place.attribute.type == "die":
        sentence = say(
            "{attribute} is already a d12; only experimental upgrades go beyond that.",
            attribute=name_of_key(attribute),
        )
    raise Rejection("attribute_at_maximum", sentence, rule="FS-10")


def out_of_range(value: int) -> Sentence:
    """The rejection of an experimental upgrade that is out of range (FS-13)."""
    least, most = EXPERIMENTAL_RANGE
    return say(
        "An experimental upgrade is worth +{least} to +{most}, not {value}.",
        least=least,
        most=most,
        value=f"{value:+}",
    )


def may_go_beyond(place: AttributeInCategory) -> bool:
    """Whether an attribute is one of Tuning's dice, which may grow past d12."""
    return place.category_id == BEYOND_D12_CATEGORY and place.attribute.type == "die"


def _freed_elsewhere(build: Build, category: Category, attribute: str) -> str | UnsetType:
    """An attribute from which a refit freed a point that this one may take; unset: there is no such point."""
    others = (other for other in sorted(category.attributes) if other != attribute)
    return next((other for other in others if build.freed.get(other, 0) > 0), UNSET)


def _allocated(
    pilot: Pilot, holder: Holder, place: AttributeInCategory, attribute: str, *, unspent_after: int
) -> PointAllocated:
    """The event of a point placed in an attribute."""
    invested = holder.build.invested.get(attribute, 0)
    return PointAllocated(
        pilot=pilot.pilot_id,
        frame=holder.frame_id,
        category=place.category_id,
        attribute=attribute,
        from_=offer(place.attribute, invested),
        to=offer(place.attribute, invested + 1),
        unspent_after=unspent_after,
        beyond_d12_bonus=grade(place.attribute, invested) >= HIGHEST_GRADE,
    )


def point_allocated(state: FrameState, event: PointAllocated) -> None:
    """Add the points, up to the ceiling unless the event was allowed past it."""
    build = build_of(state, event.pilot, event.frame)
    if build is None:
        return
    before = build.invested.get(event.attribute, 0)
    after = before + event.points
    if not event.beyond_d12_bonus:
        place = place_of(state.catalogue, event.attribute)
        base = place.attribute.base if place is not None else 0
        after = max(before, min(after, HIGHEST_GRADE - base))
    build.invested[event.attribute] = after
    if event.freed_from is not UNSET:
        _free(build, event.freed_from, -event.points)


def point_lost(state: FrameState, event: PointLost) -> None:
    """Take the points away, but not below the base grade."""
    build = build_of(state, event.pilot, event.frame)
    if build is not None:
        build.invested[event.attribute] = max(0, build.invested.get(event.attribute, 0) - event.points)


def point_granted(state: FrameState, event: PointGranted) -> None:
    """Remember out of which attribute the refit took its point."""
    build = build_of(state, event.pilot, event.frame)
    if build is not None and event.freed_from is not UNSET:
        _free(build, event.freed_from, 1)


def _free(build: Build, attribute: str, points: int) -> None:
    build.freed[attribute] = max(0, build.freed.get(attribute, 0) + points)


def experimental_installed(state: FrameState, event: ExperimentalInstalled) -> None:
    """Add the part to those installed (FS-A12)."""
    build = build_of(state, event.pilot, event.frame)
    if build is not None:
        build.experimental.setdefault(event.attribute, []).append(event.value)
