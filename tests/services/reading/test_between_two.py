"""What a player shows to another alone is read by these two and the GMs, and by nobody else on any path."""

import json
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from services.workers.projector import Projector
from tests.services.campaign_keeping import joined
from tests.services.conftest import Person, Table, whole
from tests.services.transfers import brought

SECRET = "for the silence of the dockmaster"
PAGES = ("/events", "/actions", "/ledger/entries", "/export", "/timers", "")


class Bribe(Table):
    """Mara has 100 credits that everybody knows of; Ben and Olaf have none."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.gm, table.player, table.campaign_id)
        self.mara = table.player
        self.ben, self.olaf = (joined(self, name) for name in ("Ben", "Olaf"))
        self.purse = {who.name: f"player:{who.account_id}" for who in (self.mara, self.ben, self.olaf)}
        self.grant("all", 100)

    def grant(self, visibility: str, amount: int) -> None:
        fields = {"currency": "credits", "debit": "world:bank", "credit": self.purse["Mara"], "amount": amount}
        assert (
            self.ask(self.gm, "campaign.post_entry", visibility, reason="pay", new=True, **fields).status_code
            == 201
        )

    def ask(self, who: Person, command: str, visibility: str, **fields: Any) -> Any:
        body = {"command": {"type": command, **fields}, "visibility": visibility}
        return who.post(f"{self.path}/actions", body)

    def offer(self, amount: int, to: Person) -> Any:
        fields = {"currency": "credits", "debit": self.purse["Mara"], "credit": self.purse[to.name]}
        seen_by = f"account:{to.account_id}"
        return self.ask(self.mara, "campaign.offer_transfer", seen_by, amount=amount, reason=SECRET, **fields)

    def paid(self) -> dict[str, Any]:
        """Mara pays Ben 40; what she is told of her offer."""
        offered = self.offer(40, self.ben)
        assert offered.status_code == 201, offered.text
        entry = offered.json()["events"][0]["entry_id"]
        agreed = self.ask(self.ben, "campaign.post_pending", f"account:{self.mara.account_id}", entry=entry)
        assert agreed.status_code == 201, agreed.text
        told: dict[str, Any] = offered.json()
        return told

    def balances(self, who: Person) -> dict[str, int]:
        accounts = who.get(f"{self.path}/ledger/accounts").json()["accounts"]
        held = {each["account"]: each["balance"] for each in accounts}
        return {name: held.get(purse, 0) for name, purse in self.purse.items()}

    def read(self, who: Person) -> str:
        return "".join(who.get(self.path + page, params=whole(page)).text for page in PAGES)

    def reload(self) -> None:
        """Views are stored, and the campaign leaves the memory."""
        application, campaign = self.gm.client.app.state.application, CampaignId(UUID(self.campaign_id))  # type: ignore[attr-defined]
        call = self.gm.client.blocking_portal.call  # type: ignore[attr-defined]
        call(Projector(application.log, application.views, application.handler).campaign, campaign)
        assert call(stale_audiences, application.log, application.views, campaign) == []
        application.cache.evict(campaign)
        application.campaigns.folds.evict(campaign)


@pytest.fixture
def bribe(table: Table) -> Bribe:
    return Bribe(table)


@pytest.mark.parametrize("reloaded", [False, True])
def test_a_secret_payment_is_read_by_who_pays_and_who_is_paid_and_by_nobody_else(bribe, reloaded):
    told = bribe.paid()
    assert SECRET in json.dumps(told), "who pays is told what they did"
    if reloaded:
        bribe.reload()
    for who in (bribe.gm, bribe.mara, bribe.ben):
        assert SECRET in bribe.read(who)
        assert bribe.balances(who) == {"Mara": 60, "Ben": 40, "Olaf": 0}
    read = bribe.read(bribe.olaf)
    for secret in (SECRET, "transfer", told["events"][0]["entry_id"]):
        assert secret not in read
    assert bribe.balances(bribe.olaf) == {"Mara": 100, "Ben": 0, "Olaf": 0}


def test_nothing_is_told_between_two_that_only_one_of_them_knows(bribe):
    bribe.paid()
    bribe.grant(f"account:{bribe.mara.account_id}", 500)
    refused = bribe.offer(300, bribe.ben)
    assert (refused.status_code, refused.json()["code"]) == (422, "rests_on_hidden")
    bribe.reload()
    assert bribe.offer(300, bribe.ben).json()["code"] == "rests_on_hidden"
    assert bribe.offer(60, bribe.ben).status_code == 201
    assert bribe.balances(bribe.ben)["Mara"] == 0
    assert bribe.balances(bribe.mara)["Mara"] == 500


def test_an_offer_is_never_hidden_from_whoever_has_to_agree(bribe):
    """It would wait for ever, and what is set aside would lie there."""
    fields = {"currency": "credits", "debit": bribe.purse["Mara"], "credit": bribe.purse["Ben"]}
    fields |= {"amount": 5, "reason": SECRET}
    for who, visibility in (
        (bribe.gm, "gm"),
        (bribe.gm, f"account:{bribe.mara.account_id}"),
        (bribe.mara, "gm"),
        (bribe.mara, "blind"),
        (bribe.mara, f"account:{bribe.olaf.account_id}"),
    ):
        refused = bribe.ask(who, "campaign.offer_transfer", visibility, **fields)
        assert (refused.status_code, refused.json()["code"]) == (422, "hidden_from_who_agrees"), visibility
    for_ben = f"account:{bribe.ben.account_id}"
    assert bribe.ask(bribe.gm, "campaign.offer_transfer", for_ben, **fields).status_code == 201
    to_the_world = fields | {"credit": "world:bank"}
    assert bribe.ask(bribe.gm, "campaign.offer_transfer", "gm", **to_the_world).status_code == 201


@pytest.mark.parametrize("how", ["post", "void"])
@pytest.mark.parametrize("visibility", ["all", "gm", "ben"])
def test_a_gm_who_ends_what_two_share_does_it_before_both(bribe, how, visibility):
    """Nobody could ask for both as readers: the GM was told that it lay open, or rested on hidden things."""
    entry = bribe.offer(40, bribe.ben).json()["events"][0]["entry_id"]
    guess = bribe.ask(bribe.olaf, f"campaign.{how}_pending", "all", entry=entry)
    assert (guess.status_code, guess.json()["code"]) == (422, "unknown_entry")
    asked = f"account:{bribe.ben.account_id}" if visibility == "ben" else visibility
    ended = bribe.ask(bribe.gm, f"campaign.{how}_pending", asked, entry=entry)
    assert ended.status_code == 201, ended.text
    bribe.reload()
    for who in (bribe.gm, bribe.mara, bribe.ben):
        has = {"Mara": 60, "Ben": 40} if how == "post" else {"Mara": 100, "Ben": 0}
        assert bribe.balances(who) == {**has, "Olaf": 0}
        assert who.get(f"{bribe.path}/ledger/accounts").json()["pending"] == []
    assert entry not in bribe.read(bribe.olaf)
    assert bribe.gm.post(f"{bribe.path}/actions/{ended.json()['action_id']}/undo", {}).status_code == 201
    assert bribe.balances(bribe.mara)["Mara"] == 60


def test_whoever_agrees_to_what_two_share_need_not_say_who_reads_it(bribe):
    entry = bribe.offer(40, bribe.ben).json()["events"][0]["entry_id"]
    assert bribe.ask(bribe.ben, "campaign.post_pending", "all", entry=entry).status_code == 201
    assert bribe.balances(bribe.mara) == {"Mara": 60, "Ben": 40, "Olaf": 0}
    assert entry not in bribe.read(bribe.olaf)


def test_two_secrets_with_two_people_stay_apart(bribe):
    bribe.paid()
    assert bribe.offer(10, bribe.olaf).status_code == 201
    assert bribe.balances(bribe.mara)["Mara"] == 50
    assert bribe.balances(bribe.ben)["Mara"] == 60
    assert bribe.balances(bribe.olaf)["Mara"] == 90


def test_what_two_share_can_be_undone_asked_about_and_revealed(bribe):
    action = bribe.offer(40, bribe.ben).json()["action_id"]
    asked = bribe.ben.post(f"{bribe.path}/actions/{action}/undo-request", {})
    assert asked.status_code == 201, asked.text
    assert bribe.olaf.post(f"{bribe.path}/actions/{action}/undo-request", {}).status_code == 404
    assert bribe.gm.post(f"{bribe.path}/actions/{action}/undo-request/decline", {}).status_code == 201
    assert "campaign.undo_declined" in bribe.read(bribe.mara)
    assert bribe.mara.post(f"{bribe.path}/actions/{action}/undo", {}).status_code == 201
    for who in (bribe.gm, bribe.mara, bribe.ben):
        assert bribe.balances(who)["Mara"] == 100
        assert "campaign.undo" in bribe.read(who)
    assert "campaign.undo" not in bribe.read(bribe.olaf)
    assert bribe.gm.post(f"{bribe.path}/actions/{action}/redo", {}).status_code == 201
    bribe.act(bribe.gm, "campaign.reveal_action", action_id=action)
    bribe.reload()
    assert SECRET in bribe.read(bribe.olaf)
    assert bribe.balances(bribe.olaf)["Mara"] == 60


def test_a_timer_that_two_know_of_tells_both_and_is_its_makers_to_stop(bribe):
    shown = f"account:{bribe.ben.account_id}"
    timer = {"title": "Meet at the crane", "after": {"days": 1}, "clock": "game"}
    for stopped in (True, False):
        scheduled = bribe.ask(bribe.mara, "campaign.schedule_timer", shown, **timer).json()["events"][0]
        if stopped:
            cancelled = bribe.ask(bribe.mara, "campaign.cancel_timer", shown, timer=scheduled["timer_id"])
            assert cancelled.status_code == 201, cancelled.text
    bribe.act(bribe.gm, "campaign.advance_calendar", by={"days": 2})
    for who, fired in ((bribe.gm, 1), (bribe.mara, 1), (bribe.ben, 1), (bribe.olaf, 0)):
        events = who.get(f"{bribe.path}/events", params={"limit": 500}).json()["events"]
        assert [each["type"] for each in events].count("campaign.timer_fired") == fired


def test_what_an_undo_makes_go_otherwise_is_pointed_out_to_both_once(bribe):
    bribe.act(bribe.gm, "frame_state.define_catalogue", preset="playtest1.2")
    bribe.act(bribe.mara, "frame_state.create_pilot", name="Mara")
    (pilot,) = [each["character"] for each in bribe.gm.get(f"{bribe.path}/sheets").json()["sheets"]]
    bribe.act(bribe.gm, "campaign.start_downtime")
    day = bribe.act(bribe.gm, "campaign.advance_calendar", by={"days": 1})["action_id"]
    work = {"character": pilot, "kind": "work", "title": "Smuggling", "takes": {"days": 9}}
    shown = f"account:{bribe.ben.account_id}"
    assert bribe.ask(bribe.mara, "campaign.plan_activity", shown, **work).status_code == 201
    assert bribe.ask(bribe.gm, "campaign.add_note", shown, text="I know").status_code == 201
    assert bribe.gm.post(f"{bribe.path}/actions/{day}/undo", {}).status_code == 201
    for who, pointed_out in ((bribe.mara, 1), (bribe.ben, 1), (bribe.olaf, 0)):
        events = who.get(f"{bribe.path}/events", params={"limit": 500}).json()["events"]
        assert [each["type"] for each in events].count("campaign.action_affected") == pointed_out, who.name


def test_a_fork_and_an_import_keep_what_two_know_between_them(bribe):
    bribe.paid()
    people = json.dumps({"Mara": "Mara", "Ben": "Ben", "Olaf": "Olaf"})
    exported = bribe.gm.get(f"{bribe.path}/export").content
    forked = bribe.gm.post(f"{bribe.path}/fork", {}).json()["campaign_id"]
    for path in (brought(bribe.gm, exported, people=people).path, f"/campaigns/{forked}"):
        for who in (bribe.mara, bribe.ben, bribe.olaf):
            code = bribe.gm.post(f"{path}/invites", {"role": "player"}).json()["code"]
            assert who.post(f"/invites/{code}/accept").status_code == 201
            assert (SECRET in who.get(f"{path}/events", params={"limit": 500}).text) == (who is not bribe.olaf)


def test_nobody_names_two_readers_themselves(bribe):
    both = f"account:{','.join(sorted((bribe.ben.account_id, bribe.olaf.account_id)))}"
    assert bribe.ask(bribe.gm, "campaign.add_note", both, text="x").status_code == 400
