"""What the folds of a campaign hold in memory is the campaign as it stands, however long its log is."""

import asyncio
from typing import Any
from uuid import UUID

from domain.campaign.secrecy.audience import GM
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import encode_state
from domain.event_store_types import Head, StoredEvent
from domain.ids import CampaignId
from services.application import Application
from services.campaign.state_at import StateReader
from services.ports.event_store import EventStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.services.conftest import Table, table_at
from tests.stories.memory_service import memory_service

DIGITS = 32
"""Bytes that counters may take more of, such as how many dice fell."""


def folds_in(application: Application, campaign: CampaignId) -> list[CampaignState]:
    """All states of a campaign that are in memory: for readers, and for deciding."""
    read, loaded = application.campaigns.folds.get(campaign), application.cache.get(campaign)
    assert read is not None
    deciding = [] if loaded is None else [loaded.state, *loaded.knowledge.by_audience.values()]
    return [*read.states.values(), *deciding]


def play(table: Table, rounds: int) -> None:
    """Notes and dice, open and hidden, and a note that is undone and redone; then both read."""
    for nth in range(rounds):
        for visibility in ("all", "gm"):
            note = {"command": {"type": "campaign.add_note", "text": "we go on"}, "visibility": visibility}
            roll = {"command": {"type": "campaign.roll", "notation": "2d6+1"}, "visibility": visibility}
            written = table.player.post(f"{table.path}/actions", note)
            assert table.player.post(f"{table.path}/actions", roll).status_code == 201
            if nth % 5 == 0:
                action = f"{table.path}/actions/{written.json()['action_id']}"
                assert table.gm.post(f"{action}/undo", {}).status_code == 201
                assert table.gm.post(f"{action}/redo", {}).status_code == 201
        assert table.gm.get(table.path).status_code == table.player.get(table.path).status_code == 200


def test_folds_do_not_grow_with_actions_nor_with_undos_that_are_redone():
    with memory_service(7) as client:
        table = table_at(client)
        campaign = CampaignId(UUID(table.campaign_id))
        application: Application = client.app.state.application
        play(table, 6)
        before = max(len(encode_state(state)) for state in folds_in(application, campaign))
        play(table, 20)
        after = folds_in(application, campaign)
        assert not any(state.undone or state.affected for state in after)
        assert max(len(encode_state(state)) for state in after) <= before + DIGITS


class Paged:
    """A log that is never asked for all of a campaign at once."""

    def __init__(self, log: EventStore) -> None:
        self._log = log

    def __getattr__(self, name: str) -> Any:
        return getattr(self._log, name)

    async def since(self, campaign_id: CampaignId, after: int) -> tuple[Head, list[StoredEvent]] | None:
        assert after > 0, "all of it was asked for at once"
        return await self._log.since(campaign_id, after)


def test_a_campaign_with_undos_of_which_nothing_is_stored_is_folded_page_by_page():
    with memory_service(7) as client:
        table = table_at(client)
        campaign = CampaignId(UUID(table.campaign_id))
        application: Application = client.app.state.application
        for undone in (False, True):
            play(table, 1)
            if undone:
                slip = table.act(table.gm, "campaign.add_note", text="a slip")["action_id"]
                assert table.gm.post(f"{table.path}/actions/{slip}/undo", {}).status_code == 201
            found = asyncio.run(
                StateReader(Paged(application.log), MemoryProjectionStore(MemoryEventStore(int))).latest(
                    campaign, GM
                )
            )
            assert found is not None
            head, state = found
            assert head.seq == table.seq()
            read = application.campaigns.folds.get(campaign)
            assert read is not None
            assert encode_state(state) == encode_state(read.states[GM])


def test_a_struck_action_is_held_once_by_each_fold():
    with memory_service(7) as client:
        table = table_at(client)
        campaign = CampaignId(UUID(table.campaign_id))
        play(table, 1)
        note = table.act(table.player, "campaign.add_note", text="a slip")
        assert table.gm.post(f"{table.path}/actions/{note['action_id']}/undo", {}).status_code == 201
        play(table, 2)
        assert {len(state.undone) for state in folds_in(client.app.state.application, campaign)} == {1}
