"""The rows of newcomers: each with a kind, a name and a number, and the commands that make them."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from msgspec import Struct

from domain.campaign.settings import settings_of
from domain.ids import SystemId
from domain.mechanics.builders import NAME, Builder, Draft, Newcomers
from domain.sentences import Part, say
from projections.languages import all_rendered
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.commands.form_entries import YES, FormEntries, read_command
from services.http.screen.commands.number_budget import WHOLE
from services.reading.ready_characters import draft_for, whole

KIND, COUNT = "kind", "count"
COUNT_MAX: Final = 20
"""So many newcomers one row makes at most."""
READY, LIKE = "ready:", "like:"
"""The beginnings of what a kind is called: one that is ready, or a copy."""
NAME_NEEDED = say("This is needed.")
OWN_NAME_NEEDED = say("This is needed: everybody would read the name of somebody hidden.")


class Kind(Struct, frozen=True):
    """A kind of newcomers. `name` is the one that they have if none is said; empty: one has to be said."""

    key: str
    title: Part
    name: str
    draft: Callable[[], Draft]
    is_hidden: bool = False


class NewcomerRow(Struct, frozen=True):
    """The newcomers of a row: their names, the lists that they join, and the commands that make all of them."""

    path: str
    names: list[str]
    lists: frozenset[str]
    commands: list[tuple[type[Struct], dict[str, Any]]]
    wrong: Mapping[str, Part]
    """The errors of its entries, by their paths."""


class NewcomerKinds:
    """The kinds of newcomers of a system, as the reader knows it."""

    def __init__(self, campaign: VisibleCampaign, system: SystemId, newcomers: Newcomers) -> None:
        self._campaign = campaign
        self._system = system
        self._newcomers = newcomers
        self._builder: Builder = newcomers.builder
        state = campaign.state.systems[system]
        settings = settings_of(system, campaign.state.changed_settings)
        self._originals = self._builder.originals(state)
        common = self._originals if campaign.common is None else self._common_originals(campaign.common)
        presets = self._builder.presets(state, settings)
        ready = [self._ready(preset.key, preset.title, preset.commands) for preset in presets]
        copies = [
            Kind(
                f"{LIKE}{key}",
                say("Like {name}", name=name) if key in common else say("Like {name}, who is hidden", name=name),
                name if key in common else "",
                partial(self._builder.copy, state, settings, key),
                is_hidden=key not in common,
            )
            for key, name in sorted(self._originals.items(), key=lambda pair: (pair[1], pair[0]))
        ]
        self.kinds = {kind.key: kind for kind in (*ready, *copies)}

    def _common_originals(self, common: Any) -> Mapping[str, str]:
        return self._builder.originals(common.systems[self._system])

    def _ready(self, key: str, title: Part, draft: Draft) -> Kind:
        rendered = all_rendered(draft, self._campaign.language)
        name = str(rendered[0].get(NAME, "")) if rendered else ""
        return Kind(f"{READY}{key}", title, name, lambda: draft)

    def kind_of(self, inputs: FormEntries, path: str) -> Kind | None:
        """The kind of a row; the only one where there is no choice."""
        if len(self.kinds) == 1:
            return next(iter(self.kinds.values()))
        return self.kinds.get(inputs.last(f"{path}.{KIND}"))

    def rows(self, inputs: FormEntries, paths: list[str], *, is_open: bool) -> Iterator[NewcomerRow]:
        """The rows that are meant: of each a kind is chosen, or a name entered.

        `is_open`: everybody will read of them.
        """
        taken_names = {name.casefold() for name in self._originals.values()}
        for path in paths:
            kind = self.kind_of(inputs, path)
            entry = inputs.last(f"{path}.{NAME}").strip()
            is_meant = entry or (kind is not None and len(self.kinds) > 1)
            if not is_meant:
                continue
            text = inputs.last(f"{path}.{COUNT}").strip() or "1"
            count = int(text) if WHOLE.fullmatch(text) and 1 <= int(text) <= COUNT_MAX else 0
            wrong: dict[str, Part] = {}
            if kind is None:
                wrong[f"{path}.{KIND}"] = NAME_NEEDED
            if not count:
                wrong[f"{path}.{COUNT}"] = say("Enter a whole number from 1 to {most}.", most=COUNT_MAX)
            hides = kind is not None and kind.is_hidden and is_open
            name = entry or (kind.name if kind is not None else "")
            if not name or (hides and name.casefold() in taken_names):
                wrong[f"{path}.{NAME}"] = OWN_NAME_NEEDED if hides else NAME_NEEDED
            names = [] if wrong else names_in_turn(name, count, taken_names)
            taken_names |= {own.casefold() for own in names}
            lists = frozenset(field for field in self._newcomers.lists if YES in inputs.every(f"{path}.{field}"))
            commands = [
                command
                for nth, own in enumerate(names, 1)
                if kind is not None
                for command in self._commands(kind, own, nth if count > 1 else 0, inputs, path)
            ]
            yield NewcomerRow(path, names, lists, commands, wrong)

    def _commands(
        self, kind: Kind, name: str, nth: int, inputs: FormEntries, path: str
    ) -> Iterator[tuple[type[Struct], dict[str, Any]]]:
        """The commands that make one of them, the `nth` of several; all its things get the number, too."""
        draft = draft_for(self._campaign, self._builder, self._system, kind.draft())
        if not draft:
            return
        first, *others = draft
        entry = read_command(self._builder.steps[0].kind, inputs, path)
        row_fields = {field: entry[field] for field in self._newcomers.asked if field in entry}
        commands = [{**first, **self._newcomers.fixed_fields, **row_fields, NAME: name}]
        for other in others:
            if NAME in other:
                own = name if kind.is_hidden else f"{other[NAME]} {nth}" if nth else other[NAME]
                other = {**other, NAME: own}  # noqa: PLW2901
            commands.append(other)
        kinds = {str(step.kind.__struct_config__.tag): step.kind for step in self._builder.steps}
        for command in whole(self._builder, commands):
            yield kinds[command["type"]], command


def names_in_turn(name: str, count: int, taken_names: set[str]) -> list[str]:
    """The names of so many, free and one after the other: a number stands behind each of several."""
    numbered = [f"{name} {nth}" for nth in range(1, len(taken_names) + count + 2)]
    candidates = [name, *numbered[1:]] if count == 1 else numbered
    return [candidate for candidate in candidates if candidate.casefold() not in taken_names][:count]
