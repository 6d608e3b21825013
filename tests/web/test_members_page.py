"""`/c/{campaign}/members`, and the steps that end a membership or a campaign, each said beforehand."""

from typing import Any
from uuid import uuid4

import pytest
from litestar.testing import TestClient

from tests.services.conftest import Person, Table, table_at
from tests.services.transfers import brought, export, played_at
from tests.web.browser import Browser
from tests.web.html_page import Element, page_of
from tests.web.reader import filled


@pytest.fixture
def table(client: TestClient[Any]) -> Table:
    """A Frame State campaign with its GM, Ana, and one player, Mara."""
    return table_at(client)


def home_of(table: Table) -> str:
    return f"/c/{table.campaign_id}"


def roles(table: Table) -> dict[str, str]:
    return {each["name"]: each["role"] for each in table.gm.get(f"{table.path}/members").json()["members"]}


def listed(page: Element) -> list[str]:
    return [each.text for each in page.one("ul", class_="lines members").inside if each.tag == "li"]


def alert(page: Element) -> str:
    return page.one("p", role="alert").text


def test_members_are_listed_with_their_role_since_when_and_what_they_play(client, table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Ines Okafor")
    page = Browser(client).sign_in("Mara").page(f"{home_of(table)}/members")
    ana, mara = listed(page)
    assert "Game master" in ana
    assert "since" in ana
    assert "Mara (you)" in mara
    assert "Ines Okafor" in mara
    assert [each.attributes["href"] for each in page.one("ul", class_="lines members").all("a")] == [
        f"{home_of(table)}/leave"
    ]
    assert page.all("form") == []


def test_a_gm_changes_roles_and_the_last_gm_is_told_why_not(client, table):
    gm, path = Browser(client).sign_in("Ana"), f"{home_of(table)}/members"
    member = f"{path}/{table.player.account_id}/role"
    done = page_of(gm.post(member, role="observer").text)
    assert done.one("p", role="status").text == "The role is changed."
    assert roles(table) == {"Ana": "gm", "Mara": "observer"}
    refused = gm.post(f"{path}/{table.gm.account_id}/role", role="player")
    page = page_of(refused.text)
    assert refused.status_code == 422
    assert page.one("p", class_="error").text.startswith("A campaign needs a GM")
    [at_fault] = page.all("select", aria_invalid="true")
    assert at_fault.one("option", selected="").attributes["value"] == "player"
    assert gm.post(member, role="emperor").status_code == 422
    assert gm.post(f"{path}/nobody/role", role="gm").status_code == 404
    as_player = Browser(client).sign_in("Mara").post(member, role="gm")
    assert (as_player.status_code, roles(table)["Mara"]) == (422, "observer")


def test_a_gm_says_who_a_person_of_an_import_is_and_reads_before_what_that_gives(client, table):
    there = brought(table.gm, export(played_at(table), table.gm))
    gm, path = Browser(client).sign_in("Ana"), f"{home_of(there)}/members"
    code = there.gm.post(f"{there.path}/invites", {"role": "player"}).json()["code"]
    assert table.player.post(f"/invites/{code}/accept").status_code == 201
    _, mara = gm.page(path).one("section", aria_labelledby="people").all("li")
    assert "Theirs alone: what is hidden for them alone and the character Mara" in mara.text
    assert [each.text for each in mara.all("option")] == ["Choose …", "Ana", "Mara"]
    action = mara.one("form").attributes["action"]
    refused = gm.post(action, account="")
    assert (refused.status_code, page_of(refused.text).one("p", class_="error").text) == (422, "Choose a member.")
    assert Browser(client).sign_in("Mara").post(action, account=table.player.account_id).status_code == 422
    done = page_of(gm.post(action, account=table.player.account_id).text)
    assert done.one("p", role="status").text.startswith("What was theirs alone is the member's now.")
    assert [each.one("strong").text for each in done.one("section", aria_labelledby="people").all("li")] == ["Ana"]
    chronicle = Browser(client).sign_in("Mara").page(f"{home_of(there)}/chronicle").text
    assert "Mara, who came over with the import, is Mara" in chronicle
    assert gm.post(f"{home_of(there)}/people/nobody", account=table.player.account_id).status_code == 404
    assert "People of the import" not in Browser(client).sign_in("Mara").page(path).text
    assert "People of the import" not in gm.page(f"{home_of(table)}/members").text


def test_a_member_is_removed_after_a_page_that_says_what_it_means_and_invited_again(client, table):
    gm, mara = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara")
    path = f"{home_of(table)}/members/{table.player.account_id}/remove"
    page = gm.page(path)
    assert page.one("h1").text == "Remove Mara"
    assert "Mara comes back only by an invite" in page.text
    assert roles(table) == {"Ana": "gm", "Mara": "player"}
    assert page_of(mara.get(path).text).one("main").all("button") == []
    after = page_of(gm.post(path).text)
    assert after.one("p", role="status").text == "The member is removed."
    assert mara.get(home_of(table)).status_code == 404
    gm.post(f"{home_of(table)}/invites", account=after.one("input", name_="account").attributes["value"])
    mara.post(f"/join/{gm.at.rpartition('/')[2]}")
    assert mara.at == f"{home_of(table)}/table"
    mara.post(path)
    assert mara.at == "/?done=left", "who removes themselves reads where they are now"


def test_a_player_leaves_and_the_only_gm_hands_over_first(client, table):
    gm, path = Browser(client).sign_in("Ana"), home_of(table)
    stays = gm.page(f"{path}/leave")
    assert "A campaign needs a GM" in stays.text
    assert stays.one("main").all("button") == []
    assert alert(page_of(gm.post(f"{path}/leave").text)).startswith("A campaign needs a GM")
    succession = f"{path}/members/{table.player.account_id}/handover"
    assert "You stop being one" in gm.page(succession).text
    assert gm.post(succession, stay_as="gm").status_code == 422
    gm.post(succession, stay_as="observer")
    assert roles(table) == {"Ana": "observer", "Mara": "gm"}
    left = page_of(gm.post(f"{path}/leave").text)
    assert (gm.at, left.one("p", role="status").text) == ("/?done=left", "You have left the campaign.")
    alone = Browser(client).sign_in("Mara").page(f"{path}/leave")
    assert "You are the only member" in alone.text


def test_a_step_that_is_sent_twice_is_answered_alike_both_times(client, table):
    gm, mara, path = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara"), home_of(table)
    removal, leaving = f"{path}/members/{table.player.account_id}/remove", f"{path}/leave"
    assert gm.post(f"{path}/members/{uuid4()}/remove").status_code == 404
    for _ in range(2):
        assert page_of(gm.post(removal).text).one("p", role="status").text == "The member is removed."
        assert gm.at == f"{path}/members?changed=removed"
    for step in (leaving, removal):
        assert mara.post(step).status_code == 404, "another removed her"
    zoe = Person(client, "Zoë")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    assert zoe.post(f"/invites/{code}/accept").status_code == 201
    leaver = Browser(client).sign_in("Zoë")
    for step in (leaving, leaving, f"{path}/members/{zoe.account_id}/remove"):
        leaver.post(step)
        assert leaver.at == "/?done=left", step
    assert mara.post(f"{path}/members/{table.gm.account_id}/remove").status_code == 404
    assert mara.post(f"{path}/archive").status_code == 404

    stranger = Browser(client)
    Person(client, "Rae")
    stranger.sign_in("Rae")
    for step in ("leave", "delete", "archive"):
        assert stranger.post(f"{path}/{step}", name="Iron Rain").status_code == 404, step
    for _ in range(2):
        gone = page_of(gm.post(f"{path}/delete", name="Iron Rain").text)
        assert gone.one("p", role="status").text.startswith("The campaign is deleted.")
    assert stranger.post(f"{path}/delete", name="Iron Rain").status_code == 404


def test_a_campaign_that_is_handed_over_by_a_form_sent_twice_says_so_twice(client, table):
    gm, path = Browser(client).sign_in("Ana"), home_of(table)
    succession = f"{path}/members/{table.player.account_id}/handover"
    for _ in range(2):
        after = page_of(gm.post(succession, stay_as="player").text)
        assert after.one("p", role="status").text == "The campaign is handed over."
    assert gm.post(succession, stay_as="observer").status_code == 422


def test_two_clicks_on_the_form_of_an_invite_make_one(client, table):
    gm, path = Browser(client).sign_in("Ana"), home_of(table)

    def made() -> int:
        return len(table.gm.get(f"{table.path}/invites").json()["invites"])

    before = made()
    for page in (gm.page(path), gm.page(f"{path}/members")):
        ways_in = page.all("form", action=f"{path}/invites")
        (form,) = [filled(each) for each in ways_in if each.all("select", name="role")]
        ways = [gm.at for _ in range(2) if gm.post(f"{path}/invites", **form).status_code == 200]
        assert len(ways) == 2
        assert len(set(ways)) == 1
        gm.post(f"{path}/invites", **form | {"role": "observer"})
        assert gm.at not in ways, "another choice in the same form makes another invite"
    assert made() == before + 4


def test_a_campaign_rests_and_is_taken_up_again_by_its_pages(client, table):
    gm, mara, path = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara"), home_of(table)
    assert "Timers rest" in gm.page(f"{path}/archive").text
    assert "Only a game master" in mara.page(f"{path}/archive").text
    assert mara.post(f"{path}/archive").status_code == 422
    resting = page_of(gm.post(f"{path}/archive").text)
    assert "This campaign is archived since" in resting.text
    onwards = resting.one("a", class_="button first").attributes["href"]
    assert "A game master can take it up again." in mara.page(path).text
    assert mara.page(path).all("a", href=onwards) == []
    again = page_of(gm.post(onwards).text)
    assert gm.at == path
    assert "rchived" not in again.text
    assert table.gm.get(table.path).json()["archived"] is False


def test_a_campaign_is_deleted_by_its_name_and_restored_from_the_list(client, table):
    gm, path = Browser(client).sign_in("Ana"), home_of(table)
    wrong = gm.post(f"{path}/delete", name="Iron")
    page = page_of(wrong.text)
    assert (wrong.status_code, page.one("p", id="name-error").text) == (
        422,
        "This campaign is called Iron Rain: say that to delete it.",
    )
    assert page.one("input", id="name").attributes["value"] == "Iron"
    gone = page_of(gm.post(f"{path}/delete", name="Iron Rain").text)
    assert gm.get(path).status_code == 404
    assert "can be restored until" in gone.text
    [restore] = [each.attributes["href"] for each in gone.all("a") if "/restore/" in each.attributes["href"]]
    assert Browser(client).sign_in("Mara").get(restore).status_code == 404
    assert gm.page(restore).one("h1").text == "Restore “Iron Rain”"
    gm.post(restore)
    assert gm.at == path
    assert gm.get(restore).status_code == 404


def test_the_first_steps_of_an_empty_campaign_stand_beside_what_is_missing(client, table):
    gm, mara, path = Browser(client).sign_in("Ana"), Browser(client).sign_in("Mara"), home_of(table)
    do = f"{path}/do"
    for page in ("", "/sheets", "/table"):
        first = f"{do}/frame_state.define_catalogue?next={path}{page}"
        assert gm.page(f"{path}{page}").one("a", href=first).text == "Define the catalogue", page
        waiting = mara.page(f"{path}{page}")
        assert "the Handler defines or loads one first" in waiting.text, page
        assert waiting.one("a", href=do).text == "See what you can do", page
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    [maker] = gm.page(path).one("section", aria_labelledby="sheets").all("a")
    assert maker.attributes["href"] == f"{path}/build/frame_state?next={path}"
    assert gm.get(maker.attributes["href"]).status_code == 200
    rae = Person(client, "Rae")
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    rae.post(f"/invites/{code}/accept")
    assert Browser(client).sign_in("Rae").page(path).one("section", aria_labelledby="sheets").all("a") == []


def test_a_game_without_sheets_says_where_everything_is_and_begins_there(client):
    founder = Person(client, "Bo")
    campaign = founder.post("/campaigns", {"name": "Low Water", "systems": ["mobile_frame"]}).json()["campaign_id"]
    sheets = Browser(client).sign_in("Bo").page(f"/c/{campaign}/table").one("section", id="sheets")
    assert "everything stands on its board" in sheets.text
    [first] = sheets.all("a")
    assert first.attributes["href"] == f"/c/{campaign}/build/mobile_frame?next=/c/{campaign}/table"
