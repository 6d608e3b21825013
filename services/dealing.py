"""A command decided with the dice of its campaign, and what that means for its dice epoch."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from domain.asked import Asked
from domain.campaign import dice_epochs, knowledge
from domain.campaign.dice_origins import chosen_dice
from domain.dice.seeds import EpochSeeds
from domain.ids import CampaignId
from services.hot import HotCampaign
from services.ports import DiceCup, Entropy


class Dealt(Struct, frozen=True, gc=False):
    """What happens, with who may read each event, and the seeds of the dice epoch that begins with it."""

    events: list[Any]
    visibilities: list[str]
    seeds: EpochSeeds | None
    game_time: int


def deal(
    campaign_id: CampaignId,
    hot: HotCampaign,
    asked: Asked,
    typed: Sequence[tuple[int, int]] | None,
    unproven: DiceCup,
    entropy: Entropy,
) -> Dealt:
    """Decide a command on the campaign in memory, which is left as it is. Raises `Rejection`.

    `typed` are dice of the table; `unproven` gives the service's until the campaign's first epoch.
    """
    drawn, seeds = hot.state.dice, hot.seeds
    server = dice_epochs.server_dice(drawn, seeds, unproven, hidden=asked.visibility != "all")
    dice = chosen_dice(hot.state, typed, server)
    made = knowledge.decide(hot.state, hot.knowledge, asked, asked.visibility, dice)
    events = made.events
    dice_epochs.require_all_kept(dice, events)

    def fresh(epoch: int) -> EpochSeeds:
        return EpochSeeds(campaign_id, epoch, entropy.salts(), entropy.salts())

    about_dice, started = dice_epochs.closing(drawn, events, seeds, fresh)
    # Whatever the action, what it says about seeds is nobody's secret.
    visibilities = made.visibilities + ["all"] * len(about_dice)
    return Dealt([*events, *about_dice], visibilities, started, made.game_time)
