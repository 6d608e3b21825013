"""The types of each rule system's sheet, boards and record, as the functions that draw them declare them."""

from typing import Any, Final, get_type_hints

from domain.ids import SystemId
from projections.systems import SYSTEM_VIEWS

SHEETS: Final[dict[SystemId, Any]] = {
    system: get_type_hints(views.sheet)["return"] for system, views in SYSTEM_VIEWS.items() if views.sheet
}
BOARDS: Final[dict[tuple[SystemId, str], Any]] = {
    (system, board.board): get_type_hints(board.view)["return"]
    for system, views in SYSTEM_VIEWS.items()
    for board in views.boards
}
RECORDS: Final[dict[SystemId, Any]] = {
    system: get_type_hints(views.record.view)["return"] for system, views in SYSTEM_VIEWS.items()
}
