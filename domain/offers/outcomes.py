"""What came of the commands of one kind that were tried, and so of all that agree with one of them."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct

from domain.offers.trial import Trial
from domain.rejection import Rejection
from domain.sentences import say

PLACE = re.compile(r" - at `\$\.(\w+)")
"""Where a message of msgspec says which field is wrong."""
UNSAID = object()


class Outcome(Struct, frozen=True):
    """What refused a command, if anything did, and the fields that were looked at until then, each once."""

    refusal: Rejection | None
    reads: list[str]


class _Look(Struct, frozen=True):
    """What comes of commands that have been looked at so far, by what they say in the next `field` that is."""

    field: str
    then: dict[Any, "_Look | Outcome"]


class Outcomes:
    """Tries commands of one kind, each that differs in something that the rules look at.

    The rules look at some fields of a command, one after the other, and come to the same for any other that says
    the same in these. `passed` are the commands that were accepted when they were tried.
    """

    def __init__(self, kind: type[Struct], trial: Trial) -> None:
        self.kind = kind
        self.passed: list[dict[str, Any]] = []
        self._trial = trial
        self._wire = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
        self._found: _Look | Outcome | None = None
        self._misplaced: dict[str, dict[Any, Outcome]] = {}

    @property
    def tries(self) -> int:
        """So often the rules were asked so far, for this and any other kind."""
        return self._trial.tries

    def of(self, said: dict[str, Any]) -> Outcome:
        """What comes of a command."""
        known = self._known(said)
        return self._tried(said) if known is None else known

    def _known(self, said: Mapping[str, Any]) -> Outcome | None:
        for field, outcomes in self._misplaced.items():
            misplaced = outcomes.get(_comparable(said.get(field, UNSAID)))
            if misplaced is not None:
                return misplaced
        now = self._found
        while isinstance(now, _Look):
            now = now.then.get(_comparable(said.get(now.field, UNSAID)))
        return now

    def _tried(self, said: dict[str, Any]) -> Outcome:
        try:
            command = msgspec.convert(said, self.kind)
        except msgspec.ValidationError as fault:
            place = PLACE.search(str(fault))
            if place is None:
                return Outcome(_misplaced(place), [*self._wire.values()])
            outcome = Outcome(_misplaced(place), [place[1]])
            self._misplaced.setdefault(place[1], {})[_comparable(said.get(place[1], UNSAID))] = outcome
            return outcome
        refusal, reads = self._trial.refusal(command)
        outcome = Outcome(refusal, [*dict.fromkeys(self._wire[each] for each in reads)])
        if refusal is None:
            self.passed.append(said)
        self._keep(outcome, said)
        return outcome

    def _keep(self, outcome: Outcome, said: Mapping[str, Any]) -> None:
        """Note an outcome under what the command says in the fields that were looked at, in their order."""
        if not outcome.reads:
            self._found = outcome
            return
        if not isinstance(self._found, _Look):
            self._found = _Look(outcome.reads[0], {})
        now = self._found
        for field, following in pairwise([*outcome.reads, None]):
            if now.field != field:
                return  # it is not decided by these fields alone
            key = _comparable(said.get(field, UNSAID))
            if following is None:
                now.then[key] = outcome
                return
            then = now.then.get(key)
            if not isinstance(then, _Look):
                then = now.then[key] = _Look(following, {})
            now = then


def _comparable(value: Any) -> Any:
    """A text as it is, and everything else as its type and what it says."""
    return value if value.__class__ is str or value is UNSAID else (value.__class__, repr(value))


def _misplaced(place: re.Match[str] | None) -> Rejection:
    """The refusal of a value that a field cannot have, or of a field that a command does not have."""
    if place is None:
        return Rejection("no_such_field", say("A command of this type has no such field."))
    return Rejection("not_a_value", say("That cannot stand in “{field}”.", field=place[1]))
