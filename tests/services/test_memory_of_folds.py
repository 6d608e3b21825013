"""What the folds of a campaign hold in memory is the campaign as it stands, however long its log is."""

from uuid import UUID

from domain.campaign.snapshot import freeze
from domain.campaign.state import CampaignState
from domain.ids import CampaignId
from services.house import House
from tests.services.conftest import Table, table_at
from tests.stories.memory_service import memory_service

DIGITS = 32
"""Bytes that counters may take more of, such as how many dice fell."""


def folds_in(house: House, campaign: CampaignId) -> list[CampaignState]:
    """All states of a campaign that are in memory: for readers, and for deciding."""
    read, loaded = house.reading.folds.get(campaign), house.cache.get(campaign)
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
        house: House = client.app.state.house
        play(table, 6)
        before = max(len(freeze(state)) for state in folds_in(house, campaign))
        play(table, 20)
        after = folds_in(house, campaign)
        assert not any(state.undone or state.affected for state in after)
        assert max(len(freeze(state)) for state in after) <= before + DIGITS


def test_a_struck_action_is_held_once_by_each_fold():
    with memory_service(7) as client:
        table = table_at(client)
        campaign = CampaignId(UUID(table.campaign_id))
        play(table, 1)
        note = table.act(table.player, "campaign.add_note", text="a slip")
        assert table.gm.post(f"{table.path}/actions/{note['action_id']}/undo", {}).status_code == 201
        play(table, 2)
        assert {len(state.undone) for state in folds_in(client.app.state.house, campaign)} == {1}
