"""What may be chosen in the fields of a command that can be given, and why something else cannot be."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from msgspec import Struct

from domain.offers.choice_holder import Holder, holds
from domain.offers.fields import Field, fields_of
from domain.offers.outcomes import Outcomes
from domain.offers.search import NOTHING, Found, Indifferent, complete
from domain.offers.values import Path, Values
from domain.references import Given
from domain.rejection import Rejection

TRIES_OF_OFFER = 1_500
"""So many commands are tried for all choices of one command; after that, each that is left gets one more."""
TRIES_OF_CHOICE = 400
"""So many are tried for one value of a field at most."""
TRIES_OF_WAY = 100
"""So many for one way of putting a value into a field that it is a part of."""
WAYS_MAX = 100
"""So many of these ways are tried, most of which come to what is known already."""
TRIES_AT_FIRST = 4
"""So many at first."""
LEFT_MAX = 4
"""So many ways that may not be refused whatever the rest says are tried with other fields changed, too."""
ACCEPTED_MAX = 20
"""So many of the commands that were accepted already are tried with another value in a field."""
ENDS_MAX = 40
"""So many numbers are tried as an end of the bounds of a field."""
WHOLES_MAX = 8
"""Into so many values of a field something is put."""


class Choice(Struct, frozen=True):
    """A value that may be chosen for a field; `refusal` is why it cannot be now, whatever else is filled in.

    Where it is not `certain` whether it can, the search for a way of filling in the rest was given up: nothing
    refuses it then.
    """

    value: Any
    refusal: Rejection | None
    certain: bool = True


class NumberBounds(NamedTuple):
    """The least and the most that a number may be now; None where decoding sets no bound."""

    least: int | None
    most: int | None


class ChoiceSearch:
    """Finds choices and bounds in a command of which something is `given`, and that `example` completes."""

    def __init__(
        self, outcomes: Outcomes, given: Given, example: Given, values: Values, drafts: Sequence[Given]
    ) -> None:
        self._outcomes = outcomes
        self._given = given
        self._said = {**given, **example}
        self._values = values
        self._drafts = drafts
        self._holder = Holder(values, self._said)
        self._indifferent = Indifferent()
        self._depended_on = {name for each in fields_of(outcomes.kind) for name in each.depends}
        self._last = outcomes.tries + TRIES_OF_OFFER

    def of(self, field: Field, *, parts: bool) -> Iterator[tuple[Path, list[Choice]]]:
        """The choices of a field, and with `parts` also of every part of it, by their paths."""
        around = [*self._around(field)]
        self._indifferent = Indifferent()
        for path, values in self._values.listed(field, self._said):
            if parts or len(path) == 1:
                yield path, [self._choice(field, path[1:], value, around) for value in values]

    def bounds(self, field: Field, *, parts: bool) -> Iterator[tuple[Path, NumberBounds]]:
        """The bounds of a number that depend on how things are, and with `parts` of those within a field.

        Where none of the numbers among which they lie may stand there, nothing is known of them.
        """
        if not field.has_ends:
            return
        found = [
            (path, numbers)
            for path, numbers in self._values.ends(field, self._given)
            if numbers and (parts or len(path) == 1)
        ]
        around = [*self._around(field)]
        self._indifferent = Indifferent()
        for path, numbers in found:
            least, most = (self._first(field, path[1:], each, around) for each in (numbers, numbers[::-1]))
            if least is not None:
                yield path, NumberBounds(least, most)

    def _first(self, field: Field, path: Path, numbers: Sequence[int], around: Sequence[Given]) -> int | None:
        """The first of some numbers that may stand in a field."""
        choices = (self._choice(field, path, each, around) for each in numbers[:ENDS_MAX])
        return next((each.value for each in choices if each.refusal is None and each.certain), None)

    def _around(self, field: Field) -> Iterator[Given]:
        """The example, the same without what depends on a field, and with other values of what it depends on."""
        yield self._said
        others = fields_of(self._outcomes.kind)
        dependent = {each.name for each in others if field.name in each.depends and not each.required}
        if dependent:
            yield {key: value for key, value in self._said.items() if key not in dependent}
        for each in others:
            if each.name in field.depends:
                yield from ({**self._said, each.name: value} for value in self._values.some(each, self._said))

    def _accepted(self) -> Sequence[Given]:
        """Commands that were accepted, each about something else as far as other fields depend on it."""
        fields = fields_of(self._outcomes.kind)
        about = {name for each in fields for name in each.depends}
        found = {repr([each.get(name) for name in about]): each for each in self._outcomes.passed}
        return [*found.values()][:ACCEPTED_MAX]

    def _choice(self, field: Field, path: Path, value: Any, around: Sequence[Given]) -> Choice:
        """A value at a path within a field, with what refuses it whatever else is filled in."""
        passed = (each[field.name] for each in self._outcomes.passed if field.name in each)
        if any(holds(field, path, value, whole) for whole in passed):
            return Choice(value, None)
        at_once = None if path else self._at_once(field, value)
        if at_once is not None:
            return at_once
        if path:
            found = self._within(field, path, value, around)
        else:
            found = self._tried(field, value, [*around, *self._drafts, *self._accepted()], TRIES_OF_CHOICE)
        return Choice(value, found.refusal if found.example is None and found.exhausted else None, found.exhausted)

    def _at_once(self, field: Field, value: Any) -> Choice | None:
        """A value in the example: it passes, or is refused whatever the rest says; None where neither is known."""
        if field.name in self._depended_on:
            return None
        said = {**self._said, field.name: value}
        if not field.required and value == field.default:
            del said[field.name]
        outcome = self._outcomes.of(said)
        if outcome.refusal is None or all(each in self._given or each == field.name for each in outcome.reads):
            return Choice(value, outcome.refusal)
        return None

    def _tried(self, field: Field, value: Any, near: Sequence[Given], tries_max: int) -> Found:
        """A command that is accepted with a value in a field, found from some that may stand around it."""
        given, left = {**self._given, field.name: value}, self._last - self._outcomes.tries
        tries = max(1, min(tries_max, left))
        return complete(
            self._outcomes,
            given,
            self._values,
            near[:1],
            also=near[1:] if left > 0 else (),
            tries_max=tries,
            indifferent=self._indifferent,
        )

    def _within(self, field: Field, path: Path, value: Any, around: Sequence[Given]) -> Found:
        """The same with a value at a path within the field: each way of putting it there.

        At first next to nothing else is changed for that. Of those that are refused for different reasons, and
        perhaps not whatever the rest says, one is tried with other fields changed, too, and then the others.
        """
        first, left = None, dict[str, list[tuple[Any, Given]]]()
        ways = self._ways(field, path, value)
        for whole, near in islice(ways, WAYS_MAX):
            found = self._tried(field, whole, [near], TRIES_AT_FIRST)
            if found.refusal is None:
                return found
            first = first or found.refusal
            if not found.exhausted:
                left.setdefault(found.refusal.code, []).append((whole, near))
            if self._outcomes.tries > self._last:
                break
        is_certain = next(ways, None) is None
        for whole, near in islice(_by_turns(left.values()), LEFT_MAX):
            found = self._tried(field, whole, [near, *around], TRIES_OF_WAY)
            if found.refusal is None:
                return found
            is_certain = is_certain and found.exhausted
        return Found(None, first or NOTHING, is_certain and sum(map(len, left.values())) <= LEFT_MAX)

    def _ways(self, field: Field, path: Path, value: Any) -> Iterator[tuple[Any, Given]]:
        """Values of a field that have this one in them, each with a command that it may stand in."""
        known = [each for each in (*self._outcomes.passed, *self._drafts) if each.get(field.name) is not None]
        different = _by_what_they_say(known, field.name)[:WHOLES_MAX]
        holding = self._holder.holding(field, path, value, [each[field.name] for each in different])
        met: list[Any] = []
        for whole, nth in holding:
            if whole not in met:
                met.append(whole)
                yield whole, different[nth] if different else self._said


def _by_turns(several: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """The first of each, then the second of each."""
    for each in zip_longest(*several, fillvalue=NOTHING):
        yield from (one for one in each if one is not NOTHING)


def _by_what_they_say(commands: Sequence[Given], name: str) -> list[Given]:
    """Those that say something different in a field; values of fields cannot be hashed."""
    said: list[Any] = []
    found: list[Given] = []
    for each in commands:
        if each[name] not in said:
            said.append(each[name])
            found.append(each)
    return found
