"""Words belong to who wrote them first, also where what enters play, or an adopted sheet, tells them again."""

from typing import Any
from uuid import UUID

import pytest

from domain.ids import AccountId, CampaignId
from services.accounts.erase_account import erase_written
from tests.services.confession import WORD, WORDS, tables_with
from tests.services.conftest import Person, Table
from tests.services.hiding import another_player


class Hangar(Table):
    """A Frame State campaign in which pilots are hidden, and enter play."""

    def __init__(self, table: Table) -> None:
        super().__init__(table.gm, table.player, table.campaign_id)
        self.act(self.gm, "frame_state.define_catalogue", preset="playtest1.2")
        self.act(self.gm, "campaign.set_setting", key="campaign.adoption_approval", value="none")

    def pilot(self, who: Person, background: str = WORDS, **fields: Any) -> tuple[str, str]:
        """A pilot whom only its player, or whoever `who` is, and the GMs know: the action, and the pilot."""
        seen_by = "gm" if who is self.gm else f"account:{who.account_id}"
        done = self.hide(who, seen_by, "frame_state.create_pilot", background=background, **fields)
        return done["action_id"], done["events"][0]["pilot_id"]

    def hide(self, who: Person, seen_by: str, command: str, **fields: Any) -> Any:
        body = {"command": {"type": command, **fields}, "visibility": seen_by}
        done = who.post(f"{self.path}/actions", body)
        assert done.status_code == 201, done.text
        return done.json()

    def enters(self, pilot: str, who: Person | None = None) -> str:
        done = self.act(who or self.gm, "campaign.enter_play", subject=pilot)
        assert WORD in str(done["events"])
        action: str = done["action_id"]
        return action

    def adopted(self, who: Person, pilot: str, seen_by: str = "all") -> str:
        """The pilot's sheet is brought in once more."""
        sheet = self.gm.get(f"{self.path}/sheets/{pilot}").json()
        done = self.hide(who, seen_by, "campaign.adopt_character", system="frame_state", sheet=sheet)
        action: str = done["action_id"]
        return action

    def erase(self, who: Person, action: str) -> Any:
        return who.send("DELETE", f"{self.path}/actions/{action}/texts")

    def says(self, action: str) -> bool:
        """Whether the words stand in an action, as the GM reads it."""
        read = self.gm.get(f"{self.path}/actions/{action}").text
        assert WORD in read or "erased" in read
        return WORD in read


@pytest.fixture
def hangar(table: Table) -> Hangar:
    return Hangar(table)


def test_whoever_wrote_words_erases_them_where_another_one_had_them_told_again(hangar):
    """Issue 20: an entering is an action of who brought it about, its words are not."""
    made, pilot = hangar.pilot(hangar.player, name="Mara")
    entered = hangar.enters(pilot)
    jun = another_player(hangar)
    assert hangar.erase(jun, entered).json()["code"] == "not_your_words"
    gone = hangar.erase(hangar.player, entered)
    assert (gone.status_code, gone.json()) == (200, {"as_of": hangar.seq(), "texts": 1, "events": 1})
    assert (hangar.says(entered), hangar.says(made)) == (False, True), "there, and not where they were said first"


def test_words_are_erased_from_an_action_that_was_hidden_from_who_wrote_them_and_is_revealed(hangar):
    """It is not unknown to them any more."""
    made, pilot = hangar.pilot(hangar.player, name="Mara")
    hangar.enters(pilot)
    adopted = hangar.adopted(hangar.gm, pilot, "gm")
    assert hangar.erase(hangar.player, adopted).status_code == 404
    for action in (made, adopted):
        hangar.act(hangar.gm, "campaign.reveal_action", action_id=action)
    gone = hangar.erase(hangar.player, adopted)
    assert (gone.status_code, gone.json()["texts"]) == (200, 1), gone.text
    assert not hangar.says(adopted)
    read = hangar.player.get(f"{hangar.path}/events", params={"limit": 500}).json()["events"]
    assert read[-1]["type"] == "campaign.texts_erased", "who reads that they are gone reads why"


def test_whoever_has_words_of_another_one_told_again_does_not_erase_them(hangar):
    made, pilot = hangar.pilot(hangar.gm, name="Mara", player=hangar.player.account_id)
    entered = hangar.enters(pilot)
    adopted = hangar.adopted(hangar.player, pilot)
    for action in (entered, adopted):
        assert hangar.erase(hangar.player, action).json()["code"] == "not_your_words"
    assert all(map(hangar.says, (made, entered, adopted)))


def test_words_that_go_where_they_were_said_first_go_wherever_they_are_told_again(hangar):
    made, pilot = hangar.pilot(hangar.player, name="Mara")
    entered, adopted = hangar.enters(pilot), hangar.adopted(hangar.gm, pilot)
    _, other = hangar.pilot(hangar.gm, name="Kim")
    others = hangar.enters(other)
    gone = hangar.erase(hangar.player, made).json()
    assert (gone["texts"], gone["events"]) == (3, 3)
    assert [hangar.says(each) for each in (made, entered, adopted)] == [False] * 3
    assert hangar.says(others), "the same words of another one about something else"
    assert hangar.gm.get(f"{hangar.path}/verify").json()["sound"]


def test_the_answer_tells_nothing_of_hidden_copies_and_an_open_one_does_not_name_where_it_is_from(hangar):
    made, pilot = hangar.pilot(hangar.player, name="Mara")
    hidden = hangar.adopted(hangar.gm, pilot, "gm")
    seq = hangar.seq()
    assert hangar.erase(hangar.player, made).json() == {"as_of": seq + 1, "texts": 1, "events": 1}
    assert not hangar.says(hidden)
    made, pilot = hangar.pilot(hangar.gm, name="Kim")
    hangar.enters(pilot)
    assert hangar.erase(hangar.gm, made).json()["texts"] == 2
    told = hangar.player.get(f"{hangar.path}/events", params={"after": hangar.seq() - 2}).json()["events"]
    assert [each["type"] for each in told] == ["campaign.hidden", "campaign.texts_erased"]
    assert told[1].get("action_id") in (None, told[0].get("action_id"))
    assert made not in str(told[1])


@pytest.mark.parametrize("whose", ["player", "gm"])
def test_all_words_of_an_account_go_from_what_others_had_told_again_and_no_words_of_others_do(
    hangar, client, database, whose
):
    _, first = hangar.pilot(hangar.player, name="Mara")
    _, second = hangar.pilot(hangar.gm, WORDS + "!", name="Kim", player=hangar.player.account_id)
    entered, adopted = hangar.enters(first), hangar.adopted(hangar.gm, first)
    others = [hangar.enters(second), hangar.adopted(hangar.player, second)]
    counted: list[int] = []

    async def note(texts: int) -> bool:
        counted.append(texts)
        return True

    who = getattr(hangar, whose)
    application, call = client.app.state.application, client.blocking_portal.call
    campaign, account = CampaignId(UUID(hangar.campaign_id)), AccountId(UUID(who.account_id))
    call(erase_written, application, campaign, account, note)
    mine, theirs = ([entered, adopted], others) if whose == "player" else (others, [entered, adopted])
    assert [hangar.says(each) for each in mine] == [False, False]
    assert [hangar.says(each) for each in theirs] == [True, True]
    assert sum(counted) == 3
    erased = [
        each["seqs"]
        for each in hangar.gm.get(f"{hangar.path}/events", params={"limit": 500}).json()["events"]
        if each["type"] == "campaign.texts_erased"
    ]
    assert erased[0][0] > erased[-1][-1], "copies first, for what goes last is what they are found by"
    call(erase_written, application, campaign, account, note)
    assert sum(counted) == 3
    assert "personal_text" in tables_with(database, hangar.campaign_id, WORD)
    assert hangar.gm.get(f"{hangar.path}/verify").json()["sound"]
