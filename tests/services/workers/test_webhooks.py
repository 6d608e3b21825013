"""Webhooks: what is sent, signed and in order, to a server that answers late, wrongly or not at all."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from litestar.testing import TestClient

from domain.ids import CampaignId
from infra.web.web_sender import HttpWebSender
from services.settings import Settings
from services.workers.webhook_worker import WebhookWorker
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import NO_RATES, Table, table_at
from tests.services.workers.receiver import Receiver, hang_up, receiving

OWN_MACHINE = ("127.0.0.0/8",)
EVERYTHING = ["actions", "waiting", "sessions", "scenes", "dates"]
DAY = 86_400_000_000


class Service(NamedTuple):
    table: Table
    receiver: Receiver
    database: DatabaseUrls
    application: Any
    send: Callable[[], None]
    """What a worker does in a round, until it comes to rest."""

    def make(self, kinds: list[str], form: str = "json", address: str = "") -> Any:
        body = {"url": address or self.receiver.address, "kinds": kinds, "form": form}
        answer = self.table.gm.post(f"{self.table.path}/webhooks", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    def note(self, text: str, **more: Any) -> Any:
        body = {"command": {"type": "campaign.add_note", "text": text}, **more}
        answer = self.table.gm.post(f"{self.table.path}/actions", body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    @property
    def shown(self) -> Any:
        [webhook] = self.table.gm.get(f"{self.table.path}/webhooks").json()["webhooks"]
        return webhook

    def pass_time(self, microseconds: int) -> None:
        """Let so much time pass for the webhooks of the database."""
        with psycopg.connect(self.database.owner, autocommit=True) as owner:
            owner.execute(
                "UPDATE webhooks SET due_at = due_at - %s, failing_since = failing_since - %s",
                (microseconds, microseconds),
            )


@pytest.fixture
def service(database: DatabaseUrls) -> Iterator[Service]:
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        webhook_networks=OWN_MACHINE,
        **NO_RATES,
    )
    with an_application(settings) as app, TestClient(app) as client, receiving() as receiver:
        application = app.state.application
        with client.portal() as portal:
            worker = WebhookWorker(application, HttpWebSender(OWN_MACHINE))
            yield Service(table_at(client), receiver, database, application, lambda: portal.call(worker.once))


def lines(received: list[Any]) -> list[str]:
    return [line for item in received for line in item["action"]["summary"]]


def test_what_happens_is_sent_signed_and_once_it_is_confirmed_not_again(service):
    made = service.make(["actions"])
    service.note("Rain.")
    service.note("Snow.")
    service.send()
    [message] = service.receiver.came
    assert message.is_signed_with(made["secret"])
    assert not message.is_signed_with("whsec_" + "A" * 44)
    assert message.json["campaign"] == "Iron Rain"
    assert [item["kind"] for item in message.json["news"]] == ["actions"] * 2
    assert ["Rain." in line for line in lines(message.json["news"])] == [True, False]
    assert service.shown["state"] == "waiting"
    service.send()
    assert len(service.receiver.came) == 1
    service.note("Hail.")
    service.send()
    assert len(service.receiver.came) == 2
    assert service.receiver.came[1].headers["webhook-id"] != message.headers["webhook-id"]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (500, "http_500"),
        ((302, {"Location": "http://127.0.0.1:1/"}), "http_302"),
        ((429, {"Retry-After": "120"}), "http_429"),
        (hang_up, "broken_answer"),
    ],
)
def test_a_message_that_was_not_confirmed_comes_again_with_the_same_id_and_nothing_overtakes_it(
    service, answer, fault
):
    service.make(["actions"])
    service.note("Rain.")
    service.receiver.answers = [answer, 503]
    service.send()
    shown = service.shown
    assert (shown["state"], shown["error"]) == ("failing", fault)
    assert shown["detail"]
    service.note("Snow.")
    service.send()
    assert len(service.receiver.came) == 1, "it is left alone for a moment"
    service.pass_time(60_000_000 if fault != "http_429" else 119_000_000)
    service.send()
    assert len(service.receiver.came) == (1 if fault == "http_429" else 2), "and as long as it asks for"
    for _ in range(3):
        service.pass_time(600_000_000)
        service.send()
    assert service.shown["state"] == "waiting"
    ids = [each.headers["webhook-id"] for each in service.receiver.came]
    assert len(set(ids[:-1])) == 1
    assert ids[-1] != ids[0]
    assert ["Snow." in line for line in lines(service.receiver.came[-1].json["news"])] == [True]
    items = [item["id"] for item in service.receiver.news]
    assert len(set(items)) == 2


def test_pauses_grow_and_after_a_day_it_is_parked_until_a_gm_tries_again(service):
    made = service.make(["actions"])
    service.note("Rain.")
    service.receiver.otherwise = lambda: 500
    pauses = []
    for _ in range(4):
        service.send()
        with psycopg.connect(service.database.owner) as owner:
            query = "SELECT due_at - (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint FROM webhooks"
            [(pause,)] = owner.execute(query).fetchall()
        pauses.append(pause / 1_000_000)
        service.pass_time(60_000_000)
    assert [round(pause) for pause in pauses] == [2, 4, 8, 16]
    service.pass_time(DAY)
    service.send()
    assert service.shown["state"] == "parked"
    came = len(service.receiver.came)
    service.pass_time(DAY)
    service.note("Snow.")
    service.send()
    assert len(service.receiver.came) == came
    service.receiver.otherwise = lambda: 204
    path = f"{service.table.path}/webhooks/{made['webhook']['webhook_id']}"
    assert service.table.gm.post(f"{path}/retry").status_code == 200
    service.send()
    assert len({item["id"] for item in service.receiver.news}) == 2
    assert service.shown["state"] == "waiting"
    assert service.table.gm.send("DELETE", path).status_code == 204
    service.note("Hail.")
    service.send()
    assert "Hail." not in str(service.receiver.news)


@pytest.mark.parametrize(("form", "status"), [("json", 410), ("discord", 404)])
def test_a_receiver_that_is_gone_is_given_up_at_once(service, form, status):
    service.make(["actions"], form)
    service.note("Rain.")
    service.receiver.answers = [status]
    service.send()
    assert (service.shown["state"], service.shown["error"]) == ("parked", f"http_{status}")


def test_nothing_that_a_member_may_not_read_is_sent_and_a_reveal_is_sent_when_it_comes(service):
    service.make(EVERYTHING)
    hidden = service.note("The Duke is dead.", visibility="gm")
    service.note("Only for Mara: run.", visibility=f"account:{service.table.player.account_id}")
    service.note("Rain.")
    service.send()
    sent = str(service.receiver.news)
    assert "Rain." in sent
    assert "Duke" not in sent
    assert "run" not in sent
    service.table.act(service.table.gm, "campaign.reveal_action", action_id=hidden["action_id"])
    service.send()
    assert "The Duke is dead." in str(service.receiver.news)


def test_a_text_that_was_erased_before_it_was_delivered_is_not_delivered_and_what_was_undone_says_so(service):
    service.make(["actions"])
    erased = service.note("My secret name.")
    undone = service.note("Rain.")
    service.receiver.answers = [hang_up]
    service.send()
    assert "My secret name." in str(service.receiver.news)
    texts = f"{service.table.path}/actions/{erased['action_id']}/texts"
    assert service.table.gm.send("DELETE", texts).json()["texts"] > 0
    assert service.table.gm.post(f"{service.table.path}/actions/{undone['action_id']}/undo", {}).status_code == 201
    service.receiver.came.clear()
    service.pass_time(60_000_000)
    service.send()
    news = service.receiver.news
    assert "My secret name." not in str(news)
    assert [item["action"].get("undone_in") is not None for item in news] == [False, True, False, False]


def test_sessions_scenes_dates_and_what_is_waited_for_are_told_as_they_come(service):
    service.make(["sessions", "scenes", "dates", "waiting"])
    table = service.table
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Vex")
    table.act(table.gm, "campaign.start_session", title="The dam")
    table.act(table.gm, "campaign.start_scene", name="At the gate")
    service.note("It opens.")
    table.act(table.gm, "campaign.end_scene")
    table.act(table.gm, "campaign.propose_dates", dates=["2031-01-04T19:00Z"])
    table.act(table.gm, "campaign.end_session")
    service.send()
    news = service.receiver.news
    assert [item["kind"] for item in news] == ["sessions", "scenes", "scenes", "dates", "sessions", "waiting"]
    assert news[0]["session"] == {"change": "began", "number": 1, "title": "The dam"} | {"recap": None}
    assert news[2]["scene"]["title"] == "At the gate"
    assert "It opens." in str(news[2]["scene"]["lines"])
    assert news[3]["next_session"]["dates"][0]["date"] == "2031-01-04T19:00Z"
    assert "It opens." in news[4]["session"]["recap"]["text"]
    assert {each["waits_for_name"] for each in news[5]["waiting"]} == {"Ana", "Mara"}
    table.act(table.player, "campaign.answer_dates", yes=["2031-01-04T19:00Z"])
    service.send()
    assert [each["waits_for_name"] for each in service.receiver.news[-1]["waiting"]] == ["Ana"]


def test_discord_is_told_in_short_messages_without_mentions_and_with_names_as_they_are(service):
    service.make(EVERYTHING, "discord")
    table = service.table
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="# *1.* [x](https://e) @everyone")
    for _ in range(120):
        service.note("Rain falls on the harbour. " * 4)
    service.send()
    messages = [each.json for each in service.receiver.came]
    assert len(messages) > 5
    assert all(len(message["content"]) <= 2_000 for message in messages)
    assert all(message["allowed_mentions"] == {"parse": []} for message in messages)
    assert r"\# \*1\.\* \[x\]\(https\://e\) \@everyone" in messages[0]["content"]
    text = "\n".join(message["content"] for message in messages)
    assert text.count("Rain falls on the harbour") == 480
    assert "webhook-signature" not in service.receiver.came[0].headers


def test_a_long_recap_comes_whole_and_once_to_a_receiver_that_takes_five_at_a_time(service):
    service.make(["scenes"], "discord")
    table = service.table
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Vex")
    table.act(table.gm, "campaign.start_session", title="The dam")
    table.act(table.gm, "campaign.start_scene", name="At the gate")
    for nth in range(48):
        service.note(f"Note {nth} is here: " + "Rain falls on the harbour. " * 60)
    table.act(table.gm, "campaign.end_scene")
    taken: list[int] = []
    windows = [5] * 30

    def answer() -> Any:
        if windows[0] == 0:
            windows.pop(0)
            taken.append(429)
            return 429, {"Retry-After": "2"}
        windows[0] -= 1
        taken.append(204)
        return 204

    service.receiver.otherwise = answer
    for _ in range(30):
        service.send()
        with psycopg.connect(service.database.owner) as owner:
            [(attempts,)] = owner.execute("SELECT attempts FROM webhooks").fetchall()
        assert attempts <= 1, "each time some of it arrives"
        service.pass_time(4_000_000)
    assert service.shown["state"] == "waiting"
    assert taken.count(429) >= 2
    confirmed = [each.body for each, status in zip(service.receiver.came, taken, strict=True) if status == 204]
    assert len(confirmed) == len(set(confirmed))
    text = b" ".join(confirmed).decode()
    places = [text.find(f"Note {nth} is") for nth in range(48)]
    assert -1 not in places
    assert places == sorted(places)
    assert [text.count(f"Note {nth} is") for nth in range(48)] == [1] * 48


def test_a_webhook_ends_when_its_maker_is_no_gm_any_more(service):
    service.make(["actions"])
    table = service.table
    service.note("Rain.")
    service.send()
    assert "Rain." in str(service.receiver.news)
    handed = table.gm.post(f"{table.path}/handover", {"account": table.player.account_id})
    assert handed.status_code == 200
    listed = table.player.get(f"{table.path}/webhooks").json()["webhooks"]
    assert [(each["state"], each["error"]) for each in listed] == [("parked", "maker_left")]
    came = len(service.receiver.came)
    table.act(table.player, "campaign.add_note", text="Snow.")
    service.send()
    retry = f"{table.path}/webhooks/{listed[0]['webhook_id']}/retry"
    assert table.player.post(retry).json()["state"] == "parked"
    service.send()
    assert len(service.receiver.came) == came
    role = f"{table.path}/members/{table.gm.account_id}"
    assert table.player.send("PATCH", role, json={"role": "gm"}).status_code == 200
    service.send()
    assert len(service.receiver.came) == came, "it stays so until a GM tries it again"
    assert table.player.post(retry).json()["state"] == "sending"
    service.send()
    assert "Snow." in str(service.receiver.news)


def test_a_key_that_comes_twice_makes_one_webhook(service):
    path = f"{service.table.path}/webhooks"
    body = {"url": service.receiver.address, "kinds": ["actions"]}
    headers = {"Idempotency-Key": "one"}
    first, second = (service.table.gm.send("POST", path, json=body, headers=headers) for _ in range(2))
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json()["secret"] == second.json()["secret"]
    assert first.json()["webhook"]["webhook_id"] == service.shown["webhook_id"]
    other = service.table.gm.send("POST", path, json={**body, "kinds": ["dates"]}, headers=headers)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


def test_an_action_that_is_hidden_and_revealed_before_it_is_sent_is_told_once(service):
    service.make(["actions"])
    hidden = service.note("The Duke is dead.", visibility="gm")
    service.table.act(service.table.gm, "campaign.reveal_action", action_id=hidden["action_id"])
    service.send()
    ids = [item["id"] for item in service.receiver.news]
    assert len(ids) == len(set(ids))
    assert [item["action"]["action_id"] for item in service.receiver.news].count(hidden["action_id"]) == 1


def test_an_archived_or_deleted_campaign_sends_nothing_and_goes_on_when_it_is_taken_up_again(service):
    service.make(["actions"])
    service.note("Rain.")
    path = service.table.path
    assert service.table.gm.post(f"{path}/archive").status_code in (200, 201, 204)
    service.send()
    assert service.receiver.came == []
    assert service.table.gm.post(f"{path}/unarchive").status_code in (200, 201, 204)
    service.pass_time(120_000_000)
    service.send()
    assert "Rain." in str(service.receiver.news)
    came = len(service.receiver.came)
    service.note("Snow.")
    assert service.table.gm.send("DELETE", path, json={"name": "Iron Rain"}).status_code == 200
    service.send()
    assert len(service.receiver.came) == came


def test_only_gms_have_webhooks_and_an_address_has_to_be_a_whole_one(service):
    path = f"{service.table.path}/webhooks"
    body = {"url": service.receiver.address, "kinds": ["actions"]}
    refused = service.table.player.post(path, body)
    assert (refused.status_code, refused.json()["code"]) == (403, "gm_only")
    for url in ("ftp://example.org", "https://", "https://a:b@example.org/", "https://exa mple.org", "nonsense"):
        refused = service.table.gm.post(path, {**body, "url": url})
        assert (refused.status_code, refused.json()["code"]) == (422, "webhook_address_unusable"), url
    made = service.make(["actions"], address="https://[2606:4700::1111]:8443/hook")
    assert made["webhook"]["host"] == "[2606:4700::1111]:8443"
    for _ in range(9):
        service.make(["actions"])
    refused = service.table.gm.post(path, body)
    assert (refused.status_code, refused.json()["code"]) == (422, "too_many_webhooks")
    listed = service.table.gm.get(path).text
    assert "/hook" not in listed
    assert "whsec_" not in listed


def test_nothing_of_an_address_or_a_secret_lies_open_in_the_database(service):
    made = service.make(["actions"])
    with psycopg.connect(service.database.owner) as owner:
        [row] = owner.execute("SELECT * FROM webhooks").fetchall()
    assert made["secret"].encode() not in bytes(row[5])
    assert b"/hook" not in bytes(row[5])
    campaign = CampaignId(UUID(service.table.campaign_id))
    assert all(part not in str(row) for part in ("/hook", "whsec_")), campaign
