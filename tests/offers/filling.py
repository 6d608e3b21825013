"""Fills commands in with what is offered, as people might, and gives them in truth."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.field_references import Given
from domain.ids import AccountId
from domain.offers.choice_insertion import Holder
from domain.offers.command_search import fields_in_order
from domain.offers.field_values import Path, Values
from domain.offers.fields import Field
from domain.offers.possible_commands import Offer, Offers, commands_of, values_of
from domain.systems import owner_of_kind
from tests.offers.moments import NOT_KNOWN, Moment

ALL_PAIRS_MAX = 24
"""Where a command has no more pairs of choices of two of its fields than this, all of them are filled in."""
CHOICES, PAIRS = 3, 2
"""Of a command with more, so many choices of one field, and so many pairs with each of them."""
PARTS = 2
"""So many ends of bounds within records, lists and maps are filled in, of each command."""
YEAR = ("until", "year")
"""How far a date may lie ahead differs by command, and is a refusal's to say."""
WAYS_MAX = 20
"""In so many ways a number is put into the field that it is a part of."""


class Filled(NamedTuple):
    """A whole command that is offered, as data. `how` says what of it was chosen; None where it is refused."""

    how: Given
    command: dict[str, Any] | None


class Outcomes(Struct):
    """What came of the commands that were given: how many were accepted, or refused and why, by command.

    `filled` counts of what kind they were.
    """

    counted: Counter[tuple[str, str]]
    wrong: list[str]
    filled: Counter[str]

    @classmethod
    def none(cls) -> "Outcomes":
        """Where nothing was given yet."""
        return cls(Counter(), [], Counter())

    def add(self, others: "Outcomes") -> None:
        """Count what came of others, too."""
        self.counted.update(others.counted)
        self.wrong += others.wrong
        self.filled.update(others.filled)


class Filling:
    """Fills in one command, from all that is offered to a member."""

    def __init__(self, offers: Offers, values: Values, kind: type[Struct], chance: Random) -> None:
        self._offers = offers
        self._values = values
        self._kind = kind
        self._chance = chance
        self.filled: Counter[str] = Counter()

    def all(self) -> Iterator[Filled]:
        """The example, others with choices and pairs of them, and with numbers and texts at their bounds."""
        offer = self._offers.offer(self._kind, {})
        if offer is None or offer.possible == "no":
            return
        yield self._counted("examples", Filled({}, offer.example))
        chosen = [*self._chosen(offer)]
        if _pairs(chosen) <= ALL_PAIRS_MAX:
            self.filled["commands with all pairs"] += 1
            yield from self._pairs(chosen)
        else:
            self.filled["commands with a sample of pairs"] += 1
            yield from self._some_pairs(chosen)
        yield from self._at_bounds(offer, {})
        yield from self._within_bounds(offer)

    def _counted(self, kind: str, filled: Filled) -> Filled:
        self.filled[kind] += 1
        return filled

    def _chosen(self, offer: Offer) -> list[tuple[str, list[Any]]]:
        """The choices that can be completed, by field, those first that others depend on."""
        open_to = {
            path[0]: [each.value for each in choices if each.refusal is None and each.certain]
            for path, choices in offer.choices.items()
            if len(path) == 1
        }
        names = (each.name for each in fields_in_order(self._kind))
        return [(name, open_to[name]) for name in names if name in open_to]

    def _pairs(self, chosen: list[tuple[str, list[Any]]]) -> Iterator[Filled]:
        """Every choice of a field with every one of every later field that is offered beside it."""
        order = [name for name, _ in chosen]
        for name, values in chosen:
            for value in values:
                given = {name: value}
                again = self._offers.offer(self._kind, given)
                assert again is not None
                yield self._counted("choices", Filled(given, again.example))
                later = order[order.index(name) + 1 :]
                for other, others in self._chosen(again) if again.possible == "depends" else ():
                    for each in others if other in later else ():
                        yield self._counted("pairs", self._with({**given, other: each}))

    def _some_pairs(self, chosen: list[tuple[str, list[Any]]]) -> Iterator[Filled]:
        """Some choices of every field in any order, each with some of other fields, and at bounds beside it."""
        for given in self._sampled(chosen):
            again = self._offers.offer(self._kind, given)
            assert again is not None
            yield self._counted("choices", Filled(given, again.example))
            if again.possible == "depends":
                for more in self._sampled(self._chosen(again))[:PAIRS]:
                    yield self._counted("pairs", self._with({**given, **more}))
                yield from islice(self._at_bounds(again, given), PAIRS)

    def _sampled(self, chosen: list[tuple[str, list[Any]]]) -> list[dict[str, Any]]:
        some = [
            {name: value}
            for name, values in chosen
            for value in self._chance.sample(values, min(CHOICES, len(values)))
        ]
        self._chance.shuffle(some)
        return some

    def _with(self, given: Given) -> Filled:
        offer = self._offers.offer(self._kind, given, ())
        return Filled(given, None if offer is None else offer.example)

    def _at_bounds(self, offer: Offer, given: Given) -> Iterator[Filled]:
        """Every number and free text at each end of its bounds, beside what is given."""
        for field in offer.fields:
            ends = [self._with({**given, field.name: end}) for end in _ends(field, (field.name,), offer)]
            if self._is_closed(field, given, ends):
                self.filled["fields to leave out"] += 1
                continue
            yield from (self._counted("ends", each) for each in ends)

    def _is_closed(self, field: Field, given: Given, ends: list[Filled]) -> bool:
        """Whether a field can only be left out, whatever is put there."""
        if field.required or not field.nullable or any(each.command is not None for each in ends):
            return False
        values = [each for each in self._values.some(field, given) if each is not None]
        return not any(self._with({**given, field.name: each}).command for each in values)

    def _within_bounds(self, offer: Offer) -> Iterator[Filled]:
        """Some of the numbers and free texts within records, lists and maps at an end of their bounds."""
        found = [
            (field, path, end)
            for field in offer.fields
            for part, path in _parts(field, (field.name,))
            if path != YEAR
            for end in _ends(part, path, offer)
        ]
        for field, path, end in self._chance.sample(found, min(PARTS, len(found))):
            filled = self._holding(field, path, end, offer)
            if filled is None:
                self.filled["parts to leave out"] += 1
            else:
                yield self._counted("ends within fields", filled)

    def _holding(self, field: Field, path: Path, end: Any, offer: Offer) -> Filled | None:
        """A command with an end of bounds in a part of a field; None where nothing may be put there at all."""
        filled = self._put(field, path, end, offer)
        if filled.command is not None:
            return filled
        middle = 1 if isinstance(end, int) else "…"
        return filled if self._put(field, path, middle, offer).command is not None else None

    def _put(self, field: Field, path: Path, value: Any, offer: Offer) -> Filled:
        """A command with a value in a part of a field, beside what the example says there, or without that."""
        assert offer.example is not None
        holder = Holder(self._values, offer.example)
        now = [offer.example[field.name]] if field.name in offer.example else []
        held = islice(holder.holding(field, path[1:], value, now), WAYS_MAX)
        tried = (self._with({field.name: each}) for each, _ in held)
        return next((each for each in tried if each.command is not None), Filled({".".join(path): value}, None))


def _pairs(chosen: list[tuple[str, list[Any]]]) -> int:
    """How many pairs of choices of two different fields there are at most."""
    counts = [len(values) for _, values in chosen]
    return (sum(counts) ** 2 - sum(each**2 for each in counts)) // 2


def _ends(field: Field, path: Path, offer: Offer) -> Iterator[Any]:
    """Both ends of the bounds of a number, or of the length of a text that decides nothing."""
    least, most = offer.bounds.get(path, (field.least, field.most))
    if field.kind == "number" and field.ref is None and not field.variants:
        yield from (each for each in (least, most) if each is not None)
    elif field.kind == "text" and field.ref is None and not field.values and field.pattern in (None, r"\S"):
        yield from ("x" * each for each in (least, most) if each)


def _parts(field: Field, path: Path) -> Iterator[tuple[Field, Path]]:
    """Every part of a field and of its variants."""
    for variant in field.variants:
        yield from _parts(variant, path)
    for part in field.parts:
        yield part, (*path, part.name)
        yield from _parts(part, (*path, part.name))


def given_in_truth(moment: Moment, account: AccountId, chance: Random, kinds_max: int = 1_000) -> Outcomes:
    """Give so many of the commands that are offered to a member, as if at that moment: nothing comes of it."""
    trial = moment.trial(account)
    offers, truth = Offers(trial), moment.truth()
    found = Outcomes.none()
    kinds = [*commands_of(moment.whole)]
    for kind in chance.sample(kinds, min(kinds_max, len(kinds))):
        tag = str(kind.__struct_config__.tag)
        filling = Filling(offers, values_of(owner_of_kind(kind), trial), kind, chance)
        for how, command in filling.all():
            where = f"{moment.nth}, {moment.role(account)}: {tag} with {dict(how)}"
            if command is None:
                found.wrong.append(f"{where}: no example")
                continue
            refusal = truth.refusal(account, msgspec.convert(command, kind))
            code = "accepted" if refusal is None else refusal.code
            found.counted[tag, code] += 1
            if refusal is not None and code not in NOT_KNOWN:
                found.wrong.append(f"{where}: {code}: {refusal} for {command}")
        found.filled.update(filling.filled)
    return found
