"""What the rules refuse beside what vectors and the recorded campaign show, and that nothing is left out."""

import ast
import json
from collections.abc import Callable
from typing import Any

import pytest

from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.creation import CHARACTERS_MAX, MECHS_MAX
from domain.systems.overdrive.gm_questions import OPEN_MAX
from domain.systems.overdrive.relations import RELATIONS_MAX
from tests.domain.overdrive.table import PAIRING, Table, at
from tests.root import ROOT


def dice_that_no_gm_gave(table: Table) -> str:
    table.character("mara")
    return table.refusal("mara", c.MakeRoll(use="stat:will", skill="social", bonus_dice=1))


def nobody_to_fight(table: Table) -> str:
    return table.refusal("gm", c.StartCombat())


def more_questions_than_a_gm_keeps_in_mind(table: Table) -> str:
    table.character("mara", od=OPEN_MAX + 1)
    for _ in range(OPEN_MAX):
        table.do("mara", c.AskQuestion(text="Who sent them?"))
    return table.refusal("mara", c.AskQuestion(text="Who sent them?"))


def a_stranger_opens_a_scene(table: Table) -> str:
    table.character("mara")
    return table.refusal("olaf", c.OpenScene(scene="social"))


def no_score_without_a_pairing(table: Table) -> str:
    table.do("mara", c.CreateCharacter(name="Mara"))
    return table.refusal("mara", c.MakeRoll(use="score:attack", skill="mech_combat"))


def a_fight_beyond_the_map(table: Table) -> str:
    mara = table.character("mara")
    for position in (at(-1, 0), at(10**30, 0), at(0, -1001)):
        code = table.refusal("gm", c.StartCombat(objective_position=position))
        assert code == table.refusal("gm", c.StartCombat(positions={mara: position}))
    return code


def a_bystander_rolls_initiative(table: Table) -> str:
    mara, jun = table.character("mara"), table.character("jun")
    table.do("gm", c.StartCombat(participants=[mara]))
    return table.refusal("jun", c.RollInitiative(character=jun))


def somebody_joins_the_fight_they_are_in(table: Table) -> str:
    mara, jun = table.character("mara"), table.character("jun")
    assert table.refusal("gm", c.JoinCombat(character=jun)) == "no_combat"
    table.do("gm", c.StartCombat(participants=[mara]))
    assert table.refusal("jun", c.JoinCombat(character=jun)) == "not_the_gm"
    assert table.refusal("gm", c.JoinCombat(character=jun, position=at(-1, 0))) == "off_the_map"
    table.do("gm", c.Restore(character=jun, status="out"))
    assert table.refusal("gm", c.JoinCombat(character=jun)) == "not_fit"
    return table.refusal("gm", c.JoinCombat(character=mara))


def a_duel_with_a_roll_that_there_is_not(table: Table) -> str:
    mara = c.DuelistDraft(character=table.character("mara"), use="stat:will", skill="social")
    rolled = table.do("mara", c.MakeRoll(use="stat:will", skill="social"), [6] * 4)[0]
    for other in (
        c.DuelistDraft(name="She", roll_id=rolled.roll_id),
        c.DuelistDraft(roll_id=rolled.roll_id),
    ):
        assert table.refusal("gm", c.StartDuel(sides=(mara, other))) == "duelist_incomplete"
    other = c.DuelistDraft(name="It", roll_id="roll-1")
    assert table.refusal("mara", c.StartDuel(sides=(mara, other))) == "not_the_gm"
    return table.refusal("gm", c.StartDuel(sides=(mara, other)))


def a_mech_that_there_is_not(table: Table) -> str:
    table.character("mara")
    return table.refusal("gm", c.RechargeMech(mech="mech-nowhere"))


def somebody_elses_mech(table: Table) -> str:
    mara, jun = table.character("mara"), table.character("jun")
    table.do("jun", c.LeaveMech(character=jun))
    return table.refusal("jun", c.BoardMech(mech=table.state.characters[mara].mech, character=jun))


def one_of_two_characters(table: Table) -> str:
    table.character("mara")
    table.character("jun")
    return table.refusal("gm", c.AllowInvocation())


def one_of_two_rolls(table: Table) -> str:
    for who in ("mara", "jun"):
        me = table.character(who)
        table.do(who, c.MakeRoll(use="stat:will", skill="social", hold=True, character=me))
    return table.refusal("gm", c.CloseRoll())


def under_attack(table: Table) -> tuple[str, str]:
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun, character=mara), [2, 2, 6])
    return mara, jun


def an_attack_without_its_defence(table: Table) -> str:
    under_attack(table)
    return table.refusal("mara", c.ResolveAttack())


def nobody_left_to_defend(table: Table) -> str:
    _, jun = under_attack(table)
    table.do("gm", c.Restore(status="stunned", character=jun))
    return table.refusal("jun", c.RollDefense(character=jun))


def a_sheet_of_two_mechs_at_once(table: Table) -> str:
    mechs = [{"name": name, "boarded": True} for name in ("Heron", "Crane")]
    with pytest.raises(Rejection) as refused:
        OVERDRIVE.adopt(
            table.state, {"name": "Ilda", "pairing": PAIRING, "mechs": mechs}, table.context("gm", None)
        )
    return refused.value.code


def one_character_too_many(table: Table) -> str:
    first = table.state.characters[table.character("mara")]
    table.state.characters |= {f"copy-{nth}": first for nth in range(CHARACTERS_MAX - 1)}
    with pytest.raises(Rejection, match="at most 500 characters"):
        OVERDRIVE.adopt(table.state, {"name": "Ilda"}, table.context("gm", None))
    return table.refusal("jun", c.CreateCharacter(name="Jun"))


def one_mech_too_many(table: Table) -> str:
    mara = table.character("mara")
    [first] = table.state.mechs.values()
    table.state.mechs |= {f"copy-{nth}": first for nth in range(MECHS_MAX - 1)}
    return table.refusal("mara", c.CreateMech(name="Crane", character=mara))


def one_relation_too_many(table: Table) -> str:
    mara = table.character("mara")
    relations = table.state.characters[mara].relations
    relations |= {f"copy-{nth}": relations["ines_mara"] for nth in range(RELATIONS_MAX - 1)}
    return table.refusal("mara", c.AddRelation(with_="Jo", nature="rival", character=mara))


def a_challenge(table: Table) -> None:
    mara, jun = table.character("mara"), table.character("jun")
    drafts = c.DuelistDraft(character=mara, use="stat:will", skill="social"), c.DuelistDraft(character=jun)
    table.do("mara", c.StartDuel(sides=drafts), [6] * 4)


def a_raise_before_everybody_has_rolled(table: Table) -> str:
    a_challenge(table)
    assert table.refusal("mara", c.RollDuel()) == "nothing_to_roll"
    return table.refusal("mara", c.DuelRaise(amount=1))


def a_duel_that_waits_for_somebody_else(table: Table) -> str:
    a_challenge(table)
    return table.refusal("mara", c.RollDuel(use="stat:will", skill="social"))


def a_reaction_that_nobody_showed(table: Table) -> str:
    mara = table.character("mara")
    assert table.refusal("mara", c.RollDuel(character=mara)) == "no_duel"
    return table.refusal("gm", c.DeclineReaction(character=mara))


REFUSALS: list[tuple[str, Callable[[Table], str]]] = [
    ("bonus_not_given", dice_that_no_gm_gave),
    ("too_many_questions", more_questions_than_a_gm_keeps_in_mind),
    ("already_in_combat", somebody_joins_the_fight_they_are_in),
    ("unknown_roll", a_duel_with_a_roll_that_there_is_not),
    ("no_character", nobody_to_fight),
    ("no_character_of_yours", a_stranger_opens_a_scene),
    ("no_pairing", no_score_without_a_pairing),
    ("off_the_map", a_fight_beyond_the_map),
    ("not_in_combat", a_bystander_rolls_initiative),
    ("unknown_mech", a_mech_that_there_is_not),
    ("unknown_mech", somebody_elses_mech),
    ("which_character", one_of_two_characters),
    ("which_roll", one_of_two_rolls),
    ("defense_not_rolled", an_attack_without_its_defence),
    ("cannot_defend", nobody_left_to_defend),
    ("sheet_invalid", a_sheet_of_two_mechs_at_once),
    ("too_many_characters", one_character_too_many),
    ("too_many_mechs", one_mech_too_many),
    ("too_many_relations", one_relation_too_many),
    ("duel_not_rolled", a_raise_before_everybody_has_rolled),
    ("nothing_to_roll", a_duel_that_waits_for_somebody_else),
    ("no_reaction_shown", a_reaction_that_nobody_showed),
]


@pytest.mark.parametrize(("code", "case"), REFUSALS, ids=[case.__name__ for _, case in REFUSALS])
def test_it_is_refused(code, case):
    assert case(Table()) == code


def codes_in(source: str) -> set[str]:
    """The codes that a file refuses with: the first argument of a refusal, or of what raises one."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            place = {"Rejection": 0, "Forbidden": 0, "require_not_negative": 1}.get(node.func.id)
            if place is not None and isinstance(node.args[place], ast.Constant):
                found.add(str(node.args[place].value))  # type: ignore[attr-defined]
    return found


def refused_in(path: str) -> set[Any]:
    lines = (json.loads(line) for line in (ROOT / path).read_text("utf-8").splitlines())
    return {line.get("expect", {}).get("refused") for line in lines}


def test_every_code_of_the_rules_is_refused_somewhere():
    folder = ROOT / "domain" / "systems" / "overdrive"
    codes = set().union(*(codes_in(path.read_text("utf-8")) for path in folder.glob("*.py")))
    assert len(codes) > 95
    seen = {code for code, _ in REFUSALS}
    for path in ("domain/vectors/overdrive.jsonl", "domain/vectors/overdrive_more.jsonl"):
        seen |= refused_in(f"tests/{path}")
    seen |= refused_in("services/cli/demo/stories/overdrive.jsonl")
    assert codes - seen == set()
