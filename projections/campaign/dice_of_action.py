"""The dice of an action in one shape, whichever rules rolled them."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct

from domain.campaign.play.characters import characters
from domain.campaign.play.free_rolls import rolls
from domain.campaign.state import CampaignState
from domain.ids import CharacterId
from domain.recorded_event import RecordedEvent
from domain.systems.system import JudgedDie


class DiceRoll(Struct, frozen=True):
    """Dice that fell together, with their roller, their outcome by the rules, and the odds that they had.

    `name` is who or what rolled, `character` the same as an id where it is a character. `outcome` is a word of the
    rulebook and `odds` the exact probability of each; null where nothing is decided by these dice alone. `retold`
    dice fell in an earlier event of the campaign and are judged here.
    """

    character: CharacterId | None
    name: str
    dice: list[JudgedDie]
    outcome: str | None
    odds: dict[str, float] | None
    retold: bool


def rolls_of(records: Iterable[RecordedEvent], state: CampaignState, name: Callable[[Any], str]) -> list[DiceRoll]:
    """Every die of some events, once for each event that tells it, as their reader sees them."""
    rolls_with_actor = [(record.actor, roll) for record in records for roll in rolls(record.event) if roll.dice]
    if not rolls_with_actor:
        return []
    character_ids = {character.character for character in characters(state)}
    return [
        DiceRoll(
            character=CharacterId(roll.roller) if roll.roller in character_ids else None,
            name=name(roll.roller if roll.roller is not None else actor),
            dice=roll.dice,
            outcome=roll.outcome,
            odds=roll.odds,
            retold=roll.retold,
        )
        for actor, roll in rolls_with_actor
    ]
