"""The last dice that a reader threw this evening, from the log."""

from collections import Counter
from datetime import timedelta

from msgspec import Struct

from domain.campaign.commands import RollDice
from domain.campaign.events import DiceRolled
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.ports.projection_store import ProjectionStore
from services.reading.chronicle import Filters, indexed_actions
from services.reading.parameters import MICROSECOND

ROLLS_MAX = 10
ACTIONS_READ = 30
"""The same dice again are listed once: so many actions are looked through."""
EVENING = timedelta(hours=12)


class OwnRoll(Struct, frozen=True):
    """Dice that the reader threw, in canonical form, and what for."""

    notation: str
    label: str | None


async def rolls_of_evening(log: EventStore, views: ProjectionStore, campaign: VisibleCampaign) -> list[OwnRoll]:
    """The free rolls of a reader within an evening until now, each once, the newest first."""
    filters = Filters(actor=campaign.account, type=str(RollDice.__struct_config__.tag))
    actions, _ = await indexed_actions(log, views, campaign, 0, ACTIONS_READ, filters, campaign.seq + 1)
    began = await log.now() - EVENING // MICROSECOND
    rolls: dict[OwnRoll, None] = {}
    for rows in actions:
        if rows[0].recorded_at < began:
            break
        fallen = [event for event in (campaign.read(row).event for row in rows) if isinstance(event, DiceRolled)]
        for (notation, label), times in Counter((event.notation, event.label) for event in fallen).items():
            rolls[OwnRoll(notation if times == 1 else f"{times}#{notation}", label)] = None
    return [*rolls][:ROLLS_MAX]
