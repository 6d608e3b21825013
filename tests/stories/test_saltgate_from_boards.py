"""The recorded FREE/FALL campaign, as somebody plays it who reads boards and `pending` alone (review, All)."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from domain.command_context import CommandContext
from domain.ids import ActionId
from domain.mechanics.acceptable_commands import FirstDie, NoDice
from domain.systems.freefall import FREEFALL
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import FreefallState
from projections.systems.freefall.boards import TurnBoard, turn
from tests.stories.played_story import SEED, played

SETTINGS = Settings(creation_values="public")
"""Those of the story."""
AWAITED = {
    "freefall.allocate_machine_harm": "allocate_machine_harm",
    "freefall.decide_fate": "decide_fate",
    "freefall.decide_tie": "decide_tie",
    "freefall.declare_actions": "declare_actions",
    "freefall.order_resolution": "order_resolution",
    "freefall.record_requirement": "record_requirement",
    "freefall.abandon_action": "roll_action",
    "freefall.clear_temporary_harm": "clear_temporary_harm",
    "freefall.dismiss_recovery": "clear_temporary_harm",
}
"""Under which question of the board each of these commands is an answer."""


class Moment(msgspec.Struct, frozen=True):
    """The table right before somebody acted: the board, who acted, and what they asked for."""

    state: FreefallState
    board: TurnBoard
    actor: Any
    command: dict[str, Any]


@pytest.fixture(scope="module")
def story() -> list[Moment]:
    return list(_moments(played("freefall", SEED)[1]))


def _moments(rows: list[Any]) -> Iterator[Moment]:
    state = FreefallState()
    for _, group in groupby(rows, key=lambda row: row.action_id):
        action = [*group]
        stored = next((row.command for row in action if row.command), None)
        asked = msgspec.json.decode(stored).get("command") if stored else None
        if asked is not None and asked["type"].startswith("freefall."):
            before = msgspec.json.decode(msgspec.json.encode(state), type=FreefallState)
            yield Moment(before, turn(before, str, SETTINGS), action[0].actor, asked)
        for row in action:
            if row.kind.startswith("freefall."):
                state = FREEFALL.evolve(state, msgspec.json.decode(row.body, type=FREEFALL.events))


def awaited_as(command: dict[str, Any]) -> str | None:
    """The question that a command answers; None if nobody waited for it."""
    kind = command["type"]
    if kind == "freefall.roll_action" and command["action"] is not None:
        return "roll_action"
    if kind in ("freefall.receive_harm", "freefall.allocate_machine_harm") and command["harm_type"] is not None:
        return None
    return "receive_harm" if kind == "freefall.receive_harm" else AWAITED.get(kind)


def test_whatever_was_answered_stood_on_the_board_before_it_was(story):
    answered = set()
    for moment in story:
        question = awaited_as(moment.command)
        if question is None:
            continue
        answered.add(question)
        asked = [each for each in moment.board.waits_for if each.kind == question]
        assert asked, moment.command
        gm_may = any(each.waits_for is None or each.gm_answers for each in asked)
        assert gm_may or moment.actor in [each.waits_for for each in asked], moment.command
    assert answered == {*AWAITED.values(), "receive_harm"}


def test_everything_that_a_board_of_the_story_offers_is_accepted(story):
    offered = 0
    for moment in story:
        for waiting in moment.board.waits_for:
            assert waiting.answers, waiting
            for account, answers in ((waiting.waits_for, waiting.answers), (None, waiting.gm_answers)):
                for answer in answers:
                    accepted(moment.state, account, answer.command)
                    offered += 1
    assert offered > len(story)


def accepted(state: FreefallState, account: Any, answer: dict[str, Any]) -> None:
    """Raises `Rejection` where somebody is refused what a board offered them."""
    command = msgspec.convert(answer, FREEFALL.commands)
    context = CommandContext(command, account, "player" if account else "gm", ActionId(uuid4()), 0, 0, SETTINGS)
    with suppress(FirstDie):
        FREEFALL.decide(state, context, NoDice())
