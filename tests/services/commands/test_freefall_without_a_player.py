"""A player of FREE/FALL is removed: what waited for them waits for the GM, who may act or hand on."""

from tests.services.conftest import Table


def test_harm_of_a_removed_player_waits_for_the_gm_who_answers_as_the_board_says(table: Table) -> None:
    founded = table.gm.post("/campaigns", {"name": "Saltgate", "systems": ["freefall"]}).json()
    here = Table(table.gm, table.player, founded["campaign_id"])
    code = here.gm.post(f"{here.path}/invites", {"role": "player"}).json()["code"]
    assert here.player.post(f"/invites/{code}/accept").status_code == 201
    permanents = {"body": 8, "mind": 8, "ghost": 8}
    made = here.act(
        here.player, "freefall.create_character", name="Wren", permanents=permanents, **{"class": "Fixer"}
    )
    wren = made["events"][0]["character"]
    called = here.act(here.gm, "freefall.receive_harm", harm_type="psychic", levels=1, character=wren)
    assert [each["waits_for"] for each in called["pending"]] == [str(here.player.account_id)]
    assert here.refused(here.gm, "freefall.receive_harm", choices=[{"option": "A"}]) == (403, "not_your_choice")
    gone = here.gm.send("DELETE", f"{here.path}/members/{here.player.account_id}")
    assert gone.status_code == 204
    board = here.gm.get(f"{here.path}/boards/freefall/turn").json()
    [waiting] = board["waits_for"]
    assert (waiting["kind"], waiting["waits_for"], waiting["absent"]) == (
        "receive_harm",
        None,
        str(here.player.account_id),
    )
    assert "hands the character to another member" in waiting["told"]
    noted = here.act(here.gm, "campaign.add_note", text="Who plays Wren now?")
    assert [each["waits_for"] for each in noted["pending"]] == [None]
    answer = dict(waiting["answers"][0]["command"])
    answered = here.act(here.gm, answer.pop("type"), **answer)
    assert answered["pending"] == []
