"""Overdrive's fights in words."""

from typing import assert_never

from domain.sentences import Sentence, in_a_row, joined, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.asking import in_words
from projections.narration.overdrive_words import COUNTERS, MODES, Name, weapon


def tell(event: e.CombatEvent, name: Name) -> Sentence:
    """What happened in a fight."""
    match event:
        case e.CombatStarted():
            fighters = joined(map(name, event.participants))
            if event.surprised:
                caught = joined(map(name, event.surprised))
                return say(
                    "A fight began between {fighters}; {caught} caught by surprise",
                    fighters=fighters,
                    caught=caught,
                )
            return say("A fight began between {fighters}", fighters=fighters)
        case e.CombatJoined():
            return say("{who} joined the fight", who=name(event.character))
        case e.CombatEnded():
            return say("The fight was over")
        case (
            e.UnrechargedPenaltyApplied()
            | e.FatalModeEntered()
            | e.ConfigurationLost()
            | e.WeaponDisabled()
            | e.WeaponCooling()
            | e.MechDischarged()
            | e.MechRecharged()
        ):
            return _machine(event, name)
        case (
            e.InitiativeSet()
            | e.TacticalPointsSpent()
            | e.TurnsBegun()
            | e.TurnDelayed()
            | e.TurnEnded()
            | e.CombatTurnStarted()
        ):
            return _turns(event, name)
        case (
            e.MovementPointsGained()
            | e.CoverDiceGained()
            | e.AdvantageDiceGained()
            | e.UnitMoved()
            | e.ProtectionStarted()
            | e.UnitRecoiled()
        ):
            return _movement(event, name)
        case _:
            return _harm(event, name)


def _harm(
    event: e.DamageTaken
    | e.StabilisationRolled
    | e.CharacterGravelyWounded
    | e.CharacterStayedInCombat
    | e.CharacterStunned
    | e.CinematicActionUsed
    | e.AttackResolved
    | e.StateRestored,
    name: Name,
) -> Sentence:
    """Attacks, and what they do to people."""
    match event:
        case e.DamageTaken():
            return say(
                "{who} took damage: the {counter} stands at {value}",
                who=name(event.character),
                counter=COUNTERS[event.counter],
                value=event.value,
            )
        case e.StabilisationRolled():
            who, die, against = name(event.character), event.die, event.against
            if event.success:
                return say("{who} stays stable: {die} against {against}", who=who, die=die, against=against)
            return say("{who} loses stability: {die} against {against}", who=who, die=die, against=against)
        case e.CharacterGravelyWounded():
            return say("{who} is gravely wounded and out of the fight", who=name(event.character))
        case e.CharacterStayedInCombat():
            return say("{who} fights on", who=name(event.character))
        case e.CharacterStunned():
            return say("{who} collapsed, stunned", who=name(event.character))
        case e.CinematicActionUsed():
            return say("{who} used the extra action", who=name(event.character))
        case e.AttackResolved():
            return _attack(event, name)
        case e.StateRestored():
            return say("{who} was set right again: {what}", who=name(event.character), what=_restored(event))
        case _:
            assert_never(event)


def _machine(
    event: e.UnrechargedPenaltyApplied
    | e.FatalModeEntered
    | e.ConfigurationLost
    | e.WeaponDisabled
    | e.WeaponCooling
    | e.MechDischarged
    | e.MechRecharged,
    name: Name,
) -> Sentence:
    """What becomes of machines and their weapons."""
    match event:
        case e.UnrechargedPenaltyApplied():
            return say("{mech} went into the fight without having been recharged", mech=name(event.mech))
        case e.FatalModeEntered():
            return say("{mech} went into Fatal mode", mech=name(event.mech))
        case e.ConfigurationLost():
            return say("{mech} lost {config}", mech=name(event.mech), config=in_words(event.config))
        case e.WeaponDisabled():
            return say(
                "{mech} gave up {weapon} instead of a configuration",
                mech=name(event.mech),
                weapon=weapon(event.weapon),
            )
        case e.WeaponCooling():
            return say(
                "{weapon}, fired by {who}, cools until turn {turn}",
                weapon=weapon(event.weapon),
                who=name(event.character),
                turn=event.ready_on_turn,
            )
        case e.MechDischarged():
            return say("{mech} has to be recharged", mech=name(event.mech))
        case e.MechRecharged():
            return say("{mech} was recharged", mech=name(event.mech))
        case _:
            assert_never(event)


def _turns(
    event: e.InitiativeSet
    | e.TacticalPointsSpent
    | e.TurnsBegun
    | e.TurnDelayed
    | e.TurnEnded
    | e.CombatTurnStarted,
    name: Name,
) -> Sentence:
    """Who acts when, and what was prepared."""
    match event:
        case e.InitiativeSet():
            return say("{who} has initiative {n}", who=name(event.character), n=event.successes)
        case e.TacticalPointsSpent():
            what = name(event.character) if event.character is not None else say("the objective")
            return say_many(
                "Well prepared: {what} moved {pm} PM, {n} tactical point is left",
                "Well prepared: {what} moved {pm} PM, {n} tactical points are left",
                event.total_after,
                what=what,
                pm=event.moved_pm,
            )
        case e.TurnsBegun():
            return say("The order: {order}", order=in_a_row(map(name, event.order)))
        case e.TurnDelayed():
            return say("{who} waits for {whom}", who=name(event.character), whom=name(event.after))
        case e.TurnEnded():
            return say("{who} is done for this turn", who=name(event.who))
        case e.CombatTurnStarted():
            return say("Turn {turn} began", turn=event.turn)
        case _:
            assert_never(event)


def _movement(
    event: e.MovementPointsGained
    | e.CoverDiceGained
    | e.AdvantageDiceGained
    | e.UnitMoved
    | e.ProtectionStarted
    | e.UnitRecoiled,
    name: Name,
) -> Sentence:
    """Where somebody stands, and what good it does."""
    match event:
        case e.MovementPointsGained():
            return say("{who} has {n} PM more", who=name(event.character), n=event.amount)
        case e.CoverDiceGained():
            return say_many(
                "{who} found cover worth {n} die",
                "{who} found cover worth {n} dice",
                event.amount,
                who=name(event.character),
            )
        case e.AdvantageDiceGained():
            return say_many(
                "{who} found an advantage worth {n} die",
                "{who} found an advantage worth {n} dice",
                event.amount,
                who=name(event.character),
            )
        case e.UnitMoved():
            return say(
                "{who} moved for {cost} PM and has {left} left",
                who=name(event.character),
                cost=event.cost,
                left=event.pm_left,
            )
        case e.ProtectionStarted():
            return say("{who} stepped in front of {whom}", who=name(event.protector), whom=name(event.protected))
        case e.UnitRecoiled():
            return say_many(
                "{who} was pushed back {n} cell",
                "{who} was pushed back {n} cells",
                event.cells,
                who=name(event.character),
            )
        case _:
            assert_never(event)


def _attack(event: e.AttackResolved, name: Name) -> Sentence:
    """Attack against defence."""
    who, whom, what = name(event.attacker), name(event.victim), weapon(event.weapon)
    count = say("{attack} against {defense}", attack=event.attack_successes, defense=event.defense_successes)
    if event.damage:
        return say("{who} hit {whom} ({weapon}): {count}", who=who, whom=whom, weapon=what, count=count)
    if event.hit:
        return say(
            "{who} struck {whom}, unharmed ({weapon}): {count}", who=who, whom=whom, weapon=what, count=count
        )
    return say("{who} missed {whom} ({weapon}): {count}", who=who, whom=whom, weapon=what, count=count)


def _restored(event: e.StateRestored) -> Sentence:
    """What the GM set."""
    parts = [
        term(event.status) if event.status is not None else None,
        MODES[event.mode] if event.mode is not None else None,
        say_many("{n} failure", "{n} failures", event.failures) if event.failures is not None else None,
        say("{weapon} ready", weapon=weapon(event.weapon)) if event.weapon is not None else None,
    ]
    return joined(part for part in parts if part is not None)
