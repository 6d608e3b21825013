"""`…/dice`, `…/verify` and `…/checkpoint`: proofs that no event and no die was changed."""

from collections.abc import Callable

from litestar import Controller, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from msgspec import Struct

from domain.campaign.dice.audit import DiceReport
from domain.campaign.dice.returned_dice import those_known_to
from domain.campaign.secrecy.audience import GM
from projections.campaign.dice import DiceView, dice_view
from services.accounts.authentication import Principal
from services.api.openapi_roles import MEMBERS
from services.api.paths import campaign_of
from services.api.time_limit import takes_long
from services.application import Application
from services.commands.undo import SearchProgress
from services.errors import campaign_not_found
from services.integrity.checkpoints import Checkpoint, signed_checkpoint
from services.integrity.verify_log import verify_log
from services.queries.campaign_reader import VisibleCampaign


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


class ProofController(Controller):
    """Proofs."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("proof",)

    @get("/dice", summary="Seeds of the server's dice", operation_class=MEMBERS)
    async def dice(
        self,
        application: NamedDependency[Application],
        seen: NamedDependency[VisibleCampaign],
    ) -> DiceView:
        """The commitments to the server's dice, and the seeds that are public by now.

        Every server die carries its place as `proof`: `open:<epoch>:<nonce>`, or `hidden:<epoch>:<roll>:<nonce>`,
        with `:w<n>` behind it if members had added words n times. The number of a hidden roll counts those of
        others too: members who are no GMs read `hidden` instead, until the roll is proved or revealed. With the
        seed every die can be recomputed: docs/play/dice.md shows how.
        """
        return await dice_of(application, seen)

    @get("/verify", summary="Verify the log", operation_class=MEMBERS, guards=[takes_long])
    async def verified(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> LogVerified:
        """Verify the whole log: the hash of every event, and every die whose seed is public."""
        seen = await application.campaigns.see(campaign_of(campaign_id), principal.account_id)
        return await log_verified(application, seen)

    @get("/checkpoint", summary="A signed checkpoint", operation_class=MEMBERS)
    async def checkpoint(
        self,
        application: NamedDependency[Application],
        principal: NamedDependency[Principal],
        campaign_id: FromPath[str],
    ) -> Checkpoint:
        """The log's head, signed. Keep it: `fieldlog verify` then finds whether events were cut off."""
        seen = await application.campaigns.see(campaign_of(campaign_id), principal.account_id)
        return await checkpoint_of(application, seen)


async def dice_of(application: Application, seen: VisibleCampaign) -> DiceView:
    """The commitments, public seeds and waiting dice that a member may know."""
    waiting = seen.state.dice.waiting
    if waiting and not seen.audience.gm:
        whole = await application.states.at(seen.campaign_id, GM, seen.seq)
        waiting = those_known_to(seen.state.dice, whole.dice.waiting)
    return dice_view(seen.state, seen.seq, waiting=waiting, gm=seen.audience.gm)


async def log_verified(
    application: Application, seen: VisibleCampaign, progress: SearchProgress | None = None
) -> LogVerified:
    """The whole log verified, with the dice that a member may see; `progress` is updated meanwhile."""
    chain, dice = await verify_log(application.log, seen.campaign_id, seen.as_read, _noted_in(progress, seen.seq))
    return LogVerified(
        as_of=seen.seq,
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


async def checkpoint_of(application: Application, seen: VisibleCampaign) -> Checkpoint:
    """The head of a campaign's log, signed. Raises `campaign_not_found`."""
    head = await application.log.head(seen.campaign_id)
    if head is None:
        raise campaign_not_found()
    return signed_checkpoint(application.signer, seen.campaign_id, head)
