"""What brings something hidden into play, and what does not."""

from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

CORES = {"physical": "d8", "mental": "d8", "social": "d8", "resolve": "d8"}


@pytest.fixture
def hangar(table: Table) -> SecretTable:
    made = SecretTable(table, "frame_state")
    made.do(made.gm, "define_catalogue", preset="playtest1.2")
    return made


def kinds(table: SecretTable) -> list[str]:
    events: list[Any] = table.player.get(f"{table.path}/events", params={"limit": 200}).json()["events"]
    return [each["type"] for each in events]


def test_a_frame_enters_with_the_pilot_whose_it_is(hangar):
    pilot = hangar.hide("create_pilot", name="The mole")["events"][0]["pilot_id"]
    frame = hangar.hide("create_unit", kind="frame", name="Heron", pilot=pilot)["events"][0]["frame_id"]
    hangar.do(hangar.gm, "campaign.enter_play", subject=frame)
    assert [each for each in kinds(hangar) if "entered" in each] == [
        "frame_state.pilot_entered",
        "frame_state.frame_entered",
    ]
    assert hangar.sheet(hangar.player, pilot) == hangar.sheet(hangar.gm, pilot)


def test_words_bring_nobody_into_play(hangar):
    pilot = hangar.hide("create_pilot", name="The mole")["events"][0]["pilot_id"]
    hangar.do(hangar.gm, "campaign.add_note", text=pilot)
    assert not [each for each in kinds(hangar) if "entered" in each]


def test_whoever_may_not_act_brings_nobody_into_play(hangar):
    pilot = hangar.do(hangar.player, "create_pilot", name="Mara", visibility="gm")["events"][0]["pilot_id"]
    hangar.refusal(hangar.player, "award_currency", amount=5, reason="luck", pilot=pilot)
    assert not [each for each in kinds(hangar) if "entered" in each]


def test_what_was_done_hidden_to_somebody_whom_all_know_can_be_told_by_hand_and_once(table):
    """What was told and what is so can always be brought together by a GM."""
    angst = SecretTable(table, "angst")
    angst.do(angst.gm, "define_angst_types", types=["pride"])
    mara = angst.do(angst.player, "create_character", name="Mara", kind="pc", cores=CORES)["events"][0][
        "character"
    ]
    angst.do(angst.gm, "set_core", character=mara, core="physical", effective="d6")
    assert angst.refusal(angst.gm, "campaign.enter_play", subject=mara)["code"] == "not_hidden"
    angst.hide("set_core", character=mara, core="mental", effective="d4")
    assert angst.sheet(angst.player, mara) != angst.sheet(angst.gm, mara)
    told = angst.do(angst.gm, "campaign.enter_play", subject=mara)
    assert told["summary"] == ["What is known of Mara is told anew"]
    assert angst.sheet(angst.player, mara) == angst.sheet(angst.gm, mara)
    assert angst.refusal(angst.gm, "campaign.enter_play", subject=mara)["code"] == "not_hidden"


class Mole:
    """A pilot who was created and paid hidden, and then entered play."""

    def __init__(self, hangar: SecretTable) -> None:
        self.hangar = hangar
        created = hangar.hide("create_pilot", name="The mole")
        self.pilot, self.created = created["events"][0]["pilot_id"], created["action_id"]
        self.paid = self.pay(5)
        hangar.do(hangar.gm, "campaign.enter_play", subject=self.pilot)

    def pay(self, amount: int, visibility: str = "gm") -> str:
        """An award; its action."""
        answer = self.hangar.do(
            self.hangar.gm,
            "award_currency",
            amount=amount,
            reason="bribe",
            pilot=self.pilot,
            visibility=visibility,
        )
        return str(answer["action_id"])

    def credits(self, *, gm: bool) -> int:
        """What the sheet says, to a GM or to a player; the ledger says the same."""
        who = self.hangar.gm if gm else self.hangar.player
        ledger = who.get(f"{self.hangar.path}/ledger/accounts").json()
        on_sheet = int(self.hangar.sheet(who, self.pilot)["currency"])
        held = [each["balance"] for each in ledger["accounts"] if each["account"] == f"pilot:{self.pilot}"]
        assert held == [on_sheet]
        assert set(ledger["trial_balance"].values()) <= {0}
        return on_sheet

    @property
    def as_read(self) -> tuple[int, int]:
        """What GM and player read that they have."""
        return self.credits(gm=True), self.credits(gm=False)


@pytest.fixture
def mole(hangar: SecretTable) -> Mole:
    return Mole(hangar)


def test_whoever_entered_is_told_anew_when_their_hidden_past_is_undone_and_redone(hangar, mole):
    """A copy at the table stayed as it was."""
    before = mole.credits(gm=True)
    hangar.undo(mole.paid)
    assert mole.as_read == (before - 5, before - 5)
    hangar.undo(mole.paid, "redo")
    assert mole.as_read == (before, before)
    assert hangar.refusal(hangar.gm, "campaign.enter_play", subject=mole.pilot)["code"] == "not_hidden"


def test_an_undo_tells_nothing_that_was_done_to_them_hidden_since(hangar, mole):
    """Only what the entering would have told is told anew."""
    before = mole.credits(gm=True)
    mole.pay(7)
    hangar.undo(mole.paid)
    assert mole.as_read == (before + 2, before - 5)


def test_what_was_done_openly_since_counts_on_top_of_what_is_told_anew(hangar, mole):
    before = mole.credits(gm=True)
    paid = mole.pay(3, "all")
    hangar.undo(mole.paid)
    assert mole.as_read == (before - 2, before - 2)
    hangar.undo(paid)
    assert mole.as_read == (before - 5, before - 5)


def test_what_is_told_anew_stands_behind_the_undo_and_is_open(hangar, mole):
    undone = hangar.undo(mole.paid)
    actions = hangar.player.get(f"{hangar.path}/actions", params={"limit": 200}).json()["actions"]
    hidden, anew = actions[-2:]
    assert (hidden["type"], anew["type"]) == (None, "campaign.enter_play")
    assert (anew["cause"], anew["actor"]) == (f"action:{undone['action_id']}", None)
    assert anew["seq"] == hidden["last_seq"] + 1
    assert anew["summary"] == ["What is known of The mole is told anew"]
    summaries = [line for each in actions for line in each["summary"]]
    assert summaries.count("The mole came into play") == 1


def test_a_preview_shows_what_would_be_told_anew(hangar, mole):
    """A GM may read beforehand that an undo of something hidden says something openly."""
    preview = hangar.gm.post(f"{hangar.path}/actions/{mole.paid}/undo", {"dry_run": True}).json()
    hangar.undo(mole.paid)
    anew = hangar.gm.get(f"{hangar.path}/actions", params={"limit": 200}).json()["actions"][-1]
    assert [(each["seq"], each["summary"]) for each in preview["follows"]] == [(anew["seq"], anew["summary"])]
    assert anew["type"] == "campaign.enter_play"


def test_a_players_preview_goes_by_what_they_would_be_told_anew(hangar):
    """They undo what they did hidden to somebody of theirs who entered since: it is as the undo then does it."""
    made = hangar.do(hangar.player, "create_pilot", name="Mara", visibility="gm")
    pilot = made["events"][0]["pilot_id"]
    raised = hangar.do(
        hangar.player,
        "allocate_point",
        category="skills",
        attribute="sharpness",
        pilot=pilot,
        visibility="gm",
    )["action_id"]
    hangar.do(hangar.gm, "campaign.enter_play", subject=pilot)
    path, before = f"{hangar.path}/actions/{raised}/undo", hangar.sheet(hangar.player, pilot)
    preview = hangar.player.post(path, {"dry_run": True}).json()
    assert [each["because"] for each in preview["follows"]] == ["follows"]
    assert pilot in preview["changes"]["sheets"]
    hangar.undo(raised)
    assert hangar.sheet(hangar.player, pilot) != before


def test_nobody_undoes_the_making_of_what_has_entered_play(hangar, mole):
    refused = hangar.gm.post(f"{hangar.path}/actions/{mole.created}/undo", {"cascade": True})
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")
    assert "entered play since" in refused.json()["detail"]
    assert mole.as_read == (mole.credits(gm=True),) * 2


def test_a_hidden_past_revealed_changes_nothing_of_whoever_entered(hangar, mole):
    before = mole.as_read
    for action in (mole.created, mole.paid):
        hangar.do(hangar.gm, "campaign.reveal_action", action_id=action)
        assert mole.as_read == before
    assert "bribe" in hangar.read_by(hangar.player)


def test_whoever_is_revealed_and_never_entered_is_seen_as_they_are_now(hangar):
    created = hangar.hide("create_pilot", name="The mole")
    pilot = created["events"][0]["pilot_id"]
    hangar.hide("award_currency", amount=5, reason="bribe", pilot=pilot)
    hangar.do(hangar.gm, "campaign.reveal_action", action_id=created["action_id"])
    assert hangar.sheet(hangar.player, pilot) == hangar.sheet(hangar.gm, pilot)
    assert "bribe" not in hangar.read_by(hangar.player)


def test_the_views_that_are_stored_are_what_the_log_says_after_all_of_it(hangar, mole, client):
    mole.pay(7)
    for what in ("undo", "redo", "undo"):
        hangar.undo(mole.paid, what)
        mole.pay(1, "all")
    application, call = client.app.state.application, client.blocking_portal.call
    assert hangar.gm.get(f"{hangar.path}/verify").json()["sound"]
    assert call(stale_audiences, application.log, application.views, CampaignId(UUID(hangar.campaign_id))) == []
    assert mole.as_read == (mole.credits(gm=False) + 7, mole.credits(gm=False))


def test_a_fork_knows_what_was_told_anew_and_tells_it_anew_itself(hangar, mole):
    hangar.undo(mole.paid)
    forked = hangar.gm.post(f"{hangar.path}/fork", {"name": "Elsewhere"}).json()["campaign_id"]
    code = hangar.gm.post(f"/campaigns/{forked}/invites", {"role": "player"}).json()["code"]
    assert hangar.player.post(f"/invites/{code}/accept").status_code == 201

    def as_read() -> list[int]:
        readers = (hangar.gm, hangar.player)
        sheets = [each.get(f"/campaigns/{forked}/sheets/{mole.pilot}").json()["sheet"] for each in readers]
        return [each["currency"] for each in sheets]

    before = as_read()
    assert before[0] == before[1]
    redone = hangar.gm.post(f"/campaigns/{forked}/actions/{mole.paid}/redo", {})
    assert redone.status_code == 201, redone.text
    assert as_read() == [before[0] + 5] * 2
