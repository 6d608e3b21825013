"""GMs who hide, pay, show, undo, redo and reveal as it comes: everybody's books stay right.

Whatever was done, what somebody reads of a balance is the same on every page, and once all has been brought into
play by hand, players read the balances and sheets that the GM does.
"""

import os
from random import Random
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from services.workers.projector import Projector
from tests.sampling import slow_but
from tests.services.conftest import Person, Table
from tests.services.moles import MADE, Mole, brought_along

PLAYS = int(os.environ.get("FIELDLOG_PLAYS", "1"))
"""So many plays of every system; `.ci/release` has more."""

MOVES = 25
WITH_MACHINES = ("frame_state", "freefall", "overdrive")


class BadGm:
    """A GM with a mole, who acts at random."""

    def __init__(self, table: Table, system: str, nth: int) -> None:
        self.chance = Random(f"bad GM of {system} {nth}")  # noqa: S311 — the same play every time
        self.mole = Mole(table, system)
        self.table = self.mole.table
        machines = [brought_along(self.mole, system)] if system in WITH_MACHINES else []
        self.things = [self.mole.subject, *machines]
        self.actions = [self.mole.created, self.mole.paid]
        self.undone: list[str] = []
        self.done: list[str] = []

    def move(self) -> None:
        """One of all that a GM may do; what is refused is refused."""
        how = self.chance.choice(
            ["pay", "pay", "hide", "hide", "enter", "undo", "undo", "redo", "reveal", "reload"]
        )
        self.done.append(how)
        match how:
            case "pay" | "hide":
                self._pay("gm" if how == "hide" else "all")
            case "enter":
                self._ask("campaign.enter_play", subject=self.chance.choice(self.things))
            case "undo":
                self._rewrite(self.chance.choice(self.actions), "undo")
            case "redo" if self.undone:
                self._rewrite(self.undone.pop(), "redo")
            case "reveal":
                self._ask("campaign.reveal_action", action_id=self.chance.choice(self.actions))
            case "reload":
                self.reload()
            case _:
                pass

    def _pay(self, visibility: str) -> None:
        purse = f"purse:{self.chance.choice(self.things)}"
        debit, credit = self.chance.choice([("world:bank", purse), (purse, "world:bank")])
        fields = {"currency": "gold", "debit": debit, "credit": credit, "amount": self.chance.randint(1, 5)}
        answer = self._ask("campaign.post_entry", visibility, reason="luck", **fields)
        if answer.status_code == 201:
            self.actions.append(answer.json()["action_id"])

    def _ask(self, command: str, visibility: str = "all", **fields: Any) -> Any:
        body = {"command": {"type": command, **fields}, "visibility": visibility}
        answer = self.table.gm.post(f"{self.table.path}/actions", body)
        assert answer.status_code in (201, 404, 409, 422), answer.text
        return answer

    def _rewrite(self, action: str, how: str) -> None:
        answer = self.table.gm.post(f"{self.table.path}/actions/{action}/{how}", {})
        assert answer.status_code in (201, 409, 422), answer.text
        if how == "undo" and answer.status_code == 201:
            self.undone.append(action)

    def reload(self) -> None:
        """Views are stored, and the campaign leaves the memory."""
        campaign = CampaignId(UUID(self.table.campaign_id))
        application = self.table.gm.client.app.state.application  # type: ignore[attr-defined]
        call = self.table.gm.client.blocking_portal.call  # type: ignore[attr-defined]
        call(Projector(application.log, application.views, application.handler).campaign, campaign)
        assert call(stale_audiences, application.log, application.views, campaign) == [], self.done
        application.cache.evict(campaign)
        application.campaigns.folds.evict(campaign)

    def books(self, who: Person, path: str | None = None) -> dict[str, int]:
        """What somebody reads of the gold of every purse, on every page."""
        path = path or self.table.path
        ledger = who.get(f"{path}/ledger/accounts").json()
        assert set(ledger["trial_balance"].values()) <= {0}, self.done
        assert ledger["drift"] == [], self.done
        held = {each["account"]: each["balance"] for each in ledger["accounts"] if each["currency"] == "gold"}
        held = {account: balance for account, balance in held.items() if account.startswith("purse:")}
        for account, balance in held.items():
            why = who.get(f"{path}/ledger/accounts/{account}/why", params={"currency": "gold"}).json()
            assert why["value"] == balance, (self.done, account, why)
            query = {"account": account, "limit": 500}
            entries = who.get(f"{path}/ledger/entries", params=query).json()["entries"]
            assert entries[-1]["balance"] == balance, (self.done, account, entries)
        return held

    def sheets(self, who: Person) -> dict[str, Any]:
        roster = who.get(f"{self.table.path}/sheets").json()["sheets"]
        paths = {each["character"]: f"{self.table.path}/sheets/{each['character']}" for each in roster}
        return {each: who.get(path).json().get("sheet") for each, path in paths.items()}

    def show_all(self) -> set[str]:
        """Everything there is comes into play, as it is; the purses of what is gone, which nobody can bring in."""
        gone = set()
        for thing in self.things:
            self._ask("campaign.enter_play", subject=thing)
            if self._ask("campaign.enter_play", subject=thing).status_code == 404:
                gone.add(f"purse:{thing}")
        return gone


def played(table: Table, system: str, nth: int) -> BadGm:
    """A play whose every move leaves the books right, and in the end everybody with what the GM reads."""
    bad = BadGm(table, system, nth)
    for _ in range(MOVES):
        bad.move()
        for who in (table.gm, table.player):
            bad.books(who)
    gone = bad.show_all()
    gms, players = (
        {name: each for name, each in bad.books(who).items() if each and name not in gone}
        for who in (table.gm, table.player)
    )
    assert gms == players, bad.done
    assert bad.sheets(table.gm) == bad.sheets(table.player), bad.done
    return bad


@pytest.mark.parametrize("system", slow_but(MADE, "frame_state"))
@pytest.mark.parametrize("nth", range(PLAYS))
def test_books_are_right_whatever_a_gm_does_and_in_the_end_all_read_the_same(table, system, nth):
    bad = played(table, system, nth)
    forked = table.gm.post(f"{bad.table.path}/fork", {}).json()["campaign_id"]
    code = table.gm.post(f"/campaigns/{forked}/invites", {"role": "player"}).json()["code"]
    assert table.player.post(f"/invites/{code}/accept").status_code == 201
    assert bad.books(table.player, f"/campaigns/{forked}") == bad.books(table.player)


@pytest.mark.slow
def test_a_purse_that_is_not_told_of_is_found_out(table, monkeypatch):
    """Negative control: nobody is told what those have who enter play."""
    monkeypatch.setattr("domain.campaign.secrecy.entrance._balances", lambda *_: [])
    with pytest.raises(AssertionError):
        played(table, "angst", 0)
