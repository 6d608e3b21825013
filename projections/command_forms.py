"""The commands that a member may give now, with words for everything, to make a form or a bot from."""

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeAlias
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from domain.campaign.play.ledger_accounts import kind_of
from domain.field_help import field_help
from domain.field_references import Given
from domain.ids import AccountId, SystemId
from domain.offers.field_choices import Choice
from domain.offers.field_values import Path
from domain.offers.fields import Field, FieldKind, fields_of
from domain.offers.possible_commands import Offer
from domain.offers.trial_outcomes import NOT_A_VALUE
from domain.rejection import Rejection
from domain.sentences import Sentence, number, say
from domain.systems.system import Way
from projections.awaited_answers import Name
from projections.campaign.ledger_account_names import account_title
from projections.campaign.pending_choices import Awaited
from projections.choice_words import has_shape
from projections.languages import render
from projections.setting_words import NO
from projections.titles import choice_title, command_title, field_title, groups_of, value_title

MEMBER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""How a member's account is written."""
LEDGER_ACCOUNTS = ("account", "holder")
"""The kinds of things that are named by fields that hold an account of the ledger."""
WORDS_BYTES, LOOK_UP_BYTES = 4_000, 400
"""Approximate bytes of an offer in words, and of a choice in it."""
OF_CALENDAR: tuple[Literal["month", "weekday"], ...] = ("month", "weekday")
"""The kinds of things that fields name by their place in the calendar."""
LookUp: TypeAlias = tuple[Literal["title", "name", "month", "weekday"], Any]
Possible: TypeAlias = Literal["yes", "no", "depends"]


class RefusedNow(Struct, frozen=True):
    """Why something cannot be done now: a stable code, the rule's id, and a sentence.

    It is `certain` where all choices of the fields that are left were tried in vain, with numbers at their bounds
    and some between; otherwise the search for a way was given up, and there may be one.
    """

    code: str
    rule: str
    detail: str
    certain: bool = True


class FieldChoice(Struct, frozen=True, omit_defaults=True):
    """A value that a field may have. `refused` says why it cannot be chosen now, whatever else is filled in.

    It is `uncertain` whether it can where there is more to fill in than could be tried; no other one is.
    """

    value: Any
    title: str
    refused: RefusedNow | None = None
    uncertain: bool = False


class FieldBudget(Struct, frozen=True, omit_defaults=True):
    """The sum of the numbers within a field: `total` at most, and `least` at least.

    `used_by` leads from the field to the numbers that count: `["item"]` for those of a map, `["item", "dice"]` for
    a field of each record of a list; where it is empty, each item counts one. With `shares` the numbers are these
    values, each once.
    """

    total: int
    used_by: list[str]
    least: int = 0
    shares: list[int] = []


class CommandField(Struct, frozen=True, kw_only=True):
    """A field of a command or of a record in it.

    A `choice` has `choices`; so may a `text`, which may also be something new. A `number` has the bounds `min` and
    `max` that the rules set now, a `text` bounds of its `length`, a `list` or `map` bounds of how many it holds. A
    `record` or `position` has `fields`, a `list` or `map` the shape of each `item`, and a map that of its `key`.
    Values of one of several shapes have `variants`. `help` says what a field is for where its title does not.
    `depends_on` are fields whose values decide what may stand here: ask again with them.
    The choices and bounds of parts are only those of now when one command is asked about. Numbers in it may share
    a `budget`.
    """

    name: str
    title: str
    kind: FieldKind
    required: bool
    nullable: bool
    default: Any
    help: str | None
    depends_on: list[str]
    choices: list[FieldChoice] | UnsetType = UNSET
    min: int | UnsetType = UNSET
    max: int | UnsetType = UNSET
    length: tuple[int, int | None] | UnsetType = UNSET
    pattern: str | UnsetType = UNSET
    fields: "list[CommandField] | UnsetType" = UNSET
    item: "CommandField | UnsetType" = UNSET
    key: "CommandField | UnsetType" = UNSET
    variants: "list[CommandField] | UnsetType" = UNSET
    budget: FieldBudget | UnsetType = UNSET


class DiceToRoll(Struct, frozen=True):
    """The dice that a command's example rolls first, by their sides, with its exact odds where they are known."""

    sides: list[int]
    odds: dict[str, float] | None
    """Where several sides roll, the side that is ahead, by its id or name, or `tie`; of damage, the hits."""
    chance: float | None = None
    """The probability to beat the difficulty, or a result that is known; null where nothing is to be beaten, or
    where the outcomes of the odds say it."""
    ways: list[Way] = []
    """The best choices of dice, one for each price, with the fields to send."""
    against: dict[str, float] = {}
    """The probability to be ahead of each pool that another side may roll later, by its notation."""


class CommandOffer(Struct, frozen=True):
    """A command, and whether it may be given now.

    `possible` is `yes` where nothing is left to fill in, `depends` where fields are open, and `no` where the rules
    refuse it whatever stands in them, for the reason in `refused` (as far as was tried, where that is not
    `certain`). Every other has an `example`, a whole command
    that is accepted now. `dice` are those of the example; null where none is rolled. `choice` is the name of what
    it would answer, or of the step that it would take; null where that has no name, or could be one of several.
    """

    command: str
    title: str
    group: str
    possible: Possible
    refused: RefusedNow | None
    example: dict[str, Any] | None
    dice: DiceToRoll | None
    fields: list[CommandField]
    choice: str | None = None


class Act(Struct, frozen=True):
    """A command that may be given now with a thing in one of its fields.

    `fields` are all that it has; those that are known have their value as `default`. They come without choices and
    bounds: ask `…/commands` about the command with what is known.
    """

    command: str
    fields: list[CommandField]


class AwaitedCommand(Struct, frozen=True):
    """Something that the table waits for, and a command that answers it, as it can be sent; `answers` are all.

    `waits_for` is null where it waits for a GM. `since_seq` is the event since which it does without a gap, as far
    as you may read. A `hidden` one has to be sent with a visibility.
    """

    sentence: str
    command: dict[str, Any] | None
    answers: list[dict[str, Any]]
    waits_for: AccountId | None
    waits_for_name: str | None
    since_seq: int
    hidden: bool
    choice: str
    """Its name: a request that has it as its `choice` is refused once it was answered."""


class CommandsView(Struct, frozen=True):
    """The commands awaited from a member, and others they may give, by group in the order a table uses them."""

    as_of: int
    waiting: list[AwaitedCommand]
    commands: list[CommandOffer]


class CommandWords:
    """Puts offers into words, in one language.

    `name` calls things by their ids; `systems` are the states of rule systems that have more to say of some;
    `of_calendar` are the names of the calendar's months and weekdays, by these words.
    """

    def __init__(
        self,
        name: Name,
        language: str,
        systems: Mapping[SystemId, Any] | None = None,
        of_calendar: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.language = language
        self._of_calendar = of_calendar or {}
        self.looked_up: dict[LookUp, Any] = {}
        """The answers to everything that was looked up beside what is in an offer."""
        self._name_of = name
        self._systems = systems or {}

    def look_up(self, question: LookUp) -> Any:
        """The title of a thing of a rule system, or the name of a thing, a month or a weekday; it is noted."""
        about, thing = question
        match about:
            case "title":
                answer: Any = choice_title(self._systems, thing)
            case "month" | "weekday":
                names = self._of_calendar.get(about, ())
                answer = names[thing - 1] if 0 < thing <= len(names) else str(thing)
            case _:
                answer = self._name_of(thing)
        self.looked_up[question] = answer
        return answer

    def offer(self, offer: Offer, group: str) -> CommandOffer:
        """One command, in words."""
        tag, dice = str(offer.kind.__struct_config__.tag), offer.dice
        return CommandOffer(
            command=tag,
            title=self._say(command_title(tag)),
            group=group,
            possible=offer.possible,
            refused=None
            if offer.refusal is None
            else self._refusal(offer.refusal, offer.kind, certain=offer.certain),
            example=offer.example,
            dice=DiceToRoll(dice.sides, dice.odds, dice.chance, dice.ways, dice.against) if dice.sides else None,
            fields=[self._field(offer, field, offer.kind, ()) for field in offer.fields],
        )

    def act(self, kind: type[Struct], inputs: Given) -> Act:
        """A command of which some fields are known."""
        fields = [
            structs.replace(field, default=msgspec.to_builtins(inputs[field.name]))
            if field.name in inputs
            else field
            for field in _plain_fields(kind, self.language)
        ]
        return Act(str(kind.__struct_config__.tag), fields)

    def values_title(self, kind: type[Struct], fields: Mapping[str, Any]) -> str:
        """The titles of the values that fields of a struct have; with their field's if numbers, flags or none."""
        parts = (
            self._value_title(field, kind, field.name, fields[field.name])
            for field in fields_of(kind)
            if field.name in fields
        )
        return " · ".join(filter(None, parts))

    def _value_title(self, field: Field, struct: type[Struct], word: str, value: Any) -> str:
        """The title of a field's value; `word` is the field that a part of a list belongs to."""
        if field.variants:
            field = next((variant for variant in field.variants if has_shape(variant, value)), field)
        match value:
            case True:
                return _field_title(struct, word, self.language)
            case False | []:
                title = field_title(struct, word)
                none = (
                    say("{title}: none", title=title)
                    if value == []
                    else say("{title}: {value}", title=title, value=NO)
                )
                return "" if field.default == value else self._say(none)
            case int():
                return self._say(say("{title}: {value}", title=field_title(struct, word), value=number(value)))
            case list() if field.item is not None:
                counts = Counter(
                    filter(None, (self._value_title(field.item, struct, word, item) for item in value))
                )
                return ", ".join(
                    title if n == 1 else f"{n} \N{MULTIPLICATION SIGN} {title}" for title, n in counts.items()
                )
            case dict() if field.struct is not None:
                kind, tag = field.struct, field.struct.__struct_config__.tag
                titles = [self._say(value_title(kind, word, tag))] if isinstance(tag, str) else []
                return " · ".join(filter(None, (*titles, self.values_title(kind, value))))
            case _:
                return "" if value is None else self._title(value, field.ref, struct, word)

    def record(self, kind: type[Struct]) -> list[CommandField]:
        """The fields of a struct that no command is, such as the settings of a game: every value may be chosen."""
        shapes = fields_of(kind)
        choices: dict[Path, list[Choice]] = {
            (field.name,): [Choice(value, None) for value in field.values]
            for field in shapes
            if field.kind == "choice"
        }
        offer = Offer(kind, {}, "depends", None, None, shapes, choices)
        return [self._field(offer, field, kind, ()) for field in shapes]

    def groups(self, rooms: list[str]) -> Iterator[tuple[str, list[str]]]:
        """The groups of these rooms, each with the wire names of its commands."""
        for room in rooms:
            yield from ((self._say(title), names) for title, names in groups_of(room))

    def _name(self, thing: Any) -> str:
        name: str = self.look_up(("name", thing))
        return name

    def _say(self, sentence: str | Sentence) -> str:
        return render(sentence, self.language)

    def _refusal(self, refusal: Rejection, command: type[Struct], *, certain: bool) -> RefusedNow:
        return RefusedNow(refusal.code, refusal.rule, self._say(_with_title(refusal, command)), certain)

    def _field(
        self, offer: Offer, field: Field, struct: type[Struct], path: Path, container: str = ""
    ) -> CommandField:
        """A field of a struct. `container` is the field that a part of a list or map belongs to."""
        word = container or field.name
        help_text = "" if container else field_help(struct, field.name)
        here = (*path, field.name)
        is_free, is_number = field.kind in ("text", "list", "map"), field.kind == "number"
        least, most = offer.bounds.get(here, (field.least, field.most))

        def part(inner: Field | None) -> CommandField | UnsetType:
            return UNSET if inner is None else self._field(offer, inner, struct, here, word)

        return CommandField(
            name=field.name,
            title=_field_title(struct, word, self.language),
            kind=field.kind,
            required=field.required,
            nullable=field.nullable,
            default=msgspec.to_builtins(field.default),
            help=self._say(help_text) if help_text else None,
            depends_on=[*field.ends_of] if field.depends_on is None else [field.depends_on],
            choices=self._choices(offer, here, field.ref, struct, word),
            min=least if is_number and least is not None else UNSET,
            max=most if is_number and most is not None else UNSET,
            length=(field.least or 0, field.most) if is_free else UNSET,
            pattern=field.pattern or UNSET,
            fields=[self._field(offer, inner, field.struct or struct, here) for inner in field.fields] or UNSET,
            item=part(field.item),
            key=part(field.key),
            budget=UNSET if path else _budget(offer, field.name),
            variants=[self._field(offer, variant, struct, path, word) for variant in field.variants] or UNSET,
        )

    def _choices(
        self, offer: Offer, path: Path, ref: str | None, struct: type[Struct], word: str
    ) -> list[FieldChoice] | UnsetType:
        choices = offer.choices.get(path)
        if choices is None:
            return UNSET
        titles = [self._title(choice.value, ref, struct, word) for choice in choices]
        if ref in LEDGER_ACCOUNTS:
            titles = self._with_owners(titles, [str(choice.value) for choice in choices])
        field_choices = map(self._choice, choices, repeat(offer.kind), self._distinct_titles(titles))
        return [*field_choices]

    def _with_owners(self, titles: Sequence[str], accounts: Sequence[str]) -> list[str]:
        """The titles of accounts: those of a member and a character of the same name say whose they are."""
        alike = Counter(titles)
        return [
            title
            if alike[title] == 1
            else self._say(say("{name} (member)", name=title))
            if kind_of(account) == "member"
            else self._say(say("{name} (character)", name=title))
            for title, account in zip(titles, accounts, strict=True)
        ]

    def _distinct_titles(self, titles: Sequence[str]) -> Iterator[str]:
        """The titles of choices, those that are called alike with a number in the order in which they stand."""
        alike, nth = Counter(titles), Counter[str]()
        for title in titles:
            nth[title] += 1
            yield title if alike[title] == 1 else self._say(say("{name} ({nth})", name=title, nth=nth[title]))

    def _choice(self, choice: Choice, command: type[Struct], title: str) -> FieldChoice:
        refusal = None if choice.refusal is None else self._refusal(choice.refusal, command, certain=True)
        return FieldChoice(msgspec.to_builtins(choice.value), title, refusal, uncertain=not choice.certain)

    def _title(self, value: Any, ref: str | None, struct: type[Struct], word: str) -> str:
        """The title of a value: of a thing its name, of a word of the rules the rulebook's word."""
        for kind in OF_CALENDAR:
            if ref == kind:
                return str(self.look_up((kind, value)))
        if not isinstance(value, str):
            return str(value)
        if ref in LEDGER_ACCOUNTS:
            return self._say(account_title(value, self._name))
        sentence = self.look_up(("title", value))
        if sentence is not None:
            return self._say(sentence)
        name = self._name(UUID(value) if MEMBER.fullmatch(value) else value)
        return name if name != value else self._say(value_title(struct, word, value))


class _OfferInWords(NamedTuple):
    """An offer, the same in words, and what was looked up for these."""

    offer: Offer
    in_words: CommandOffer
    looked_up: Mapping[LookUp, Any]

    @property
    def size(self) -> int:
        """Approximate bytes."""
        return WORDS_BYTES + LOOK_UP_BYTES * len(self.looked_up)


class KeptWords:
    """The words of offers, kept as long as an offer is the same one, and everything in it is called as it was."""

    def __init__(self) -> None:
        self.size = 0
        """Approximate bytes."""
        self._kept: dict[tuple[str, str, Hashable], _OfferInWords] = {}

    def offer(self, words: CommandWords, offer: Offer, group: str, key: Hashable) -> CommandOffer:
        """The same as `CommandWords.offer` says; of the offers with a `key`, the last of each command is kept."""
        place = (str(offer.kind.__struct_config__.tag), words.language, key)
        kept = self._kept.pop(place, None)
        if kept is not None:
            self.size -= kept.size
        if (
            kept is None
            or kept.offer is not offer
            or any(words.look_up(question) != answer for question, answer in kept.looked_up.items())
        ):
            words.looked_up = {}
            in_words = words.offer(offer, group)
            kept = _OfferInWords(offer, in_words, words.looked_up)
        words.looked_up = {}
        self._kept[place] = kept
        self.size += kept.size
        return kept.in_words


@cache
def _plain_fields(kind: type[Struct], language: str) -> list[CommandField]:
    """The fields of a command in a language, without what depends on how things are."""
    shapes = fields_of(kind)
    offer, words = Offer(kind, {}, "depends", None, None, shapes), CommandWords(str, language)
    return [words._field(offer, field, kind, ()) for field in shapes]  # noqa: SLF001 — the same words


@cache
def _field_title(struct: type[Struct], name: str, language: str) -> str:
    """The title of a field in a language, which never changes and is asked for with every form."""
    return render(field_title(struct, name), language)


def _with_title(refusal: Rejection, command: type[Struct]) -> str | Sentence:
    """The message of a refusal, with the title of the field of the command that it is about."""
    message, field = refusal.message, refusal.details.get("field")
    if refusal.code != NOT_A_VALUE or field is None or not isinstance(message, Sentence):
        return message
    return structs.replace(message, parts={**message.parts, "field": field_title(command, field)})


def _budget(offer: Offer, field: str) -> FieldBudget | UnsetType:
    """The budget of a command's field."""
    budgets = (
        FieldBudget(budget.total, [*budget.used_by], budget.least, [*budget.shares])
        for budget in offer.budgets
        if budget.field == field
    )
    return next(budgets, UNSET)


def waiting_of(
    choices: Sequence[Awaited], account: AccountId, since: Sequence[int], *, is_gm: bool
) -> list[AwaitedCommand]:
    """The choices awaited from a member, their own first; GMs answer for everybody. `since` are the seqs."""
    mine = [pair for pair in zip(choices, since, strict=True) if is_gm or pair[0].waits_for == account]
    return sorted(
        (_awaited_command(choice, seq, own=choice.waits_for in (account, None)) for choice, seq in mine),
        key=lambda command: command.waits_for != account,
    )


def _awaited_command(choice: Awaited, seq: int, *, own: bool) -> AwaitedCommand:
    answers = [answer.command for answer in (choice.answers if own else choice.gm_answers)]
    command = answers[0] if answers else None
    return AwaitedCommand(
        choice.told,
        command,
        answers,
        choice.waits_for,
        choice.waits_for_name,
        seq,
        choice.hidden,
        choice.choice,
    )
