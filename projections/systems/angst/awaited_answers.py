"""Everything a scene of Angst waits for, as sentences, and the answers that are accepted."""

from collections.abc import Iterator

from domain.sentences import Sentence, say
from domain.systems.angst import ANGST
from domain.systems.angst.pending_choices import comparable, pending, purgeable
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, CalledTest, Character, Test
from domain.systems.angst.term_words import CORE_WORDS
from domain.systems.angst.test_calls import OPEN_TESTS_MAX
from domain.systems.system import Pending
from projections.awaited_answers import Able, MayAnswer, Name, Waiting, WaitingFor, may
from projections.systems.angst.narration_tests import with_stakes
from projections.systems.angst.sheet import open_test, usable


def waits_for(state: Angst, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The pending choices, each with its answers; then what may still be spent on a test."""
    table = _Table(state, name, settings, able)
    return [*(table.entry(choice) for choice in pending(state)), *table.spends()]


class _Table:
    def __init__(self, state: Angst, name: Name, settings: Settings, able: Able) -> None:
        self._state = state
        self._name = name
        self._settings = settings
        self._waiting = Waiting(ANGST, state, name, settings, able)

    def entry(self, choice: Pending) -> WaitingFor:
        call = next((test for test in self._state.called if test.test_id == choice.subject), None)
        if call is not None:
            return self._called_test(choice, call)
        rolled_test = self._state.test(choice.subject)
        if rolled_test is None:
            return self._offers(choice, self._state.characters[choice.subject])
        return self._compared(choice, rolled_test) if rolled_test.final else self._open(choice, rolled_test)

    def _called_test(self, choice: Pending, test: CalledTest) -> WaitingFor:
        who, core = self._name(test.character), CORE_WORDS[test.core]
        off = may("angst.cancel_test", {"test_id": [test.test_id]})
        if choice.kind == "cancel_test":
            sentence = say("{who} cannot make the test of {core} now: call it off", who=who, core=core)
            return self._waiting.entry(choice.kind, choice.subject, who, None, sentence, [off])
        sentence = say("{who} has to make an opposed test of {core}", who=who, core=core)
        if test.dn is not None:
            sentence = say("{who} has to make a test of {core} against {dn}", who=who, core=core, dn=test.dn)
        sentence = with_stakes(sentence, test.crucial, test.negative_tap)
        make = may("angst.make_test", {"test_id": [test.test_id]})
        return self._waiting.entry(choice.kind, choice.subject, who, choice.waits_for, sentence, [make], gm=[off])

    def _open(self, choice: Pending, test: Test) -> WaitingFor:
        who, core, total = self._name(test.character), CORE_WORDS[test.core], test.total
        sentence = say(
            "{who} has {total} in an opposed test of {core}: finalise it", who=who, total=total, core=core
        )
        if test.dn is not None:
            sentence = say(
                "{who} has {total} against {dn} in a test of {core}: finalise it",
                who=who,
                total=total,
                dn=test.dn,
                core=core,
            )
        finalise = may("angst.finalise_test", {"test_id": [test.test_id]})
        return self._waiting.entry(choice.kind, choice.subject, who, None, sentence, [finalise])

    def spends(self) -> Iterator[WaitingFor]:
        """The spending on a test that is still open to its owner before it is finalised (AN-15)."""
        for test in self._state.tests:
            character = self._state.characters.get(test.character)
            if character is None or test.final or character.status == "dead":
                continue
            limits, view = usable(character, self._settings), open_test(self._state, test)
            of_test = {"test_id": [test.test_id]}
            if view.may_reroll and limits.reroll_dice_max:
                dice = [[die] for die in view.may_reroll]
                yield self._spend(
                    "reroll_dice", test, character, may("angst.reroll_dice", {**of_test, "dice": dice})
                )
            if view.may_add_life_experience and limits.life_experience_max:
                amount = {"amount": (1, limits.life_experience_max)}
                answer = may("angst.add_life_experience", of_test, amount)
                yield self._spend("add_life_experience", test, character, answer)

    def _spend(self, kind: str, test: Test, character: Character, answer: MayAnswer) -> WaitingFor:
        who, core = character.name, CORE_WORDS[test.core]
        sentence = say("{who} may reroll dice of the test of {core}", who=who, core=core)
        if kind == "add_life_experience":
            sentence = say("{who} may add Life Experience to the test of {core}", who=who, core=core)
        player = character.player_id
        return self._waiting.entry(kind, test.test_id, who, player, sentence, [answer], optional=True)

    def _compared(self, choice: Pending, test: Test) -> WaitingFor:
        who, core = self._name(test.character), CORE_WORDS[test.core]
        answers = [
            may(
                "angst.resolve_opposed", {"acting": [{"test_id": a.test_id}], "opposing": [{"test_id": o.test_id}]}
            )
            for a, o in comparable(self._state, test)
        ]
        sentence: Sentence = say(
            "{who} has {total} in an opposed test of {core}: the other side is not final yet",
            who=who,
            total=test.total,
            core=core,
        )
        if answers:
            sentence = say(
                "{who} has {total} in an opposed test of {core}, to be compared with the other side",
                who=who,
                total=test.total,
                core=core,
            )
        off = may("angst.cancel_test", {"test_id": [test.test_id]})
        return self._waiting.entry(choice.kind, choice.subject, who, None, sentence, [*answers, off])

    def _offers(self, choice: Pending, character: Character) -> WaitingFor:
        """An optional offer; it ends with the scene."""
        sentence = say("{who} may try to let go of some Angst until the scene ends", who=character.name)
        answers = [
            may(
                "angst.purge_angst",
                {"character": [character.character_id], "trigger": [offer.trigger], "angst": types},
            )
            for offer in dict.fromkeys(character.purge_offers)
            if (types := purgeable(character, offer))
        ]
        if len(self._state.called) + len(self._state.tests) >= OPEN_TESTS_MAX:
            answers = []
        return self._waiting.entry(
            choice.kind, choice.subject, character.name, choice.waits_for, sentence, answers, optional=True
        )
