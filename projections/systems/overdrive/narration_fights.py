"""Overdrive's fights as sentences."""

from domain.sentences import Sentence, in_a_row, join_parts, say, say_many, term
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import in_words
from projections.narration_tables import Name, about, on, tellers
from projections.systems.overdrive.narration_phrases import COUNTERS, DIRECTIONS, MODES, weapon


def _started(event: e.CombatStarted, name: Name) -> Sentence:
    """The fighters, and those who were surprised."""
    fighters = join_parts(map(name, event.participants))
    if event.surprised:
        caught = join_parts(map(name, event.surprised))
        return say(
            "A fight began: {fighters}. Caught by surprise: {caught}",
            fighters=fighters,
            caught=caught,
        )
    return say("A fight began: {fighters}", fighters=fighters)


def _prepared(event: e.TacticalPointsSpent, name: Name) -> Sentence:
    """The effect of tactical points, on a map with the direction."""
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


def _recoil(event: e.UnitRecoiled, who: str) -> Sentence:
    """How far a fighter was pushed or, in a ship, drifted, and on a map where to."""
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
    who, cost, rest = name(event.character), event.cost, event.pm_left
    if event.to is None:
        return say("{who} moved for {cost} PM; {left} left", who=who, cost=cost, left=rest)
    return say(
        "{who} moved to ring {ring}, quadrant {quadrant}, for {cost} PM; {left} left",
        who=who,
        ring=event.to.ring,
        quadrant=event.to.quadrant,
        cost=cost,
        left=rest,
    )


def _stabilisation(event: e.StabilisationRolled, name: Name) -> Sentence:
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
    parts = [
        term(event.status) if event.status is not None else None,
        MODES[event.mode] if event.mode is not None else None,
        _failures(event.failures) if event.failures is not None else None,
        say("{weapon} ready", weapon=weapon(event.weapon)) if event.weapon is not None else None,
    ]
    return join_parts(part for part in parts if part is not None)


TELL = tellers(
    on(e.CombatStarted, _started),
    about(
        e.CombatJoined,
        lambda event, who: (
            say("{who} joined the fight, caught by surprise", who=who)
            if event.surprised
            else say("{who} joined the fight", who=who)
        ),
    ),
    on(e.CombatEnded, lambda _, __: say("The fight ended")),
    on(
        e.UnrechargedPenaltyApplied,
        lambda event, name: say("{mech} went into the fight without being recharged", mech=name(event.mech)),
    ),
    on(e.FatalModeEntered, lambda event, name: say("{mech} went into Fatal mode", mech=name(event.mech))),
    on(
        e.ConfigurationLost,
        lambda event, name: say(
            "{mech} lost a configuration: {config}", mech=name(event.mech), config=in_words(event.config)
        ),
    ),
    on(
        e.WeaponDisabled,
        lambda event, name: say(
            "{mech} gave up {weapon} instead of a configuration",
            mech=name(event.mech),
            weapon=weapon(event.weapon),
        ),
    ),
    about(
        e.WeaponCooling,
        lambda event, who: say(
            "{who} has to let a weapon cool ({weapon}): ready again in turn {turn}",
            weapon=weapon(event.weapon),
            who=who,
            turn=event.ready_on_turn,
        ),
    ),
    on(e.MechDischarged, lambda event, name: say("{mech} has to be recharged", mech=name(event.mech))),
    on(e.MechRecharged, lambda event, name: say("{mech} was recharged", mech=name(event.mech))),
    about(e.InitiativeSet, lambda event, who: say("{who} has an initiative of {n}", who=who, n=event.successes)),
    on(e.TacticalPointsSpent, _prepared),
    on(
        e.TurnsBegun,
        lambda event, name: say("The turns began, in this order: {order}", order=in_a_row(map(name, event.order))),
    ),
    on(
        e.TurnDelayed,
        lambda event, name: say(
            "{who} lets {whom} act first this turn", who=name(event.character), whom=name(event.after)
        ),
    ),
    on(e.TurnEnded, lambda event, name: say("{who} ended their turn", who=name(event.who))),
    on(e.CombatTurnStarted, lambda event, _: say("Turn {turn} began", turn=event.turn)),
    about(e.MovementPointsGained, lambda event, who: say("{who} gained {n} PM", who=who, n=event.amount)),
    about(
        e.CoverDiceGained,
        lambda event, who: say_many(
            "{who} gained {n} cover die",
            "{who} gained {n} cover dice",
            event.amount,
            who=who,
        ),
    ),
    about(
        e.AdvantageDiceGained,
        lambda event, who: say_many(
            "{who} gained {n} advantage die",
            "{who} gained {n} advantage dice",
            event.amount,
            who=who,
        ),
    ),
    on(e.UnitMoved, _move),
    on(
        e.ProtectionStarted,
        lambda event, name: say(
            "{who} stepped in to protect {whom}", who=name(event.protector), whom=name(event.protected)
        ),
    ),
    about(e.UnitRecoiled, _recoil),
    about(
        e.DamageTaken,
        lambda event, who: say(
            "{who} took {n} damage: {counter} at {value}",
            who=who,
            n=event.amount,
            counter=COUNTERS[event.counter],
            value=event.value,
        ),
    ),
    on(e.StabilisationRolled, _stabilisation),
    about(e.CharacterGravelyWounded, lambda _, who: say("{who} is gravely wounded and out of the fight", who=who)),
    about(e.CharacterStayedInCombat, lambda _, who: say("{who} fights on", who=who)),
    about(e.CharacterStunned, lambda _, who: say("{who} collapsed, stunned", who=who)),
    about(e.CinematicActionUsed, lambda _, who: say("{who} used an extra action", who=who)),
    on(e.AttackResolved, _attack),
    about(
        e.StateRestored,
        lambda event, who: say("The GM set the state of {who}: {what}", who=who, what=_restored(event)),
    ),
)
