"""Somebody hidden who has money, in every rule system."""

from typing import Any

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
        self.table = SecretTable(table, system)
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
