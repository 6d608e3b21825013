"""The fight board of Overdrive, from the first initiative to the end."""

from typing import Any

import msgspec

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.settings import Settings
from projections.systems.overdrive.boards import fight
from tests.domain.overdrive.table import Table, at


def drawn(table: Table) -> Any:
    board = fight(table.state, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing), table.settings)
    return msgspec.to_builtins(board)


def names(people: list[Any]) -> list[str]:
    return [each["name"] for each in people]


def fighter(table: Table, name: str) -> Any:
    [found] = [each for each in drawn(table)["fighters"] if each["who"]["name"] == name]
    return found


def two(settings: Settings | None = None) -> tuple[Table, str, str]:
    table = Table(settings)
    return table, table.character("mara"), table.character("jun")


def test_in_peace_nobody_stands_there():
    table, *_ = two()
    board = drawn(table)
    assert (board["combat_id"], board["turn"], board["fighters"], board["order"]) == (None, None, [], [])
    assert board["tactical_points"] == 0


def test_while_initiative_is_rolled_it_says_who_has_not_yet():
    table, mara, jun = two()
    table.do("gm", c.StartCombat(participants=[mara, jun], positions={mara: at(1, 2), jun: at(3, 0)}))
    assert names(drawn(table)["waiting_for_initiative"]) == ["Jun", "Mara"]
    table.do("gm", c.RollInitiative(character=mara), [2, 3, 4, 6])
    board = drawn(table)
    assert names(board["waiting_for_initiative"]) == ["Jun"]
    assert (board["phase"], board["turn"], board["acting"]) == ("initiative", None, None)
    assert names([each["who"] for each in board["fighters"]]) == ["Mara", "Jun"]
    assert fighter(table, "Mara")["initiative"]["successes"] == 2
    assert fighter(table, "Jun")["position"] == {"ring": 3, "quadrant": 0}


def test_it_shows_whose_turn_it_is_what_cools_and_what_a_movement_is_worth():
    table, mara, jun = two()
    table.fight(mara, jun, surprised=[jun])
    assert drawn(table)["acting"]["name"] == "Mara"
    table.do("mara", c.RollMovement(mode="maneuver", character=mara), [2, 3, 6, 6, 6, 6])
    table.do("mara", c.DeclareAttack(weapon="rifle", distance=3, target=jun, character=mara), [2, 3, 3, 6, 6])
    shooter = fighter(table, "Mara")
    assert (shooter["pm"], shooter["movement_used"], shooter["attack_used"]) == (2, True, True)
    assert shooter["cooling"] == ["rifle"]
    assert shooter["weapons"]["rifle"]["ready_on_turn"] == 3
    assert (shooter["status"], fighter(table, "Jun")["status"]) == ("acting", "waiting")
    assert fighter(table, "Jun")["surprised"]
    attack = drawn(table)["attack"]
    assert (attack["attacker"]["name"], attack["target"]["name"], attack["successes"]) == ("Mara", "Jun", 3)
    assert attack["defenses"] == []
    table.do("jun", c.RollDefense(character=jun), [6, 6, 6])
    assert [each["successes"] for each in drawn(table)["attack"]["defenses"]] == [0]
    table.do("mara", c.ResolveAttack(), [1])
    hit = fighter(table, "Jun")
    assert hit["pending_loss"] == {
        "weapon_allowed": False,
        "stay_choice": True,
        "configurations": ["boost", "shield"],
        "weapons": [],
    }
    assert (hit["damage"]["counter"], hit["damage"]["stands"]["value"]) == ("phase", 1)
    assert drawn(table)["attack"] is None


def test_protection_is_shown_from_both_sides():
    table, mara, jun = two()
    table.fight(mara, jun)
    table.do("mara", c.RollMovement(mode="maneuver", character=mara), [2, 6, 6, 6, 6, 6])
    table.do("mara", c.Protect(whom=jun, character=mara))
    assert fighter(table, "Mara")["protects"]["name"] == "Jun"
    assert fighter(table, "Jun")["protected_by"]["name"] == "Mara"


def test_the_next_damage_is_survived_by_what_the_table_plays():
    for settings, saves_on in ((Settings(), 2), (Settings(stabilisation_tie="holds"), 1)):
        table, mara, jun = two(settings)
        table.fight(mara, jun)
        assert fighter(table, "Mara")["damage"]["stands"]["next_saves_on"] == saves_on
