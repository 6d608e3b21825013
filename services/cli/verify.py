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
from domain.one_line import with_controls_written
from domain.rejection import Missing
from services.campaign.verify_log import SoundPart, stale_audiences, verify_log
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.progress import Progress
from services.integrity.checkpoints import Checkpoint, signed_text
from services.settings import Settings, read_settings
from services.transfer.uploaded_export import verified
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
    stored_checkpoint = None if checkpoint is None else read_checkpoint(checkpoint)
    try:
        campaign_id = CampaignId(UUID(campaign))
    except ValueError:
        with Progress(f"verifying {campaign}"):
            lines = lines_of_file(Path(campaign), stored_checkpoint)
        return _print_lines(lines)
    with attached(read_settings(os.environ)) as settings, Progress("verifying") as progress:
        lines = asyncio.run(_verify_campaign(settings, campaign_id, stored_checkpoint, progress))
    return _print_lines(lines)


SOUND = "all is as it was written"
UNSOUND = "this log is NOT as it was written"


def _print_lines(lines: list[str]) -> int:
    sys.stdout.write("".join(f"{with_controls_written(line)}\n" for line in lines))
    return 0 if lines[-1] == SOUND else 1


def read_checkpoint(path: Path) -> Checkpoint:
    """A checkpoint from a file. Raises Refused."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except (OSError, msgspec.MsgspecError) as failure:
        raise Refused(f"{path} is no checkpoint: {failure}.", EXIT_BAD_SETTING) from None


def report_lines(chain: SoundPart, dice: DiceReport) -> list[str]:
    """The extent of a verification, and a line for each difference."""
    lines = [
        f"{chain.events} events verified, up to {chain.head_hash.hex()}",
        f"{dice.recomputed} dice recomputed, {dice.waiting} wait for their seed",
        f"{dice.table} dice of the table, {dice.unproven} from before the first seed",
    ]
    lines += [f"seq {fault.seq}: {fault.fault.replace('_', ' ')} ({fault.about})" for fault in dice.faults]
    if chain.bad_seq is not None:
        lines.append(f"seq {chain.bad_seq} is NOT what was written; nothing behind it was looked at")
    return lines


def checkpoint_line(
    checkpoint: Checkpoint, campaign_id: CampaignId, public_key: bytes, current_hash: bytes | None
) -> str:
    """Whether a checkpoint is this service's and the log continues it; `current_hash` is that at its seq."""
    text = signed_text(checkpoint.campaign_id, checkpoint.seq, checkpoint.hash, checkpoint.at)
    if checkpoint.campaign_id != campaign_id:
        return "the checkpoint is ANOTHER campaign's"
    if checkpoint.public_key != public_key.hex():
        return "the checkpoint was signed by ANOTHER service"
    if not is_signed(text, _bytes(checkpoint.signature), public_key):
        return "the checkpoint is NOT what the service signed"
    if current_hash is None:
        return f"the log ends BEFORE seq {checkpoint.seq}, where the checkpoint saw it"
    if current_hash.hex() != checkpoint.hash:
        return f"seq {checkpoint.seq} is NOT what the checkpoint saw"
    return f"the checkpoint of seq {checkpoint.seq} holds"


def _bytes(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


async def _verify_campaign(
    settings: Settings, campaign_id: CampaignId, checkpoint: Checkpoint | None, progress: Progress
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
        lines = report_lines(chain, dice)
        sound = chain.bad_seq is None and not dice.faults
        if checkpoint is not None:
            there = (
                await application.log.tail(campaign_id, checkpoint.seq - 1, limit=1) if checkpoint.seq > 0 else []
            )
            line = checkpoint_line(
                checkpoint, campaign_id, application.signer.public_key, there[0].hash if there else None
            )
            sound = sound and line.endswith("holds")
            lines.append(line)
        progress.doing = "comparing stored views"
        for audience in await stale_audiences(application.log, application.views, campaign_id) if sound else []:
            sound = False
            lines.append(f"what is stored for {audience} is NOT what the log says: run fieldlog rebuild-views")
        return [*lines, SOUND if sound else UNSOUND]


def lines_of_file(path: Path, checkpoint: Checkpoint | None) -> list[str]:
    """The same for an export. Raises Refused if there is no such file."""
    try:
        with path.open("rb") as file:
            outcome = verified(file, watched=0 if checkpoint is None else checkpoint.seq)
    except OSError as failure:
        neither = f"{str(path)!r} is neither a campaign's id nor a file that can be read: {failure.strerror}."
        raise Refused(neither, EXIT_BAD_SETTING) from None
    check, header = outcome.check, outcome.check.header
    if header is None or outcome.dice is None:
        assert outcome.fault is not None
        return [f"{outcome.fault.message}", UNSOUND]
    bad = check.seq + 1 if outcome.fault is not None else None
    lines = [
        f"“{header.name}”, as a {header.role} may see it, exported {header.exported_at}",
        *report_lines(SoundPart(check.seq, check.hash, None), outcome.dice),
    ]
    if check.hidden:
        lines.append(f"{check.hidden} events are hidden from this export's reader")
    if check.unlinked:
        lines.append(f"the place of {check.unlinked} of them can be checked in a GM's export only")
    sound = outcome.fault is None and not outcome.dice.faults
    if outcome.fault is not None:
        lines.append(f"{outcome.fault.message} ({outcome.fault.code}); first bad seq: {bad}")
    if check.checkpoint is not None:
        sound = _is_signed(signed := Checkpoint(**structs.asdict(check.checkpoint))) and sound
        whose = f"by the service with the key {signed.public_key}"
        lines.append(f"signed {whose}" if _is_signed(signed) else f"NOT signed {whose}")
    if checkpoint is not None:
        line = checkpoint_line(checkpoint, header.campaign_id, _bytes(checkpoint.public_key), outcome.watched)
        sound = sound and line.endswith("holds")
        lines.append(line)
    return [*lines, SOUND if sound else UNSOUND]


def _is_signed(checkpoint: Checkpoint) -> bool:
    text = signed_text(checkpoint.campaign_id, checkpoint.seq, checkpoint.hash, checkpoint.at)
    return is_signed(text, _bytes(checkpoint.signature), _bytes(checkpoint.public_key))
