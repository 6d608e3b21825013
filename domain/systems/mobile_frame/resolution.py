"""Resolves an attack: damage dice, and whom they hit in which order (MF-17 to MF-22, MF-C11).

Choices sent ahead are used in order. At the first that is missing the resolution stops with `ChoicePending`,
which keeps the dice that are still to be dealt out; `choose_loss` and `remove_bricks` continue from there.
Codes: no_attack, defense_not_known, no_spot, system_choice_required, not_at_station, not_your_frame,
nothing_to_choose, system_or_station, too_high.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.rejection import Rejection
from domain.sentences import say, say_many
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.access import (
    find_frame,
    require_battle,
    require_nothing_pending,
    require_owner,
)
from domain.systems.mobile_frame.attacks import find_attack, known_defense, met, require_agreed
from domain.systems.mobile_frame.damage_allocation import Choices, at_station, deal, highest_left
from domain.systems.mobile_frame.evolve_damage import DamageEvent
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Attack, Choice, Cover, Frame, MobileFrameState, Unresolved
from domain.systems.mobile_frame.tables import COVER_HEIGHT_MIN, Situation, System

DAMAGE_SIDES = 6
NOTHING_BELOW = 4
"""Faces below this never hit anything (MF-17)."""


def resolve_attack(
    state: MobileFrameState, context: CommandContext, command: c.ResolveAttack, dice: Dice
) -> list[DamageEvent]:
    """MF-C11: spot and attack less defence, in dice, and their effects."""
    require_battle(state, "MF-C11")
    require_nothing_pending(state, "MF-C11")
    turn, attacker, attack = find_attack(state, context, command.frame)
    require_owner(attacker, context, "MF-C11")
    defense = _defense(state, attack)
    situation, cover, cover_frame = met(state, context, turn, attack, command)
    target = state.frames.get(attack.target)
    require_agreed(state, context, attack, attacker, situation)
    spot = _spot(target, command.use_spot)
    choices = _sent_ahead(state, context, command, target, cover, cover_frame)
    count = max(0, spot + attack.value - defense)
    rolled_dice = [dice.roll(DAMAGE_SIDES) for _ in range(count)]
    values = [die.natural for die in rolled_dice]
    settings: Settings = context.settings
    events: list[DamageEvent] = []
    if command.use_spot:
        events.append(a.SpotConsumed(frame=turn.frame, target=attack.target, value=spot))
    rolled_event = a.DamageRolled(
        frame=turn.frame,
        target=attack.target,
        situation=situation,
        spot=spot,
        attack=attack.value,
        defense=defense,
        damage_dice=count,
        values=values,
        dice=[a.DamageDie(die.sides, die.natural, die.origin, die.proof) for die in rolled_dice],
        situation_named_by=settings.situation_named_by,
        stray_shots=settings.stray_shots,
        cover=cover if situation == "in_cover" and cover is not None else UNSET,
        cover_frame=cover_frame if cover_frame is not None else UNSET,
        attack_id=attack.attack_id,
    )
    fours, fives, sixes = _hits(situation, values)
    unresolved = Unresolved(
        situation=situation,
        target=attack.target,
        cover=cover,
        cover_frame=cover_frame,
        fours=fours,
        fives=fives,
        sixes=sixes,
        stray_shots=settings.stray_shots,
        attack_id=attack.attack_id,
    )
    dealt = deal(state, context, attacker.frame_id, unresolved, choices)
    return [*events, rolled_event, *dealt]


def _hits(situation: Situation, values: list[int]) -> tuple[int, int, int]:
    """How many fours, fives and sixes count. In a melee all of them are sixes."""
    if situation == "melee":
        return 0, 0, sum(value >= NOTHING_BELOW for value in values)
    count = Counter(values)
    return count[4], count[5], count[6]


def _defense(state: MobileFrameState, attack: Attack) -> int:
    """MF-15: the defence of the target. Raises `defense_not_known`."""
    defense = known_defense(state, attack)
    if defense is None:
        target = state.frames[attack.target]
        raise Rejection(
            "defense_not_known",
            say("{frame} has to roll and set its defence first.", frame=target.name),
            rule="MF-15",
        )
    return defense


def _spot(target: Frame | None, use_spot: bool) -> int:
    """MF-17, MF-A11: the whole marker, or 0. Raises `no_spot`."""
    if not use_spot:
        return 0
    if target is None or target.spot is None:
        raise Rejection("no_spot", "There is no spot on this target to use.", rule="MF-17")
    return target.spot


def _sent_ahead(
    state: MobileFrameState,
    context: CommandContext,
    command: c.ResolveAttack,
    target: Frame | None,
    cover: str | None,
    cover_frame: str | None,
) -> Choices:
    """The choices that came with the command, of the frames' owners or the GM."""
    covering = state.frames.get(cover_frame) if cover_frame is not None else None
    choices = Choices(heights=list(command.cover_heights))
    if cover in state.covers:  # the event that made it a cover may be undone while the attack on it stands
        _require_heights(state.covers[cover], command.cover_heights, context)
    for frame, losses in ((target, command.target_losses), (covering, command.cover_frame_losses)):
        if losses and frame is not None:
            require_owner(frame, context, "MF-C11")
            _require_carried(frame, losses)
            choices.losses[frame.frame_id] = list(losses)
    abandonments = [(abandonment.frame, abandonment.station) for abandonment in command.abandonments]
    if command.abandon_station is not None and target is not None:
        abandonments.append((target.frame_id, command.abandon_station))
    for frame_id, station in abandonments:
        frame = find_frame(state, frame_id, "MF-22")
        require_owner(frame, context, "MF-22")
        own_stations = choices.stations.setdefault(frame_id, [])
        if frame not in (target, covering):
            raise Rejection("not_at_station", say("{frame} is not under fire.", frame=frame.name), rule="MF-22")
        if station not in at_station(frame) or station in own_stations:
            _refuse_station(frame)
        own_stations.append(station)
    return choices


def _require_carried(frame: Frame, losses: list[System]) -> None:
    """Raise `system_choice_required` where a frame would lose a system that it does not carry (MF-21)."""
    if Counter(losses) - Counter(frame.systems):
        raise Rejection(
            "system_choice_required",
            say("{frame} can only lose systems it carries.", frame=frame.name),
            rule="MF-21",
            choices=sorted(frame.systems),
        )


def _require_heights(cover: Cover, heights: Sequence[int], context: CommandContext) -> None:
    """Raise `too_high` where a cover would stand higher after a hit than its bricks allow (MF-20, MF-A14).

    Where only rubble can be left, there is no choice and nothing to refuse.
    """
    bricks, most = cover.bricks, cover.height
    for height in [] if context.decided_before else heights:
        bricks, most = highest_left(bricks, most)
        if height > most >= COVER_HEIGHT_MIN:
            raise Rejection(
                "too_high",
                say_many(
                    "After that hit, {cover} stands at most {n} brick high.",
                    "After that hit, {cover} stands at most {n} bricks high.",
                    most,
                    cover=cover.name,
                ),
                rule="MF-20",
                most=most,
            )
        most = min(height, most)


def _refuse_station(frame: Frame) -> None:
    raise Rejection(
        "not_at_station",
        say("{frame} was not measured within 1 unit of that station.", frame=frame.name),
        rule="MF-22",
        choices=at_station(frame),
    )


def _pending(state: MobileFrameState, kind: str) -> Choice:
    """The pending choice. Raises `nothing_to_choose`."""
    require_battle(state, "MF-C11")
    choice = state.choice()
    if choice is None or choice.kind != kind:
        raise Rejection("nothing_to_choose", "No attack waits for that choice.", rule="MF-C11")
    return choice


def choose_loss(state: MobileFrameState, context: CommandContext, command: c.ChooseLoss) -> list[DamageEvent]:
    """MF-21, MF-22: the owner says what a point of damage takes."""
    choice = _pending(state, "loss")
    frame_id = context.filled["frame"] = command.frame or choice.subject
    frame = find_frame(state, frame_id, "MF-21")
    require_owner(frame, context, "MF-21")
    if frame.frame_id != choice.subject:
        raise Rejection(
            "nothing_to_choose", say("There is no loss to choose for {frame}.", frame=frame.name), rule="MF-21"
        )
    choices = Choices()
    if command.system is not None and command.abandon_station is not None and not context.decided_before:
        raise Rejection(
            "system_or_station",
            say("{frame} loses a system or gives up a station, not both for one damage.", frame=frame.name),
            rule="MF-22",
        )
    if command.abandon_station is not None:
        if command.abandon_station not in at_station(frame):
            _refuse_station(frame)
        choices.stations[frame.frame_id] = [command.abandon_station]
    elif command.system is not None:
        _require_carried(frame, [command.system])
        choices.losses[frame.frame_id] = [command.system]
    elif frame.systems:
        raise Rejection(
            "system_choice_required",
            say("Choose which system {frame} loses.", frame=frame.name),
            rule="MF-21",
            choices=sorted(frame.systems),
        )
    else:
        choices.declined = {frame.frame_id}
    return deal(state, context, choice.attacker, choice.unresolved, choices, choice.choice_id)


def remove_bricks(state: MobileFrameState, context: CommandContext, command: c.RemoveBricks) -> list[DamageEvent]:
    """MF-20: the attacker says how high the cover still is."""
    choice = _pending(state, "bricks")
    require_owner(find_frame(state, choice.attacker, "MF-20"), context, "MF-20")
    _require_heights(state.covers[choice.subject], [command.height], context)
    choices = Choices(heights=[command.height])
    return deal(state, context, choice.attacker, choice.unresolved, choices, choice.choice_id)
