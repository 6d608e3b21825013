"""The founder of a campaign, whom other GMs cannot overrule, and the host who hands a campaign over."""

from typing import Any
from uuid import UUID

import pytest

from domain.campaign.lifecycle.deletion_request import DAY_MICROSECONDS, require_deletable
from domain.campaign.messages.deletion_request import DELETION_WAITS_DAYS
from domain.campaign.state import AskedDeletion, CampaignState
from domain.ids import AccountId
from domain.rejection import Forbidden
from tests.services.campaign_keeping import delete, joined
from tests.services.conftest import Person, Table
from tests.services.verify_command import cli
from tests.web.browser import Browser


@pytest.fixture
def second(table: Table) -> Person:
    """Another GM of Ana's campaign."""
    return joined(table, "Sam", "gm")


def founder_of(table: Table, who: Person) -> list[str]:
    return [each["name"] for each in who.get(f"{table.path}/members").json()["members"] if each["founder"]]


def deletes(table: Table, who: Person) -> tuple[int, str | None]:
    answer = who.send("DELETE", table.path, json={"name": table.gm.get(table.path).json()["name"]})
    return answer.status_code, answer.json().get("code")


def member(table: Table, person: Person) -> str:
    return f"{table.path}/members/{person.account_id}"


def test_another_gm_neither_demotes_nor_removes_the_founder(table, second):
    assert founder_of(table, second) == ["Ana"]
    for method, body in (("PATCH", {"role": "player"}), ("DELETE", None)):
        refused = second.send(method, member(table, table.gm), json=body)
        assert (refused.status_code, refused.json()["code"]) == (403, "founder_stays")
    assert second.send("PATCH", member(table, table.player), json={"role": "observer"}).status_code == 200
    assert table.gm.send("DELETE", member(table, second)).status_code == 204


def test_the_founders_place_goes_along_when_the_campaign_is_handed_over(table, second):
    body = {"account": second.account_id, "stay_as": "gm"}
    assert table.gm.post(f"{table.path}/handover", body).status_code == 200
    assert founder_of(table, table.gm) == ["Sam"]
    assert table.gm.send("DELETE", member(table, second)).json()["code"] == "founder_stays"
    assert second.send("DELETE", member(table, table.gm)).status_code == 204


def test_once_the_founder_has_left_the_others_may_act(table, second):
    assert table.gm.send("DELETE", member(table, table.gm)).status_code == 204
    assert founder_of(table, second) == []
    assert second.send("DELETE", table.path, json={"name": "Iron Rain"}).status_code == 200


def test_a_deletion_by_another_gm_waits_for_the_founders_word(table, second):
    assert deletes(table, second) == (403, "founder_decides")
    assert table.refused(table.gm, "campaign.ask_deletion") == (422, "yours_to_delete")
    assert table.refused(table.player, "campaign.ask_deletion") == (403, "gm_only")
    table.act(second, "campaign.ask_deletion")
    assert deletes(table, second) == (403, "founder_decides")
    [waits] = table.gm.get(f"{table.path}/commands").json()["waiting"]
    assert "Sam asks to delete the campaign" in waits["sentence"]
    assert waits["waits_for"] == table.gm.account_id
    third = joined(table, "Kim", "gm")
    assert table.refused(third, "campaign.decline_deletion") == (403, "founder_decides")
    table.act(table.gm, "campaign.decline_deletion", reason="We go on.")
    assert table.refused(table.gm, "campaign.decline_deletion") == (404, "no_deletion_asked")
    table.act(second, "campaign.ask_deletion")
    assert delete(table).status_code == 200, "the founder's word is their own deletion"


def test_a_deletion_waits_where_it_can_be_read_in_an_archived_campaign_too(table, second):
    assert table.gm.post(f"{table.path}/archive").status_code in (200, 201)
    assert table.gm.get(f"{table.path}/commands").json()["waiting"] == []
    table.act(second, "campaign.ask_deletion")
    [waits] = table.gm.get(f"{table.path}/commands").json()["waiting"]
    assert "Sam asks to delete the campaign" in waits["sentence"]
    table.act(table.gm, "campaign.decline_deletion", reason="We go on.")
    assert table.gm.get(f"{table.path}/commands").json()["waiting"] == []


def test_after_fourteen_days_without_a_word_the_campaign_may_be_deleted():
    ana, sam = AccountId(UUID(int=1)), AccountId(UUID(int=2))
    state = CampaignState(founder=ana, deletion=AskedDeletion(sam, 0))
    waited = DELETION_WAITS_DAYS * DAY_MICROSECONDS
    with pytest.raises(Forbidden, match="1 more day"):
        require_deletable(state, sam, waited - 1)
    require_deletable(state, sam, waited)
    require_deletable(CampaignState(), sam, 0)


def test_the_pages_say_who_is_the_founder_and_ask_for_their_word(client, table, second):
    home = f"/c/{table.campaign_id}"
    browser = Browser(client).sign_in("Sam")
    read = browser.get(f"{home}/members").text
    assert ">founder<" in read
    assert f"{table.gm.account_id}/remove" not in read
    assert "a deletion waits for the founder" in read
    assert "Ask for the deletion" in browser.get(f"{home}/delete").text
    browser.post(f"{home}/delete")
    [waits] = table.gm.get(f"{table.path}/commands").json()["waiting"]
    assert "Sam asks to delete the campaign" in waits["sentence"]
    assert "Ana founded it" not in browser.get(f"{home}/delete").text
    refused = browser.post(f"{home}/delete", name="Iron Rain")
    assert refused.status_code == 422
    assert "14 more days" in refused.text


def test_the_host_hands_a_campaign_over_whose_gm_never_comes_back(client, database, table):
    ran: Any = cli(database, "campaign", "hand-over", table.campaign_id, "Mara")
    assert ran.returncode == 0, ran.stderr
    assert founder_of(table, table.player) == ["Mara"]
    assert table.player.send("DELETE", member(table, table.gm)).status_code == 204
    assert "campaign hand-over" in cli(database, "audit").stdout
    Person(client, "Noor")
    assert "unknown_member" in cli(database, "campaign", "hand-over", table.campaign_id, "Noor").stderr
