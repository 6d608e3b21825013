"""Who comes into which group, and that nobody is lost or overtaken in a campaign."""

from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.ids import CampaignId
from services.turns import GROUP_MAX, GROUP_WORTH, Group, Turns


class Somebody:
    """Who waits for a campaign."""

    def __init__(self, campaign: int, name: str = "") -> None:
        self.campaign_id = CampaignId(UUID(int=campaign))
        self.name = name


def people(*campaigns):
    return [Somebody(campaign) for campaign in campaigns]


def sizes(group):
    return {campaign.int: len(asks) for campaign, asks in group.items()}


@pytest.fixture
def turns():
    return Turns()


def test_nobody_in_line_makes_no_group(turns):
    assert not turns.ready
    assert turns.take() == {}


def test_a_few_go_together(turns):
    turns.join(people(1, 2, 1))
    assert turns.ready
    assert sizes(turns.take()) == {1: 2, 2: 1}
    assert not turns.ready


def test_who_is_alone_goes_at_once_when_nobody_is_in_flight(turns):
    turns.join(people(1))
    assert sizes(turns.take()) == {1: 1}


def test_a_few_wait_for_those_in_flight(turns):
    """Negative control: with one more it is a group."""
    turns.join(people(0))
    group = turns.take()
    turns.join(people(*range(1, GROUP_WORTH)))
    assert turns.take() == {}
    turns.let_go(group)
    assert len(turns.take()) == GROUP_WORTH - 1
    turns.join(people(*range(GROUP_WORTH, 2 * GROUP_WORTH)))
    assert len(turns.take()) == GROUP_WORTH


def test_many_go_in_two_halves_when_nobody_is_in_flight(turns):
    turns.join(people(*range(2 * GROUP_WORTH)))
    assert sizes(turns.take()) == dict.fromkeys(range(GROUP_WORTH), 1)
    assert sizes(turns.take()) == dict.fromkeys(range(GROUP_WORTH, 2 * GROUP_WORTH), 1)


def test_a_half_takes_all_there_is_of_its_campaigns(turns):
    turns.join(people(*[1, 2] * GROUP_WORTH))
    assert sizes(turns.take()) == {1: GROUP_WORTH, 2: GROUP_WORTH}


def test_who_comes_after_those_in_flight_is_not_halved(turns):
    turns.join(people(0))
    turns.take()
    turns.join(people(*range(1, 1 + 2 * GROUP_WORTH)))
    assert len(turns.take()) == 2 * GROUP_WORTH


def test_no_group_is_larger_than_a_transaction_should_be(turns):
    turns.join(people(0))
    group = turns.take()
    turns.join(people(*range(1, GROUP_MAX + 8)))
    assert len(turns.take()) == GROUP_MAX
    turns.let_go(group)
    turns.join(people(GROUP_MAX + 8))
    assert [*sizes(turns.take())] == [*range(GROUP_MAX + 1, GROUP_MAX + 9)]


def test_who_wants_a_campaign_in_flight_waits_aside_and_comes_first_when_it_is_let_go(turns):
    turns.join(people(1))
    group = turns.take()
    late, other = people(1, 2)
    turns.join([other, late])
    turns.let_go(group)
    assert [*turns.take().values()] == [[late], [other]]


def test_who_only_waits_aside_makes_no_group(turns):
    turns.join(people(1))
    turns.take()
    turns.join(people(*[1] * GROUP_WORTH))
    assert not turns.ready
    assert turns.take() == {}


def test_who_is_decided_again_comes_before_who_came_since(turns):
    first, second, third = people(1, 1, 1)
    turns.join([first, second])
    group = turns.take()
    turns.join([third])
    turns.again(first.campaign_id, [first, second])
    turns.let_go(group)
    assert [*turns.take().values()] == [[first, second, third]]


def test_everybody_in_line_can_leave(turns):
    waiting = people(1, 2)
    turns.join(waiting)
    assert turns.leave() == waiting
    assert not turns.ready


@given(st.lists(st.one_of(st.integers(0, 5), st.just("take"), st.just("let go")), max_size=120))
def test_everybody_gets_a_turn_in_their_campaigns_order(steps):
    played = Played()
    for step in steps:
        if step == "take":
            played.take()
        elif step == "let go":
            played.let_go()
        else:
            played.join(Somebody(step))
    while played.turns.ready or played.in_flight:
        played.take()
        played.let_go()
    for campaign in {each.campaign_id for each in played.came}:
        in_order = [each for each in played.came if each.campaign_id == campaign]
        assert [each for each in played.served if each.campaign_id == campaign] == in_order


class Played:
    """Turns with whatever happens to them, and what they must never do."""

    def __init__(self) -> None:
        self.turns: Any = Turns()
        self.in_flight: list[Group] = []
        self.came: list[Somebody] = []
        self.served: list[Any] = []

    def join(self, somebody: Somebody) -> None:
        self.came.append(somebody)
        self.turns.join([somebody])

    def take(self) -> None:
        if group := self.turns.take():
            assert not {*group} & {campaign for other in self.in_flight for campaign in other}, "already in flight"
            self.in_flight.append(group)

    def let_go(self) -> None:
        if self.in_flight:
            group = self.in_flight.pop(0)
            self.served += [ask for asks in group.values() for ask in asks]
            self.turns.let_go(group)
