"""The seeds of the service's dice as a page: what is public, how the rest becomes so, and words of members."""

from hashlib import sha256

import pytest

from services.http.screen.commands.command_list import ON_THE_DICE_PAGE
from tests.web.browser import errors_of
from tests.web.html_page import page_of


def test_a_gm_publishes_a_seed_after_reading_what_that_means(table, gm, home):
    assert "no open die fell from it" in gm.page(f"{home}/end-dice-epoch").text
    table.act(table.player, "campaign.roll", notation="3d20")
    page = gm.page(f"{home}/dice")
    epoch = table.gm.get(f"{table.path}/dice").json()["epochs"][0]
    assert epoch["commitment"] in page.text
    assert epoch["hidden_commitment"] in page.text
    assert "3 open dice have fallen from it so far" in page.text
    [path] = [each.attributes["href"] for each in page.all("a") if "end-dice-epoch" in each.attributes["href"]]
    asked = gm.page(path)
    assert "prove its 3 open dice" in asked.text
    assert len(table.gm.get(f"{table.path}/dice").json()["epochs"]) == 1, "nothing happens by reading"
    done = page_of(gm.post(path).text)
    seed = table.gm.get(f"{table.path}/dice").json()["epochs"][1]["seed"]
    assert seed in done.text
    assert "Epoch 2" in done.text


@pytest.mark.parametrize("who", ["gm", "player"])
def test_what_proves_dice_is_on_their_page_and_in_no_list_of_what_can_be_done(table, request, home, who):
    browser, person = request.getfixturevalue(who), getattr(table, who)
    secret = {"command": {"type": "campaign.roll", "notation": "2d6"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", secret).status_code == 201
    offered = {each["command"]: each for each in person.get(f"{table.path}/commands").json()["commands"]}
    proofs = {each for each, offer in offered.items() if offer["group"] == "Proof of dice"}
    assert "campaign.add_dice_words" in proofs, "programs are offered them as before"
    assert proofs <= ON_THE_DICE_PAGE
    for path in ("/table", "/do", "/do?all=yes", "/gm"):
        answer = browser.get(f"{home}{path}")
        assert answer.status_code in {200, 403}
        assert not [each for each in ON_THE_DICE_PAGE if each in answer.text]
        assert "Proof of dice" not in answer.text
    links = str([each.attributes["href"] for each in browser.page(f"{home}/dice").all("a")])
    assert ("prove_hidden_roll" in links) == (who == "gm")
    can_prove = offered.get("campaign.prove_hidden_roll", {"possible": "no"})["possible"] != "no"
    assert can_prove == (who == "gm")


def test_players_read_the_same_and_publish_nothing(table, player, home):
    page = player.page(f"{home}/dice")
    assert "end-dice-epoch" not in str([each.attributes["href"] for each in page.all("a")])
    assert "Only a game master" in player.page(f"{home}/end-dice-epoch").text
    assert player.post(f"{home}/end-dice-epoch").status_code == 422
    assert len(table.gm.get(f"{table.path}/dice").json()["epochs"]) == 1


def test_how_many_hidden_rolls_there_were_only_gms_read(table, gm, player, home):
    secret = {"command": {"type": "campaign.roll", "notation": "2d6"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", secret).status_code == 201
    assert "1 of 256 hidden rolls is used up" in gm.page(f"{home}/dice").text
    assert "hidden rolls is used up" not in player.page(f"{home}/dice").text


def test_the_seed_of_hidden_dice_is_published_once_their_epoch_has_ended(table, gm, home):
    assert "no ended epoch" in gm.page(f"{home}/reveal-hidden-dice").text
    table.act(table.gm, "campaign.end_dice_epoch")
    page = gm.page(f"{home}/reveal-hidden-dice")
    assert [each.attributes["value"] for each in page.all("option")] == ["1"]
    done = gm.post(f"{home}/reveal-hidden-dice", epoch="1")
    assert table.gm.get(f"{table.path}/dice").json()["epochs"][1]["hidden_seed"] in done.text
    for wrong in ("", "7", "x", "2", "9" * 40):
        assert gm.post(f"{home}/reveal-hidden-dice", epoch=wrong).status_code == 422


def test_words_of_a_member_take_part_in_later_dice_once(table, player, home):
    page = player.page(f"{home}/dice")
    [form] = [each for each in page.all("form") if each.attributes["action"].endswith("/words")]
    key = form.one("input", type="hidden").attributes["value"]
    for _ in range(2):
        assert player.post(f"{home}/dice/words", words="Salt and storm", key=key).status_code == 200
    known = table.player.get(f"{table.path}/dice").json()
    assert known["words"] == 1
    said = sha256(b"Salt and storm").digest()
    assert known["words_digest"] == sha256(said).hexdigest()
    refused = player.post(f"{home}/dice/words", words=" ")
    assert refused.status_code == 422
    assert "SHA-256" in errors_of(page_of(refused.text))["words"]


def test_dice_of_an_undone_roll_wait_on_the_page(table, player, home):
    rolled = table.act(table.player, "campaign.roll", notation="1d20")
    table.gm.post(f"{table.path}/actions/{rolled['action_id']}/undo", {})
    natural = rolled["events"][0]["dice"][0]["natural"]
    assert f"d20 shows {natural}" in player.page(f"{home}/dice").text


def test_waiting_dice_of_a_hidden_roll_are_on_no_players_page(table, gm, player, home):
    secret = {"command": {"type": "campaign.roll", "notation": "1d20"}, "visibility": "gm"}
    rolled = table.gm.post(f"{table.path}/actions", secret).json()
    table.gm.post(f"{table.path}/actions/{rolled['action_id']}/undo", {})
    assert "d20 shows" in gm.page(f"{home}/dice").text
    assert "d20 shows" not in player.page(f"{home}/dice").text
