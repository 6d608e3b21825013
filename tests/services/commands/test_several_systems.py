"""Several rule systems in one campaign: one table, one log, one ledger, and no system knows the others."""

from domain.systems import SYSTEMS
from tests.services.conftest import Table


def test_one_campaign_plays_every_system_on_the_shelf(table):
    founded = table.gm.post("/campaigns", {"name": "Everything at once", "systems": [*SYSTEMS]})
    assert founded.status_code == 201, founded.text
    whole = Table(table.gm, table.player, founded.json()["campaign_id"])
    view = whole.gm.get(whole.path).json()
    assert view["systems"] == [*SYSTEMS]
    prefixes = {setting["key"].partition(".")[0] for setting in view["settings"]}
    assert prefixes >= {"campaign", "frame_state"}
    whole.act(whole.gm, "frame_state.define_catalogue", preset="playtest1.2")
    whole.act(whole.gm, "frame_state.create_pilot", name="Ines Okafor")
    whole.act(whole.gm, "campaign.start_session", title="Together")
    whole.act(whole.gm, "campaign.start_scene", name="The hangar")
    whole.act(whole.gm, "campaign.advance_calendar", by={"days": 3})
    whole.act(whole.gm, "campaign.end_session")
    for path in ("", "/actions", "/events", "/sheets", "/ledger/accounts", "/statistics", "/recap"):
        assert whole.gm.get(whole.path + path).status_code == 200, path


def test_a_command_of_a_system_that_is_not_played_is_refused(table):
    others = [system for system in SYSTEMS if system != "frame_state"]
    for system in others:
        alone = table.gm.post("/campaigns", {"name": f"Only {system}", "systems": [system]}).json()
        seat = Table(table.gm, table.player, alone["campaign_id"])
        refusal = seat.refused(seat.gm, "frame_state.create_pilot", name="Ines Okafor")
        assert refusal == (422, "system_not_played")


def test_every_system_alone_starts_and_ends_a_session_or_says_what_it_needs(table):
    for system in SYSTEMS:
        alone = table.gm.post("/campaigns", {"name": f"Only {system}", "systems": [system]}).json()
        seat = Table(table.gm, table.player, alone["campaign_id"])
        started = seat.try_to(seat.gm, "campaign.start_session")
        assert started.status_code in (201, 422), started.text
        if started.status_code == 201:
            seat.act(seat.gm, "campaign.end_session")
