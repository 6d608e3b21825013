"""The mission board: pilots who are out, tests that wait for a roll, and proposals to the Handler (1.6, 2.1)."""

from msgspec import Struct

from domain.rejection import Rejection
from domain.systems.frame_state.odds import DieOdds, odds_of
from domain.systems.frame_state.pending_choices import due_of, stands
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.state import FrameState, Modifier, Test, TestDie
from domain.systems.frame_state.tables import Method, Outcome, TestType, outcome
from domain.systems.frame_state.test_modifiers import OfferedDie, counted_modifiers, offered_dice
from projections.awaited_answers import Able, Name, WaitingFor
from projections.systems.frame_state.awaited_answers import waits_for


class PersonRef(Struct, frozen=True):
    """A pilot or an NPC."""

    id: str
    name: str


class MissionStands(Struct, frozen=True):
    """A running mission and its pilots, who until its conclusion may not place, buy or refit anything."""

    mission_id: str
    name: str
    pilots: list[PersonRef]


class DieStands(Struct, frozen=True):
    """A die that a test offers now: of which attribute, or of none, and what is added to its result."""

    attribute: str | None
    sides: int
    bonus: int


class TestStands(Struct, frozen=True):
    """A test that waits for its roll. `mark` is null where it is hidden from the reader.

    `offers` are the dice that fall, `added` is what its modifiers come to, and `odds` how likely each outcome is,
    adding up to 1: null where the mark is not known, or the test cannot be rolled as things stand.
    """

    test_id: str
    roller: PersonRef
    test_type: TestType
    mark: int | None
    mark_hidden: bool
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    situation: str | None
    offers: list[DieStands]
    added: int
    odds: dict[Outcome, float] | None


class ProposalStands(Struct, frozen=True):
    """A test that a pilot proposes; the Handler has not called it yet."""

    proposal_id: str
    pilot: PersonRef
    dice: list[TestDie]
    modifiers: list[Modifier]
    method: Method
    intent: str | None


class ReplacementStands(Struct, frozen=True):
    """A lost frame that a pilot wants to replace; the Handler has not agreed yet."""

    pilot: PersonRef
    old: PersonRef
    new: str
    new_name: str


class FrameDue(Struct, frozen=True):
    """An unpaid frame that replaced a lost one: it keeps its pilot from the next mission."""

    pilot: PersonRef
    old: PersonRef
    new: PersonRef
    price: int


class PayoutStands(Struct, frozen=True):
    """The pay that a pilot is still owed for a concluded mission."""

    mission_id: str
    name: str
    pilot: PersonRef
    amount: int


class MissionBoard(Struct, frozen=True):
    """Everything that the table waits for, the running missions, and what concluded ones still owe.

    `waits_for` lists the pending choices, with who is waited for and the accepted answers; then the missions that
    a GM may conclude.
    """

    missions: list[MissionStands]
    open_tests: list[TestStands]
    proposals: list[ProposalStands]
    replacements: list[ReplacementStands]
    frames_due: list[FrameDue]
    payouts: list[PayoutStands]
    waits_for: list[WaitingFor]


def mission(state: FrameState, name: Name, settings: Settings, able: Able = None) -> MissionBoard:
    """The mission board. A hidden mark is not in the state of readers who may not know it."""

    def person_ref(thing: str) -> PersonRef:
        return PersonRef(thing, name(thing))

    return MissionBoard(
        missions=[
            MissionStands(
                mission.mission_id,
                mission.name,
                [person_ref(pilot) for pilot in mission.pilots],
            )
            for mission in state.missions
            if mission.state == "running"
        ],
        open_tests=[_test(state, test, person_ref(test.pilot)) for test in state.tests],
        proposals=[
            ProposalStands(
                proposal.proposal_id,
                person_ref(proposal.pilot),
                proposal.dice,
                proposal.modifiers,
                proposal.method,
                proposal.intent,
            )
            for proposal in state.proposals
        ],
        replacements=[
            ReplacementStands(
                person_ref(replacement.pilot), person_ref(replacement.old), replacement.new, name(replacement.new)
            )
            for replacement in state.replacements
            if stands(state, replacement)
        ],
        frames_due=[
            FrameDue(
                person_ref(pilot.pilot_id), person_ref(old.frame_id), person_ref(new.frame_id), new.price_due or 0
            )
            for pilot in sorted(state.pilots.values(), key=lambda pilot: (pilot.name, pilot.pilot_id))
            if (due := due_of(state, pilot)) is not None
            for old, new in (due,)
        ],
        payouts=[
            PayoutStands(mission.mission_id, mission.name, person_ref(pilot), amount)
            for mission in state.missions
            for pilot, amount in sorted(mission.owed.items(), key=lambda pair: (name(pair[0]), pair[0]))
        ],
        waits_for=waits_for(state, name, settings, able),
    )


def _test(state: FrameState, test: Test, roller: PersonRef) -> TestStands:
    """An open test with what it offers and its odds, as far as its reader knows them."""
    pilot = state.pilots.get(test.pilot) if test.roller == "pilot" else None
    try:
        offers, modifiers = offered_dice(state, pilot, test.dice), counted_modifiers(state, pilot, test.modifiers)
    except Rejection:  # its attributes are not there any more, or not known
        offers, modifiers, is_known = [], [], False
    else:
        is_known = True
    modifier_sum = sum(modifier.value for modifier in modifiers)
    return TestStands(
        test_id=test.test_id,
        roller=roller,
        test_type=test.test_type,
        mark=test.mark,
        mark_hidden=test.mark_hidden,
        dice=test.dice,
        modifiers=test.modifiers,
        method=test.method,
        situation=test.situation,
        offers=[
            DieStands(die.source if die.source != die.grade.die else None, die.grade.sides, die.bonus)
            for die in offers
        ],
        added=modifier_sum,
        odds=_odds(test, offers, modifier_sum) if is_known else None,
    )


def _odds(test: Test, offers: list[OfferedDie], modifier_sum: int) -> dict[Outcome, float] | None:
    """The odds of a test; one that takes the average, or has no die, is certain."""
    if test.mark is None:
        return None
    if test.method == "avg" or not offers:
        best_average = max((die.grade.average + die.bonus for die in offers), default=0)
        return {outcome(test.test_type, best_average + modifier_sum - test.mark): 1.0}
    dice = [DieOdds(die.grade.sides, die.bonus) for die in offers]
    return odds_of(dice, modifier_sum, test.mark, test.test_type, may_ace=test.roller == "pilot")
