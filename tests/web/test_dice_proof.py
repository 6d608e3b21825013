"""The proof of an action's dice as a page: what is public of them, and no more than their reader may know."""

from hashlib import sha256
from typing import Any
from uuid import UUID

import pytest

from domain.dice.seeded_dice import face
from services.http.screen.shared.static_files import asset
from tests.services.conftest import Person, Table
from tests.web.browser import Browser
from tests.web.html_page import Element


class Reader(Browser):
    """A person's browser at one campaign."""

    def __init__(self, table: Table, person: Person) -> None:
        super().__init__(table.gm.client)
        self.home = f"/c/{table.campaign_id}"
        self.sign_in(person.name)

    def proof(self, action: dict[str, Any]) -> Element:
        return self.page(f"{self.home}/a/{action['events'][0]['seq']}/proof")


@pytest.fixture
def gm(table: Table) -> Reader:
    return Reader(table, table.gm)


@pytest.fixture
def player(table: Table) -> Reader:
    return Reader(table, table.player)


def hidden_roll(table: Table, notation: str) -> dict[str, Any]:
    body = {"command": {"type": "campaign.roll", "notation": notation}, "visibility": "gm"}
    answer = table.gm.post(f"{table.path}/actions", body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def proving(page: Element) -> set[str]:
    """The scripts of a page but those that every page of a campaign has."""
    return {each.attributes["src"] for each in page.all("script")} - {asset("connection.js"), asset("keys.js")}


def sources(page: Element) -> list[Element]:
    return page.one("div", id="proof").all("section")


def dice_of(source: Element) -> list[tuple[int, ...]]:
    """Sides, face, number, and after how many words, of dice that can be recomputed."""
    names = ("data-sides", "data-face", "data-number", "data-after")
    dice = [each for each in source.all("li") if "data-sides" in each.attributes]
    return [tuple(int(each.attributes[name]) for name in names) for each in dice]


def test_a_die_is_proved_from_what_is_on_the_page_once_its_seed_is_published(table, player):
    table.act(table.player, "campaign.roll", notation="1d4")
    rolled = table.act(table.player, "campaign.roll", notation="3d20")
    fingerprint = table.player.get(f"{table.path}/dice").json()["epochs"][0]["commitment"]
    before = player.proof(rolled)
    assert fingerprint in before.text
    assert "published when a game master ends the epoch" in before.text
    assert proving(before) == set()
    assert dice_of(sources(before)[0]) == []

    seed = table.act(table.gm, "campaign.end_dice_epoch")["events"][0]["seed"]
    after = player.proof(rolled)
    [source] = sources(after)
    said = source.attributes
    assert (said["data-secret"], said["data-fingerprint"]) == (seed, fingerprint)
    assert sha256(bytes.fromhex(seed)).hexdigest() == fingerprint
    naturals = [each["natural"] for each in rolled["events"][0]["dice"]]
    assert dice_of(source) == [(20, natural, nth, 0) for nth, natural in enumerate(naturals, 1)]
    campaign = bytes.fromhex(said["data-campaign"]).hex()
    assert campaign == table.campaign_id.replace("-", "")
    assert all(f"{campaign}00000001" + "0" * 15 + f"{nth}00000000" in after.text for nth in (1, 2, 3))
    assert proving(after) == {asset("proof.js")}


def test_words_of_members_are_part_of_the_proof(table, player):
    digests = [sha256(words).hexdigest() for words in (b"Salt", b"Storm")]
    for digest in digests:
        table.act(table.player, "campaign.add_dice_words", digest=digest)
    rolled = table.act(table.player, "campaign.roll", notation="1d20")
    seed = table.act(table.gm, "campaign.end_dice_epoch")["events"][0]["seed"]
    page = player.proof(rolled)
    [source] = sources(page)
    assert source.attributes["data-words"].split() == digests
    [(sides, natural, number, words)] = dice_of(source)
    assert words == 2
    said = b""
    for each in digests:
        said = sha256(said + bytes.fromhex(each)).digest()
    assert face(bytes.fromhex(seed), UUID(table.campaign_id), 1, number, sides, said) == natural


def test_dice_of_the_table_prove_nothing_and_the_page_says_so(table, player):
    table.act(table.gm, "campaign.end_dice_epoch")
    page = player.proof(table.act(table.player, "campaign.roll", notation="2d6", rolled=[[6, 1], [6, 2]]))
    assert "nothing can be proved" in page.text
    assert proving(page) == set()


def test_a_hidden_roll_shows_nobody_else_more_than_that_it_is_there(table, gm, player):
    rolled = hidden_roll(table, "2d20")
    table.act(table.gm, "campaign.end_dice_epoch")
    page = player.proof(rolled)
    assert sources(page) == []
    assert "You may not read it." in page.text
    assert "2d20" not in page.text
    assert "still secret" in gm.proof(rolled).text


@pytest.mark.parametrize("how", ["key", "tree"])
def test_a_hidden_roll_is_proved_by_its_key_or_by_the_seed_of_all(table, gm, player, how):
    hidden_roll(table, "1d6")
    rolled = hidden_roll(table, "2d20")
    table.act(table.gm, "campaign.reveal_action", action_id=rolled["action_id"])
    assert "A hidden roll, epoch 1" in player.proof(rolled).text
    if how == "key":
        table.act(table.gm, "campaign.prove_hidden_roll", epoch=1, roll=1)
    else:
        table.act(table.gm, "campaign.end_dice_epoch")
        table.act(table.gm, "campaign.reveal_hidden_dice", epoch=1)
    for reader in (gm, player):
        [source] = sources(reader.proof(rolled))
        assert (source.attributes["data-kind"], source.attributes["data-roll"]) == (how, "1")
        assert len(source.attributes["data-path"].split()) == (8 if how == "key" else 0)
        assert [number for _, _, number, _ in dice_of(source)] == [0, 1]


def test_a_key_that_was_published_to_gms_alone_reaches_no_player(table, gm, player):
    rolled = hidden_roll(table, "2d20")
    table.act(table.gm, "campaign.reveal_action", action_id=rolled["action_id"])
    command = {"type": "campaign.prove_hidden_roll", "epoch": 1, "roll": 0}
    answer = table.gm.post(f"{table.path}/actions", {"command": command, "visibility": "gm"})
    if answer.status_code == 201:
        assert "data-secret" in sources(gm.proof(rolled))[0].attributes
        assert "data-secret" not in sources(player.proof(rolled))[0].attributes


def test_the_dice_of_a_line_lead_to_their_proof(table, player):
    rolled = table.act(table.player, "campaign.roll", notation="3d20")
    seq = rolled["events"][0]["seq"]
    path = f"{player.home}/a/{seq}/proof"
    for page in (f"{player.home}/chronicle", f"{player.home}/a/{seq}"):
        assert path in [each.attributes["href"] for each in player.page(page).all("a")]


def test_an_action_without_dice_has_nothing_to_prove(table, player):
    page = player.page(f"{player.home}/a/1/proof")
    assert "No dice fell here." in page.text
    assert player.get(f"{player.home}/a/99999/proof").status_code == 404


def test_the_page_says_whose_code_it_runs_and_where_independent_proof_is(table, player):
    page = player.proof(table.act(table.player, "campaign.roll", notation="1d20"))
    assert "from the very host that it checks" in page.text
    assert "fieldlog verify FILE" in page.text
    assert f"{player.home}/verify" in [each.attributes["href"] for each in page.all("a")]
