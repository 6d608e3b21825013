"""A campaign's own events in words."""

import pytest

from domain.campaign.events import SettingChanged
from projections.narration import tell


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "turned on"),
        (False, "turned off"),
        (None, "set to its default"),
        (100, "set to 100"),
        ("frame", "set to frame"),
    ],
)
def test_a_changed_setting_is_told_as_people_would_say_it(value, words):
    told = tell(SettingChanged(key="frame_state.some_setting", value=value), str)
    assert str(told) == f"The setting frame_state.some_setting was {words}"
