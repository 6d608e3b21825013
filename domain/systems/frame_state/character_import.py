"""Imports a pilot from a sheet of another campaign.

The sheet is what `GET …/sheets/{character}` returns. Values that follow from points and prices may be left out
of it; where they are given, they must agree with this campaign's catalogue. Missions and open tests are not
imported.

Codes: sheet_invalid, no_catalogue, unknown_category, unknown_attribute, points_overspent, advance_limit_reached,
attribute_above_maximum, experimental_out_of_range, frame_already_active. Every one comes with the `path` in the
sheet that it is about.
"""

from typing import Any

import msgspec
from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.sheet_import import read_sheet, refuse_sheet
from domain.sentences import Sentence, join_parts, say
from domain.systems.frame_state.access import require_catalogue
from domain.systems.frame_state.attributes import grade, invested_in, pool_maximum, unspent
from domain.systems.frame_state.catalogue import AttributeInCategory, place_of
from domain.systems.frame_state.events import PilotAdopted
from domain.systems.frame_state.imported_sheet import (
    AdoptedAttribute,
    AdoptedFrame,
    AdoptedPilot,
    AdoptedPool,
)
from domain.systems.frame_state.point_buy import may_go_beyond, out_of_range
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Build, Catalogue, Frame, FrameState, Pilot, Pool
from domain.systems.frame_state.tables import EXPERIMENTAL_RANGE, HIGHEST_GRADE, Owner
from domain.systems.frame_state.term_words import name_of_key


def adopt(state: FrameState, sheet: dict[str, Any], context: CommandContext) -> list[PilotAdopted]:
    """The events that import the pilot of a sheet for its player, whom the campaign has filled in."""
    catalogue = require_catalogue(state, "FS-C4")
    adoptee = read_sheet(sheet, AdoptedPilot, context)
    checked = _BuildCheck(catalogue, context.settings)
    pilot_id = derive_id("pilot", context.action_id)
    ids = {frame.frame_id: derive_id("frame", context.action_id, nth) for nth, frame in enumerate(adoptee.frames)}
    if len(ids) < len(adoptee.frames):
        refuse_sheet("sheet_invalid", "frames", say("Two of these frames have the same id."))
    if sum(frame.status == "active" for frame in adoptee.frames) > 1:
        refuse_sheet("frame_already_active", "frames", say("A pilot controls one active frame."), "FS-C5")
    return [
        PilotAdopted(
            pilot_id=pilot_id,
            player_id=adoptee.player,
            name=adoptee.name,
            currency=adoptee.currency,
            build=checked.build("", "pilot", adoptee.pools, adoptee.attributes),
            frames=[
                _frame(checked, frame, f"frames[{nth}]", pilot_id, ids) for nth, frame in enumerate(adoptee.frames)
            ],
            background=adoptee.background,
        )
    ]


def _frame(checked: "_BuildCheck", frame: AdoptedFrame, path: str, pilot_id: str, ids: dict[str, str]) -> Frame:
    """A machine under its new id, with its ledger checked."""
    total = frame.carried_cost + sum(frame.upgrade_costs.values())
    if frame.upgrade_cost_total not in (None, total):
        refuse_sheet(
            "sheet_invalid",
            f"{path}.upgrade_cost_total",
            say(
                "Its upgrades and what it carries come to {total}, not to {said}.",
                total=total,
                said=frame.upgrade_cost_total or 0,
            ),
            "FS-12",
        )
    for category in frame.upgrade_costs:
        checked.category(category, "frame", f"{path}.upgrade_costs.{category}")
    if (frame.replaced_by is not None) != (frame.status == "replaced") or frame.replaced_by == frame.frame_id:
        refuse_sheet(
            "sheet_invalid", f"{path}.replaced_by", say("A replaced frame, and no other, names its successor.")
        )
    if frame.replaced_by is not None and frame.replaced_by not in ids:
        refuse_sheet("sheet_invalid", f"{path}.replaced_by", say("The sheet has no frame of that id."))
    if frame.salvaged and frame.status == "active":
        refuse_sheet("sheet_invalid", f"{path}.salvaged", say("Only a wreck is salvaged."), "FS-C17")
    return Frame(
        frame_id=ids[frame.frame_id],
        pilot_id=pilot_id,
        name=frame.name,
        build=checked.build(f"{path}.", "frame", frame.pools, frame.attributes),
        status=frame.status,
        upgrade_cost_total=total,
        upgrade_costs=dict(frame.upgrade_costs),
        carried_cost=frame.carried_cost,
        refit_credit=frame.refit_credit,
        salvaged=frame.salvaged,
        replaced_by=ids[frame.replaced_by] if frame.replaced_by is not None else None,
        price_due=UNSET if frame.price_due is None else frame.price_due,
    )


def _no_such_category(owner: Owner, categories: list[str]) -> Sentence:
    """The categories that the catalogue has instead, for a pilot or for a frame."""
    if not categories:
        return say("The catalogue has no category here at all.")
    if owner == "pilot":
        return say(
            "The catalogue has no such category for a pilot; it has {known}.",
            known=join_parts(map(name_of_key, categories)),
        )
    return say(
        "The catalogue has no such category for a frame; it has {known}.",
        known=join_parts(map(name_of_key, categories)),
    )


def _no_such_attribute(owner: Owner) -> Sentence:
    if owner == "pilot":
        return say("The catalogue has no such attribute for a pilot.")
    return say("The catalogue has no such attribute for a frame.")


class _BuildCheck:
    """The builds of a sheet, checked against the catalogue and the settings."""

    def __init__(self, catalogue: Catalogue, settings: Settings) -> None:
        self._catalogue = catalogue
        self._settings = settings

    def build(
        self,
        path: str,
        owner: Owner,
        pools: dict[str, AdoptedPool],
        attributes: dict[str, AdoptedAttribute],
    ) -> Build:
        """Pools and points of a pilot or a frame; `path` is their place in the sheet, with a final dot."""
        build = Build()
        for id_, category in sorted(self._catalogue.categories.items()):
            if category.owner == owner:
                build.pools[id_] = self._pool(pools.get(id_), id_, f"{path}pools.{id_}")
        for id_ in pools:
            self.category(id_, owner, f"{path}pools.{id_}")
        for key, attribute in attributes.items():
            self._attribute(build, owner, key, attribute, f"{path}attributes.{key}")
        for id_ in build.pools:
            self._points_suffice(build, id_, pools.get(id_), f"{path}pools.{id_}")
        return build

    def category(self, id_: str, owner: Owner, path: str) -> None:
        """The category, which must belong to a pilot or a frame as the sheet says."""
        category = self._catalogue.categories.get(id_)
        if category is None or category.owner != owner:
            category_ids = sorted(key for key, other in self._catalogue.categories.items() if other.owner == owner)
            refuse_sheet(
                "unknown_category",
                path,
                _no_such_category(owner, category_ids),
                "FS-3",
            )

    def _pool(self, pool: AdoptedPool | None, id_: str, path: str) -> Pool:
        """The points of one category; a category that the sheet leaves out has its starting points."""
        category = self._catalogue.categories[id_]
        if pool is None:
            return Pool(granted=category.starting_points)
        if pool.advances > category.advance_limit:
            refuse_sheet(
                "advance_limit_reached",
                f"{path}.advances",
                say(
                    "{category} can be advanced {limit} times, not {advances}.",
                    category=name_of_key(id_),
                    limit=category.advance_limit,
                    advances=pool.advances,
                ),
                "FS-11",
            )
        return Pool(granted=pool.granted, advances=pool.advances)

    def _attribute(
        self, build: Build, owner: Owner, key: str, sheet_attribute: AdoptedAttribute, path: str
    ) -> None:
        """Points and experimental parts of one attribute."""
        place = place_of(self._catalogue, key)
        if place is None or place.category.owner != owner:
            refuse_sheet("unknown_attribute", path, _no_such_attribute(owner), "FS-3")
        self._agrees(place, sheet_attribute, path)
        may_pass = self._settings.beyond_d12_bonus and may_go_beyond(place)
        if grade(place.attribute, sheet_attribute.invested) > HIGHEST_GRADE and not may_pass:
            refuse_sheet(
                "attribute_above_maximum",
                f"{path}.invested",
                say(
                    "With {points} points it would be above grade {highest}.",
                    points=sheet_attribute.invested,
                    highest=HIGHEST_GRADE,
                ),
                "FS-10",
            )
        least, most = EXPERIMENTAL_RANGE
        for nth, value in enumerate(sheet_attribute.experimental):
            if not least <= value <= most:
                refuse_sheet(
                    "experimental_out_of_range",
                    f"{path}.experimental[{nth}]",
                    out_of_range(value),
                    "FS-13",
                )
        if sheet_attribute.invested:
            build.invested[key] = sheet_attribute.invested
        if sheet_attribute.experimental:
            build.experimental[key] = list(sheet_attribute.experimental)
        if sheet_attribute.freed:
            build.freed[key] = sheet_attribute.freed

    def _agrees(self, place: AttributeInCategory, sheet_attribute: AdoptedAttribute, path: str) -> None:
        """Raise where the sheet's copy of the catalogue's values differs from this catalogue."""
        pairs: dict[str, tuple[object, object]] = {
            "category": (sheet_attribute.category, place.category_id),
            "type": (sheet_attribute.type, place.attribute.type),
            "base": (sheet_attribute.base, place.attribute.base),
            "grade": (sheet_attribute.grade, grade(place.attribute, sheet_attribute.invested)),
        }
        for field, (sheet_value, here) in pairs.items():
            if sheet_value not in (None, here):
                refuse_sheet(
                    "sheet_invalid",
                    f"{path}.{field}",
                    say("Here that is {here}, not {said}.", here=str(here), said=str(sheet_value)),
                )

    def _points_suffice(self, build: Build, id_: str, pool: AdoptedPool | None, path: str) -> None:
        """Raise where more points are placed than there are."""
        category = self._catalogue.categories[id_]
        points_left, maximum = unspent(build, id_, category), pool_maximum(build, id_)
        if points_left < 0:
            placed = invested_in(build, category)
            refuse_sheet(
                "points_overspent",
                path,
                say(
                    "{placed} points are placed, but only {maximum} are available.", placed=placed, maximum=maximum
                ),
                "FS-9",
            )
        for field, sheet_value, here in (
            ("maximum", pool.maximum if pool is not None else None, maximum),
            ("unspent", pool.unspent if pool is not None else None, points_left),
        ):
            if sheet_value not in (None, here):
                refuse_sheet(
                    "sheet_invalid",
                    f"{path}.{field}",
                    say("From its points that is {here}, not {said}.", here=here, said=sheet_value or 0),
                )


def pilot_adopted(state: FrameState, event: PilotAdopted) -> None:
    """Add an imported pilot."""
    state.pilots[event.pilot_id] = Pilot(
        pilot_id=event.pilot_id,
        player_id=event.player_id,
        name=event.name,
        currency=event.currency,
        build=_own(event.build, Build),
        background=event.background,
        frames=[frame.frame_id for frame in event.frames],
    )
    for frame in event.frames:
        state.frames[frame.frame_id] = _own(frame, Frame)


def _own(thing: Any, kind: type[Any]) -> Any:
    """A copy for the state, because an event may be folded into several states."""
    return msgspec.convert(msgspec.to_builtins(thing), kind)
