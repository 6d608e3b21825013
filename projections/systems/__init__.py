"""The registry of the rule systems' views: a folder each, one line each."""

from domain.ids import SystemId
from projections.system_views import SystemViews
from projections.systems.angst import ANGST_VIEWS
from projections.systems.frame_state import FRAME_STATE_VIEWS
from projections.systems.freefall import FREEFALL_VIEWS
from projections.systems.mobile_frame import MOBILE_FRAME_VIEWS
from projections.systems.overdrive import OVERDRIVE_VIEWS

SYSTEM_VIEWS: dict[SystemId, SystemViews] = {
    SystemId("frame_state"): FRAME_STATE_VIEWS,
    SystemId("freefall"): FREEFALL_VIEWS,
    SystemId("angst"): ANGST_VIEWS,
    SystemId("mobile_frame"): MOBILE_FRAME_VIEWS,
    SystemId("overdrive"): OVERDRIVE_VIEWS,
}
"""The views by system id: the same ids as in `domain.systems.SYSTEMS`."""
