"""Everything the table waits for: rolls, the Handler's answers, and frames that are not paid for yet (1.6, 2.1).

A choice that is no longer possible waits for the Handler to cancel it; requests for a lost frame do not wait.
"""

from domain.ids import AccountId
from domain.rejection import Rejection
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Frame, FrameState, Pilot, Proposal, Replacement, Test
from domain.systems.frame_state.test_modifiers import counted_modifiers, offered_dice, require_dice
from domain.systems.system import Pending


def pending(state: FrameState) -> list[Pending]:
    """Tests wait for a roll; proposals and replacements wait for the Handler."""
    rolls = [_test(state, test) for test in state.tests if test.roller == "pilot"] if state.tests else []
    if not (state.proposals or state.replacements):
        return rolls
    proposals = [
        Pending.of(_answered_by(state, proposal), proposal.proposal_id, None) for proposal in state.proposals
    ]
    replacements = [
        Pending.of("replace_frame", replacement.old, None)
        for replacement in state.replacements
        if stands(state, replacement)
    ]
    return [*rolls, *proposals, *replacements]


def also_pending(state: FrameState, settings: Settings) -> list[Pending]:
    """Choices by settings: rolls of NPCs, and payment for a new frame."""
    choices = []
    if state.tests:
        kind = "roll_test" if settings.handler_rolls else "cancel_test"
        choices = [Pending.of(kind, test.test_id, None) for test in state.tests if test.roller == "npc"]
    if settings.new_frame == "on_replacement":
        return choices
    for pilot in state.pilots.values():
        due = due_of(state, pilot)
        if due is not None and not _is_asked_for(state, pilot):
            old, new = due
            choices.append(Pending.of("replace_frame", old.frame_id, _payer(pilot, new)))
    return choices


def _is_asked_for(state: FrameState, pilot: Pilot) -> bool:
    """Whether a request for a replacement waits, by which the Handler answers for the new frame, too."""
    return any(asked.pilot == pilot.pilot_id and stands(state, asked) for asked in state.replacements)


def steps(state: FrameState) -> list[Pending]:
    """Missions may be concluded, each once."""
    return [Pending.of("conclude_mission", mission.mission_id, None) for mission in state.missions]


def due_of(state: FrameState, pilot: Pilot) -> tuple[Frame, Frame] | None:
    """The lost frame and the one that followed it, while that one is not paid for."""
    new = state.active_frame(pilot)
    if new is None or not new.price_due:
        return None  # as is usual, and asked after every action
    old = state.lost_frame(pilot)
    return None if old is None else (old, new)


def price_of(state: FrameState, new: Frame) -> int:
    """The price of replacing a lost frame with this one."""
    if new.price_due or new.price_due == 0:
        return new.price_due
    return (state.catalogue.new_frame_price or 0) if state.catalogue is not None else 0


def stands(state: FrameState, wish: Replacement) -> bool:
    """Whether a request can still be granted: the old frame is lost, and the new one is not."""
    old, new = state.frames.get(wish.old), state.frames.get(wish.new)
    if old is None or new is None or wish.pilot not in state.pilots:
        return False
    both = old.pilot_id == new.pilot_id == wish.pilot
    return both and old.status == "lost" and new.status == "active"


def can_be_made(state: FrameState, test: Test | Proposal) -> bool:
    """Whether the dice and modifiers of a test still exist."""
    pilot = state.pilots.get(test.pilot)
    if pilot is None:
        return False
    try:
        require_dice(test.dice)
        offered_dice(state, pilot, test.dice)
        counted_modifiers(state, pilot, test.modifiers)
    except Rejection:
        return False
    return True


def _test(state: FrameState, test: Test) -> Pending:
    pilot = state.pilots.get(test.pilot)
    if pilot is None or not can_be_made(state, test):
        return Pending.of("cancel_test", test.test_id, None)
    return Pending.of("roll_test", test.test_id, pilot.player_id)


def _answered_by(state: FrameState, proposal: Proposal) -> str:
    return "call_test" if can_be_made(state, proposal) else "cancel_test"


def _payer(pilot: Pilot, new: Frame) -> AccountId | None:
    """The player who decides a payment: the pilot's, or a GM for a pilot who cannot pay."""
    return pilot.player_id if (new.price_due or 0) <= max(0, pilot.currency) else None
