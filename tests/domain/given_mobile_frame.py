"""Mobile Frame's `given`, in general: any mixture of the keys of SHAPES.md, and a few for our own vectors.

Ids are short: the frame whose turn it is `f1` (of player `a`), its target `t`, cover `c1`, station `s1`, the
covering frame `cf`. What `given` leaves out has its initial value, and a condition that it does not mention
holds: it is your turn, the dice are rolled, defence is placed, a target is declared, the measure is taken.
The GM asks unless `actor` says otherwise, so that choices may come from whoever sends them.
Beyond SHAPES.md: `settings`, `actor` (gm, player, stranger, observer), `battle` false, `activation` null, or
its fields, `companies` beside a battle, `frame.systems`, `frame.owner`, `order`, `passed`, `frames` (by id),
`choice`, `stations`, `round`, `extra_round`, `ppa`.
"""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import state as s
from domain.systems.mobile_frame.battles import score_order
from domain.systems.mobile_frame.loadout import BONUS, dice_of, less_white, parsed, systems_of
from domain.systems.mobile_frame.tables import WHITE_DICE
from tests.domain.situation import Situation, account, only

GIVEN = {
    *("assigned", "attack", "companies", "cover", "cover_frame", "dice", "doomsday", "frame", "players", "target"),
    *("settings", "actor", "battle", "activation", "order", "passed", "frames", "choice", "stations", "round"),
    *("extra_round", "ppa"),
}
TURN = {
    *("declare_target", "roll_dicepool", "assign_die", "move", "attack", "abort_attack", "name_situation"),
    *("resolve_attack", "spot", "end_turn"),
}
BEFORE_A_BATTLE = {
    *("register_loadout", "withdraw_frame", "place_cover", "place_station", "set_points_per_asset"),
    "start_battle",
}
PLAYERS = ("a", "b", "c")
ROLES: dict[str, Any] = {"gm": "gm", "player": "player", "stranger": "player", "observer": "observer"}
SITUATIONS = {
    "cover": "is_cover",
    "target_is_cover": "is_cover",
    "frame": "covered_by_frame",
    "cover_target": "is_cover",
}
ACTIONS = {"move": "movement", "defence": "defense", "spotting": "spot"}
TYPES = ("defense", "movement", "spotting", "weapon:hand", "weapon:direct", "weapon:artillery")
ACTION = ActionId(uuid5(NAMESPACE_URL, "action"))


def translate(given: dict[str, Any], command: dict[str, Any]) -> Situation:
    only(GIVEN, given, "given")
    wanted = dict(command)
    kind = wanted.pop("type")
    state = s.MobileFrameState()
    _companies(state, given)
    if "companies" not in given and kind != "register_loadout":
        _frames(state, given, wanted)
    _terrain(state, given, wanted)
    if given.get("battle", kind not in BEFORE_A_BATTLE):
        _battle(state, given, kind)
        if given.get("activation", kind in TURN or None) is not None:
            _activation(state, given, kind, wanted)
    state.ppa = dict(given.get("ppa", {}))
    who = given.get("actor", "gm")
    return Situation(
        system=MOBILE_FRAME,
        state=state,
        context=CommandContext(
            command=_command(kind, wanted),
            account=AccountId(account(who)),
            role=ROLES[who],
            action_id=ACTION,
            at=0,
            game_time=0,
            settings=msgspec.convert(given.get("settings", {}), MOBILE_FRAME.settings),
        ),
        view=view,
    )


def _command(kind: str, wanted: dict[str, Any]) -> Any:
    if "situation" in wanted:
        wanted["situation"] = SITUATIONS.get(wanted["situation"], wanted["situation"])
    if "action" in wanted:
        wanted["action"] = ACTIONS.get(wanted["action"], wanted["action"])
    for losses in ("target_losses", "cover_frame_losses", "systems"):
        if losses in wanted:
            wanted[losses] = [_system(each) for each in wanted[losses]]
    return msgspec.convert({"type": f"mobile_frame.{kind}", **wanted}, MOBILE_FRAME.commands)


def _system(name: str) -> str:
    return name if name in TYPES else f"weapon:{name.removeprefix('weapon_')}"


def _companies(state: s.MobileFrameState, given: dict[str, Any]) -> None:
    """So many frames, with so many systems among them, and so many stations."""
    for player, company in given.get("companies", {}).items():
        only({"frames", "systems", "stations"}, company, "a company")
        frames = company.get("frames", 0)
        for nth in range(frames):
            id_ = f"{player}-{nth + 1}"
            state.frames[id_] = _frame(id_, {"owner": player, "systems": []})
        for nth in range(company.get("systems", 0) if frames else 0):
            frame = state.frames[f"{player}-{nth % frames + 1}"]
            frame.systems.append(TYPES[nth // frames % len(TYPES)])  # type: ignore[arg-type]
            frame.whole_systems = list(frame.systems)
        for nth in range(company.get("stations", 0)):
            id_ = f"{player}-station-{nth + 1}"
            state.stations[id_] = s.Station(id_, id_, player)


FRAME_KEYS = {
    *("weapon_ranges", "movement_systems", "spotting_systems", "defense_systems", "sprint", "notation"),
    *("systems", "white", "status", "owner", "activated", "defense", "spot", "station_distance", "id", "kind"),
    *("distance", "in_cover", "dice", "rockets", "bonus_d8", "name", "station_distances"),
}


def _frame(id_: str, given: dict[str, Any]) -> s.Frame:
    only(FRAME_KEYS, given, "a frame")
    systems = [_system(each) for each in given.get("systems", [])]
    systems += [f"weapon:{each}" for each in given.get("weapon_ranges", [])]
    for kind in ("movement", "spotting", "defense"):
        systems += [kind] * given.get(f"{kind}_systems", 0)
    dice = dice_of(systems, given.get("rockets", 0), bonus_d8=given.get("sprint", True))  # type: ignore[arg-type]
    if given.get("notation") is not None:
        dice = parsed(given["notation"])
        systems = [*systems_of(dice)]
    if given.get("sprint") and BONUS not in dice:
        dice.append(BONUS)
    distances = dict(given.get("station_distances", {}))
    if given.get("station_distance") is not None:
        distances["s1"] = given["station_distance"]
    known: dict[str, Any] = {
        "frame_id": id_,
        "name": given.get("name", id_),
        "owner": _player(given.get("owner", "a")),
        "whole_systems": systems,
        "whole_dice": msgspec.to_builtins(dice),
        "systems": systems,
        "dice": msgspec.to_builtins(less_white(dice, WHITE_DICE - given.get("white", WHITE_DICE))),
        "station_distances": distances,
        "activated": given.get("defense") is not None,
    }
    plain: dict[str, Any] = {
        key: given[key] for key in ("status", "activated", "defense", "spot", "bonus_d8") if key in given
    }
    return msgspec.convert({**known, **plain}, s.Frame)


def _player(player: Any) -> Any:
    """Players keep their short names; somebody who asks as `player` is an account."""
    return str(account("player")) if player == "player" else player


def _frames(state: s.MobileFrameState, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    owner = wanted.pop("owner", "a")
    frame: dict[str, Any] = {"weapon_ranges": ["hand", "direct", "artillery"], "owner": owner, "activated": True}
    state.frames["f1"] = _frame("f1", {**frame, **(given.get("frame") or {})})
    target = dict(given.get("target") or {})
    if target.get("kind", "frame") == "frame" and not _aims_at_cover(given):
        known: dict[str, Any] = {"owner": "b", "systems": ["defense", "movement", "spotting", "weapon:direct"]}
        if "attack" in given:
            known |= {"activated": True, "defense": given["attack"].get("defense", 0)}
            known["spot"] = given["attack"].get("spot") or None
        id_ = target.get("id", (given.get("attack") or {}).get("target", "t"))
        state.frames[id_] = _frame(id_, {**known, **target})
    if given.get("cover_frame") is not None:
        id_ = given["cover_frame"].get("id", "cf")
        known = {"owner": "c", "activated": True}
        state.frames[id_] = _frame(id_, {**known, **given["cover_frame"]})
    for id_, each in given.get("frames", {}).items():
        state.frames[id_] = _frame(id_, each)
    _named_target(state, wanted)


def _named_target(state: s.MobileFrameState, wanted: dict[str, Any]) -> None:
    """A target that the command describes itself."""
    kind, owner = wanted.pop("target_kind", None), wanted.pop("target_owner", None)
    target = str(wanted.get("target", "t"))
    if kind == "frame":
        state.frames[target] = _frame(target, {"owner": owner or "b"})
    elif kind == "station":
        state.stations[target] = s.Station(target, target)
    elif kind == "cover":
        state.covers[target] = s.Cover(target, target, 12, 3)


def _aims_at_cover(given: dict[str, Any]) -> bool:
    attack = given.get("attack") or {}
    if attack and (given.get("target") or {}).get("kind") == "cover":
        return True
    situation = attack.get("situation", "")
    return bool(SITUATIONS.get(situation, situation) == "is_cover")


def _terrain(state: s.MobileFrameState, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    cover = given.get("cover")
    if cover is not None or _aims_at_cover(given):
        only({"bricks", "height", "fallen"}, cover or {}, "cover")
        id_ = (given.get("attack") or {}).get("target", "t") if _aims_at_cover(given) else "c1"
        state.covers[id_] = msgspec.convert(
            {"cover_id": id_, "name": id_, "bricks": 12, "height": 3, **(cover or {})}, s.Cover
        )
    target = given.get("target") or {}
    if target.get("kind") == "cover":
        state.covers.setdefault("t", s.Cover("t", "t", 12, 3))
    if target.get("kind") == "station":
        state.stations["t"] = s.Station("t", "t")
    near = any("s1" in frame.station_distances for frame in state.frames.values())
    if near or wanted.get("abandon_station") == "s1":
        state.stations.setdefault("s1", s.Station("s1", "s1"))
    for id_, controller in given.get("stations", {}).items():
        state.stations[id_] = s.Station(id_, id_, controller)


def _battle(state: s.MobileFrameState, given: dict[str, Any], kind: str) -> None:
    owners = {frame.owner for frame in state.frames.values()}
    known: dict[str, Any] = {player: {"ppa": 5, "assets": 6} for player in {*PLAYERS, *owners}}
    sides = {}
    for player, side in given.get("players", known).items():
        only({"ppa", "assets", "score"}, side, "a player")
        sides[player] = s.Side(ppa=side.get("ppa", 5), assets=side.get("assets", 0))
    state.battle = s.Battle(
        "battle-1",
        doomsday=given.get("doomsday", 11),
        ruler_units=8,
        sides=sides,
        round=given.get("round", 1),
        order=given.get("order", "tactical"),
        passed=list(given.get("passed", [])),
        choice=msgspec.convert(given["choice"], s.Choice) if given.get("choice") else None,
        extra_round=given.get("extra_round", False),
    )
    for id_, frame in state.frames.items():
        given_ones = {"f1": given.get("frame"), "t": given.get("target"), "cf": given.get("cover_frame")}
        known_frame = {**given.get("frames", {}), **given_ones}.get(id_) or {}
        if kind == "end_round" and "activated" not in known_frame:
            frame.activated = True  # every frame has had its turn, unless the vector says otherwise


FACES = {"movement": "green", "attack": "red", "spot": "yellow"}


def _activation(state: s.MobileFrameState, given: dict[str, Any], kind: str, wanted: dict[str, Any]) -> None:
    """The turn of `f1`, as far as the command needs it to have come."""
    assert state.battle is not None
    known = given.get("activation") or {}
    turn = s.Activation("f1", "player")
    state.battle.stack.append(turn)
    turn.rolled = known.get("rolled", kind not in ("declare_target", "roll_dicepool"))
    for die in given.get("dice", []):
        only({"color", "sides", "range", "value", "used"}, die, "a die")
    turn.pool = msgspec.convert(
        [{"sides": 6, "range": None, **die} for die in given.get("dice", [])], list[s.PoolDie]
    )
    assigned = {ACTIONS.get(each, each): die for each, die in given.get("assigned", {}).items()}
    if "assigned" not in given and kind not in ("assign_die", "roll_dicepool", "declare_target"):
        assigned["defense"] = None
    for die in assigned.values():
        if die is not None and die < len(turn.pool):
            turn.pool[die].used = True
    turn.assigned = assigned
    _lined_up(state, turn, given, kind, wanted)
    if kind == "spot":
        if (given.get("target") or {}).get("kind", "frame") != "frame":
            wanted.setdefault("target", "t")
        wanted.setdefault("distance", (given.get("target") or {}).get("distance", 3))
        wanted.setdefault("in_cover", (given.get("target") or {}).get("in_cover", False))
    action = {"move": "movement", "attack": "attack", "spot": "spot"}.get(kind)
    face = wanted.pop("die_value", None) if "die_value" in wanted else wanted.pop("value", None)
    if action is not None and face is not None:
        turn.pool.append(s.PoolDie(FACES[action], 8 if face > 6 else 6, None, face, used=True))  # type: ignore[arg-type]
        turn.assigned[action] = len(turn.pool) - 1  # type: ignore[index]
    for key in ("moved", "attacked", "spotted", "by", "attacker", "waits_for"):
        if key in known:
            setattr(turn, key, known[key])
    only({"rolled", "moved", "attacked", "spotted", "by", "attacker", "waits_for", "target"}, known, "activation")


def _lined_up(
    state: s.MobileFrameState, turn: s.Activation, given: dict[str, Any], kind: str, wanted: dict[str, Any]
) -> None:
    """A target that is declared, and the attack on it if that is committed."""
    attack = given.get("attack") or {}
    only({"committed", "defense", "situation", "spot", "target", "value", "cover", "range"}, attack, "attack")
    declared = kind in ("assign_die", "attack", "abort_attack", "resolve_attack", "name_situation")
    known = given.get("activation") or {}
    if not known.get("target", declared):
        return
    situation: Any = attack.get("situation")
    situation = "is_cover" if _aims_at_cover(given) else SITUATIONS.get(situation, situation)
    range_ = attack.get("range", "hand" if situation == "melee" else "direct")
    if kind in ("assign_die", "attack"):
        range_ = wanted.get("range", range_) or range_
    if kind == "attack":
        wanted.pop("range", None)
        wanted.pop("target", None)
    target = attack.get("target", "t")
    turn.target = s.Target(target, "cover" if target in state.covers else "frame", range_)
    if not attack.get("committed", kind in ("resolve_attack", "name_situation") and "attack" in given):
        return
    turn.attacked = True
    turn.attack = s.Attack(
        target, turn.target.kind, range_, attack.get("value", 0), None if situation == "is_cover" else situation
    )


def view(state: s.MobileFrameState) -> dict[str, Any]:
    """The state in the words of `expect.state`, and its own."""
    seen: dict[str, Any] = msgspec.to_builtins(state)
    for key, id_ in (("frame", "f1"), ("target", "t"), ("cover_frame", "cf")):
        if id_ in state.frames:
            frame = state.frames[id_]
            seen[key] = {**msgspec.to_builtins(frame), "white": frame.white, "rockets": frame.rockets}
    if "c1" in state.covers:
        seen["cover"] = msgspec.to_builtins(state.covers["c1"])
    battle = state.battle
    if battle is not None:
        seen["doomsday"] = battle.doomsday
        seen["stack"] = [each.frame for each in battle.stack]
        seen["acting"] = acting.frame if (acting := state.acting()) is not None else None
        seen["players"] = {
            player: {"ppa": side.ppa, "assets": side.assets, "score": side.score}
            for player, side in battle.sides.items()
        }
        seen["score_order"] = score_order(battle)
    return seen
