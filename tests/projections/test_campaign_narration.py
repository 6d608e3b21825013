"""A campaign's own events in words."""

import pytest

from domain.campaign.events import SettingChanged
from projections.narration import tell


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (True, "was changed. {} Now: yes"),
        (False, "was changed. {} Now: no"),
        (None, "is at its default again. {}"),
        (100, "was changed. {} Now: 100"),
        ("elsewhere", "was changed. {} Now: elsewhere"),
    ],
)
def test_a_changed_setting_is_told_as_people_would_say_it(value, words):
    """By what the setting is for; negative control: one that there is no more is called by its key."""
    told = tell(SettingChanged(key="overdrive.duel_raise", value=value), str)
    what = "Whether a raise in a duel must overtake the other side, or is free."
    assert str(told) == f"A setting {words.format(what)}"
    gone = tell(SettingChanged(key="overdrive.some_setting", value=value), str)
    assert str(gone) == f"A setting {words.format('overdrive.some_setting.')}"
