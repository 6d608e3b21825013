"""Attacks up to the damage dice: resolving, calling off, and the situations they meet (MF-14, MF-15, MF-A6).

Codes: no_target_declared, already_attacked, too_late_to_abort, spot_comes_last, no_attack, wrong_situation,
unknown_cover, no_cover, which_cover, unknown_frame, no_covering_frame, which_frame, which_die.
"""

from collections.abc import Collection, Sequence

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, say
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import (
    absent,
    find_turn,
    require_battle,
    require_defense_placed,
    require_nothing_pending,
    require_owner,
    speaks_for,
    waits,
)
from domain.systems.mobile_frame.die_assignment import assigned, require_die_said
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Activation, Attack, Frame, MobileFrameState, Target, account_of
from domain.systems.mobile_frame.tables import HAND_UNITS, Range, Situation
from domain.systems.mobile_frame.term_words import SITUATIONS

RANGED: tuple[Situation, ...] = ("open", "in_cover", "covered_by_frame")
"""The situations that an attack from afar may meet (MF-17)."""


def within(range_: Range, distance: int, ruler_units: int) -> bool:
    """Whether a distance lies in a range; ranges exclude each other (MF-5)."""
    match range_:
        case "hand":
            return distance <= HAND_UNITS
        case "direct":
            return HAND_UNITS < distance <= ruler_units
        case "artillery":
            return distance > ruler_units


def attack(state: MobileFrameState, context: CommandContext, command: c.DeclaredAttack) -> list[e.Event]:
    """MF-C9: out of range the attack is forgone, without a die aborted; else it stands and may wake its target."""
    battle, turn, frame = find_turn(state, context, command.frame, "MF-C9")
    target = _require_lined_up(turn)
    require_defense_placed(turn, "MF-C9")
    if turn.spotted:
        raise Rejection("spot_comes_last", "Spotting comes last: this turn has no more attack.", rule="MF-8")
    is_gone = _is_gone(state, target)
    if is_gone or not within(target.range, command.distance, battle.ruler_units):
        return [
            a.AttackForgone(
                frame=frame.frame_id,
                target=target.target,
                reason="target_gone" if is_gone else "out_of_range",
                range=target.range,
                distance=command.distance,
                turn_id=turn.turn_id,
            )
        ]
    events: list[e.Event] = []
    die = turn.assigned.get("attack")
    if command.die is None and die is not None:
        raise Rejection("too_late_to_abort", "Too late: the attack already has its die.", rule="MF-14")
    if command.die is not UNSET and command.die is not None and command.die != die:
        events += assigned(turn, frame, "attack", command.die)
        die = command.die
    if die is None and command.die is UNSET:
        require_die_said(context, turn, frame, "attack")
    if die is None:
        return [a.AttackAborted(frame=frame.frame_id, target=target.target, turn_id=turn.turn_id)]
    value = turn.pool[die].value if die < len(turn.pool) else 0
    events.append(
        a.AttackCommitted(
            frame=frame.frame_id,
            target=target.target,
            kind=target.kind,
            range=target.range,
            value=value,
            distance=command.distance,
            turn_id=turn.turn_id,
            attack_id=derive_id("attack", context.action_id),
        )
    )
    if target.kind == "frame" and waits(state.frames.get(target.target)):
        events.append(e.CombatOrderEntered(attacker=frame.frame_id, target=target.target))
        settings: Settings = context.settings
        woken = e.FrameActivated(
            frame=target.target,
            by="attack",
            attacker=frame.frame_id,
            may_declare=settings.woken_may_declare,
            during=battle.now,
            turn_id=derive_id("turn", context.action_id),
        )
        events.append(woken)
    return events


def abort_attack(
    state: MobileFrameState, context: CommandContext, command: c.AbortAttack
) -> list[a.AttackAborted]:
    """MF-C10: give an attack up while no die is announced, even after its target was woken."""
    _require_unannounced(state, context, command.frame)
    _, turn, frame = find_turn(state, context, command.frame, "MF-C10")
    if turn.attack is not None or (turn.assigned.get("attack") is not None and not turn.attacked):
        raise _too_late()
    target = _require_lined_up(turn)
    before_dice = not turn.rolled or UNSET
    return [a.AttackAborted(frame.frame_id, target.target, before_dice, turn_id=turn.turn_id)]


def _require_unannounced(state: MobileFrameState, context: CommandContext, frame: str | None) -> None:
    """Raise `too_late_to_abort` if an attack of the asker waits for its target's defence.

    Without `frame`, an asker who may act in the current turn means that turn's frame.
    """
    acting = state.acting()
    now = state.frames.get(acting.frame) if acting is not None else None
    if frame is None and now is not None and speaks_for(now.owner, context):
        return
    waiting = state.battle.stack[:-1] if state.battle is not None else []
    for turn in reversed(waiting):
        attacker = state.frames.get(turn.frame)
        if turn.attack is None or attacker is None or frame not in (None, turn.frame):
            continue
        if speaks_for(attacker.owner, context):
            raise _too_late()


def _too_late() -> Rejection:
    return Rejection("too_late_to_abort", "Too late: the attack already has its die.", rule="MF-14")


def _require_lined_up(turn: Activation) -> Target:
    """The target of the attack that is still to be made. Raises `no_target_declared`, `already_attacked`."""
    if turn.target is None:
        raise Rejection("no_target_declared", "No target was declared before the dice fell.", rule="MF-9")
    if turn.attacked:
        raise Rejection("already_attacked", "This turn's attack is already over.", rule="MF-C9")
    return turn.target


def _is_gone(state: MobileFrameState, target: Target) -> bool:
    """Whether the target is gone since it was declared."""
    if target.kind == "frame":
        frame = state.frames.get(target.target)
        return frame is None or frame.status != "active"
    cover = state.covers.get(target.target)
    return cover is None or cover.fallen


def name_situation(
    state: MobileFrameState, context: CommandContext, command: c.NameSituation
) -> list[a.SituationNamed]:
    """MF-A6: name the situation that the attack meets; with `agreed`, both sides must name the same."""
    require_battle(state, "MF-A6")
    turn, attacker, attack = find_attack(state, context, command.frame)
    settings: Settings = context.settings
    target = state.frames.get(attack.target)
    if settings.situation_named_by == "agreed" and _speaks_for_target(state, context, attacker, target):
        assert target is not None
        player = target.owner
    else:
        require_owner(attacker, context, "MF-A6")
        player = attacker.owner
    require_nothing_pending(state, "MF-A6")
    situation, cover, cover_frame = met(state, context, turn, attack, command)
    return [
        a.SituationNamed(
            frame=attacker.frame_id,
            player=player,
            situation=situation,
            situation_named_by=settings.situation_named_by,
            cover=cover,
            cover_frame=cover_frame,
            attack_id=attack.attack_id,
        )
    ]


def _speaks_for_target(
    state: MobileFrameState, context: CommandContext, attacker: Frame, target: Frame | None
) -> bool:
    """Whether the asker names the situation for the target.

    A GM whose own frame attacks may not, unless the target has no active player.
    """
    if target is None or not speaks_for(target.owner, context):
        return False
    return names_for_both(attacker, target, str(context.account), absent(state, context))


def names_for_both(attacker: Frame, target: Frame, gm: str | None, absent_owners: Collection[str]) -> bool:
    """Whether a GM's word on where the target is counts for the target, too.

    `absent_owners` can no longer act.

    Not where the attack is the GM's own and the target another's. `gm` is None for a GM without a frame.
    """
    deserted = {
        owner for owner in (attacker.owner, target.owner) if account_of(owner) is None or owner in absent_owners
    }
    attacks = attacker.owner in deserted or attacker.owner == gm
    return target.owner in deserted or target.owner == gm or not attacks


def find_attack(
    state: MobileFrameState, context: CommandContext, frame: str | None
) -> tuple[Activation, Frame, Attack]:
    """The committed attack of `frame`, or the only one. Raises `no_attack`."""
    stack = state.battle.stack if state.battle is not None else []
    for turn in reversed(stack):
        attacker = state.frames.get(turn.frame)
        if turn.attack is not None and attacker is not None and frame in (None, turn.frame):
            context.filled["frame"] = turn.frame
            return turn, attacker, turn.attack
    raise Rejection("no_attack", "No attack waits to be resolved.", rule="MF-C11")


def forced_situation(attack: Target | Attack) -> Situation | None:
    """The situation of an attack that needs no naming: a cover as its target, or a melee."""
    if attack.kind == "cover":
        return "is_cover"
    return "melee" if attack.range == "hand" else None


def known_defense(state: MobileFrameState, target: Target | Attack) -> int | None:
    """MF-15: the defence marker; 0 for cover and for a frame without one. None: it has yet to roll and set it."""
    frame = state.frames.get(target.target)
    if target.kind == "cover" or frame is None:
        return 0
    if frame.defense is not None:
        return frame.defense
    turn = state.activation(frame.frame_id)
    unset = turn is not None and "defense" not in turn.assigned
    return None if frame.status == "active" and (unset or not frame.activated) else 0


def met(
    state: MobileFrameState,
    context: CommandContext,
    turn: Activation,
    attack: Attack,
    command: c.NameSituation | c.ResolveAttack,
) -> tuple[Situation, str | None, str | None]:
    """The situation of an attack, with the cover or covering frame in it; left out, they are the attacker's word.

    Raises `situation_required`, `wrong_situation`, and the errors of finding cover.
    """
    forced = forced_situation(attack)
    attacker = state.frames.get(turn.frame)
    named_situation, behind = attack.word_of(attacker.owner) if attacker is not None else (None, None)
    last = attack.situation, attack.cover or attack.cover_frame
    if (named_situation is None and not attack.named) or (
        context.decided_before and (named_situation, behind) != _met_then(context)
    ):
        named_situation, behind = last  # in old logs, a field left out meant the last word of either side
    situation = command.situation or forced or named_situation
    if situation is None:
        raise Rejection(
            "situation_required",
            "Say whether the target is in the open, behind cover or behind another frame.",
            rule="MF-A6",
            choices=list(RANGED),
        )
    if situation != forced and (forced is not None or situation not in RANGED):
        raise Rejection(
            "wrong_situation",
            say("This attack cannot be resolved as “{situation}”.", situation=SITUATIONS[situation]),
            rule="MF-17",
        )
    context.filled["situation"] = situation
    own = behind if situation == named_situation else None
    if situation == "is_cover":
        return situation, attack.target, None
    if situation == "in_cover":
        return situation, _cover(state, context, command.cover or own), None
    if situation == "covered_by_frame":
        frame_id = command.cover_frame or own
        return situation, None, _covering_frame(state, context, frame_id, {turn.frame, attack.target})
    return situation, None, None


def _met_then(context: CommandContext) -> tuple[Situation | None, str | None]:
    """The situation that an old command found, with the cover or frame that its event names."""
    for event in context.outcome:
        if isinstance(event, a.DamageRolled | a.SituationNamed):
            return event.situation, event.cover or event.cover_frame or None
    return None, None


def standing_covers(state: MobileFrameState) -> list[str]:
    """The terrain that gives cover (MF-6)."""
    return sorted(cover.cover_id for cover in state.covers.values() if not (cover.fallen or cover.hidden))


def standing_frames(state: MobileFrameState, fighting: set[str]) -> list[str]:
    """The frames that can be between two that fight."""
    frames = (frame for frame in state.in_play() if frame.status == "active")
    return [frame.frame_id for frame in frames if frame.frame_id not in fighting]


def _cover(state: MobileFrameState, context: CommandContext, cover: str | None) -> str:
    """A cover that stands. Raises `unknown_cover`, `no_cover` or `which_cover`."""
    return _one(state, context, "cover", cover, standing_covers(state), "unknown_cover", "no_cover", "which_cover")


def _covering_frame(
    state: MobileFrameState, context: CommandContext, frame: str | None, fighting: set[str]
) -> str:
    """A standing frame of either side that is not in the fight. Raises `unknown_frame` and the like."""
    standing = standing_frames(state, fighting)
    return _one(
        state, context, "cover_frame", frame, standing, "unknown_frame", "no_covering_frame", "which_frame"
    )


def _one(
    state: MobileFrameState,
    context: CommandContext,
    field: str,
    choice: str | None,
    standing: Sequence[str],
    unknown: str,
    none: str,
    which: str,
) -> str:
    """The cover or covering frame: named now or with the situation, else the only one."""
    if choice is None:
        return the_one(
            context,
            field,
            standing,
            code=which,
            message=lambda several: say(
                "Which of these gives cover? {choices}.",
                choices=either(state.name_of(id_) or "" for id_ in several),
            ),
            rule="MF-6",
            describe=str,
            none=lambda: Rejection(none, "Nothing on the field gives cover.", rule="MF-6"),
        )
    if choice not in standing:
        raise Rejection(unknown, "That gives no cover to this target.", rule="MF-6", choices=[*standing])
    context.filled[field] = choice
    return choice


def require_agreed(
    state: MobileFrameState, context: CommandContext, attack: Attack, attacker: Frame, situation: Situation
) -> None:
    """Raise `situation_not_agreed` unless both sides named the same, under `situation_named_by: agreed`.

    A GM whose own frame does not attack names for both.
    """
    settings: Settings = context.settings
    target = state.frames.get(attack.target)
    if settings.situation_named_by == "attacker" or target is None or forced_situation(attack) is not None:
        return
    if context.is_gm and (context.decided_before or _speaks_for_target(state, context, attacker, target)):
        return
    if attack.named.get(target.owner) != situation:
        raise Forbidden(
            "situation_not_agreed",
            "The target's owner has not named the same situation; ask them or the GM.",
            rule="MF-A6",
            attacker=attacker.frame_id,
            named=attack.named,
        )


def committed(state: MobileFrameState, event: a.AttackCommitted) -> None:
    """Add the attack."""
    turn = state.activation(event.frame)
    if turn is not None:
        turn.attack = Attack(event.target, event.kind, event.range, event.value, attack_id=event.attack_id)
        turn.attacked = True


def aborted(state: MobileFrameState, event: a.AttackAborted) -> None:
    """Use up the attack of this turn; before the roll, only remove its target.

    Where the roll was undone since, the abort stands before it. Events of old name no turn, and stay as they were.
    """
    turn = state.activation(event.frame)
    before_roll = turn is not None and not turn.rolled and event.turn_id is not UNSET
    if turn is not None and (event.before_dice is True or before_roll):
        turn.target = None
    else:
        attack_over(state, event)


def attack_over(state: MobileFrameState, event: a.AttackForgone | a.AttackAborted | a.DamageRolled) -> None:
    """Use up the attack of this turn."""
    turn = state.activation(event.frame)
    if turn is not None:
        turn.attack = None
        turn.attacked = True


def situation_named(state: MobileFrameState, event: a.SituationNamed) -> None:
    """Record the situation that one side names, with its cover."""
    turn = state.activation(event.frame)
    if turn is None or turn.attack is None:
        return
    turn.attack.named[event.player] = event.situation
    turn.attack.behind.pop(event.player, None)
    if (behind := event.cover or event.cover_frame) is not None:
        turn.attack.behind[event.player] = behind
    turn.attack.situation = event.situation
    turn.attack.cover = event.cover
    turn.attack.cover_frame = event.cover_frame
