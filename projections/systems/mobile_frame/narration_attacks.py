"""Attacks of Mobile Frame as sentences, from the first shot to the last white die."""

from typing import assert_never

from msgspec import UNSET

from domain.sentences import Part, Sentence, join_parts, say, say_many, show_dice
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame.term_words import RANGES, SITUATIONS, SYSTEMS
from projections.narration_tables import Name, on, tellers
from projections.systems.mobile_frame.narration_phrases import dice, units, who


def _forgone(event: a.AttackForgone, name: Name) -> Sentence:
    frame = name(event.frame)
    if event.reason == "target_gone":
        return say("{frame} had to give up its attack: {target} is gone", frame=frame, target=name(event.target))
    return say(
        "{frame} had to give up its attack: {target} is {distance} away, not {range}",
        frame=frame,
        target=name(event.target),
        distance=units(event.distance),
        range=RANGES[event.range],
    )


def _met(event: a.SituationNamed, name: Name) -> Sentence:
    """The situation of an attack, with the obstacles."""
    if event.cover is not None and event.situation == "in_cover":
        return say("behind {cover}", cover=name(event.cover))
    if event.cover_frame is not None:
        return say("behind {cover}", cover=name(event.cover_frame))
    return SITUATIONS[event.situation]


def _damage_rolled(event: a.DamageRolled, name: Name) -> Sentence:
    """The whole arithmetic: `A rolled damage on B, which is in the open: attack 4 - defence 2, 2 dice: 5, 1`."""
    if event.spot:
        sum_ = say(
            "spot {spot} + attack {attack} - defence {defense}",
            spot=event.spot,
            attack=event.attack,
            defense=event.defense,
        )
    else:
        sum_ = say("attack {attack} - defence {defense}", attack=event.attack, defense=event.defense)
    frame, target = name(event.frame), _where(event, name)
    damage_dice = dice(event.damage_dice)
    if not event.values:
        return say(
            "{frame} has no damage dice on {target}: {sum}",
            frame=frame,
            target=target,
            sum=sum_,
        )
    return say(
        "{frame} rolled damage on {target}: {sum}, {dice}",
        frame=frame,
        target=target,
        sum=sum_,
        dice=show_dice(say("{dice}: {faces}", dice=damage_dice, faces=join_parts(event.values)), damage_dice),
    )


def _where(event: a.DamageRolled, name: Name) -> Part:
    """The target and where it is, unless it is cover itself."""
    target = name(event.target)
    for in_the_way in (event.cover, event.cover_frame):
        if in_the_way is not UNSET:
            return say("{target}, which is behind {cover}", target=target, cover=name(in_the_way))
    match event.situation:
        case "is_cover":
            return target
        case "melee":
            return say("{target}, hand to hand", target=target)
        case "open":
            return say("{target}, which is in the open", target=target)
        case "in_cover":
            return say("{target}, which is behind cover", target=target)
        case "covered_by_frame":
            return say("{target}, which is behind another frame", target=target)
        case _:
            assert_never(event.situation)


def _dealt(event: a.DamageDealt, name: Name) -> Sentence:
    if event.points == 0:
        return say("{frame} took no damage", frame=name(event.target))
    return say_many(
        "{frame} took {n} point of damage",
        "{frame} took {n} points of damage",
        event.points,
        frame=name(event.target),
    )


def _pending(event: a.ChoicePending, name: Name) -> Sentence:
    """The player who has to choose a loss, or a GM if the player has left, and its subject."""
    player, about = who(event.player, name), name(event.subject)
    if event.for_gm is True:
        if event.kind == "loss":
            return say(
                "A GM has to choose what {frame} loses: {who} no longer plays here", who=player, frame=about
            )
        return say(
            "A GM has to say how high {cover} still stands: {who} no longer plays here", who=player, cover=about
        )
    if event.kind == "loss":
        return say("{who} has to choose what {frame} loses", who=player, frame=about)
    return say("{who} has to say how high {cover} still stands", who=player, cover=about)


TELL = tellers(
    on(a.AttackForgone, _forgone),
    on(
        a.AttackAborted,
        lambda event, name: say(
            "{frame} called off its attack on {target}", frame=name(event.frame), target=name(event.target)
        ),
    ),
    on(
        a.AttackCommitted,
        lambda event, name: say(
            "{frame} attacked {target} {range} with {value}",
            frame=name(event.frame),
            target=name(event.target),
            range=RANGES[event.range],
            value=event.value,
        ),
    ),
    on(
        a.SituationNamed,
        lambda event, name: say(
            "{who} says where the attack of {frame} finds its target: {situation}",
            who=who(event.player, name),
            frame=name(event.frame),
            situation=_met(event, name),
        ),
    ),
    on(
        a.SpotConsumed,
        lambda event, name: say(
            "{frame} used the spot of {value} on {target}",
            frame=name(event.frame),
            value=event.value,
            target=name(event.target),
        ),
    ),
    on(a.DamageRolled, _damage_rolled),
    on(
        a.CoverDamaged,
        lambda event, name: say_many(
            "{cover} lost {n} brick and stands {height} high",
            "{cover} lost {n} bricks and stands {height} high",
            event.bricks_removed,
            cover=name(event.cover),
            height=event.height,
        ),
    ),
    on(
        a.CoverDestroyed,
        lambda event, name: say("{cover} is rubble and hides nobody any more", cover=name(event.cover)),
    ),
    on(a.ChoicePending, _pending),
    on(a.StrayShotIgnored, lambda event, name: say("{frame} shrugged off a stray shot", frame=name(event.frame))),
    on(a.DamageDealt, _dealt),
    on(
        a.StationAbandoned,
        lambda event, name: say(
            "{frame} abandoned {station} and fell back {distance} instead of taking 1 damage",
            frame=name(event.frame),
            station=name(event.station),
            distance=units(event.moved),
        ),
    ),
    on(
        a.SystemLost,
        lambda event, name: say("{frame} lost {system}", frame=name(event.frame), system=SYSTEMS[event.system]),
    ),
    on(
        a.WhiteDieLost,
        lambda event, name: say_many(
            "{frame} lost {n} white die and has {left} left",
            "{frame} lost {n} white dice and has {left} left",
            event.lost,
            frame=name(event.frame),
            left=event.white_left,
        ),
    ),
    on(
        a.FrameDestroyed,
        lambda event, name: say(
            "{frame}, a frame of {who}, was destroyed",
            frame=name(event.frame),
            who=who(event.owner, name),
        ),
    ),
)
