"""A battle as it stands on the table, for systems that fight one."""

from collections.abc import Callable
from typing import Any

from domain.ids import SystemId
from domain.systems.mobile_frame import MOBILE_FRAME
from projections.battles import mobile_frame

BATTLES: dict[SystemId, Callable[[Any, Callable[[Any], str]], Any]] = {MOBILE_FRAME.id: mobile_frame.battle}
"""Who draws the battles of which rule system, from its state, with names."""
