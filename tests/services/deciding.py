"""A campaign decided in memory, command after command, as the handler does it, but without a log.

Use it where an event loop runs.
"""

import asyncio
from typing import Any
from uuid import UUID, uuid4

from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.campaign.request import ActRequest
from domain.campaign.state import CampaignState
from domain.chain import GENESIS
from domain.dice.seeds import EpochSeeds
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from domain.stored import Head, StoredEvent
from infra.entropy import EntropyDice, MachineEntropy, machine_clock
from services.decision import Ask, decided
from services.hot import HotCampaign


class Deciding:
    """`gm` is its GM, `player` a player. `rows` are what the log would hold, `seeds` those of each epoch."""

    def __init__(self) -> None:
        self.campaign_id = CampaignId(uuid4())
        self.gm, self.player = AccountId(uuid4()), AccountId(uuid4())
        self.hot = HotCampaign(Head(seq=0, hash=GENESIS, recorded_at=0), CampaignState())
        self.rows: list[StoredEvent] = []
        self.events: list[Any] = []
        self.seeds: dict[int, EpochSeeds] = {}
        self.do(CreateCampaign("Iron Rain", [SystemId("frame_state")]))
        self.do(JoinCampaign("player", "invite-1"), self.player)

    def do(self, command: Any, who: UUID | None = None, **request: Any) -> list[Any]:
        """Somebody acts, the GM unless told otherwise; what happened. `seeds` are those the command names."""
        ask = Ask(
            campaign_id=self.campaign_id,
            account=AccountId(who or self.gm),
            action_id=ActionId(uuid4()),
            answered=asyncio.get_running_loop().create_future(),
            dice_seeds=request.pop("seeds", None),
            request=ActRequest(command=command, **request),
        )
        decision = decided(ask, self.hot, machine_clock(), EntropyDice, MachineEntropy())
        for row, event in zip(decision.rows, decision.events, strict=True):
            self.hot.advance(row, event)
        if decision.seeds is not None:
            self.hot.seeds = self.seeds[decision.seeds.epoch] = decision.seeds
        self.rows += decision.rows
        self.events += decision.events
        return decision.events

    def refused(self, command: Any, who: UUID | None = None, **request: Any) -> str:
        """The code of a refusal."""
        try:
            self.do(command, who, **request)
        except Rejection as refusal:
            return refusal.code
        raise AssertionError("it was accepted")
