"""Advancement: points bought between missions, and the ledger of the price of a frame's (FS-11, FS-12).

Codes: advance_limit_reached, in_debt, insufficient_currency.
"""

from domain.command_context import CommandContext
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.frame_state.access import (
    find_pilot,
    require_between_missions,
    require_catalogue,
    require_player_of,
)
from domain.systems.frame_state.attributes import advances, pool_maximum, unspent
from domain.systems.frame_state.catalogue import build_of, find_category, holder_of
from domain.systems.frame_state.commands import AdvanceCategory
from domain.systems.frame_state.events import CategoryAdvanced, CurrencySpent, UpgradeCostRecorded
from domain.systems.frame_state.ledger import spend
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState, Pool
from domain.systems.frame_state.term_words import money, name_of_key


def advance_category(
    state: FrameState, context: CommandContext, command: AdvanceCategory
) -> list[CurrencySpent | CategoryAdvanced | UpgradeCostRecorded]:
    """FS-C12: pay the category's price for one point more, for good."""
    catalogue = require_catalogue(state, "FS-C12")
    pilot = find_pilot(state, context, command.pilot, "FS-C12")
    require_player_of(pilot, context, "FS-C12")
    category = find_category(catalogue, command.category, "FS-C12")
    holder = holder_of(state, pilot, category, "FS-C12")
    require_between_missions(state, pilot, "FS-C12")
    bought = advances(holder.build, command.category)
    if bought >= category.advance_limit:
        raise Rejection(
            "advance_limit_reached",
            say(
                "No advance of {category} is left: its limit is {limit}.",
                category=name_of_key(command.category),
                limit=category.advance_limit,
            ),
            rule="FS-11",
        )
    settings: Settings = context.settings
    if settings.mission_costs == "public" and pilot.currency < 0:
        raise Rejection(
            "in_debt",
            say(
                "{pilot} owes {debt}: debts have to be paid before anything is advanced.",
                pilot=pilot.name,
                debt=money(-pilot.currency),
            ),
            rule="FS-W1",
        )
    spent = spend(pilot, category.cost, "advancement", "FS-11", frame=holder.frame, category=command.category)
    advanced = CategoryAdvanced(
        pilot=pilot.pilot_id,
        frame=holder.frame_id,
        category=command.category,
        cost=category.cost,
        advances_after=bought + 1,
        maximum_after=pool_maximum(holder.build, command.category) + 1,
        unspent_after=unspent(holder.build, command.category, category) + 1,
        explanation=command.explanation,
    )
    if holder.frame is None:
        return [spent, advanced]
    cost_record = UpgradeCostRecorded(
        frame=holder.frame.frame_id,
        category=command.category,
        amount=category.cost,
        total_after=holder.frame.upgrade_cost_total + category.cost,
    )
    return [spent, advanced, cost_record]


def category_advanced(state: FrameState, event: CategoryAdvanced) -> None:
    """Add one advance, up to the limit."""
    build = build_of(state, event.pilot, event.frame)
    if build is None:
        return
    pool = build.pools.setdefault(event.category, Pool(granted=0))
    category = state.catalogue.categories.get(event.category) if state.catalogue is not None else None
    limit = category.advance_limit if category is not None else pool.advances + event.points
    pool.advances = max(pool.advances, min(pool.advances + event.points, limit))


def upgrade_cost_recorded(state: FrameState, event: UpgradeCostRecorded) -> None:
    """Add to the frame's ledger, in sum and by category (FS-W2)."""
    frame = state.frames.get(event.frame)
    if frame is not None:
        frame.upgrade_cost_total += event.amount
        frame.upgrade_costs[event.category] = frame.upgrade_costs.get(event.category, 0) + event.amount
