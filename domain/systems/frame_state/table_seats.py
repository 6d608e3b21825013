"""Seats at the table: one Handler, at least one pilot (FS-1).

Codes: handler_exists, handler_not_a_gm, handler_required, pilot_required.
"""

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.rejection import Rejection
from domain.systems.frame_state.access import require_handler
from domain.systems.frame_state.commands import AssignRole
from domain.systems.frame_state.events import RoleAssigned, SessionStarted
from domain.systems.frame_state.state import FrameState
from domain.systems.frame_state.tables import COMPANY_SIZE


def assign_role(state: FrameState, context: CommandContext, command: AssignRole) -> list[RoleAssigned]:
    """FS-C2: seat a player. A Handler who takes a pilot's seat leaves the Handler's."""
    require_handler(context, "FS-C2")
    context.require_member(command.player)
    if command.role == "handler":
        seated_now = _handler(state, context)
        if seated_now == command.player:
            return []  # nothing changes
        if seated_now is not None:
            raise Rejection(
                "handler_exists",
                "There is already a Handler, who has to take a pilot's seat first.",
                rule="FS-C2",
            )
        if not _is_gm(command.player, context):
            raise Rejection(
                "handler_not_a_gm", "Only a GM can hold the Handler's seat: make them one first.", rule="FS-1"
            )
    elif command.player in state.pilot_seats:
        return []  # nothing changes
    return [RoleAssigned(player=command.player, role=command.role)]


def _handler(state: FrameState, context: CommandContext) -> AccountId | None:
    """The holder of the Handler's seat; None if that player has left or is no GM any more."""
    return state.handler if state.handler is not None and _is_gm(state.handler, context) else None


def _is_gm(player: AccountId, context: CommandContext) -> bool:
    """Whether a member is a GM, where that is known."""
    return context.members is None or context.members.get(player) == "gm"


def seated(state: FrameState, event: RoleAssigned) -> None:
    """Give a player this seat instead of any other."""
    if event.role == "handler":
        state.handler = event.player
        state.pilot_seats = [player for player in state.pilot_seats if player != event.player]
        return
    if state.handler == event.player:
        state.handler = None
    if event.player not in state.pilot_seats:
        state.pilot_seats.append(event.player)


def on_lifecycle_event(
    state: FrameState, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[RoleAssigned | SessionStarted]:
    """The events after a campaign event: the creator is the Handler; a session needs a Handler and a pilot."""
    match moment:
        case lifecycle_events.CampaignCreated():
            return [RoleAssigned(player=moment.created_by, role="handler")]
        case lifecycle_events.SessionStarted():
            return [session(state, context)]
        case _:
            return []


def session(state: FrameState, context: CommandContext) -> SessionStarted:
    """FS-C3: the pilots of a session.

    Raises `handler_required` or `pilot_required`; warns about the company's size.
    """
    if _handler(state, context) is None:
        raise Rejection("handler_required", "The Handler's seat is empty; give it to a GM first.", rule="FS-1")
    pilots = [pilot for pilot in sorted(state.pilots) if pilot not in context.out_of_story]
    players = {state.pilots[pilot].player_id for pilot in pilots}
    waiting = [player for player in state.pilot_seats if player not in players]
    company = len(pilots) + len(waiting)
    if company == 0:
        raise Rejection(
            "pilot_required",
            "A play session needs at least one pilot; create one, or give somebody a pilot's seat.",
            rule="FS-1",
        )
    fewest, most = COMPANY_SIZE
    warning = None
    if not fewest <= company <= most:
        count = "one pilot" if company == 1 else f"{company} pilots"
        warning = f"The company has {count}; {fewest} to {most} are recommended."
    return SessionStarted(pilots=pilots, warning=warning, company=company, recommended=[fewest, most])
