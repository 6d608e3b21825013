"""The shelf: every rule system that a campaign can be played with."""

from domain.ids import SystemId
from domain.systems.frame_state import FRAME_STATE
from domain.systems.system import RuleSystem

SYSTEMS: dict[SystemId, RuleSystem] = {system.id: system for system in (FRAME_STATE,)}
"""By system id, in the order they are listed to people."""
