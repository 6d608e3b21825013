"""Everything Frame State's table waits for, as sentences, and the answers that are accepted."""

from collections.abc import Iterator

from domain.sentences import Sentence, join_parts, say
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.pending_choices import also_pending, pending, price_of
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Frame, FrameState, Mission, Pilot, Proposal, Test
from domain.systems.frame_state.term_words import money
from domain.systems.frame_state.test_calls import OPEN_TESTS_MAX
from domain.systems.system import Pending
from projections.awaited_answers import Able, MayAnswer, Name, Waiting, WaitingFor, may
from projections.systems.frame_state.narration_tests import about, asked_for

MARK_MAX = 100
"""The highest mark that is offered; the rules have no limit."""


def waits_for(state: FrameState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The pending choices, each with its answers; then the missions that may be concluded."""
    table = _Table(state, name, settings, able)
    entries = [table.entry(choice) for choice in [*pending(state), *also_pending(state, settings)]]
    running = [table.mission(mission) for mission in state.missions if mission.state == "running"]
    return [*entries, *running]


class _Table:
    def __init__(self, state: FrameState, name: Name, settings: Settings, able: Able) -> None:
        self._state = state
        self._name = name
        self._waiting = Waiting(FRAME_STATE, state, name, settings, able)

    def mission(self, mission: Mission) -> WaitingFor:
        """A mission that may be concluded. It only blocks pilots who would place, buy or refit something."""
        pilots = join_parts(sorted(map(self._name, mission.pilots)))
        sentence = say("The mission “{mission}” goes on with {pilots}", mission=mission.name, pilots=pilots)
        conclude = may("frame_state.conclude_mission", {"mission_id": [mission.mission_id]})
        kind, subject = "conclude_mission", mission.mission_id
        return self._waiting.entry(kind, subject, mission.name, None, sentence, [conclude], optional=True)

    def entry(self, choice: Pending) -> WaitingFor:
        test = self._state.test(choice.subject)
        if test is not None:
            return self._test(choice, test)
        proposal = next((p for p in self._state.proposals if p.proposal_id == choice.subject), None)
        if proposal is not None:
            return self._proposal(choice, proposal)
        return self._replacement(choice, self._state.frames[choice.subject])

    def _test(self, choice: Pending, test: Test) -> WaitingFor:
        off = may("frame_state.cancel_test", {"test_id": [test.test_id]})
        who, request = self._name(test.pilot), asked_for(test.dice, test.modifiers)
        if choice.kind == "cancel_test":
            sentence = say("{who} cannot roll {asked} as things stand: call the test off", who=who, asked=request)
            if test.roller == "npc":
                sentence = say("{who} is an NPC, and only pilots roll: call the test off", who=who)
            return self._waiting.entry(
                choice.kind, choice.subject, who, None, about(sentence, test.situation), [off]
            )
        mark: int | Sentence = test.mark if test.mark is not None else say("a hidden mark")
        sentence = say("{who} has to roll {asked} against {mark}", who=who, asked=request, mark=mark)
        if test.method == "avg":
            sentence = say(
                "{who} has to take the average of {asked} against {mark}", who=who, asked=request, mark=mark
            )
        roll = may("frame_state.roll_test", {"test_id": [test.test_id]})
        sentence = about(sentence, test.situation)
        return self._waiting.entry(choice.kind, choice.subject, who, choice.waits_for, sentence, [roll], gm=[off])

    def _proposal(self, choice: Pending, proposal: Proposal) -> WaitingFor:
        who, request = self._name(proposal.pilot), asked_for(proposal.dice, proposal.modifiers)
        if proposal.method == "avg":
            request = say("{asked}, taking the average", asked=request)
        sentence = say("{who} proposes a test of {asked}: set its mark, or turn it down", who=who, asked=request)
        answers = [may("frame_state.cancel_test", {"test_id": [choice.subject]})]
        if choice.kind == "call_test" and len(self._state.tests) < OPEN_TESTS_MAX:
            call = may("frame_state.call_test", {"proposal": [choice.subject]}, {"mark": (1, MARK_MAX)})
            answers.insert(0, call)
        if choice.kind == "cancel_test":
            sentence = say(
                "{who} cannot roll {asked} as things stand: turn the proposal down", who=who, asked=request
            )
        sentence = about(sentence, proposal.intent)
        return self._waiting.entry(choice.kind, choice.subject, who, None, sentence, answers)

    def _replacement(self, choice: Pending, old: Frame) -> WaitingFor:
        """A replacement that the Handler has to approve, or a frame that is not paid for yet."""
        pilot = self._state.pilots[old.pilot_id]
        wish = next((w for w in self._state.replacements if w.old == old.frame_id), None)
        flown = self._state.active_frame(pilot)
        new = self._state.frames[wish.new] if wish is not None else flown
        assert new is not None, "nothing waits for the replacement of a frame by none"
        price = price_of(self._state, new)
        missing = price - pilot.currency if price else 0
        sentence = self._replacement_sentence(pilot, old, new, price, is_asked=wish is not None)
        answers = [*self._replace(pilot, old, new, missing)]
        if wish is not None:
            answers.append(may("frame_state.replace_frame", {"pilot": [pilot.pilot_id], "decline": [True]}))
        return self._waiting.entry(choice.kind, choice.subject, pilot.name, choice.waits_for, sentence, answers)

    @staticmethod
    def _replace(pilot: Pilot, old: Frame, new: Frame, missing: int) -> Iterator[MayAnswer]:
        """A pilot with enough money replaces the frame; the Handler may give it to one without."""
        if missing <= 0:
            fields = {"pilot": [pilot.pilot_id], "old": [old.frame_id], "new": [new.frame_id]}
            yield may("frame_state.replace_frame", fields)
        else:
            fields = {"pilot": [pilot.pilot_id], "reason": [new.name]}
            yield may("frame_state.award_currency", fields, {"amount": (missing, missing)})

    @staticmethod
    def _replacement_sentence(pilot: Pilot, old: Frame, new: Frame, price: int, *, is_asked: bool) -> Sentence:
        parts: dict[str, str | Sentence] = {
            "pilot": pilot.name,
            "old": old.name,
            "new": new.name,
            "price": money(price),
            "balance": money(abs(pilot.currency)),
        }
        if price and pilot.currency < 0:
            return say("{pilot} cannot pay {price} to replace {old} with {new}, owing {balance}", **parts)
        if price > pilot.currency >= 0:
            return say("{pilot} cannot pay {price} to replace {old} with {new}, having {balance}", **parts)
        if not is_asked:
            return say("{pilot} owes {price} for {new}, to be paid by replacing {old} before a mission", **parts)
        if price:
            return say("{pilot} asks to replace {old} with {new}, for {price}", **parts)
        return say("{pilot} asks to replace {old} with {new}", **parts)
