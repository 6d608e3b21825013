"""The catalogue: categories, prices and attributes that a campaign is played with (FS-3).

Codes: catalogue_in_use, duplicate_attribute, category_incomplete, catalogue_empty; unknown_category,
unknown_attribute.
"""

from typing import NamedTuple

from msgspec import structs

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import in_a_row, say
from domain.systems.frame_state.access import require_active_frame, require_handler
from domain.systems.frame_state.commands import CategoryDraft, DefineCatalogue
from domain.systems.frame_state.events import CatalogueDefined
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import (
    Attribute,
    Build,
    Catalogue,
    Category,
    Frame,
    FrameState,
    Pilot,
    Pool,
)
from domain.systems.frame_state.tables import (
    HIGHEST_GRADE,
    LISTS_TO_BEGIN_WITH,
    PRESETS,
    Owner,
    Preset,
    PresetCategory,
)
from domain.systems.frame_state.term_words import name_of_key


def define_catalogue(
    state: FrameState, context: CommandContext, command: DefineCatalogue
) -> list[CatalogueDefined]:
    """FS-C1: define the whole catalogue, with the additions of a preset.

    Where neither the command nor the preset names attributes, the preset's categories get lists to begin with.
    """
    require_handler(context, "FS-C1")
    if state.pilots or state.frames:
        raise Rejection(
            "catalogue_in_use", "A sheet already uses the catalogue; it can no longer change.", rule="FS-C1"
        )
    preset = PRESETS[command.preset] if command.preset is not None else Preset(categories={})
    ids = sorted(preset.categories.keys() | command.categories.keys())
    if not ids:
        raise Rejection("catalogue_empty", "A catalogue needs at least one category, or a preset.", rule="FS-C1")
    drafts = {id_: command.categories.get(id_, CategoryDraft()) for id_ in ids}
    categories = {id_: _completed(id_, drafts[id_], preset.categories.get(id_)) for id_ in ids}
    attribute_ids = {key for category in categories.values() for key in category.attributes}
    then = next((event for event in context.outcome if isinstance(event, CatalogueDefined)), None)
    listed = [id_ for id_ in ids if id_ in preset.categories and _is_bare(drafts[id_], categories[id_])]
    if then is not None and not then.listed:
        listed = []  # in old logs, no category got a list
    for id_ in listed:
        categories[id_] = structs.replace(categories[id_], attributes=_list_to_begin_with(id_, attribute_ids))
    _refuse_duplicates(categories)
    settings: Settings = context.settings
    return [
        CatalogueDefined(
            categories=categories,
            preset=command.preset,
            starting_currency=(
                preset.starting_currency if settings.starting_currency is None else settings.starting_currency
            ),
            new_frame_price=(
                preset.new_frame_price if command.new_frame_price is None else command.new_frame_price
            ),
            warnings=[
                f"One tenth of {category.cost} is no whole number, so a refit of {id_} is rounded up."
                for id_, category in categories.items()
                if category.cost % 10
            ],
            listed=listed,
            short_of_room=[id_ for id_ in ids if categories[id_].starting_points > _room(categories[id_])],
        )
    ]


def _is_bare(draft: CategoryDraft, category: Category) -> bool:
    """Whether the attributes of a category are left out; an empty list says that it has none."""
    return draft.attributes is None and not category.attributes


def _list_to_begin_with(id_: str, attribute_ids: set[str]) -> dict[str, Attribute]:
    """The attributes that a preset's category begins with, but for those that the group has elsewhere."""
    return {
        key: Attribute(type=type_) for key, type_ in LISTS_TO_BEGIN_WITH[id_].items() if key not in attribute_ids
    }


def _room(category: Category) -> int:
    """How many points a category's attributes take (FS-10)."""
    return sum(HIGHEST_GRADE - attribute.base for attribute in category.attributes.values())


def _completed(id_: str, draft: CategoryDraft, preset: PresetCategory | None) -> Category:
    """A category with all its values. Raises `category_incomplete`."""
    owner, points, cost, limit, attributes = (
        draft.owner,
        draft.starting_points,
        draft.cost,
        draft.advance_limit,
        draft.attributes,
    )
    if preset is not None:
        owner = preset.owner if owner is None else owner
        points = preset.starting_points if points is None else points
        cost = preset.cost if cost is None else cost
        limit = preset.advance_limit if limit is None else limit
    if owner is None or cost is None or limit is None:
        raise Rejection(
            "category_incomplete",
            say(
                "The category “{category}” needs an owner, a cost and a limit of advances.",
                category=name_of_key(id_),
            ),
            rule="FS-3",
        )
    if attributes is not None:
        complete_attributes = {
            key: Attribute(type=attribute.type, base=attribute.base) for key, attribute in attributes.items()
        }
    else:
        bases = preset.attributes if preset is not None else {}
        complete_attributes = {key: Attribute(type="die", base=base) for key, base in bases.items()}
    return Category(
        owner=owner, starting_points=points or 0, cost=cost, advance_limit=limit, attributes=complete_attributes
    )


def _refuse_duplicates(categories: dict[str, Category]) -> None:
    """Raise `duplicate_attribute` unless attribute ids are unique across categories."""
    home: dict[str, str] = {}
    for id_, category in categories.items():
        for attribute in category.attributes:
            if attribute in home:
                raise Rejection(
                    "duplicate_attribute",
                    say(
                        "The attribute “{attribute}” is in both “{first}” and “{second}”; "
                        "every attribute belongs to one category.",
                        attribute=name_of_key(attribute),
                        first=name_of_key(home[attribute]),
                        second=name_of_key(id_),
                    ),
                    rule="FS-3",
                )
            home[attribute] = id_


def defined(state: FrameState, event: CatalogueDefined) -> None:
    """Replace the catalogue."""
    state.catalogue = Catalogue(
        categories=event.categories,
        starting_currency=event.starting_currency,
        new_frame_price=event.new_frame_price,
    )


def starting_pools(catalogue: Catalogue, owner: Owner) -> dict[str, Pool]:
    """The pools of a new pilot or frame."""
    return {
        id_: Pool(granted=category.starting_points)
        for id_, category in sorted(catalogue.categories.items())
        if category.owner == owner
    }


def find_category(catalogue: Catalogue, category: str, rule: str) -> Category:
    """The category of this key. Raises `unknown_category` with the existing ones."""
    known_category = catalogue.categories.get(category)
    if known_category is None:
        raise Rejection(
            "unknown_category",
            say(
                "The catalogue has no category “{category}”; it has {known}.",
                category=category,
                known=in_a_row(map(name_of_key, sorted(catalogue.categories))),
            ),
            rule=rule,
            choices=sorted(catalogue.categories),
        )
    return known_category


class AttributeInCategory(NamedTuple):
    """An attribute with the category it belongs to."""

    category_id: str
    category: Category
    attribute: Attribute


def place_of(catalogue: Catalogue | None, attribute: str) -> AttributeInCategory | None:
    """The place of an attribute in the catalogue; None if it has none."""
    for id_, category in (catalogue.categories if catalogue is not None else {}).items():
        if attribute in category.attributes:
            return AttributeInCategory(id_, category, category.attributes[attribute])
    return None


def find_attribute(catalogue: Catalogue, attribute: str, rule: str) -> AttributeInCategory:
    """The place of an attribute. Raises `unknown_attribute` with the existing ones."""
    place = place_of(catalogue, attribute)
    if place is None:
        attribute_ids = sorted(key for category in catalogue.categories.values() for key in category.attributes)
        raise Rejection(
            "unknown_attribute",
            say(
                "The catalogue has no attribute “{attribute}”; it has {known}.",
                attribute=attribute,
                known=in_a_row(map(name_of_key, attribute_ids)) if attribute_ids else say("none"),
            ),
            rule=rule,
            choices=attribute_ids,
        )
    return place


class Holder(NamedTuple):
    """The build that holds a category's points: the pilot's own, or that of the frame they fly."""

    build: Build
    frame: Frame | None

    @property
    def frame_id(self) -> str | None:
        """The frame's id, as events carry it."""
        return self.frame.frame_id if self.frame is not None else None


def holder_of(state: FrameState, pilot: Pilot, category: Category, rule: str) -> Holder:
    """The build that a category's points live in. Raises `no_active_frame`."""
    if category.owner == "pilot":
        return Holder(pilot.build, None)
    frame = require_active_frame(state, pilot, rule)
    return Holder(frame.build, frame)


def build_of(state: FrameState, pilot: str, frame: str | None) -> Build | None:
    """The build that a stored event means, if it still exists."""
    if frame is None:
        owner = state.pilots.get(pilot)
        return owner.build if owner is not None else None
    machine = state.frames.get(frame)
    return machine.build if machine is not None else None
