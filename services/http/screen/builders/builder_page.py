"""The page of a builder: its steps as far as they are filled in, what is left to place, and what they would do."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct, structs

from domain.campaign.request import ActRequest, Together
from domain.campaign.settings import settings_of
from domain.ids import COMMANDS_TOGETHER_MAX, ActionId, SystemId
from domain.mechanics.builders import NAME, Builder, Counter, Draft, Preset
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, number, say
from domain.shape_faults import allowed_for, faults_in
from domain.systems import SYSTEMS
from projections.possible_commands import CommandField, CommandOffer, RefusedNow
from projections.words import value_title
from services.commands.submit import done_before
from services.http.paths import KEY_LENGTH_MAX
from services.http.screen.builders.builder_entries import (
    EnteredCommand,
    StepEntries,
    entered_commands,
    entries_of_draft,
    mark_of,
    step_entries,
)
from services.http.screen.commands.asked_fields import ask_fields
from services.http.screen.commands.command_entries import Entries, FormEntries
from services.http.screen.commands.command_form import FormField, Option, drawn_fields
from services.http.screen.commands.command_page import UNFIT, readers_of
from services.http.screen.commands.form_budget import WHOLE, FormBudget
from services.http.screen.commands.play_table import PlayTable
from services.http.screen.shared.campaign_page import CampaignPage
from services.http.screen.shared.chronicle_lines import Line, line_of
from services.http.screen.shared.fault_words import told_fault
from services.http.screen.shared.first_steps import FirstStep
from services.http.screen.shared.refusals import SAID_HERE
from services.reading.dry_run import DryRun
from services.reading.ready_characters import draft_for

PRESET, COPY, CLEAR, LIKE = "preset", "copy", "clear", "like"
BESIDE_ENTRIES = ("key", "next", "visibility")
"""Entries that stay when another character is filled in."""
AMBIGUOUS = "ambiguous_name"
NAME_TAKEN = say("Something here is called so already: please choose another name.")


class FormCounter(Struct, frozen=True):
    """A counter of a form; `level` is what it comes to."""

    path: str
    mark: str
    title: Part
    value: str
    most: int
    levels: tuple[str, ...]
    level: str
    wrong: Part

    @property
    def id(self) -> str:
        """The element's name within the page."""
        return self.path.replace(".", "-")


class FormGroup(Struct, frozen=True):
    """Counters that share an amount."""

    title: Part
    budget: FormBudget
    counters: list[FormCounter]

    @property
    def rest(self) -> int:
        """How much is left to place; below 0 if it is too much."""
        return self.budget.total - self.budget.used


class Section(Struct, frozen=True):
    """A step as it is drawn."""

    title: Part
    is_optional: bool
    first: list[FormField]
    rare: list[FormField]
    rare_open: bool
    groups: list[FormGroup]
    wrong: Part


class BuilderPage(CampaignPage, frozen=True):
    """A character on its way."""

    template: ClassVar[str] = "builder.html"
    section: ClassVar[str] = "sheets"
    system: SystemId
    heading: Part
    verb: str
    obstacle: RefusedNow | None
    """Why none can be made now."""
    presets: list[tuple[str, Part]]
    originals: list[tuple[str, str]]
    """Those that can be copied: ids and names."""
    sections: list[Section]
    summary: list[str]
    """Its effects, in sentences; empty while too little is filled in."""
    not_yet: RefusedNow | None
    readers: list[Option]
    is_hidden: bool
    key: str
    before: Line | None
    """The result of the same form when it was sent before."""
    back: str
    wrong: Part
    instead: list[FirstStep]
    """The steps to take first, while none can be made."""
    is_fresh: bool
    """Nothing is filled in yet."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return self.heading


class BuilderForm:
    """A builder's form as far as it is filled in. `is_sent`: it was shown before."""

    def __init__(self, table: PlayTable, system: str, entries: Entries, *, is_sent: bool) -> None:
        campaign = table.campaign
        rules = SYSTEMS.get(SystemId(system)) if system in campaign.state.systems else None
        if rules is None or rules.builder is None:
            raise Missing("unknown_builder", campaign.text_of(say("No characters are made here in that game.")))
        self._table = table
        self.system = rules.id
        self.builder: Builder = rules.builder
        self._sent = is_sent
        self._wrong: dict[str, Part] = {}
        self._state = campaign.state.systems[rules.id]
        self._settings = settings_of(rules.id, campaign.state.changed_settings)
        self.entries: Entries = entries
        self._take(entries)

    def _take(self, entries: Entries) -> None:
        self.entries = entries
        self.inputs = FormEntries(entries)
        self._steps = step_entries(self.builder, self._state, self._settings, self.inputs)

    @property
    def back(self) -> str:
        """The page to go to afterwards."""
        return self._table.back(self.inputs.last("next") or f"{self._table.path}/table")

    def fill(self, what: str, value: str) -> None:
        """Fill in a preset (`preset`) or another character (`copy`), or nothing (`clear`)."""
        draft: Draft | None = None
        if what == PRESET:
            draft = next((preset.commands for preset in self._presets() if preset.key == value), None)
        elif what == COPY and value in self._originals():
            draft = self.builder.copy(self._state, self._settings, value)
        elif what == CLEAR:
            draft = []
        if draft is None:
            return
        commands = draft_for(self._table.campaign, self.builder, self.system, draft)
        others = [entry for entry in self.entries if entry[0] in BESIDE_ENTRIES]
        if what == COPY and not self._is_open(value):
            others.append(("visibility", "gm"))
        self._take([*others, *entries_of_draft(self._steps, commands)])
        self._sent = self._sent and what != CLEAR

    def _is_open(self, original: str) -> bool:
        """Whether everybody may know of one that is copied, as far as its reader can tell."""
        common = self._table.campaign.common
        return common is None or original in self.builder.originals(common.systems[self.system])

    def _presets(self) -> list[Preset]:
        return [*self.builder.presets(self._state, self._settings)]

    def _originals(self) -> Mapping[str, str]:
        return self.builder.originals(self._state)

    def request(self) -> ActRequest | None:
        """The request as the API takes it; None where it cannot be one, and the form then says why."""
        pieces = entered_commands(self._steps)
        for command in pieces:
            for fault in faults_in(command.fields, command.step.kind):
                path = f"{command.path}.{fault.place[0]}" if fault.place else command.path
                self._wrong.setdefault(path, told_fault(fault))
        has_too_many = len(pieces) > COMMANDS_TOGETHER_MAX
        for path, counter, text in self._count_texts():
            if text and (not WHOLE.fullmatch(text) or (has_too_many and int(text) > counter.most)):
                allowed = allowed_for(Annotated[int, Meta(ge=0, le=counter.most)])
                self._wrong[path] = say("Enter {allowed}.", allowed=allowed)
        if has_too_many:
            self._wrong[""] = self._overspent() or say(
                "One action takes at most {most} steps: place the rest afterwards.", most=COMMANDS_TOGETHER_MAX
            )
        if self._wrong:
            self._wrong.setdefault("", UNFIT)
            return None
        first, *others = [dict(command.fields) for command in pieces]
        try:
            visibility = self.inputs.last("visibility") or "all"
            request = msgspec.convert({"command": first, "visibility": visibility}, ActRequest)
            commands = [request.command, *(SYSTEMS[self.system].command(fields) for fields in others)]
        except msgspec.ValidationError:
            self._wrong[""] = UNFIT
            return None
        return structs.replace(request, command=Together(commands)) if others else request

    def _count_texts(self) -> Iterator[tuple[str, Counter, str]]:
        for step in self._steps:
            for group, row, counter, text in step.counts():
                yield f"{step.group_path(group)}.{row}", counter, text

    def _overspent(self) -> Part | None:
        """The first group of which more is taken than there is, in a sentence."""
        for step in self._steps:
            counts = [*step.counts()]
            for nth, group in enumerate(step.groups):
                used = sum(int(text) for of, _, _, text in counts if of == nth and WHOLE.fullmatch(text))
                if used > group.total:
                    return say(
                        "{group}: {used} are placed, and there are only {total}.",
                        group=group.title,
                        used=number(used),
                        total=number(group.total),
                    )
        return None

    def note(self, refusal: Rejection | RefusedNow, number: int | None) -> bool:
        """Put a refusal beside what it is about; whether there is such a place."""
        pieces = entered_commands(self._steps)
        nth = 0 if number is None else number - 1
        if not 0 <= nth < len(pieces):
            return False
        command = pieces[nth]
        path, reason = self._place(command, refusal.code), _reason(refusal)
        if refusal.code == AMBIGUOUS:
            path, reason = f"{self._steps[0].path}.{NAME}", NAME_TAKEN
        self._wrong.setdefault(path, reason)
        return True

    def _place(self, command: EnteredCommand, code: str) -> str:
        field = command.step.fields_of_refusals.get(code)
        return command.path if field is None else f"{command.path}.{field}"

    async def page(self, refusal: Rejection | None = None) -> BuilderPage:
        """The page with the form. With a `refusal`, the page says it."""
        table = self._table
        offers: list[CommandOffer] = []
        views: list[list[CommandField]] = []
        for part in self._steps:
            if part.groups and not part.step.list_field:
                views.append([])
                continue
            offer, fields = await self._ask(part, [offer.example for offer in offers if offer.example])
            offers.append(offer)
            views.append(fields)
            if offer.possible == "no" and len(offers) == 1:
                break
        obstacle = offers[0].refused if offers[0].possible == "no" else None
        trial = await self._try() if obstacle is None and not self._wrong and refusal is None else None
        not_yet = trial.refused if trial is not None and self._is_begun() else None
        if refusal is not None:
            self.note(refusal, refusal.details.get("command_number"))
        elif trial is not None and not_yet is not None:
            self.note(not_yet, trial.command_number)
        key = self.inputs.last("key") if self._sent or self.inputs.last("key") else ""
        before = await self._done_before(key)
        visibility = self.inputs.last("visibility") or "all"
        wrong: Part = self._wrong.get("", "") if refusal is None else SAID_HERE.get(refusal.code, _reason(refusal))
        if refusal is not None and refusal.code == AMBIGUOUS:
            wrong = NAME_TAKEN
        ways = table.ways(self.back)
        return BuilderPage(
            **table.frame | {"accent": self.system},
            system=self.system,
            heading=self.builder.title,
            verb=offers[0].title,
            obstacle=obstacle,
            presets=[(preset.key, preset.title) for preset in self._presets()] if obstacle is None else [],
            originals=sorted(self._originals().items(), key=lambda pair: pair[1]),
            sections=[]
            if obstacle is not None
            else [self._section(part, fields) for part, fields in zip(self._steps, views, strict=True)],
            summary=trial.summary if trial is not None and trial.possible else [],
            not_yet=not_yet,
            readers=readers_of(table, visibility),
            is_hidden=visibility != "all",
            key=key if key and before is None else ways.key(f"build.{self.system}"),
            before=None if before is None else await line_of(table.application, table.campaign, str(before)),
            back=self.back,
            wrong=wrong if isinstance(wrong, Sentence) else str(wrong),
            instead=[*self._first_steps()] if obstacle is not None else [],
            is_fresh=not self._sent and not any(name.startswith("s") for name in self.inputs.names),
        )

    def _first_steps(self) -> Iterator[FirstStep]:
        """The forms that the table begins with, for those who give them."""
        for kind in SYSTEMS[self.system].begins_with if self._table.campaign.role == "gm" else ():
            tag = str(kind.__struct_config__.tag)
            here = f"{self._table.path}/build/{self.system}"
            if tag in self._table.kinds and kind is not self.builder.steps[0].kind:
                yield FirstStep(f"{self._table.path}/do/{tag}?next={here}", say("See what has to be done first"))

    async def _ask(
        self, part: StepEntries, before: Sequence[Mapping[str, Any]]
    ) -> tuple[CommandOffer, list[CommandField]]:
        """The offer of a step once those before it are given, and its fields that the reader fills in."""
        step, table = part.step, self._table
        tag = str(step.kind.__struct_config__.tag)
        possible = table.application.possible

        async def ask(values: Mapping[str, Any]) -> CommandOffer:
            with table.campaign.refusing():
                return await possible.one(table.campaign, {"type": tag, **step.fixed_fields, **values}, [*before])

        offer, fields, entries = await ask_fields(ask, step.kind, self.entries, is_sent=self._sent, root=part.path)
        if entries is not self.entries:
            self._take(entries)
        hidden = {
            step.who,
            *step.left_out,
            *step.fixed_fields,
            *(() if table.campaign.role == "gm" else step.gm_only),
        }
        return offer, [field for field in fields if field.name not in hidden]

    def _is_begun(self) -> bool:
        """Whether so much is filled in that its gaps are worth telling."""
        return self._sent or bool(self.inputs.last(f"{self._steps[0].path}.{NAME}"))

    async def _try(self) -> DryRun | None:
        """The effects of all commands as they stand; None where they are not whole yet."""
        pieces = entered_commands(self._steps)
        if not pieces or len(pieces) > COMMANDS_TOGETHER_MAX:
            return None
        try:
            commands = [msgspec.convert(command.fields, command.step.kind) for command in pieces]
        except msgspec.ValidationError:
            return None
        command = commands[0] if len(commands) == 1 else Together(commands)
        return await self._table.application.possible.dry_run(self._table.campaign, command)

    async def _done_before(self, key: str) -> ActionId | None:
        """The effects of the form when it was sent before, under the key that it was opened with."""
        if not 1 <= len(key) <= KEY_LENGTH_MAX:
            return None
        campaign = self._table.campaign
        return await done_before(self._table.application, campaign.campaign_id, campaign.account, key)

    def _section(self, part: StepEntries, views: Sequence[CommandField]) -> Section:
        step = part.step
        fields = drawn_fields(step.kind, views, self.inputs, is_sent=self._sent, wrong=self._wrong, root=part.path)
        fields = [_with_shares(field) for field in fields]
        fields.sort(key=lambda field: field.path != f"{part.path}.{NAME}")
        rare_paths = {f"{part.path}.{name}" for name in step.rare}
        rare = [field for field in fields if field.path in rare_paths]
        return Section(
            title=step.title,
            is_optional=step.is_optional,
            first=[
                structs.replace(field, required=False) if step.is_optional else field
                for field in fields
                if field.path not in rare_paths
            ],
            rare=rare,
            rare_open=any(self._is_filled(field.path) or bool(field.wrong) for field in rare),
            groups=[*self._groups(part)],
            wrong=self._wrong.get(part.path, ""),
        )

    def _is_filled(self, path: str) -> bool:
        return any(
            self.inputs.last(name) not in ("", "no")
            for name in self.inputs.names
            if (name == path or name.startswith((f"{path}.", f"{path}:"))) and not name.endswith((".key", ":if"))
        )

    def _groups(self, part: StepEntries) -> Iterator[FormGroup]:
        counts = [*part.counts()]
        name_value = partial(value_title, part.step.kind, part.step.list_field)
        for nth, group in enumerate(part.groups):
            path = part.group_path(nth)
            counters = []
            count_all = 0
            for _, row, counter, text in (count for count in counts if count[0] == nth):
                count = int(text) if WHOLE.fullmatch(text) else 0
                count_all += count
                place = f"{path}.{row}"
                counters.append(
                    FormCounter(
                        path=place,
                        mark=mark_of(counter),
                        title=counter.title or name_value(counter.fields[part.step.list_field]),
                        value=text or "0",
                        most=counter.most,
                        levels=counter.levels,
                        level=counter.levels[min(count, len(counter.levels) - 1)] if counter.levels else "",
                        wrong=self._wrong.get(place, ""),
                    )
                )
            budget = FormBudget(
                path=path,
                ends="",
                total=group.total,
                least=0,
                shares=[],
                counts=False,
                used=count_all,
                left=[group.total - count_all],
            )
            yield FormGroup(group.title, budget, counters)


def _with_shares(field: FormField) -> FormField:
    """A field whose numbers are given ones, with a choice among them in each row."""
    if field.budget is None or not field.budget.shares:
        return field
    return structs.replace(
        field,
        rows=[
            structs.replace(row, fields=[_among(number, field.budget.shares) for number in row.fields])
            for row in field.rows
        ],
    )


def _among(number: FormField, shares: Sequence[int]) -> FormField:
    """A number as a choice among those that are shared out; one that is none of them stays as it was entered."""
    texts = ["", *(str(share) for share in shares)]
    if number.value not in texts:
        texts.append(number.value)
    options = [Option(text, text or "\u2013", text == number.value) for text in texts]
    return structs.replace(number, look="select", options=options, required=False)


def _reason(refusal: Rejection | RefusedNow) -> Part:
    return refusal.message if isinstance(refusal, Rejection) else refusal.detail
