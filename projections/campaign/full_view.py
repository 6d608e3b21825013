"""Everything that can be seen of a campaign at one moment, as plain JSON, for comparing two moments."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.settings import described
from domain.campaign.state import CampaignState
from domain.systems import SYSTEMS
from projections.boards import board, boards
from projections.campaign.diff import Difference, differences
from projections.campaign.timers import TimerView, timer_board
from projections.sheets import sheet


class Everything(Struct, frozen=True):
    """Sheets by character, balances by ledger account, boards, timers, and the campaign view."""

    sheets: dict[str, Any]
    balances: dict[str, dict[str, int]]
    boards: dict[str, Any]
    timers: dict[str, Any]
    campaign: dict[str, Any]


class Changes(Struct, frozen=True):
    """Differences between two moments: sheets, boards and timers that changed, and every changed balance."""

    sheets: dict[str, list[Difference]]
    balances: list[Difference]
    boards: dict[str, list[Difference]]
    timers: dict[str, list[Difference]]
    campaign: list[Difference]


def everything(state: CampaignState, name: Callable[[Any], str], language: str | None = None) -> Everything:
    """Draw it all from one state, as its reader may know it, in a language; None: the campaign's."""
    drawn_boards = {
        f"{entry.system}/{entry.board}": _board(
            board(state, entry.system, entry.board, name, language=language)[1]
        )
        for entry in boards(state)
    }
    drawn_sheets = {
        str(character.character): msgspec.to_builtins(sheet(state, system, character.character))
        for system, inner in state.systems.items()
        for character in SYSTEMS[system].characters(inner)
    }
    return Everything(
        sheets=drawn_sheets,
        balances=msgspec.to_builtins(state.balances),
        boards=drawn_boards,
        timers={timer.timer or timer.id: _timer(timer) for timer in timer_board(state, {}, name, language)},
        campaign={
            "name": state.name,
            "session": msgspec.to_builtins(state.session),
            "scene": msgspec.to_builtins(state.scene),
            "downtime": state.downtime,
            "game_time": state.game_time,
            "settings": {
                setting.key: setting.value
                for setting in described(list(state.systems), state.changed_settings, state.rulings)
            },
        },
    )


def changes(before: Everything, after: Everything) -> Changes:
    """The differences between two full views."""
    return Changes(
        sheets=_differences_by_key(before.sheets, after.sheets),
        balances=[
            difference
            for account in dict.fromkeys([*before.balances, *after.balances])
            for difference in differences(
                before.balances.get(account, {}), after.balances.get(account, {}), account
            )
        ],
        boards=_differences_by_key(before.boards, after.boards),
        timers=_differences_by_key(before.timers, after.timers),
        campaign=differences(before.campaign, after.campaign),
    )


def _board(view: Any) -> dict[str, Any]:
    """A board without the names of choices, which say something to a program alone."""
    fields: dict[str, Any] = msgspec.to_builtins(view)
    for choice in fields.get("waits_for", ()):
        del choice["choice"]
    return fields


def _timer(timer: TimerView) -> dict[str, Any]:
    """A timer without the fields that change with the calendar, or that only the database knows."""
    fields: dict[str, Any] = msgspec.to_builtins(timer)
    return {key: value for key, value in fields.items() if key not in {"id", "remaining", "attempts", "error"}}


def _differences_by_key(before: dict[str, Any], after: dict[str, Any]) -> dict[str, list[Difference]]:
    differences_by_key = {
        key: differences(before.get(key), after.get(key)) for key in dict.fromkeys([*before, *after])
    }
    return {key: differing for key, differing in differences_by_key.items() if differing}
