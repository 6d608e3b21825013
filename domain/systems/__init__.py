"""The registry of rule systems."""

from typing import Any

from msgspec import Struct

from domain.ids import SystemId
from domain.systems.angst import ANGST
from domain.systems.frame_state import FRAME_STATE
from domain.systems.freefall import FREEFALL
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.overdrive import OVERDRIVE
from domain.systems.system import RuleSystem
from domain.type_cache import once_per_kind

SYSTEMS: dict[SystemId, RuleSystem] = {
    system.id: system for system in (FRAME_STATE, FREEFALL, ANGST, MOBILE_FRAME, OVERDRIVE)
}
"""By system id, in the order in which they are listed to people."""


def owner_of(message: Any) -> RuleSystem | None:
    """The rule system of a command or event, by its tag; None for the campaign's own."""
    return owner_of_kind(type(message))


@once_per_kind
def owner_of_kind(kind: type[Struct]) -> RuleSystem | None:
    """The rule system of a type of commands or events, by its tag; None for the campaign's own."""
    return SYSTEMS.get(SystemId(str(kind.__struct_config__.tag).partition(".")[0]))
