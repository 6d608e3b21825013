"""Overdrive's fights in words."""

from collections.abc import Callable
from typing import assert_never
from uuid import UUID

from domain.systems.overdrive import events as e
from projections.narration.overdrive_words import joined, words

Name = Callable[[str | UUID], str]


def tell(event: e.CombatEvent, name: Name) -> str:
    """What happened in a fight."""
    match event:
        case e.CombatStarted():
            caught = (
                f"; {joined(name(each) for each in event.surprised)} caught by surprise" if event.surprised else ""
            )
            return f"A fight began between {joined(name(each) for each in event.participants)}{caught}"
        case e.UnrechargedPenaltyApplied():
            return f"{name(event.mech)} went into the fight without having been recharged"
        case e.DamageTaken():
            return f"{name(event.character)} took damage: the {event.counter} counter stands at {event.value}"
        case e.StabilisationRolled():
            held = "stays stable" if event.success else "loses stability"
            return f"{name(event.character)} {held}: {event.die} against {event.against}"
        case e.FatalModeEntered():
            return f"{name(event.mech)} went into Fatal mode"
        case e.CharacterGravelyWounded():
            return f"{name(event.character)} is gravely wounded and out of the fight"
        case e.ConfigurationLost():
            return f"{name(event.mech)} lost {words(event.config)}"
        case e.WeaponDisabled():
            return f"{name(event.mech)} gave up its {words(event.weapon)} instead of a configuration"
        case e.CharacterStayedInCombat():
            return f"{name(event.character)} fights on"
        case e.CharacterStunned():
            return f"{name(event.character)} collapsed, stunned"
        case e.InitiativeSet():
            return f"{name(event.character)} has initiative {event.successes}"
        case e.TacticalPointsSpent():
            what = name(event.character) if event.character is not None else "the objective"
            return f"Well prepared: {what} moved {event.moved_pm} PM, {event.total_after} tactical points are left"
        case e.TurnsBegun():
            return f"The order: {', '.join(name(each) for each in event.order)}"
        case e.TurnDelayed():
            return f"{name(event.character)} waits for {name(event.after)}"
        case e.TurnEnded():
            return f"{name(event.who)} is done for this turn"
        case e.CombatTurnStarted():
            return f"Turn {event.turn} began"
        case e.MovementPointsGained():
            return f"{name(event.character)} has {event.amount} more movement points"
        case e.CoverDiceGained():
            return f"{name(event.character)} found cover worth {event.amount} dice"
        case e.AdvantageDiceGained():
            return f"{name(event.character)} found an advantage worth {event.amount} dice"
        case e.UnitMoved():
            return f"{name(event.character)} moved for {event.cost} PM and has {event.pm_left} left"
        case e.ProtectionStarted():
            return f"{name(event.protector)} stepped in front of {name(event.protected)}"
        case e.CinematicActionUsed():
            return f"{name(event.character)} used the extra action"
        case e.WeaponCooling():
            return f"The {words(event.weapon)} of {name(event.character)} cools until turn {event.ready_on_turn}"
        case e.AttackResolved():
            return _attack(event, name)
        case e.UnitRecoiled():
            cells = "1 cell" if event.cells == 1 else f"{event.cells} cells"
            return f"{name(event.character)} was pushed back {cells}"
        case e.CombatEnded():
            return "The fight was over"
        case e.MechDischarged():
            return f"{name(event.mech)} has to be recharged"
        case e.MechRecharged():
            return f"{name(event.mech)} was recharged"
        case e.StateRestored():
            return f"{name(event.character)} was set right again: {_restored(event)}"
        case _:
            assert_never(event)


def _attack(event: e.AttackResolved, name: Name) -> str:
    """Attack against defence."""
    verdict = "hit" if event.damage else "struck without harm" if event.hit else "missed"
    return (
        f"{name(event.attacker)} {verdict} {name(event.victim)} with the {words(event.weapon)}: "
        f"{event.attack_successes} against {event.defense_successes}"
    )


def _restored(event: e.StateRestored) -> str:
    """What the GM set."""
    parts = [
        event.status,
        f"{event.mode} mode" if event.mode is not None else None,
        f"{event.failures} failures" if event.failures is not None else None,
        f"{words(event.weapon)} ready" if event.weapon is not None else None,
    ]
    return joined(part for part in parts if part is not None)
