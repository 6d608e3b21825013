"""What somebody has of the campaign's own currencies enters play with them, in every rule system."""

import pytest

from tests.sampling import slow_but
from tests.services.conftest import Table
from tests.services.moles import MADE, Mole, brought_along


@pytest.fixture(params=slow_but(MADE, "frame_state", "freefall"))
def mole(table: Table, request: pytest.FixtureRequest) -> Mole:
    return Mole(table, request.param)


def test_what_they_have_of_the_campaigns_own_currency_enters_with_them(mole):
    assert mole.as_read == (9, None)
    entered = mole.enter()
    assert entered["events"][-1]["type"] == "campaign.balances_entered"
    assert entered["events"][-1]["balances"] == {mole.account: {"gold": 9}}
    assert mole.as_read == (9, 9)
    mole.pay(2)
    mole.pay(4, debit=mole.account, credit="world:tavern")
    assert mole.as_read == (7, 7)
    assert mole.is_in_play()


def test_what_was_paid_hidden_before_and_is_undone_is_told_once_more(mole):
    mole.enter()
    mole.pay(1)
    mole.table.undo(mole.paid)
    assert mole.as_read == (1, 1)
    mole.table.undo(mole.paid, "redo")
    assert mole.as_read == (10, 10)
    assert mole.is_in_play()


@pytest.mark.parametrize("revealed", ["before", "after", "in the end"])
def test_what_is_told_once_more_is_told_also_where_nothing_hidden_is_left(mole, revealed):
    """The player's balance went right in silence, and their statement kept the old one."""
    reveal = {"action_id": mole.created}
    if revealed == "before":
        mole.table.do(mole.table.gm, "campaign.reveal_action", **reveal)
    else:
        mole.enter()
    if revealed == "after":
        mole.table.do(mole.table.gm, "campaign.reveal_action", **reveal)
    mole.table.undo(mole.paid)
    if revealed == "in the end":
        mole.table.do(mole.table.gm, "campaign.reveal_action", **reveal)
    assert mole.as_read == (None, 0)
    mole.pay(2)
    assert mole.as_read == (2, 2)
    mole.table.undo(mole.paid, "redo")
    assert mole.as_read == (11, 11)


def test_what_is_paid_hidden_afterwards_stays_hidden_until_it_is_told_by_hand(mole):
    mole.enter()
    mole.pay(5, "gm")
    assert mole.as_read == (14, 9)
    mole.table.undo(mole.paid)
    assert mole.as_read == (5, 0)
    mole.enter()
    assert mole.as_read == (5, 5)
    mole.pay(5, "gm", debit=mole.account, credit="world:tavern")
    mole.enter()
    assert mole.as_read == (0, 0)
    assert mole.is_in_play()


def test_whoever_is_named_by_an_account_of_theirs_enters_play(mole):
    """An open entry of the ledger names them as any other command does."""
    mole.pay(2)
    assert mole.as_read == (11, 11)
    assert mole.is_in_play()


def test_why_goes_by_what_stands_also_where_it_was_undone_hidden(mole):
    """A player's fold leaves it out as the GM's does, and so does what explains it."""
    mole.enter()
    mole.table.do(mole.table.gm, "campaign.reveal_action", action_id=mole.created)
    mole.pay(2)
    mole.table.undo(mole.paid)
    path = f"{mole.table.path}/ledger/accounts/{mole.account}/why"
    for who in (mole.table.gm, mole.table.player):
        why = who.get(path, params={"currency": "gold"}).json()
        assert (why["value"], why["moves"][-1]["after"]) == (2, 2)


def test_a_reveal_of_all_that_was_hidden_changes_nothing_of_what_was_told(mole):
    mole.enter()
    for action in (mole.created, mole.paid):
        mole.table.do(mole.table.gm, "campaign.reveal_action", action_id=action)
        assert mole.as_read == (9, 9)
    assert mole.is_in_play()


@pytest.mark.parametrize("system", ["frame_state", "freefall", "overdrive"])
def test_what_a_machine_has_enters_with_whoever_brings_it_along(table, system):
    """A frame came along with its pilot, and its purse stayed where it was."""
    mole = Mole(table, system)
    thing = brought_along(mole, system)
    mole.account = f"purse:{thing}"
    mole.pay(3, "gm")
    paid = mole.pay(4, "gm")
    mole.enter()
    assert mole.as_read == (7, 7)
    mole.table.undo(paid)
    assert mole.as_read == (3, 3)
    mole.pay(2, "gm")
    mole.enter()
    assert mole.as_read == (5, 5)
    assert mole.is_in_play()
