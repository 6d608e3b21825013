"""The page of a builder: its steps as far as they are filled in, what is left to place, and what they would do."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct, structs

from domain.campaign.command_request import ActRequest, Together
from domain.campaign.pending_choices import CHOICE_MADE
from domain.campaign.secrecy.entrance import only_whole, things_named
from domain.campaign.settings import settings_of
from domain.ids import COMMANDS_TOGETHER_MAX, ActionId, SystemId
from domain.mechanics.builders import NAME, Builder, Counter, Draft, Joining, Newcomers, Preset
from domain.personal_text import NAME_MAX
from domain.rejection import Missing, Rejection
from domain.sentences import Part, Sentence, number, say
from domain.shape_faults import allowed_for, faults_in
from domain.systems import SYSTEMS
from projections.command_forms import CommandField, CommandOffer, RefusedNow
from projections.titles import value_title
from services.commands.submit import done_before
from services.http.route_parameters import KEY_LENGTH_MAX
from services.http.screen.builders.builder_entries import (
    EnteredCommand,
    StepEntries,
    entered_commands,
    entries_of_draft,
    is_filled,
    mark_of,
    step_entries,
)
from services.http.screen.builders.fight_places import PlaceMap, place_map, place_rows
from services.http.screen.builders.newcomer_rows import COUNT, COUNT_MAX, KIND, NewcomerKinds, NewcomerRow
from services.http.screen.commands.asked_fields import ask_fields
from services.http.screen.commands.command_form import FormField, Look, Option, drawn_fields
from services.http.screen.commands.command_list import CHOICE, Ways
from services.http.screen.commands.command_page import UNFIT, readers_of
from services.http.screen.commands.form_entries import NO, ON, YES, Entries, FormEntries
from services.http.screen.commands.number_budget import WHOLE, FormBudget
from services.http.screen.commands.play_table import PlayTable
from services.http.screen.shared.campaign_page import CampaignPage
from services.http.screen.shared.chronicle_lines import Line, line_of
from services.http.screen.shared.fault_words import told_fault
from services.http.screen.shared.first_steps import FirstStep, build_path, builder_of, builders
from services.http.screen.shared.refusals import SAID_HERE
from services.reading.dry_run import DryRun
from services.reading.ready_characters import draft_for

PRESET, COPY, CLEAR, LIKE = "preset", "copy", "clear", "like"
BESIDE_ENTRIES = ("key", CHOICE, "next", "visibility")
"""Entries that stay when another character is filled in."""
AMBIGUOUS = "ambiguous_name"
LEFT_OUT = (Option("", say("Choose …"), chosen=False),)
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


class RowOfStep(Struct, frozen=True):
    """A row of a step as it is drawn: its number from 1, its fields, and what is wrong with all of it."""

    path: str
    nth: int
    fields: list[FormField]
    wrong: Part


class Section(Struct, frozen=True):
    """A step as it is drawn."""

    path: str
    title: Part
    is_optional: bool
    first: list[FormField]
    rare: list[FormField]
    rare_open: bool
    groups: list[FormGroup]
    wrong: Part
    note: Part = ""
    rows: list[RowOfStep] | None = None
    """None: it is given once."""
    map: PlaceMap | None = None
    """The map on which everybody is put."""
    places: list[FormField] = []
    """The fields that say the same."""
    places_open: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing."""
        parts = (self.first, self.rare, self.groups, self.wrong, self.note, self.places)
        return self.rows is None and not any(parts)


class BuilderPage(CampaignPage, frozen=True):
    """A character, a fight or entries of a catalogue on their way."""

    template: ClassVar[str] = "builder.html"
    section: ClassVar[str] = "sheets"
    system: SystemId
    here: str
    """The page's own address."""
    heading: Part
    verb: Part
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
    choice: str
    """The name of the choice that one of its commands answers, and no other; empty: none does."""
    before: Line | None
    """The result of the same form when it was sent before."""
    back: str
    wrong: Part
    instead: list[FirstStep]
    """The steps to take first, while none can be made."""
    brought_in: list[str]
    """The names of hidden things that everybody would know of from then on."""
    makes_characters: bool
    is_fresh: bool
    """Nothing is filled in yet."""

    @property
    def title(self) -> Part:
        """The page's title."""
        return self.heading


class SetUpPage(BuilderPage, frozen=True):
    """A fight on its way, which is led to from the table."""

    section: ClassVar[str] = "table"


class BuilderForm:
    """A builder's form as far as it is filled in. `is_sent`: it was shown before."""

    def __init__(self, table: PlayTable, system: str, product: str, entries: Entries, *, is_sent: bool) -> None:
        campaign = table.campaign
        rules = SYSTEMS.get(SystemId(system)) if system in campaign.state.systems else None
        builder = None if rules is None else builder_of(rules, product)
        if rules is None or builder is None:
            raise Missing(
                "unknown_builder", campaign.text_of(say("Nothing of that kind is made here in that game."))
            )
        self._table = table
        self._product = product
        self.system = rules.id
        self.builder: Builder = builder
        self._sent = is_sent
        self._is_fresh = not is_sent and not any(name.startswith("s") for name, _ in entries)
        self._wrong: dict[str, Part] = {}
        self._state = campaign.state.systems[rules.id]
        self._settings = settings_of(rules.id, campaign.state.changed_settings)
        self._kinds = {
            place: NewcomerKinds(campaign, rules.id, step.newcomers)
            for place, step in enumerate(builder.steps)
            if step.newcomers is not None
        }
        self.entries: Entries = entries
        self._take(entries)

    def _take(self, entries: Entries) -> None:
        self.entries = entries
        self.inputs = FormEntries([*entries, *self._certain(FormEntries(entries))])
        parts = step_entries(self.builder, self._state, self._settings, self.inputs)
        is_open = (self.inputs.last("visibility") or "all") == "all"
        for place, kinds in self._kinds.items():
            rows = [*kinds.rows(self.inputs, parts[place].row_paths(), is_open=is_open)]
            parts[place] = structs.replace(parts[place], newcomers=rows)
        self._steps = parts

    def _certain(self, inputs: FormEntries) -> Iterator[tuple[str, str]]:
        """The entries of what is not asked: that there is a list of members, and a goal where it has a place."""
        for place, step in enumerate(self.builder.steps):
            if step.joining is not None:
                yield f"s{place}.{step.joining.members}{ON}", YES
                goal = f"s{place}.{step.joining.goal}"
                if step.joining.goal and is_filled(inputs, goal):
                    yield f"{goal}{ON}", YES

    @property
    def names_newcomers(self) -> bool:
        """Whether newcomers get names that are free when it is sent."""
        return bool(self._kinds)

    @property
    def here(self) -> str:
        """The page's address."""
        return build_path(self._table.path, self.system, self._product)

    @property
    def back(self) -> str:
        """The page to go to afterwards."""
        return self._table.back(self.inputs.last("next") or f"{self._table.path}/table")

    def fill(self, what: str, value: str) -> bool:
        """Fill in a preset (`preset`), another character (`copy`) or nothing (`clear`); whether there is such."""
        draft: Draft | None = None
        if what == PRESET:
            draft = next((preset.commands for preset in self._presets() if preset.key == value), None)
        elif what == COPY and value in self._originals():
            draft = self.builder.copy(self._state, self._settings, value)
        elif what == CLEAR:
            draft = []
        if draft is None:
            return False
        self._is_fresh = False
        commands = draft_for(self._table.campaign, self.builder, self.system, draft)
        adds = what != CLEAR and any(step.rows is not None for step in self.builder.steps)
        others = [entry for entry in self.entries if adds or entry[0] in BESIDE_ENTRIES]
        if what == COPY and not adds and not self._is_open(value):
            others.append(("visibility", "gm"))
        self._take([*others, *entries_of_draft(self._steps, commands)])
        self._sent = self._sent and what != CLEAR
        return True

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
        for row in self._newcomers():
            self._wrong |= row.wrong
        for command in pieces:
            for fault in faults_in(command.fields, command.kind):
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
        if not pieces and not self._wrong:
            self._wrong[""] = say("Nothing is filled in yet.")
        if self._wrong:
            self._wrong.setdefault("", UNFIT)
            return None
        first, *others = [dict(command.fields) for command in pieces]
        try:
            visibility = self.inputs.last("visibility") or "all"
            choice = self.inputs.last(CHOICE) or None
            request = msgspec.convert({"command": first, "visibility": visibility, "choice": choice}, ActRequest)
            commands = [request.command, *(SYSTEMS[self.system].command(fields) for fields in others)]
        except msgspec.ValidationError:
            self._wrong[""] = UNFIT
            return None
        return structs.replace(request, command=Together(commands)) if others else request

    def _newcomers(self) -> Iterator[NewcomerRow]:
        for part in self._steps:
            yield from part.newcomers

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
            above = command.path if command.step.rows is not None else self._steps[0].path
            path, reason = f"{above}.{NAME}", NAME_TAKEN
        self._wrong.setdefault(path, reason)
        return True

    def _place(self, command: EnteredCommand, code: str) -> str:
        field = command.step.fields_of_refusals.get(code)
        return command.path if field is None else f"{command.path}.{field}"

    async def page(self, refusal: Rejection | None = None) -> BuilderPage:
        """The page with the form. With a `refusal`, the page says it."""
        table = self._table
        gate = await self._gate()
        obstacle = gate.refused if gate.possible == "no" else None
        views = [] if obstacle is not None else await self._views()
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
        kind = SetUpPage if self._product == "fight" else BuilderPage
        return kind(
            **table.frame | {"accent": self.system},
            system=self.system,
            here=self.here,
            heading=self.builder.title,
            verb=self.builder.verb or gate.title,
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
            key=key if key and before is None else ways.key(f"build.{self.system}.{self._product}"),
            choice=self._choice(
                ways, is_over=before is not None or (refusal is not None and refusal.code == CHOICE_MADE)
            ),
            before=None if before is None else await line_of(table.application, table.campaign, str(before)),
            back=self.back,
            wrong=wrong if isinstance(wrong, Sentence) else str(wrong),
            instead=[*self._first_steps()] if obstacle is not None else [],
            brought_in=[*self._brought_in()] if obstacle is None and visibility == "all" else [],
            makes_characters=self._product == "character",
            is_fresh=self._is_fresh,
        )

    def _choice(self, ways: Ways, *, is_over: bool) -> str:
        """The name of the choice that the reader saw; of what can be answered now where that one `is_over`."""
        if self._sent and not is_over:
            return self.inputs.last(CHOICE)
        commands = (str(step.kind.__struct_config__.tag) for step in self.builder.steps)
        return next((ways.choices[command] for command in commands if command in ways.choices), "")

    def _first_steps(self) -> Iterator[FirstStep]:
        """The forms that the table begins with, for those who give them; before a fight, a new character."""
        if self._product != "character":
            yield from builders(self._table.campaign, "/table")
        for kind in SYSTEMS[self.system].begins_with if self._table.campaign.role == "gm" else ():
            tag = str(kind.__struct_config__.tag)
            if tag in self._table.kinds and kind is not self.builder.steps[0].kind:
                yield FirstStep(
                    f"{self._table.path}/do/{tag}?next={self.here}", say("See what has to be done first")
                )

    async def _gate(self) -> CommandOffer:
        """The command that says whether any of it is possible now."""
        kind = self.builder.gate or self.builder.steps[0].kind
        fixed = next(step.fixed_fields for step in self.builder.steps if step.kind is kind)
        tag = str(kind.__struct_config__.tag)
        with self._table.campaign.refusing():
            return await self._table.application.possible.one(self._table.campaign, {"type": tag, **fixed})

    async def _views(self) -> list[list[CommandField]]:
        """The fields of each step, once those before it are given: as they are entered, else as they could be."""
        views: list[list[CommandField]] = []
        before: list[Mapping[str, Any]] = []
        for part in list(self._steps):
            if part.groups and not part.step.list_field:
                views.append([])
                continue
            offer, fields = await self._ask(part, before)
            views.append(fields)
            if part.step.rows is None and offer.example:
                before.append(offer.example)
        return views

    def _brought_in(self) -> Iterator[str]:
        """The names of the hidden things that it brings into play, since it names them openly."""
        campaign = self._table.campaign
        if campaign.common is None:
            return
        fields = [command.fields for command in entered_commands(self._steps)]
        for thing in sorted({*things_named(fields)}):
            if only_whole(campaign.state, campaign.common, thing) is not None:
                yield campaign.name(thing)

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

        if step.newcomers is not None:
            offer = await ask({})
            return offer, [field for field in offer.fields if field.name in step.newcomers.asked]
        offer, fields, entries = await ask_fields(ask, step.kind, self.entries, is_sent=self._sent, root=part.path)
        if step.joining is not None and not self._sent:
            entries = [*entries, *self._everybody(part, fields)]
        if entries is not self.entries and step.rows is None:
            self._take(entries)
        hidden = {
            *(() if step.joining is None or step.joining.entry is None else step.joining.entry[:1]),
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
            commands = [msgspec.convert(command.fields, command.kind) for command in pieces]
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

    def _everybody(self, part: StepEntries, views: Sequence[CommandField]) -> Iterator[tuple[str, str]]:
        """The entries of all who may take part and of whom everybody knows, unless some are chosen."""
        joining = part.step.joining
        path = f"{part.path}.{joining.members}" if joining is not None else ""
        if joining is None or self.inputs.every(path) or self.inputs.rows(path):
            return
        common = self._table.campaign.common
        items = (view.item for view in views if view.name == joining.members and view.item)
        open_to = [
            str(choice.value)
            for choice in (choice for item in items for choice in item.choices or [])
            if choice.refused is None
            and (common is None or only_whole(self._table.campaign.state, common, str(choice.value)) is None)
        ]
        yield from ((path, value) for value in open_to)

    def _section(self, part: StepEntries, views: Sequence[CommandField]) -> Section:
        step = part.step
        section = Section(
            path=part.path,
            title=step.title,
            is_optional=step.is_optional,
            first=[],
            rare=[],
            rare_open=False,
            groups=[],
            wrong=self._wrong.get(part.path, ""),
            note="" if step.note is None else step.note(self._state),
        )
        if step.rows is not None:
            return structs.replace(section, rows=[*self._rows(part, views)])
        fields = self._fields(step.kind, views, part.path)
        places: list[FormField] = []
        if step.joining is not None:
            fields, places = self._joined(part, step.joining, fields)
        rare_paths = {f"{part.path}.{name}" for name in step.rare}
        rare = [field for field in fields if field.path in rare_paths]
        return structs.replace(
            section,
            first=[
                structs.replace(field, required=False) if step.is_optional else field
                for field in fields
                if field.path not in rare_paths
            ],
            rare=rare,
            rare_open=any(is_filled(self.inputs, field.path) or bool(field.wrong) for field in rare),
            groups=[*self._groups(part)],
            map=place_map(places, self._settings, step.joining, self.inputs) if places and step.joining else None,
            places=places,
            places_open=any(path.startswith(tuple(f"{field.path}" for field in places)) for path in self._wrong),
        )

    def _fields(self, kind: type[Struct], views: Sequence[CommandField], root: str) -> list[FormField]:
        """The fields under a path, the name before all others; a row that was just added has its usual values."""
        is_sent = self._sent and ("." not in root or is_filled(self.inputs, root))
        fields = drawn_fields(kind, views, self.inputs, is_sent=is_sent, wrong=self._wrong, root=root)
        return sorted(map(_with_shares, fields), key=lambda field: field.path != f"{root}.{NAME}")

    def _rows(self, part: StepEntries, views: Sequence[CommandField]) -> Iterator[RowOfStep]:
        step = part.step
        for nth, path in enumerate(part.row_paths(is_sent=self._sent), 1):
            fields = self._fields(step.kind, views, path)
            if step.newcomers is not None:
                fields = [_with_left_open(field, step.newcomers.left_open) for field in fields]
                fields = [*self._newcomer_fields(part, step.newcomers, path), *fields]
            yield RowOfStep(path, nth, fields, self._wrong.get(path, ""))

    def _newcomer_fields(self, part: StepEntries, newcomers: Newcomers, path: str) -> Iterator[FormField]:
        """The kind of a row, the name and the number of its newcomers, and the lists that they join."""
        kinds = self._kinds[part.place]
        kind = kinds.kind_of(self.inputs, path)
        if len(kinds.kinds) > 1:
            options = [Option(other.key, other.title, other is kind) for other in kinds.kinds.values()]
            yield self._own_field(
                f"{path}.{KIND}", say("Kind"), "select", options=[*LEFT_OUT, *options], asks=True
            )
        entered = self.inputs.last(f"{path}.{NAME}")
        name = entered or (kind.name if kind is not None and len(kinds.kinds) > 1 else "")
        yield self._own_field(f"{path}.{NAME}", say("Name"), "text", value=name, length_most=NAME_MAX)
        count = self.inputs.last(f"{path}.{COUNT}") or "1"
        yield self._own_field(f"{path}.{COUNT}", say("How many"), "number", value=count, least=1, most=COUNT_MAX)
        for field, title in newcomers.lists.items():
            is_in = YES in self.inputs.every(f"{path}.{field}")
            yield self._own_field(f"{path}.{field}", title, "tick", value=YES if is_in else NO)

    def _own_field(self, path: str, title: Part, look: Look, **more: Any) -> FormField:
        return FormField(path=path, title=title, look=look, wrong=self._wrong.get(path, ""), **more)

    def _joined(
        self, part: StepEntries, joining: Joining, fields: Sequence[FormField]
    ) -> tuple[list[FormField], list[FormField]]:
        """The fields of a command that newcomers join; those of places, of everybody who takes part, apart."""
        paths = {name: f"{part.path}.{name}" for name in (joining.members, joining.places, joining.goal) if name}
        command = next((piece.fields for piece in entered_commands(self._steps) if piece.path == part.path), {})
        titles: dict[str, Part] = {
            option.value: option.title for field in fields for option in field.options if option.chosen
        }
        members = [(who, titles.get(who, who)) for who in command.get(joining.members, ())]
        others: list[FormField] = []
        places: list[FormField] = []
        for field in fields:
            if field.path == paths.get(joining.places):
                rows = place_rows(field.path, members, self.inputs, self._wrong)
                places.insert(0, structs.replace(field, look="keys", rows=rows))
            elif field.path == paths.get(joining.goal):
                places.append(structs.replace(field, switch=None))
            else:
                others.append(
                    structs.replace(field, switch=None) if field.path == paths[joining.members] else field
                )
        return others, places if members else []

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


def _with_left_open(field: FormField, title: Part) -> FormField:
    """A choice with this title for leaving it open."""
    options = [option if option.value else structs.replace(option, title=title) for option in field.options]
    return structs.replace(field, options=options)


def _among(number: FormField, shares: Sequence[int]) -> FormField:
    """A number as a choice among those that are shared out; one that is none of them stays as it was entered."""
    texts = ["", *(str(share) for share in shares)]
    if number.value not in texts:
        texts.append(number.value)
    options = [Option(text, text or "\u2013", text == number.value) for text in texts]
    return structs.replace(number, look="select", options=options, required=False)


def _reason(refusal: Rejection | RefusedNow) -> Part:
    return refusal.message if isinstance(refusal, Rejection) else refusal.detail
