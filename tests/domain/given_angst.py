"""Angst's `given`, in general: any mixture of the keys of SHAPES.md, and a few for our own vectors.

Ids are short: the one `character` is `c1`, several have the names they are given; the rolled test is `t1`, a
called one `t2`. What `given` leaves out has its initial value, and what a command names (a type of Angst, a
Perk, a Stressor, a Comfort) is on the sheet unless `given` lists that kind of thing itself.
Beyond SHAPES.md: `settings`, `actor` (gm, player, stranger, observer, worker), `angst_types`, `game_hour`,
`called`, `settled_test`, `session`, `now` (hours of real time), any field of a test, of a Core or of a sheet;
an opposed side's `final`, `opposed`, `character` and `test_id`.
"""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.systems.angst import ANGST
from domain.systems.angst import state as s
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from domain.systems.angst.rolls import Cause, Faces
from domain.systems.angst.tables import CORES, DAY_HOURS, HOUR_SECONDS, KINDS, at_rank, parsed_grade, rank, sides
from tests.domain.situation import Situation, account, only

GIVEN = {
    *("character", "characters", "game_day", "test"),
    *("settings", "actor", "angst_types", "game_hour", "called", "settled_test", "session", "now"),
}
PLAYERS_COMMANDS = {"create_character", "reroll_dice", "add_life_experience", "purge_angst", "buy_angst_purge"}
MOMENTS = {"start_session", "start_scene", "end_scene", "close_scene", "advance_clock"}
ROLES: dict[str, Any] = {
    "gm": "gm",
    "player": "player",
    "stranger": "player",
    "observer": "observer",
    "worker": "worker",
}
ACTION = ActionId(uuid5(NAMESPACE_URL, "action"))


def translate(given: dict[str, Any], command: dict[str, Any]) -> Situation:
    only(GIVEN, given, "given")
    hour = given.get("game_hour", given.get("game_day", 0) * DAY_HOURS)
    state = s.Angst(session=given.get("session", 0))
    sheets = dict(given.get("characters", {}))
    if given.get("character") is not None:
        sheets["c1"] = given["character"]
    if not sheets and command["type"] == "reroll_dice":
        sheets["c1"] = {}
    for id_, sheet in sheets.items():
        state.characters[id_] = _character(id_, sheet, command, hour)
    state.angst_types = given.get("angst_types") or _types(sheets, command)
    _tests(state, given)
    wanted = dict(command)
    kind = wanted.pop("type")
    actor = given.get("actor", "player" if kind in PLAYERS_COMMANDS and not _grades(wanted) else "gm")
    moment = _moment(kind, wanted, hour) if kind in MOMENTS else None
    return Situation(
        system=ANGST,
        state=state,
        context=CommandContext(
            command=None if moment is not None else _command(state, kind, wanted),
            account=None if actor == "worker" else AccountId(account("c1" if actor == "player" else actor)),
            role=ROLES[actor],
            action_id=ACTION,
            at=given.get("now", 0) * HOUR_MICROSECONDS,
            game_time=hour * HOUR_SECONDS,
            settings=msgspec.convert(given.get("settings", {}), ANGST.settings),
        ),
        view=view,
        moment=moment,
    )


def _grades(command: dict[str, Any]) -> bool:
    """Whether a command gives a grade by itself, as only the GM does."""
    named = [command.get("relationship"), *(command.get("moral_support") or {}).get("grades", [])]
    return any(isinstance(each, str) and parsed_grade(each) is not None for each in named)


def _moment(kind: str, wanted: dict[str, Any], hour: int) -> lifecycle_events.LifecycleEvent:
    only({"to_hour"} if kind == "advance_clock" else set(), wanted, kind)
    match kind:
        case "start_session":
            return lifecycle_events.SessionStarted(session_id="session-1", number=1, present=[])
        case "start_scene":
            return lifecycle_events.SceneStarted(scene_id="scene-1")
        case "advance_clock":
            after = wanted["to_hour"] * HOUR_SECONDS
            return lifecycle_events.CalendarAdvanced(seconds=after - hour * HOUR_SECONDS, game_time_after=after)
        case _:
            return lifecycle_events.SceneEnded(scene_id="scene-1")


def _command(state: s.Angst, kind: str, wanted: dict[str, Any]) -> Any:
    if kind == "resolve_opposed":
        wanted = {side: _side(state, side, dict(each)) for side, each in wanted.items()}
    if isinstance(wanted.get("player"), str):
        wanted["player"] = str(account(wanted["player"]))
    return msgspec.convert({"type": f"angst.{kind}", **wanted}, ANGST.commands)


def _side(state: s.Angst, side: str, given: dict[str, Any]) -> dict[str, Any]:
    """A side's total is that of a test, final unless said otherwise."""
    only({"total", "core", "crucial", "character", "final", "opposed", "test_id"}, given, side)
    test_id = given.get("test_id", f"t-{side}")
    if "total" in given:
        who = given.get("character", side)
        if who not in state.characters:
            state.characters[who] = _character(who, {}, {}, 0)
        state.tests.append(
            s.Test(
                test_id=test_id,
                character=who,
                kind="test",
                core=given.get("core", "physical"),
                core_die="d0",
                dice=Faces(base=[given["total"]]),
                modifiers=[],
                dn=None,
                opposed=given.get("opposed", True),
                final=given.get("final", True),
            )
        )
    return {"test_id": test_id, **({"crucial": given["crucial"]} if given.get("crucial") else {})}


def _types(sheets: dict[str, Any], command: dict[str, Any]) -> list[str]:
    found = {angst for sheet in sheets.values() for angst in sheet.get("angst", {})}
    found |= {
        offer["angst"] for sheet in sheets.values() for offer in sheet.get("purge_offers", []) if "angst" in offer
    }
    found |= {*command.get("candidates", ()), *command.get("types", ())}
    found |= {command[key] for key in ("angst", "chosen", "negative_tap") if isinstance(command.get(key), str)}
    found |= {(command.get("tap") or {}).get("angst")} - {None}
    return sorted(found)


def _character(id_: str, given: dict[str, Any], command: dict[str, Any], hour: int) -> s.Character:
    only({*s.Character.__struct_fields__} - {"character_id"}, given, "a character")
    kind = given.get("kind", "pc")
    named = command.get("stressors")
    sheet: dict[str, Any] = {
        "perks": [command["perk"]] if command.get("perk") else [],
        "stressors": list(named) if isinstance(named, list) else [],
        "comforts": {command["comfort"]: {}} if command.get("comfort") else {},
        "factoids": ["factoid"] if kind == "gmc" else [],
        "name": id_,
        "player_id": str(account(id_)) if kind == "pc" else None,
        **given,
        "character_id": id_,
        "kind": kind,
        "cores": {},
    }
    if isinstance(given.get("player_id"), str):
        sheet["player_id"] = str(account(given["player_id"]))
    if isinstance(sheet["factoids"], dict):
        sheet["factoids"] = sorted(sheet["factoids"])
    sheet["relationships"] = {
        target: {"grade": each} if isinstance(each, str) else each
        for target, each in given.get("relationships", {}).items()
    }
    character: s.Character = msgspec.convert(sheet, s.Character)
    character.angst = {angst: points for angst, points in character.angst.items() if points}
    given_cores = given.get("cores", {})
    only({*CORES}, given_cores, "cores")
    character.cores = {core: _core(given_cores.get(core, {}), hour) for core in CORES}
    return character


def _core(given: dict[str, Any], hour: int) -> s.Core:
    only({"rated", "effective", "lost", "anchor", "due_at", "spared"}, given, "a core")
    rated = at_rank(rank(_die(given.get("rated", 6))))
    lost = msgspec.convert(given.get("lost", {}), s.Tally)
    core = s.Core(rated=rated, lost=lost, spared=given.get("spared", False))
    core.due_at = msgspec.convert(given.get("due_at", {}), s.ByKind[int])
    unsaid = rank(core.effective) - rank(_die(given.get("effective", sides(core.effective))))
    core.lose("deadly" if core.spared else "nondeadly", max(0, unsaid))
    anchors = given.get("anchor", {})
    only({*KINDS}, anchors, "anchor")
    for kind in KINDS:
        # Somebody spared at d0 has no clock, nor has a deadly loss that they were spared for.
        without = core.spared and (kind == "deadly" or core.effective == "d0")
        if core.lost.get(kind) and not without:
            core.cause.set(kind, Cause(ACTION))
            if core.due_at.get(kind) is None:
                core.anchor.set(kind, anchors.get(kind, hour))
    return core


def _die(given: int | str) -> Any:
    return given if isinstance(given, str) else f"d{given}"


def _tests(state: s.Angst, given: dict[str, Any]) -> None:
    who = min(state.characters, default="c1")
    if given.get("test") is not None:
        test = dict(given["test"])
        only({*s.Test.__struct_fields__}, test, "test")
        known = {"test_id": "t1", "character": who, "kind": "test", "core": "physical", "core_die": 6, "dn": 7}
        test = {**known, "modifiers": [], **test}
        test["core_die"] = _die(test["core_die"])
        test["modifiers"] = [tuple(each) for each in test["modifiers"]]
        state.tests.append(msgspec.convert(test, s.Test))
    if given.get("called") is not None:
        known = {"test_id": "t2", "character": who, "core": "physical", "dn": 7}
        only({*s.CalledTest.__struct_fields__}, given["called"], "called")
        state.called.append(msgspec.convert({**known, **given["called"]}, s.CalledTest))
    if given.get("settled_test") is not None:
        state.settled_tests["t1"] = given["settled_test"]


def view(state: s.Angst) -> dict[str, Any]:
    """The state in the words of `given`: Cores as numbers, every type of Angst, also at 0."""
    seen: dict[str, Any] = {}
    for id_, character in state.characters.items():
        sheet: dict[str, Any] = msgspec.to_builtins(character)
        sheet["angst"] = {angst: character.angst.get(angst, 0) for angst in state.angst_types}
        for name, core in character.cores.items():
            sheet["cores"][name] |= {"rated": sides(core.rated), "effective": sides(core.effective)}
        seen[id_] = sheet
    whole: dict[str, Any] = {"characters": seen, "angst_types": list(state.angst_types), "session": state.session}
    if seen:
        whole["character"] = seen[min(seen)]
    whole["open_tests"] = len(state.tests)
    whole["called_tests"] = len(state.called)
    if state.tests:
        whole["test"] = {**msgspec.to_builtins(state.tests[0]), "total": state.tests[0].total}
    return whole
