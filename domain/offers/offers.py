"""Whether each command may be given now, by one member, with an example that is accepted."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, structs

from domain.campaign.commands import PlayCommand
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.ids import SystemId
from domain.mechanics.budgets import Budget
from domain.offers.candidates import CANDIDATES, DRAFTS, alike
from domain.offers.choices import Choice, ChoiceSearch, NumberBounds
from domain.offers.fields import Field, fields_of
from domain.offers.outcomes import Outcomes
from domain.offers.search import Found, complete
from domain.offers.trial import Trial
from domain.offers.values import Path, Values
from domain.references import Given
from domain.rejection import Rejection
from domain.systems import SYSTEMS, owner_of_kind
from domain.systems.system import RuleSystem

BY_ITSELF = "only_a_worker"
"""What refuses a command that only workers give."""


class Offer(Struct, frozen=True):
    """A command of a `kind` that says what is `given`, and whether it may be given now.

    `possible` is yes where nothing is left to fill in, depends where fields are open, and no where the rules
    refuse it whatever stands in them: `refusal` says why, and that is `certain`, or the search was given up.
    Otherwise `example` is a whole command that is accepted. `choices` are those of each field that has a list of
    them, by its path.
    `bounds` are those of numbers for which they depend on how things are, `budgets` what numbers may come to
    together.
    """

    kind: type[Struct]
    given: Given
    possible: Literal["yes", "no", "depends"]
    example: dict[str, Any] | None
    refusal: Rejection | None
    fields: tuple[Field, ...] = ()
    choices: dict[Path, list[Choice]] = {}
    bounds: dict[Path, NumberBounds] = {}
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
        self._values: dict[SystemId | None, Values] = {}

    def offer(
        self, kind: type[Struct], given: Given, choices_of: Collection[str] | None = None, *, parts: bool = True
    ) -> Offer | None:
        """One command, as far as it is said; None where it happens by itself.

        Its choices and bounds are those of the fields with these names, or of all; with `parts` also those of the
        parts of records, lists and maps.
        """
        asked = _Asked(kind, given, self._trial, self._values_of(owner_of_kind(kind)))
        found = asked.complete()
        if found.example is None:
            by_itself = found.refusal is not None and found.refusal.code == BY_ITSELF
            refused = Offer(kind, given, "no", None, found.refusal, tuple(asked.fields), certain=found.exhausted)
            return None if by_itself else refused
        left = [each for each in asked.fields if each.required or each.name in found.example]
        dice, odds = self._trial.rolled(msgspec.convert(found.example, kind))
        choices, bounds = asked.chosen(found.example, choices_of, parts=parts)
        return Offer(
            kind=kind,
            given=given,
            possible="depends" if left else "yes",
            example=found.example,
            refusal=None,
            fields=tuple(asked.fields),
            choices=choices,
            bounds=bounds,
            dice=dice,
            odds=odds,
            budgets=tuple(asked.budgets()),
        )

    def _values_of(self, system: RuleSystem | None) -> Values:
        id_ = None if system is None else system.id
        if id_ not in self._values:
            self._values[id_] = values_of(system, self._trial)
        return self._values[id_]


def values_of(system: RuleSystem | None, trial: Trial) -> Values:
    """What may stand in the fields of a system's commands, or of the campaign's own."""
    context, known = trial.context(None), trial.known

    def candidates(ref: str, said: Given) -> Iterable[Any]:
        if system is not None and ref in system.candidates:
            return system.candidates[ref](known.systems[system.id], said, context)
        everybody = system.characters(known.systems[system.id]) if system is not None else []
        if ref == "character" and everybody:
            own = [each.character for each in everybody if each.player == context.account]
            return [*own, *(each.character for each in everybody if each.player != context.account)]
        return CANDIDATES[ref](known, said, context) if ref in CANDIDATES else ()

    return Values(candidates, alike(known, context))


class _Asked:
    """A command as far as it is said, with the fields that are left."""

    def __init__(self, kind: type[Struct], given: Given, trial: Trial, values: Values) -> None:
        self._kind = kind
        self._given = given
        self._trial = trial
        self._system = owner_of_kind(kind)
        self._values = values
        self._outcomes = Outcomes(kind, trial)
        self._drafts = [*self._found_drafts()]
        self.fields = [each for each in fields_of(kind) if each.name not in given]

    def complete(self) -> Found:
        """An accepted command that says what is given."""
        return complete(self._outcomes, self._given, self._values, self._drafts)

    def chosen(
        self, example: Given, of: Collection[str] | None, *, parts: bool
    ) -> tuple[dict[Path, list[Choice]], dict[Path, NumberBounds]]:
        """Choices and bounds of fields that are left, with why one cannot be chosen whatever else is filled in."""
        search = ChoiceSearch(self._outcomes, self._given, example, self._values, self._drafts)
        fields = [each for each in self.fields if of is None or each.name in of]
        choices = {path: found for field in fields for path, found in search.of(field, parts=parts)}
        return choices, {path: found for field in fields for path, found in search.bounds(field, parts=parts)}

    def budgets(self) -> Iterable[Budget]:
        """What its numbers may come to together."""
        system, known = self._system, self._trial.known
        if system is None or self._kind not in system.budgets:
            return ()
        settings = settings_of(system.id, known.changed_settings)
        context = structs.replace(self._trial.context(None), settings=settings)
        return system.budgets[self._kind](known.systems[system.id], self._given, context)

    def _found_drafts(self) -> Iterable[Any]:
        system, known = self._system, self._trial.known
        drafts, state = (DRAFTS, known) if system is None else (system.drafts, known.systems[system.id])
        return drafts[self._kind](state, self._given, self._trial.context(None)) if self._kind in drafts else ()
