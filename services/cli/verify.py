"""`fieldlog verify`: verify a campaign's whole log, or an export of it, and report differences."""

import asyncio
import os
import sys
from pathlib import Path
from uuid import UUID

import msgspec
from msgspec import structs

from domain.campaign.dice.audit import DiceReport
from domain.ids import CampaignId
from domain.rejection import Missing
from services.cli.database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.integrity.checkpoints import Checkpoint, signed_text
from services.integrity.verify_log import Verified, stale_audiences, verify_log
from services.settings import Settings, read_settings
from services.transfer.export_file import verified
from services.wiring.application import open_application
from services.wiring.keys import is_signed


def verify(campaign: str, *, checkpoint: Path | None = None) -> int:
    """Verify the hash of every event, recompute every die whose seed is public, and compare stored views.

    An export is verified from the file alone; nothing needs to run.

    Parameters
    ----------
    campaign
        A campaign's id, or the file of an export (as it is, or compressed by gzip).
    checkpoint
        A file with what `GET …/checkpoint` once answered: the log must have gone on from there.

    """
    kept = None if checkpoint is None else read_checkpoint(checkpoint)
    try:
        campaign_id = CampaignId(UUID(campaign))
    except ValueError:
        with Progress(f"verifying {campaign}"):
            lines = told_of_file(Path(campaign), kept)
        return _said(lines)
    with attached(read_settings(os.environ)) as settings, Progress("verifying") as progress:
        lines = asyncio.run(_told(settings, campaign_id, kept, progress))
    return _said(lines)


SOUND = "all is as it was written"
UNSOUND = "this log is NOT as it was written"


def _said(lines: list[str]) -> int:
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if lines[-1] == SOUND else 1


def read_checkpoint(path: Path) -> Checkpoint:
    """A checkpoint from a file. Raises Refused."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except (OSError, msgspec.MsgspecError) as failure:
        raise Refused(f"{path} is no checkpoint: {failure}.", EXIT_BAD_SETTING) from None


def told(chain: Verified, dice: DiceReport) -> list[str]:
    """What was verified, and a line for each difference."""
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
    """Whether a checkpoint is this service's and the log continues it; `seen` is the current hash at its seq."""
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


async def _told(
    settings: Settings, campaign_id: CampaignId, kept: Checkpoint | None, progress: Progress
) -> list[str]:
    async with open_application(settings) as application:
        try:
            head = await application.log.head(campaign_id)
            last = None if head is None else head.seq
            chain, dice = await verify_log(
                application.log, campaign_id, reached=lambda seq: progress.reached(seq, last)
            )
        except Missing:
            raise Refused(f"There is no campaign {campaign_id}.", EXIT_BAD_SETTING) from None
        lines = told(chain, dice)
        sound = chain.bad_seq is None and not dice.faults
        if kept is not None:
            there = await application.log.tail(campaign_id, kept.seq - 1, limit=1) if kept.seq > 0 else []
            line = told_of(kept, campaign_id, application.signer.public_key, there[0].hash if there else None)
            sound = sound and line.endswith("holds")
            lines.append(line)
        progress.doing = "comparing stored views"
        for audience in await stale_audiences(application.log, application.views, campaign_id) if sound else []:
            sound = False
            lines.append(f"what is stored for {audience} is NOT what the log says: run fieldlog rebuild-views")
        return [*lines, SOUND if sound else UNSOUND]


def told_of_file(path: Path, kept: Checkpoint | None) -> list[str]:
    """The same for an export. Raises Refused if there is no such file."""
    try:
        with path.open("rb") as file:
            found = verified(file, watched=0 if kept is None else kept.seq)
    except OSError as failure:
        neither = f"{str(path)!r} is neither a campaign's id nor a file that can be read: {failure.strerror}."
        raise Refused(neither, EXIT_BAD_SETTING) from None
    check, header = found.check, found.check.header
    if header is None or found.dice is None:
        assert found.fault is not None
        return [f"{found.fault.message}", UNSOUND]
    bad = check.seq + 1 if found.fault is not None else None
    lines = [
        f"“{header.name}”, as a {header.role} may see it, exported {header.exported_at}",
        *told(Verified(check.seq, check.hash, None), found.dice),
    ]
    if check.hidden:
        lines.append(f"{check.hidden} events are hidden from this export's reader")
    if check.unlinked:
        lines.append(f"the place of {check.unlinked} of them can be checked in a GM's export only")
    sound = found.fault is None and not found.dice.faults
    if found.fault is not None:
        lines.append(f"{found.fault.message} ({found.fault.code}); first bad seq: {bad}")
    if check.checkpoint is not None:
        sound = _is_signed(signed := Checkpoint(**structs.asdict(check.checkpoint))) and sound
        whose = f"by the service with the key {signed.public_key}"
        lines.append(f"signed {whose}" if _is_signed(signed) else f"NOT signed {whose}")
    if kept is not None:
        line = told_of(kept, header.campaign_id, _bytes(kept.public_key), found.watched)
        sound = sound and line.endswith("holds")
        lines.append(line)
    return [*lines, SOUND if sound else UNSOUND]


def _is_signed(kept: Checkpoint) -> bool:
    text = signed_text(kept.campaign_id, kept.seq, kept.hash, kept.at)
    return is_signed(text, _bytes(kept.signature), _bytes(kept.public_key))
