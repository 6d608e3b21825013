"""What each audience knows of a campaign while it is decided on: what it may read, and no more."""

from typing import Any
from uuid import UUID

import pytest

from domain.campaign.dice.trial_dice import OtherDiceWanted, SameDice
from domain.campaign.events import EntryPosted, MemberJoined, NoteAdded
from domain.campaign.evolve import evolve
from domain.campaign.secrecy.audience import GM, TABLE, Audience, may_see
from domain.campaign.secrecy.audience_states import Knowledge, decides
from domain.campaign.state import CampaignState
from domain.ids import AccountId
from tests.scripted_dice import ScriptedDice

BEN, CLEO = (AccountId(UUID(int=nth)) for nth in (1, 2))
BOTH = f"account:{BEN},{CLEO}"
READERS = [GM, TABLE, *(Audience(gm=False, account=each) for each in (BEN, CLEO)), Audience.called(BOTH)]


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
