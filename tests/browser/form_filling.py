"""A command's form on a page, filled in by somebody until it says what they want."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.offers.fields import Field, fields_of
from services.http.screen.commands.form_entries import (
    AS,
    COMMAND,
    MEANS,
    NO,
    NULL,
    ON,
    YES,
    FormEntries,
    as_text,
    has_shape,
    is_switched,
    read_command,
    tells_null,
)
from tests.browser.hands import Mouse

FORM = "form[data-command]"
ROUNDS_MAX = 40
CONTROLS = """form => [...form.elements].filter((each) => each.name).map((each) => ({
    name: each.name, type: each.type, value: each.value, checked: each.checked === true, disabled: each.disabled,
    options: each.options ? [...each.options].filter((o) => !o.disabled).map((o) => o.value) : null}))"""
SENT = "form => [...new FormData(form)]"


class Control(Struct, frozen=True):
    """A control of a form as it stands; a select has `options` that can be chosen."""

    name: str
    type: str
    value: str
    checked: bool
    disabled: bool
    options: list[str] | None


class Step(NamedTuple):
    """One thing to do with a form: `press` a button, `mark` a choice, `choose` an option or `write` a text."""

    what: str
    name: str
    value: str


class Form:
    """A form as it stands, and what has to be done until it says a command."""

    def __init__(self, controls: Sequence[Control]) -> None:
        self._controls = controls
        self.unmet: list[str] = []

    def named(self, name: str) -> list[Control]:
        return [each for each in self._controls if each.name == name]

    def rows(self, path: str) -> list[int]:
        """The numbers of a list's rows, or of a map's whose keys are given."""
        row = re.compile(rf"{re.escape(path)}\.(\d+)(?::row|\.key)")
        found = (row.fullmatch(each.name) for each in self._controls)
        return sorted({int(each[1]) for each in found if each})

    def steps(self, fields: Sequence[Field], path: str, said: Mapping[str, Any]) -> Iterator[Step]:
        """What can be done now for the fields of a command or a record."""
        for each in fields:
            yield from self._field(each, f"{path}.{each.name}", said.get(each.name), said=each.name in said)

    def _field(self, field: Field, path: str, value: Any, *, said: bool) -> Iterator[Step]:
        if field.variants:
            nth = next((nth for nth, each in enumerate(field.variants) if has_shape(each, value)), None)
            yield from self._set(path + AS, "" if nth is None else str(nth))
            if nth is not None:
                yield from self._shape(field.variants[nth], path, value, said=True)
        elif is_switched(field):
            there = said and value is not None
            yield from self._set(path + ON, YES if there else "")
            if there:
                yield from self._shape(field, path, value, said=True)
        else:
            yield from self._shape(field, path, value, said=said)

    def _shape(self, field: Field, path: str, value: Any, *, said: bool) -> Iterator[Step]:
        match field.kind:
            case "record" | "position":
                yield from self.steps(field.fields, path, value or {})
            case "list":
                yield from self._list(field, path, value or [])
            case "map":
                yield from self._map(field, path, value or {})
            case "flag":
                if said or not self._is_box(path):
                    yield from self._set(path, "" if not said or value is None else YES if value else NO)
            case _:
                yield from self._set(path, _text(field, value, said=said))

    def _is_box(self, path: str) -> bool:
        return any(each.type == "checkbox" for each in self.named(path))

    def _list(self, field: Field, path: str, values: Sequence[Any]) -> Iterator[Step]:
        assert field.item is not None
        ticks = [each for each in self.named(path) if each.type == "checkbox"]
        if ticks:
            wanted = {_text(field.item, each, said=True) for each in values}
            yield from (Step("mark", path, each.value) for each in ticks if each.checked != (each.value in wanted))
            return
        yield from self._rows(path, len(values))
        for row, each in zip(self.rows(path), values, strict=False):
            yield from self._field(field.item, f"{path}.{row}", each, said=True)

    def _rows(self, path: str, count: int) -> Iterator[Step]:
        """A row more or less, where it is the wrong number of them."""
        rows = self.rows(path)
        if len(rows) < count:
            yield Step("press", "do", f"add:{path}")
        elif len(rows) > count:
            yield Step("press", "do", f"drop:{path}.{rows[-1]}")

    def _map(self, field: Field, path: str, values: Mapping[Any, Any]) -> Iterator[Step]:
        assert field.key is not None
        assert field.item is not None
        rows = self.rows(path)
        keys = [(row, each) for row in rows for each in self.named(f"{path}.{row}.key")]
        given = {each.value: row for row, each in keys if each.type == "hidden"}
        texts = {_text(field.key, key, said=True): each for key, each in values.items()}
        if given:
            self.unmet += [f"{path}: no row for {key}" for key in texts if key not in given]
            for key, row in given.items():
                yield from self._field(field.item, f"{path}.{row}.item", texts.get(key), said=key in texts)
            return
        yield from self._rows(path, len(values))
        for row, (key, each) in zip(rows, values.items(), strict=False):
            yield from self._field(field.key, f"{path}.{row}.key", key, said=True)
            yield from self._field(field.item, f"{path}.{row}.item", each, said=True)

    def _set(self, name: str, value: str) -> Iterator[Step]:
        """The step that gives a field a value, if it has another."""
        found = [each for each in self.named(name) if each.type != "hidden"]
        if not found:
            if value and value not in [each.value for each in self.named(name)]:
                self.unmet.append(f"{name}: there is no field for {value}")
        elif found[0].type in ("radio", "checkbox"):
            yield from self._mark(found, value)
        elif found[0].options is not None:
            if found[0].value != value and value in found[0].options:
                yield Step("choose", name, value)
            elif found[0].value != value:
                self.unmet.append(f"{name}: {value} cannot be chosen")
        elif found[0].value != (text := self._called(name, value)):
            yield Step("write", name, text)

    def _called(self, name: str, value: str) -> str:
        """What people write for a value: what a suggestion that stands for it is called."""
        meant = (each.value.partition("\t") for each in self.named(name + MEANS))
        return next((title for stands_for, _, title in meant if stands_for == value), value)

    def _mark(self, found: list[Control], value: str) -> Iterator[Step]:
        if found[0].type == "checkbox":
            if found[0].checked != (value == YES):
                yield Step("mark", found[0].name, found[0].value)
            return
        wanted = next((each for each in found if each.value == value), None)
        if wanted is None or wanted.disabled:
            if value or any(each.checked for each in found):
                self.unmet.append(f"{found[0].name}: {value} cannot be chosen")
        elif not wanted.checked:
            yield Step("mark", wanted.name, value)


def _text(field: Field, value: Any, *, said: bool) -> str:
    """What stands in a field of one line for a value."""
    if value is None and field.kind != "any":
        return NULL if said and tells_null(field) else ""
    if field.kind == "flag":
        return YES if value else NO
    if not said:
        return ""
    return as_text(value) if field.kind == "any" else str(value)


def in_any_order(value: Any) -> Any:
    """A command whose lists of words are in alphabetical order: boxes that are ticked have their own."""
    if isinstance(value, Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, dict):
        return {key: in_any_order(each) for key, each in value.items()}
    if isinstance(value, list):
        return sorted(value) if all(isinstance(each, str) for each in value) else [*map(in_any_order, value)]
    return value


class Filling:
    """Somebody at a command's form."""

    def __init__(self, hands: Mouse) -> None:
        self.hands = hands
        self.page = hands.page
        self.form = self.page.locator(FORM)

    def settle(self) -> None:
        """Wait until the form, where there is one, has asked what it wanted to ask."""
        self.page.locator(f"{FORM}[aria-busy]").wait_for(state="detached")

    def fill(self, kind: type[Struct], command: Mapping[str, Any]) -> dict[str, Any]:
        """Fill it in until it says the command; what it says, with what is ticked in the order of the boxes."""
        wanted = msgspec.convert(command, kind)
        unmet: list[str] = []
        for _ in range(ROUNDS_MAX):
            self.settle()
            form = Form(self._controls())
            steps = [*form.steps(fields_of(kind), COMMAND, command)]
            if not steps:
                break
            unmet = form.unmet
            for each in steps:
                self._take(each)
                if each.what == "press" or each.name.endswith((ON, AS)):
                    break  # other fields are there now
        else:
            raise AssertionError(f"{kind.__name__} does not keep {steps}: {self.refusal()}")
        found = self.said(kind)
        told = f"{found} instead of {wanted}: {form.unmet or unmet}: {self.refusal()}"
        assert in_any_order(found) == in_any_order(wanted), told
        said: dict[str, Any] = msgspec.to_builtins(found)
        return said

    def said(self, kind: type[Struct]) -> Any:
        """The command that the form says."""
        said = read_command(kind, FormEntries([(name, value) for name, value in self.form.evaluate(SENT)]))
        try:
            return msgspec.convert(said, kind)
        except msgspec.ValidationError:
            return said

    def refusal(self) -> str:
        """What the page says is wrong."""
        return " ".join(self.page.locator(".notice, .error").all_inner_texts())

    def take(self, what: str, name: str, value: str) -> None:
        """Do one thing."""
        self._take(Step(what, name, value))

    def type_dice(self, dice: Sequence[tuple[int, int]]) -> int:
        """Type the sides and faces of dice into the boxes for them; how many boxes there are."""
        boxes = {each.name: each.value for each in self._controls() if each.name.startswith(("sides.", "face."))}
        for nth, (sides, face) in enumerate(dice):
            if f"face.{nth}" in boxes:
                assert boxes[f"sides.{nth}"] == str(sides)
                if boxes[f"face.{nth}"] != str(face):
                    self.take("write", f"face.{nth}", str(face))
        return sum(name.startswith("face.") for name in boxes)

    def _controls(self) -> list[Control]:
        return msgspec.convert(self.form.evaluate(CONTROLS), list[Control])

    def dice_said(self) -> list[tuple[int, int]] | None:
        """The typed dice that the form sends; None: it says nothing of dice."""
        sent = dict(self.form.evaluate(SENT))
        if sent.get("dice") != "typed":
            return None
        boxes = sorted(int(name.partition(".")[2]) for name in sent if name.startswith("face."))
        return [(int(sent[f"sides.{nth}"]), int(sent[f"face.{nth}"])) for nth in boxes if sent[f"face.{nth}"]]

    def _take(self, step: Step) -> None:
        quoted = step.value.replace("\\", "\\\\").replace('"', '\\"')
        chosen = f'[value="{quoted}"]' if step.what in ("mark", "press") else ""
        visible = "" if step.what == "press" else ":not([type=hidden])"
        target = self.form.locator(f'[name="{step.name}"]{chosen}{visible}')
        self.reveal(target)
        if step.what in ("press", "mark"):
            getattr(self.hands, step.what)(target)
        else:
            getattr(self.hands, step.what)(target, step.value)

    def reveal(self, target: Any) -> None:
        """Open what hides something, unless an answer that is on its way opens it."""
        closed = target.locator("xpath=ancestor::details[not(@open)]")
        while closed.count():
            self.settle()
            if closed.count():
                self.hands.press(closed.first.locator("> summary"))
