"""Overdrive's fights in words."""

from typing import assert_never

from domain.sentences import Sentence, in_a_row, joined, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from projections.systems.overdrive.narration_terms import COUNTERS, DIRECTIONS, MODES, Name, weapon


def tell(event: e.CombatEvent, name: Name) -> Sentence:
    """What happened in a fight."""
    match event:
        case e.CombatStarted():
            fighters = joined(map(name, event.participants))
            if event.surprised:
                caught = joined(map(name, event.surprised))
                return say(
                    "A fight began: {fighters}. Caught by surprise: {caught}",
                    fighters=fighters,
                    caught=caught,
                )
            return say("A fight began: {fighters}", fighters=fighters)
        case e.CombatJoined():
            return say("{who} joined the fight", who=name(event.character))
        case e.CombatEnded():
            return say("The fight ended")
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
                "{who} took {n} damage: {counter} at {value}",
                who=name(event.character),
                n=event.amount,
                counter=COUNTERS[event.counter],
                value=event.value,
            )
        case e.StabilisationRolled():
            return _stabilisation(event, name)
        case e.CharacterGravelyWounded():
            return say("{who} is gravely wounded and out of the fight", who=name(event.character))
        case e.CharacterStayedInCombat():
            return say("{who} fights on", who=name(event.character))
        case e.CharacterStunned():
            return say("{who} collapsed, stunned", who=name(event.character))
        case e.CinematicActionUsed():
            return say("{who} used an extra action", who=name(event.character))
        case e.AttackResolved():
            return _attack(event, name)
        case e.StateRestored():
            return say("The GM set the state of {who}: {what}", who=name(event.character), what=_restored(event))
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
            return say("{mech} went into the fight without being recharged", mech=name(event.mech))
        case e.FatalModeEntered():
            return say("{mech} went into Fatal mode", mech=name(event.mech))
        case e.ConfigurationLost():
            return say(
                "{mech} lost a configuration: {config}", mech=name(event.mech), config=in_words(event.config)
            )
        case e.WeaponDisabled():
            return say(
                "{mech} gave up {weapon} instead of a configuration",
                mech=name(event.mech),
                weapon=weapon(event.weapon),
            )
        case e.WeaponCooling():
            return say(
                "{who} has to let a weapon cool ({weapon}): ready again in turn {turn}",
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
            return say("{who} has an initiative of {n}", who=name(event.character), n=event.successes)
        case e.TacticalPointsSpent():
            return _prepared(event, name)
        case e.TurnsBegun():
            return say("The turns began, in this order: {order}", order=in_a_row(map(name, event.order)))
        case e.TurnDelayed():
            return say("{who} lets {whom} act first this turn", who=name(event.character), whom=name(event.after))
        case e.TurnEnded():
            return say("{who} ended their turn", who=name(event.who))
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
            return say("{who} gained {n} PM", who=name(event.character), n=event.amount)
        case e.CoverDiceGained():
            return say_many(
                "{who} gained {n} cover die",
                "{who} gained {n} cover dice",
                event.amount,
                who=name(event.character),
            )
        case e.AdvantageDiceGained():
            return say_many(
                "{who} gained {n} advantage die",
                "{who} gained {n} advantage dice",
                event.amount,
                who=name(event.character),
            )
        case e.UnitMoved():
            return _move(event, name)
        case e.ProtectionStarted():
            return say("{who} stepped in to protect {whom}", who=name(event.protector), whom=name(event.protected))
        case e.UnitRecoiled():
            return _recoil(event, name)
        case _:
            assert_never(event)


def _prepared(event: e.TacticalPointsSpent, name: Name) -> Sentence:
    """What tactical points moved, and on a map which way."""
    what = name(event.character) if event.character is not None else say("the objective")
    if event.direction is None:
        return say_many(
            "Tactical points moved {what} by {pm} PM: {n} point is left",
            "Tactical points moved {what} by {pm} PM: {n} points are left",
            event.total_after,
            what=what,
            pm=event.moved_pm,
        )
    return say_many(
        "Tactical points moved {what} {direction} by {pm} PM: {n} point is left",
        "Tactical points moved {what} {direction} by {pm} PM: {n} points are left",
        event.total_after,
        what=what,
        direction=DIRECTIONS[event.direction],
        pm=event.moved_pm,
    )


def _recoil(event: e.UnitRecoiled, name: Name) -> Sentence:
    """How far somebody was pushed or, in a ship, flew on, and on a map where to."""
    who = name(event.character)
    if event.by_own_speed is True:
        return _carried_on(event, who)
    if event.to is None:
        return say_many("{who} was pushed back {n} cell", "{who} was pushed back {n} cells", event.cells, who=who)
    return say_many(
        "{who} was pushed back {n} cell, to ring {ring}, quadrant {quadrant}",
        "{who} was pushed back {n} cells, to ring {ring}, quadrant {quadrant}",
        event.cells,
        who=who,
        ring=event.to.ring,
        quadrant=event.to.quadrant,
    )


def _carried_on(event: e.UnitRecoiled, who: str) -> Sentence:
    if event.to is None:
        return say_many(
            "{who} was carried on {n} cell by its own speed",
            "{who} was carried on {n} cells by its own speed",
            event.cells,
            who=who,
        )
    return say_many(
        "{who} was carried on {n} cell by its own speed, to ring {ring}, quadrant {quadrant}",
        "{who} was carried on {n} cells by its own speed, to ring {ring}, quadrant {quadrant}",
        event.cells,
        who=who,
        ring=event.to.ring,
        quadrant=event.to.quadrant,
    )


def _move(event: e.UnitMoved, name: Name) -> Sentence:
    """Over which lines, and where to."""
    who, cost, left = name(event.character), event.cost, event.pm_left
    if event.to is None:
        return say("{who} moved for {cost} PM; {left} left", who=who, cost=cost, left=left)
    return say(
        "{who} moved to ring {ring}, quadrant {quadrant}, for {cost} PM; {left} left",
        who=who,
        ring=event.to.ring,
        quadrant=event.to.quadrant,
        cost=cost,
        left=left,
    )


def _stabilisation(event: e.StabilisationRolled, name: Name) -> Sentence:
    """A die against a counter."""
    who, die, sides, against = name(event.character), event.die, event.sides, event.against
    if event.success:
        return say(
            "{who} rolled d{sides} to stabilise: {die} against {against}, stable",
            who=who,
            sides=sides,
            die=die,
            against=against,
        )
    return say(
        "{who} rolled d{sides} to stabilise: {die} against {against}, failed",
        who=who,
        sides=sides,
        die=die,
        against=against,
    )


def _attack(event: e.AttackResolved, name: Name) -> Sentence:
    """Attack against defence."""
    who, whom, what = name(event.attacker), name(event.victim), weapon(event.weapon)
    count = say_many(
        "{n} success against {defense}",
        "{n} successes against {defense}",
        event.attack_successes,
        defense=event.defense_successes,
    )
    if event.damage:
        return say("{who} hit {whom} ({weapon}): {count}", who=who, whom=whom, weapon=what, count=count)
    if event.hit:
        return say(
            "{who} struck {whom} without doing harm ({weapon}): {count}",
            who=who,
            whom=whom,
            weapon=what,
            count=count,
        )
    return say("{who} missed {whom} ({weapon}): {count}", who=who, whom=whom, weapon=what, count=count)


def _failures(count: int) -> Sentence:
    return say_many("{n} failed stabilisation", "{n} failed stabilisations", count)


def _restored(event: e.StateRestored) -> Sentence:
    """What the GM set."""
    parts = [
        term(event.status) if event.status is not None else None,
        MODES[event.mode] if event.mode is not None else None,
        _failures(event.failures) if event.failures is not None else None,
        say("{weapon} ready", weapon=weapon(event.weapon)) if event.weapon is not None else None,
    ]
    return joined(part for part in parts if part is not None)
