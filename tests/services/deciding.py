"""A campaign decided in memory, command after command, as the handler does it, but without a log.

Use it where an event loop runs.
"""

import asyncio
from typing import Any
from uuid import UUID, uuid4

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import SealedSeeds, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.commands.append_batch import AppendBatch
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from services.ports.clock_and_randomness import Entropy


def committed(loaded: LoadedCampaign, action: UnsealedAction, entropy: Entropy) -> list[StoredEvent]:
    """Let an action have happened and be in the log, though there is none; its rows."""
    batch = AppendBatch(action.draft.campaign_id, loaded)
    batch.add(action)
    batch.seal(entropy.salts, lambda seeds: SealedSeeds(seeds.epoch, b""))
    loaded.committed(batch.rows)
    return batch.rows


class Deciding:
    """`gm` is its GM, `player` a player. `rows` are what the log would hold, `seeds` those of each epoch."""

    def __init__(self) -> None:
        self.campaign_id = CampaignId(uuid4())
        self.gm, self.player = AccountId(uuid4()), AccountId(uuid4())
        self.hot = LoadedCampaign.new()
        self.rows: list[StoredEvent] = []
        self.events: list[Any] = []
        self.seeds: dict[int, EpochSeeds] = {}
        self.do(CreateCampaign("Iron Rain", [SystemId("frame_state")]))
        self.do(JoinCampaign("player", "invite-1"), self.player)

    def do(self, command: Any, who: UUID | None = None, **request: Any) -> list[Any]:
        """Somebody acts, the GM unless told otherwise; what happened. `seeds` are those the command names."""
        ask = PendingCommand(
            campaign_id=self.campaign_id,
            account=AccountId(who or self.gm),
            action_id=ActionId(uuid4()),
            answered=asyncio.get_running_loop().create_future(),
            dice_seeds=request.pop("seeds", None),
            request=ActRequest(command=command, **request),
        )
        [action] = decide_command(ask, self.hot, machine_clock(), EntropyDice, MachineEntropy())
        if action.events:
            self.rows += committed(self.hot, action, MachineEntropy())
        if action.seeds is not None:
            self.seeds[action.seeds.epoch] = action.seeds
        self.events += action.events
        return action.events

    def refused(self, command: Any, who: UUID | None = None, **request: Any) -> str:
        """The code of a refusal."""
        try:
            self.do(command, who, **request)
        except Rejection as refusal:
            return refusal.code
        raise AssertionError("it was accepted")
