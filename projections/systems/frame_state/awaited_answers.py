"""What Frame State's table waits for, as sentences, and the answers that are accepted."""

from collections.abc import Iterator

from domain.sentences import Sentence, joined, say
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state.pending_choices import also_pending, pending, price_of
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import Frame, FrameState, Mission, Pilot, Proposal, Test
from domain.systems.frame_state.terms import money
from domain.systems.frame_state.test_calls import OPEN_TESTS_MAX
from domain.systems.system import Pending
from projections.awaited import Able, MayAnswer, Name, Waiting, WaitingFor, may
from projections.systems.frame_state.narration_tests import about, asked_for

MARK_MAX = 100
"""The highest mark that is offered; the rules have no limit."""


def waits_for(state: FrameState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The pending choices, each with its answers; then the missions that may be concluded."""
    table = _Table(state, name, settings, able)
    found = [table.entry(each) for each in [*pending(state), *also_pending(state, settings)]]
    running = [table.mission(each) for each in state.missions if each.state == "running"]
    return [*found, *running]


class _Table:
    def __init__(self, state: FrameState, name: Name, settings: Settings, able: Able) -> None:
        self._state = state
        self._name = name
        self._waiting = Waiting(FRAME_STATE, state, name, settings, able)

    def mission(self, mission: Mission) -> WaitingFor:
        """A mission that may be concluded. It only blocks pilots who would place, buy or refit something."""
        pilots = joined(sorted(map(self._name, mission.pilots)))
        told = say("The mission “{mission}” goes on with {pilots}", mission=mission.name, pilots=pilots)
        conclude = may("frame_state.conclude_mission", {"mission_id": [mission.mission_id]})
        kind, subject = "conclude_mission", mission.mission_id
        return self._waiting.entry(kind, subject, mission.name, None, told, [conclude], optional=True)

    def entry(self, each: Pending) -> WaitingFor:
        test = self._state.test(each.subject)
        if test is not None:
            return self._test(each, test)
        proposal = next((p for p in self._state.proposals if p.proposal_id == each.subject), None)
        if proposal is not None:
            return self._proposal(each, proposal)
        return self._replacement(each, self._state.frames[each.subject])

    def _test(self, each: Pending, test: Test) -> WaitingFor:
        off = may("frame_state.cancel_test", {"test_id": [test.test_id]})
        who, asked = self._name(test.pilot), asked_for(test.dice, test.modifiers)
        if each.kind == "cancel_test":
            told = say("{who} cannot roll {asked} as things stand: call the test off", who=who, asked=asked)
            if test.roller == "npc":
                told = say("{who} is an NPC, and only pilots roll: call the test off", who=who)
            return self._waiting.entry(each.kind, each.subject, who, None, about(told, test.situation), [off])
        mark: int | Sentence = test.mark if test.mark is not None else say("a hidden mark")
        told = say("{who} has to roll {asked} against {mark}", who=who, asked=asked, mark=mark)
        if test.method == "avg":
            told = say("{who} has to take the average of {asked} against {mark}", who=who, asked=asked, mark=mark)
        roll = may("frame_state.roll_test", {"test_id": [test.test_id]})
        told = about(told, test.situation)
        return self._waiting.entry(each.kind, each.subject, who, each.waits_for, told, [roll], gm=[off])

    def _proposal(self, each: Pending, proposal: Proposal) -> WaitingFor:
        who, asked = self._name(proposal.pilot), asked_for(proposal.dice, proposal.modifiers)
        if proposal.method == "avg":
            asked = say("{asked}, taking the average", asked=asked)
        told = say("{who} proposes a test of {asked}: set its mark, or turn it down", who=who, asked=asked)
        answers = [may("frame_state.cancel_test", {"test_id": [each.subject]})]
        if each.kind == "call_test" and len(self._state.tests) < OPEN_TESTS_MAX:
            call = may("frame_state.call_test", {"proposal": [each.subject]}, {"mark": (1, MARK_MAX)})
            answers.insert(0, call)
        if each.kind == "cancel_test":
            told = say("{who} cannot roll {asked} as things stand: turn the proposal down", who=who, asked=asked)
        told = about(told, proposal.intent)
        return self._waiting.entry(each.kind, each.subject, who, None, told, answers)

    def _replacement(self, each: Pending, old: Frame) -> WaitingFor:
        """A replacement that the Handler has to approve, or a frame that is not paid for yet."""
        pilot = self._state.pilots[old.pilot_id]
        wish = next((w for w in self._state.replacements if w.old == old.frame_id), None)
        flown = self._state.active_frame(pilot)
        new = self._state.frames[wish.new] if wish is not None else flown
        assert new is not None, "nothing waits for the replacement of a frame by none"
        price = price_of(self._state, new)
        missing = price - pilot.currency if price else 0
        told = self._told(pilot, old, new, price, asked=wish is not None)
        answers = [*self._replace(pilot, old, new, missing)]
        if wish is not None:
            answers.append(may("frame_state.replace_frame", {"pilot": [pilot.pilot_id], "decline": [True]}))
        return self._waiting.entry(each.kind, each.subject, pilot.name, each.waits_for, told, answers)

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
    def _told(pilot: Pilot, old: Frame, new: Frame, price: int, *, asked: bool) -> Sentence:
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
        if not asked:
            return say("{pilot} owes {price} for {new}, to be paid by replacing {old} before a mission", **parts)
        if price:
            return say("{pilot} asks to replace {old} with {new}, for {price}", **parts)
        return say("{pilot} asks to replace {old} with {new}", **parts)
