"""Days of the campaign's calendar on the pages that tell what happened."""

from typing import Any

from tests.services.conftest import Table
from tests.web.browser import Browser

SPAN = "1\N{EN DASH}6 January 1"


def test_days_of_the_calendar_stand_in_chronicle_action_recap_and_book(table: Table, gm: Browser):
    def passes(days: int) -> Any:
        return table.act(table.gm, "campaign.advance_calendar", by={"days": days})

    here = f"/c/{table.campaign_id}"
    table.act(table.gm, "campaign.set_setting", key="campaign.calendar", value="plain")
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    table.act(table.gm, "campaign.start_session")
    assert "January 1" not in gm.page(f"{here}/chronicle").text, "time has not moved yet"
    passes(3)
    noted = table.act(table.gm, "campaign.add_note", text="A quiet night.")
    passes(2)
    table.act(table.gm, "campaign.end_session")
    rules = [rule.text.strip() for rule in gm.page(f"{here}/chronicle").all("li", class_="rule")]
    assert "Monday, 1 January 1" in rules[0]
    assert [rule for rule in rules if "4 January 1" in rule] == ["Thursday, 4 January 1"], "the same day outside"
    assert "Thursday, 4 January 1" in gm.page(f"{here}/a/{noted['seq']}").text
    for page in ("recap", "book"):
        assert SPAN in gm.page(f"{here}/{page}").text
    recap = table.gm.get(f"{table.path}/recap").json()
    assert recap["dates"] == SPAN
    assert f"{SPAN})" in recap["text"].splitlines()[0]
