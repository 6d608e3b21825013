"""The page of one command: its form as far as it is filled in, what it would do, and how it is sent."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlencode

import msgspec
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import RollDice
from domain.campaign.pending_choices import CHOICE_MADE
from domain.campaign.play.free_rolls import notation_of_campaign
from domain.campaign.secrecy.entrance import only_whole, things_named
from domain.dice import DiceMismatch
from domain.dice.dialects import DIALECTS
from domain.ids import ActionId
from domain.offers.fields import Field, fields_of
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, join_parts, say
from domain.shape_faults import faults_in
from domain.systems.system import Way
from projections.command_forms import CommandOffer, RefusedNow
from projections.titles import value_title
from services.accounts.saved_rolls import save_roll, saved_rolls
from services.commands.submit import done_before
from services.http.route_parameters import KEY_LENGTH_MAX
from services.http.screen.commands.asked_fields import ask_fields
from services.http.screen.commands.command_form import FormField, Option, drawn_fields
from services.http.screen.commands.command_list import CHOICE, pool
from services.http.screen.commands.dice_tray import (
    DIALECT,
    LABEL,
    NOTATION,
    SHAPES,
    SHOWN_MAX,
    Chance,
    OwnDice,
    Understood,
    own_dice,
    understood,
)
from services.http.screen.commands.form_entries import (
    COMMAND,
    NO,
    Entries,
    FormEntries,
    entries_of,
    read_command,
    with_wire_values,
)
from services.http.screen.commands.odds_words import ENOUGH, chances_in
from services.http.screen.commands.play_table import PlayTable
from services.http.screen.shared.campaign_page import CampaignPage
from services.http.screen.shared.chronicle_lines import Line, line_of
from services.http.screen.shared.fault_words import told_fault
from services.http.screen.shared.first_steps import builder_around
from services.http.screen.shared.refusals import SAID_HERE
from services.reading.dry_run import DryRun
from services.reading.recent_own_rolls import rolls_of_evening

DICE_MAX = 200
SIDES = re.compile(r"\bd([0-9]{1,4})\b")
"""A die as sentences name it."""
DIGITS_MAX = 20
"""More than any number of sides has."""
READY_MAX = 8
"""So many values of the only field that is open are tried, so that each is a button."""
FEW = 2
"""Where fewer fields matter, the others are open to be read."""
UNFIT = say("Some of this cannot be taken as it is.")


class TypedDie(Struct, frozen=True):
    """A box for a die that fell on the table; `wrong` says why its face cannot be.

    `letters` is what the rulebook writes for it, where dice differ by more than their sides.
    """

    sides: int
    face: str
    wrong: Part = ""
    letters: str = ""


class OfferedWay(Struct, frozen=True):
    """A choice of dice: the entries that make it, and the chance that they are enough."""

    entries: str
    chance: Chance


class Ready(Struct, frozen=True):
    """A value of the only field that is open: the entries that say it, and the dice that would fall."""

    entries: str
    title: Part
    dice: str
    enough: Chance | None


class Preview(Struct, frozen=True):
    """The command's effects, or why it cannot be given yet; empty where too little is filled in to say."""

    refused: RefusedNow | None = None
    sentences: list[str] = []
    dice: str = ""
    """Those that would be rolled."""
    rolls: list[int] = []
    """The sides of those dice."""
    letters: list[str] = []
    understood: Understood | None = None
    """The meaning of the notation of a free roll."""
    enough: Chance | None = None
    """The chance to beat the difficulty, or a result that is known."""
    chances: list[Chance] = []
    """Those of the outcomes."""
    ways: list[OfferedWay] = []
    """The best choices of dice."""

    @property
    def shown(self) -> list[tuple[int, str]]:
        """The sides of the dice that are drawn, and what the rulebook writes for each."""
        return [*zip(self.rolls[:SHOWN_MAX], self.letters or [""] * len(self.rolls), strict=False)]

    @property
    def more_dice(self) -> int:
        """How many dice are not drawn."""
        return max(0, len(self.rolls) - SHOWN_MAX)


class CommandPage(CampaignPage, frozen=True):
    """The form of a command."""

    template: ClassVar[str] = "do_form.html"
    section: ClassVar[str] = "do"
    command: str
    verb: str
    group: str
    refused: RefusedNow | None
    first: list[FormField]
    """The fields that matter."""
    more: list[FormField]
    """The other fields."""
    more_open: bool
    preview: Preview
    shapes: tuple[int, ...]
    """The sides of dice that can be added one by one."""
    own: OwnDice | None
    """The reader's own dice, where the command throws free ones."""
    dice: list[TypedDie]
    """Boxes for dice that fell on the table."""
    types_dice: bool
    rolls_here: bool
    """Whether the service may roll instead."""
    ready: list[Ready]
    """The values of the only field that is open, each of which makes the command whole."""
    readers: list[Option]
    """The readers that it can be hidden for; empty: there is no choice."""
    is_hidden: bool
    brought_in: list[str]
    """The names of hidden things that everybody would know of from then on."""
    key: str
    before: Line | None
    """The result of the same form when it was sent before; sending it again does it once more."""
    choice: str
    """The name of the choice that it answers, and no other; empty: it may be any."""
    back: str
    wrong: Part
    builder: str = ""
    """The address of the builder that the command is a part of; empty where there is none."""

    @property
    def title(self) -> str:
        """The command's name."""
        return self.verb


class CommandEntry:
    """A command's form as far as it is filled in. `is_sent`: it was shown before."""

    def __init__(self, table: PlayTable, kind: type[Struct], entries: Entries, *, is_sent: bool) -> None:
        self._table = table
        self._kind = kind
        self._sent = is_sent
        self._wrong: dict[str, Part] = {}
        try:
            entries = with_wire_values(kind, entries)
        except Rejection as refusal:
            self._wrong[""] = refusal.message
        self.entries = entries
        self.inputs = FormEntries(entries)
        self.command = str(kind.__struct_config__.tag)

    @property
    def back(self) -> str:
        """The page to go to afterwards."""
        return self._table.back(self.inputs.last("next"))

    def request(self) -> ActRequest | None:
        """The request as the API takes it; None where it cannot be one, and the form then says why."""
        command = read_command(self._kind, self.inputs)
        for fault in faults_in(command, self._kind):
            place = f"{COMMAND}.{fault.place[0]}" if fault.place else ""
            self._wrong.setdefault(place, told_fault(fault))
        request: dict[str, Any] = {"command": command, "visibility": self.inputs.last("visibility") or "all"}
        if choice := self.inputs.last(CHOICE):
            request["choice"] = choice
        if self.inputs.last("dice") == "typed":
            request["dice"] = self._typed_dice()
        if self._wrong:
            self._wrong.setdefault("", UNFIT)
            return None
        try:
            return msgspec.convert(request, ActRequest)
        except msgspec.ValidationError:
            self._wrong[""] = UNFIT
            return None

    def _typed_dice(self) -> list[tuple[int, int]]:
        dice = []
        for die in self._dice(()):
            if not die.face.strip():
                continue
            if die.wrong:
                self._wrong["dice"] = die.wrong
            else:
                dice.append((die.sides, int(die.face)))
        return dice

    def _dice(self, rolls: Sequence[int]) -> list[TypedDie]:
        """Boxes for the dice that would be rolled, and those that were entered."""
        faces = [self.inputs.last(f"face.{row}") for row in self.inputs.rows("face")]
        sides = [self.inputs.last(f"sides.{row}") for row in self.inputs.rows("face")]
        typed_sides = [text[:DIGITS_MAX] for text in sides[len(rolls) :] if text.isascii() and text.isdigit()]
        all_sides = [*rolls, *map(int, typed_sides)]
        faces += [""] * (len(all_sides) - len(faces))
        return [
            TypedDie(size, face, _wrong_face(size, face) if self._sent else "")
            for size, face in zip(all_sides[:DICE_MAX], faces, strict=False)
        ]

    def _boxes(self, rolls: Sequence[int], refusal: Rejection | None, letters: Sequence[str]) -> list[TypedDie]:
        """The boxes for typed dice; one more where all are filled and the rules want another die."""
        boxes = self._dice(rolls)
        for place, own in enumerate(letters[: len(boxes)]):
            boxes[place] = structs.replace(boxes[place], letters=own)
        needed_sides = SIDES.findall(str(refusal.message)) if isinstance(refusal, DiceMismatch) else []
        if needed_sides and boxes and all(box.face for box in boxes) and len(boxes) < DICE_MAX:
            boxes.append(TypedDie(int(needed_sides[-1]), ""))
        return boxes

    async def page(self, refusal: Rejection | None = None) -> CommandPage:
        """The page with the form. With a `refusal`, the page says it."""
        table = self._table
        offer, views = await self._offer_and_fields()
        fields = drawn_fields(self._kind, views, self.inputs, is_sent=self._sent, wrong=self._wrong)
        tried = None if offer.possible == "no" else await self._tried(fields)
        example = offer.example or {}
        shapes = {f"{COMMAND}.{field.name}": field for field in fields_of(self._kind)}
        matters = [
            field
            for field in fields
            if shapes[field.path].required
            or field.asks
            or field.wrong
            or field.look == "keys"
            or (field.help and field.look in ("number", "text", "select"))
            or shapes[field.path].name in example
        ]
        more = [field for field in fields if field not in matters]
        types = table.origins != "server"
        key = self.inputs.last("key") if self._sent else ""
        before = await self._done_before(key)
        visibility = self.inputs.last("visibility") or "all"
        rolls = tried.rolls if tried is not None else []
        wrong: Part = (
            SAID_HERE.get(refusal.code, refusal.message)
            if refusal is not None
            else self._wrong.get("", self._wrong.get("dice", ""))
        )
        return CommandPage(
            **table.frame,
            command=self.command,
            verb=offer.title,
            group=offer.group,
            refused=offer.refused,
            first=matters,
            more=more,
            more_open=self.inputs.last("more") == "yes"
            or (len(matters) < FEW and self._kind is not RollDice)
            or any(_is_filled(field, self.inputs) for field in more),
            preview=self._preview(tried, offer) if refusal is None else Preview(),
            shapes=SHAPES if self._kind is RollDice else (),
            own=await self._own_dice() if self._kind is RollDice else None,
            dice=self._boxes(rolls, refusal, tried.letters if tried is not None else [])
            if types and (rolls or self.inputs.last("dice") == "typed")
            else [],
            types_dice=self.inputs.last("dice") == "typed" or table.origins == "table",
            rolls_here=table.origins != "table",
            ready=await self._ready(fields, shapes) if tried is None and offer.possible != "no" else [],
            readers=readers_of(table, visibility),
            is_hidden=visibility != "all",
            brought_in=[*self._brought_in()] if visibility == "all" else [],
            key=table.ways(self.back).key(self.command) if before is not None or not key else key,
            before=None if before is None else await line_of(table.application, table.campaign, str(before)),
            choice=self._choice(
                is_over=before is not None or (refusal is not None and refusal.code == CHOICE_MADE)
            ),
            back=self.back,
            wrong=wrong if isinstance(wrong, Sentence) else str(wrong),
            builder=builder_around(table.campaign, self._kind) if offer.refused is None else "",
        )

    def _choice(self, *, is_over: bool) -> str:
        """The name of the choice that the reader saw; of what can be answered now where that one `is_over`."""
        choice = "" if is_over else self.inputs.last(CHOICE)
        if self._sent and not is_over:
            return choice
        return choice or self._table.ways(self.back).choices.get(self.command, "")

    def _brought_in(self) -> Iterator[str]:
        """The names of the hidden things that the command brings into play, since it names them openly."""
        campaign = self._table.campaign
        if campaign.common is None:
            return
        for thing in sorted({*things_named(read_command(self._kind, self.inputs))}):
            if only_whole(campaign.state, campaign.common, thing) is not None:
                yield campaign.name(thing)

    async def keep(self) -> None:
        """Keep the dice of a free roll by their label; where that cannot be, the form says why."""
        table, dialect = self._table, self.inputs.last(DIALECT)
        try:
            await save_roll(
                table.application.saved_rolls,
                table.campaign,
                self.inputs.last(LABEL),
                self.inputs.last(NOTATION),
                dialect if dialect in DIALECTS else None,
            )
        except Rejection as refusal:
            self._wrong[""] = refusal.message

    async def _own_dice(self) -> OwnDice:
        application, campaign = self._table.application, self._table.campaign
        return own_dice(
            await saved_rolls(application.saved_rolls, campaign),
            await rolls_of_evening(application.log, application.views, campaign),
        )

    async def _done_before(self, key: str) -> ActionId | None:
        """The effects of the form when it was sent before, under the key that it was opened with."""
        if not 1 <= len(key) <= KEY_LENGTH_MAX:
            return None
        campaign = self._table.campaign
        return await done_before(self._table.application, campaign.campaign_id, campaign.account, key)

    def _preview(self, tried: DryRun | None, offer: CommandOffer) -> Preview:
        """The effects of the command. A form that is new says nothing of its gaps, before the first entry."""
        ways = [] if offer.dice is None else offer.dice.ways
        if tried is None or (tried.refused is not None and not self._sent):
            return Preview(understood=self._understood(), ways=self._ways(ways))
        return Preview(
            refused=tried.refused,
            sentences=tried.summary,
            dice=pool(tried.rolls),
            rolls=tried.rolls,
            letters=tried.letters,
            understood=self._understood(),
            enough=None if tried.chance is None else Chance(ENOUGH, tried.chance),
            chances=[
                *chances_in(tried.odds, None, tried.names),
                *(Chance(say("Ahead of {dice}", dice=dice), likely) for dice, likely in tried.against.items()),
            ],
            ways=self._ways(ways if tried.refused is not None else tried.ways),
        )

    def _ways(self, ways: Sequence[Way]) -> list[OfferedWay]:
        return [
            OfferedWay(
                urlencode(entries_of(self._kind, way.fields)),
                Chance(
                    join_parts(
                        value_title(self._kind, name, value)
                        for name, values in way.fields.items()
                        for value in (values if isinstance(values, list) else [values])
                    ),
                    way.chance,
                ),
            )
            for way in ways
        ]

    def _understood(self) -> Understood | None:
        """The meaning of the notation of a free roll, as far as it is filled in."""
        notation = self.inputs.last(NOTATION)
        if self._kind is not RollDice or not notation.strip():
            return None
        dialect = self.inputs.last(DIALECT)
        spoken = notation_of_campaign(self._table.campaign.state)
        return understood(notation, dialect if dialect in DIALECTS else spoken, self._table.campaign.language)

    async def _offer_and_fields(self) -> tuple[CommandOffer, list[Any]]:
        """The possible values of all fields."""
        offer, views, self.entries = await ask_fields(self._one, self._kind, self.entries, is_sent=self._sent)
        self.inputs = FormEntries(self.entries)
        return offer, views

    async def _one(self, values: Mapping[str, Any]) -> CommandOffer:
        table = self._table
        with table.campaign.refusing():
            return await table.application.possible.one(table.campaign, {"type": self.command, **values})

    async def _ready(self, fields: Sequence[FormField], shapes: Mapping[str, Field]) -> list[Ready]:
        """The values of the only required field that is open with which the command is accepted.

        It is a choice, or a number that has few values.
        """
        open_fields = [field for field in fields if shapes[field.path].required and _is_open(field)]
        if len(open_fields) != 1 or self._table.origins == "table":
            return []
        [field], values = open_fields, list[Ready]()
        for value, title in _options_of(field):
            choice = FormField(
                path=field.path, title="", look="radios", options=[Option(value, title, chosen=True)]
            )
            tried = await self._tried([*fields, choice])
            if tried is not None and tried.refused is None:
                chance = None if tried.chance is None else Chance(ENOUGH, tried.chance)
                values.append(Ready(urlencode([(field.path, value)]), title, pool(tried.rolls), chance))
        return values

    async def _tried(self, fields: Sequence[FormField]) -> DryRun | None:
        """The effects of the command as it stands; None where it is not whole yet."""
        ready = [*self.entries]
        for field in fields:
            values = [option.value for option in field.options if option.chosen]
            if field.look in ("radios", "select") and not self.inputs.every(field.path):
                ready += [(field.path, value) for value in values]
        command_json = read_command(self._kind, FormEntries(ready))
        try:
            command = msgspec.convert(command_json, self._kind)
        except msgspec.ValidationError:
            return None
        return await self._table.application.possible.dry_run(self._table.campaign, command)


def _is_open(field: FormField) -> bool:
    """Whether nothing is said yet in a required field."""
    match field.look:
        case "radios" | "select":
            return not any(option.chosen and option.value for option in field.options)
        case "number" | "text" | "area" | "later":
            return not field.value
        case _:
            return False


def _options_of(field: FormField) -> list[tuple[str, Part]]:
    """The values of a field that are few enough to be a button each."""
    options: list[tuple[str, Part]] = [
        (option.value, option.title) for option in field.options if option.value and not option.refused
    ]
    if field.look == "number" and None not in (field.least, field.most):
        least, most = field.least or 0, field.most or 0
        options = [(str(n), f"{n}") for n in range(least, min(most, least + READY_MAX) + 1)]
    return options if len(options) <= READY_MAX else []


def readers_of(table: PlayTable, visibility: str) -> list[Option]:
    """The readers whom the actor may choose."""
    campaign = table.campaign
    if campaign.role == "observer":
        return []
    readers: list[tuple[str, Part]] = [("all", say("Everyone at the table"))]
    if campaign.role == "gm":
        readers.append(("gm", say("GMs only")))
        players = [account for account, role in campaign.state.members.items() if role != "gm"]
        readers += [
            (f"account:{account}", say("{name} and the GMs", name=campaign.name(account))) for account in players
        ]
    else:
        readers += [("gm", say("The GMs and you")), ("blind", say("The GMs alone, not even you"))]
    return [Option(value, title, value == visibility) for value, title in readers]


def _wrong_face(sides: int, face: str) -> Part:
    text = face.strip()
    if not text or (text.isascii() and text.isdigit() and len(text) < 5 and 1 <= int(text) <= sides):  # noqa: PLR2004
        return ""
    return say("A d{sides} shows 1 to {sides}.", sides=sides)


def _is_filled(field: FormField, inputs: FormEntries) -> bool:
    """Whether more is entered than a form sends whose reader left the field alone."""
    within = (
        name
        for name in inputs.names
        if name == field.path or name.startswith((f"{field.path}.", f"{field.path}:"))
    )
    return any(name.endswith(":row") or inputs.last(name) not in ("", NO) for name in within)
