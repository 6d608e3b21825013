"""The dice that members keep by name in a campaign: seen by no one else, whatever their role."""

from collections.abc import Callable

from domain.campaign.play.free_rolls import notation_of_campaign
from domain.campaign.play.saved_rolls import SavedRoll, with_roll, without_roll
from domain.dice.roll_input import read
from domain.personal_text import NAME_MAX
from services.campaign.visible_campaign import VisibleCampaign
from services.errors import campaign_busy
from services.ports.saved_roll_store import SavedRollStore

TRIES = 5


async def saved_rolls(store: SavedRollStore, campaign: VisibleCampaign) -> list[SavedRoll]:
    """The reader's own rolls by name; none where a GM reads as another member."""
    if campaign.shown_to is not None:
        return []
    return await store.of_member(campaign.campaign_id, campaign.account)


async def save_roll(
    store: SavedRollStore,
    campaign: VisibleCampaign,
    name: str,
    notation: str,
    dialect: str | None = None,
    was: str | None = None,
) -> SavedRoll:
    """Save dice in their canonical form by a name; an empty one becomes their label, else their notation.

    `was` is the name that they had before. Raises what `read` and `with_roll` do.
    """
    reading = read(notation, notation_of_campaign(campaign.state) if dialect is None else dialect)
    roll = SavedRoll((name.strip() or reading.label or reading.notation)[:NAME_MAX], reading.notation)
    await _change(store, campaign, lambda rolls: with_roll(rolls, roll, was))
    return roll


async def delete_roll(store: SavedRollStore, campaign: VisibleCampaign, name: str) -> None:
    """Delete saved dice, if there are any of that name."""
    await _change(store, campaign, lambda rolls: without_roll(rolls, name))


async def _change(
    store: SavedRollStore, campaign: VisibleCampaign, change: Callable[[list[SavedRoll]], list[SavedRoll]]
) -> None:
    """Change what is stored, in another window too. Raises `campaign_busy` where that does not end."""
    for _ in range(TRIES):
        before = await store.of_member(campaign.campaign_id, campaign.account)
        if await store.replace(campaign.campaign_id, campaign.account, before, change(before)):
            return
    raise campaign_busy()
