"""Mobile Frame's events as sentences."""

from typing import assert_never

from domain.sentences import Part, Sentence, in_a_row, join_parts, say, say_many, show_dice
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entrance_events import CoverEntered, FrameEntered
from domain.systems.mobile_frame.tables import Color
from domain.systems.mobile_frame.term_words import ACTIONS, RANGES, WEAPONS
from projections.entrance_sentences import came
from projections.narration_tables import Name, on, tellers
from projections.systems.mobile_frame import narration_attacks
from projections.systems.mobile_frame.narration_phrases import dice, names, ranked, units, who


def _station_placed(event: e.StationPlaced, name: Name) -> Sentence:
    if event.controller is None:
        return say("{station} was set up as a station", station=event.name)
    holder = who(event.controller, name)
    return say("{station} was set up as a station, held by {who}", station=event.name, who=holder)


def _points_per_asset(event: e.PointsPerAssetSet, name: Name) -> Sentence:
    worth = (
        say("{players} ({score})", players=player, score=points)
        for player, points in sorted((who(player, name), points) for player, points in event.ppa.items())
    )
    return say("Points per asset: {worth}", worth=in_a_row(worth))


def _round_ended(event: e.RoundEnded, _: Name) -> Sentence:
    if event.ticks == 0:
        return say(
            "Round {round} ended, with the doomsday clock at {doomsday}",
            round=event.round,
            doomsday=event.doomsday,
        )
    return say(
        "Round {round} ended: the doomsday clock went down by {ticks}, to {doomsday}",
        round=event.round,
        ticks=say_many("{n} tick", "{n} ticks", event.ticks),
        doomsday=event.doomsday,
    )


def _ended(event: e.BattleEnded, name: Name) -> Sentence:
    scores = ranked(event.scores, name)
    winners = names(event.winners, name)
    if not winners:
        return say("Doomsday after round {round}: nobody won. {scores}", round=event.rounds, scores=scores)
    if len(winners) == 1:
        return say(
            "Doomsday after round {round}: {winner} won. {scores}",
            round=event.rounds,
            winner=winners[0],
            scores=scores,
        )
    return say(
        "Doomsday after round {round}: {winners} won together. {scores}",
        round=event.rounds,
        winners=join_parts(winners),
        scores=scores,
    )


def _captured(event: e.StationCaptured, name: Name) -> Sentence:
    player, station = who(event.player, name), name(event.station)
    if event.previous is None:
        return say("{who} captured {station}", who=player, station=station)
    previous = who(event.previous, name)
    return say("{who} captured {station} from {previous}", who=player, station=station, previous=previous)


def _recalculated(event: e.ScoreRecalculated, name: Name) -> Sentence:
    """A score before and after, with the reason."""
    parts: dict[str, Part] = {"who": who(event.player, name), "before": event.from_, "after": event.to}
    match event.reason:
        case "frame_destroyed":
            return say("{who} went from {before} to {after} points: a frame was destroyed", **parts)
        case "station_captured":
            return say("{who} went from {before} to {after} points: a station was captured", **parts)
        case "station_lost":
            return say("{who} went from {before} to {after} points: a station was lost", **parts)
        case "frame_entered":
            return say("{who} went from {before} to {after} points: a frame came into play", **parts)
        case _:
            assert_never(event.reason)


def _activated(event: e.FrameActivated, name: Name) -> Sentence:
    if event.attacker is None:
        return say("{frame} began its turn", frame=name(event.frame))
    return say("{frame} answers the attack of {attacker}", frame=name(event.frame), attacker=name(event.attacker))


def _dicepool_rolled(event: e.DicepoolRolled, name: Name) -> Sentence:
    """The dice by colour with their faces: `white 3 and 4, red 5 (d)`."""
    by_color: dict[Color, list[str]] = {}
    for die in event.dice:
        kind = f"d{die.sides} " if die.sides != 6 else ""  # noqa: PLR2004 — all the others are six-sided
        range_ = f" ({die.range})" if die.range is not None else ""
        by_color.setdefault(die.color, []).append(f"{kind}{die.value}{range_}")
    pool = in_a_row(_of_a_color(color, join_parts(faces)) for color, faces in by_color.items())
    pool = show_dice(pool, dice(len(event.dice))) if by_color else say("no dice")
    return say("{frame} rolled {pool}", frame=name(event.frame), pool=pool)


def _of_a_color(color: Color, faces: Sentence) -> Sentence:
    """The faces of all dice of one colour."""
    match color:
        case "white":
            return say("white {faces}", faces=faces)
        case "blue":
            return say("blue {faces}", faces=faces)
        case "green":
            return say("green {faces}", faces=faces)
        case "yellow":
            return say("yellow {faces}", faces=faces)
        case "red":
            return say("red {faces}", faces=faces)


def _aimed(event: e.TargetDeclared, name: Name) -> Sentence:
    parts: dict[str, Part] = {
        "frame": name(event.frame),
        "target": name(event.target),
        "range": RANGES[event.range],
    }
    if event.weapon is None:
        return say("{frame} took aim at {target} {range}", **parts)
    return say("{frame} took aim at {target} {range}, with {weapon}", **parts, weapon=WEAPONS[event.weapon])


def _assigned(event: e.DieAssigned, name: Name) -> Sentence:
    """A die, or none, for an action; a white one may replace a rocket's."""
    frame, action = name(event.frame), ACTIONS[event.action]
    if event.die is None:
        return say("{frame} assigned no die to {action}", frame=frame, action=action)
    if event.rocket_kept is True:
        return say(
            "{frame} assigned {value} to {action}, with a white die: its rocket is not fired",
            frame=frame,
            value=event.value,
            action=action,
        )
    return say("{frame} assigned {value} to {action}", frame=frame, value=event.value, action=action)


def _left_over(event: e.LeftoverDiceDiscarded, name: Name) -> Sentence | str:
    """Unused dice; empty where there are none."""
    count, frame = len(event.dice), name(event.frame)
    return say_many("{frame} discarded {n} die", "{frame} discarded {n} dice", count, frame=frame) if count else ""


def _frame_moved(event: e.FrameMoved, name: Name) -> Sentence:
    frame, far = name(event.frame), units(event.distance)
    if event.distance == 0:
        if event.on_cover:
            return say("{frame} stayed where it was, on top of cover", frame=frame)
        return say("{frame} stayed where it was", frame=frame)
    if event.through_cover and event.on_cover:
        return say("{frame} moved {units} through cover and onto cover", frame=frame, units=far)
    if event.through_cover:
        return say("{frame} moved {units} through cover", frame=frame, units=far)
    if event.on_cover:
        return say("{frame} moved {units} onto cover", frame=frame, units=far)
    return say("{frame} moved {units}", frame=frame, units=far)


def _spotted(event: e.SpotPlaced, name: Name) -> Sentence:
    frame, target = name(event.frame), name(event.target)
    if event.replaced is None:
        return say("{frame} spotted {target} with {value}", frame=frame, target=target, value=event.value)
    return say(
        "{frame} spotted {target} with {value}, in place of {replaced}",
        frame=frame,
        target=target,
        value=event.value,
        replaced=event.replaced,
    )


def _not_spotted(event: e.SpotForgone, name: Name) -> Sentence:
    frame, target = name(event.frame), name(event.target)
    if event.reason == "no_die":
        return say("{frame} did not spot {target}: no die was given", frame=frame, target=target)
    return say(
        "{frame} did not spot {target}: a spot at least as high is already on it", frame=frame, target=target
    )


TELL = tellers(
    on(
        e.LoadoutRegistered,
        lambda event, name: say(
            "{who} fielded {frame} with {notation}",
            who=who(event.owner, name),
            frame=event.name,
            notation=event.notation,
        ),
    ),
    on(
        e.FrameRenamed,
        lambda event, _: say("{previous} is called {name} from now on", previous=event.previous, name=event.name),
    ),
    on(
        e.FrameHandedOver,
        lambda event, name: say(
            "{frame} went from {previous} to {who}",
            frame=name(event.frame),
            previous=who(event.previous, name),
            who=who(event.owner, name),
        ),
    ),
    on(
        e.FrameCrewed,
        lambda event, name: say(
            "{frame} is the frame of {character} from now on",
            frame=name(event.frame),
            character=name(event.character),
        ),
    ),
    on(
        e.FrameWithdrawn,
        lambda event, name: say("{frame} was withdrawn from its company", frame=name(event.frame)),
    ),
    on(FrameEntered, lambda event, _: came(event.frame.name, event.anew)),
    on(CoverEntered, lambda event, _: came(event.cover.name, event.anew)),
    on(
        e.CoverPlaced,
        lambda event, _: say(
            "{cover} was set up as cover: {bricks} bricks, {height} high",
            cover=event.name,
            bricks=event.bricks,
            height=event.height,
        ),
    ),
    on(e.StationPlaced, _station_placed),
    on(
        e.StationMeasured,
        lambda event, name: say(
            "{frame} stands {distance} from {station}",
            frame=name(event.frame),
            distance=units(event.distance),
            station=name(event.station),
        ),
    ),
    on(e.PointsPerAssetSet, _points_per_asset),
    on(
        e.BattleStarted,
        lambda event, _: say_many(
            "The battle began, with doomsday {n} tick away",
            "The battle began, with doomsday {n} ticks away",
            event.doomsday,
        ),
    ),
    on(e.RoundEnded, _round_ended),
    on(
        e.ExtraRoundGranted,
        lambda event, name: say(
            "Doomsday, and {players} are tied: one more round decides",
            players=join_parts(names(event.players, name)),
        ),
    ),
    on(e.BattleEnded, _ended),
    on(e.TacticalOrderSet, lambda event, name: say("Tactical order: {order}", order=ranked(event.scores, name))),
    on(
        e.CombatOrderEntered,
        lambda event, name: say(
            "{attacker} waits until {target} has set its defence",
            attacker=name(event.attacker),
            target=name(event.target),
        ),
    ),
    on(e.TurnPassed, lambda event, name: say("{who} passed", who=who(event.player, name))),
    on(e.StationCaptured, _captured),
    on(e.ScoreRecalculated, _recalculated),
    on(e.FrameActivated, _activated),
    on(e.TargetDeclared, _aimed),
    on(e.DicepoolRolled, _dicepool_rolled),
    on(e.DieAssigned, _assigned),
    on(
        e.RocketSpent,
        lambda event, name: say_many(
            "{frame} fired {n} rocket", "{frame} fired {n} rockets", event.amount, frame=name(event.frame)
        ),
    ),
    on(e.LeftoverDiceDiscarded, _left_over),
    on(
        e.DefensePlaced,
        lambda event, name: say(
            "{frame} has defence {value} for this round", frame=name(event.frame), value=event.value
        ),
    ),
    on(e.FrameMoved, _frame_moved),
    on(e.SpotPlaced, _spotted),
    on(e.SpotForgone, _not_spotted),
    on(e.TurnEnded, lambda event, name: say("The turn of {frame} is over", frame=name(event.frame))),
    on(e.TurnResumed, lambda event, name: say("{frame} goes on with its turn", frame=name(event.frame))),
    *narration_attacks.TELL.items(),
)
