"""What people do with things of the group, drawn at random."""

from random import Random
from typing import Any

from domain.campaign.messages.escrow import PostPending, VoidPending
from domain.campaign.messages.things import CreateThing, MoveThing, Share, Split
from domain.campaign.play.characters import characters
from domain.campaign.play.ledger_accounts import FOUND, USED_UP, holders, purse_of
from domain.campaign.state import CampaignState


def about_things(chance: Random, state: CampaignState) -> Any:
    """A command that brings a thing in, hands it over, uses it up, splits it, or answers what is set aside."""
    accounts = [*(purse_of(each.character) for each in characters(state)), "group", "dock"]
    account, other = chance.choice(accounts), chance.choice(accounts)
    created = CreateThing(
        f"Thing {len(state.things)}", account, chance.randint(1, 5), "gear", "Of brass", new=True
    )
    if not state.things or chance.random() < 0.3:
        return created
    thing = chance.choice([*state.things])
    debit = chance.choice([*holders(state, thing), account])
    answered = [entry.entry_id for entry in state.pending_entries.values() if entry.currency == thing]
    return chance.choice(
        [
            *[MoveThing(thing, debit, other, reason=chance.choice(["", "Yours now"]), new=True)] * 3,
            MoveThing(thing, debit, USED_UP),
            MoveThing(thing, FOUND, account, chance.randint(1, 3), new=True),
            *[Split(thing, debit, [Share("group"), Share(account, 2)], chance.randint(1, 3), new=True)] * 2,
            *[PostPending(entry) for entry in answered] * 2,
            *[VoidPending(entry) for entry in answered],
        ]
    )
