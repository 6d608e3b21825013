"""The page of one command: its form as far as it is filled in, what it would do, and how it is sent."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import UNSET, Struct, structs

from domain.campaign.commands import RollDice
from domain.campaign.request import ActRequest
from domain.dice import DiceMismatch
from domain.offers.fields import fields_of
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, number, say
from domain.shape_faults import faults_in
from projections.possible_commands import CommandOffer, RefusedNow
from services.queries.dry_run import DryRun
from services.web.campaign_page import CampaignPage
from services.web.chronicle_lines import OUTCOMES
from services.web.command_entries import COMMAND, NO, Entered, Entries, entries_of, read_command
from services.web.command_form import FormField, Option, drawn_fields
from services.web.command_list import pool
from services.web.dice_tray import NOTATION, SHAPES, SHOWN_MAX, expected
from services.web.fault_words import told_fault
from services.web.play_table import PlayTable
from services.web.refusals import SAID_HERE

DICE_MAX = 200
SIDES = re.compile(r"\bd([0-9]{1,4})\b")
"""A die as sentences name it."""
DIGITS_MAX = 20
"""More than any number of sides has."""
FEW = 2
"""Where fewer fields matter, the others are open to be read."""
LEAST_TOLD = 0.005
"""Rarer outcomes are not told exactly."""

UNFIT = say("Some of this cannot be taken as it is.")

NO_TIER = say("Short of a major success")
"""What has no name in the chronicle: a roll that reaches no tier."""


class Chance(Struct, frozen=True):
    """An outcome and its exact probability, which lies between 0 and 1."""

    outcome: Sentence
    likely: float

    @property
    def told(self) -> Part:
        """The probability in per cent."""
        if self.likely < LEAST_TOLD:
            return say("under 1%")
        if 1 - LEAST_TOLD < self.likely < 1:
            return say("over 99%")
        return say("{n}%", n=number(round(100 * self.likely)))


class TypedDie(Struct, frozen=True):
    """A box for a die that fell on the table; `wrong` says why its face cannot be.

    `letters` is what the rulebook writes for it, where dice differ by more than their sides.
    """

    sides: int
    face: str
    wrong: Part = ""
    letters: str = ""


class Preview(Struct, frozen=True):
    """What would happen, or why it cannot yet; empty where too little is filled in to say.

    `dice` are those that would be rolled, and `rolls` their sides; `comes_to` is what they add up to.
    """

    refused: RefusedNow | None = None
    sentences: list[str] = []
    dice: str = ""
    rolls: list[int] = []
    letters: list[str] = []
    comes_to: Part = ""
    chances: list[Chance] = []

    @property
    def shown(self) -> list[tuple[int, str]]:
        """The sides of the dice that are drawn, and what the rulebook writes for each."""
        return [*zip(self.rolls[:SHOWN_MAX], self.letters or [""] * len(self.rolls), strict=False)]

    @property
    def more_dice(self) -> int:
        """How many dice are not drawn."""
        return max(0, len(self.rolls) - SHOWN_MAX)


class CommandPage(CampaignPage, frozen=True):
    """The form of a command.

    `first` are the fields that matter, `more` the others. `shapes` are the sides of dice that can be added one by
    one. `dice` are boxes for dice that fell on the table, and `rolls_here` is whether the service may roll
    instead. `readers` are who may be let see it, empty for who has no choice.
    """

    template: ClassVar[str] = "do_form.html"
    section: ClassVar[str] = "do"
    command: str
    verb: str
    group: str
    refused: RefusedNow | None
    first: list[FormField]
    more: list[FormField]
    more_open: bool
    preview: Preview
    shapes: tuple[int, ...]
    dice: list[TypedDie]
    types_dice: bool
    rolls_here: bool
    readers: list[Option]
    is_hidden: bool
    key: str
    back: str
    wrong: Part

    @property
    def title(self) -> str:
        """The command's name."""
        return self.verb


class CommandEntry:
    """A command's form as far as it is filled in. `sent`: it was shown before."""

    def __init__(self, table: PlayTable, kind: type[Struct], entries: Entries, *, sent: bool) -> None:
        self._table = table
        self._kind = kind
        self._sent = sent
        self._wrong: dict[str, Part] = {}
        self.entries = entries
        self.entered = Entered(entries)
        self.command = str(kind.__struct_config__.tag)

    @property
    def back(self) -> str:
        """The page to go to afterwards."""
        return self._table.back(self.entered.last("next"))

    def request(self) -> ActRequest | None:
        """The request as the API takes it; None where it cannot be one, and the form then says why."""
        said = read_command(self._kind, self.entered)
        for fault in faults_in(said, self._kind):
            place = f"{COMMAND}.{fault.place[0]}" if fault.place else ""
            self._wrong.setdefault(place, told_fault(fault))
        wanted: dict[str, Any] = {"command": said, "visibility": self.entered.last("visibility") or "all"}
        if self.entered.last("dice") == "typed":
            wanted["dice"] = self._typed_dice()
        if self._wrong:
            self._wrong.setdefault("", UNFIT)
            return None
        try:
            return msgspec.convert(wanted, ActRequest)
        except msgspec.ValidationError:
            self._wrong[""] = UNFIT
            return None

    def _typed_dice(self) -> list[tuple[int, int]]:
        found = []
        for die in self._dice(()):
            if not die.face.strip():
                continue
            if die.wrong:
                self._wrong["dice"] = die.wrong
            else:
                found.append((die.sides, int(die.face)))
        return found

    def _dice(self, rolls: Sequence[int]) -> list[TypedDie]:
        """Boxes for the dice that would be rolled, and those that were entered."""
        faces = [self.entered.last(f"face.{row}") for row in self.entered.rows("face")]
        sides = [self.entered.last(f"sides.{row}") for row in self.entered.rows("face")]
        said = [each[:DIGITS_MAX] for each in sides[len(rolls) :] if each.isascii() and each.isdigit()]
        known = [*rolls, *map(int, said)]
        faces += [""] * (len(known) - len(faces))
        return [
            TypedDie(each, face, _wrong_face(each, face) if self._sent else "")
            for each, face in zip(known[:DICE_MAX], faces, strict=False)
        ]

    def _boxes(self, rolls: Sequence[int], refusal: Rejection | None, letters: Sequence[str]) -> list[TypedDie]:
        """The boxes for typed dice; one more where all are filled and the rules want another die."""
        boxes = self._dice(rolls)
        for place, own in enumerate(letters[: len(boxes)]):
            boxes[place] = structs.replace(boxes[place], letters=own)
        wanted = SIDES.findall(str(refusal.message)) if isinstance(refusal, DiceMismatch) else []
        if wanted and boxes and all(each.face for each in boxes) and len(boxes) < DICE_MAX:
            boxes.append(TypedDie(int(wanted[-1]), ""))
        return boxes

    async def page(self, refusal: Rejection | None = None) -> CommandPage:
        """The page with the form. With a `refusal`, the page says it."""
        table = self._table
        offer, told = await self._asked()
        fields = drawn_fields(self._kind, told, self.entered, sent=self._sent, wrong=self._wrong)
        tried = None if offer.possible == "no" else await self._tried(fields)
        example = offer.example or {}
        shapes = {f"{COMMAND}.{each.name}": each for each in fields_of(self._kind)}
        matters = [
            each
            for each in fields
            if shapes[each.path].required
            or each.asks
            or each.wrong
            or each.look == "keys"
            or (each.help and each.look in ("number", "text", "select"))
            or shapes[each.path].name in example
        ]
        more = [each for each in fields if each not in matters]
        types = table.origins != "server"
        visibility = self.entered.last("visibility") or "all"
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
            more_open=(len(matters) < FEW and self._kind is not RollDice)
            or any(_is_filled(each, self.entered) for each in more),
            preview=self._preview(tried) if refusal is None else Preview(),
            shapes=SHAPES if self._kind is RollDice else (),
            dice=self._boxes(rolls, refusal, tried.letters if tried is not None else [])
            if types and (rolls or self.entered.last("dice") == "typed")
            else [],
            types_dice=self.entered.last("dice") == "typed" or table.origins == "table",
            rolls_here=table.origins != "table",
            readers=readers_of(table, visibility),
            is_hidden=visibility != "all",
            key=table.ways(self.back).key(self.command),
            back=self.back,
            wrong=wrong if isinstance(wrong, Sentence) else str(wrong),
        )

    def _preview(self, tried: DryRun | None) -> Preview:
        """What would happen. A form that is new says nothing of what it lacks, where nothing is entered yet."""
        if tried is None or (tried.refused is not None and not self._sent):
            return Preview()
        odds = tried.odds or {}
        return Preview(
            refused=tried.refused,
            sentences=tried.summary,
            dice=pool(tried.rolls),
            rolls=tried.rolls,
            letters=tried.letters,
            comes_to=expected(self.entered.last(NOTATION)) if self._kind is RollDice else "",
            chances=[Chance(OUTCOMES.get(outcome, NO_TIER), likely) for outcome, likely in odds.items()],
        )

    async def _asked(self) -> tuple[CommandOffer, list[Any]]:
        """What may stand in all fields: those that others depend on are said one after the other."""
        shapes = fields_of(self._kind)
        said = read_command(self._kind, self.entered)
        offer = await self._one({})
        told = {each.name: each for each in offer.fields}
        asking = [each for each in shapes if any(each.name in other.asked_with for other in shapes)]
        given: dict[str, Any] = {}
        for root in sorted(asking, key=lambda each: len(each.depends)):
            choices = told[root.name].choices or [] if root.name in told else []
            value = said.get(root.name)
            open_to = [each.value for each in choices if each.refused is None]
            if value is None and root.required and not self._sent and len(open_to) == 1:
                value = open_to[0]
                self.entries = [*self.entries, *entries_of(self._kind, {root.name: value})]
                self.entered = Entered(self.entries)
            if value in [each.value for each in choices]:
                given[root.name] = value
                offer = await self._one(given)
                told |= {each.name: each for each in offer.fields}
        flags = {each.name: True for each in shapes if each.kind == "flag" and said.get(each.name) is True}
        if flags and any(each.budget is not UNSET for each in told.values()):
            told |= {each.name: each for each in (await self._one({**given, **flags})).fields}
        return offer, [told[each.name] for each in shapes if each.name in told]

    async def _one(self, given: Mapping[str, Any]) -> CommandOffer:
        table = self._table
        with table.seen.refusing():
            return await table.application.possible.one(table.seen, {"type": self.command, **given})

    async def _tried(self, fields: Sequence[FormField]) -> DryRun | None:
        """What the command would do as it stands; None where it is not whole yet."""
        ready = [*self.entries]
        for each in fields:
            chosen = [option.value for option in each.options if option.chosen]
            if each.look in ("radios", "select") and not self.entered.every(each.path):
                ready += [(each.path, value) for value in chosen]
        said = read_command(self._kind, Entered(ready))
        try:
            command = msgspec.convert(said, self._kind)
        except msgspec.ValidationError:
            return None
        return await self._table.application.possible.dry_run(self._table.seen, command)


def readers_of(table: PlayTable, chosen: str) -> list[Option]:
    """Who may be let read it."""
    seen = table.seen
    if seen.role == "observer":
        return []
    found: list[tuple[str, Part]] = [("all", say("Everyone at the table"))]
    if seen.role == "gm":
        found.append(("gm", say("GMs only")))
        players = [each for each, role in seen.state.members.items() if role != "gm"]
        found += [(f"account:{each}", say("{name} and the GMs", name=seen.name(each))) for each in players]
    else:
        found += [("gm", say("The GMs and you")), ("blind", say("The GMs alone, not even you"))]
    return [Option(value, title, value == chosen) for value, title in found]


def _wrong_face(sides: int, face: str) -> Part:
    said = face.strip()
    if not said or (said.isascii() and said.isdigit() and len(said) < 5 and 1 <= int(said) <= sides):  # noqa: PLR2004
        return ""
    return say("A d{sides} shows 1 to {sides}.", sides=sides)


def _is_filled(field: FormField, entered: Entered) -> bool:
    """Whether more is entered than a form sends whose reader left the field alone."""
    within = (
        name
        for name in entered.names
        if name == field.path or name.startswith((f"{field.path}.", f"{field.path}:"))
    )
    return any(name.endswith(":row") or entered.last(name) not in ("", NO) for name in within)
