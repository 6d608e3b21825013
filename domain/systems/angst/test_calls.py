"""A test: called by the GM, made by the player, open for spends or final at once (AN-7, AN-13, AN-C4).

Codes: nobody_called_a_test, dn_missing, dn_of_opposed_test, dn_is_the_gms, called_for_another_core,
core_not_named, stakes_are_the_gms, crucial_core, deadly_only_physical, opposing_not_final,
too_many_open_tests, no_called_test, unknown_test, which_test.
"""

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.angst.access import (
    find_character,
    has_spendables,
    hidden_of,
    is_own,
    require_available,
    require_gm,
    require_player_or_gm,
)
from domain.systems.angst.commands import CallTest, CancelTest, MakeTest
from domain.systems.angst.dice_pool import roll
from domain.systems.angst.events import (
    AngstTapped,
    Event,
    StoryPointEarned,
    StoryPointsSpent,
    TestCalled,
    TestCancelled,
    TestRolled,
)
from domain.systems.angst.open_tests import described, open_test, unknown_or_settled, which
from domain.systems.angst.outcomes import conclude
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.settings import Settings
from domain.systems.angst.spendables import spend_story_points
from domain.systems.angst.state import Angst, CalledTest, Character, Test
from domain.systems.angst.tables import CRUCIAL_CORES, CoreName
from domain.systems.angst.term_words import CORE_WORDS
from domain.systems.angst.test_modifiers import Bent, bend, check_tap

OPEN_TESTS_MAX = 100
"""The most open tests, which stops scripts that open tests without end."""


def call_test(state: Angst, context: CommandContext, command: CallTest) -> list[TestCalled]:
    """AN-C4: the GM calls a test: its Core, its difficulty, and the cost of failing."""
    require_gm(context, "AN-C4")
    character = find_character(state, context, command.character, "AN-C4")
    require_available(character, "AN-C4")
    with About("dn", "opposed"):
        _check_dn(command.dn, opposed=command.opposed)
    with About("core", "crucial"):
        check_crucial(command.core, command.crucial)
    with About("character", "negative_tap"):
        if command.negative_tap is not None:
            check_tap(state, character, Tap(command.negative_tap, "negative"))
    require_room(state)
    return [
        TestCalled(
            test_id=derive_id("test", context.action_id),
            character=character.character_id,
            core=command.core,
            dn=command.dn,
            crucial=command.crucial,
            negative_tap=command.negative_tap,
            opposed=command.opposed,
        )
    ]


def cancel_test(state: Angst, context: CommandContext, command: CancelTest) -> list[TestCancelled]:
    """AN-C4: cancel a called test, or a final opposed one that will not be judged."""
    require_gm(context, "AN-C4")
    choices: list[CalledTest | Test] = [
        *state.called,
        *(test for test in state.tests if test.opposed and test.final),
    ]
    if command.test_id is not None:
        choices = [test for test in choices if test.test_id == command.test_id]
        if not choices:
            raise unknown_or_settled(state, command.test_id, "AN-C4")
        test = choices[0]
    else:
        test = the_one(
            context,
            "test_id",
            choices,
            code="which_test",
            message=which(state),
            rule="AN-C4",
            describe=described(state),
            none=lambda: Rejection("no_called_test", "No test is waiting to be made or judged.", rule="AN-C4"),
        )
    return [TestCancelled(test_id=test.test_id, character=test.character)]


def make_test(state: Angst, context: CommandContext, command: MakeTest, dice: Dice) -> list[Event]:
    """AN-C4: make a test: everything is checked and paid for, then the dice are rolled."""
    called_test = _called_test(state, context, command)
    character_id = called_test.character if called_test is not None else command.character
    character = find_character(state, context, character_id, "AN-C4")
    require_player_or_gm(character, context, "AN-C4")
    require_available(character, "AN-C4")
    test = called_test or _alone(state, context, command, character)
    against = _against(state, context, command, test)
    tap = _tap(state, character, command, test)
    bent = bend(state, context, character, test.core, command, tap=tap)
    before = _costs(context, character, bent, tap, test.test_id)
    fall = roll(bent.core_die, bonus=bent.bonus, penalty=bent.penalty, explosive=bent.explosive, dice=dice)
    settings: Settings = context.settings
    event = TestRolled(
        test_id=test.test_id,
        character=character.character_id,
        kind="test",
        core=test.core,
        core_die=bent.core_die,
        dice=fall.dice,
        rolled=fall.rolled_dice,
        modifiers=bent.modifiers,
        total=fall.dice.total + sum(modifier.value for modifier in bent.modifiers),
        dn=test.dn,
        explosive=bent.explosive,
        suck_floor=settings.suck_floor,
        players_set_dn=called_test is None and not context.is_gm,
        opposed=test.opposed,
        rock=bent.rock,
        suck=bent.suck,
        perk=command.perk,
        tap=tap,
        factoid=command.factoid,
        crucial=test.crucial,
        hidden=hidden_of(context),
        against=against,
        relationship=bent.relationship,
        supporter=bent.supporter,
    )
    after = conclude(context, character, open_test(event)) if command.finalise else []
    return [*before, event, *after]


def _called_test(state: Angst, context: CommandContext, command: MakeTest) -> CalledTest | None:
    """The called test that a command answers; None for a GM who gives a DN, or a Core to oppose with."""
    if command.test_id is not None:
        test = next((test for test in state.called if test.test_id == command.test_id), None)
        if test is None:
            raise unknown_or_settled(state, command.test_id, "AN-C4")
        return _agreed(test, command)
    settings: Settings = context.settings
    may_bring_its_own = context.is_gm or settings.players_set_dn
    if may_bring_its_own and (command.dn is not None or (command.opposed and command.core is not None)):
        return None
    choices = [
        test
        for test in state.called
        if context.is_gm or is_own(state.characters.get(test.character), context)
        if command.character in (None, test.character) and command.core in (None, test.core)
        if test.opposed or not command.opposed
    ]
    if not choices:
        return None
    only_test = the_one(
        context,
        "test_id",
        choices,
        code="which_test",
        message=which(state),
        rule="AN-C4",
        describe=described(state),
    )
    return _agreed(only_test, command)


def _agreed(called_test: CalledTest, command: MakeTest) -> CalledTest:
    """Raise `called_for_another_core`, `dn_is_the_gms` or `stakes_are_the_gms` unless they agree."""
    if command.core not in (None, called_test.core):
        raise Rejection(
            "called_for_another_core",
            say("The GM called for a test of {core}.", core=CORE_WORDS[called_test.core]),
            rule="AN-C4",
        )
    if command.dn not in (None, called_test.dn):
        raise Rejection("dn_is_the_gms", "The GM has already set the DN of this test.", rule="AN-7")
    if command.crucial not in (None, called_test.crucial):
        raise Rejection(
            "stakes_are_the_gms", "The GM has already said what failing this test costs.", rule="AN-21"
        )
    return called_test


def _alone(state: Angst, context: CommandContext, command: MakeTest, character: Character) -> CalledTest:
    """A test without a call: a GM's, or a player's where players set their own DN."""
    settings: Settings = context.settings
    if not context.is_gm and not settings.players_set_dn:
        raise Forbidden(
            "nobody_called_a_test",
            say("No such test has been called for {name}; ask the GM for one.", name=character.name),
            rule="AN-C4",
        )
    if command.crucial is not None and not context.is_gm:
        raise Forbidden("stakes_are_the_gms", "Only the GM says what failing a test costs.", rule="AN-21")
    if command.core is None:
        raise Rejection("core_not_named", "Say which Core is tested.", rule="AN-C4")
    _check_dn(command.dn, opposed=command.opposed)
    check_crucial(command.core, command.crucial)
    require_room(state)
    return CalledTest(
        test_id=derive_id("test", context.action_id),
        character=character.character_id,
        core=command.core,
        dn=command.dn,
        crucial=command.crucial,
        opposed=command.opposed,
    )


def _check_dn(dn: int | None, *, opposed: bool) -> None:
    """Raise unless a test has a DN; an opposed one has none. Any number will do (AN-A29)."""
    if dn is None and not opposed:
        raise Rejection("dn_missing", "Say how hard the test is: its DN.", rule="AN-7")
    if dn is not None and opposed:
        raise Rejection("dn_of_opposed_test", "The other side's total is the DN of an opposed test.", rule="AN-20")


def check_crucial(core: CoreName, crucial: Crucial | None) -> None:
    """Raise `crucial_core` or `deadly_only_physical` (AN-21, AN-22)."""
    if crucial is None:
        return
    if core not in CRUCIAL_CORES:
        raise Rejection("crucial_core", "Only tests of Physical or Resolve can be crucial.", rule="AN-21")
    if crucial.deadly and core != "physical":
        raise Rejection("deadly_only_physical", "Only crucial tests of Physical can be deadly.", rule="AN-22")


def _check_final(state: Angst, against: str) -> None:
    """Raise `opposing_not_final`: the opposing side is final before the acting one rolls (AN-A20)."""
    opposing = state.test(against)
    if opposing is None and all(called_test.test_id != against for called_test in state.called):
        raise unknown_or_settled(state, against, "AN-20")
    if opposing is None or not opposing.final:
        raise Rejection("opposing_not_final", "The opposing test has to be final first.", rule="AN-A20")


def _against(state: Angst, context: CommandContext, command: MakeTest, test: CalledTest) -> list[str] | UnsetType:
    """The opposing tests that an opposed one may act against: the one it names, or all that are final (AN-A20).

    Raises `opposing_not_final` while another side may still spend, because the number to beat is not known.
    """
    if command.against is not None:
        _check_final(state, command.against)
        return [command.against]
    if not test.opposed:
        return UNSET
    others = [
        other
        for other in state.tests
        if other.opposed
        and other.character != test.character
        and (context.visibility != "all" or not other.hidden)
    ]
    waiting = next((other for other in others if not other.final), None)
    if waiting is not None and not context.decided_before:
        opponent = state.characters.get(waiting.character)
        raise Rejection(
            "opposing_not_final",
            say(
                "{name}'s opposed test is still open: it has to be final before the other side rolls. If this is "
                "against another test, name that one.",
                name=opponent.name if opponent is not None else waiting.character,
            ),
            rule="AN-A20",
            choices=[other.test_id for other in others if other.final],
        )
    return [other.test_id for other in others if other.final]


def require_room(state: Angst) -> None:
    """Raise `too_many_open_tests`."""
    if len(state.called) + len(state.tests) >= OPEN_TESTS_MAX:
        raise Rejection(
            "too_many_open_tests",
            say("{most} tests are open; finalise, compare or call off some first.", most=OPEN_TESTS_MAX),
            rule="AN-C4",
        )


def _tap(state: Angst, character: Character, command: MakeTest, test: CalledTest) -> Tap | None:
    """The only tap of a test: the player's, or the GM's negative one."""
    if test.negative_tap is None:
        if command.tap is not None:
            check_tap(state, character, command.tap)
        return command.tap
    tap = Tap(test.negative_tap, "negative")
    if command.tap not in (None, tap):
        raise Rejection(
            "already_tapped_this_scene",
            say(
                "The GM already taps {negative_tap} in this test; a character taps Angst once per scene.",
                negative_tap=test.negative_tap,
            ),
            rule="AN-13",
        )
    # The called tap is skipped if something else was tapped, or the Angst purged, before the roll.
    lapsed = character.tapped_this_scene or character.angst.get(tap.angst, 0) < 1
    return None if lapsed else tap


def _costs(
    context: CommandContext, character: Character, bent: Bent, tap: Tap | None, test_id: str
) -> list[StoryPointsSpent | AngstTapped | StoryPointEarned]:
    """The events that are paid and earned before the roll (AN-9, AN-13). Raises `insufficient_story_points`."""
    events: list[StoryPointsSpent | AngstTapped | StoryPointEarned] = list(
        off_core(context, character, bent, test_id)
    )
    if tap is None:
        return events
    events.append(AngstTapped(character=character.character_id, angst=tap.angst, use=tap.use, test_id=test_id))
    if tap.use == "negative" and has_spendables(character, context):
        balance = character.story_points - int(bent.off_core) + 1
        earned = StoryPointEarned(
            character=character.character_id,
            amount=1,
            source="tap",
            left=balance,
            gmc_spendables=character.kind == "gmc",
        )
        events.append(earned)
    return events


def off_core(context: CommandContext, character: Character, bent: Bent, test_id: str) -> list[StoryPointsSpent]:
    """The payment for a Rock or Suck of another Core, if one is used (AN-9)."""
    if not bent.off_core:
        return []
    return [spend_story_points(character, context, 1, "off_core", "AN-9", test_id)]


def test_called(state: Angst, event: TestCalled) -> None:
    """Add the test, which waits to be made."""
    test_ids = {test.test_id for test in state.called} | {test.test_id for test in state.tests}
    if event.test_id not in test_ids and event.test_id not in state.settled_tests:
        state.called.append(
            CalledTest(
                test_id=event.test_id,
                character=event.character,
                core=event.core,
                dn=event.dn,
                crucial=event.crucial,
                negative_tap=event.negative_tap,
                opposed=event.opposed,
            )
        )


def angst_tapped(state: Angst, event: AngstTapped) -> None:
    """Mark the type as tapped in this scene."""
    character = state.characters.get(event.character)
    if character is not None:
        character.tapped_this_scene = True


def test_rolled(state: Angst, event: TestRolled) -> None:
    """Add the test, open for spends; a Factoid and an offer are used up."""
    state.called = [test for test in state.called if test.test_id != event.test_id]
    if state.test(event.test_id) is None and event.test_id not in state.settled_tests:
        state.tests.append(open_test(event))
    character = state.characters.get(event.character)
    if character is None:
        return
    if event.factoid is not None:
        character.factoid_used_this_scene = True
    for offer in character.purge_offers:
        if offer.trigger == event.trigger and offer.angst in (None, event.angst):
            character.purge_offers.remove(offer)
            break
