"""Things of the group: each is a currency of the ledger with a name, so that it moves as money does.

Nothing of a thing appears or disappears unseen: it comes from an account of the world and goes back there. No
account but the world's owes any.

Codes: unknown_thing, not_your_account, insufficient_balance, too_many_things, and those of `ledger.check_kept`.
"""

from typing import Any

from domain.campaign.messages.things import CreateThing, MoveThing, ThingCreated, ThingEntered
from domain.campaign.money import escrow, ledger
from domain.campaign.money.ledger import Move
from domain.campaign.play.ledger_accounts import FOUND, WORLD, kind_of, owner_of
from domain.campaign.state import CampaignState, Thing
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import number, say

THINGS_MAX = 1_000
"""So many things have a name in one campaign."""

ACCOUNT, THING = About("account"), About("thing")


def _create(state: CampaignState, context: CommandContext, command: CreateThing) -> list[Any]:
    if len(state.things) >= THINGS_MAX:
        raise Rejection(
            "too_many_things", say("A campaign names up to {n} things.", n=number(THINGS_MAX)), most=THINGS_MAX
        )
    with ACCOUNT:
        ledger.require_two(FOUND, command.account)
        ledger.check_kept(state, command.account)
    thing = derive_id("thing", context.action_id)
    move = Move(thing, FOUND, command.account, command.amount, "")
    creation = ThingCreated(thing, command.name, command.kind, command.description)
    if context.is_gm:
        return [creation, ledger.entry(move, move.reason, context)]
    return [creation, ledger.pending_entry(move, context, consent=None, on_sheet=False)]


def _move(state: CampaignState, context: CommandContext, command: MoveThing) -> list[Any]:
    with THING:
        if command.thing not in state.things:
            raise Rejection("unknown_thing", "No thing of the group has that id or name.")
    with ledger.BOTH:
        ledger.require_two(command.debit, command.credit)
    with About("debit"):
        escrow.require_own(state, context, command.debit)
        ledger.check_kept(state, command.debit)
    with About("credit"):
        ledger.check_kept(state, command.credit)
    with About("debit", "thing", "amount"):
        ledger.require_balance(state, command.debit, command.thing, command.amount)
    move = Move(command.thing, command.debit, command.credit, command.amount, command.reason)
    owner = owner_of(state, command.credit)
    if context.is_gm or owner == context.account or kind_of(command.credit) == WORLD:
        return [ledger.entry(move, move.reason, context)]
    return [ledger.pending_entry(move, context, consent=owner, on_sheet=False)]


def _note(state: CampaignState, event: ThingCreated | ThingEntered) -> None:
    state.things[event.thing] = Thing(event.name, event.kind, event.description)


DECIDE: Decide[CampaignState, Any] = without_dice({CreateThing: _create, MoveThing: _move})
EVOLVE: Evolve[CampaignState] = {**each_of(ThingCreated | ThingEntered, _note)}
