"""What each action of a play was about: the things that it changed or ended, and the actions that began them.

A thing is whatever a state holds as a struct: a turn, an attack that waits, a choice, a fight, an offer. It begins
with the event that puts it there, and an event that changes it, or takes it away, is about it, whether it names it
or not. One that takes the place of another says nothing of that one. Nothing here knows of a rule.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct

from domain.campaign.evolve import evolve
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import ActionId, is_born

Place: TypeAlias = tuple[Any, ...]


class About(NamedTuple):
    """An event changes or ends a kind of thing, which the action `begun_in` began."""

    event: str
    how: str
    thing: str
    begun_in: ActionId


class _InList(NamedTuple):
    """A place in a list, by what is there: the `nth` of those alike."""

    name: str
    nth: int


class _Picture:
    """The things of a state and all other values, by their places."""

    def __init__(self, state: CampaignState) -> None:
        self.things: dict[Place, Struct] = {}
        self.values: dict[Place, Any] = {}
        for system, inner in state.systems.items():
            self._look_into(inner, (system,))

    def _look(self, part: Any, at: Place) -> None:
        match part:
            case Struct():
                self.things[at] = part
                if not _is_fixed(part):
                    self._look_into(part, at)
            case dict():
                for key, inner in part.items():
                    self._look(inner, (*at, key))
            case list() if part and all(isinstance(each, Struct) for each in part):
                alike = Counter[str]()
                for inner in part:
                    name = str(inner if _is_fixed(inner) else getattr(inner, inner.__struct_fields__[0]))
                    alike[name] += 1
                    self._look(inner, (*at, _InList(name, alike[name])))
            case list():
                self.values[at] = [*part]
            case _:
                self.values[at] = part

    def _look_into(self, thing: Struct, at: Place) -> None:
        for name in thing.__struct_fields__:
            self._look(getattr(thing, name), (*at, name))

    def around(self, at: Place) -> list[Place]:
        """The things that hold a place, outermost first."""
        return [at[:end] for end in range(1, len(at)) if at[:end] in self.things]

    def is_one_of_many(self, at: Place) -> bool:
        """Whether others like it are beside it, of which any would do."""
        last = at[-1]
        return isinstance(last, _InList) and (last.nth > 1 or (*at[:-1], _InList(last.name, 2)) in self.things)


def _is_fixed(thing: Struct) -> bool:
    """Whether a thing never changes: with other values, another one is in its place."""
    return thing.__struct_config__.frozen


def causes(start: CampaignState, actions: Sequence[PastAction]) -> Mapping[ActionId, list[About]]:
    """What the actions were about, where an earlier one of them began it."""
    state = decode_state(encode_state(start))
    before = _Picture(state)
    begun: dict[Place, ActionId] = {}
    found: dict[ActionId, list[About]] = {}
    for action in actions:
        about = found.setdefault(action.action_id, [])
        for event in action.events:
            state = evolve(state, event)
            now = _Picture(state)
            stay = _staying(before, now)
            about += (
                About(type(event).__name__, how, type(before.things[at]).__name__, begun[at])
                for at, how in _touched(before, now, stay)
                if begun.get(at, action.action_id) != action.action_id
            )
            of_old = {at: began for at, began in begun.items() if at in stay}
            begun = of_old | dict.fromkeys(now.things.keys() - stay, action.action_id)
            before = now
    return found


def _staying(before: _Picture, now: _Picture) -> set[Place]:
    """Where the thing is still the one that was there."""
    stay: set[Place] = set()
    for at in sorted(before.things.keys() & now.things.keys(), key=len):
        if _is_same(before.things[at], now.things[at]) and stay.issuperset(before.around(at)):
            stay.add(at)
    return stay


def _is_same(thing: Struct, other: Struct) -> bool:
    return thing == other if _is_fixed(thing) else _born_as(thing) == _born_as(other)


def _born_as(thing: Struct) -> list[str]:
    """The ids by which something that changes stays the same thing."""
    named = (str(getattr(thing, name)) for name in thing.__struct_fields__ if name.endswith("_id"))
    return [each for each in named if is_born(each)]


def _touched(before: _Picture, now: _Picture, stay: set[Place]) -> Iterator[tuple[Place, str]]:
    """The things that are changed, or gone with nothing in their place."""
    everywhere = before.values.keys() | now.values.keys()
    moved = {at for at in everywhere if before.values.get(at, now) != now.values.get(at, now)}
    moved |= (before.things.keys() | now.things.keys()) - stay
    around = {thing for at in moved for thing in before.around(at)}
    yield from ((at, "changed") for at in around & stay)
    for at in before.things.keys() - now.things.keys():
        if stay.issuperset(before.around(at)) and not before.is_one_of_many(at):
            yield at, "ended"
