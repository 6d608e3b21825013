"""Frame State's `given`, in general: any mixture of the keys of SHAPES.md, and a few for our own vectors.

Ids are short: pilot `p1`, frame `f1`, its successor `f2`, test `t1`, mission `m1`, proposal `q1`, NPC `n1`.
What `given` leaves out has its initial value, and a condition that it does not mention holds: a frame is
active, there is a Handler, the test is called. `null` says that something is not there.
Beyond SHAPES.md: `settings`, `actor` (handler, player, stranger, observer, worker), `npc`, `new_frame`,
`mission`, `proposal`, `replacement_asked`, `new_frame_price`, `starting_currency`, `sheet.player` null,
`test.state`, `test.mark_hidden`, `frame.refit_credit`, `frame.salvaged`, `frame.replaced_by`.
"""

from typing import Any
from uuid import NAMESPACE_URL, uuid5

import msgspec

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.ids import AccountId, ActionId
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import state as s
from domain.systems.frame_state.catalogue import place_of
from tests.domain.situation import Situation, account, only

GIVEN = {
    *("catalogue", "frame", "mission_active", "roles", "sheet", "test"),
    *("settings", "actor", "npc", "new_frame", "mission", "proposal", "replacement_asked"),
    *("new_frame_price", "starting_currency"),
}
PLAYERS_COMMANDS = {
    *("create_pilot", "allocate_point", "propose_test", "roll_test", "advance_category", "refit"),
    *("replace_frame",),
}
ROLES: dict[str, Any] = {
    "handler": "gm",
    "player": "player",
    "stranger": "player",
    "observer": "observer",
    "worker": "worker",
}
ACTION = ActionId(uuid5(NAMESPACE_URL, "action"))


def translate(given: dict[str, Any], command: dict[str, Any]) -> Situation:
    only(GIVEN, given, "given")
    state = s.FrameState(handler=AccountId(account("handler")))
    _catalogue(state, given)
    _people(state, given)
    _missions(state, given)
    _tests(state, given)
    wanted = dict(command)
    kind = wanted.pop("type")
    actor = given.get("actor", "player" if kind in PLAYERS_COMMANDS else "handler")
    moment = None
    asked_command: Any = None
    if kind == "start_session":
        only(set(), wanted, "start_session")
        moment = lifecycle_events.SessionStarted(session_id="session-1", number=1, present=[])
    else:
        asked_command = _command(kind, wanted, given)
    return Situation(
        system=FRAME_STATE,
        state=state,
        context=CommandContext(
            command=asked_command,
            account=None if actor == "worker" else AccountId(account(_person(actor, state))),
            role=ROLES[actor],
            action_id=ACTION,
            at=0,
            game_time=0,
            settings=msgspec.convert(given.get("settings", {}), FRAME_STATE.settings),
        ),
        view=view,
        moment=moment,
    )


def _person(actor: str, state: s.FrameState) -> str:
    return min(state.pilots, default="p1") if actor == "player" else actor


def _command(kind: str, wanted: dict[str, Any], given: dict[str, Any]) -> Any:
    if kind in ("roll_test", "cancel_test", "narrate_consequence") and given.get("test"):
        wanted.setdefault("test_id", "t1")
    if isinstance(wanted.get("player"), str):
        wanted["player"] = str(account(wanted["player"]))
    return msgspec.convert({"type": f"frame_state.{kind}", **wanted}, FRAME_STATE.commands)


def _catalogue(state: s.FrameState, given: dict[str, Any]) -> None:
    if given.get("catalogue") is None:
        return
    categories = {
        id_: msgspec.convert({"starting_points": 0, **category}, s.Category)
        for id_, category in given["catalogue"].items()
    }
    for category in given["catalogue"].values():
        only({*s.Category.__struct_fields__}, category, "a category")
    state.catalogue = s.Catalogue(
        categories=categories,
        starting_currency=given.get("starting_currency", 0),
        new_frame_price=given.get("new_frame_price"),
    )


def _people(state: s.FrameState, given: dict[str, Any]) -> None:
    roles = given.get("roles", {"handler": "handler", "pilots": [] if _nobody(given) else ["p1"]})
    only({"handler", "pilots"}, roles, "roles")
    handler = roles.get("handler", "handler")
    state.handler = None if handler is None else AccountId(account(handler))
    pilots = list(roles.get("pilots", ["p1"]))
    if given.get("sheet") is not None and not pilots:
        pilots = ["p1"]
    for pilot in pilots:
        player = AccountId(account(pilot))
        state.pilots[pilot] = s.Pilot(pilot, player, pilot, currency=0, build=s.Build())
    if pilots:
        _sheet(state, state.pilots[pilots[0]], given)
    if given.get("npc"):
        state.units["n1"] = s.Unit("n1", given["npc"])


def _nobody(given: dict[str, Any]) -> bool:
    return "sheet" in given and given["sheet"] is None


def _sheet(state: s.FrameState, pilot: s.Pilot, given: dict[str, Any]) -> None:
    sheet = given.get("sheet") or {}
    only({"currency", "pools", "invested", "experimental", "player"}, sheet, "sheet")
    pilot.currency = sheet.get("currency", 0)
    pilot.player_id = pilot.player_id if sheet.get("player", True) is not None else None
    frame_build = s.Build()
    builds = {"pilot": pilot.build, "frame": frame_build}
    for id_, category in (state.catalogue.categories if state.catalogue else {}).items():
        builds[category.owner].pools[id_] = s.Pool(category.starting_points)
    for id_, pool in sheet.get("pools", {}).items():
        owner = state.catalogue.categories[id_].owner if state.catalogue else "pilot"
        builds[owner].pools[id_] = msgspec.convert(pool, s.Pool)
    for what in ("invested", "experimental"):
        for attribute, value in sheet.get(what, {}).items():
            place = place_of(state.catalogue, attribute)
            assert place is not None, f"{attribute} is not in the catalogue"
            getattr(builds[place.category.owner], what)[attribute] = value
    if given.get("frame", {}) is not None:
        _frame(state, pilot, "f1", frame_build, given.get("frame", {}))
    if given.get("new_frame") is not None:
        _frame(state, pilot, "f2", s.Build(), given["new_frame"])
    if given.get("replacement_asked"):
        state.replacements.append(s.Replacement(pilot.pilot_id, "f1", "f2"))


def _frame(state: s.FrameState, pilot: s.Pilot, id_: str, build: s.Build, given: dict[str, Any]) -> None:
    fields = {*s.Frame.__struct_fields__} - {"frame_id", "pilot_id", "name", "build", "carried_cost"}
    only(fields, given, "frame")
    known = {"frame_id": id_, "pilot_id": pilot.pilot_id, "name": id_, "build": msgspec.to_builtins(build)}
    state.frames[id_] = msgspec.convert({**known, **given}, s.Frame)
    pilot.frames.append(id_)


def _missions(state: s.FrameState, given: dict[str, Any]) -> None:
    mission = given.get("mission")
    if given.get("mission_active"):
        mission = {"state": "running", **(mission or {})}
    if mission is None:
        return
    only({"state", "owed", "pilots"}, mission, "mission")
    if mission.get("state") == "settled":
        state.settled_missions.append(s.SettledMission("m1", "m1"))
        return
    known = {"mission_id": "m1", "name": "m1", "pilots": sorted(state.pilots), "concluded_by": str(ACTION)}
    state.missions.append(msgspec.convert({**known, **mission}, s.Mission))


def _tests(state: s.FrameState, given: dict[str, Any]) -> None:
    pilot = min(state.pilots, default="p1")
    test = dict(given.get("test") or {})
    if test:
        only(
            {"test_type", "mark", "dice", "modifiers", "method", "roller", "state", "mark_hidden"},
            test,
            "test",
        )
        roller, how = test.pop("roller", "pilot"), test.pop("state", "called")
        roles = {"roller": "pilot", "pilot": pilot}
        if roller != "pilot" and roller not in state.pilots:
            state.units.setdefault("n1", s.Unit("n1", roller))
            roles = {"roller": "npc", "pilot": "n1"}
        elif roller in state.pilots:
            roles["pilot"] = roller
        known = {"test_id": "t1", **roles, "mark_hidden": False, "modifiers": [], "method": "roll"}
        if how == "called":
            state.tests.append(msgspec.convert({**known, **test}, s.Test))
        else:
            state.settled_tests["t1"] = msgspec.convert(how, s.Settled)
    if given.get("proposal"):
        only({"dice", "modifiers", "method"}, given["proposal"], "proposal")
        known = {"proposal_id": "q1", "pilot": pilot, "modifiers": [], "method": "roll"}
        state.proposals.append(msgspec.convert({**known, **given["proposal"]}, s.Proposal))


def view(state: s.FrameState) -> dict[str, Any]:
    """The state in the words of `expect.state`: the first pilot's sheet and the frame of `given`."""
    seen: dict[str, Any] = {"roles": {"handler": state.handler, "pilots": sorted(state.pilots)}}
    if state.pilots:
        pilot = state.pilots[min(state.pilots)]
        builds = [pilot.build, *(state.frames[each].build for each in pilot.frames)]
        active = state.active_frame(pilot)
        if active is not None:
            builds = [pilot.build, active.build]
        sheet: dict[str, Any] = {"currency": pilot.currency, "name": pilot.name}
        for what in ("pools", "invested", "experimental"):
            sheet[what] = {key: value for each in builds for key, value in getattr(each, what).items()}
        seen["sheet"] = msgspec.to_builtins(sheet)
        seen["mission_active"] = state.mission_of(pilot.pilot_id) is not None
    for key, id_ in (("frame", "f1"), ("new_frame", "f2")):
        if id_ in state.frames:
            seen[key] = msgspec.to_builtins(state.frames[id_])
    seen["open_tests"] = len(state.tests)
    return seen
