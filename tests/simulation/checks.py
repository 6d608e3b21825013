"""What must be true when everything has settled: of the answers, of the logs, and of what hangs on them."""

from domain.campaign.storage.event_codec import decode_event
from domain.ids import CampaignId
from tests.simulation.answer_checks import wrong_answers, wrong_orders
from tests.simulation.log_checks import LogRead, wrong_folds, wrong_log
from tests.simulation.simulation import Simulation


async def check(simulation: Simulation) -> list[str]:
    """Everything that is wrong, in words."""
    log = simulation.database.log
    simulation.database.deletions.stay()  # what was deleted must be as sound as what was not
    logs: dict[CampaignId, LogRead] = {}
    for campaign_id in log.campaigns():
        rows = await log.tail(campaign_id, 0)
        logs[campaign_id] = LogRead(campaign_id, rows, [decode_event(row) for row in rows])
    wrong = [*simulation.wrong]
    for command in simulation.commands:
        found = wrong_answers(simulation, command, logs.get(command.campaign_id))
        wrong += [f"{command}: {each}" for each in found]
    wrong += wrong_orders(simulation)
    for campaign_id, read in logs.items():
        found = wrong_log(simulation, read) or await wrong_folds(simulation, read)
        wrong += [f"{campaign_id}: {each}" for each in found]
    return wrong
