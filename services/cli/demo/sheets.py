"""How the demo prints the sheets of a story: as tables that know their rule system, else as plain lines."""

from collections.abc import Callable
from typing import Any, NamedTuple

from rich.table import Table


class Drawn(NamedTuple):
    """A sheet, and the name of whoever plays it."""

    sheet: dict[str, Any]
    player: str


def tables(system: str, drawn: list[Drawn]) -> list[Table]:
    """The tables that show these sheets of one rule system."""
    return TABLES.get(system, _plainly)(drawn)


def _table(title: str, *columns: str, right: tuple[str, ...] = ()) -> Table:
    table = Table(title=title, title_justify="left")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


def _plainly(drawn: list[Drawn]) -> list[Table]:
    """Whatever a sheet has at its top: numbers and words as they are, of lists and the like how many."""
    table = _table("Characters", "character", "player", "sheet")
    for sheet, player in drawn:
        shown = {key: _short(value) for key, value in sheet.items() if key not in ("name", "player")}
        told = ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in shown.items() if value)
        table.add_row(sheet.get("name", ""), player, told)
    return [table]


def _short(value: Any) -> str:
    if isinstance(value, dict | list):
        return str(len(value)) if value else ""
    return "" if value is None or value is False else str(value)


def _frame_state(drawn: list[Drawn]) -> list[Table]:
    pilots = _table("Pilots", "pilot", "player", "credits", "skills", "unspent", right=("credits", "unspent"))
    frames = _table(
        "Frames",
        "frame",
        "pilot",
        "status",
        "upgrades",
        "salvage",
        "attributes",
        right=("upgrades", "salvage"),
    )
    for sheet, player in drawn:
        pilots.add_row(
            sheet["name"],
            player,
            str(sheet["currency"]),
            _offers(sheet["attributes"]),
            str(sum(pool["unspent"] for pool in sheet["pools"].values())),
        )
        for frame in sheet["frames"]:
            frames.add_row(
                frame["name"],
                sheet["name"],
                frame["status"],
                str(frame["upgrade_cost_total"]),
                str(frame["refit_credit"]),
                _offers(frame["attributes"]),
            )
    return [pilots, frames]


def _offers(attributes: dict[str, dict[str, Any]]) -> str:
    """What the attributes offer that were bought: `rail lance d8 (+1), plating 2`."""
    return ", ".join(
        f"{name.replace('_', ' ')} {view['offer']}" + (f" (+{view['bonus']})" if view["bonus"] else "")
        for name, view in attributes.items()
        if view["grade"] > 0 or view["bonus"]
    )


def _freefall(drawn: list[Drawn]) -> list[Table]:
    people = _table("Characters (current / maximum / permanent)", "character", "player", "body", "mind", "ghost")
    for column in ("harm", "dice", "fate"):
        people.add_column(column)
    gear = _table("Gear", "item", "whose", "state", "worn", "binds")
    for sheet, player in drawn:
        views = sheet["attributes"]
        people.add_row(
            sheet["name"],
            player,
            *(_points(views[name]) for name in ("body", "mind", "ghost")),
            ", ".join(f"{slot['state']} {slot['type']}" for slot in sheet["slots"] if slot is not None),
            str(sheet["dice_pool"]),
            sheet["fate"] or sheet["status"],
        )
        for item in sorted(sheet["gear"].values(), key=lambda each: str(each["name"])):
            binds = ", ".join(f"{name} {amount}" for name, amount in item["binding"].items() if amount)
            gear.add_row(item["name"], sheet["name"], item["state"], "yes" if item["bound"] else "", binds)
    return [people, gear]


def _points(view: dict[str, int]) -> str:
    return f"{view['current']} / {view['maximum']} / {view['permanent']}"


def _angst(drawn: list[Drawn]) -> list[Table]:
    people = _table("Characters", "character", "player", "Cores (now, of)", "Angst (next DN)", "points", "status")
    bonds = _table("Relationships", "who", "toward", "grade", "on a test", right=("on a test",))
    names = {sheet["character_id"]: sheet["name"] for sheet, _ in drawn}
    for sheet, player in drawn:
        cores = {name: (core["effective"], core["rated"]) for name, core in sheet["cores"].items()}
        felt = {name: view for name, view in sheet["angst"].items() if view["points"]}
        experience = sheet["life_experience"]
        people.add_row(
            sheet["name"],
            player,
            ", ".join(
                f"{name} {now}" + (f" of {rated}" if now != rated else "") for name, (now, rated) in cores.items()
            ),
            ", ".join(f"{name} {view['points']} ({view['next_dn']})" for name, view in felt.items()),
            f"{sheet['story_points']} Story, {experience['current']}/{experience['max']} Life",
            sheet["status"].replace("_", " "),
        )
        for target, view in sheet["relationships"].items():
            bonds.add_row(sheet["name"], names.get(target, target), view["grade"], f"{view['modifier']:+}")
    return [people, bonds]


TABLES: dict[str, Callable[[list[Drawn]], list[Table]]] = {
    "angst": _angst,
    "frame_state": _frame_state,
    "freefall": _freefall,
}
"""Systems whose sheets the demo knows how to lay out; every other is shown plainly."""
