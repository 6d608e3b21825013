"""Somebody who reads nothing but the board and what is pending, and plays what stands there."""

from random import Random
from typing import Any

import msgspec

from domain.systems.mobile_frame import MOBILE_FRAME
from projections.awaited_answers import MayAnswer, WaitingFor
from projections.systems.mobile_frame.boards import BattleView
from projections.systems.mobile_frame.boards import battle as battle_view
from tests.domain.mobile_frame.table import PEOPLE, Field
from tests.domain.system_table import person

SENT_AHEAD = {
    *("type", "station_distances", "votes", "cover_heights", "target_losses", "cover_frame_losses"),
    *("abandon_station", "abandonments", "range"),
}
"""What a command may say beside what is asked: measures, votes, choices that come later."""

NOT_AWAITED = {"through_cover": False, "stand_on_cover": False, "in_cover": False, "use_spot": False}


def board_of(field: Field, able: set[Any] | None = None) -> BattleView:
    """The board, which lists what is pending and nothing else."""
    view = battle_view(field.state, field.called, field.settings, able)
    pending = [
        *MOBILE_FRAME.pending(field.state),
        *MOBILE_FRAME.also_pending(field.state, field.settings),
    ]
    assert [(each.kind, each.subject) for each in view.waits_for] == [
        (each.kind, each.subject) for each in pending
    ]
    if able is None:
        assert [each.waits_for for each in view.waits_for] == [each.waits_for for each in pending]
    return view


def one_of(answer: MayAnswer, chance: Random) -> Any:
    """Some command that an answer stands for."""
    chosen: dict[str, Any] = {field: chance.choice(values) for field, values in answer.choices.items()}
    chosen |= {
        field: chance.choice([least, most, chance.randint(least, min(most, least + 12))])
        for field, (least, most) in answer.numbers.items()
    }
    return msgspec.convert({**answer.command, **chosen}, MOBILE_FRAME.commands)


def asker_of(waiting: WaitingFor) -> str:
    """Who answers: whose word it is, or the GM."""
    return next((who for who in PEOPLE if person(who) == waiting.waits_for), "gm")


def is_offered(waiting: list[WaitingFor] | list[dict[str, Any]], command: dict[str, Any]) -> bool:
    """Whether one of the answers stands for a command; its frame may be said where it is the one that is meant."""
    for each in msgspec.to_builtins(waiting):
        for answer in each["answers"]:
            if answer["command"]["type"] == command["type"] and _covers(answer, command, each["subject"]):
                return True
    return False


def _covers(answer: dict[str, Any], command: dict[str, Any], subject: str) -> bool:
    choices, numbers = {key: [value] for key, value in answer["command"].items()}, answer["numbers"]
    choices |= answer["choices"]
    for field, value in command.items():
        if field in numbers:
            least, most = numbers[field]
            if not least <= value <= most:
                return False
        elif field in choices:
            if value not in choices[field]:
                return False
        elif field == "frame":
            if value != subject:
                return False
        elif field not in SENT_AHEAD and NOT_AWAITED.get(field) != value:
            return False
    needed = [field for field in answer["choices"] if None not in choices[field] and False not in choices[field]]
    return all(field in command for field in needed)
