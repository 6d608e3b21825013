"""Mobile Frame in words: one sentence for every kind of event."""

from collections.abc import Callable, Iterable, Mapping
from typing import assert_never
from uuid import UUID

from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.companies import account_of

Name = Callable[[str | UUID], str]

AGAINST = {
    "melee": "hand to hand",
    "open": "in the open",
    "in_cover": "behind cover",
    "covered_by_frame": "behind another frame",
    "is_cover": "being cover itself",
}
SYSTEMS = {
    "defense": "a defence system",
    "movement": "a movement system",
    "spotting": "a spotting system",
    "weapon:hand": "a hand weapon",
    "weapon:direct": "a direct fire weapon",
    "weapon:artillery": "its artillery",
}
ACTIONS = {"defense": "defence", "movement": "its move", "attack": "its attack", "spot": "its spot"}
REASONS = {
    "frame_destroyed": "a frame was destroyed",
    "station_captured": "a station was captured",
    "station_lost": "a station was lost",
}


def tell(event: e.Event, name: Name) -> str:
    """What happened, as a player would say it."""
    match event:
        case e.LoadoutRegistered():
            return f"{who(event.owner, name)} fielded {event.name} with {event.notation}"
        case e.FrameWithdrawn():
            return f"{name(event.frame)} was withdrawn from its company"
        case e.CoverPlaced():
            return f"{event.name} went up, {event.bricks} bricks, {event.height} high"
        case e.StationPlaced():
            held = f", held by {who(event.controller, name)}" if event.controller is not None else ""
            return f"{event.name} was set up as a station{held}"
        case e.StationMeasured():
            return f"{name(event.frame)} stands {_units(event.distance)} from {name(event.station)}"
        case e.PointsPerAssetSet():
            return f"Points per asset were set: {_numbers(event.ppa, name)}"
        case e.BattleStarted():
            return f"The battle began, with doomsday {event.doomsday} ticks away"
        case e.TacticalOrderSet():
            return f"Tactical order: {_ranked(event.scores, name)}"
        case e.CombatOrderEntered():
            return f"{name(event.attacker)} waits until {name(event.target)} has rolled its defence"
        case e.TurnPassed():
            return f"{who(event.player, name)} passed"
        case e.RoundEnded():
            ticks = _count(event.ticks, "tick")
            return f"Round {event.round} ended: the doomsday clock lost {ticks} and shows {event.doomsday}"
        case e.ExtraRoundGranted():
            tied = _and(_names(event.players, name))
            return f"Doomsday found {tied} tied: one more round decides"
        case e.BattleEnded():
            return _battle_ended(event, name)
        case e.StationCaptured():
            previous = f" from {who(event.previous, name)}" if event.previous is not None else ""
            return f"{who(event.player, name)} captured {name(event.station)}{previous}"
        case e.ScoreRecalculated():
            score = f"{event.from_} to {event.to}"
            return f"{who(event.player, name)} went from {score} points: {REASONS[event.reason]}"
        case e.FrameActivated():
            return _activated(event, name)
        case e.TargetDeclared():
            return f"{name(event.frame)} lined up {name(event.target)} at {event.range} range"
        case e.DicepoolRolled():
            return f"{name(event.frame)} rolled {_pool(event)}"
        case e.DieAssigned():
            return _assigned(event, name)
        case e.RocketSpent():
            return f"{name(event.frame)} fired {_count(event.amount, 'rocket')}"
        case e.DefensePlaced():
            return f"{name(event.frame)} stands at defence {event.value} for the round"
        case e.FrameMoved():
            return _moved(event, name)
        case e.SpotPlaced():
            instead = f" instead of {event.replaced}" if event.replaced is not None else ""
            return f"{name(event.frame)} spotted {name(event.target)} for {event.value}{instead}"
        case e.SpotForgone():
            why = "no die was given" if event.reason == "no_die" else "a spot as high stands already"
            return f"{name(event.frame)} did not spot {name(event.target)}: {why}"
        case e.LeftoverDiceDiscarded():
            return f"{name(event.frame)} discarded {_count(len(event.dice), 'die', 'dice')}" if event.dice else ""
        case e.TurnEnded():
            return f"{name(event.frame)} finished its turn"
        case e.TurnResumed():
            return f"{name(event.frame)} goes on"
        case _:
            return _attack(event, name)


def _attack(event: e.AttackEvent, name: Name) -> str:
    """What attacks do."""
    match event:
        case a.AttackForgone():
            gone = f"{name(event.target)} is gone"
            far = f"{name(event.target)} is {_units(event.distance)} away, not at {event.range} range"
            return f"{name(event.frame)} forwent its attack: {gone if event.reason == 'target_gone' else far}"
        case a.AttackAborted():
            return f"{name(event.frame)} called off its attack on {name(event.target)}"
        case a.AttackCommitted():
            return f"{name(event.frame)} attacked {name(event.target)} at {event.range} range with {event.value}"
        case a.SituationNamed():
            target = AGAINST[event.situation]
            return f"{who(event.player, name)} says that {name(event.frame)} finds its target {target}"
        case a.SpotConsumed():
            return f"{name(event.frame)} used the spot of {event.value} on {name(event.target)}"
        case a.DamageRolled():
            return _damage_rolled(event, name)
        case a.CoverDamaged():
            removed = _count(event.bricks_removed, "brick")
            return f"{name(event.cover)} lost {removed} and stands {event.height} high"
        case a.CoverDestroyed():
            return f"{name(event.cover)} is rubble and hides nobody any more"
        case a.StrayShotIgnored():
            return f"{name(event.frame)} shrugged off a stray shot"
        case a.DamageDealt():
            return f"{name(event.target)} took {_count(event.points, 'point')} of damage"
        case a.StationAbandoned():
            ground = f"fell back {_units(event.moved)}"
            return f"{name(event.frame)} abandoned {name(event.station)} and {ground} instead of being hit"
        case a.SystemLost():
            return f"{name(event.frame)} lost {SYSTEMS[event.system]}"
        case a.WhiteDieLost():
            dice = _count(event.lost, "white die", "white dice")
            return f"{name(event.frame)} lost {dice} and has {event.white_left} left"
        case a.FrameDestroyed():
            return f"{name(event.frame)}, a frame of {who(event.owner, name)}, was destroyed"
        case a.ChoicePending():
            about = name(event.subject)
            asked = f"which loss {about} takes" if event.kind == "loss" else f"how high {about} still stands"
            return f"{who(event.player, name)} has to say {asked}"
        case _:
            assert_never(event)


def who(player: str, name: Name) -> str:
    """A player by their account's name, or the company that a GM leads."""
    account = account_of(player)
    return name(account) if account is not None else player


def _battle_ended(event: e.BattleEnded, name: Name) -> str:
    """Who won, and the scores."""
    winners = _and(_names(event.winners, name)) or "Nobody"
    together = " together" if len(event.winners) > 1 else ""
    return f"Doomsday after round {event.rounds}: {winners} won{together}. {_ranked(event.scores, name)}"


def _activated(event: e.FrameActivated, name: Name) -> str:
    """A turn begins."""
    if event.attacker is not None:
        return f"{name(event.frame)} answers the attack of {name(event.attacker)}"
    return f"{name(event.frame)} began its turn"


def _pool(event: e.DicepoolRolled) -> str:
    """The dice by colour, as they lie there: `white 3 and 4, red 5 (d)`."""
    by_colour: dict[str, list[str]] = {}
    for die in event.dice:
        kind = f"d{die.sides} " if die.sides != 6 else ""  # noqa: PLR2004 — all the others are six-sided
        range_ = f" ({die.range})" if die.range is not None else ""
        by_colour.setdefault(die.color, []).append(f"{kind}{die.value}{range_}")
    return ", ".join(f"{color} {_and(faces)}" for color, faces in by_colour.items()) or "no dice"


def _assigned(event: e.DieAssigned, name: Name) -> str:
    """A die, or none, for an action."""
    what = f"a {event.value}" if event.die is not None else "no die"
    return f"{name(event.frame)} gave {what} to {ACTIONS[event.action]}"


def _moved(event: e.FrameMoved, name: Name) -> str:
    """How far, and over what."""
    how = " through cover" if event.through_cover else ""
    where = " onto cover" if event.on_cover else ""
    if event.distance == 0:
        return f"{name(event.frame)} stayed where it was{where}"
    return f"{name(event.frame)} moved {_units(event.distance)}{how}{where}"


def _damage_rolled(event: a.DamageRolled, name: Name) -> str:
    """The whole arithmetic: `A attacked B in the open, 3 + 4 - 3: 4 dice, 4, 5, 6 and 1`."""
    spot = f"spot {event.spot} + " if event.spot else ""
    sum_ = f"{spot}attack {event.attack} - defence {event.defense}"
    fell = f", {_and(map(str, event.values))}" if event.values else ""
    target = f"{name(event.target)}, {AGAINST[event.situation]}"
    return f"{name(event.frame)} hits out at {target}: {sum_}, {_count(event.damage_dice, 'die', 'dice')}{fell}"


def _names(players: Iterable[str], name: Name) -> list[str]:
    """Players as people list them."""
    return sorted(who(player, name) for player in players)


def _numbers(numbers: Mapping[str, int], name: Name) -> str:
    """A number for every player."""
    return ", ".join(sorted(f"{who(player, name)} {number}" for player, number in numbers.items()))


def _ranked(scores: Mapping[str, int], name: Name) -> str:
    """The highest score first, those who share one together: `Mei and Tomas (14), Otto (9)`."""
    places: dict[int, list[str]] = {}
    for player, score in scores.items():
        places.setdefault(score, []).append(player)
    return ", ".join(
        f"{_and(_names(players, name))} ({score})" for score, players in sorted(places.items(), reverse=True)
    )


def _units(count: int) -> str:
    return _count(count, "unit")


def _count(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _and(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    listed = list(parts)
    return " and ".join(filter(None, [", ".join(listed[:-1]), *listed[-1:]]))
