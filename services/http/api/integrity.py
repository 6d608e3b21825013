"""`…/dice`, `…/verify` and `…/checkpoint`: proofs that no event and no die was changed."""

from litestar import Controller, get
from litestar.di import NamedDependency

from projections.campaign.dice import DiceView
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.api.caller import CampaignCaller
from services.http.api.openapi_roles import MEMBERS
from services.http.middleware.time_limit import takes_long
from services.integrity.checkpoints import Checkpoint
from services.integrity.proofs import LogVerified, checkpoint_of, dice_of, log_verified


class ProofController(Controller):
    """Proofs."""

    path = "/api/campaigns/{campaign_id:str}"
    tags = ("proof",)

    @get("/dice", summary="Seeds of the server's dice", operation_class=MEMBERS)
    async def dice(
        self,
        application: NamedDependency[Application],
        visible: NamedDependency[VisibleCampaign],
    ) -> DiceView:
        """The commitments to the server's dice, and the seeds that are public by now.

        Every server die carries its place as `proof`: `open:<epoch>:<nonce>`, or `hidden:<epoch>:<roll>:<nonce>`,
        with `:w<n>` behind it if members had added words n times. The number of a hidden roll counts those of
        others too: members who are no GMs read `hidden` instead, until the roll is proved or revealed. With the
        seed every die can be recomputed: docs/play/dice.md shows how.
        """
        return await dice_of(application, visible)

    @get("/verify", summary="Verify the log", operation_class=MEMBERS, guards=[takes_long])
    async def verified(self, asker: NamedDependency[CampaignCaller]) -> LogVerified:
        """Verify the whole log: the hash of every event, and every die whose seed is public."""
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return await log_verified(asker.application, campaign)

    @get("/checkpoint", summary="A signed checkpoint", operation_class=MEMBERS)
    async def checkpoint(self, asker: NamedDependency[CampaignCaller]) -> Checkpoint:
        """The log's head, signed. Keep it: `fieldlog verify` then finds whether events were cut off."""
        campaign = await asker.application.campaigns.see(asker.campaign_id, asker.account)
        return await checkpoint_of(asker.application, asker.application.signer, campaign)
