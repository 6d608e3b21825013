"""Tests about Angst itself: avoiding it, and purging it (AN-16 … AN-19).

Codes: no_candidates, must_use_highest_angst, player_must_choose, not_a_candidate, unknown_stressor,
no_tapping_in_angst_test, nothing_to_purge, comfort_not_named, unknown_comfort, comfort_used_today,
trigger_not_open, once_per_session.
"""

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import join_parts, say
from domain.systems.angst.access import (
    find_character,
    game_hour,
    hidden_of,
    require_alive,
    require_angst_type,
    require_available,
    require_gm,
    require_player_or_gm,
)
from domain.systems.angst.commands import AvoidAngst, BuyAngstPurge, PurgeAngst
from domain.systems.angst.dice_pool import roll
from domain.systems.angst.events import AngstPurged, ComfortUsed, Event, StoryPointsSpent, TestRolled
from domain.systems.angst.open_tests import open_test
from domain.systems.angst.outcomes import conclude, purged
from domain.systems.angst.settings import Settings
from domain.systems.angst.spendables import spend_story_points
from domain.systems.angst.state import Angst, Character
from domain.systems.angst.tables import DAY_HOURS, PURGE_PRICE, TestKind, Trigger, angst_dn
from domain.systems.angst.test_calls import off_core, require_room
from domain.systems.angst.test_modifiers import Bent, bend, refuse_tap


def avoid_angst(state: Angst, context: CommandContext, command: AvoidAngst, dice: Dice) -> list[Event]:
    """AN-C8: a test against a point of Angst, which a failure gains."""
    require_gm(context, "AN-C8")
    character = find_character(state, context, command.character, "AN-C8")
    require_available(character, "AN-C8")
    with About("tap"):
        refuse_tap(command.tap)
    with About("character", "candidates", "chosen"):
        angst = _threatened(state, context, character, command)
    with About("character", "stressors"):
        _check_stressors(character, command.stressors)
    bent = bend(state, context, character, "resolve", command, penalty=bool(command.stressors))
    return _roll_test(state, context, command, character, bent, dice, "avoid", angst, stressors=command.stressors)


def _check_stressors(character: Character, stressors: list[str]) -> None:
    """Raise `unknown_stressor`."""
    for stressor in stressors:
        if stressor not in character.stressors:
            raise Rejection(
                "unknown_stressor",
                say("{name} has no Stressor called “{stressor}”.", stressor=stressor, name=character.name),
                rule="AN-17",
                choices=list(character.stressors),
            )


def _threatened(state: Angst, context: CommandContext, character: Character, command: AvoidAngst) -> str:
    """The type that a point threatens: the one with most points; the player chooses among equals (AN-A14)."""
    if not command.candidates:
        raise Rejection("no_candidates", "Name the types of Angst that the situation would cause.", rule="AN-17")
    for angst in command.candidates:
        require_angst_type(state, angst, "AN-17")
    most = max(character.angst.get(angst, 0) for angst in command.candidates)
    highest = [angst for angst in dict.fromkeys(command.candidates) if character.angst.get(angst, 0) == most]
    if command.chosen is None:
        return the_one(
            context,
            "chosen",
            highest,
            code="player_must_choose",
            message=lambda tied: say(
                "{types} are tied; {name}'s player chooses one.", types=join_parts(tied), name=character.name
            ),
            rule="AN-A14",
            describe=str,
        )
    if command.chosen not in command.candidates:
        raise Rejection(
            "not_a_candidate",
            say("“{chosen}” is not one of the types that the situation would cause.", chosen=command.chosen),
            rule="AN-17",
            choices=highest,
        )
    if command.chosen not in highest:
        raise Rejection(
            "must_use_highest_angst",
            say("The type with the most points is the one at risk: {types}.", types=join_parts(highest)),
            rule="AN-17",
            choices=highest,
        )
    return command.chosen


def purge_angst(state: Angst, context: CommandContext, command: PurgeAngst, dice: Dice) -> list[Event]:
    """AN-C9: a test to purge Angst, after a Comfort or with an open offer."""
    character = find_character(state, context, command.character, "AN-C9")
    require_player_or_gm(character, context, "AN-C9")
    require_available(character, "AN-C9")
    with About("tap"):
        refuse_tap(command.tap)
    with About("character", "angst"):
        _require_points(state, character, command.angst, "AN-C9")
    comforted = command.trigger == "comfort"
    with About("character", "trigger", "comfort"):
        before = [_comfort(context, character, command.comfort)] if comforted else []
    if not comforted:
        with About("character", "trigger", "angst"):
            _require_offer(character, command)
    bent = bend(state, context, character, "resolve", command, bonus=comforted)
    test_events = _roll_test(
        state, context, command, character, bent, dice, "purge", command.angst, trigger=command.trigger
    )
    return [*before, *test_events]


def _require_points(state: Angst, character: Character, angst: str, rule: str) -> None:
    """Raise `unknown_angst` or `nothing_to_purge`."""
    if character.angst.get(angst, 0) < 1:
        require_angst_type(state, angst, rule)
        raise Rejection(
            "nothing_to_purge",
            say("{name} has no points of {angst}.", name=character.name, angst=angst),
            rule=rule,
        )


def _require_offer(character: Character, command: PurgeAngst) -> None:
    """Raise `trigger_not_open` without an offer: a tap offers its own type, a good event any."""
    for offer in character.purge_offers:
        if offer.trigger == command.trigger and offer.angst in (None, command.angst):
            return
    raise Rejection(
        "trigger_not_open",
        say(
            "{name} cannot purge {angst} for that reason at the moment.", angst=command.angst, name=character.name
        ),
        rule="AN-18",
        choices=[{"trigger": offer.trigger, "angst": offer.angst} for offer in character.purge_offers],
    )


def _comfort(context: CommandContext, character: Character, comfort: str | None) -> ComfortUsed:
    """The event of a Comfort, used up for the day.

    Raises `comfort_not_named`, `unknown_comfort`, `comfort_used_today`.
    """
    if comfort is None:
        raise Rejection(
            "comfort_not_named",
            "Say which Comfort was played out.",
            rule="AN-18",
            choices=sorted(character.comforts),
        )
    record = character.comforts.get(comfort)
    if record is None:
        raise Rejection(
            "unknown_comfort",
            say("{name} has no Comfort called “{comfort}”.", comfort=comfort, name=character.name),
            rule="AN-18",
            choices=sorted(character.comforts),
        )
    day = game_hour(context) // DAY_HOURS
    if record.last_day == day:
        raise Rejection(
            "comfort_used_today",
            say("{comfort} has already been tried today; a Comfort helps once a day.", comfort=comfort),
            rule="AN-A17",
        )
    return ComfortUsed(character=character.character_id, comfort=comfort, day=day)


def _roll_test(
    state: Angst,
    context: CommandContext,
    command: AvoidAngst | PurgeAngst,
    character: Character,
    bent: Bent,
    dice: Dice,
    kind: TestKind,
    angst: str,
    *,
    trigger: Trigger | None = None,
    stressors: list[str] | None = None,
) -> list[Event]:
    """The events of a Resolve test against 7 and the present points (AN-16, AN-A15)."""
    require_room(state)
    test_id = derive_id("test", context.action_id)
    paid = off_core(context, character, bent, test_id)
    fall = roll(bent.core_die, bonus=bent.bonus, penalty=bent.penalty, explosive=bent.explosive, dice=dice)
    settings: Settings = context.settings
    event = TestRolled(
        test_id=test_id,
        character=character.character_id,
        kind=kind,
        core="resolve",
        core_die=bent.core_die,
        dice=fall.dice,
        rolled=fall.rolled_dice,
        modifiers=bent.modifiers,
        total=fall.dice.total + sum(modifier.value for modifier in bent.modifiers),
        dn=angst_dn(character.angst.get(angst, 0)),
        explosive=bent.explosive,
        suck_floor=settings.suck_floor,
        rock=bent.rock,
        suck=bent.suck,
        perk=command.perk,
        factoid=command.factoid,
        angst=angst,
        trigger=trigger,
        stressors=list(stressors or []),
        hidden=hidden_of(context),
        relationship=bent.relationship,
        supporter=bent.supporter,
    )
    return [*paid, event, *(conclude(context, character, open_test(event)) if command.finalise else [])]


def buy_angst_purge(
    state: Angst, context: CommandContext, command: BuyAngstPurge
) -> list[StoryPointsSpent | AngstPurged]:
    """AN-C10: buy off one point of Angst for two Story Points, once a session."""
    character = find_character(state, context, command.character, "AN-C10")
    require_player_or_gm(character, context, "AN-C10")
    require_alive(character, "AN-C10")
    if character.bought_purge_this_session:
        raise Rejection(
            "once_per_session",
            say("{name} has already bought a purge in this play session.", name=character.name),
            rule="AN-19",
        )
    _require_points(state, character, command.angst, "AN-C10")
    return [
        spend_story_points(character, context, PURGE_PRICE, "purge", "AN-C10"),
        *purged(character, command.angst, 1),
    ]


def comfort_used(state: Angst, event: ComfortUsed) -> None:
    """Mark the Comfort as used for the day."""
    character = state.characters.get(event.character)
    comfort = character.comforts.get(event.comfort) if character is not None else None
    if comfort is not None:
        comfort.last_day = event.day
