"""`…/dice/read`: what dice would do, in words, with exact odds; and nothing is rolled."""

import pytest

from tests.services.conftest import Table


def read(table: Table, notation: str, **more: str):
    return table.player.get(f"{table.path}/dice/read", params={"notation": notation, **more})


def test_dice_say_what_they_will_do(table):
    answer = read(table, "8d6>=6 fire").json()
    assert answer["notation"] == "8d6>=6"
    assert answer["words"] == "8 d6; each that shows 6 is a success"
    assert (answer["minimum"], answer["maximum"], answer["label"], answer["times"]) == (0, 8, "fire", 1)
    assert answer["mean"] == pytest.approx(8 / 6)
    assert answer["odds"]["0"] == pytest.approx((5 / 6) ** 8)
    assert answer["margin"] is None


def test_where_tools_disagree_each_reading_has_its_tools(table):
    answer = read(table, "8d6>5").json()
    assert [(offer["notation"], offer["tools"][0]) for offer in answer["readings"]] == [
        ("8d6>=6", "Fieldlog"),
        ("8d6>=5", "Roll20"),
        ("(8d6)>=6", "Avrae"),
    ]
    assert len(read(table, "4d6kh3+2").json()["readings"]) == 1


def test_the_setting_says_whose_notation_it_is_and_a_reading_is_rolled_as_it_is_written(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.notation", value="avrae")
    assert read(table, "8d6>5").json()["notation"] == "(8d6)>=6"
    assert read(table, "8d6>5", dialect="roll20").json()["notation"] == "8d6>=5"
    rolled = table.act(table.player, "campaign.roll", notation="8d6>=5", dialect="fieldlog")
    assert rolled["events"][0]["notation"] == "8d6>=5"


def test_words_are_in_the_readers_language(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    assert read(table, "8d6>=6").json()["words"] == "8 d6\u202f; chacun qui montre 6 est un succès"


def test_what_is_too_much_to_count_is_estimated_and_says_how_well(table):
    answer = read(table, "4d6!kh3").json()
    assert 0 < answer["margin"] < 0.02
    assert answer["mean"] == pytest.approx(13, abs=1.5)
    assert answer["margin"] == read(table, "4d6!kh3").json()["margin"]


@pytest.mark.parametrize(
    ("notation", "code", "detail"),
    [("5(2d6)", "notation_invalid", {"column": 2, "write": "5*(2d6)"}), ("90d6!>=3", "notation_too_large", {})],
)
def test_a_refusal_says_how_it_is_written(table, notation, code, detail):
    answer = read(table, notation)
    assert (answer.status_code, answer.json()["code"]) == (422, code)
    assert detail.items() <= answer.json()["details"].items()


def test_a_dry_run_says_the_same(table):
    command = {"type": "campaign.roll", "notation": "2d6+1 sneak"}
    told = table.player.post(f"{table.path}/actions?dry_run=true", {"command": command}).json()
    assert (told["possible"], told["reading"]["notation"], told["reading"]["label"]) == (True, "2d6+1", "sneak")


def test_a_label_in_the_notation_is_the_roll_s_own(table):
    action = table.act(table.player, "campaign.roll", notation="1d20 to find my keys")
    assert (action["events"][0]["notation"], action["events"][0]["label"]) == ("1d20", "to find my keys")
