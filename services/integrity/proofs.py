"""Proofs that no event and no die was changed."""

from collections.abc import Callable

from msgspec import Struct

from domain.campaign.dice.audit import DiceReport
from domain.campaign.dice.dice_after_undo import those_known_to
from domain.campaign.secrecy.audience import GM
from projections.campaign.dice import DiceView, dice_view
from services.campaign.verify_log import verify_log
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import campaign_not_found
from services.integrity.checkpoints import Checkpoint, signed_checkpoint
from services.ports.crypto import Signer
from services.reading.read_dependencies import Readers
from services.runtime.progress import SearchProgress


class LogVerified(Struct, frozen=True):
    """The result of verifying the log from its first event to its last.

    `sound`: everything is as it was written; if not, `bad_seq` is the first seq whose link is broken, and
    `dice.faults` are the errors in the dice that you may see.
    """

    as_of: int
    sound: bool
    events: int
    head_hash: str
    bad_seq: int | None
    dice: DiceReport


async def dice_of(parts: Readers, campaign: VisibleCampaign) -> DiceView:
    """The commitments, public seeds and waiting dice that a member may know."""
    waiting = campaign.state.dice.waiting
    if waiting and not campaign.audience.gm:
        whole = await parts.states.at(campaign.campaign_id, GM, campaign.seq)
        waiting = those_known_to(campaign.state.dice, whole.dice.waiting)
    return dice_view(campaign.state, campaign.seq, waiting=waiting, gm=campaign.audience.gm)


async def log_verified(
    parts: Readers, campaign: VisibleCampaign, progress: SearchProgress | None = None
) -> LogVerified:
    """The whole log verified, with the dice that a member may see; `progress` is updated meanwhile."""
    chain, dice = await verify_log(
        parts.log, campaign.campaign_id, campaign.as_read, _noted_in(progress, campaign.seq)
    )
    return LogVerified(
        as_of=campaign.seq,
        sound=chain.bad_seq is None and not dice.faults,
        events=chain.events,
        head_hash=chain.head_hash.hex(),
        bad_seq=chain.bad_seq,
        dice=dice,
    )


def _noted_in(progress: SearchProgress | None, events: int) -> Callable[[int], None]:
    """Notes how many of the events were read."""

    def note(seq: int) -> None:
        if progress is not None:
            progress.searched, progress.of = seq, max(seq, events)

    return note


async def checkpoint_of(parts: Readers, signer: Signer, campaign: VisibleCampaign) -> Checkpoint:
    """The head of a campaign's log, signed. Raises `campaign_not_found`."""
    head = await parts.log.head(campaign.campaign_id)
    if head is None:
        raise campaign_not_found()
    return signed_checkpoint(signer, campaign.campaign_id, head)
