"""Treatments and repairs of FREE/FALL over HTTP: finished on their day, once, and paid for through the ledger."""

import asyncio
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.workers.projector import Projector
from services.workers.timer_worker import TimerWorker
from tests.services.conftest import Table

DAY = 86_400


class Clinic(Table):
    """A campaign with somebody who needs mending: a permanent harm in slot 1, and a broken deck."""

    def __init__(self, table: Table) -> None:
        founded = table.gm.post("/campaigns", {"name": "Saltgate", "systems": ["freefall"]}).json()
        super().__init__(table.gm, table.player, founded["campaign_id"])
        permanents = {"body": 12, "mind": 8, "ghost": 6}
        made = self.act(
            self.gm, "freefall.create_character", name="Wren", permanents=permanents, **{"class": "Spectre"}
        )
        self.wren: str = made["events"][0]["character"]
        deck = {"name": "Cracked deck", "binding": {"mind": 2}}
        self.deck: str = self.act(self.gm, "freefall.add_gear", item=deck)["events"][0]["item"]
        self.act(self.gm, "freefall.equip", item=self.deck)
        choices = [{"option": "A"}, {"option": "B", "slot": 1}, {"option": "C", "item": self.deck}]
        self.act(self.gm, "freefall.receive_harm", harm_type="psychic", levels=3, choices=choices)
        self.act(self.gm, "freefall.award_credits", amount=500, reason="A job")

    def agree(self) -> None:
        self.act(self.gm, "freefall.start_treatment", slot=1, method="Clinic", due=5 * DAY, price=300)
        self.act(self.gm, "freefall.start_repair", item=self.deck, fixer="Bess", due=3 * DAY, price=40)

    def advance(self, days: int) -> None:
        self.act(self.gm, "campaign.advance_calendar", by={"days": days})

    def sheet(self) -> Any:
        return self.gm.get(f"{self.path}/sheets/{self.wren}").json()["sheet"]

    def finished(self) -> list[tuple[str, int, Any]]:
        """What was finished: which kind, on which day, by whom."""
        actions = self.gm.get(f"{self.path}/actions", params={"limit": 500}).json()["actions"]
        kinds = ("freefall.permanent_harm_removed", "freefall.gear_repaired")
        return [
            (kind, each["game_time"] // DAY, each["actor"])
            for each in actions
            for kind in each["events"]
            if kind in kinds
        ]

    def balances(self) -> dict[str, int]:
        accounts = self.gm.get(f"{self.path}/ledger/accounts").json()["accounts"]
        return {each["name"]: each["balance"] for each in accounts}

    def reasons(self) -> list[str]:
        entries = self.gm.get(f"{self.path}/ledger/entries").json()["entries"]
        return [each["reason"] for each in entries]

    def work(self, workers: int) -> None:
        """Workers that all look at the same time."""
        application = self.gm.client.app.state.application  # type: ignore[attr-defined]

        async def all_at_once() -> None:
            firing = [TimerWorker(application.timers, application.handler).once() for _ in range(workers)]
            catching_up = [
                Projector(application.log, application.views, application.handler).campaign(
                    CampaignId(UUID(self.campaign_id))
                )
                for _ in range(workers)
            ]
            await asyncio.gather(*firing, *catching_up)

        with self.gm.client.portal() as portal:  # type: ignore[attr-defined]
            portal.call(all_at_once)


@pytest.fixture
def clinic(table: Table) -> Clinic:
    return Clinic(table)


BOTH = [("freefall.gear_repaired", 3, None), ("freefall.permanent_harm_removed", 5, None)]


def test_work_is_finished_on_its_day_and_once_whoever_looks(clinic):
    clinic.agree()
    clinic.advance(2)
    clinic.work(4)
    assert clinic.finished() == []
    clinic.advance(30)
    clinic.work(4)
    clinic.work(4)
    assert clinic.finished() == BOTH
    sheet = clinic.sheet()
    assert sheet["slots"] == [None, None, None]
    assert (sheet["gear"][clinic.deck]["state"], sheet["treatments"], sheet["repairs"]) == ("functional", [], [])


def test_seven_single_days_give_what_seven_days_give(clinic, table):
    clinic.agree()
    for _ in range(7):
        clinic.advance(1)
    other = Clinic(table)
    other.agree()
    other.advance(7)
    assert clinic.finished() == other.finished() == BOTH


def test_what_waits_for_a_part_is_not_finished_by_the_calendar(clinic):
    repair = {"item": clinic.deck, "fixer": "Bess", "due": 3 * DAY, "parts": ["a bus"]}
    clinic.act(clinic.gm, "freefall.start_repair", **repair)
    clinic.advance(9)
    clinic.work(2)
    assert clinic.finished() == []
    refused = clinic.refused(clinic.gm, "freefall.complete_repair", item=clinic.deck)
    assert refused == (422, "requirements_missing")
    clinic.act(clinic.gm, "freefall.record_requirement", action="a bus")
    assert [day for _, day, _ in clinic.finished()] == [9]
    clinic.work(2)
    assert len(clinic.finished()) == 1


def test_work_that_is_due_when_it_is_agreed_is_finished_at_once(clinic):
    clinic.advance(4)
    clinic.act(clinic.gm, "freefall.start_repair", item=clinic.deck, fixer="Bess", due=2 * DAY)
    clinic.work(1)
    assert len(clinic.finished()) == 1
    assert clinic.sheet()["gear"][clinic.deck]["state"] == "functional"


def test_a_price_is_set_aside_when_agreed_and_paid_when_the_work_is_done(clinic):
    clinic.agree()
    agreed = clinic.balances()
    assert agreed["The crew"] == 160
    assert (agreed["Clinic"], agreed["Cracked deck"]) == (300, 40)
    clinic.advance(3)
    assert clinic.balances().items() >= {"The crew": 160, "Cracked deck": 0, "Repairs": 40}.items()
    clinic.advance(3)
    assert clinic.balances().items() >= {"The crew": 160, "Clinic": 0, "Treatments": 300}.items()
    assert sum(clinic.balances().values()) == 0
    assert clinic.reasons() == ["award", "treatment_agreed", "repair_agreed", "repair", "treatment"]


def test_what_was_agreed_in_secret_is_finished_in_secret(clinic):
    """And gear that all can see is repaired openly: the table went on seeing it broken."""
    code = clinic.gm.post(f"{clinic.path}/invites", {"role": "player"}).json()["code"]
    assert clinic.player.post(f"/invites/{code}/accept").status_code == 201

    def hide(command: str, **fields: Any) -> Any:
        body = {"command": {"type": f"freefall.{command}", **fields}, "visibility": "gm"}
        return clinic.gm.post(f"{clinic.path}/actions", body)

    work = {"fixer": "Bess", "due": 3 * DAY, "price": 40}
    refused = hide("start_repair", item=clinic.deck, **work)
    assert (refused.status_code, refused.json()["code"]) == (422, "subject_is_open")
    gear = {"name": "Mirror coat", "binding": {"mind": 1}}
    coat = hide("add_gear", item=gear).json()["events"][0]["item"]
    hide("equip", item=coat)
    harm = {"harm_type": "psychic", "levels": 1, "choices": [{"option": "C", "item": coat}]}
    hurt = hide("receive_harm", **harm)
    assert hurt.status_code == 201, hurt.text
    for how in ("cancel_repair", "complete_repair"):
        started = hide("start_repair", item=coat, **work)
        assert started.status_code == 201, started.text
        if how == "cancel_repair":
            assert hide(how, item=coat).status_code == 201
    clinic.advance(4)
    assert len(clinic.finished()) == 1
    for page in ("actions", "events", f"sheets/{clinic.wren}", "ledger/entries"):
        read = clinic.player.get(f"{clinic.path}/{page}").text
        assert "gear_repaired" not in read, page
        assert "Bess" not in read, page
    assert clinic.sheet()["gear"][coat]["state"] == "functional"


def test_a_cancelled_price_goes_back_to_the_crew_and_nothing_is_done(clinic):
    clinic.agree()
    clinic.act(clinic.gm, "freefall.cancel_treatment")
    clinic.act(clinic.gm, "freefall.cancel_repair")
    assert clinic.balances()["The crew"] == 500
    clinic.advance(9)
    clinic.work(2)
    assert clinic.finished() == []
    assert clinic.reasons()[-2:] == ["treatment_cancelled", "repair_cancelled"]


def test_a_price_is_pending_from_when_it_is_agreed_until_the_work_is_done_or_called_off(table):
    clinic = Clinic(table)

    def pending() -> list[tuple[int, str, str]]:
        shown = clinic.gm.get(f"{clinic.path}/ledger/accounts").json()["pending"]
        return [(each["amount"], each["debit"], each["credit"]) for each in shown]

    clinic.agree()
    assert pending() == [(300, "crew", "world:treatment"), (40, "crew", "world:repair")]
    clinic.act(clinic.gm, "freefall.cancel_treatment")
    assert pending() == [(40, "crew", "world:repair")]
    clinic.advance(3)
    assert pending() == []
