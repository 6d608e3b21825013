"""Scenes between fights, and their rewards (OD-15 … OD-17, OD-C13, OD-C14, OD-C16, OD-W2).

Codes: scene_not_open, scene_already_rolled, not_enough_successes, nothing_to_repair,
unknown_configuration.
"""

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say, say_many, term
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_own,
    in_words,
    name_of,
    nameable,
    require_any_player,
    require_gm,
    require_mech,
    require_no_combat,
)
from domain.systems.overdrive.ledger import gain
from domain.systems.overdrive.rolls import Plan, plan
from domain.systems.overdrive.state import Character, OverdriveState, Recovery, Roll, Scene, Task
from domain.systems.overdrive.tables import SKILL_OF_SCENE, SUCCESSES_PER_CONFIG


def open_scene(state: OverdriveState, context: CommandContext, command: c.OpenScene) -> list[e.Event]:
    """OD-C13: open a scene, with reminders of tensions from the last fight."""
    require_any_player(state, context, "OD-C13")
    require_no_combat(state, "OD-C13")
    return [e.SceneOpened(derive_id("scene", context.action_id), command.scene), *reminders(state, context)]


def reminders(state: OverdriveState, context: CommandContext) -> list[e.RelationTaskOpened]:
    """OD-W2: at the first scene after a fight, every stressed relation becomes a task for the GM."""
    if not state.tension_due or state.combat is not None:
        return []
    return [
        e.RelationTaskOpened(character.character_id, relation)
        for character in nameable(state, context)
        for relation, known_relation in sorted(character.relations.items())
        if known_relation.state == "stressed" and Task(character.character_id, relation) not in state.tasks
    ]


def close_scene(state: OverdriveState, context: CommandContext, command: c.CloseScene) -> Plan:
    """OD-C13: one participant's roll. Raises `scene_not_open` or `scene_already_rolled`."""
    character = find_own(state, context, command.character, "OD-C13")
    require_no_combat(state, "OD-C13")
    if state.scene is None or state.scene.kind != command.scene:
        raise Rejection(
            "scene_not_open",
            say("No scene of that kind ({scene}) is open: open one first.", scene=term(command.scene)),
            rule="OD-C13",
        )
    if character.character_id in state.scene.rolled:
        raise Rejection(
            "scene_already_rolled",
            say("{name} has already rolled for this scene.", name=character.name),
            rule="OD-15",
        )
    target = character
    if command.target is not None:
        target = find_character(state, context, command.target, "OD-C13")
    context.filled["target"] = target.character_id
    if command.scene == "mech_repair":
        require_mech(state, target, "OD-15")
    return plan(
        state,
        context,
        character,
        command,
        "scene",
        f"stat:{command.stat}",
        SKILL_OF_SCENE[command.scene],
        scene=command.scene,
        target=target.character_id,
        words=command.fiction,
    )


def outcome(state: OverdriveState, roll: Roll, before: Iterable[e.Event]) -> list[e.Event]:
    """OD-15: at least one success pays."""
    character = state.characters.get(roll.character)
    if roll.successes < 1 or character is None or roll.scene is None:
        return []
    if roll.scene == "social":
        return [gain(character, 1, "social_scene", before)]
    if roll.scene == "field_ops":
        return [e.TacticalPointGained(roll.character, total_after=state.tactical_points + 1)]
    target = state.characters.get(roll.target or roll.character, character)
    mech = state.mech_of(target)
    cap = roll.successes
    if roll.scene == "mech_repair":
        cap = max(0, cap - (mech.attributes.get("technology", 0) if mech is not None else 0))
    return [
        e.RecoveryEarned(
            character=roll.character,
            scene=roll.scene,
            target=target.character_id,
            mech=mech.mech_id if mech is not None else None,
            successes=roll.successes,
            points=roll.successes,
            damage_cap=cap,
            lapsed=state.combat is not None or UNSET,
            roll_id=roll.roll_id,
        )
    ]


def spend_recovery(state: OverdriveState, context: CommandContext, command: c.SpendRecovery) -> list[e.Event]:
    """OD-C14: every success is used once (OD-16)."""
    character = find_own(state, context, command.character, "OD-C14")
    with About("character"):
        recovery = _recovery(state, context, character)
    if recovery is None:
        with About("character"):
            raise _not_enough(command, None)
    price = command.damage + SUCCESSES_PER_CONFIG * len(command.configs)
    if price > recovery.points or command.damage > recovery.damage_cap:
        raise _not_enough(command, recovery)
    if command.target not in (None, recovery.target):
        raise Rejection(
            "nothing_to_repair",
            say("Those successes were rolled for {name}.", name=name_of(state, recovery.target)),
            rule="OD-C14",
        )
    context.filled["target"] = recovery.target
    mech = state.mechs.get(recovery.mech) if recovery.mech is not None else None
    in_mech = recovery.scene == "mech_repair"
    counter = damage_of(state, recovery)
    lost = _lost_among(command.configs, mech.configs if mech is not None else {})
    _require_damage(state, recovery, command, counter)
    events: list[e.Event] = []
    if command.damage:
        events.append(
            e.DamageRepaired(
                character=character.character_id,
                target=recovery.target,
                mech=recovery.mech if in_mech else None,
                counter="phase" if in_mech else "fatal",
                amount=command.damage,
                value=counter - command.damage,
                roll_id=recovery.roll_id,
            )
        )
    return [
        *events,
        *(
            e.ConfigurationRestored(character.character_id, recovery.mech or "", config, roll_id=recovery.roll_id)
            for config in lost
        ),
    ]


def _not_enough(command: c.SpendRecovery, recovery: Recovery | None) -> Rejection:
    """The rejection of a repair that takes more successes than are left."""
    return Rejection(
        "not_enough_successes",
        say(
            "That takes {price} successes, {damage} of them against damage; {points} are left, {cap} against "
            "damage.",
            price=command.damage + SUCCESSES_PER_CONFIG * len(command.configs),
            damage=command.damage,
            points=recovery.points if recovery is not None else 0,
            cap=recovery.damage_cap if recovery is not None else 0,
        ),
        rule="OD-16",
    )


def _lost_among(names: Iterable[str], configs: Mapping[str, str]) -> list[str]:
    """The configurations to restore.

    Raises `unknown_configuration`, and `nothing_to_repair` for one that is not lost.
    """
    for config in names:
        if config not in configs:
            raise Rejection(
                "unknown_configuration",
                say("There is no configuration “{config}”.", config=in_words(config)),
                rule="OD-C14",
            )
        if configs[config] != "lost":
            raise Rejection(
                "nothing_to_repair",
                say("The configuration “{config}” is not lost.", config=in_words(config)),
                rule="OD-16",
            )
    return [*dict.fromkeys(names)]


def _require_damage(state: OverdriveState, recovery: Recovery, command: c.SpendRecovery, counter: int) -> None:
    """Raise `nothing_to_repair` for more damage than there is, or for none."""
    if command.damage > counter:
        damaged = name_of(state, recovery.mech if recovery.mech is not None else recovery.target)
        sentence = say_many(
            "{name} has {n} damage to repair.", "{name} has {n} damage to repair.", counter, name=damaged
        )
        raise Rejection("nothing_to_repair", sentence, rule="OD-16")
    if not (command.damage or command.configs):
        raise Rejection("nothing_to_repair", "Say what is repaired: damage, or lost configurations.", rule="OD-16")


def _recovery(state: OverdriveState, context: CommandContext, character: Character) -> Recovery | None:
    """The successes that a character may use now; raises for lapsed ones, and for those locked by a fight.

    A re-decided command is not refused for it, because old logs accepted it.
    """
    recovery = state.recoveries.get(character.character_id)
    if recovery is None or context.meant_ids is not None:
        return recovery
    if recovery.lapsed:
        raise Rejection(
            "not_enough_successes",
            say(
                "A fight has begun since {name} rolled for repairs or care: nothing is left.", name=character.name
            ),
            rule="OD-15",
        )
    require_no_combat(state, "OD-15")
    return recovery


def damage_of(state: OverdriveState, recovery: Recovery) -> int:
    """The damage that these successes may repair (OD-15)."""
    mech, target = state.mechs.get(recovery.mech or ""), state.characters.get(recovery.target)
    if recovery.scene == "mech_repair":
        return mech.phase if mech is not None else 0
    return target.fatal if target is not None else 0


def lost_of(state: OverdriveState, recovery: Recovery) -> list[str]:
    """The configurations that these successes may restore."""
    mech = state.mechs.get(recovery.mech or "")
    return sorted(key for key, how in (mech.configs.items() if mech is not None else ()) if how == "lost")


def record_revelation(
    state: OverdriveState, context: CommandContext, command: c.RecordRevelation
) -> list[e.Event]:
    """OD-C16: to each participant, or to the first alone (OD-A20)."""
    require_gm(context, "OD-C16")
    people = played(state, context, command.participants, "OD-C16")
    award = context.settings.revelation_award
    paid = people[:1] if award == "one" else people
    return [
        e.RevelationReached(people, award, text=command.text),
        *(gain(state.characters[who], 1, "revelation") for who in paid),
    ]


def played(state: OverdriveState, context: CommandContext, people: list[str] | None, rule: str) -> list[str]:
    """The characters named, each once, or all with players. Raises `no_character`."""
    if people is None:
        people = [
            character.character_id for character in nameable(state, context) if character.player_id is not None
        ]
        context.filled["participants"] = people
    ids = [find_character(state, context, who, rule).character_id for who in dict.fromkeys(people)]
    if not ids:
        raise Rejection("no_character", "Nobody here has a player: name the participants.", rule=rule)
    return ids


def scene_opened(state: OverdriveState, event: e.SceneOpened) -> None:
    """Open the scene in place of the one before; reminders were given."""
    state.scene = Scene(event.scene_id, event.scene)
    state.tension_due = False


def task_opened(state: OverdriveState, event: e.RelationTaskOpened) -> None:
    """Add a reminder, once."""
    state.tension_due = False
    task = Task(event.character, event.relation)
    character = state.characters.get(event.character)
    relation = character.relations.get(event.relation) if character is not None else None
    if relation is not None and relation.state == "stressed" and task not in state.tasks:
        state.tasks.append(task)


def scene_rolled(state: OverdriveState, event: e.RollMade) -> None:
    """Record the character's roll, of which each has one."""
    if event.kind == "scene" and state.scene is not None and event.character is not None:
        state.scene.rolled = [*(who for who in state.scene.rolled if who != event.character), event.character]


def recovery_earned(state: OverdriveState, event: e.RecoveryEarned) -> None:
    """Set the successes in place of unused ones. A roll that was held until a fight comes too late."""
    if event.character in state.characters:
        state.recoveries[event.character] = Recovery(
            scene=event.scene,
            target=event.target,
            mech=event.mech,
            points=event.points,
            damage_cap=event.damage_cap,
            lapsed=state.combat is not None,
            roll_id=event.roll_id,
        )


def recoveries_lapse(state: OverdriveState) -> None:
    """OD-15: let unused successes lapse when a fight begins. They are kept because old logs used them later."""
    for recovery in state.recoveries.values():
        recovery.lapsed = True


def damage_repaired(state: OverdriveState, event: e.DamageRepaired) -> None:
    """Lower a counter, at least to 0."""
    target = state.characters.get(event.target)
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    if event.counter == "fatal" and target is not None:
        target.fatal = max(0, target.fatal - event.amount)
    elif mech is not None:
        mech.phase = max(0, mech.phase - event.amount)
    _use(state, event.character, event.amount, event.amount)


def configuration_restored(state: OverdriveState, event: e.ConfigurationRestored) -> None:
    """Restore the configuration."""
    mech = state.mechs.get(event.mech)
    if mech is not None and mech.configs.get(event.config) == "lost":
        mech.configs[event.config] = "available"
    _use(state, event.character, event.points, 0)


def _use(state: OverdriveState, character: str, points: int, damage: int) -> None:
    """Use up successes."""
    recovery = state.recoveries.get(character)
    if recovery is not None:
        recovery.points -= points
        recovery.damage_cap = min(recovery.damage_cap - damage, recovery.points)
        if recovery.points < 1:
            del state.recoveries[character]


def ended(state: OverdriveState, event: e.SceneEnded) -> None:
    """End the scene between fights with the campaign's scene."""
    if state.scene is not None and state.scene.scene_id == event.scene_id:
        state.scene = None


def tactical_point_gained(state: OverdriveState, event: e.TacticalPointGained) -> None:
    """Add a point for the team."""
    state.tactical_points += event.amount
