"""Who translates a system's vectors."""

from collections.abc import Callable
from typing import Any

from tests.domain import given_angst, given_frame_state, given_freefall, given_mobile_frame, given_overdrive
from tests.domain.situation import Situation

TRANSLATORS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Situation]] = {
    "angst": given_angst.translate,
    "frame_state": given_frame_state.translate,
    "freefall": given_freefall.translate,
    "mobile_frame": given_mobile_frame.translate,
    "overdrive": given_overdrive.translate,
}
