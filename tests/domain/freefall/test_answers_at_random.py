"""A table that answers from its board half of the time and does as it likes otherwise (review, All).

What is accepted of an answer stood on the board, nothing that stood there is refused, and a turn always waits for
somebody, whoever has left.
"""

from contextlib import suppress
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.rejection import Rejection
from domain.systems.freefall import FREEFALL
from domain.systems.freefall import commands as c
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Binding
from projections.systems.freefall.boards import TurnBoard
from tests.domain.freefall.board_reading import give, read, whose
from tests.domain.freefall.random_play import EXAMPLES, SETTINGS, TYPES, a_gms_wish, a_moment, a_players_wish
from tests.domain.freefall.table import ARMOUR, DECK, GUN, LIMB, PEOPLE, Table
from tests.domain.random_play import CHANCES
from tests.domain.system_table import person

MOVES = 100
FEWER = settings(EXAMPLES, max_examples=30)
ANSWERS: dict[type, set[str]] = {
    c.DeclareActions: {"declare_actions"},
    c.DecideTie: {"decide_tie"},
    c.DecideFate: {"decide_fate"},
}
"""Under which question a command stands that nobody may give unasked; an order may be set again."""
MEMBERS: Any = st.sampled_from([None, (*PEOPLE, "gm"), ("noor", "gm")])


def question(table: Table, command: Any) -> set[str]:
    """What a command answers; nothing for what may be done at any time, as rolling what succeeds by itself."""
    board = table.state.board
    if isinstance(command, c.RollAction) and command.action is not None:
        action = board.action(command.action) if board is not None else None
        if action is not None and action.kind == "simple":
            return set()
        return {"roll_action", "name_tn"}  # whoever declared no TN may still say one with the roll
    if isinstance(command, c.ReceiveHarm | c.AllocateMachineHarm) and command.harm_type is None:
        return {"receive_harm", "allocate_machine_harm"}
    return ANSWERS.get(type(command), set())


def faces(chance: Random) -> list[int]:
    """Dice of few faces, so that there are ties, ones and twenties."""
    return [chance.choice((1, 9, 20)) for _ in range(7)]


def firsts(board: TurnBoard, kind: str) -> list[Any]:
    """How the first level of harm may be resolved, as the board offers it to anybody."""
    commands = [each.command for one in board.waits_for for each in (*one.answers, *one.gm_answers)]
    return [each["choices"][0] for each in commands if each["type"] == f"freefall.{kind}" and each.get("choices")]


def prices(board: TurnBoard, action: str) -> list[Any]:
    """What may be paid for an action, as the board offers it."""
    commands = [each.command for one in board.waits_for for each in (*one.answers, *one.gm_answers)]
    rolls = [each for each in commands if each["type"] == "freefall.roll_action"]
    return [each.get("prerequisite") for each in rolls if each.get("action") == action]


def wish(table: Table, who: str, command: Any, chance: Random) -> None:
    """Somebody does as they like; whatever is accepted as an answer had been asked for."""
    board = read(table)
    try:
        table.do(who, command, faces(chance))
    except Rejection:
        return
    context = question(table, command)
    assert not context or context & {each.kind for each in board.waits_for}, command
    if isinstance(command, c.RollAction) and context == {"roll_action", "name_tn"} and command.prerequisite:
        price = without_defaults(msgspec.structs.replace(command.prerequisite, choice=None))
        offered = prices(board, command.action or "")
        assert not offered or price in offered
    if isinstance(command, c.ReceiveHarm) and context and command.choices:
        assert without_defaults(command.choices[0]) in firsts(board, "receive_harm")
    if isinstance(command, c.AllocateMachineHarm) and context and command.choices:
        assert without_defaults(command.choices[0]) in firsts(board, "allocate_machine_harm")


def without_defaults(choice: Any) -> Any:
    """A choice as the board writes it."""
    told = {key: value for key, value in msgspec.to_builtins(choice).items() if value not in (None, False)}
    return {**told, "choice": without_defaults(choice.choice)} if told.get("choice") else told


def answer(table: Table, chance: Random) -> None:
    """Somebody answers, and is not refused."""
    waiting = read(table).waits_for
    for each in waiting:
        assert each.answers, f"nothing may be answered to {each.kind}"
    if waiting:
        one = chance.choice(waiting)
        who, answers = chance.choice([(whose(one), one.answers), ("gm", one.gm_answers)])
        if answers:
            give(table, who, chance.choice(answers), chance)
    else:
        provoke(table, chance)


def provoke(table: Table, chance: Random) -> None:
    """A GM makes something happen."""
    person = chance.choice(sorted(table.state.characters))
    harm_type = chance.choice(TYPES)
    with suppress(Rejection):
        match chance.randint(0, 4):
            case 0 | 1 | 2:
                table.do("gm", c.SetTimeMode(mode="bullet"))
                table.do("gm", c.StartTurn(npcs=[c.Npc("guard"), c.Npc("dog")]))
                declared_at_once(table, chance)
            case 3:
                table.do("gm", c.ReceiveHarm(harm_type=harm_type, levels=chance.randint(1, 5), character=person))
            case _:
                table.do("gm", c.AllocateMachineHarm(harm_type=harm_type, levels=chance.randint(1, 5)))


def declared_at_once(table: Table, chance: Random) -> None:
    """Everybody declares something that opposes what was declared before."""
    opposed = None
    for actor in [] if table.state.board is None else [each.actor for each in table.state.board.actors]:
        if chance.random() < 0.8:
            draft = c.ActionDraft(dice=2, tn=chance.choice([11, None]), opposed_to=opposed)
            [declared] = table.do("gm", c.DeclareActions(actions=[draft], character=actor))
            opposed = declared.actions[0].id


def play(house_rules: Settings, chance: Random, members: Any) -> Table:
    """Half of what is done stood on the board."""
    table = Table(house_rules)
    people = {who: table.runner(who, gear=(ARMOUR, DECK, LIMB, GUN)) for who in PEOPLE}
    table.do("gm", c.CreateMachine(name="Mule", frm=3, sys=2, av=1, pilot_binding=Binding(mind=2)))
    table.do("kai", c.BoardMachine())
    table.do("gm", c.SetTimeMode(mode="bullet"))
    if members is not None:
        table.members = {person(who): "gm" if who == "gm" else "player" for who in members}
    here = [who for who in PEOPLE if table.members is None or person(who) in table.members]
    for _ in range(MOVES):
        who, subject = chance.choice(here), chance.choice(PEOPLE)
        match chance.randint(0, 9):
            case 0:
                with suppress(Rejection):
                    a_moment(chance, table)
            case 1 | 2:
                wish(table, "gm", a_gms_wish(chance, table, people[subject]), chance)
            case 3 | 4:
                wish(table, who, a_players_wish(chance, table, people[who]), chance)
            case _:
                answer(table, chance)
        assert table.state.board is None or waits_for_somebody(table), "a turn that nobody can end"
    return table


def waits_for_somebody(table: Table) -> bool:
    """Whether a word is awaited that holds things up."""
    return bool([*FREEFALL.pending(table.state), *FREEFALL.also_pending(table.state, table.settings)])


@FEWER
@given(SETTINGS, CHANCES, MEMBERS)
def test_answers_are_offered_before_they_are_accepted_and_accepted_where_they_are_offered(
    house_rules, chance, members
):
    table = play(house_rules, chance, members)
    for waiting in read(table).waits_for:
        for who, answers in ((whose(waiting), waiting.answers), ("gm", waiting.gm_answers)):
            for each in answers:
                give(table.twin(), who, each, chance)
