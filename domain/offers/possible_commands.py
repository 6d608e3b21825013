"""Whether each command may be given now, by one member, with an example that is accepted."""

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, structs

from domain.campaign.commands import PlayCommand
from domain.campaign.settings import settings_of
from domain.campaign.state import CampaignState
from domain.field_references import Given
from domain.ids import SystemId
from domain.mechanics.budgets import Budget
from domain.offers.candidates import DRAFTS, alike, candidates_of
from domain.offers.command_search import TRIES_MAX, SearchResult, complete
from domain.offers.command_trials import FirstDice, Trial
from domain.offers.field_choices import Choice, ChoiceSearch, NumberBounds
from domain.offers.field_values import Path, Recall, Values
from domain.offers.fields import Field, fields_of
from domain.offers.trial_outcomes import Outcomes
from domain.rejection import Rejection
from domain.systems import SYSTEMS, owner_of_kind
from domain.systems.system import RuleSystem

BY_ITSELF = "only_a_worker"
"""The refusal of a command that only workers give."""


class Offer(Struct, frozen=True):
    """Whether a command may be given now."""

    kind: type[Struct]
    inputs: Given
    """Its fields that are filled in."""
    possible: Literal["yes", "no", "depends"]
    """Yes where nothing is left to fill in, depends where fields are open.

    No where the rules refuse it whatever stands in them.
    """
    example: dict[str, Any] | None
    """A whole command that is accepted, unless it is refused."""
    refusal: Rejection | None
    """Why it is refused."""
    fields: tuple[Field, ...] = ()
    choices: dict[Path, list[Choice]] = {}
    """Those of each field that has a list of them, by its path."""
    bounds: dict[Path, NumberBounds] = {}
    """Those of numbers for which they depend on how things are."""
    dice: FirstDice = FirstDice([])
    certain: bool = True
    """The refusal is sure; False: the search was given up."""
    budgets: tuple[Budget, ...] = ()
    """The sums that numbers may come to together."""


def commands_of(state: CampaignState) -> Iterator[type[Struct]]:
    """The types of all commands that members of a campaign give: its systems' first, then its own."""
    for system in state.systems:
        yield from get_args(SYSTEMS[system].commands)
    yield from get_args(PlayCommand)


class Offers:
    """Finds the possible commands of one member. `trial` knows the campaign as they do.

    `recall` knows the values of fields that were found before.
    """

    def __init__(self, trial: Trial, recall: Recall | None = None) -> None:
        self._trial = trial
        self._recall = recall
        self._values: dict[SystemId | None, Values] = {}

    def offer(
        self,
        kind: type[Struct],
        inputs: Given,
        choices_of: Collection[str] | None = None,
        *,
        parts: bool = True,
        tries_max: int = TRIES_MAX,
    ) -> Offer | None:
        """One command, as far as it is said; None where it happens by itself.

        Its choices and bounds are those of the fields with these names, or of all; with `parts` also those of the
        parts of records, lists and maps. The search for an example is given up after `tries_max` commands.
        """
        question = _PartialCommand(kind, inputs, self._trial, self._values_of(owner_of_kind(kind)))
        refusal = question.refusal_of_all()
        finding = question.complete(tries_max) if refusal is None else SearchResult(None, refusal)
        if finding.example is None:
            by_itself = finding.refusal is not None and finding.refusal.code == BY_ITSELF
            refused_offer = Offer(
                kind, inputs, "no", None, finding.refusal, tuple(question.fields), certain=finding.exhausted
            )
            return None if by_itself else refused_offer
        open_fields = [field for field in question.fields if field.required or field.name in finding.example]
        dice = self._trial.first_dice(msgspec.convert(finding.example, kind))
        choices, bounds = question.choices_and_bounds(finding.example, choices_of, parts=parts)
        return Offer(
            kind=kind,
            inputs=inputs,
            possible="depends" if open_fields else "yes",
            example=finding.example,
            refusal=None,
            fields=tuple(question.fields),
            choices=choices,
            bounds=bounds,
            dice=dice,
            budgets=tuple(question.budgets()),
        )

    def _values_of(self, system: RuleSystem | None) -> Values:
        id_ = None if system is None else system.id
        if id_ not in self._values:
            self._values[id_] = values_of(system, self._trial, self._recall)
        return self._values[id_]


def values_of(system: RuleSystem | None, trial: Trial, recall: Recall | None = None) -> Values:
    """The candidates for the fields of a system's commands, or of the campaign's own."""
    context, system_id = trial.context(None), system and system.id
    find, looked_at = candidates_of(system, trial.state, context), alike(trial.state, context)
    if recall is None:
        return Values(find, looked_at)
    return Values(find, looked_at, lambda key, search: recall((system_id, *key), search))


class _PartialCommand:
    """A command as far as it is said, with the fields that are left."""

    def __init__(self, kind: type[Struct], inputs: Given, trial: Trial, values: Values) -> None:
        self._kind = kind
        self._inputs = inputs
        self._trial = trial
        self._system = owner_of_kind(kind)
        self._values = values
        self.fields = [field for field in fields_of(kind) if field.name not in inputs]

    def refusal_of_all(self) -> Rejection | None:
        """The refusal of every command of the kind, where none of its fields is looked at; None where one is.

        That rests on less than a search, which begins with a value of every field. Where a required field has no
        value, or none is sure, it is left to the search what refuses the command.
        """
        if self._inputs:
            return None
        refusal = self._trial.refusal_of_all(self._kind)
        if refusal is None or all(self._values.has_some(field) for field in self.fields if field.required):
            return refusal
        return None

    def complete(self, tries_max: int) -> SearchResult:
        """An accepted command that has the given fields."""
        return complete(self._outcomes, self._inputs, self._values, self._drafts, tries_max=tries_max)

    def choices_and_bounds(
        self, example: Given, of: Collection[str] | None, *, parts: bool
    ) -> tuple[dict[Path, list[Choice]], dict[Path, NumberBounds]]:
        """Choices and bounds of the fields left; a choice that no other fields allow has its refusal."""
        search = ChoiceSearch(self._outcomes, self._inputs, example, self._values, self._drafts)
        fields = [field for field in self.fields if of is None or field.name in of]
        choices = {path: options for field in fields for path, options in search.of(field, parts=parts)}
        return choices, {
            path: number_bounds for field in fields for path, number_bounds in search.bounds(field, parts=parts)
        }

    def budgets(self) -> Iterable[Budget]:
        """The limits to the sums of its numbers."""
        system, campaign = self._system, self._trial.state
        if system is None or self._kind not in system.budgets:
            return ()
        settings = settings_of(system.id, campaign.changed_settings)
        context = structs.replace(self._trial.context(None), settings=settings)
        return system.budgets[self._kind](campaign.systems[system.id], self._inputs, context)

    @cached_property
    def _outcomes(self) -> Outcomes:
        return Outcomes(self._kind, self._trial)

    @cached_property
    def _drafts(self) -> list[Any]:
        return [*self._found_drafts()]

    def _found_drafts(self) -> Iterable[Any]:
        system, campaign = self._system, self._trial.state
        drafts, state = (DRAFTS, campaign) if system is None else (system.drafts, campaign.systems[system.id])
        return drafts[self._kind](state, self._inputs, self._trial.context(None)) if self._kind in drafts else ()
