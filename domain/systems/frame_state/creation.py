"""Creates pilots, frames and NPCs, and hands pilots to players (FS-C4, FS-C5).

Codes: frame_without_pilot, frame_already_active, wrong_controller, insufficient_currency; not_your_pilot,
unknown_pilot.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import AccountId, CharacterId, derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.frame_state.access import (
    find_pilot,
    require_catalogue,
    require_handler,
    require_player_or_handler,
)
from domain.systems.frame_state.catalogue import starting_pools
from domain.systems.frame_state.commands import CreatePilot, CreateUnit
from domain.systems.frame_state.events import (
    CurrencySpent,
    FrameCreated,
    PilotAssigned,
    PilotCreated,
    UnitCreated,
)
from domain.systems.frame_state.ledger import spend
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Build, Frame, FrameState, Pilot, Pool, Unit


def create_pilot(state: FrameState, context: CommandContext, command: CreatePilot) -> list[PilotCreated]:
    """FS-C4: a sheet with the pools of pilot-owned categories and the starting currency."""
    player = command.player
    if not context.is_gm:
        player = context.account if player is None else player
        if player != context.account:
            raise Forbidden("not_your_pilot", "You may create a pilot for yourself, not for others.", rule="FS-C4")
    if player is not None:
        context.require_member(player)
    catalogue = require_catalogue(state, "FS-C4")
    settings: Settings = context.settings
    currency = settings.starting_currency
    return [
        PilotCreated(
            pilot_id=derive_id("pilot", context.action_id),
            player_id=player,
            name=command.name,
            pools=starting_pools(catalogue, "pilot"),
            currency=catalogue.starting_currency if currency is None else currency,
            background=command.background,
        )
    ]


def create_unit(
    state: FrameState, context: CommandContext, command: CreateUnit
) -> list[FrameCreated | UnitCreated | CurrencySpent]:
    """FS-C5: a pilot's machine, or an NPC of the Handler's."""
    controller = "pilot" if command.kind == "frame" else "handler"
    if command.controller not in (None, controller):
        raise Rejection(
            "wrong_controller",
            "A frame is controlled by its pilot, an NPC by the Handler.",
            rule="FS-1",
        )
    if command.kind == "npc":
        require_handler(context, "FS-C5")
        unit_id = derive_id("unit", context.action_id)
        return [UnitCreated(unit_id=unit_id, controller="handler", kind="npc", name=command.name)]
    if command.pilot is None and not state.pilots:
        raise Rejection("frame_without_pilot", "A frame needs a pilot, and there is none yet.", rule="FS-C5")
    pilot = find_pilot(state, context, command.pilot, "FS-C5")
    require_player_or_handler(pilot, context, "FS-C5")
    catalogue = require_catalogue(state, "FS-C5")
    active = state.active_frame(pilot)
    if active is not None:
        raise Rejection(
            "frame_already_active",
            say(
                "{pilot} already flies {frame}; a pilot controls one machine.", pilot=pilot.name, frame=active.name
            ),
            rule="FS-C5",
        )
    created = FrameCreated(
        frame_id=derive_id("frame", context.action_id),
        pilot_id=pilot.pilot_id,
        name=command.name,
        pools=starting_pools(catalogue, "frame"),
    )
    settings: Settings = context.settings
    price = price_of_next_frame(state, pilot)
    if settings.new_frame != "charged" or not price:
        return [created]
    return [created, spend(pilot, price, "new_frame", "FS-C5", frame_id=created.frame_id)]


def price_of_next_frame(state: FrameState, pilot: Pilot) -> int | None:
    """The price of a frame that follows a lost one, if the catalogue has one; None for any other frame."""
    price = state.catalogue.new_frame_price if state.catalogue is not None else None
    return price if price and state.lost_frame(pilot) is not None else None


def assign(state: FrameState, character: CharacterId, account: AccountId | None) -> list[PilotAssigned]:
    """Hand a pilot to another account; None leaves it without a player. The campaign checks who may do that."""
    pilot = state.pilots.get(character)
    if pilot is None:
        raise Rejection("unknown_pilot", "There is no such pilot in this campaign.")
    if pilot.player_id == account:
        return []  # nothing changes
    return [PilotAssigned(pilot=pilot.pilot_id, player_id=account)]


def pilot_created(state: FrameState, event: PilotCreated) -> None:
    """Add the pilot."""
    state.pilots[event.pilot_id] = Pilot(
        pilot_id=event.pilot_id,
        player_id=event.player_id,
        name=event.name,
        currency=event.currency,
        build=Build(pools=_fresh(event.pools)),
        background=event.background,
    )


def pilot_assigned(state: FrameState, event: PilotAssigned) -> None:
    """Set the pilot's player."""
    pilot = state.pilots.get(event.pilot)
    if pilot is not None:
        pilot.player_id = event.player_id


def unit_created(state: FrameState, event: UnitCreated) -> None:
    """Add the NPC."""
    state.units[event.unit_id] = Unit(unit_id=event.unit_id, name=event.name)


def frame_created(state: FrameState, event: FrameCreated) -> None:
    """Add a pilot's machine; where it follows a lost one, its price is due."""
    pilot = state.pilots.get(event.pilot_id)
    price = price_of_next_frame(state, pilot) if pilot is not None else None
    state.frames[event.frame_id] = Frame(
        frame_id=event.frame_id,
        pilot_id=event.pilot_id,
        name=event.name,
        build=Build(pools=_fresh(event.pools)),
        price_due=price or UNSET,
    )
    if pilot is not None and event.frame_id not in pilot.frames:
        pilot.frames.append(event.frame_id)


def _fresh(pools: dict[str, Pool]) -> dict[str, Pool]:
    """Copies of the pools for the state, because an event may be folded into several states."""
    return {id_: Pool(granted=pool.granted, advances=pool.advances) for id_, pool in pools.items()}
