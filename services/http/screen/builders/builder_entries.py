"""The commands of a builder as the entries of one form, and back.

The entries of the first step begin with `s0`; `s2.n.0.4` says how often the fifth thing of the first group of the
third step is taken, and the same name with `:is` which thing that is. `s0.0` is the first row of a step in rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

from msgspec import Struct

from domain.ids import COMMANDS_TOGETHER_MAX
from domain.mechanics.builders import NAME, Builder, Counter, CounterGroup, Draft, Joining, Step
from services.http.screen.builders.newcomer_rows import NewcomerRow
from services.http.screen.commands.command_form import rearranged
from services.http.screen.commands.form_entries import Entries, FormEntries, entries_of, read_command
from services.http.screen.commands.number_budget import WHOLE

COUNTS: Final = "n"
IS: Final = ":is"
"""The end of the name of an entry that says which thing is counted."""
LIKE_ROW: Final = "like"
"""The beginning of what a button says that makes another row like one."""


class EnteredCommand(Struct, frozen=True):
    """A command as far as it is entered, and the path of the entries that it was read from."""

    path: str
    step: Step
    kind: type[Struct]
    fields: Mapping[str, Any]


class StepEntries(Struct, frozen=True):
    """A step of a builder with what is entered of it."""

    place: int
    step: Step
    groups: Sequence[CounterGroup]
    inputs: FormEntries
    newcomers: Sequence[NewcomerRow] = ()
    """Those whom its rows make."""

    @property
    def path(self) -> str:
        """The beginning of the names of its entries."""
        return f"s{self.place}"

    def group_path(self, group: int) -> str:
        """The beginning of the names of one group's counts."""
        return f"{self.path}.{COUNTS}.{group}"

    def row_paths(self, *, is_sent: bool = True) -> list[str]:
        """The beginnings of the names of each row's entries; a form that is new begins with some."""
        rows = self.inputs.rows(self.path)
        return [f"{self.path}.{row}" for row in rows or range(0 if is_sent else self.step.rows or 0)]

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

    def commands(self, who: str, newcomers: Sequence[NewcomerRow]) -> Iterator[EnteredCommand]:
        """Its commands, about the character of this name, with these newcomers; none where nothing is entered."""
        step = self.step
        if step.newcomers is not None:
            for row in self.newcomers:
                yield from (EnteredCommand(row.path, step, kind, fields) for kind, fields in row.commands)
        elif step.rows is not None:
            for path in self.row_paths():
                yield EnteredCommand(path, step, step.kind, read_command(step.kind, self.inputs, path))
        else:
            yield from self._of_one(who, newcomers)

    def _of_one(self, who: str, newcomers: Sequence[NewcomerRow]) -> Iterator[EnteredCommand]:
        step, tag = self.step, str(self.step.kind.__struct_config__.tag)
        also = {step.who: who} if step.who else {}
        takings = [
            (counter, f"{self.group_path(group)}.{row}", min(int(text), COMMANDS_TOGETHER_MAX))
            for group, row, counter, text in self.counts()
            if WHOLE.fullmatch(text)
        ]
        if self.groups and not step.list_field:
            for counter, path, count in takings:
                fields = {"type": tag, **counter.fields, **also}
                yield from [EnteredCommand(path, step, step.kind, fields)] * count
            return
        command = read_command(step.kind, self.inputs, self.path)
        if step.is_optional and not command.get(NAME):
            return
        if step.list_field:
            names = [counter.fields[step.list_field] for counter, _, count in takings for _ in range(count)]
            command[step.list_field] = names
        if step.joining is not None:
            _join(command, step.joining, newcomers)
        yield EnteredCommand(self.path, step, step.kind, {**command, **step.fixed_fields, **also})


def _join(command: dict[str, Any], joining: Joining, newcomers: Sequence[NewcomerRow]) -> None:
    """Let the newcomers take part in a command; fields about others are left out."""
    joining_rows = [row for row in newcomers if row.commands] if joining.with_newcomers else []
    members = [*command.get(joining.members, ()), *(name for row in joining_rows for name in row.names)]
    command[joining.members] = members
    for name in sorted({name for row in newcomers for name in row.lists}):
        others = [member for member in command.get(name, ()) if member in members]
        command[name] = [*others, *(who for row in joining_rows if name in row.lists for who in row.names)]
    if joining.entry is not None:
        field, entry = joining.entry
        nameless = [row for row in newcomers if not row.commands]
        command[field] = [*command.get(field, ()), *(entry(name) for row in nameless for name in row.names)]
    if joining.places:
        places = command.get(joining.places, {})
        command[joining.places] = {who: place for who, place in places.items() if who in members}


def is_filled(inputs: FormEntries, path: str) -> bool:
    """Whether something is said under a path, besides what stands in every form."""
    return any(
        inputs.last(name) not in ("", "no")
        for name in inputs.names
        if (name == path or name.startswith((f"{path}.", f"{path}:")))
        and not name.endswith((".key", ":if", ":row"))
    )


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
    newcomers = [row for step in steps for row in step.newcomers]
    commands = (command for step in steps for command in step.commands(who, newcomers))
    return [*islice(commands, COMMANDS_TOGETHER_MAX + 1)]


def rearranged_rows(entries: Entries, do: str) -> list[tuple[str, str]]:
    """The entries with a row added, taken away, or made like another (`like:s0.0`)."""
    what, _, path = do.partition(":")
    if what != LIKE_ROW or "." not in path:
        return rearranged(entries, do)
    above = path.rpartition(".")[0]
    place = f"{above}.{max(FormEntries(entries).rows(above), default=-1) + 1}"
    of_row = [(name, value) for name, value in entries if name.startswith((f"{path}.", f"{path}:"))]
    return [*entries, *((f"{place}{name.removeprefix(path)}", value) for name, value in of_row)]


def entries_of_draft(steps: Sequence[StepEntries], draft: Draft) -> list[tuple[str, str]]:
    """The entries that a builder reads these commands from. In rows, they stand behind those that there are."""
    return [entry for step in steps for entry in _entries_of_step(step, draft)]


def _entries_of_step(part: StepEntries, draft: Draft) -> Iterator[tuple[str, str]]:
    step, tag = part.step, str(part.step.kind.__struct_config__.tag)
    commands = [command for command in draft if command["type"] == tag]
    if step.rows is not None:
        first = max(part.inputs.rows(part.path), default=-1) + 1
        for row, command in enumerate(commands, first):
            fields = {name: value for name, value in command.items() if name != "type"}
            yield from entries_of(step.kind, fields, f"{part.path}.{row}")
        return
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
