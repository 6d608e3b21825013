"""A row that somebody changed in the database is reported by the accountant's next round, on every page alike.

The rounds are half a minute apart, whether anything happens in the campaign or not.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import psycopg
import pytest
import structlog

from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import CampaignId
from services.workers import ledger_audit_worker as module
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.projector import Projector
from tests.changeable_events import let_events_be_changed
from tests.services.conftest import OPERATOR, Table


@pytest.fixture
def table(table: Table) -> Table:
    """A crew with 90 credits, of which some were posted twice, the second time by mistake."""
    move = {"currency": "credits", "debit": "world:patron", "credit": "crew", "amount": 90, "reason": "a job"}
    table.act(table.gm, "campaign.post_entry", **move, new=True)
    mistake = table.act(table.gm, "campaign.post_entry", **move)
    undone = table.gm.post(f"{table.path}/actions/{mistake['action_id']}/undo", {})
    assert undone.status_code == 201, undone.text
    return table


class Office:
    """A worker that follows one campaign, and its accountant."""

    def __init__(self, client: Any, table: Table) -> None:
        application = client.app.state.application
        self.client = client
        self.table = table
        self.campaign_id = CampaignId(UUID(table.campaign_id))
        self.catch_up = Projector(application.log, application.views, application.handler)
        self.accountant = LedgerAuditWorker(
            application.log, application.views, application.ledger_checks, application.entropy
        )

    def round(self) -> list[Any]:
        """What the accountant's next round tells its log."""
        with structlog.testing.capture_logs() as lines, self.client.portal() as portal:
            portal.call(self.catch_up.campaign, self.campaign_id)
            portal.call(self.accountant.once)
            portal.call(self.accountant.again)
        return [each for each in lines if each["event"].startswith("ledger")]

    def said(self) -> tuple[list[str], list[str], list[str], bool]:
        """The campaign's alarms, the sources of drift on the ledger's page, those last checked, and the metric."""
        books = self.table.gm.get(f"{self.table.path}/ledger/accounts").json()
        metrics = self.client.get("/metrics", headers=OPERATOR).text
        return (
            self.table.gm.get(self.table.path).json()["alarms"],
            [each["source"] for each in books["drift"]],
            [each["source"] for each in books["checked"]["drift"]],
            "fieldlog_ledgers_drifting 1.0" in metrics,
        )


@pytest.fixture
def office(client: Any, table: Table) -> Office:
    """The books are right, and were found right."""
    office = Office(client, table)
    assert office.round() == []
    assert office.said() == ([], [], [], False)
    return office


@contextmanager
def unguarded(database: Any) -> Iterator[Any]:
    """The superuser's hands, which no trigger and no policy holds."""
    with psycopg.connect(database.owner, autocommit=True) as owner:
        let_events_be_changed(owner)
        owner.execute("ALTER TABLE stored_folds NO FORCE ROW LEVEL SECURITY")
        owner.execute("ALTER TABLE events NO FORCE ROW LEVEL SECURITY")
        yield owner


def test_the_books_of_an_earlier_moment_show_no_later_check(office):
    table = office.table
    now = table.gm.get(f"{table.path}/ledger/accounts").json()
    then = table.gm.get(f"{table.path}/ledger/accounts", params={"at": now["as_of"] - 1}).json()
    assert now["checked"]["seq"] == now["as_of"]
    assert then["checked"] is None


@pytest.mark.one_database("Citus refuses the order that changes it")
def test_a_changed_event_of_a_quiet_campaign_is_reported_everywhere_and_told_once(office, database):
    with unguarded(database) as owner:
        changed = owner.execute(
            "UPDATE events SET body = convert_to(replace(convert_from(body, 'UTF8'), ':90,', ':900,'), 'UTF8') "
            "WHERE seq = (SELECT min(seq) FROM events WHERE kind = 'campaign.entry_posted')"
        )
        assert changed.rowcount == 1
    [told] = office.round()
    assert told.items() >= {"event": "ledger_drift", "log_level": "error", "accounts": 2}.items()
    assert office.said() == (
        [
            "The ledger says that crew holds 90 credits, and the log adds up to 900",
            "The ledger says that patron holds -90 credits, and the log adds up to -900",
        ],
        ["log", "log"],
        ["log", "log"],
        True,
    )
    players = office.table.player.get(office.table.path).json()
    assert players["alarms"] == [], "what only GMs may know"
    assert office.round() == [], "told once, as long as it stays the same"
    assert office.said()[-1]


def test_a_changed_view_of_a_quiet_campaign_is_reported_and_sound_again_once_it_is_folded_anew(office, database):
    with unguarded(database) as owner:
        [(content,)] = owner.execute("SELECT content FROM stored_folds WHERE audience = 'gm'").fetchall()
        state = decode_state(content)
        state.balances["crew"]["credits"] += 1
        owner.execute("UPDATE stored_folds SET content = %s WHERE audience = 'gm'", [encode_state(state)])
    assert [each["accounts"] for each in office.round()] == [2]
    alarms, ledger, checked, counted = office.said()
    assert sorted(alarms) == [
        "All accounts together hold 1 credits, and should hold nothing",
        "The ledger says that crew holds 91 credits, and the log adds up to 90",
    ]
    assert (ledger, checked, counted) == (["log", "trial balance"], ["log", "trial balance"], True)
    with office.client.portal() as portal:
        portal.call(office.client.app.state.application.views.invalidate, office.campaign_id)
    [told] = office.round()
    assert told.items() >= {"event": "ledger_drift", "log_level": "info", "accounts": 0}.items()
    assert office.said() == ([], [], [], False)


def test_what_cannot_be_read_in_one_campaign_is_told_and_does_not_stop_the_others(office, database):
    with unguarded(database) as owner:
        owner.execute("UPDATE events SET body = 'x' WHERE kind = 'campaign.entry_posted'")
    other = office.table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    with office.client.portal() as portal:
        portal.call(office.catch_up.campaign, CampaignId(UUID(other)))
    assert [each["event"] for each in office.round()] == ["ledger_unreadable"]
    checked = office.table.gm.get(f"/campaigns/{other}/ledger/accounts").json()["checked"]
    assert checked["drift"] == []


def test_rounds_go_on_where_the_last_one_stopped_and_pay_for_what_they_read_beyond_their_share(
    office, monkeypatch
):
    founded = [
        office.table.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
        for _ in range(3)
    ]
    with office.client.portal() as portal:
        for each in founded:
            portal.call(office.catch_up.campaign, CampaignId(UUID(each)))
        portal.call(office.accountant.once)
        monkeypatch.setattr(module, "EVENTS_OF_A_CHECK", 1_000)
        monkeypatch.setattr(module, "EVENTS_AGAIN_MAX", 500)
        accountant = LedgerAuditWorker(
            office.accountant._log, office.accountant._views, office.accountant._checks, office.accountant._entropy
        )
        rounds = [portal.call(accountant.again) for _ in range(20)]
    assert set(rounds) == {0, 1}
    assert sum(rounds) in range(6, 10), "each takes what two rounds may read, and a bit"


def test_a_round_comes_at_least_twice_a_minute():
    assert LedgerAuditWorker.again_seconds <= 30
