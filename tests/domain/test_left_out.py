"""A command that leaves ids out is the same command with the ids said that the rules found for it."""

import json
from collections.abc import Iterable
from functools import cache, partial
from random import Random
from typing import Any

import pytest
from msgspec import structs

from domain.campaign import aggregate
from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import asked_again
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.mechanics.omitted_ids import explicit
from domain.rejection import Rejection
from domain.systems.angst import ANGST
from domain.systems.angst import commands as c
from services.cli.demo.recording import recorded_names, short_names
from services.reading.event_scan import by_action
from tests.domain.angst.table import Table
from tests.domain.conftest import VECTORS
from tests.domain.left_out import NEVER, OPTIONAL, SOMETIMES, Field, decided, same_when_said
from tests.domain.plays import PLAYS, told
from tests.domain.translators import TRANSLATORS
from tests.stories.played_story import SEED, played

PLAYS_EACH = 10
PLAYS_MAX = 40


def tried(state: CampaignState, actions: Iterable[PastAction]) -> set[Field]:
    """Try every action of a campaign where it happened; returns what was left out and found."""
    found = set()
    for action in actions:
        if action.request is not None:
            found |= same_when_said(partial(aggregate.decide, state), asked_again(state, action))
        for event in action.events:
            state = evolve(state, event)
    return found


@cache
def found_in_plays(system: str) -> set[Field]:
    return set[Field]().union(*(found_in_play(system, nth) for nth in range(PLAYS_EACH)))


def found_in_play(system: str, nth: int) -> set[Field]:
    seed = Random(f"{system} {nth}")  # noqa: S311 — a play that can be played again
    return tried(*told(system, PLAYS[system](seed)))


@cache
def found_in_vectors(file: str) -> set[Field]:
    found = set()
    for line in (VECTORS / file).read_text("utf-8").splitlines():
        vector = json.loads(line)
        situation = TRANSLATORS[vector["system"]](vector["given"], vector["command"])
        if situation.moment is None:
            found |= same_when_said(partial(situation.system.decide, situation.state), situation.context)
    return found


@cache
def found_in_story(name: str) -> set[Field]:
    _, rows = played(name, SEED)
    return tried(CampaignState(), [past_action(each) for each in by_action(rows)])


FILES = sorted(each.name for each in VECTORS.glob("*.jsonl"))
STORIES = [*recorded_names(), *short_names()]


@pytest.mark.parametrize("system", PLAYS)
def test_in_random_play_what_is_left_out_may_as_well_be_said(system):
    assert found_in_plays(system)


@pytest.mark.parametrize("file", FILES)
def test_in_every_vector_what_is_left_out_may_as_well_be_said(file):
    assert found_in_vectors(file)


@pytest.mark.parametrize("story", STORIES)
def test_in_every_story_what_is_left_out_may_as_well_be_said(story):
    assert found_in_story(story)


def test_no_id_that_may_be_left_out_is_forgotten():
    assert NEVER | SOMETIMES <= OPTIONAL
    assert not NEVER & SOMETIMES
    found = set[Field]().union(
        *(found_in_plays(each) for each in PLAYS),
        *(found_in_vectors(each) for each in FILES),
        *(found_in_story(each) for each in STORIES),
    )
    for nth in range(PLAYS_EACH, PLAYS_MAX):
        rare = {command.partition(".")[0] for command, _ in OPTIONAL - NEVER - found}
        found = found.union(*(found_in_play(system, nth) for system in PLAYS if system in rare))
    assert found & OPTIONAL == OPTIONAL - NEVER


@pytest.fixture
def table() -> Table:
    table = Table()
    table.character("mara")
    table.character("jun")
    return table


def wrong_id(table: Table, filled: dict[str, Any]) -> None:
    filled["character"] = next(each for each in table.state.characters if each != filled["character"])


def wrong_field(_: Table, filled: dict[str, Any]) -> None:
    filled["core"] = filled.pop("character")


def unknown_field(_: Table, filled: dict[str, Any]) -> None:
    filled["pilot"] = filled.pop("character")


def nothing(_: Table, filled: dict[str, Any]) -> None:
    filled.clear()


@pytest.mark.parametrize("mistake", [wrong_id, wrong_field, unknown_field, nothing])
def test_a_wrong_note_of_what_was_left_out_is_noticed(table, mistake):
    def mistaken(context: CommandContext, dice: Dice) -> list[Any]:
        events = ANGST.decide(table.state, context, dice)
        if context.filled:
            mistake(table, context.filled)
        return events

    context = table.context("mara", c.BuyAngstPurge("anger"))
    assert same_when_said(partial(ANGST.decide, table.state), context) == {("angst.buy_angst_purge", "character")}
    with pytest.raises((AssertionError, AttributeError, Rejection)):
        same_when_said(mistaken, context)


def test_what_is_found_after_the_first_die_is_noticed(table):
    def late(context: CommandContext, dice: Dice) -> list[Any]:
        dice.roll(6)
        return ANGST.decide(table.state, context, dice)

    context = table.context("mara", c.BuyAngstPurge("anger"))
    with pytest.raises(AssertionError, match="after the first die"):
        decided(late, context, context.command)


def test_a_field_of_a_field_is_said_where_it_stands():
    command = c.ResolveOpposed(acting=c.OpposedSide(), opposing=c.OpposedSide(test_id="t2"))
    full = explicit(command, {"acting.test_id": "t1"})
    assert full == structs.replace(command, acting=c.OpposedSide(test_id="t1"))
