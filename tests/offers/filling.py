"""Fills commands in with what is offered, as people might, and gives them in truth."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from domain.ids import AccountId
from domain.offers.offers import Offer, Offers, commands_of
from domain.references import Given
from tests.offers.moments import NOT_KNOWN, Moment

CHOICES, PAIRS = 3, 2
"""So many choices of one field, and so many pairs of fields are filled in, of each command."""


class Filled(NamedTuple):
    """A whole command that is offered, as data. `how` says what of it was chosen; None where it is refused."""

    how: Given
    command: dict[str, Any] | None


class Outcomes(Struct):
    """What came of the commands that were given: how many were accepted, or refused and why, by command."""

    counted: Counter[tuple[str, str]]
    wrong: list[str]


def fillings(offers: Offers, kind: type[Struct], chance: Random) -> Iterator[Filled]:
    """The example of a command, others with choices and pairs of them, and with numbers at their bounds."""
    offer = offers.offer(kind, {})
    if offer is None or offer.possible == "no":
        return
    yield Filled({}, offer.example)
    for given in _chosen(offer, chance):
        again = offers.offer(kind, given)
        assert again is not None
        yield Filled(given, again.example)
        if again.possible == "depends":
            for more in [*_chosen(again, chance)][:PAIRS]:
                both = {**given, **more}
                yield Filled(both, _example(offers.offer(kind, both, ())))
    for given in _at_bounds(offer):
        found = _example(offers.offer(kind, given, ()))
        if found is not None:
            yield Filled(given, found)


def _example(offer: Offer | None) -> dict[str, Any] | None:
    return None if offer is None else offer.example


def _chosen(offer: Offer, chance: Random) -> Iterator[Given]:
    """Some of the choices that are not refused, of every field, in any order."""
    chosen = [
        {path[0]: each.value}
        for path, choices in offer.choices.items()
        if len(path) == 1
        for each in chance.sample(choices, min(CHOICES, len(choices)))
        if each.refusal is None
    ]
    chance.shuffle(chosen)
    yield from chosen


def _at_bounds(offer: Offer) -> Iterator[Given]:
    for field in offer.fields:
        if field.kind == "number" and field.ref is None:
            yield from ({field.name: bound} for bound in (field.least, field.most) if bound is not None)


def given_in_truth(moment: Moment, account: AccountId, chance: Random, kinds_max: int = 1_000) -> Outcomes:
    """Give so many of the commands that are offered to a member, as if at that moment: nothing comes of it."""
    offers, truth = moment.offers(account), moment.truth()
    found = Outcomes(Counter(), [])
    kinds = [*commands_of(moment.whole)]
    for kind in chance.sample(kinds, min(kinds_max, len(kinds))):
        tag = str(kind.__struct_config__.tag)
        for how, command in fillings(offers, kind, chance):
            where = f"{moment.nth}, {moment.role(account)}: {tag} with {dict(how)}"
            if command is None:
                found.wrong.append(f"{where}: no example")
                continue
            refusal = truth.refusal(account, msgspec.convert(command, kind))
            code = "accepted" if refusal is None else refusal.code
            found.counted[tag, code] += 1
            if refusal is not None and code not in NOT_KNOWN:
                found.wrong.append(f"{where}: {code}: {refusal} for {command}")
    return found
