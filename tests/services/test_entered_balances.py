"""What somebody has of the campaign's own currencies enters play with them, in every rule system (issue 20)."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table
from tests.services.secret_table import SecretTable

PAIRING = {"attack": "agility", "defense": "strength", "detection": "intellect", "movement": "will"}
CORES = {"physical": "d8", "mental": "d8", "social": "d8", "resolve": "d8"}
ATTRIBUTES = {"body": 8, "mind": 8, "ghost": 8}

MADE: dict[str, tuple[str, str, dict[str, Any]]] = {
    "frame_state": ("create_pilot", "pilot_id", {}),
    "freefall": ("create_character", "character", {"permanents": ATTRIBUTES, "class": "Runner"}),
    "angst": ("create_character", "character", {"kind": "gmc", "cores": CORES}),
    "mobile_frame": ("register_loadout", "frame", {"notation": "WWBGYRdRd", "owner": "Raiders"}),
    "overdrive": (
        "create_character",
        "character_id",
        {"stats": {"agility": 2, "strength": 2, "intellect": 2, "will": 2}, "pairing": PAIRING},
    ),
}
"""How somebody comes to be in every system: the command, the field of the event with their id, what it takes."""


class Mole:
    """Somebody hidden, in whose purse the GM has put nine gold pieces in secret."""

    def __init__(self, table: Table, system: str) -> None:
        self.table = SecretTable(table, system, "table")
        command, field, fields = MADE[system]
        if system == "frame_state":
            self.table.do(table.gm, "define_catalogue", preset="playtest1.2")
        created = self.table.hide(command, name="The mole", **fields)
        self.subject: str = created["events"][0][field]
        self.created: str = created["action_id"]
        self.account = f"purse:{self.subject}"
        self.paid = self.pay(9, "gm")

    def pay(self, amount: int, visibility: str = "all", **accounts: str) -> str:
        """An entry by hand; its action."""
        fields = {"debit": "world:bribes", "credit": self.account, **accounts}
        answer = self.table.do(
            self.table.gm,
            "campaign.post_entry",
            visibility=visibility,
            currency="gold",
            amount=amount,
            reason="bribe",
            **fields,
        )
        return str(answer["action_id"])

    def enter(self) -> Any:
        return self.table.do(self.table.gm, "campaign.enter_play", subject=self.subject)

    def is_in_play(self) -> bool:
        """Whether there is nothing more of them to tell."""
        refusal = self.table.refusal(self.table.gm, "campaign.enter_play", subject=self.subject)
        return str(refusal["code"]) == "not_hidden"

    def gold(self, who: Person) -> int | None:
        """What somebody reads that they have; the books are right, and say why."""
        ledger = who.get(f"{self.table.path}/ledger/accounts").json()
        assert set(ledger["trial_balance"].values()) <= {0}
        assert ledger["drift"] == []
        held = {each["account"]: each["balance"] for each in ledger["accounts"] if each["currency"] == "gold"}
        if self.account in held:
            path = f"{self.table.path}/ledger/accounts/{self.account}/why"
            why = who.get(path, params={"currency": "gold"}).json()
            assert (why["value"], why["moves"][-1]["after"]) == (held[self.account],) * 2
            query = {"account": self.account, "limit": 500}
            entries = who.get(f"{self.table.path}/ledger/entries", params=query).json()["entries"]
            assert entries[-1]["balance"] == held[self.account]
        return held.get(self.account)

    @property
    def as_read(self) -> tuple[int | None, int | None]:
        """What GM and player read."""
        return self.gold(self.table.gm), self.gold(self.table.player)


@pytest.fixture(params=[*MADE])
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
    """The player's balance went right in silence, and their statement kept the old one (issue 20)."""
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


def brought_along(mole: Mole, system: str) -> str:
    """A hidden machine of theirs."""
    match system:
        case "frame_state":
            made = mole.table.hide("create_unit", name="Kite", kind="frame", pilot=mole.subject)
            return str(made["events"][0]["frame_id"])
        case "overdrive":
            made = mole.table.hide("create_mech", name="Kite", character=mole.subject, pairing=PAIRING)
            return str(made["events"][0]["mech_id"])
        case _:
            made = mole.table.hide("create_machine", name="Kite", frm=2, sys=2)
            machine = str(made["events"][0]["machine"])
            mole.table.hide("board_machine", machine=machine, character=mole.subject)
            return machine


@pytest.mark.parametrize("system", ["frame_state", "freefall", "overdrive"])
def test_what_a_machine_has_enters_with_whoever_brings_it_along(table, system):
    """A frame came along with its pilot, and its purse stayed where it was (issue 20)."""
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
