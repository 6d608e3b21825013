"""The page of webhooks: made there, with a secret that is shown once, tried again, deleted, and for GMs alone."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.web.browser import Browser, errors_of
from tests.web.html_page import Element, page_of

ADDRESS = "https://hooks.example/secret-path"


@pytest.fixture
def gm(table: Table, client: Any) -> Browser:
    return Browser(client).sign_in(table.gm.name)


def made(gm: Browser, path: str, **form: Any) -> tuple[int, Element]:
    answer = gm.post(path, **{"url": ADDRESS, "form": "json", "kinds": ["sessions", "dates"], **form})
    return answer.status_code, page_of(answer.text)


def test_a_secret_is_shown_once_and_of_an_address_the_host_alone(table, gm):
    path = f"/c/{table.campaign_id}/webhooks"
    assert "Nobody elsewhere" in gm.page(path).text
    status, page = made(gm, path)
    assert status == 200
    assert page.one("input", id="secret").attributes["value"].startswith("whsec_")
    later = gm.get(path).text
    assert "hooks.example" in later
    assert "secret-path" not in later
    assert "whsec_" not in later
    assert "play sessions, dates" in page_of(later).text


def test_a_form_that_is_sent_twice_makes_one_webhook_and_the_page_names_its_maker(table, gm):
    path = f"/c/{table.campaign_id}/webhooks"
    key = gm.page(path).one("input", name="key").attributes["value"]
    secrets = [made(gm, path, key=key)[1].one("input", id="secret").attributes["value"] for _ in range(2)]
    assert secrets[0] == secrets[1]
    assert len(table.gm.get(f"{table.path}/webhooks").json()["webhooks"]) == 1
    assert f"made by {table.gm.name}" in gm.page(path).text
    assert made(gm, path, key=gm.page(path).one("input", name="key").attributes["value"])[0] == 200
    assert len(table.gm.get(f"{table.path}/webhooks").json()["webhooks"]) == 2


def test_a_webhook_whose_maker_leads_no_more_is_only_deleted(table, gm, client):
    path = f"/c/{table.campaign_id}/webhooks"
    made(gm, path)
    assert table.gm.post(f"{table.path}/handover", {"account": table.player.account_id}).status_code == 200
    page = Browser(client).sign_in(table.player.name).page(path)
    assert "Its maker is not a GM any more" in page.text
    assert "Try again" not in page.text
    assert "Delete it, and make another one" in page.text


def test_a_channel_of_discord_has_no_secret_to_keep(table, gm):
    _, page = made(gm, f"/c/{table.campaign_id}/webhooks", form="discord")
    assert page.all("input", id="secret") == []
    assert "Discord is told what happens from now on." in page.text


@pytest.mark.parametrize("form", [{"url": "ftp://hooks.example"}, {"url": ""}, {"kinds": []}])
def test_a_fault_stands_beside_its_field_and_what_was_entered_stays(table, gm, form):
    status, page = made(gm, f"/c/{table.campaign_id}/webhooks", **form)
    assert status == 422
    assert len(errors_of(page)) == ("url" in form)
    assert ("Choose at least one." in page.text) == ("kinds" in form)
    assert page.one("input", id="url").attributes["value"] == form.get("url", ADDRESS)
    assert table.gm.get(f"{table.path}/webhooks").json()["webhooks"] == []


def test_a_webhook_is_deleted_by_one_button(table, gm):
    path = f"/c/{table.campaign_id}/webhooks"
    made(gm, path)
    [webhook] = table.gm.get(f"{table.path}/webhooks").json()["webhooks"]
    answer = gm.post(f"{path}/{webhook['webhook_id']}/delete")
    assert answer.status_code == 200 or answer.headers["location"].endswith("?deleted=yes")
    assert "nothing more is sent" in gm.page(f"{path}?deleted=yes").text
    assert table.gm.get(f"{table.path}/webhooks").json()["webhooks"] == []


def test_a_player_is_shown_no_webhooks_and_no_way_there(table, client):
    player = Browser(client).sign_in(table.player.name)
    assert player.get(f"/c/{table.campaign_id}/webhooks").status_code == 403
    assert "/webhooks" not in player.get(f"/c/{table.campaign_id}/settings").text
    assert "/webhooks" in Browser(client).sign_in(table.gm.name).get(f"/c/{table.campaign_id}/settings").text
