"""`fieldlog verify`: read a campaign's whole log again and say what in it is not as it was written."""

import asyncio
import os
import sys
from pathlib import Path
from uuid import UUID

import msgspec

from domain.campaign.dice_check import DiceReport
from domain.campaign.visibility import GM
from domain.ids import CampaignId
from domain.rejection import Missing
from services.checkpoints import Checkpoint, signed_text
from services.cli.attached import attached
from services.cli.refusal import EXIT_BAD_SETTING, Refused
from services.settings import Settings, read_settings
from services.verify import Verified, verify_log
from services.wiring.house import open_house
from services.wiring.keys import is_signed


def verify(campaign: str, *, checkpoint: Path | None = None) -> int:
    """Verify the hash of every event, and recompute every die whose seed is public.

    Parameters
    ----------
    campaign
        A campaign's id.
    checkpoint
        A file with what `GET …/checkpoint` once answered: the log must have gone on from there.

    """
    try:
        campaign_id = CampaignId(UUID(campaign))
    except ValueError:
        raise Refused(f"{campaign!r} is no campaign's id.", EXIT_BAD_SETTING) from None
    kept = None if checkpoint is None else read_checkpoint(checkpoint)
    with attached(read_settings(os.environ)) as settings:
        lines = asyncio.run(_told(settings, campaign_id, kept))
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if lines[-1] == SOUND else 1


SOUND = "all is as it was written"


def read_checkpoint(path: Path) -> Checkpoint:
    """A checkpoint from a file. Raises Refused."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except (OSError, msgspec.MsgspecError) as failure:
        raise Refused(f"{path} is no checkpoint: {failure}.", EXIT_BAD_SETTING) from None


def told(chain: Verified, dice: DiceReport) -> list[str]:
    """What was looked at, and a line for each thing that is not as it should be."""
    lines = [
        f"{chain.events} events verified, up to {chain.head_hash.hex()}",
        f"{dice.recomputed} dice recomputed, {dice.waiting} wait for their seed",
        f"{dice.table} dice of the table, {dice.unproven} from before the first seed",
    ]
    lines += [f"seq {fault.seq}: {fault.fault.replace('_', ' ')} ({fault.about})" for fault in dice.faults]
    if chain.bad_seq is not None:
        lines.append(f"seq {chain.bad_seq} is NOT what was written; nothing behind it was looked at")
    return lines


def told_of(kept: Checkpoint, campaign_id: CampaignId, public_key: bytes, seen: bytes | None) -> str:
    """Whether a checkpoint is this service's and the log went on from it; `seen` is the hash at its seq now."""
    text = signed_text(kept.campaign_id, kept.seq, kept.hash, kept.at)
    if kept.campaign_id != campaign_id:
        return "the checkpoint is ANOTHER campaign's"
    if kept.public_key != public_key.hex():
        return "the checkpoint was signed by ANOTHER service"
    if not is_signed(text, _bytes(kept.signature), public_key):
        return "the checkpoint is NOT what the service signed"
    if seen is None:
        return f"the log ends BEFORE seq {kept.seq}, where the checkpoint saw it"
    if seen.hex() != kept.hash:
        return f"seq {kept.seq} is NOT what the checkpoint saw"
    return f"the checkpoint of seq {kept.seq} holds"


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


async def _told(settings: Settings, campaign_id: CampaignId, kept: Checkpoint | None) -> list[str]:
    async with open_house(settings) as house:
        try:
            chain, dice = await verify_log(house.log, campaign_id, GM)
        except Missing:
            raise Refused(f"There is no campaign {campaign_id}.", EXIT_BAD_SETTING) from None
        lines = told(chain, dice)
        sound = chain.bad_seq is None and not dice.faults
        if kept is not None:
            there = await house.log.tail(campaign_id, kept.seq - 1, limit=1) if kept.seq > 0 else []
            line = told_of(kept, campaign_id, house.signer.public_key, there[0].hash if there else None)
            sound = sound and line.endswith("holds")
            lines.append(line)
        return [*lines, SOUND if sound else "this log is NOT as it was written"]
