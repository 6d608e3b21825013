"""Fights played from the board alone: who reads nothing else is never stuck, and never offered what is refused.

Point 2, 5, 6 and 7, and what a fight's board is for.
"""

from random import Random
from typing import Any

import msgspec
from hypothesis import given

from domain.rejection import Rejection
from domain.sentences import Sentence
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive import commands as c
from domain.systems.overdrive.pending_answers import PendingAnswer
from domain.systems.overdrive.settings import Settings
from projections.systems.overdrive.boards import fight
from tests.domain.overdrive.random_play import EXAMPLES, SETTINGS
from tests.domain.overdrive.recorded_fights import Recorded
from tests.domain.overdrive.table import Table, at, choices_of
from tests.domain.random_play import CHANCES
from tests.domain.system_table import person
from tests.languages.messages import translations, unheard
from tests.scripted_dice import ScriptedDice

PEOPLE = ("mara", "jun", "kei")
MOVES = 120
IN_FRENCH = translations("fr", "overdrive")
OF_TURNS = {"roll_initiative", "begin_turns", "end_turn", "end_combat", "spend_tactical_points"}
"""What boards say and `pending` does not: it lists what interrupts a turn."""
BY_CHOICE = {"spend_overdrive_success"}


def board(table: Table, members: list[Any] | None = None) -> Any:
    drawn = fight(
        table.state, lambda thing: OVERDRIVE.name(table.state, str(thing)) or str(thing), table.settings, members
    )
    for each in drawn.waits_for:
        assert isinstance(each.told, Sentence)
        assert unheard(each.told, IN_FRENCH | translations("fr", "campaign")) == set()
        assert "None" not in str(each.told)
    return msgspec.to_builtins(drawn)


def tried(table: Table, who: str, command: Any, chance: Random) -> list[Any]:
    """What a command brings, with dice by chance; a refusal fails."""
    dice = ScriptedDice([*(chance.choice([1, 2, 3, 4, 5, 6]) for _ in range(40)), 6])
    return OVERDRIVE.decide(table.state, table.context(who, command), dice)


def name_of(account: str | None) -> str:
    return next((who for who in (*PEOPLE, "ines", "malik", "theo") if str(person(who)) == account), "gm")


def pending_agrees(table: Table, drawn: Any) -> None:
    """Whatever interrupts is on the board and in `pending`, for the same person, and neither knows more."""
    told = {
        (each["kind"], each["subject"], each["waits_for"])
        for each in drawn["waits_for"]
        if each["kind"] not in OF_TURNS | BY_CHOICE
    }
    fighting = {"choose_stabilisation_loss", "close_roll", "roll_defense", "resolve_attack"}
    pending = {
        (each.kind, each.subject, str(each.waits_for) if each.waits_for is not None else None)
        for each in OVERDRIVE.pending(table.state)
        if each.kind in fighting
    }
    assert told == pending


def nothing_offered_is_refused(table: Table, drawn: Any, chance: Random) -> None:
    for each in drawn["waits_for"]:
        assert each["answers"]
        for answer in each["answers"]:
            command = msgspec.convert(answer["command"], OVERDRIVE.commands)
            try:
                tried(table, name_of(each["waits_for"]), command, chance)
            except Rejection as refused:
                raise AssertionError((each["kind"], answer, refused.code)) from refused


def from_the_board(table: Table, chance: Random) -> None:
    """A random answer to something that the board says is awaited."""
    waiting = board(table)["waits_for"]
    held_up = [each for each in waiting if not each["optional"]]
    chosen = chance.choice(held_up if chance.random() < 0.85 and held_up else waiting)
    if chosen["kind"] == "end_combat" and chance.random() < 0.8:
        return
    answers = [each["command"] for each in chosen["answers"]]
    ending = [each for each in answers if each["type"] == "overdrive.end_turn"]
    answer = chance.choice(ending if ending and chance.random() < 0.2 else answers)
    command = msgspec.convert(answer, OVERDRIVE.commands)
    if isinstance(command, (c.RollMovement, c.DeclareAttack, c.RollDefense)):
        command = msgspec.structs.replace(command, bonus_dice=chance.randint(0, 8), hold=chance.random() < 0.15)
    table.happened(tried(table, name_of(chosen["waits_for"]), command, chance))


def started(house_rules: Settings, chance: Random) -> Table:
    table = Table(msgspec.structs.replace(house_rules, bonus_dice="free"))
    people = [table.character(who, od=chance.randint(0, 3)) for who in PEOPLE]
    table.state.tactical_points = chance.randint(0, 4)
    for mech in table.state.mechs.values():
        mech.recharged = chance.random() < 0.7
        mech.phase = chance.randint(0, 4)
    mapped = chance.random() < 0.7
    places = {who: at(chance.randint(0, 3), chance.randint(0, 1)) for who in people} if mapped else {}
    command = c.StartCombat(
        participants=people,
        surprised=people[:1] if chance.random() < 0.3 else [],
        positions=places,
        objective_position=at(1, 0) if mapped else None,
        scale=chance.choice(["mech", "mech", "ship"]),
    )
    table.happened(tried(table, "gm", command, chance))
    return table


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_random_fights_are_played_to_their_end_from_the_board_alone(house_rules, chance):
    table = started(house_rules, chance)
    for _ in range(MOVES):
        if table.state.combat is None:
            break
        drawn = board(table)
        assert any(not each["optional"] for each in drawn["waits_for"]), "nobody knows what to do"
        nothing_offered_is_refused(table, drawn, chance)
        pending_agrees(table, drawn)
        from_the_board(table, chance)


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_what_waits_for_who_has_left_is_a_gms_to_answer(house_rules, chance):
    """A removed player holds nobody up."""
    table = started(house_rules, chance)
    members = {person("gm"): "gm", person("mara"): "player", person("kei"): "player"}
    for _ in range(MOVES // 2):
        if table.state.combat is None:
            break
        assert str(person("jun")) not in str([each["waits_for"] for each in board(table, [*members])["waits_for"]])
        for each in choices_of(table.state, house_rules, members):
            context = table.context(name_of(str(each.waits_for)), each.answers[0])
            context = msgspec.structs.replace(context, members=members)
            OVERDRIVE.decide(table.state, context, ScriptedDice([6]))
        from_the_board(table, chance)


def test_the_recorded_fights_are_offered_on_the_board_and_what_was_refused_is_not():
    recorded = Recorded()
    chance = Random(7)  # noqa: S311 — play, not secrets
    table = recorded.table
    offered_kinds: set[str] = set()
    for who, command, refused in recorded.commands():
        if table.state.combat is None:
            continue
        drawn = board(table)
        nothing_offered_is_refused(table, drawn, chance)
        pending_agrees(table, drawn)
        waiting = choices_of(table.state, table.settings)
        kind = type(command)
        answers = [answer for each in waiting for answer in each.answers if type(answer) is kind]
        if refused is None and kind not in (c.AllowInvocation, c.LeaveMech, c.ActivateConfiguration):
            assert answers, (command, who)
            assert _told(who, waiting, kind), (command, who)
            offered_kinds.add(kind.__name__)
        if refused is not None:
            assert command not in answers, (command, refused)
    assert {"RollInitiative", "BeginTurns", "Move", "Protect", "DeclareAttack", "RollDefense"} <= offered_kinds
    assert {"ResolveAttack", "ChooseStabilisationLoss", "EndTurn", "DelayTurn", "EndCombat"} <= offered_kinds


def _told(who: str, waiting: list[PendingAnswer], kind: Any) -> bool:
    """Whether the board asked whoever gave this answer, or a GM did so for a player."""
    asked = [each.waits_for for each in waiting if any(type(answer) is kind for answer in each.answers)]
    return who == "gm" or person(who) in asked or kind is c.SpendTacticalPoints


def test_a_board_says_what_a_loss_may_be_and_a_gm_cannot_choose_it():
    table = Table(Settings(bonus_dice="free"))
    mara, jun = table.character("mara"), table.character("jun")
    table.fight(mara, jun)
    table.do("mara", c.DeclareAttack(weapon="blade", distance=0, target=jun, bonus_dice=4), [2])
    table.do("jun", c.RollDefense(), [6] * 3)
    resolve = board(table)["waits_for"][0]
    assert (resolve["kind"], resolve["name"]) == ("resolve_attack", "Mara")
    table.do("mara", c.ResolveAttack(), [1])
    drawn = board(table)
    [loss, turn, *_] = drawn["waits_for"]
    assert (loss["kind"], loss["waits_for"]) == ("choose_stabilisation_loss", str(person("jun")))
    assert {(each["command"]["config"], each["command"].get("stay", True)) for each in loss["answers"]} == {
        (config, stay) for config in ("boost", "shield") for stay in (True, False)
    }
    assert (turn["kind"], turn["waits_for"]) == ("end_turn", str(person("mara")))
    assert [each["told"]["message"].format(**each["told"]["parts"]) for each in drawn["waits_for"][:2]] == [
        "Jun chooses what the failed stabilisation costs",
        "It is the turn of Mara",
    ]
