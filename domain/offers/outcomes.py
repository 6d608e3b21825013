"""What came of the commands of one kind that were tried, and so of all that agree with one of them."""

import re
from collections.abc import Mapping
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
    """What refused a command, if anything did, and the fields that were looked at until then, in order."""

    refusal: Rejection | None
    reads: list[str]


class Outcomes:
    """Tries commands of one kind, each that differs in something that the rules look at.

    The rules look at some fields of a command, and come to the same for any other that says the same in these.
    `passed` are the commands that were accepted when they were tried.
    """

    def __init__(self, kind: type[Struct], trial: Trial) -> None:
        self.kind = kind
        self.passed: list[dict[str, Any]] = []
        self._trial = trial
        self._wire = dict(zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True))
        self._found: dict[tuple[str, ...], dict[tuple[Any, ...], Outcome]] = {}

    @property
    def tries(self) -> int:
        """So often the rules were asked so far, for this and any other kind."""
        return self._trial.tries

    def of(self, said: dict[str, Any]) -> Outcome:
        """What comes of a command."""
        for fields, found in self._found.items():
            known = found.get(_said_in(fields, said))
            if known is not None:
                return known
        outcome = self._tried(said)
        if outcome.refusal is None:
            self.passed.append(said)
        looked_at = tuple(dict.fromkeys(outcome.reads))
        self._found.setdefault(looked_at, {})[_said_in(looked_at, said)] = outcome
        return outcome

    def _tried(self, said: dict[str, Any]) -> Outcome:
        try:
            command = msgspec.convert(said, self.kind)
        except msgspec.ValidationError as fault:
            place = PLACE.search(str(fault))
            return Outcome(_misplaced(place), [*self._wire.values()] if place is None else [place[1]])
        refusal, reads = self._trial.refusal(command)
        return Outcome(refusal, [self._wire[each] for each in reads])


def _said_in(fields: tuple[str, ...], said: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a command says in some fields, to be compared."""
    return tuple([_comparable(said.get(each, UNSAID)) for each in fields])


def _comparable(value: Any) -> Any:
    """A text as it is, and everything else as its type and what it says."""
    return value if value.__class__ is str or value is UNSAID else (value.__class__, repr(value))


def _misplaced(place: re.Match[str] | None) -> Rejection:
    """The refusal of a value that a field cannot have, or of a field that a command does not have."""
    if place is None:
        return Rejection("no_such_field", say("A command of this type has no such field."))
    return Rejection("not_a_value", say("That cannot stand in “{field}”.", field=place[1]))
