"""What open tests and proposals are called where one of them is chosen: several may be of the same pilot."""

from domain.sentences import Sentence, say
from domain.systems.frame_state.state import FrameState
from projections.systems.frame_state.narration_tests import asked_for


def chosen(state: FrameState, thing: str) -> Sentence | None:
    """An open test or proposal, by who rolls and what."""
    waiting = {each.test_id: each for each in state.tests}
    found = waiting.get(thing) or next((each for each in state.proposals if each.proposal_id == thing), None)
    if found is None:
        return None
    who = state.pilots.get(found.pilot) or state.units[found.pilot]
    return say("{who}: {asked}", who=who.name, asked=asked_for(found.dice, found.modifiers))
