"""Whether each command may be given now, by one member, with an example that is accepted."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, structs

from domain.campaign.candidates import CANDIDATES, DRAFTS, alike
from domain.campaign.commands import PlayCommand
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.mechanics.budgets import Budget
from domain.offers.choice_holder import Holder, holds
from domain.offers.fields import Field, fields_of
from domain.offers.outcomes import Outcomes
from domain.offers.search import Found, Indifferent, complete
from domain.offers.trial import Trial
from domain.offers.values import Path, Values
from domain.references import Given
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of_kind

BY_ITSELF = "only_a_worker"
"""What refuses a command that only workers give."""


TRIES_OF_CHOICE = 150
"""So many commands are tried for one value of a field at most."""
TRIES_IN_ALL = 200
"""So many for all ways of putting one value into a field that it is a part of."""
WAYS_MAX = 150
"""So many ways of putting it there, most of which come to what is known already."""
WHOLES_MAX = 8
"""Into so many values of a field something is put."""
WAYS_FIRST, TRIES_OF_WAY = 2, 20
"""With so many of these ways, other fields are changed too, so often; with the others, nothing else is."""


class Choice(Struct, frozen=True):
    """A value that may be chosen for a field; `refusal` is why it cannot be now, whatever else is filled in.

    Where that is not `certain`, the search for a way of filling in the rest was given up.
    """

    value: Any
    refusal: Rejection | None
    certain: bool = True


class Offer(Struct, frozen=True):
    """A command of a `kind` that says what is `given`, and whether it may be given now.

    `possible` is yes where nothing is left to fill in, depends where fields are open, and no where the rules
    refuse it whatever stands in them: `refusal` says why, and that is `certain`, or the search was given up.
    Otherwise `example` is a whole command that is accepted. `choices` are those of each field that has a list of
    them, by its path.
    `budgets` are what its numbers may come to together.
    """

    kind: type[Struct]
    given: Given
    possible: Literal["yes", "no", "depends"]
    example: dict[str, Any] | None
    refusal: Rejection | None
    fields: tuple[Field, ...] = ()
    choices: dict[Path, list[Choice]] = {}
    dice: tuple[int, ...] = ()
    odds: dict[str, float] | None = None
    certain: bool = True
    budgets: tuple[Budget, ...] = ()


def commands_of(known: CampaignState) -> Iterator[type[Struct]]:
    """The types of all commands that members of a campaign give: its systems' first, then its own."""
    for system in known.systems:
        yield from get_args(SYSTEMS[system].commands)
    yield from get_args(PlayCommand)


class Offers:
    """Asks for one member what they may do. `trial` knows the campaign as they do."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial

    def offer(
        self, kind: type[Struct], given: Given, choices_of: Collection[str] | None = None, *, parts: bool = True
    ) -> Offer | None:
        """One command, as far as it is said; None where it happens by itself.

        Its choices are those of the fields with these names, or of all; with `parts` also those of the parts of
        records, lists and maps.
        """
        asked = _Asked(kind, given, self._trial)
        found = asked.complete()
        if found.example is None:
            by_itself = found.refusal is not None and found.refusal.code == BY_ITSELF
            refusal, fields = found.refusal or _nothing_to_name(), tuple(asked.fields)
            refused = Offer(kind, given, "no", None, refusal, fields, certain=found.exhausted)
            return None if by_itself else refused
        left = [each for each in asked.fields if each.required or each.name in found.example]
        dice, odds = self._trial.rolled(msgspec.convert(found.example, kind))
        return Offer(
            kind=kind,
            given=given,
            possible="depends" if left else "yes",
            example=found.example,
            refusal=None,
            fields=tuple(asked.fields),
            choices=asked.choices(found.example, choices_of, parts=parts),
            dice=dice,
            odds=odds,
            budgets=tuple(asked.budgets()),
        )


def _nothing_to_name() -> Rejection:
    """What refuses a command with a field that has to be said and has nothing to choose."""
    return Rejection("nothing_to_name", say("There is nothing yet that this could be done with."))


class _Asked:
    """A command as far as it is said, with the fields that are left."""

    def __init__(self, kind: type[Struct], given: Given, trial: Trial) -> None:
        self._kind = kind
        self._given = given
        self._trial = trial
        self._system = owner_of_kind(kind)
        self._values = Values(self._candidates, partial(alike, trial.known, trial.context(None)))
        self._outcomes = Outcomes(kind, trial)
        self.fields = [each for each in fields_of(kind) if each.name not in given]

    def complete(self) -> Found:
        """An accepted command that says what is given."""
        return complete(self._outcomes, self._given, self._values, self._drafts())

    def choices(self, example: Given, of: Collection[str] | None, *, parts: bool) -> dict[Path, list[Choice]]:
        """Those of fields that are left, with why one cannot be chosen whatever else is filled in."""
        said, found = {**self._given, **example}, {}
        holder = Holder(self._values, said)
        indifferent: Indifferent = set()
        for field in (each for each in self.fields if of is None or each.name in of):
            around = [*_around(self._kind, field, self._values, said)]
            listed = self._values.listed(field, said)
            for path, values in (each for each in listed if parts or len(each[0]) == 1):
                found[path] = [
                    self._choice(field, path[1:], value, holder, around, indifferent) for value in values
                ]
        return found

    def _choice(
        self,
        field: Field,
        path: Path,
        value: Any,
        holder: Holder,
        around: Sequence[Given],
        indifferent: Indifferent,
    ) -> Choice:
        """A value at a path within a field, with what refuses it whatever else is filled in.

        The first of `around` is the example.
        """
        passed = [each[field.name] for each in self._outcomes.passed if field.name in each]
        if any(holds(field, path, value, whole) for whole in passed):
            return Choice(value, None)
        refusal: Rejection | None = None
        certain, last = True, self._trial.tries + TRIES_IN_ALL
        for nth, (whole, near, tries_max) in enumerate(self._ways(field, path, value, holder, around, passed)):
            if self._trial.tries > last or nth >= WAYS_MAX:
                return Choice(value, refusal, certain=False)
            tried = complete(
                self._outcomes,
                {**self._given, field.name: whole},
                self._values,
                near,
                tries_max=tries_max,
                indifferent=indifferent,
            )
            if tried.example is not None:
                return Choice(value, None)
            refusal, certain = refusal or tried.refusal, certain and tried.exhausted
        return Choice(value, refusal or _nothing_to_name(), certain)

    def _ways(
        self,
        field: Field,
        path: Path,
        value: Any,
        holder: Holder,
        around: Sequence[Given],
        passed: Iterable[Any],
    ) -> Iterator[tuple[Any, Sequence[Given], int]]:
        """Values of a field that have this one in them, with what may stand around each and how often to try."""
        if not path:
            yield value, around, TRIES_OF_CHOICE
            return
        drafts = [each for each in self._drafts() if each.get(field.name) is not None]
        for draft in drafts:
            if holds(field, path, value, draft[field.name]):
                yield draft[field.name], [draft, *around], TRIES_OF_WAY
        wholes = _different([*passed, *(each[field.name] for each in drafts)])[:WHOLES_MAX]
        for nth, whole in enumerate(holder.holding(field, path, value, wholes)):
            yield whole, around, TRIES_OF_WAY if nth < WAYS_FIRST else 1

    def budgets(self) -> Iterable[Budget]:
        """What its numbers may come to together."""
        system, known = self._system, self._trial.known
        if system is None or self._kind not in system.budgets:
            return ()
        settings = settings_of(system.id, known.changed_settings)
        context = structs.replace(self._trial.context(None), settings=settings)
        return system.budgets[self._kind](known.systems[system.id], self._given, context)

    def _drafts(self) -> Iterable[Any]:
        system, known = self._system, self._trial.known
        drafts, state = (DRAFTS, known) if system is None else (system.drafts, known.systems[system.id])
        return drafts[self._kind](state, self._given, self._trial.context(None)) if self._kind in drafts else ()

    def _candidates(self, ref: str, said: Given) -> Iterable[Any]:
        context, known, system = self._trial.context(None), self._trial.known, self._system
        if system is not None and ref in system.candidates:
            return system.candidates[ref](known.systems[system.id], said, context)
        everybody = system.characters(known.systems[system.id]) if system is not None else []
        if ref == "character" and everybody:
            own = [each.character for each in everybody if each.player == context.account]
            return [*own, *(each.character for each in everybody if each.player != context.account)]
        return CANDIDATES[ref](known, said, context) if ref in CANDIDATES else ()


def _different(several: Iterable[Any]) -> list[Any]:
    """Each once; values of fields cannot be hashed."""
    found: list[Any] = []
    for each in several:
        if each not in found:
            found.append(each)
    return found


def _around(kind: type[Struct], field: Field, values: Values, example: Given) -> Iterator[Given]:
    """An example, the same without what depends on a field, and with other values of what this one depends on."""
    yield example
    others = fields_of(kind)
    dependent = {each.name for each in others if field.name in each.depends and not each.required}
    if dependent:
        yield {key: value for key, value in example.items() if key not in dependent}
    for each in others:
        if each.name in field.depends:
            yield from ({**example, each.name: value} for value in values.some(each, example))
