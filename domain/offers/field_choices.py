"""The choices for the fields of a command that can be given, and the refusals of other values."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Any, NamedTuple

from msgspec import Struct

from domain.field_references import Given
from domain.offers.choice_insertion import Holder, holds
from domain.offers.command_search import NOTHING, Indifferent, SearchResult, complete
from domain.offers.field_values import Path, Values
from domain.offers.fields import Field, fields_of
from domain.offers.trial_outcomes import Outcomes
from domain.rejection import Rejection

TRIES_OF_OFFER = 1_500
"""So many commands are tried for all choices of one command; after that, each that is left gets one more."""
TRIES_OF_CHOICE = 400
"""So many are tried for one value of a field at most."""
TRIES_OF_WAY = 100
"""So many for one way of putting a value into a field that it is a part of."""
WAYS_MAX = 100
"""So many of these ways are tried; most of them lead to a result known already."""
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
    """Finds choices and bounds in a command that already says its `inputs`, and that `example` completes."""

    def __init__(
        self, outcomes: Outcomes, inputs: Given, example: Given, values: Values, drafts: Sequence[Given]
    ) -> None:
        self._outcomes = outcomes
        self._inputs = inputs
        self._request = {**inputs, **example}
        self._values = values
        self._drafts = drafts
        self._holder = Holder(values, self._request)
        self._indifferent = Indifferent()
        self._depended_on = {name for field in fields_of(outcomes.kind) for name in field.depends}
        self._last = outcomes.tries + TRIES_OF_OFFER

    def of(self, field: Field, *, parts: bool) -> Iterator[tuple[Path, list[Choice]]]:
        """The choices of a field, and with `parts` also of every part of it, by their paths."""
        around = [*self._around(field)]
        self._indifferent = Indifferent()
        for path, values in self._values.listed(field, self._request):
            if parts or len(path) == 1:
                yield path, [self._choice(field, path[1:], value, around) for value in values]

    def bounds(self, field: Field, *, parts: bool) -> Iterator[tuple[Path, NumberBounds]]:
        """The bounds of a number that depend on how things are, and with `parts` of those within a field.

        Where none of the numbers among which they lie may stand there, nothing is known of them.
        """
        if not field.has_ends:
            return
        ranges = [
            (part, path, numbers)
            for part, path, numbers in self._values.ends(field, self._inputs)
            if numbers and (parts or len(path) == 1)
        ]
        around = [*self._around(field)]
        self._indifferent = Indifferent()
        for part, path, numbers in ranges:
            if part.has_certain_ends:
                yield path, NumberBounds(numbers[0], numbers[-1])
                continue
            least, most = (self._first(field, path[1:], series, around) for series in (numbers, numbers[::-1]))
            if least is not None:
                yield path, NumberBounds(least, most)

    def _first(self, field: Field, path: Path, numbers: Sequence[int], around: Sequence[Given]) -> int | None:
        """The first of some numbers that may stand in a field."""
        choices = (self._choice(field, path, number, around) for number in numbers[:ENDS_MAX])
        return next((choice.value for choice in choices if choice.refusal is None and choice.certain), None)

    def _around(self, field: Field) -> Iterator[Given]:
        """The example, the same without what depends on a field, and with other values of what it depends on."""
        yield self._request
        others = fields_of(self._outcomes.kind)
        dependent = {other.name for other in others if field.name in other.depends and not other.required}
        if dependent:
            yield {key: value for key, value in self._request.items() if key not in dependent}
        for other in others:
            if other.name in field.depends:
                yield from (
                    {**self._request, other.name: value} for value in self._values.some(other, self._request)
                )

    def _accepted(self) -> Sequence[Given]:
        """Commands that were accepted, each about something else as far as other fields depend on it."""
        fields = fields_of(self._outcomes.kind)
        about = {name for field in fields for name in field.depends}
        requests = {repr([request.get(name) for name in about]): request for request in self._outcomes.passed}
        return [*requests.values()][:ACCEPTED_MAX]

    def _choice(self, field: Field, path: Path, value: Any, around: Sequence[Given]) -> Choice:
        """A value at a path within a field, with its refusal if it is refused with any other fields."""
        passed = (request[field.name] for request in self._outcomes.passed if field.name in request)
        if any(holds(field, path, value, whole) for whole in passed):
            return Choice(value, None)
        at_once = None if path else self._at_once(field, value)
        if at_once is not None:
            return at_once
        if path:
            finding = self._within(field, path, value, around)
        else:
            finding = self._tried(field, value, [*around, *self._drafts, *self._accepted()], TRIES_OF_CHOICE)
        return Choice(
            value, finding.refusal if finding.example is None and finding.exhausted else None, finding.exhausted
        )

    def _at_once(self, field: Field, value: Any) -> Choice | None:
        """A value in the example: it passes, or is refused whatever the rest says; None where neither is known."""
        if field.name in self._depended_on:
            return None
        request = {**self._request, field.name: value}
        if not field.required and value == field.default:
            del request[field.name]
        outcome = self._outcomes.of(request)
        if outcome.refusal is None or all(name in self._inputs or name == field.name for name in outcome.reads):
            return Choice(value, outcome.refusal)
        return None

    def _tried(self, field: Field, value: Any, near: Sequence[Given], tries_max: int) -> SearchResult:
        """A command that is accepted with a value in a field, found from some that may stand around it."""
        inputs, tries_left = {**self._inputs, field.name: value}, self._last - self._outcomes.tries
        tries = max(1, min(tries_max, tries_left))
        return complete(
            self._outcomes,
            inputs,
            self._values,
            near[:1],
            also=near[1:] if tries_left > 0 else (),
            tries_max=tries,
            indifferent=self._indifferent,
        )

    def _within(self, field: Field, path: Path, value: Any, around: Sequence[Given]) -> SearchResult:
        """The same with a value at a path within the field: each way of putting it there.

        At first next to nothing else is changed for that. Of those that are refused for different reasons, and
        perhaps not whatever the rest says, one is tried with other fields changed, too, and then the others.
        """
        first, ways_left = None, dict[str, list[tuple[Any, Given]]]()
        ways = self._ways(field, path, value)
        for whole, near in islice(ways, WAYS_MAX):
            finding = self._tried(field, whole, [near], TRIES_AT_FIRST)
            if finding.refusal is None:
                return finding
            first = first or finding.refusal
            if not finding.exhausted:
                ways_left.setdefault(finding.refusal.code, []).append((whole, near))
            if self._outcomes.tries > self._last:
                break
        is_certain = next(ways, None) is None
        for whole, near in islice(_by_turns(ways_left.values()), LEFT_MAX):
            finding = self._tried(field, whole, [near, *around], TRIES_OF_WAY)
            if finding.refusal is None:
                return finding
            is_certain = is_certain and finding.exhausted
        return SearchResult(None, first or NOTHING, is_certain and sum(map(len, ways_left.values())) <= LEFT_MAX)

    def _ways(self, field: Field, path: Path, value: Any) -> Iterator[tuple[Any, Given]]:
        """Values of a field that have this one in them, each with a command that it may stand in."""
        requests = [
            request for request in (*self._outcomes.passed, *self._drafts) if request.get(field.name) is not None
        ]
        different = _by_what_they_say(requests, field.name)[:WHOLES_MAX]
        holding = self._holder.holding(field, path, value, [request[field.name] for request in different])
        met: list[Any] = []
        for whole, nth in holding:
            if whole not in met:
                met.append(whole)
                yield whole, different[nth] if different else self._request


def _by_turns(several: Iterable[Sequence[Any]]) -> Iterator[Any]:
    """The first of each, then the second of each."""
    for row in zip_longest(*several, fillvalue=NOTHING):
        yield from (one for one in row if one is not NOTHING)


def _by_what_they_say(commands: Sequence[Given], name: str) -> list[Given]:
    """Those that say something different in a field; values of fields cannot be hashed."""
    values: list[Any] = []
    different: list[Given] = []
    for command in commands:
        if command[name] not in values:
            values.append(command[name])
            different.append(command)
    return different
