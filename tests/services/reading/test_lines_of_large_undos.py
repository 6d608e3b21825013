"""A line of the chronicle names the first events of an action and counts the rest; its page has all of them."""

from typing import Any

import pytest

from domain.campaign.messages.undo import UndoAction
from domain.event_store_types import StoredEvent
from domain.ids import ActionId, CampaignId
from domain.systems.frame_state.commands import AwardCurrency, CreatePilot
from infra.machine.entropy import machine_clock
from projections.campaign.chronicle import EVENTS_LISTED_MAX
from projections.campaign_words.narration_history import QUOTED_MAX
from services.campaign.visible_campaign import CampaignReader
from services.history.undo import undo_or_redo
from services.reading.chronicle import Filters, actions_page
from tests.doubles.event_store import MemoryEventStore
from tests.services.campaign_followed import HOT_BYTES, CampaignFollowed, application_of, no_views
from tests.services.conftest import Table
from tests.services.undoing import undo

UNDONE = "campaign.action_undone"
PILOTS = EVENTS_LISTED_MAX + 1


def a_large_undo(table: Table) -> str:
    """A catalogue is undone with all pilots that rest on it: the undo."""
    defined = table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    for nth in range(PILOTS):
        table.act(table.gm, "frame_state.create_pilot", name=f"Pilot {nth}")
    preview = undo(table, table.gm, defined["action_id"], dry_run=True).json()
    undone = undo(table, table.gm, defined["action_id"], cascade=True, shown=preview["shown"])
    assert undone.status_code == 201, undone.text
    found: str = undone.json()["action_id"]
    return found


def test_lists_name_the_first_events_of_an_undo_and_count_them(table):
    undone = a_large_undo(table)
    table.act(table.gm, "campaign.add_note", text="on we go")
    listed: list[dict[str, Any]] = [
        each
        for path in ("/table", "/actions?limit=500", "/actions?before=9999")
        for each in table.gm.get(f"{table.path}{path}").json()["actions"]
    ]
    large = [each for each in listed if each["action_id"] == undone]
    assert len(large) == 3
    assert {(*each["events"], each["events_count"]) for each in large} == {
        (*[UNDONE] * EVENTS_LISTED_MAX, PILOTS + 1)
    }
    assert [each for each in listed if each["action_id"] != undone and "events_count" in each] == []
    whole = table.gm.get(f"{table.path}/actions/{undone}").json()
    assert whole["action"]["events"] == [UNDONE] * (PILOTS + 1)
    assert "events_count" not in whole["action"]
    assert len(whole["events"]) == PILOTS + 1


class WatchedLog:
    """A log that keeps which actions were asked for by their ids."""

    def __init__(self, log: MemoryEventStore) -> None:
        self._log = log
        self.asked_for: set[ActionId] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def actions(self, campaign_id: CampaignId, action_ids: list[ActionId]) -> list[StoredEvent]:
        self.asked_for |= {*action_ids}
        return await self._log.actions(campaign_id, action_ids)


@pytest.mark.anyio
async def test_a_line_reads_only_the_actions_that_it_quotes():
    """Each award that is undone moves money of a pilot who is undone, too, and has no name any more."""
    log = MemoryEventStore(machine_clock)
    campaign = await CampaignFollowed(log, no_views()).found()
    rows = await log.tail(campaign.id, 0)
    defined = next(row.action_id for row in rows if row.kind == "frame_state.catalogue_defined")
    for nth in range(PILOTS):
        made = await campaign.act("ana", CreatePilot(name=f"Pilot {nth}"))
        await campaign.act("ana", AwardCurrency(pilot=made["events"][0]["pilot_id"], amount=1, reason="luck"))
    count = 3 + 2 * PILOTS
    wish = UndoAction(defined, cascade=True, confirm=count)
    await undo_or_redo(application_of(campaign), campaign.id, campaign.people["ana"], wish, None)
    watched: Any = WatchedLog(log)
    reader = CampaignReader(watched, campaign.views, campaign.worker.names, HOT_BYTES)
    seen = await reader.see(campaign.id, campaign.people["mara"])
    page = await actions_page(watched, campaign.views, seen, 0, 1, Filters(), seen.seq + 1)
    assert f"and {count - QUOTED_MAX} more" in page.actions[0].summary[0]
    assert len(watched.asked_for) == QUOTED_MAX + 1
