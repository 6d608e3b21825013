"""The ledger as people read it: rows, balances and what is set aside."""

from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from msgspec import structs

from domain.campaign.commands import PostEntry, SetSetting
from domain.campaign.messages.escrow import EntryPending, PendingPosted
from domain.campaign.messages.undo import ActionUndone
from domain.ids import ActionId
from domain.systems.freefall import commands as freefall
from domain.systems.system import Posting
from projections.campaign import ledger
from projections.campaign.ledger import (
    AccountBalance,
    LedgerEntry,
    PendingView,
    account_balances,
    action_of,
    balances_after,
    entry,
    is_by_hand,
    note_of,
    pending_entries,
    statement_rows,
)
from tests.campaign_played import CampaignPlayed, person

RENT = PostEntry("credits", "crew", "world:dock", 30, "rent for the berth", new=True)


@pytest.fixture
def played() -> CampaignPlayed:
    """A crew with 90 credits that pays 30 of them, and holds 5 scrip."""
    found = CampaignPlayed()
    found.do("ana", PostEntry("credits", "world:patron", "crew", 90, "the advance", new=True))
    found.do("ana", RENT)
    found.do("ana", PostEntry("scrip", "world:patron", "crew", 5, "a tip", new=True))
    return found


def rows(played: CampaignPlayed) -> list[Any]:
    return [row for record in played.records for row in statement_rows([record])]


def test_each_move_is_a_row_that_either_account_finds(played):
    advance, rent, _ = rows(played)
    assert (advance.view, advance.nth, advance.since) == (ledger.VIEW, 0, 0)
    assert rent.keys == ("account:crew", "account:world:dock", "currency:credits")
    [record] = [each for each in played.records if each.seq == rent.seq]
    assert action_of(rent) == record.action_id
    assert b"berth" not in rent.content, "people's own words are put in when it is read"


def test_an_event_that_moves_several_amounts_has_a_row_for_each(played):
    moves = [Posting("credits", "a", "b", 1, "entry"), Posting("credits", "b", "c", 2, "entry")]
    undone = ActionUndone(ActionId(UUID(int=1)), 1, 2, "asked", "x", ActionId(UUID(int=2)), reversals=moves)
    last = played.records[-1]
    found = statement_rows([structs.replace(last, event=undone), last])
    assert [(row.nth, row.keys) for row in found] == [
        (0, ("account:a", "account:b", "currency:credits")),
        (1, ("account:b", "account:c", "currency:credits")),
        (0, ("account:world:patron", "account:crew", "currency:scrip")),
    ]


def test_an_entry_is_told_with_who_made_it_when_and_in_their_words(played):
    _, rent, _ = rows(played)
    [record] = [each for each in played.records if each.seq == rent.seq]
    assert entry(rent, played.name, "rent for the berth", 60) == LedgerEntry(
        seq=rent.seq,
        action_id=record.action_id,
        at="1970-01-06T00:00:00.000000Z",
        game_time=0,
        actor=person("ana"),
        actor_name="Ana",
        debit="crew",
        credit="world:dock",
        currency="credits",
        amount=30,
        reason="entry",
        note="rent for the berth",
        balance=60,
    )


def test_what_no_member_did_has_no_name(played):
    [row] = statement_rows([structs.replace(played.records[-1], actor=None)])
    told = entry(row, played.name, None)
    assert (told.actor, told.actor_name, told.note, told.balance) == (None, None, None, None)


def test_a_running_balance_is_kept_for_each_currency_and_goes_on_over_pages(played):
    running: Counter[str] = Counter()
    advance, rent, tip = rows(played)
    first = balances_after([advance, rent], "crew", running)
    assert first == {(advance.seq, 0): 90, (rent.seq, 0): 60}
    assert balances_after([tip], "crew", running) == {(tip.seq, 0): 5}
    assert running == {"credits": 60, "scrip": 5}
    docks = balances_after([advance, rent, tip], "world:dock", Counter())
    assert [*docks.values()] == [0, 30, 0]


def test_accounts_are_listed_by_id_with_their_currencies_and_what_they_are_called(played):
    chart = [{"account": "crew", "title": "The kitty"}]
    played.do("ana", SetSetting("campaign.chart", chart))
    assert account_balances(played.state, played.name) == [
        AccountBalance("crew", "The kitty", "crew", "credits", 60),
        AccountBalance("crew", "The kitty", "crew", "scrip", 5),
        AccountBalance("world:dock", "Dock", "world", "credits", 30),
        AccountBalance("world:patron", "Patron", "world", "credits", -90),
        AccountBalance("world:patron", "Patron", "world", "scrip", -5),
    ]


def test_what_a_hand_sets_aside_is_listed_with_its_names_and_who_has_to_agree(played):
    [held] = played.do("ana", structs.replace(RENT, pending=True))
    assert pending_entries(played.state, played.name) == [
        PendingView(
            entry=held.entry_id,
            currency="credits",
            amount=30,
            debit="crew",
            debit_name="The crew",
            credit="world:dock",
            credit_name="Dock",
            held_by=person("ana"),
            consent=None,
        )
    ]


def test_what_the_rules_set_aside_is_listed_by_what_it_is_for():
    played = CampaignPlayed("freefall")
    permanents: Any = {"body": 12, "mind": 8, "ghost": 6}
    [kai] = played.do("ben", freefall.CreateCharacter(name="Kai", permanents=permanents, class_="Runner"))
    for choice in (freefall.Choice("A"), freefall.Choice("B", slot=1)):
        played.do("ana", freefall.ReceiveHarm(harm_type="psychic", levels=1, character=kai.character))
        played.do("ben", freefall.ReceiveHarm(choices=[choice]))
    [started] = played.do("ana", freefall.StartTreatment(slot=1, method="clinic", due=86_400, price=300))
    [view] = pending_entries(played.state, played.name)
    assert (view.entry, view.amount, view.currency) == (started.treatment_id, 300, "credits")
    assert (view.debit, view.held_by, view.consent) == ("crew", None, None)
    assert view.credit == "world:treatment"
    assert (view.debit_name, view.credit_name) == ("The crew", "Treatments")


def test_words_of_their_own_stand_with_entries_by_hand_only(played):
    held = EntryPending("entry-1", "credits", "crew", "world:dock", 30, "an operation", person("ana"))
    posted = PendingPosted("entry-1", "credits", "crew", "world:dock", 30)
    last = played.records[-1]
    by_hand = [is_by_hand(statement_rows([structs.replace(last, event=each)])[0]) for each in (held, posted)]
    assert by_hand == [True, False]
    assert is_by_hand(rows(played)[0])
    assert [note_of(each) for each in (held, posted, last.event)] == ["an operation", None, "a tip"]
