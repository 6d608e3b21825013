"""The builder of a pilot: the pilot, their machine, and every point of both (FS-C4, FS-C5, FS-C6)."""

from collections.abc import Iterator, Mapping
from typing import Any

from domain.ids import COMMANDS_TOGETHER_MAX
from domain.mechanics.builders import Builder, Counter, CounterGroup, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.frame_state.attributes import offer
from domain.systems.frame_state.commands import AllocatePoint, CreatePilot, CreateUnit
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Attribute, Category, FrameState
from domain.systems.frame_state.tables import HIGHEST_GRADE
from domain.systems.frame_state.term_words import name_of_key


def _categories(state: FrameState) -> list[tuple[str, Category]]:
    """The categories with something to put points into, the pilot's first."""
    categories = {} if state.catalogue is None else state.catalogue.categories
    pairs = [(key, category) for key, category in categories.items() if category.attributes]
    return sorted(pairs, key=lambda pair: (pair[1].owner == "frame", pair[0]))


def _room(attribute: Attribute) -> int:
    """How many points an attribute takes at creation (FS-10)."""
    return HIGHEST_GRADE - attribute.base


def _groups(state: FrameState, _settings: Settings) -> Iterator[CounterGroup]:
    """The points of each category, with what an attribute offers after each."""
    for key, category in _categories(state):
        counters = tuple(
            Counter(
                {"category": key, "attribute": name},
                _room(attribute),
                name_of_key(name),
                tuple(str(offer(attribute, points)) for points in range(_room(attribute) + 1)),
            )
            for name, attribute in sorted(category.attributes.items())
        )
        yield CounterGroup(name_of_key(key), counters, category.starting_points)


def _evenly(category: Category) -> dict[str, int]:
    """A category's points shared out: each attribute has as much as the others, as far as it takes it."""
    points = dict.fromkeys(sorted(category.attributes), 0)
    for _ in range(category.starting_points):
        open_to = [name for name in points if points[name] < _room(category.attributes[name])]
        if not open_to:
            break
        points[min(open_to, key=points.__getitem__)] += 1
    return points


def _at_the_top(category: Category) -> dict[str, int]:
    """A category's points put into as few attributes as take them."""
    points, points_left = {}, category.starting_points
    for name, attribute in sorted(category.attributes.items()):
        points[name] = min(points_left, _room(attribute))
        points_left -= points[name]
    return points


def _pilot(name: str, frame: str | None, background: str | None, points: Mapping[tuple[str, str], int]) -> Draft:
    """The commands that make a pilot, as many as one action takes."""
    more: dict[str, Any] = {} if background is None else {"background": background}
    commands = [command(CreatePilot, name=name, **more)]
    if frame is not None:
        commands.append(command(CreateUnit, name=frame))
    for (category, attribute), count in points.items():
        commands += [command(AllocatePoint, category=category, attribute=attribute)] * count
    return commands[:COMMANDS_TOGETHER_MAX]


def _presets(state: FrameState, _settings: Settings) -> Iterator[Preset]:
    """Pilots whose points are all placed, whatever the catalogue has."""
    categories = _categories(state)
    ways = (
        ("all-rounder", say("An all-rounder"), "Mika Ray", "Longhaul", _evenly),
        ("specialist", say("A specialist"), "Anka Vell", "Kestrel", _at_the_top),
    )
    for key, title, name, frame, share_out in ways:
        points = {
            (category_id, attribute): count
            for category_id, category in categories
            for attribute, count in share_out(category).items()
        }
        yield Preset(key, title, _pilot(name, frame, None, points))


def _originals(state: FrameState) -> dict[str, str]:
    return {key: pilot.name for key, pilot in state.pilots.items()}


def _copy(state: FrameState, _settings: Settings, original: str) -> Draft:
    """A pilot like this one, as far as the points of a new one go: advances and experimental parts stay behind."""
    pilot = state.pilots[original]
    frame = state.active_frame(pilot)
    points = {}
    for key, category in _categories(state):
        build = pilot.build if category.owner == "pilot" else None if frame is None else frame.build
        points_left = category.starting_points
        for name, attribute in sorted(category.attributes.items()):
            has = build.invested.get(name, 0) if build is not None else 0
            points[key, name] = max(0, min(points_left, has, _room(attribute)))
            points_left -= points[key, name]
    return _pilot(pilot.name, None if frame is None else frame.name, pilot.background, points)


BUILDER = Builder(
    title=say("A new pilot"),
    steps=(
        Step(
            kind=CreatePilot,
            title=say("The pilot"),
            gm_only=frozenset({"player"}),
            fields_of_refusals={"ambiguous_name": "name"},
        ),
        Step(
            kind=CreateUnit,
            title=say("The frame"),
            fixed_fields={"kind": "frame"},
            who="pilot",
            is_optional=True,
            left_out=frozenset({"controller"}),
        ),
        Step(kind=AllocatePoint, title=say("Points"), who="pilot", groups=_groups),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
