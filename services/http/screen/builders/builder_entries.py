"""The commands of a builder as the entries of one form, and back.

The entries of the first step begin with `s0`; `s2.n.0.4` says how often the fifth thing of the first group of the
third step is taken, and the same name with `:is` which thing that is.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

from msgspec import Struct

from domain.ids import COMMANDS_TOGETHER_MAX
from domain.mechanics.builders import NAME, Builder, Counter, CounterGroup, Draft, Step
from services.http.screen.commands.command_entries import FormEntries, entries_of, read_command
from services.http.screen.commands.form_budget import WHOLE

COUNTS: Final = "n"
IS: Final = ":is"
"""The end of the name of an entry that says which thing is counted."""


class EnteredCommand(Struct, frozen=True):
    """A command as far as it is entered, and the path of the entries that it was read from."""

    path: str
    step: Step
    fields: Mapping[str, Any]


class StepEntries(Struct, frozen=True):
    """A step of a builder with what is entered of it."""

    place: int
    step: Step
    groups: Sequence[CounterGroup]
    inputs: FormEntries

    @property
    def path(self) -> str:
        """The beginning of the names of its entries."""
        return f"s{self.place}"

    def group_path(self, group: int) -> str:
        """The beginning of the names of one group's counts."""
        return f"{self.path}.{COUNTS}.{group}"

    def counts(self) -> Iterator[tuple[int, int, Counter, str]]:
        """Each counter with the number of its group, its own, and the text that is entered."""
        texts = {
            self.inputs.last(f"{path}.{row}{IS}"): self.inputs.last(f"{path}.{row}").strip()
            for path in (self.group_path(int(group)) for group in self.inputs.rows(f"{self.path}.{COUNTS}"))
            for row in self.inputs.rows(path)
        }
        for nth, group in enumerate(self.groups):
            for row, counter in enumerate(group.counters):
                yield nth, row, counter, texts.get(mark_of(counter), "")

    def commands(self, who: str) -> Iterator[EnteredCommand]:
        """Its commands, about the character of this name; none where it is optional and has no name."""
        step, tag = self.step, str(self.step.kind.__struct_config__.tag)
        also = {step.who: who} if step.who else {}
        takings = [
            (counter, f"{self.group_path(group)}.{row}", min(int(text), COMMANDS_TOGETHER_MAX))
            for group, row, counter, text in self.counts()
            if WHOLE.fullmatch(text)
        ]
        if self.groups and not step.list_field:
            for counter, path, count in takings:
                yield from [EnteredCommand(path, step, {"type": tag, **counter.fields, **also})] * count
            return
        command = read_command(step.kind, self.inputs, self.path)
        if step.is_optional and not command.get(NAME):
            return
        if step.list_field:
            names = [counter.fields[step.list_field] for counter, _, count in takings for _ in range(count)]
            command[step.list_field] = names
        yield EnteredCommand(self.path, step, {**command, **step.fixed_fields, **also})


def mark_of(counter: Counter) -> str:
    """The value by which a counter is known again, whatever stands before it by then."""
    return urlencode(counter.fields)


def step_entries(builder: Builder, state: Any, settings: Any, inputs: FormEntries) -> list[StepEntries]:
    """The steps of a builder, with what is entered."""
    return [
        StepEntries(place, step, [*step.groups(state, settings)] if step.groups else [], inputs)
        for place, step in enumerate(builder.steps)
    ]


def entered_commands(steps: Sequence[StepEntries]) -> list[EnteredCommand]:
    """All commands in order, as far as they are entered; of too many for one action, one more than it takes."""
    who = steps[0].inputs.last(f"{steps[0].path}.{NAME}")
    commands = (command for step in steps for command in step.commands(who))
    return [*islice(commands, COMMANDS_TOGETHER_MAX + 1)]


def entries_of_draft(steps: Sequence[StepEntries], draft: Draft) -> list[tuple[str, str]]:
    """The entries that a builder reads these commands from."""
    return [entry for step in steps for entry in _entries_of_step(step, draft)]


def _entries_of_step(part: StepEntries, draft: Draft) -> Iterator[tuple[str, str]]:
    step, tag = part.step, str(part.step.kind.__struct_config__.tag)
    commands = [command for command in draft if command["type"] == tag]
    for command in commands if step.list_field or not part.groups else ():
        left_out = {"type", step.who, step.list_field, *step.fixed_fields}
        fields = {name: value for name, value in command.items() if name not in left_out}
        yield from entries_of(step.kind, fields, part.path)
    for group, row, counter, _ in part.counts():
        if step.list_field:
            value = counter.fields[step.list_field]
            count = sum([*command.get(step.list_field, ())].count(value) for command in commands)
        else:
            count = sum(counter.fields.items() <= command.items() for command in commands)
        path = f"{part.group_path(group)}.{row}"
        yield from [(path, str(count)), (f"{path}{IS}", mark_of(counter))]
