"""Calls: sent to a push service that answers late, wrongly or not at all, and read by nobody but their browser."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from time import time
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from cryptography.hazmat.primitives.serialization import PublicFormat
from litestar.testing import TestClient
from psycopg.types.json import Jsonb

from domain.ids import AccountId, CampaignId
from infra.web.web_sender import HttpWebSender
from services.settings import Settings
from services.workers.push_call_worker import CallWorker
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import NO_RATES, Person, Table, table_at
from tests.services.workers.push_service import PushBrowser, claims_of, push_service
from tests.services.workers.receiver import Receiver, hang_up

OWN_MACHINE = ("127.0.0.0/8",)
DAY = 86_400_000_000
ME = "/accounts/me/devices"


class Service(NamedTuple):
    table: Table
    receiver: Receiver
    browser: PushBrowser
    """The player's."""
    database: DatabaseUrls
    application: Any
    call: Callable[[], None]
    """What a worker does in a round, until it comes to rest."""
    present: Callable[..., AbstractContextManager[Any]]
    """Has an account have the table open."""

    def switch_on(self, who: Person, browser: PushBrowser, *, with_words: bool = False) -> Any:
        answer = who.send("PUT", ME, json={**browser.subscription, "with_words": with_words})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def wait_for_player(self) -> None:
        """Have the table wait for the player: they are asked for another date."""
        day = 1 + self.table.seq() % 28
        self.table.act(self.table.gm, "campaign.propose_dates", dates=[f"2031-01-{day:02}T19:00Z"])

    def answer(self) -> None:
        dates = self.table.gm.get(self.table.path).json()["next_session"]["dates"]
        self.table.act(self.table.player, "campaign.answer_dates", yes=[each["date"] for each in dates])

    def shown(self, who: Person | None = None) -> Any:
        [device] = (who or self.table.player).get(ME).json()["devices"]
        return device

    def pass_time(self, microseconds: int) -> None:
        """Let so much time pass for the devices of the database."""
        with psycopg.connect(self.database.owner, autocommit=True) as owner:
            owner.execute(
                "UPDATE account_devices SET due_at = due_at - %s, failing_since = failing_since - %s",
                (microseconds, microseconds),
            )

    def call_later(self) -> None:
        self.pass_time(60_000_000)
        self.call()


@pytest.fixture
def service(database: DatabaseUrls) -> Iterator[Service]:
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        webhook_networks=OWN_MACHINE,
        contact="host@example.org",
        **NO_RATES,
    )
    with an_application(settings) as app, TestClient(app) as client, push_service() as (receiver, browser):
        application = app.state.application
        with client.portal() as portal:
            worker = CallWorker(application, HttpWebSender(OWN_MACHINE))
            table = table_at(client)
            campaign = CampaignId(UUID(table.campaign_id))

            def present(who: Person, *, looks_elsewhere: bool = False) -> AbstractContextManager[Any]:
                account = AccountId(UUID(who.account_id))
                return portal.wrap_async_context_manager(
                    application.presence.feed_open(campaign, account, looks_elsewhere=looks_elsewhere)
                )

            yield Service(
                table, receiver, browser, database, application, lambda: portal.call(worker.once), present
            )


def test_a_call_is_encrypted_for_one_browser_signed_and_without_words(service):
    key = service.switch_on(service.table.player, service.browser)["public_key"]
    service.wait_for_player()
    service.call()
    [message] = service.browser.messages
    claims = claims_of(message, key)
    assert claims["sub"] == "mailto:host@example.org"
    assert time() < claims["exp"] <= time() + 86_400
    assert {name: message.headers[name] for name in ("ttl", "urgency")} == {"ttl": "21600", "urgency": "high"}
    assert len(message.headers["topic"]) == 32
    path = f"/c/{service.table.campaign_id}/table"
    [call] = service.browser.calls
    assert call == {"title": "Fieldlog", "text": "A table waits for you.", "path": path, "language": "en"}
    with pytest.raises(Exception, match="Decryption"):
        PushBrowser(service.receiver).decrypt(message)


def test_with_words_it_says_where_and_what_and_is_no_longer_for_that(service):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.call()
    device = service.shown()["device_id"]
    assert service.table.player.send("PATCH", f"{ME}/{device}", json={"with_words": True}).status_code == 204
    service.answer()
    service.wait_for_player()
    service.call_later()
    plain, wordy = service.browser.calls
    assert wordy["title"] == "Iron Rain"
    assert wordy["text"] == "Mara is asked when they can play next"
    assert [len(message.body) for message in service.browser.messages] == [
        len(service.browser.messages[0].body)
    ] * 2
    assert plain["path"] == wordy["path"]


def test_it_speaks_the_language_of_the_account(service):
    service.switch_on(service.table.player, service.browser, with_words=True)
    assert service.table.player.send("PATCH", "/accounts/me", json={"language": "fr"}).status_code == 204
    service.wait_for_player()
    service.call()
    [call] = service.browser.calls
    assert call["language"] == "fr"
    assert call["text"] != "Mara is asked when they can play next"


def test_once_until_something_new_waits(service):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.call()
    for text in ("Rain.", "Snow."):
        service.table.act(service.table.gm, "campaign.add_note", text=text)
        service.call_later()
    assert len(service.browser.calls) == 1
    service.answer()
    service.call_later()
    assert len(service.browser.calls) == 1, "nothing waits"
    service.wait_for_player()
    service.call_later()
    assert len(service.browser.calls) == 2
    assert len({message.headers["topic"] for message in service.browser.messages}) == 1


def test_what_waited_before_the_calls_began_is_not_called_for(service):
    service.wait_for_player()
    service.switch_on(service.table.player, service.browser)
    service.call()
    service.table.act(service.table.gm, "campaign.add_note", text="Rain.")
    service.call_later()
    assert service.browser.calls == []


def test_nobody_is_called_who_has_the_table_in_sight(service):
    service.switch_on(service.table.player, service.browser)
    with service.present(service.table.player):
        service.wait_for_player()
        service.call()
        service.call_later()
        assert service.browser.calls == []
    service.call_later()
    assert service.browser.calls == [], "they have seen it"
    service.answer()
    with service.present(service.table.player, looks_elsewhere=True):
        service.wait_for_player()
        service.call_later()
    assert len(service.browser.calls) == 1, "a window that is out of sight says nothing on a phone"


def test_who_leaves_at_the_moment_when_it_is_their_turn_is_called(service):
    service.switch_on(service.table.player, service.browser)
    with service.present(service.table.player):
        service.wait_for_player()
        service.call()
    service.call_later()
    assert len(service.browser.calls) == 1


def test_what_is_hidden_from_a_member_is_no_reason_to_call_them_and_in_no_call(service):
    table = service.table
    service.switch_on(table.player, service.browser, with_words=True)
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Vex")
    pilots = table.gm.get(f"{table.path}/sheets").json()
    pilot = next(each["character"] for each in pilots["sheets"])
    hidden = {
        "command": {
            "type": "frame_state.call_test",
            "test_type": "proactive",
            "mark": 5,
            "pilot": pilot,
            "dice": [{"attribute": "sharpness"}],
        },
        "visibility": "gm",
    }
    answer = table.gm.post(f"{table.path}/actions", hidden)
    assert answer.status_code == 201, answer.text
    service.call()
    assert service.browser.calls == []
    table.act(table.gm, "campaign.reveal_action", action_id=answer.json()["action_id"])
    service.call_later()
    assert ["Vex" in call["text"] for call in service.browser.calls] == [True], "the control: it waits since then"


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (500, "http_500"),
        ((429, {"Retry-After": "120"}), "http_429"),
        (hang_up, "broken_answer"),
        (403, "http_403"),
    ],
)
def test_a_call_that_was_not_taken_comes_again_later_and_later(service, answer, fault):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.receiver.answers = [answer, 503]
    service.call()
    shown = service.shown()
    assert (shown["state"], shown["error"]) == ("failing", fault)
    service.call()
    assert len(service.browser.messages) == 1, "it is left alone for a moment"
    service.pass_time(119_000_000)
    service.call()
    assert len(service.browser.messages) == (1 if fault == "http_429" else 2), "and as long as it asks for"
    for _ in range(3):
        service.call_later()
    assert service.shown()["state"] == "called"
    assert service.shown()["error"] is None
    count = len(service.browser.messages)
    service.call_later()
    assert len(service.browser.messages) == count == 3


def test_what_is_answered_before_a_call_was_taken_is_called_for_no_more(service):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.receiver.answers = [500]
    service.call()
    service.answer()
    service.call_later()
    assert len(service.browser.messages) == 1, "nothing waits any more"


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_takes_no_calls_any_more_is_forgotten(service, status):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.receiver.answers = [status]
    service.call()
    assert service.table.player.get(ME).json()["devices"] == []
    service.call_later()
    assert len(service.browser.messages) == 1


def test_after_a_day_it_is_parked_until_the_browser_is_made_again(service):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    service.receiver.otherwise = lambda: 500
    service.call()
    service.pass_time(DAY)
    service.call()
    assert service.shown()["state"] == "parked"
    service.pass_time(DAY)
    service.call()
    assert len(service.browser.messages) == 2
    service.receiver.otherwise = lambda: 201
    service.switch_on(service.table.player, service.browser)
    service.call()
    assert len(service.browser.messages) == 3
    assert service.shown()["state"] == "called"


def test_a_worker_that_dies_in_between_leaves_a_call_that_comes_again(service):
    service.switch_on(service.table.player, service.browser)
    service.wait_for_player()
    with psycopg.connect(service.database.owner, autocommit=True) as owner:
        [(before,)] = owner.execute("SELECT places FROM account_devices").fetchall()
        service.call()
        # It was taken, and the worker died before it could note that: the claim runs out.
        owner.execute(
            "UPDATE account_devices SET places = %s, due_at = due_at + 20000000",
            (Jsonb(before),),
        )
    service.call()
    assert len(service.browser.calls) == 1, "it is held"
    service.call_later()
    assert len(service.browser.calls) == 2
    assert service.browser.calls[0] == service.browser.calls[1]
    service.call_later()
    assert len(service.browser.calls) == 2


def test_calls_end_with_the_sign_in_the_membership_the_account_and_by_stopping(service):
    table = service.table
    service.switch_on(table.player, service.browser)
    device = service.shown()["device_id"]
    removed = table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}")
    assert removed.status_code == 204, removed.text
    with psycopg.connect(service.database.owner, autocommit=True) as owner:
        owner.execute("UPDATE account_devices SET places = '{}'")
    service.call()
    assert service.browser.calls == []
    assert table.gm.send("DELETE", f"{ME}/{device}").status_code == 404
    assert table.player.send("DELETE", f"{ME}/{device}").status_code == 204
    assert table.player.send("DELETE", f"{ME}/{device}").json()["code"] == "device_not_found"
    service.switch_on(table.player, service.browser)
    assert table.player.send("DELETE", f"/tokens/{device}").status_code == 204
    service.call()
    assert service.browser.calls == []


def test_a_browser_calls_only_who_signed_in_there_last(service):
    service.switch_on(service.table.player, service.browser)
    service.switch_on(service.table.gm, service.browser)
    assert service.table.player.get(ME).json()["devices"] == []
    assert service.shown(service.table.gm)["current"]
    service.wait_for_player()
    service.call()
    assert "Mara" not in str(service.browser.calls)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"endpoint": "ftp://push.example/1"}, "push_address_unusable"),
        ({"endpoint": "https://name:word@push.example/1"}, "push_address_unusable"),
        ({"endpoint": "https://push.example/\n"}, "push_address_unusable"),
        ({"keys": {"p256dh": "AAAA", "auth": "AAAAAAAAAAAAAAAAAAAAAA"}}, "push_keys_unusable"),
        ({"keys": {"p256dh": "é", "auth": "AAAAAAAAAAAAAAAAAAAAAA"}}, "push_keys_unusable"),
        ({"keys": {"p256dh": "B" * 87, "auth": "AAAA"}}, "push_keys_unusable"),
    ],
)
def test_what_nothing_can_be_sent_to_is_refused(service, change, code):
    answer = service.table.player.send("PUT", ME, json={**service.browser.subscription, **change})
    assert (answer.status_code, answer.json()["code"]) == (422, code)


def test_an_auth_of_another_length_is_refused(service):
    subscription = service.browser.subscription
    subscription["keys"]["auth"] = "AAAA"
    answer = service.table.player.send("PUT", ME, json=subscription)
    assert answer.json()["code"] == "push_keys_unusable"


def test_a_compressed_key_which_no_browser_could_decrypt_with_is_refused(service):
    subscription = service.browser.subscription
    subscription["keys"]["p256dh"] = service.browser.point(PublicFormat.CompressedPoint)
    answer = service.table.player.send("PUT", ME, json=subscription)
    assert answer.json()["code"] == "push_keys_unusable"


def test_an_account_has_so_many_devices_and_no_more(service):
    table = service.table
    for nth in range(10):
        body = {"name": table.player.name, "password": "correct horse battery", "label": f"phone {nth}"}
        token = table.player.post("/tokens", body).json()["token"]
        browser = PushBrowser(service.receiver, f"phone-{nth}")
        headers = {"Authorization": f"Bearer {token}"}
        assert table.player.send("PUT", ME, json=browser.subscription, headers=headers).status_code == 200
    answer = table.player.send("PUT", ME, json=service.browser.subscription)
    assert (answer.status_code, answer.json()["code"]) == (422, "too_many_devices")
    assert len(table.player.get(ME).json()["devices"]) == 10


def test_an_address_that_is_not_public_is_never_connected_to(service):
    subscription = {**service.browser.subscription, "endpoint": "https://10.0.0.1/push"}
    assert service.table.player.send("PUT", ME, json=subscription).status_code == 200
    service.wait_for_player()
    service.call()
    assert service.shown()["error"] == "private_address"


def test_ones_own_data_has_the_devices_without_where_they_are_called(service):
    service.switch_on(service.table.player, service.browser)
    data = service.table.player.get("/accounts/me/data")
    [sign_in] = data.json()["sign_ins"]
    assert sign_in["calls"]["host"].startswith("127.0.0.1")
    assert "/push/one" not in data.text
    with psycopg.connect(service.database.owner) as owner:
        [(row,)] = owner.execute("SELECT account_devices::text FROM account_devices").fetchall()
    assert b"/push/one".hex() not in row
