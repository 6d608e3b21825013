"""Outcomes of the commands of one kind that were tried, and so of all that agree with one of them."""

import re
from collections.abc import Callable, Mapping
from itertools import pairwise
from operator import itemgetter
from typing import Any

import msgspec
from msgspec import Struct

from domain.offers.command_trials import Trial
from domain.offers.fields import Field, fields_of
from domain.rejection import Culprits, Rejection
from domain.sentences import say

PLACE = re.compile(r" - at `\$\.(\w+)")
"""Where a message of msgspec says which field is wrong."""
NOT_A_VALUE = "not_a_value"
"""The code of the refusal of a value that cannot stand in a field, whose wire name is in its details."""
UNSAID = object()
NOT_SAID = (None, UNSAID)
PLAIN = frozenset(("choice", "flag", "number", "text"))
"""Values of fields of these kinds are compared as they are, and of all others by their words."""


class Outcome(Struct, frozen=True):
    """The refusal of a command, if any, and the fields that decided it, each once, in order.

    These are the fields that the refusal is about, where it says so; otherwise all that were looked at until then.
    `depth` is how many were looked at. The `presences` among them decided it only by being said or not.
    """

    refusal: Rejection | None
    reads: list[str]
    depth: int
    presences: tuple[str, ...] = ()


class _Look(Struct, frozen=True):
    """The outcomes of commands looked at so far, by their value in the next field looked at."""

    place: int
    then: dict[Any, "_Look | Outcome"]


class _Apart(Struct, frozen=True):
    """Outcomes that some fields alone decide: by their values or, the `presences`, by being there."""

    fields: Callable[[list[Any]], Any]
    presences: list[int]
    outcomes: dict[Any, Outcome]

    def key(self, values: list[Any]) -> Any:
        """The common fields of commands with the same outcome."""
        fields = self.fields(values)
        return (fields, *[values[place] in NOT_SAID for place in self.presences]) if self.presences else fields


class Outcomes:
    """Tries commands of one kind, each that differs in something that the rules look at.

    The rules look at some fields of a command, one after the other, and come to the same for any other that says
    the same in these. Where a refusal is about some fields alone, it stands for all commands that say the same in
    them. `passed` are the commands that were accepted when they were tried.
    """

    def __init__(self, kind: type[Struct], trial: Trial) -> None:
        self.kind = kind
        self.passed: list[dict[str, Any]] = []
        self._trial = trial
        self._wire = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
        self._places = {name: place for place, name in enumerate(kind.__struct_encode_fields__)}
        self._compounds = [self._places[field.name] for field in fields_of(kind) if not _is_plain(field)]
        self._found: _Look | Outcome | None = None
        self._apart: dict[Culprits, _Apart] = {}

    @property
    def tries(self) -> int:
        """So often the rules were asked so far, for this and any other kind."""
        return self._trial.tries

    def of(self, request: dict[str, Any]) -> Outcome:
        """The outcome of a command."""
        values = self._values(request)
        return self._stored_outcome(values) or self._tried(request, values)

    def _values(self, request: Mapping[str, Any]) -> list[Any]:
        """The value of each field of a command, to be compared."""
        values = [request.get(name, UNSAID) for name in self._places]
        for place in self._compounds:
            if values[place] not in NOT_SAID:
                values[place] = repr(values[place])
        return values

    def _stored_outcome(self, values: list[Any]) -> Outcome | None:
        for apart in self._apart.values():
            outcome = apart.outcomes.get(apart.key(values))
            if outcome is not None:
                return outcome
        now = self._found
        while now.__class__ is _Look:
            now = now.then.get(values[now.place])
        return now  # type: ignore[return-value]

    def _tried(self, request: dict[str, Any], values: list[Any]) -> Outcome:
        try:
            command = msgspec.convert(request, self.kind)
        except msgspec.ValidationError as fault:
            place = PLACE.search(str(fault))
            if place is None:
                return Outcome(_misplaced(place), [*self._places], len(self._places))
            return self._keep_apart(Outcome(_misplaced(place), [place[1]], 1), values, Culprits((place[1],)))
        refusal, reads = self._trial.refusal(command)
        looked_at = [*dict.fromkeys([self._wire[name] for name in reads])]
        if refusal is not None and refusal.about is not None:
            about, presences = (tuple([self._wire[name] for name in fields]) for fields in refusal.about)
            outcome = Outcome(refusal, [*about, *presences], len(looked_at), presences)
            return self._keep_apart(outcome, values, Culprits(about, presences))
        outcome = Outcome(refusal, looked_at, len(looked_at))
        if refusal is None:
            self.passed.append(request)
        self._keep(outcome, values)
        return outcome

    def _keep_apart(self, outcome: Outcome, values: list[Any], culprits: Culprits) -> Outcome:
        """Note an outcome under the command's values of the fields that alone decide it."""
        apart = self._apart.get(culprits)
        if apart is None:
            fields = [self._places[name] for name in culprits.fields]
            apart = _Apart(
                itemgetter(*fields) if fields else len, [self._places[name] for name in culprits.presences], {}
            )
            self._apart[culprits] = apart
        apart.outcomes[apart.key(values)] = outcome
        return outcome

    def _keep(self, outcome: Outcome, values: list[Any]) -> None:
        """Note an outcome under the command's values of the fields that were looked at, in their order."""
        if not outcome.reads:
            self._found = outcome
            return
        places = [self._places[name] for name in outcome.reads]
        if not isinstance(self._found, _Look):
            self._found = _Look(places[0], {})
        now = self._found
        for place, following in pairwise([*places, None]):
            if now.place != place:
                return  # it is not decided by these fields alone
            if following is None:
                now.then[values[place]] = outcome
                return
            then = now.then.get(values[place])
            if not isinstance(then, _Look):
                then = now.then[values[place]] = _Look(following, {})
            now = then


def _is_plain(field: Field) -> bool:
    return field.kind in PLAIN and all(map(_is_plain, field.variants))


def _misplaced(place: re.Match[str] | None) -> Rejection:
    """The refusal of a value that a field cannot have, or of a field that a command does not have."""
    if place is None:
        return Rejection("no_such_field", say("A command of this type has no such field."))
    name = place[1]
    return Rejection(
        "not_a_value", say("That cannot stand in “{field}”.", field=name.replace("_", " ")), field=name
    )
