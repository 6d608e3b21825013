"""A table of Freefall as its board tells of it, and what is answered to that."""

from random import Random
from typing import Any

import msgspec

from domain.systems.freefall import FREEFALL
from projections.awaited_answers import MayAnswer, WaitingFor
from projections.systems.freefall.boards import TurnBoard, turn
from tests.domain.freefall.table import PEOPLE, Table
from tests.domain.system_table import person
from tests.languages.messages import translations, unheard

IN_FRENCH = {**translations("fr", "freefall"), **translations("fr", "campaign")}
NAMES: dict[Any, str] = {person(who): who for who in (*PEOPLE, "gm")}


def read(table: Table) -> TurnBoard:
    """The board; everything it says is known in French, too."""
    state = table.state
    names = NAMES | {each: FREEFALL.name(state, str(each)) or str(each) for each in state.characters}
    board = turn(state, lambda thing: names.get(thing) or str(thing), table.settings, table.members)
    for sentence in (each.told for each in board.waits_for):
        assert unheard(sentence, IN_FRENCH) == set()
        assert "None" not in str(sentence)
    return board


def whose(waiting: WaitingFor) -> str:
    return "gm" if waiting.waits_for is None else NAMES[waiting.waits_for]


def give(table: Table, who: str, answer: MayAnswer, chance: Random | None) -> None:
    faces = [chance.randint(1, 20) for _ in range(7)] if chance is not None else [10]
    table.do(who, msgspec.convert(answer.command, FREEFALL.commands), faces)
