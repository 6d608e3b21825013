"""The tables by type of the campaign and every rule system: whole, and each function under the type it takes."""

from collections.abc import Callable, Mapping
from importlib import import_module
from operator import attrgetter
from typing import Any, get_args

import pytest

from domain.campaign import aggregate, evolve
from domain.campaign.commands import MembershipCommand, OperatorCommand, PlayCommand
from domain.campaign.events import CampaignEvent
from domain.campaign.messages.undo import RequestUndo
from domain.mechanics.dispatch import only_told
from domain.systems import SYSTEMS
from tests.handled_types import taken

Table = Mapping[type, Callable[..., Any]]

TABLES: dict[str, tuple[Table, Any]] = {
    "campaign decide": (aggregate.DECIDE, PlayCommand | MembershipCommand | OperatorCommand | RequestUndo),
    "campaign evolve": (evolve.EVOLVE, CampaignEvent),
    **{
        f"{system.id} {verb}": (getattr(import_module(f"domain.systems.{system.id}.{verb}"), verb.upper()), union)
        for system in SYSTEMS.values()
        for verb, union in (("decide", system.commands), ("evolve", system.events))
    },
}
"""Every table, with the union of the types that it is for."""


def misplaced(table: Table, union: Any) -> set[type]:
    """The types without a function, of no business here, or with a function for something else."""
    others = {
        kind for kind, function in table.items() if function is not only_told and kind not in taken(function)
    }
    return others | (set(table) ^ set(get_args(union)))


@pytest.mark.parametrize("name", TABLES)
def test_every_type_has_a_function_that_takes_it(name):
    assert misplaced(*TABLES[name]) == set()


@pytest.mark.parametrize("system", SYSTEMS.values(), ids=attrgetter("id"))
def test_every_function_of_postings_takes_an_event_of_its_system(system):
    assert {*system.postings} <= {*get_args(system.events)}
    assert all(kind in taken(function) for kind, function in system.postings.items())


@pytest.mark.parametrize("name", TABLES)
def test_a_missing_type_a_foreign_one_and_two_in_each_others_place_are_noticed(name):
    table, union = TABLES[name]
    first, second = [kind for kind, function in table.items() if taken(function) == {kind}][:2]
    missing = {kind: function for kind, function in table.items() if kind is not first}
    assert misplaced(missing, union) == {first}
    assert misplaced({**table, str: only_told}, union) == {str}
    assert misplaced({**table, first: table[second], second: table[first]}, union) == {first, second}
