"""Overdrive's `given`, in general: any mixture of the keys of SHAPES.md, and a few for our own vectors.

Ids are short: the character is `character.id` (`c1` if left out), their mech `m1`, somebody else `foe` with
the mech `m2`, an open roll `r1`, a reaction `habit`. What `given` leaves out has its initial value, and a
condition that it does not mention holds: it is the character's turn, an invocation is allowed, bonus dice are
given, the scene is open. `null` says that something is not there.
Beyond SHAPES.md: `settings`, `actor` (gm, player, stranger, observer, worker), `invocations_allowed`,
`bonus_dice_given`, `scene` (kind), `scene_rolled`, `roll.held`, `roll.difficulty`, `roll.kind`,
`movement_used`, `attack_used`,
`cover_dice`, `advantage_dice`, `quadrant_changed`, `protecting`, `acting`, `objectives`, `no_foe`, `foe`,
`character.reactions`, `position`, `foe_position`, `objective_position`, `combat.scale`, `combat.rulings` (0: as
old logs have it), `heading`, `tension_due`, `acted`, `recovery.lapsed`, `duel.to_roll`.
"""

from typing import Any, get_args
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import state as s
from domain.systems.overdrive.creation import SKILLS
from domain.systems.overdrive.tables import ATTRIBUTE_OF, RULINGS, SCORES, STATS
from tests.domain.situation import Situation, account, only

GIVEN = {
    *("attack", "character", "combat", "duel", "movement_points", "recovery", "roll", "team"),
    *("settings", "actor", "invocations_allowed", "bonus_dice_given", "scene", "scene_rolled"),
    *("movement_used", "attack_used"),
    *("cover_dice", "advantage_dice", "quadrant_changed", "protecting", "acting", "objectives", "no_foe"),
    *("foe", "position", "foe_position", "objective_position", "heading", "tension_due", "acted"),
}
CHARACTER = {
    *("configs", "counters", "equipment", "id", "in_mech", "mech", "mode", "od", "pairing", "pending_loss"),
    *("recharged", "relations", "skills", "stabilisation_failures", "stats", "status", "weapons", "reactions"),
    "no_mech",
}
PLAYERS_COMMANDS = {"roll", "choose_stabilisation_loss"}
IN_COMBAT = {
    *("roll_movement", "move", "protect", "declare_attack", "roll_defense", "resolve_attack", "end_turn"),
    *("delay_turn", "end_combat", "spend_tactical_points", "roll_initiative", "begin_turns"),
}
AT_INITIATIVE = {"spend_tactical_points", "roll_initiative", "begin_turns"}
ROLES: dict[str, Any] = {"gm": "gm", "player": "player", "stranger": "player", "observer": "observer"}
ACTION = ActionId(uuid5(NAMESPACE_URL, "action"))
CAMPAIGNS = {"start_session", "end_session", "start_scene", "end_scene", "start_downtime"}


def translate(given: dict[str, Any], command: dict[str, Any]) -> Situation:
    only(GIVEN, given, "given")
    state = s.OverdriveState()
    kind = command["type"]
    me = _character(state, given.get("character") or {}, given)
    _foe(state, given)
    _combat(state, given, kind, me)
    _between(state, given, command, me)
    actor = given.get("actor", "player" if kind in PLAYERS_COMMANDS else "gm")
    return Situation(
        system=OVERDRIVE,
        state=state,
        context=CommandContext(
            command=None if kind in CAMPAIGNS else _command(command, me),
            account=None if actor == "worker" else AccountId(account("c1" if actor == "player" else actor)),
            role=ROLES.get(actor, "worker"),
            action_id=ACTION,
            at=0,
            game_time=0,
            settings=msgspec.convert(given.get("settings", {}), OVERDRIVE.settings),
        ),
        view=lambda after: view(after, me),
        moment=_moment(kind),
    )


def _moment(kind: str) -> lifecycle_events.LifecycleEvent | None:
    known: dict[str, lifecycle_events.LifecycleEvent] = {
        "start_session": lifecycle_events.SessionStarted("session-1", 1, []),
        "end_session": lifecycle_events.SessionEnded("session-1", 1),
        "start_scene": lifecycle_events.SceneStarted("scene-1"),
        "end_scene": lifecycle_events.SceneEnded("scene-1"),
        "start_downtime": lifecycle_events.DowntimeStarted("downtime-1"),
    }
    return known.get(kind)


def _command(command: dict[str, Any], me: str) -> Any:
    wanted = {**command, "type": f"overdrive.{command['type']}"}
    known = next(each for each in get_args(OVERDRIVE.commands) if each.__struct_config__.tag == wanted["type"])
    fields = set(known.__struct_encode_fields__)
    if "character" in fields and command["type"] not in ("roll_defense", "choose_stabilisation_loss"):
        wanted.setdefault("character", me)
    return msgspec.convert(wanted, OVERDRIVE.commands)


def _character(state: s.OverdriveState, given: dict[str, Any], around: dict[str, Any]) -> str:
    only(CHARACTER, given, "character")
    who = given.get("id", "c1")
    counters = given.get("counters", {})
    only({"phase", "fatal"}, counters, "counters")
    mech = given.get("mech", {})
    in_mech = given.get("in_mech", True) and not given.get("no_mech")
    weapons = {key: _weapon(each) for key, each in given.get("weapons", {}).items() if key != "butt"}
    pending = given.get("pending_loss")
    state.characters[who] = s.Character(
        character_id=who,
        player_id=AccountId(account("c1")),
        name=who,
        stats={**dict.fromkeys(STATS, 0), **given.get("stats", {})},
        skills={**dict.fromkeys(SKILLS, 1), **given.get("skills", {})},
        od=msgspec.convert(given.get("od", {}), s.Points),
        reactions=msgspec.convert(given.get("reactions", [{"id": "habit", "text": "Habit"}]), list[s.Reaction]),
        relations={
            key: msgspec.convert({"with": key, "nature": key, **each}, s.Relation)
            for key, each in given.get("relations", {}).items()
        },
        equipment=given.get("equipment", {}),
        weapons={} if in_mech else weapons,
        pairing={**dict(zip(SCORES, STATS, strict=True)), **given.get("pairing", {})},
        fatal=counters.get("fatal", 0),
        status=given.get("status", "fit"),
        mech="m1" if in_mech else None,
        pending_loss=msgspec.convert({**pending, "mech": "m1"}, s.PendingLoss) if pending else None,
        invocations_allowed=around.get("invocations_allowed", 1),
        bonus_dice_given=around.get("bonus_dice_given", 100),
    )
    if not given.get("no_mech"):
        state.mechs["m1"] = s.Mech(
            mech_id="m1",
            pilot=who,
            name="m1",
            attributes={**dict.fromkeys(ATTRIBUTE_OF.values(), 0), **mech},
            configs=dict(given.get("configs", {})),
            weapons=weapons,
            phase=counters.get("phase", 0),
            mode=given.get("mode", "normal"),
            stabilisation_failures=given.get("stabilisation_failures", 0),
            recharged=given.get("recharged", True),
        )
    return str(who)


def _weapon(given: dict[str, Any]) -> s.Weapon:
    return msgspec.convert({"type": "kinetic", "ideal": 0, **given}, s.Weapon)


def _foe(state: s.OverdriveState, given: dict[str, Any]) -> None:
    if given.get("no_foe") or not (given.get("combat") or given.get("attack") or given.get("foe")):
        return
    _character(state, {"id": "foe", "no_mech": True, **(given.get("foe") or {})}, {})
    state.characters["foe"].player_id = None


def _combat(state: s.OverdriveState, given: dict[str, Any], kind: str, me: str) -> None:
    fight = given.get("combat")
    wanted = kind in IN_COMBAT or "movement_points" in given or given.get("attack") is not None
    if fight is None and ("combat" in given or not wanted):
        return
    fight = fight or {}
    only({"cinematic_actions", "phase", "surprised", "turn", "scale", "rulings"}, fight, "combat")
    early = kind in AT_INITIATIVE and "turn" not in fight
    people = [me, *(each for each in sorted(state.characters) if each != me)]
    combat = s.Combat(
        combat_id="combat-1",
        scale=fight.get("scale", "mech"),
        rulings=fight.get("rulings", RULINGS),
        phase=fight.get("phase", "initiative" if early else "turns"),
        turn=fight.get("turn", 1),
        initiative_order=list(people),
        order=list(people),
        surprised=list(fight.get("surprised", [])),
        participants={who: s.Participant() for who in people},
    )
    for who, actions in fight.get("cinematic_actions", {}).items():
        combat.participants.setdefault(who, s.Participant()).cinematic_actions = actions
    mine = combat.participants[me]
    mine.pm = given.get("movement_points", 0)
    for key in (
        *("movement_used", "attack_used", "cover_dice", "advantage_dice"),
        "quadrant_changed",
        "heading",
        "acted",
    ):
        setattr(mine, key, given.get(key, getattr(mine, key)))
    if "foe" in combat.participants:
        combat.participants["foe"].protecting = me if given.get("protecting") == "foe" else None
        combat.participants["foe"].position = _position(given.get("foe_position"))
    mine.protecting = "foe" if given.get("protecting") == me else None
    mine.position = _position(given.get("position"))
    if given.get("acting", me) != me:
        combat.done = [me]
    _attack(combat, given.get("attack"), kind, me)
    state.combat = combat
    state.objective_position = _position(given.get("objective_position"))


def _position(given: Any) -> s.Position | None:
    return msgspec.convert(given, s.Position | None)


def _attack(combat: s.Combat, given: dict[str, Any] | None, kind: str, me: str) -> None:
    """In these vectors the character is the one attacked."""
    if given is None:
        return
    only({"attack_successes", "defense_successes", "weapon", "attacker", "target"}, given, "attack")
    attacker = given.get("attacker", "foe")
    combat.participants.setdefault(attacker, s.Participant())
    combat.attack = s.Attack(attacker, given.get("target", me), given.get("weapon", "rifle"), 0)
    combat.attack.successes = given.get("attack_successes", 0)
    defended = "defense_successes" in given or kind == "resolve_attack"
    if defended and given.get("defense_successes", 0) is not None:
        combat.attack.defenses = {combat.attack.target: given.get("defense_successes", 0)}


def _between(state: s.OverdriveState, given: dict[str, Any], command: dict[str, Any], me: str) -> None:
    team, roll, recovery = given.get("team", {}), given.get("roll"), given.get("recovery")
    only({"tactical_points"}, team, "team")
    state.tactical_points = team.get("tactical_points", 0)
    state.tension_due = given.get("tension_due", False)
    scene = given.get("scene", command.get("scene") if command["type"] == "close_scene" else None)
    if scene is not None:
        state.scene = s.Scene("scene-1", scene, list(given.get("scene_rolled", [])))
    if roll is not None:
        only({"natural", "od_spent", "held", "difficulty", "kind", "tier"}, roll, "roll")
        natural = roll.get("natural", 0)
        tier = roll.get("tier", "cinematic" if natural >= 9 else "major" if natural >= 6 else "none")
        found = s.Roll("r1", me, roll.get("kind", "plain"), natural, tier, held=roll.get("held", False))
        found.bought, found.difficulty = roll.get("od_spent", 0), roll.get("difficulty")
        state.rolls[me] = found
    if recovery is not None:
        only({"damage_cap", "points", "scene", "lapsed"}, recovery, "recovery")
        points = recovery.get("points", 0)
        state.recoveries[me] = s.Recovery(
            recovery.get("scene", "care"), me, "m1", points, recovery.get("damage_cap", points)
        )
        state.recoveries[me].lapsed = recovery.get("lapsed", False)
    for nth, objective in enumerate(given.get("objectives", []), start=1):
        known = {"objective_id": f"o{nth}", "character": me, "text": "Find her"}
        state.objectives.append(msgspec.convert({**known, **objective}, s.Objective))
    _duel(state, given.get("duel"))


def _duel(state: s.OverdriveState, given: dict[str, Any] | None) -> None:
    if given is None:
        return
    only({"turn", "a", "b", "to_roll"}, given, "duel")
    sides = {}
    for side in ("a", "b"):
        found = given.get(side, {})
        only({"successes", "od", "character"}, found, "a duellist")
        sides[side] = s.Duelist(side, found.get("character"), found.get("successes", 0), found.get("od", 0))
    state.duel = msgspec.convert(
        {
            "duel_id": "duel-1",
            "turn": given.get("turn", "a"),
            "sides": msgspec.to_builtins(sides),
            "to_roll": given.get("to_roll", {}),
        },
        s.Duel,
    )


def view(state: s.OverdriveState, me: str) -> dict[str, Any]:
    """The state in the words of `given`."""
    character = state.characters[me]
    mech = state.mechs.get("m1")
    seen: dict[str, Any] = msgspec.to_builtins(character)
    seen["id"], seen["in_mech"] = me, character.mech is not None
    seen["counters"] = {"phase": mech.phase if mech is not None else 0, "fatal": character.fatal}
    if mech is not None:
        machine: dict[str, Any] = msgspec.to_builtins(mech)
        seen |= {
            key: machine[key] for key in ("configs", "mode", "stabilisation_failures", "recharged", "weapons")
        }
        seen["mech"] = machine["attributes"]
    whole: dict[str, Any] = {"character": seen, "team": {"tactical_points": state.tactical_points}}
    if state.duel is not None:
        duel: dict[str, Any] = msgspec.to_builtins(state.duel)
        whole["duel"] = {"turn": duel["turn"], **duel["sides"]}
    if state.combat is not None:
        whole["combat"] = msgspec.to_builtins(state.combat)
        whole["movement_points"] = state.combat.participants[me].pm
        whole["me"] = msgspec.to_builtins(state.combat.participants[me])
    for key, thing in (("recovery", state.recoveries.get(me)), ("roll", state.rolls.get(me))):
        whole[key] = msgspec.to_builtins(thing)
    whole["tasks"] = len(state.tasks)
    return whole
