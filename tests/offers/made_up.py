"""Commands with any values in their fields, as somebody may fill in a form who does not look at refusals."""

from random import Random
from typing import Any

import msgspec
from msgspec import Struct

from domain.offers.command_search import fields_in_order
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import values_of
from domain.rejection import Culprits, Rejection
from domain.systems import owner_of_kind


class MadeUp:
    """Commands of a type with any values in their fields, as a form may be filled in."""

    def __init__(self, kind: type[Struct], trial: Trial, chance: Random) -> None:
        self.kind = kind
        self._trial = trial
        self._chance = chance
        self._values = values_of(owner_of_kind(kind), trial)

    def said(self, kept: dict[str, Any]) -> dict[str, Any]:
        """A command that says what is kept; of a field that is kept as `...`, something else than nothing."""
        said: dict[str, Any] = {"type": str(self.kind.__struct_config__.tag)}
        for field in fields_in_order(self.kind):
            values = self._values.some(field, said)
            if kept.get(field.name) is ...:
                values = [each for each in values if each is not None]
            if field.name in kept and kept[field.name] is not ...:
                said[field.name] = kept[field.name]
            elif values and (field.required or field.name in kept or self._chance.random() < 0.5):
                said[field.name] = self._chance.choice(values)
        return {name: each for name, each in said.items() if each is not msgspec.UNSET}

    def refusal(self, said: dict[str, Any]) -> Rejection | None:
        """What refuses a command; one that is none is refused, too."""
        try:
            return self._trial.refusal(msgspec.convert(said, self.kind))[0]
        except msgspec.ValidationError:
            return Rejection("not_a_value", "No.")

    def kept(self, said: dict[str, Any], about: Culprits) -> dict[str, Any]:
        """What a refusal is about."""
        wire = dict(zip(self.kind.__struct_fields__, self.kind.__struct_encode_fields__, strict=True))
        fields = {field.name: field for field in fields_in_order(self.kind)}
        kept = {wire[each]: said.get(wire[each], fields[wire[each]].default) for each in about.fields}
        return kept | {wire[each]: None if said.get(wire[each]) is None else ... for each in about.presences}
