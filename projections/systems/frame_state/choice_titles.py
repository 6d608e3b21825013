"""The titles of open tests and proposals where one of them is chosen: several may be of the same pilot."""

from domain.sentences import Sentence, say
from domain.systems.frame_state.state import FrameState
from projections.systems.frame_state.narration_tests import asked_for


def choice_title(state: FrameState, thing: str) -> Sentence | None:
    """An open test or proposal, by who rolls and what."""
    waiting = {test.test_id: test for test in state.tests}
    subject = waiting.get(thing) or next(
        (proposal for proposal in state.proposals if proposal.proposal_id == thing), None
    )
    if subject is None:
        return None
    who = state.pilots.get(subject.pilot) or state.units[subject.pilot]
    return say("{who}: {asked}", who=who.name, asked=asked_for(subject.dice, subject.modifiers))
