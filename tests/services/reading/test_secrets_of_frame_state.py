"""Scenes with secrets at a table of Frame State, each as its GM reads it and as a player who does not know."""

import json
import re
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.workers.projector import Projector
from tests.services.campaign_keeping import joined
from tests.services.conftest import Person, Table, whole

PAGES = (
    "",
    "/actions",
    "/events",
    "/sheets",
    "/recap",
    "/statistics",
    "/ledger/entries",
    "/ledger/accounts",
    "/export",
)
BOARDS = ("/boards", "/boards/frame_state/mission", "/timers")
WHOLE: dict[str, Any] = {"limit": 500}
TEST = {"test_type": "proactive", "dice": [{"die": "d6"}]}


def numbers(read: str) -> list[str]:
    """Every number that stands by itself: digits within a hash, an id or the microseconds of a time are none."""
    return re.findall(r"\b\d+\b", read)


class Company(Table):
    """Mara and Ben each fly a pilot of their own; Vane is the GM's alone."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.gm, table.player, table.campaign_id)
        self.mara, self.ben = table.player, joined(self, "Ben")
        self.act(self.gm, "frame_state.define_catalogue", preset="playtest1.2")
        self.pilots = {who.name: self.created(who) for who in (self.mara, self.ben)}
        self.vane: str = self.ask(self.gm, "frame_state.create_pilot", name="Vane")["events"][0]["pilot_id"]
        self.heron: str = self.ask(
            self.gm, "frame_state.create_unit", kind="frame", name="Heron", pilot=self.vane
        )["events"][0]["frame_id"]

    def created(self, who: Person) -> str:
        pilot: str = self.act(who, "frame_state.create_pilot", name=f"{who.name}'s")["events"][0]["pilot_id"]
        return pilot

    def ask(self, who: Person, command: str, *, visibility: str = "gm", rolled: Any = None, **fields: Any) -> Any:
        """Act so that only some may read it; the answer."""
        body = {"command": {"type": command, **fields}, "visibility": visibility, "dice": rolled}
        answer = who.post(f"{self.path}/actions", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def follow(self) -> None:
        """What is owed is done."""
        application = self.gm.client.app.state.application  # type: ignore[attr-defined]
        follower = Projector(application.log, application.views, application.handler)
        self.gm.client.blocking_portal.call(follower.campaign, CampaignId(UUID(self.campaign_id)))  # type: ignore[attr-defined]

    def rewrite(self, told: Any, how: str) -> None:
        answer = self.gm.post(f"{self.path}/actions/{told['action_id']}/{how}", {})
        assert answer.status_code == 201, answer.text

    def read(self, who: Person) -> str:
        answers = [who.get(self.path + page, params=whole(page)) for page in (*PAGES, *BOARDS)]
        refused = {each.json()["code"] for each in answers if each.status_code != 200}
        assert refused <= {"session_not_found"}, "every page is one"
        return "".join(each.text for each in answers)

    def told(self, who: Person) -> list[str]:
        actions = who.get(f"{self.path}/actions", params=WHOLE).json()["actions"]
        return [line for each in actions for line in each["summary"]]

    def names(self, who: Person) -> list[str]:
        return [each["name"] for each in who.get(f"{self.path}/sheets").json()["sheets"]]

    def sheet(self, who: Person, pilot: str) -> Any:
        return who.get(f"{self.path}/sheets/{pilot}").json()["sheet"]

    def money(self, who: Person) -> dict[str, int]:
        return {name: self.sheet(who, pilot)["currency"] for name, pilot in self.pilots.items()}

    def pending(self, who: Person) -> list[str]:
        return [each["kind"] for each in who.get(self.path).json()["pending"]]

    def books(self, who: Person) -> Any:
        """Where the books are not right."""
        return who.get(f"{self.path}/ledger/accounts").json()["drift"], who.get(self.path).json()["alarms"]


@pytest.fixture
def company(table: Table) -> Company:
    return Company(table)


def test_a_pilot_that_is_named_openly_is_seen_from_then_on_as_they_are(company):
    company.ask(company.gm, "frame_state.award_currency", pilot=company.vane, amount=70, reason="blood money")
    told = company.act(company.gm, "frame_state.award_currency", pilot=company.vane, amount=30, reason="toll")
    assert [each["type"] for each in told["events"]] == [
        "frame_state.pilot_entered",
        "frame_state.currency_awarded",
    ]
    assert company.names(company.ben) == ["Ben's", "Mara's", "Vane"]
    for who in (company.gm, company.ben):
        sheet = company.sheet(who, company.vane)
        assert sheet["currency"] == 200
        assert sheet["frames"][0]["name"] == "Heron"
        assert company.books(who) == ([], [])
    assert "blood money" not in company.read(company.ben)
    company.rewrite(told, "undo")
    assert company.names(company.ben) == ["Ben's", "Mara's", "Vane"], "who was seen stays seen"
    assert [company.sheet(who, company.vane)["currency"] for who in (company.gm, company.ben)] == [170, 170]
    company.rewrite(told, "redo")
    assert company.sheet(company.ben, company.vane) == company.sheet(company.gm, company.vane)


def test_everybody_goes_on_a_mission_but_who_is_hidden(company):
    night = company.ask(company.gm, "frame_state.start_mission", name="Quiet water", pilots=[company.vane])
    started = company.act(company.gm, "frame_state.start_mission", name="The Long Tow")
    assert sorted(started["events"][0]["pilots"]) == sorted(company.pilots.values())
    company.ask(company.gm, "frame_state.conclude_mission", mission_id=night["events"][0]["mission_id"])
    earlier = company.act(company.gm, "campaign.add_note", text="a slip")
    company.rewrite(earlier, "undo")
    assert "stands, though" not in json.dumps(company.told(company.gm)), "no undo points the mission out"
    read = company.read(company.ben)
    assert "The Long Tow" in read
    for secret in (company.vane, company.heron, "Vane", "Heron", "Quiet water"):
        assert secret not in read


def test_a_mission_of_one_player_is_paid_before_nobody_but_them(company):
    mara = f"account:{company.mara.account_id}"
    pilot = company.pilots["Mara"]
    started = company.ask(
        company.gm, "frame_state.start_mission", visibility=mara, name="For the Widow", pilots=[pilot]
    )
    mission = started["events"][0]["mission_id"]
    company.ask(
        company.gm, "frame_state.conclude_mission", visibility=mara, mission_id=mission, payouts={pilot: 700}
    )
    company.ask(company.gm, "frame_state.award_currency", pilot=pilot, amount=4321, reason="she does not know")
    company.follow()
    for who, held in ((company.gm, 5121), (company.mara, 800), (company.ben, 100)):
        assert company.money(who) == {"Mara": held, "Ben": 100}
        assert company.books(who) == ([], [])
        assert ("For the Widow" in company.read(who)) == (who is not company.ben)
    assert mission not in company.read(company.ben)
    assert "5121" in numbers(company.read(company.gm))
    assert "5121" not in numbers(company.read(company.mara)), "the payout is told as she knows her purse"


def test_a_secret_payment_between_two_pilots_is_read_by_these_two_and_the_gm(company):
    purse = {name: f"pilot:{pilot}" for name, pilot in company.pilots.items()}
    ollie = joined(company, "Ollie")
    offer = {"currency": "credits", "debit": purse["Mara"], "credit": purse["Ben"], "amount": 40}
    offered = company.ask(
        company.mara, "campaign.offer_transfer", visibility=f"account:{company.ben.account_id}",
        reason="for your silence", **offer,
    )  # fmt: skip
    entry = offered["events"][0]["entry_id"]
    assert company.pending(company.ben) == ["post_pending"]
    assert company.pending(ollie) == []
    agreed = company.ask(
        company.ben, "campaign.post_pending", visibility=f"account:{company.mara.account_id}", entry=entry
    )
    for who in (company.gm, company.mara, company.ben):
        assert company.money(who) == {"Mara": 60, "Ben": 140}
        assert "for your silence" in company.read(who)
    assert company.money(ollie) == {"Mara": 100, "Ben": 100}
    read = company.read(ollie)
    for secret in ("for your silence", entry, "transfer", "currency_moved"):
        assert secret not in read
    company.act(company.gm, "frame_state.award_currency", pilot=company.pilots["Ben"], amount=5, reason="luck")
    assert [company.money(who)["Ben"] for who in (company.gm, ollie)] == [145, 105]
    assert all(company.books(who) == ([], []) for who in (company.gm, company.mara, company.ben, ollie))
    company.rewrite(agreed, "undo")
    assert [company.money(who)["Ben"] for who in (company.gm, ollie)] == [105, 105]
    company.rewrite(agreed, "redo")
    assert [company.money(who)["Ben"] for who in (company.gm, ollie)] == [145, 105]


def test_a_blind_roll_is_read_by_gms_alone_and_by_its_player_last_of_all(company):
    asked = {"notation": "d20", "label": "does she believe him?", "character": company.pilots["Mara"]}
    rolled = company.ask(company.mara, "campaign.roll", visibility="blind", rolled=[[20, 17]], **asked)
    assert rolled["events"] == [] or rolled["events"][0]["type"] == "campaign.hidden"
    for who in (company.mara, company.ben):
        assert "does she believe him?" not in company.read(who)
        assert company.pending(who) == []
    [seen] = [
        each
        for each in company.gm.get(f"{company.path}/events", params=WHOLE).json()["events"]
        if each["type"] == "campaign.dice_rolled"
    ]
    assert seen["total"] == 17


def test_a_look_around_for_a_players_pilot_is_read_by_gms_alone(company):
    before = company.told(company.ben).count("Something happened that you cannot see")
    asked = {"notation": "2d6", "label": "does he hear the winch?", "character": company.pilots["Ben"]}
    company.ask(company.gm, "campaign.roll", rolled=[[6, 3], [6, 4]], **asked)
    assert company.told(company.ben).count("Something happened that you cannot see") == before + 1
    assert "winch" not in company.read(company.ben)
    assert "winch" in company.read(company.gm)
    assert company.pending(company.ben) == []


def test_a_test_of_something_hidden_is_rolled_and_leaves_nothing_behind(company):
    company.act(company.gm, "campaign.set_setting", key="frame_state.handler_rolls", value=True)
    npc = company.ask(company.gm, "frame_state.create_unit", kind="npc", name="The winch man")
    unit = npc["events"][0]["unit_id"]
    called = company.ask(company.gm, "frame_state.call_test", mark=5, pilot=unit, **TEST)
    test = called["events"][0]["test_id"]
    assert company.pending(company.ben) == []
    assert company.refused(company.gm, "frame_state.roll_test", test_id=test) == (422, "rests_on_hidden")
    for page in ("", "/boards/frame_state/mission"):
        read = company.gm.get(f"{company.path}{page}").json()
        [waiting] = read["waits_for" if page else "pending"]
        assert (waiting["kind"], waiting["hidden"]) == ("roll_test", True), (
            "it says that it has to be asked hidden"
        )
    company.ask(company.gm, "frame_state.roll_test", test_id=test, rolled=[[6, 6]])
    assert company.pending(company.gm) == []
    for secret in (unit, test, "The winch man"):
        assert secret not in company.read(company.ben)
    told = company.act(company.gm, "frame_state.call_test", mark=5, pilot=unit, **TEST)
    assert told["events"][0]["type"] == "frame_state.unit_entered"
    rolled = company.act(company.gm, "frame_state.roll_test", rolled=[[6, 2]])
    assert [company.pending(who) for who in (company.gm, company.ben)] == [[], []]
    company.rewrite(rolled, "undo")
    assert company.pending(company.ben) == ["roll_test"]
    assert "The winch man came into play" in company.told(company.ben)
    company.rewrite(rolled, "redo")
    assert company.pending(company.ben) == []


@pytest.mark.parametrize("method", ["roll", "avg"])
def test_an_open_test_is_decided_as_things_are_and_waits_for_nobody_afterwards(company, method):
    pilot = company.pilots["Mara"]
    company.ask(company.gm, "frame_state.install_experimental", pilot=pilot, attribute="sharpness", value=3)
    test = {"test_type": "proactive", "dice": [{"attribute": "sharpness"}], "method": method}
    company.act(company.mara, "frame_state.allocate_point", category="skills", attribute="sharpness")
    company.act(company.gm, "frame_state.call_test", mark=4, pilot=pilot, **test)
    rolled = company.act(company.mara, "frame_state.roll_test", rolled=[[6, 2]] if method == "roll" else None)
    [resolved] = rolled["events"]
    assert resolved["score"] == (2 + 3 if method == "roll" else 4 + 3)
    assert [company.pending(who) for who in (company.gm, company.mara, company.ben)] == [[], [], []]
    company.rewrite(rolled, "undo")
    company.rewrite(rolled, "redo")
    assert company.pending(company.ben) == []


def test_a_frame_that_was_hidden_is_seen_once_it_is_lost_before_everybody(company):
    pilot = company.pilots["Ben"]
    made = company.ask(company.gm, "frame_state.create_unit", kind="frame", name="Tern", pilot=pilot)
    frame = made["events"][0]["frame_id"]
    assert company.sheet(company.ben, pilot)["frames"] == []
    assert frame not in company.read(company.ben)
    lost = company.act(company.gm, "frame_state.lose_frame", frame=frame, cause="salt in the seals")
    assert [each["type"] for each in lost["events"]] == ["frame_state.frame_entered", "frame_state.frame_lost"]
    assert "Tern came into play" in company.told(company.ben)
    company.rewrite(lost, "undo")
    for who in (company.gm, company.ben):
        assert [each["status"] for each in company.sheet(who, pilot)["frames"]] == ["active"]
        assert company.books(who) == ([], [])
    company.rewrite(lost, "redo")
    assert company.sheet(company.ben, pilot) == company.sheet(company.gm, pilot)


def test_a_consequence_told_openly_is_of_the_last_test_that_the_table_knows(company):
    """Issue 20: left out, it meant the hidden roll that came later, and was refused."""
    company.act(company.gm, "campaign.set_setting", key="frame_state.handler_rolls", value=True)
    rolled = []
    for who, pilot, seen_by in ((company.ben, company.pilots["Ben"], "all"), (company.gm, company.vane, "gm")):
        company.ask(company.gm, "frame_state.call_test", mark=5, pilot=pilot, visibility=seen_by, **TEST)
        told = company.ask(who, "frame_state.roll_test", rolled=[[6, 6]], visibility=seen_by)
        rolled.append(told["events"][0]["test_id"])
    said = company.act(company.gm, "frame_state.narrate_consequence", consequence="The winch gives way")
    assert said["events"][0]["test_id"] == rolled[0]
    assert "The winch gives way" in company.read(company.ben)
    hush = company.ask(company.gm, "frame_state.narrate_consequence", consequence="She hears it")
    assert hush["events"][0]["test_id"] == rolled[1]
    assert rolled[1] not in company.read(company.ben)


def test_an_answer_that_would_bring_somebody_hidden_into_play_is_asked_hidden(company):
    company.ask(company.gm, "frame_state.lose_frame", frame=company.heron)
    company.ask(company.gm, "frame_state.create_unit", kind="frame", name="Shade", pilot=company.vane)
    [waiting] = company.gm.get(company.path).json()["pending"]
    assert (waiting["hidden"], waiting["answers"][0]["command"]["type"]) == (True, "frame_state.award_currency")
    command = waiting["answers"][0]["command"]
    company.ask(company.gm, command.pop("type"), **command)
    assert "Vane" not in company.read(company.ben)
