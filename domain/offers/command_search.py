"""Finding a whole command that is accepted, from the part of it that is said.

The rules are asked with some value in every open field, and say by what they look at which of these matter: a
refusal that came before any open field was looked at stands whatever is filled in. Otherwise every field that was
looked at is changed by itself. A command then refused for another reason, or after looking at more, is changed
further, that which came furthest first, until a command passes or nothing is left that makes a difference. That
finds a command soon, but it may miss one. So that no possible command is called impossible, all values of all
fields that were looked at are tried together: at first where these are few, and at last as far as the tries go.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from domain.field_references import Given
from domain.offers.field_values import Depended, Values, depended_on
from domain.offers.fields import Field, fields_of
from domain.offers.trial_outcomes import Outcome, Outcomes
from domain.rejection import Rejection
from domain.sentences import say
from domain.type_cache import once_per_kind

TRIES_MAX = 300
"""After so many tries nothing more is looked for."""
STEPS_BACK_MAX = 8
"""So many commands are changed further that are refused for the same reason after looking at less than before."""
SWEEPS_MAX = 2
"""Where no value of a field made a difference to a refusal so often, it makes none."""
TRIES_AT_FIRST = 24
"""So many tries may be spent on all values of all fields that were looked at, before anything else is done."""
STEPS_OF_TRY = 5
"""So many commands of which the outcome is known beforehand count as a try."""

NOTHING = Rejection("nothing_to_name", say("There is nothing yet that this could be done with."))
"""The refusal of a command with a required field that has no choices."""

Change: TypeAlias = tuple[str, str, Depended]
"""A field that is changed after a refusal, by its code, and the values of the fields that it depends on."""
Deciding: TypeAlias = frozenset[tuple[str, bool]]
"""Fields that decide something, and whether only by being said."""
Indifferent: TypeAlias = Counter[Change]
"""How often a change led no further with any value."""


class SearchResult(Struct, frozen=True):
    """The end of a search for an acceptable command."""

    example: dict[str, Any] | None
    """A whole command that passes."""
    refusal: Rejection | None
    """That of the first try, where none passes."""
    exhausted: bool = True
    """Everything was tried that the rules look at; False: the search was given up.

    That is all choices together with all others, and numbers at their bounds and some between.
    """


def complete(
    outcomes: Outcomes,
    inputs: Given,
    values: Values,
    drafts: Iterable[Mapping[str, Any]] = (),
    *,
    also: Sequence[Given] = (),
    tries_max: int = TRIES_MAX,
    indifferent: Indifferent | None = None,
) -> SearchResult:
    """An accepted command with the given fields, of the kind that `outcomes` are about.

    Every one of `drafts`, whole or partial commands, is tried first with the given fields; those in `also` where
    none near the drafts passes. Fields that are `indifferent` are noted there for further searches.
    """
    return _Search(outcomes, inputs, values, Indifferent() if indifferent is None else indifferent).run(
        [*drafts] or [{}], also, tries_max
    )


class _RefusedCommand(Struct, frozen=True):
    """A command that is refused, and how."""

    request: dict[str, Any]
    code: str
    reads: list[str]
    """The fields that decided it, in order."""
    depth: int
    """How many fields were looked at before."""
    before: Mapping[str, int]
    """The refusals on the way to it, each with its depth."""
    changes: frozenset[Change]
    """The changes on that way."""


class _Passes(Exception):  # noqa: N818 — nothing has gone wrong: the search is over
    """A command is accepted."""

    def __init__(self, request: dict[str, Any]) -> None:
        super().__init__()
        self.request = request


class _Search:
    def __init__(self, outcomes: Outcomes, inputs: Given, values: Values, indifferent: Indifferent) -> None:
        kind = outcomes.kind
        fields = fields_of(kind)
        self._outcomes = outcomes
        self._inputs = inputs
        self._values = values
        self._open = {field.name: field for field in fields_in_order(kind) if field.name not in inputs}
        self._needed = {name for name, field in self._open.items() if field.required}
        self._dependent: dict[str, list[Field]] = {}
        self._coupled = frozenset(name for field in fields if field.name in inputs for name in field.depends)
        self._tag = {"type": str(kind.__struct_config__.tag)}
        self._indifferent = indifferent
        self._first: Rejection | None = None
        self._waiting: list[_RefusedCommand] = []
        self._kept: set[str] = set()
        self._drafted: dict[str, list[Any]] = {name: [] for name in self._open}
        self._led: set[Change] = set()
        self._helpful: set[Change] = set()
        self._steps_back = Counter[tuple[str, int]]()
        self._last = self._steps = 0

    def run(self, drafts: Sequence[Given], also: Sequence[Given], tries_max: int) -> SearchResult:
        """Go on for so many tries."""
        last = self._outcomes.tries + tries_max
        try:
            wholes = [*self._tried(drafts)]
            for draft in also:
                self._note(draft)
            is_refuted = self._is_refuted(wholes[0], min(last, self._outcomes.tries + TRIES_AT_FIRST))
            if not is_refuted:
                self._find([*wholes, *map(self._whole, also)], last)
                is_refuted = self._is_refuted(wholes[0], last)
        except _Passes as passes:
            return SearchResult(passes.request, None)
        return SearchResult(None, self._first or NOTHING, exhausted=is_refuted)

    def _tried(self, drafts: Iterable[Given]) -> Iterator[dict[str, Any]]:
        """The drafts as whole commands, which are refused. Raises `_Passes`."""
        for draft in drafts:
            self._note(draft)
            whole = self._whole(draft)
            self._note_refusal(whole, self._outcome(whole))
            yield whole

    def _is_refuted(self, whole: dict[str, Any], last: int) -> bool:
        """Whether no command passes: all that differ for the rules are tried, up to the `last` try.

        Raises `_Passes`.
        """
        self._last = last
        self._steps = max(0, last - self._outcomes.tries) * STEPS_OF_TRY
        return self._deciding(whole, frozenset()) is not None

    def _deciding(self, request: dict[str, Any], fixed: frozenset[str]) -> Deciding | None:
        """The fields that decide that no command passes which says the same in those that are fixed.

        They decide it by their values, or by whether they are there. None: the search was given up. Where a
        field does not decide it with one value, neither does it with another. Raises `_Passes`.
        """
        outcome = self._outcome(request)
        self._note_refusal(request, outcome)
        self._steps -= 1
        if self._steps < 0 or self._outcomes.tries > self._last:
            return None
        name = self._looked_at_next(outcome.reads, fixed)
        if name is None:
            return frozenset([(field_name, field_name in outcome.presences) for field_name in outcome.reads])
        field, is_decided_if_said = self._open[name], False
        deciding: set[tuple[str, bool]] = {(field_name, False) for field_name in field.depends}
        for changed_request in self._all_with(request, field):
            is_said = changed_request.get(name) is not None
            if is_said and is_decided_if_said:
                continue
            deciding_fields = self._deciding(changed_request, fixed | {name})
            if deciding_fields is None:
                return None
            deciding |= deciding_fields
            if (name, False) not in deciding_fields:
                if (name, True) not in deciding_fields:
                    return deciding_fields
                is_decided_if_said = is_said
        return frozenset(deciding - {(name, False), (name, True)})

    def _looked_at_next(self, reads: Sequence[str], fixed: frozenset[str]) -> str | None:
        """The first open field that was looked at and is not fixed, or one that it depends on."""
        for name in reads:
            if name in self._open and name not in fixed:
                earlier = self._looked_at_next(self._open[name].depends, fixed | {name})
                return name if earlier is None else earlier
        return None

    def _all_with(self, request: dict[str, Any], field: Field) -> Iterator[dict[str, Any]]:
        """The command with every value of a field, the one that it has first."""
        now = request.get(field.name, field.default)
        if field.name in request or not field.required:
            yield request
        for value in self._worth(field, request):
            if value != now:
                yield self._with_value(request, field, value)

    def _worth(self, field: Field, request: Given) -> list[Any]:
        """The values of a field that are tried: those of drafts, and some of all others."""
        draft_values, some = self._drafted[field.name], self._values.some(field, request)
        return (
            [*draft_values, *(candidate for candidate in some if candidate not in draft_values)]
            if draft_values
            else some
        )

    def _find(self, wholes: Sequence[dict[str, Any]], last: int) -> None:
        """Look for a command that passes among those like some, up to the `last` try. Raises `_Passes`."""
        steps = (last - self._outcomes.tries) * STEPS_OF_TRY
        before: dict[str, int] = {}
        for whole in wholes:
            self._visit(whole, before, frozenset())
            before |= self._waiting[-1].before
        while self._waiting:
            now = max(self._waiting, key=lambda attempt: attempt.depth)
            self._waiting.remove(now)
            for _ in self._change(now):
                steps -= 1
                if self._outcomes.tries >= last or not steps:
                    return
        self._indifferent.update(self._led - self._helpful)

    def _note(self, draft: Given) -> None:
        """Remember a draft's values, as worth trying in any command."""
        for name in draft.keys() & self._open.keys():
            if draft[name] not in self._drafted[name]:
                self._drafted[name].append(draft[name])

    def _whole(self, draft: Given) -> dict[str, Any]:
        """A command with the given fields, a draft's values, and the first value of each other field."""
        request = self._tag | dict(self._inputs)
        for name, field in self._open.items():
            if name in draft and self._fits(field, draft, request):
                _say(request, field, draft[name])
            else:
                self._say_first(request, field)
        return request

    def _fits(self, field: Field, draft: Given, request: Given) -> bool:
        """Whether a draft's value of a field may stand beside the values of those that it depends on."""
        is_so_in_draft = all(draft.get(name) == request.get(name) for name in field.depends)
        return is_so_in_draft or draft[field.name] in self._values.some(field, request)

    def _say_first(self, request: dict[str, Any], field: Field) -> None:
        """Put the first value of a field there; nothing where there is none."""
        request.pop(field.name, None)
        values = self._values.some(field, request)
        if values:
            _say(request, field, values[0])

    def _with_value(self, request: dict[str, Any], field: Field, value: Any) -> dict[str, Any]:
        """The command with another value in a field, and in those that depend on it, if they cannot stay."""
        new_request = dict(request)
        _say(new_request, field, value)
        for dependent in self._dependent_on(field.name):
            now = new_request.get(dependent.name, dependent.default)
            if now not in self._values.some(dependent, new_request):
                self._say_first(new_request, dependent)
        return new_request

    def _dependent_on(self, name: str) -> list[Field]:
        """The open fields that depend on a field."""
        if name not in self._dependent:
            self._dependent[name] = [field for field in self._open.values() if name in field.depends]
        return self._dependent[name]

    def _visit(self, request: dict[str, Any], before: Mapping[str, int], changes: frozenset[Change]) -> bool:
        """Try a command, and keep it to be changed; False if that leads nowhere. Raises `_Passes`."""
        outcome = self._outcome(request)
        code, depth = self._note_refusal(request, outcome).code, outcome.depth
        if depth <= before.get(code, -1):
            return False
        if depth < max(before.values(), default=0):
            self._steps_back[code, depth] += 1
        else:
            self._helpful |= changes
        whole = repr(sorted(request.items()))
        if self._steps_back[code, depth] <= STEPS_BACK_MAX and whole not in self._kept:
            self._kept.add(whole)
            self._waiting.append(
                _RefusedCommand(request, code, outcome.reads, depth, {**before, code: depth}, changes)
            )
        return True

    def _note_refusal(self, request: dict[str, Any], outcome: Outcome) -> Rejection:
        """The refusal of a command; it is noted where it is the first. Raises `_Passes`."""
        if outcome.refusal is None:
            raise _Passes(request)
        if outcome.refusal is not NOTHING:
            self._first = self._first or outcome.refusal
        return outcome.refusal

    def _outcome(self, request: dict[str, Any]) -> Outcome:
        if self._needed <= request.keys():
            return self._outcomes.of(request)
        field = next(field for name, field in self._open.items() if field.required and name not in request)
        return Outcome(NOTHING, [*field.depends], len(field.depends))

    def _change(self, now: _RefusedCommand) -> Iterator[None]:
        """Change every field that was looked at by itself: the likeliest value of each, then the next."""
        swept = {change: self._worth(self._open[change[0]], now.request) for change in self._next_changes(now)}
        led: set[Change] = set()
        for nth in range(max(map(len, swept.values()), default=0)):
            for change, values in swept.items():
                field = self._open[change[0]]
                if nth < len(values) and values[nth] != now.request.get(field.name, field.default):
                    request = self._with_value(now.request, field, values[nth])
                    if self._visit(request, now.before, now.changes | {change}):
                        led.add(change)
                    yield
        self._indifferent.update(swept.keys() - led)
        self._led |= led

    def _next_changes(self, now: _RefusedCommand) -> list[Change]:
        """The open fields that were looked at, those that the refusal is about first, then the last ones.

        One that made no difference to this refusal before is left out, unless what is given depends on it.
        """
        changes = [self._change_of(self._open[name], now) for name in reversed(now.reads) if name in self._open]
        promising_changes = [
            change for change in changes if change[0] in self._coupled or self._indifferent[change] < SWEEPS_MAX
        ]
        return sorted(promising_changes, key=lambda change: not _is_about(now.code, change[0]))

    def _change_of(self, field: Field, now: _RefusedCommand) -> Change:
        return field.name, now.code, depended_on(field, now.request) if field.depends else ()


def _say(request: dict[str, Any], field: Field, value: Any) -> None:
    """Put a value into a command, unless it says the same without it."""
    if field.required or value != field.default:
        request[field.name] = value
    else:
        request.pop(field.name, None)


@once_per_kind
def fields_in_order(kind: type[Struct]) -> list[Field]:
    """The fields of a command, each after those that it depends on."""
    fields: list[Field] = []
    rest = [*fields_of(kind)]
    while rest:
        names = {field.name for field in rest}
        ready = [field for field in rest if not names.intersection(field.depends)] or rest
        fields += ready
        rest = [field for field in rest if field not in ready]
    return fields


def _is_about(code: str, name: str) -> bool:
    """Whether a refusal's code names a field: `which_pilot`, `unknown_frame`."""
    word = name.removesuffix("_id")
    return code.partition("_")[2] == word and code.partition("_")[0] in ("which", "unknown")
