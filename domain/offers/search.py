"""Finding a whole command that is accepted, from the part of it that is said.

The rules are asked with some value in every open field, and say by what they look at which of these matter: a
refusal that came before any open field was looked at stands whatever is filled in. Otherwise the last one that was
looked at gets its next value, and so on, until a command passes or there is nothing left to try.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.offers.fields import Field, fields_of
from domain.offers.outcomes import Outcome, Outcomes
from domain.offers.values import Depended, Values, depended_on
from domain.references import Given
from domain.rejection import Rejection

TRIES_MAX = 300
"""After so many tries nothing more is looked for."""
NEAR_MAX = 8
"""So many values of a field are tried with nothing else changed, before any two fields are changed at once."""
STEPS_OF_TRY = 10
"""So many commands of which the outcome is known beforehand count as a try."""

NOTHING = Outcome(None, [])
"""What comes of a command with a field that has to be said and has nothing to choose."""

Indifferent: TypeAlias = set[tuple[str, str, Depended]]
"""Fields of which no value made a difference to a refusal, by its code and by what the fields depend on."""


class Found(Struct, frozen=True):
    """Either the `example`, a whole command that passes, or the `refusal` of what was tried first.

    Where `exhausted` is False, the search was given up. Otherwise everything was tried that is worth it: all
    choices, and numbers at their bounds and some between.
    """

    example: dict[str, Any] | None
    refusal: Rejection | None
    exhausted: bool = True


def complete(
    outcomes: Outcomes,
    given: Given,
    values: Values,
    drafts: Iterable[Mapping[str, Any]] = (),
    *,
    tries_max: int = TRIES_MAX,
    indifferent: Indifferent | None = None,
) -> Found:
    """An accepted command which says what is given, of the kind that `outcomes` are about.

    Every one of `drafts`, whole or partial commands, is tried first with what is given; then the values of the
    first of them in every field by itself. What is `indifferent` is noted there for further searches.
    """
    noted: Indifferent = set() if indifferent is None else indifferent
    first: _Search | None = None
    for draft in drafts:
        search = _Search(outcomes, given, values, draft, noted)
        found = search.run(1)
        if found.example is not None:
            return found
        first = first or search
    return (first or _Search(outcomes, given, values, {}, noted)).run(tries_max)


class _Sweep(Struct):
    """All values of a field tried in turn, beginning with a refusal of some `code`.

    `depth` is how much the rules had looked at by then. Where nothing else was refused since after looking at as
    much, or more (`is_other`), the field makes no difference to that refusal.
    """

    code: str
    depended_on: Depended
    depth: int
    is_other: bool = False


class _Search:
    def __init__(
        self, outcomes: Outcomes, given: Given, values: Values, draft: Given, indifferent: Indifferent
    ) -> None:
        kind = outcomes.kind
        self._outcomes = outcomes
        self._given = given
        self._values = values
        self._draft = draft
        self._open = _in_order([each for each in fields_of(kind) if each.name not in given])
        self._tag = {"type": str(kind.__struct_config__.tag)}
        self._of_fields: dict[tuple[str, Any], list[Any]] = {}
        self._place: dict[str, int] = {}
        self._now: dict[str, Any] | None = None
        self._order: dict[str, _Sweep] = {}
        self._first: Rejection | None = None
        self._is_over = False
        self._was_near = False
        self._indifferent = indifferent

    def run(self, tries_max: int) -> Found:
        """Go on for so many tries."""
        last = self._outcomes.tries + tries_max
        for _ in range(tries_max * STEPS_OF_TRY):
            if self._is_over:
                break
            self._now = said = self._said()
            outcome = NOTHING if said is None else self._outcomes.of(said)
            if outcome.refusal is None and said is not None:
                return Found(said, None)
            self._first = self._first or outcome.refusal
            self._note(outcome.reads, outcome.refusal)
            self._is_over = not self._advance()
            if self._outcomes.tries >= last:
                break
            if not self._was_near and tries_max > 1:
                self._was_near = True
                near = next(filter(self._passes, self._nearby(said or {})), None)
                if near is not None:
                    return Found(near, None)
        return Found(None, self._first, exhausted=self._is_over)

    def _passes(self, said: dict[str, Any]) -> bool:
        return self._outcomes.of(said).refusal is None

    def _nearby(self, said: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Commands that differ in one field that was looked at: the likeliest value of each, then the next."""
        for nth in range(1, NEAR_MAX):
            for name in [*self._order][::-1]:
                values = self._of(self._open[name], said)
                if nth < len(values):
                    yield said | {name: values[nth]}

    def _said(self) -> dict[str, Any] | None:
        """The command with the values whose turn it is; None where a field that must be said has none."""
        said = self._tag | dict(self._given)
        for name, field in self._open.items():
            values = self._of_fields.get((name, ())) or self._of(field, said)
            if not values:
                return None
            place = self._place.get(name, 0)
            value = values[place] if place < len(values) else values[-1]
            if field.required or value != field.default:
                said[name] = value
        return said

    def _of(self, field: Field, said: Given) -> list[Any]:
        key = (field.name, depended_on(field, said) if field.depends else ())
        if key not in self._of_fields:
            values = self._values.some(field, said)
            if field.name in self._draft:
                wanted = self._draft[field.name]
                values = [wanted, *(each for each in values if each != wanted)]
            self._of_fields[key] = values
        return self._of_fields[key]

    def _note(self, reads: list[str], refusal: Rejection | None) -> None:
        """Put the open fields that were looked at in order; the one that the refusal is about comes last.

        One that made no difference to this refusal before is left out.
        """
        code, depth = refusal.code if refusal is not None else "", len(reads)
        for sweep in self._order.values():
            sweep.is_other = sweep.is_other or depth > sweep.depth or (depth == sweep.depth and code != sweep.code)
        for name in dict.fromkeys(reads):
            if name in self._open and name not in self._order:
                sweep = _Sweep(code, self._depended_on(name), depth)
                if (name, code, sweep.depended_on) not in self._indifferent:
                    self._order[name] = sweep
        for name in [each for each in self._order if _is_about(code, each)]:
            self._order[name] = self._order.pop(name)

    def _advance(self) -> bool:
        """Go on to the next values; False when all of them were tried."""
        while self._order:
            name = next(reversed(self._order))
            values = self._of(self._open[name], self._now or {})
            place = self._place.get(name, 0) + 1
            if place < len(values):
                self._place[name] = place
                return True
            self._place[name] = 0
            sweep = self._order.pop(name)
            if not sweep.is_other:
                self._indifferent.add((name, sweep.code, sweep.depended_on))
        return False

    def _depended_on(self, name: str) -> Depended:
        field = self._open[name]
        return depended_on(field, self._now or {}) if field.depends else ()


def _in_order(fields: Sequence[Field]) -> dict[str, Field]:
    """Fields by their names, each after those that it depends on."""
    found: dict[str, Field] = {}
    left = [*fields]
    while left:
        names = {each.name for each in left}
        ready = [each for each in left if not names.intersection(each.depends)] or left
        found |= {each.name: each for each in ready}
        left = [each for each in left if each.name not in found]
    return found


def _is_about(code: str, name: str) -> bool:
    """Whether a refusal's code names a field: `which_pilot`, `unknown_frame`."""
    word = name.removesuffix("_id")
    return code.partition("_")[2] == word and code.partition("_")[0] in ("which", "unknown")
