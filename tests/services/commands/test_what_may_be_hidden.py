"""What tables want to keep secret they can; what would jam the table is refused before anything happens."""

from typing import Any

import pytest

from tests.services.angst_cores import CORES
from tests.services.conftest import Person, Table
from tests.services.runners import PERMANENTS, RUNNER

RENT = {"title": "Rent", "after": {"days": 1}, "clock": "game"}
NEVER = [
    ("start_session", {}),
    ("start_scene", {"name": "Behind the wall"}),
    ("start_downtime", {}),
    ("advance_calendar", {"by": {"hours": 1}}),
    ("set_setting", {"key": "campaign.language", "value": "fr"}),
    ("end_dice_epoch", {}),
]


class Secretive(Table):
    """A campaign of every system with characters, where the GM and the player ask for things hidden."""

    def __init__(self, table: Table) -> None:
        systems = ["frame_state", "freefall", "angst", "mobile_frame", "overdrive"]
        founded = table.gm.post("/campaigns", {"name": "Under", "systems": systems}).json()
        super().__init__(table.gm, table.player, founded["campaign_id"])
        code = self.gm.post(f"{self.path}/invites", {"role": "player"}).json()["code"]
        assert self.player.post(f"/invites/{code}/accept").status_code == 201
        self.own = f"account:{self.player.account_id}"
        self.act(self.gm, "frame_state.define_catalogue", preset="playtest1.2")
        self.act(self.gm, "angst.define_angst_types", types=["pride"])

    def ask(self, command: str, visibility: str = "gm", who: Person | None = None, **fields: Any) -> Any:
        body = {"command": {"type": command, **fields}, "visibility": visibility}
        return (who or self.gm).post(f"{self.path}/actions", body)

    def hide(self, command: str, visibility: str = "gm", **fields: Any) -> dict[str, Any]:
        """The first event of what is accepted hidden."""
        answer = self.ask(command, visibility, **fields)
        assert answer.status_code == 201, answer.text
        first: dict[str, Any] = answer.json()["events"][0]
        return first

    def code(self, command: str, visibility: str = "gm", **fields: Any) -> str:
        answer = self.ask(command, visibility, **fields)
        assert answer.status_code == 422, answer.text
        code: str = answer.json()["code"]
        return code

    def read_by_the_player(self) -> str:
        pages = ("", "/actions", "/events", "/sheets", "/timers", "/recap", "/statistics", "/ledger/entries")
        return "".join(self.player.get(self.path + page).text for page in pages)


@pytest.fixture
def under(table: Table) -> Secretive:
    return Secretive(table)


@pytest.mark.parametrize(("command", "fields"), NEVER)
@pytest.mark.parametrize("visibility", ["gm", "blind", "own"])
def test_what_the_table_goes_by_is_refused_hidden_and_can_be_done_openly(under, command, fields, visibility):
    under.act(under.player, "frame_state.create_pilot", name="Mara")
    before = under.seq()
    readers = under.own if visibility == "own" else visibility
    assert under.code(f"campaign.{command}", readers, **fields) == "cannot_be_hidden"
    assert under.seq() == before
    under.act(under.gm, f"campaign.{command}", **fields)


def test_what_one_player_waits_for_is_answered_where_they_read_it(under):
    """Else it would wait for them for ever."""
    timer = under.hide("campaign.schedule_timer", under.own, title="The debt", after={"days": 3})["timer_id"]
    assert under.code("campaign.cancel_timer", timer=timer) == "subject_is_open"
    assert under.code("campaign.cancel_timer", "blind", who=under.player, timer=timer) == "subject_is_open"
    under.hide("campaign.cancel_timer", under.own, timer=timer)


def test_refusals_say_in_the_language_of_the_campaign_what_to_do_instead(under):
    under.act(under.gm, "campaign.set_setting", key="campaign.language", value="fr")
    assert "note cachée" in under.ask("campaign.start_session").json()["detail"]
    assert "ouvertement" in under.ask("campaign.cancel_timer", timer="timer-1").json()["detail"]


@pytest.mark.parametrize(
    ("command", "fields"),
    [
        ("frame_state.create_unit", {"kind": "npc", "name": "Vane"}),
        ("frame_state.create_pilot", {"name": "Vane"}),
        ("freefall.create_character", {"name": "Vane", "npc": True, "permanents": PERMANENTS, **RUNNER}),
        ("freefall.create_machine", {"name": "Vane", "frm": 4, "sys": 4}),
        ("angst.create_character", {"name": "Vane", "kind": "gmc", "cores": CORES}),
        ("mobile_frame.register_loadout", {"name": "Vane", "notation": "2Rd 2B", "owner": "raiders"}),
        ("overdrive.create_character", {"name": "Vane"}),
        ("overdrive.create_mech", {"name": "Vane", "pairing": {}}),
    ],
)
def test_somebody_or_something_lies_in_ambush_in_every_system(under, command, fields):
    answer = under.ask(command, **fields)
    assert answer.json().get("code") not in {"cannot_be_hidden", "subject_is_open", "subject_not_named"}
    assert command in {"overdrive.create_mech", "mobile_frame.register_loadout"} or answer.status_code == 201
    assert "Vane" not in under.read_by_the_player()


def test_a_gm_looks_around_for_a_players_character_in_every_system(under):
    under.act(under.player, "frame_state.create_pilot", name="Mara")
    under.act(under.player, "freefall.create_character", name="Wren", permanents=PERMANENTS, **RUNNER)
    under.act(under.player, "angst.create_character", name="Ash", cores=CORES)
    under.act(under.player, "overdrive.create_character", name="Oren", stats={"will": 2})
    ids = {each["name"]: each["character"] for each in under.gm.get(f"{under.path}/sheets").json()["sheets"]}
    for character in ids.values():
        under.hide("campaign.roll", notation="d20", character=character, label="sees the wire?")
    under.hide("freefall.roll_action", dice=2, tn=12, character=ids["Wren"])
    under.hide("angst.make_test", core="mental", dn=9, character=ids["Ash"])
    assert "sees the wire?" not in under.read_by_the_player()


def test_what_a_gm_does_to_an_open_sheet_may_be_hidden(under):
    under.act(under.player, "freefall.create_character", name="Wren", permanents=PERMANENTS, **RUNNER)
    under.act(under.player, "angst.create_character", name="Ash", cores=CORES)
    ids = {each["name"]: each["character"] for each in under.gm.get(f"{under.path}/sheets").json()["sheets"]}
    under.act(under.gm, "campaign.set_setting", key="freefall.harm_chooser", value="anyone")
    harm = {"harm_type": "physical", "levels": 1, "choices": [{"option": "A"}], "character": ids["Wren"]}
    under.hide("freefall.receive_harm", **harm)
    under.hide("angst.avoid_angst", candidates=["pride"], character=ids["Ash"])
    under.hide("angst.set_core", core="mental", effective="d4", character=ids["Ash"])
    read = under.read_by_the_player()
    for secret in ("harm_suffered", "avoid_angst", "core_set"):
        assert secret not in read


def test_a_hidden_npc_rolls_against_a_players_open_test(under):
    under.act(under.player, "angst.create_character", name="Ash", cores=CORES)
    vane = under.hide("angst.create_character", name="Vane", kind="gmc", cores=CORES)["character"]
    ids = {each["name"]: each["character"] for each in under.gm.get(f"{under.path}/sheets").json()["sheets"]}
    made = under.act(under.gm, "angst.make_test", core="mental", opposed=True, character=ids["Ash"], finalise=True)
    test = made["events"][0]["test_id"]
    under.hide("angst.make_test", core="mental", opposed=True, against=test, character=vane)
    assert under.code("angst.reroll_dice", test_id=test, dice=["base"]) == "subject_is_open"


def test_a_doom_clock_runs_unseen_and_one_that_all_see_is_closed_before_all(under):
    doom = under.hide("freefall.open_clock", name="Doom", size=6)["clock"]
    seen = under.act(under.gm, "freefall.open_clock", name="Alarm", size=4)["events"][0]["clock"]
    assert under.code("freefall.close_clock", clock=seen) == "subject_is_open"
    assert under.code("freefall.close_clock") == "subject_not_named"
    under.hide("freefall.close_clock", clock=doom)
    assert "Doom" not in under.read_by_the_player()


def test_a_mission_of_one_player_begins_and_ends_hidden_and_an_open_one_does_not(under):
    under.act(under.player, "frame_state.create_pilot", name="Mara")
    (pilot,) = [each["character"] for each in under.gm.get(f"{under.path}/sheets").json()["sheets"]]
    opened = under.act(under.gm, "frame_state.start_mission", name="Ebb")["events"][0]["mission_id"]
    ended = {"payouts": {pilot: 5}}
    assert under.code("frame_state.conclude_mission", mission_id=opened, **ended) == "subject_is_open"
    under.act(under.gm, "frame_state.conclude_mission", **ended)
    night = under.hide("frame_state.start_mission", under.own, name="Night", pilots=[pilot])["mission_id"]
    under.hide("frame_state.conclude_mission", under.own, mission_id=night, **ended)
    assert "Night" in under.read_by_the_player()


def test_a_player_rolls_blind_and_keeps_what_is_theirs_from_the_table(under):
    assert under.hide("campaign.roll", "blind", who=under.player, notation="d6")["type"] == "campaign.hidden"
    under.hide("campaign.add_note", who=under.player, text="I do not trust Oren")
    timer = under.hide("campaign.schedule_timer", who=under.player, **RENT)["timer_id"]
    under.hide("campaign.cancel_timer", who=under.player, timer=timer)


def test_a_hidden_timer_is_stopped_hidden_and_orders_what_could_be_hidden(under):
    seen = under.act(under.gm, "campaign.schedule_timer", **RENT)["events"][0]["timer_id"]
    clock = under.act(under.gm, "freefall.open_clock", name="Alarm", size=4)["events"][0]["clock"]
    timer = under.hide("campaign.schedule_timer", **RENT)["timer_id"]
    assert under.code("campaign.pause_timer", timer=seen) == "subject_is_open"
    under.hide("campaign.pause_timer", timer=timer)
    closing = {"type": "order", "command": {"type": "freefall.close_clock", "clock": clock}}
    assert under.code("campaign.schedule_timer", **RENT, effect=closing) == "subject_is_open"
    under.act(under.gm, "campaign.schedule_timer", **RENT, effect=closing)
    opening = {"type": "order", "command": {"type": "freefall.open_clock", "name": "Doom", "size": 4}}
    under.hide("campaign.schedule_timer", **RENT, effect=opening)
    under.act(under.gm, "campaign.advance_calendar", by={"days": 2})
    assert "Doom" not in under.read_by_the_player()


def test_whoever_tries_ids_hidden_hears_of_a_secret_what_they_hear_of_nothing(under):
    timer = under.hide("campaign.schedule_timer", **RENT)["timer_id"]
    heard = [under.ask("campaign.cancel_timer", who=under.player, timer=each) for each in (timer, "timer-0" * 2)]
    assert len({(each.status_code, each.json()["code"], each.json()["detail"]) for each in heard}) == 1
