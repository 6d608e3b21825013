"""The bounds of numbers in offers: those of the rules as things are, where decoding lets more in."""

from collections.abc import Sequence
from typing import Annotated, Any, get_args

import msgspec
import pytest
from msgspec import Meta, Struct

from domain.campaign.commands import AdvanceCalendar, PlayCommand
from domain.field_references import bounded, ref
from domain.offers.candidates import CANDIDATES
from domain.offers.command_search import complete
from domain.offers.field_choices import ChoiceSearch
from domain.offers.field_values import Values
from domain.offers.fields import Field, fields_of
from domain.offers.possible_commands import Offers
from domain.offers.trial_outcomes import Outcomes
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.frame_state.commands import CallTest
from domain.systems.overdrive.commands import ResolveAttack
from tests.offers.moments import Moment, moments

PURSES = {"ann": 7, "bob": 3}


class Pay(Struct, frozen=True, tag_field="type", tag="test.pay"):
    """A command whose most depends on whose purse it is."""

    coins: Annotated[int, Meta(ge=0, le=1000), bounded(1, ends="coins", of=("who",))]
    who: Annotated[str, ref("who")]
    each: Annotated[list[Annotated[int, Meta(ge=0), bounded(most=5)]], bounded(1)] | None = None


class Rules:
    """Nobody pays more than they have, as a trial would say so; the purse of the house stays shut."""

    tries = 0

    def refusal(self, command: Pay) -> tuple[Rejection | None, list[str]]:
        if command.coins > PURSES[command.who]:
            return Rejection("too_much", "They have not got as much."), ["who", "coins"]
        return None, ["who", "coins"]


def bounds(given: dict[str, Any]) -> dict[tuple[str, ...], tuple[int | None, int | None]]:
    known: dict[str, list[Any]] = {"who": [*PURSES], "coins": [0, 1, *PURSES.values(), 50]}
    trial: Any = Rules()
    outcomes, values = Outcomes(Pay, trial), Values(lambda kind, _: known[kind])
    example = complete(outcomes, given, values).example
    assert example is not None
    search = ChoiceSearch(outcomes, given, example, values, [])
    [coins] = (each for each in fields_of(Pay) if each.name == "coins")
    return {path: (found.least, found.most) for path, found in search.bounds(coins, parts=True)}


@pytest.mark.parametrize(("given", "most"), [({}, 7), ({"who": "ann"}, 7), ({"who": "bob"}, 3)])
def test_bounds_are_the_least_and_the_most_that_some_way_of_filling_in_the_rest_allows(given, most):
    assert bounds(given) == {("coins",): (1, most)}


def test_what_the_rules_bound_more_narrowly_than_decoding_has_these_bounds_and_so_has_how_many_there_are():
    fields = {each.name: each for each in fields_of(Pay)}
    assert (fields["coins"].least, fields["coins"].most) == (1, 1000)
    assert (fields["each"].least, fields["each"].most) == (1, None)
    assert fields["each"].item is not None
    assert (fields["each"].item.least, fields["each"].item.most) == (0, 5)
    assert fields["coins"].asked_with == ("who",)
    assert msgspec.convert({"type": "test.pay", "coins": 0, "who": "ann", "each": []}, Pay).coins == 0


def moment_of(story: str, nth: int) -> Moment:
    return next(each for each in moments(story) if each.nth == nth)


def test_a_number_that_a_rule_refuses_is_not_within_the_bounds_that_are_offered():
    moment = moment_of("frame_state", 59)
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    offer = moment.offers(gm).offer(CallTest, {}, ())
    assert offer is not None
    [mark] = (each for each in offer.fields if each.name == "mark")
    assert mark.least == 1
    assert offer.example is not None
    refusal, _ = moment.trial(gm).refusal(msgspec.convert({**offer.example, "mark": 0}, CallTest))
    assert refusal is not None
    assert refusal.code == "invalid_mark"


def test_an_attack_pushes_as_far_as_it_is_better_than_the_defence():
    moment = moment_of("overdrive", 62)
    attack = moment.whole.systems["overdrive"].combat.attack  # type: ignore[index]
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    offer = Offers(moment.trial(gm)).offer(ResolveAttack, {}, parts=False)
    assert offer is not None
    assert offer.bounds["recoil",] == (0, attack.excess)
    assert 0 < attack.excess < 1000


def test_the_parts_of_a_date_are_bounded_by_the_calendar_and_none_has_to_be_tried():
    moment = moment_of("overdrive", 62)
    gm = next(account for account, role in moment.whole.members.items() if role == "gm")
    offer = Offers(moment.trial(gm)).offer(AdvanceCalendar, {})
    assert offer is not None
    assert offer.bounds == {("until", "day"): (1, 31), ("until", "hour"): (0, 23), ("until", "minute"): (0, 59)}


def bounded_parts(
    fields: Sequence[Field], around: frozenset[str] = frozenset()
) -> list[tuple[Field, frozenset[str]]]:
    """Whatever has bounds that depend on how things are, with the names of what stands beside and around it."""
    names = around | {field.name for field in fields}
    own = [(field, names) for field in fields if field.ends is not None]
    return [*own, *(part for field in fields for part in bounded_parts((*field.parts, *field.variants), names))]


@pytest.mark.parametrize("owner", [*SYSTEMS, "campaign"])
def test_bounds_are_found_by_a_function_and_decided_by_fields_of_the_command(owner):
    system = SYSTEMS.get(owner)
    known = CANDIDATES if system is None else system.candidates
    for kind in get_args(PlayCommand) if system is None else get_args(system.commands):
        for field, names in bounded_parts(fields_of(kind)):
            assert field.ends in known
            assert names.issuperset(field.ends_of)
