"""`fieldlog verify`: read a campaign's whole log again and say what in it is not as it was written."""

import asyncio
import os
import sys
from uuid import UUID

from domain.campaign.dice_check import DiceReport
from domain.campaign.visibility import GM
from domain.ids import CampaignId
from domain.rejection import Missing
from services.cli.refusal import EXIT_BAD_SETTING, Refused
from services.cli.serve import require_fit
from services.settings import Settings, read_settings
from services.verify import Verified, verify_log
from services.wiring.house import open_house


def verify(campaign: str) -> int:
    """Verify the hash of every event, and recompute every die whose seed is public.

    Parameters
    ----------
    campaign
        A campaign's id.

    """
    settings = read_settings(os.environ)
    require_fit(settings)
    try:
        campaign_id = CampaignId(UUID(campaign))
    except ValueError:
        raise Refused(f"{campaign!r} is no campaign's id.", EXIT_BAD_SETTING) from None
    chain, dice = asyncio.run(_verified(settings, campaign_id))
    sys.stdout.write("\n".join(told(chain, dice)) + "\n")
    return 0 if chain.bad_seq is None and not dice.faults else 1


def told(chain: Verified, dice: DiceReport) -> list[str]:
    """What was found, a line each; the last one says whether all is well."""
    lines = [
        f"{chain.events} events verified, up to {chain.head_hash.hex()}",
        f"{dice.recomputed} dice recomputed, {dice.waiting} wait for their seed",
        f"{dice.table} dice of the table, {dice.unproven} from before the first seed",
    ]
    lines += [f"seq {fault.seq}: {fault.fault.replace('_', ' ')} ({fault.about})" for fault in dice.faults]
    if chain.bad_seq is not None:
        lines.append(f"seq {chain.bad_seq} is NOT what was written; nothing behind it was looked at")
    return [*lines, "all is as it was written" if len(lines) == FINE else "this log was tampered with"]


FINE = 3
"""Lines that say what was looked at."""


async def _verified(settings: Settings, campaign_id: CampaignId) -> tuple[Verified, DiceReport]:
    async with open_house(settings) as house:
        try:
            return await verify_log(house.log, campaign_id, GM)
        except Missing:
            raise Refused(f"There is no campaign {campaign_id}.", EXIT_BAD_SETTING) from None
