"""Boards over HTTP: listed for the campaign's systems, drawn for whoever asks, and 404 for what is none."""

from domain.systems import SYSTEMS
from projections.systems import SYSTEM_VIEWS
from tests.services.conftest import Person, Table


def test_the_list_names_the_boards_of_the_campaigns_systems_and_each_can_be_looked_at(table):
    founded = table.gm.post("/campaigns", {"name": "Everything at once", "systems": [*SYSTEMS]}).json()
    path = f"/campaigns/{founded['campaign_id']}"
    page = table.gm.get(f"{path}/boards").json()
    assert [(each["system"], each["board"]) for each in page["boards"]] == [
        (system, each.board) for system in SYSTEMS for each in SYSTEM_VIEWS[system].boards
    ]
    for entry in page["boards"]:
        shown = table.gm.get(f"{path}/boards/{entry['system']}/{entry['board']}").json()
        assert shown.items() >= {"as_of": page["as_of"], **entry}.items()
        assert len(shown) > 4


def test_a_hidden_mark_is_on_nobodys_board_but_the_gms(table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    table.act(
        table.gm,
        "frame_state.call_test",
        test_type="proactive",
        mark=6,
        mark_hidden=True,
        dice=[{"attribute": "sharpness"}],
    )
    for who, mark in ((table.gm, 6), (table.player, None)):
        [test] = who.get(f"{table.path}/boards/frame_state/mission").json()["open_tests"]
        assert (test["mark"], test["mark_hidden"], test["roller"]["name"]) == (mark, True, "Mara")


def test_what_is_no_board_of_this_campaign_is_not_found(table):
    for path in ("frame_state/battle", "mobile_frame/battle", "nothing/battle", "frame_state/%20"):
        answer = table.gm.get(f"{table.path}/boards/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "board_not_found"), path
    stranger = Person(table.gm.client, "Somebody else")
    for path in ("boards", "boards/frame_state/mission"):
        answer = stranger.get(f"{table.path}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (404, "campaign_not_found"), path


def test_the_turn_board_of_freefall_shows_who_has_to_declare(table):
    founded = table.gm.post("/campaigns", {"name": "Free fall", "systems": ["freefall"]}).json()
    seat = Table(table.gm, table.player, founded["campaign_id"])
    seat.act(seat.gm, "freefall.set_time_mode", mode="bullet")
    seat.act(seat.gm, "freefall.start_turn", npcs=[{"id": "guard", "name": "The guard"}])
    shown = seat.gm.get(f"{seat.path}/boards/freefall/turn").json()
    assert (shown["title"], shown["mode"], shown["phase"]) == ("The turn", "bullet", "declaring")
    assert [(each["name"], each["seat"], each["dice_pool"]) for each in shown["seats"]] == [("The guard", None, 5)]
    assert shown["undeclared"] == ["guard"]


def test_boards_need_a_token(table):
    for path in ("boards", "boards/frame_state/mission"):
        answer = table.gm.client.get(f"/api{table.path}/{path}")
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in")
