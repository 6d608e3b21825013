"""What each audience knows of a campaign while it is decided on: what it may read, and no more."""

from typing import Any
from uuid import UUID

import pytest
from msgspec import UNSET

from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, SameDice
from domain.campaign.events import BalancesEntered, EntryPosted, Hidden, MemberJoined, NoteAdded
from domain.campaign.evolve import evolve, evolve_undone
from domain.campaign.knowledge.audience_states import Knowledge, decides
from domain.campaign.secrecy.audience import GM, TABLE, Audience, may_see
from domain.campaign.state import CampaignState
from domain.campaign.subjects import is_born_in, subjects_in
from domain.ids import AccountId, ActionId, derive_id
from tests.scripted_dice import ScriptedDice

BEN, CLEO = (AccountId(UUID(int=nth)) for nth in (1, 2))
BOTH = f"account:{BEN},{CLEO}"
READERS = [GM, TABLE, *(Audience(gm=False, account=each) for each in (BEN, CLEO)), Audience.from_key(BOTH)]


def paid(amount: int) -> EntryPosted:
    return EntryPosted(f"entry-{amount}", "credits", "world:patron", "crew", amount, "pay")


HAPPENED: list[tuple[str, Any]] = [
    ("all", MemberJoined(BEN, "player")),
    ("all", paid(1)),
    ("gm", paid(10)),
    ("all", paid(100)),
    (f"account:{BEN}", paid(1_000)),
    ("all", paid(10_000)),
    ("gm", paid(100_000)),
    (f"account:{BEN}", paid(1_000_000)),
    ("blind", paid(10_000_000)),
    (BOTH, paid(100_000_000)),
]


def test_each_audience_knows_what_it_may_read_after_every_event():
    whole, knowledge = CampaignState(), Knowledge()
    folds = {reader: CampaignState() for reader in READERS}
    for visibility, event in HAPPENED:
        whole = knowledge.advance(whole, visibility, event)
        for reader in READERS:
            if may_see(visibility, reader):
                folds[reader] = evolve(folds[reader], event)
            assert decides(knowledge.of(reader, whole)) == decides(folds[reader]), (visibility, reader)
    crew = [knowledge.of(reader, whole).balances["crew"]["credits"] for reader in READERS]
    assert crew == [111_111_111, 10_101, 101_011_101, 100_010_101, 100_010_101]
    assert not knowledge.is_common(whole)


def test_nobody_parts_over_what_is_open_or_merely_told():
    whole, knowledge = CampaignState(), Knowledge()
    for visibility, event in (("all", paid(1)), ("gm", NoteAdded("note-1", "psst"))):
        whole = knowledge.advance(whole, visibility, event)
    assert not knowledge
    assert knowledge.of(TABLE, whole) is whole
    knowledge.advance(whole, "gm", paid(2))
    assert knowledge


def test_a_command_that_is_decided_again_has_the_dice_that_fell_and_no_others():
    dice = SameDice(ScriptedDice([3, 4]))
    assert [dice.roll(6).natural for _ in range(2)] == [3, 4]
    again = dice.again()
    assert [again.roll(6).natural for _ in range(2)] == [3, 4]
    with pytest.raises(OtherDiceWanted):
        again.roll(6)
    with pytest.raises(OtherDiceWanted):
        dice.again().roll(8)


@pytest.mark.parametrize(("lasts", "has"), [(UNSET, {}), (True, {"purse:mole": {"gold": 9}})])
def test_what_is_told_of_a_purse_lasts_although_nothing_hidden_stands_any_more(lasts, has):
    """In old logs it did not, and nobody was told otherwise since: they go on as they were."""
    state = evolve_undone(CampaignState(), Hidden())
    state = evolve(state, BalancesEntered({"purse:mole": {"gold": 9}}, lasts=lasts))
    assert {account: held for account, held in state.balances.items() if account == "purse:mole"} == has
    assert evolve(CampaignState(), BalancesEntered({"purse:mole": {"gold": 9}}, lasts=lasts)).balances == {}


def test_things_of_every_kind_are_found_where_they_are_named():
    """Frames of Mobile Frame have a kind of two words, and were overlooked."""
    made = ActionId(UUID(int=7))
    things = {derive_id(kind, made) for kind in ("character", "mobile-frame", "free_roll")}
    note = NoteAdded("note-1", " and ".join(sorted(things)) + f" of {UUID(int=10**37)}")
    assert subjects_in([note]) == things
    assert all(is_born_in(each, made) for each in things)
