"""FREE/FALL's `given`, in general: any mixture of the keys of SHAPES.md, and a few for our own vectors.

Ids are short: character `c1`, machine `k1`, treatment `w1`, an item's and a repair's own name. What `given`
leaves out has its initial value, and a condition that it does not mention holds: it is bullet time, the
character has no player and is the GM's to command, a machine is piloted by the character.
Beyond SHAPES.md: `settings`, `actor` (gm, player, stranger, observer, worker), `mode`, `downtime`, `classes`,
`credits`, `clock`, `called`, `conflict`, `rolls`, `recovery`, `character.player`, `character.paid_ahead`,
`turn.actions`, `turn.order`, `treatment.required`, `machine.pilot` and every other field of an item, a slot or
a repair.
"""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import state as s
from domain.systems.freefall.tables import ATTRIBUTES, SLOTS
from tests.domain.situation import Situation, account, only

GIVEN = {
    *("character", "game_time", "machine", "repairs", "treatment", "turn"),
    *("settings", "actor", "mode", "downtime", "classes", "credits", "clock", "called", "conflict", "rolls"),
    "recovery",
}
ROLES: dict[str, Any] = {
    "gm": "gm",
    "player": "player",
    "stranger": "player",
    "observer": "observer",
    "worker": "worker",
}
MOMENTS: dict[str, lifecycle_events.LifecycleEvent] = {
    "end_scene": lifecycle_events.SceneEnded(scene_id="scene-1"),
    "close_scene": lifecycle_events.SceneEnded(scene_id="scene-1"),
    "start_scene": lifecycle_events.SceneStarted(scene_id="scene-1"),
    "start_downtime": lifecycle_events.DowntimeStarted(downtime_id="downtime-1"),
    "end_downtime": lifecycle_events.DowntimeEnded(downtime_id="downtime-1"),
    "start_session": lifecycle_events.SessionStarted(session_id="session-1", number=1, present=[]),
    "end_session": lifecycle_events.SessionEnded(session_id="session-1", number=1),
}
ITEM = set(s.ItemDraft.__struct_fields__)
ACTION = ActionId(uuid5(NAMESPACE_URL, "action"))


def translate(given: dict[str, Any], command: dict[str, Any]) -> Situation:
    only(GIVEN, given, "given")
    state = s.FreefallState(mode=given.get("mode", "bullet"), downtime=given.get("downtime", False))
    state.classes = given.get("classes", {})
    state.credits = given.get("credits", {})
    if given.get("character", {}) is not None:
        _character(state, given.get("character", {}))
    if given.get("machine") is not None:
        _machine(state, given["machine"])
    if given.get("turn") is not None:
        _turn(state, given["turn"])
    _work(state, given)
    _loose_ends(state, given)
    actor = given.get("actor", "gm")
    wanted = dict(command)
    kind = wanted.pop("type")
    moment = _moment(kind, wanted, given)
    asked_command = None
    if moment is None:
        _let_tools_fit(state, given, wanted)
        asked_command = msgspec.convert({"type": f"freefall.{kind}", **wanted}, FREEFALL.commands)
    return Situation(
        system=FREEFALL,
        state=state,
        context=CommandContext(
            command=asked_command,
            account=None if actor == "worker" else AccountId(account(actor)),
            role=ROLES[actor],
            action_id=ACTION,
            at=0,
            game_time=given.get("game_time", 0),
            settings=msgspec.convert(given.get("settings", {}), FREEFALL.settings),
        ),
        view=view,
        moment=moment,
    )


def _let_tools_fit(state: s.FreefallState, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """A tool of which nothing says what it enables enables the action it is used for: such conditions hold."""
    item = str((wanted.get("prerequisite") or {}).get("item"))
    told = (given.get("character") or {}).get("gear", {}).get(item)
    if told is None or "enables" in told or wanted.get("action") is not None:
        return
    tag = wanted.setdefault("tag", "work")
    tool = state.characters["c1"].items[item]
    tool.what = msgspec.structs.replace(tool.what, enables=[tag])


def _moment(kind: str, wanted: dict[str, Any], given: dict[str, Any]) -> lifecycle_events.LifecycleEvent | None:
    """The campaign's commands, by the names that the rules give them."""
    if kind == "advance_clock":
        only({"hours", "to"}, wanted, kind)
        now = given.get("game_time", 0)
        later = wanted.get("to", now + wanted.get("hours", 0) * 3600)
        return lifecycle_events.CalendarAdvanced(seconds=later - now, game_time_after=later)
    return MOMENTS.get(kind)


def _character(state: s.FreefallState, given: dict[str, Any]) -> None:
    fields = set(s.Character.__struct_fields__) - {"character_id", "class_", "items"}
    only({*fields, "gear", "class"}, given, "character")
    attributes = given.get("attributes", {})
    only(set(ATTRIBUTES), attributes, "attributes")
    for each in attributes.values():
        only({"permanent", "current"}, each, "an attribute")
    points = {}
    for name in ATTRIBUTES:
        found = {"permanent": 10, **attributes.get(name, {})}
        points[name] = s.Points(found["permanent"], found.get("current", found["permanent"]))
    slots = [_slot(nth, slot) for nth, slot in enumerate(given.get("slots", []), 1)]
    player = given.get("player")
    state.characters["c1"] = s.Character(
        character_id="c1",
        player=AccountId(account(player)) if player is not None else None,
        name=given.get("name", "c1"),
        class_=given.get("class", "runner"),
        attributes=points,
        specialties=given.get("specialties", []),
        items={id_: _item(id_, item) for id_, item in given.get("gear", {}).items()},
        slots=[*slots, *[None] * (SLOTS - len(slots))],
        status=given.get("status", "active"),
        fate=given.get("fate"),
        crew=given.get("crew"),
        npc=given.get("npc", False),
        paid_ahead=given.get("paid_ahead", 0),
    )


def _slot(nth: int, slot: dict[str, Any] | None) -> s.Harm | None:
    if slot is None:
        return None
    only({"type", "state", "note"}, slot, "a slot")
    return msgspec.convert({"harm_id": f"h{nth}", "type": "physical", **slot}, s.Harm)


def _item(id_: str, given: dict[str, Any]) -> s.Item:
    only({*ITEM, "bound", "state"}, given, "an item")
    what = {"name": id_, **{key: value for key, value in given.items() if key in ITEM}}
    if isinstance(what.get("av"), int):
        what["av"] = {"physical": what["av"]}
    return s.Item(
        what=msgspec.convert(what, s.ItemDraft),
        bound=given.get("bound", False),
        state=given.get("state", "functional"),
    )


def _machine(state: s.FreefallState, given: dict[str, Any]) -> None:
    only({"name", "frm", "sys", "av", "state", "pilot_binding", "pilot"}, given, "machine")
    av = given.get("av", 0)
    known = {
        "machine_id": "k1",
        "name": "k1",
        "frm": {"permanent": 0, "current": 0},
        "sys": {"permanent": 0, "current": 0},
        "pilot": "c1" if "c1" in state.characters else None,
    }
    machine = {**known, **given, "av": {"physical": av} if isinstance(av, int) else av}
    for attribute in ("frm", "sys"):
        machine[attribute] = {"current": machine[attribute].get("permanent", 0), **machine[attribute]}
        machine[attribute] = {"permanent": machine[attribute]["current"], **machine[attribute]}
    state.machines["k1"] = msgspec.convert(machine, s.Machine)


def _turn(state: s.FreefallState, given: dict[str, Any]) -> None:
    """The only character takes part and has yet to declare, unless `declaration_order` says who has."""
    only({"dice_pool", "seats_taken", "declaration_order", "actions", "order", "turn_id"}, given, "turn")
    board = s.Board(turn_id=given.get("turn_id", "t1"))
    pool = given.get("dice_pool", 5)
    declared = given.get("declaration_order")
    if declared is None:
        declared = [f"seated-{nth}" for nth in range(1, given.get("seats_taken", 0) + 1)]
        board.actors.append(s.Actor("c1", "c1", False, pool, dice_left=pool))
    for seat, id_ in enumerate(declared, 1):
        board.actors.append(s.Actor(id_, id_, id_ not in state.characters, pool, seat=seat, dice_left=pool))
    for action in given.get("actions", []):
        board.actions.append(msgspec.convert({"actor": "c1", "dice": 1, **action}, s.Action))
    board.order = given.get("order", [])
    state.board = board


def _work(state: s.FreefallState, given: dict[str, Any]) -> None:
    for id_, repair in given.get("repairs", {}).items():
        fields = {*s.Repair.__struct_fields__, "requirements_met"}
        only(fields, repair, "a repair")
        found = dict(repair)
        met = found.pop("requirements_met", True)
        required = [] if met else ["parts"]
        known = {
            "repair_id": id_,
            "character": "c1",
            "item": id_,
            "fixer": "Jo",
            "due": 0,
            "required": required,
            "agreed_in": ACTION,
        }
        state.repairs[id_] = msgspec.convert({**known, **found}, s.Repair)
    if given.get("treatment") is not None:
        found = dict(given["treatment"])
        only({*s.Treatment.__struct_fields__, "actions_done", "slot"}, found, "treatment")
        required = [] if found.pop("actions_done", True) else ["a favour"]
        harm = f"h{found.pop('slot', 1)}"
        known = {
            "treatment_id": "w1",
            "character": "c1",
            "harm_id": harm,
            "method": "care",
            "due": 0,
            "required": required,
            "agreed_in": ACTION,
        }
        state.treatments["w1"] = msgspec.convert({**known, **found}, s.Treatment)


def _loose_ends(state: s.FreefallState, given: dict[str, Any]) -> None:
    if given.get("clock") is not None:
        known = {"clock_id": "o1", "name": "o1", "size": 6}
        state.clocks["o1"] = msgspec.convert({**known, **given["clock"]}, s.Clock)
    if given.get("called") is not None:
        known = {"call_id": "b1", "character": "c1", "harm_type": "physical", "incoming": 1, "av": 0, "levels": 1}
        state.called.append(msgspec.convert({**known, **given["called"]}, s.CalledHarm))
    if given.get("conflict") is not None:
        known = {"conflict_id": "d1", "turn_id": None, "tied": [], "decided_by": None}
        state.conflicts.append(msgspec.convert({**known, **given["conflict"]}, s.Conflict))
    for nth, roll in enumerate(given.get("rolls", []), 1):
        known = {"roll_id": f"r{nth}", "actor": "c1", "failed": False, "flagged": False, "mode": state.mode}
        state.rolls.append(msgspec.convert({**known, **roll}, s.Roll))
    if given.get("recovery") is not None:
        state.recovery = msgspec.convert(given["recovery"], s.RecoveryTask)


def view(state: s.FreefallState) -> dict[str, Any]:
    """The state in the words of `expect.state`: the character of `given`, their gear, machine and turn."""
    seen: dict[str, Any] = {"mode": state.mode, "downtime": state.downtime, "credits": state.credits}
    if state.characters:
        id_ = "c1" if "c1" in state.characters else min(state.characters)
        sheet = msgspec.to_builtins(state.characters[id_])
        items = sheet.pop("items")
        sheet["gear"] = {
            id_: {**item["what"], "bound": item["bound"], "state": item["state"]} for id_, item in items.items()
        }
        seen["character"] = sheet
    if "k1" in state.machines:
        seen["machine"] = msgspec.to_builtins(state.machines["k1"])
    if state.board is not None:
        seen["turn"] = msgspec.to_builtins(state.board)
    seen["repairs"] = msgspec.to_builtins(state.repairs)
    seen["treatments"] = sorted(state.treatments)
    seen["called"] = len(state.called)
    return seen
