"""Settings with a few values say each of them in words that fit what the setting is for."""

from typing import Literal, get_args, get_origin, get_type_hints

from domain.campaign.events import SettingChanged
from domain.campaign.settings import LANGUAGE, OWN, CampaignSettings
from domain.systems import SYSTEMS
from projections.campaign_words.narration_settings import tell
from projections.campaign_words.setting_values import VALUES
from projections.languages import render
from projections.word_list import word_list


def test_every_value_of_every_setting_with_a_few_has_its_own_words():
    kinds = {OWN: CampaignSettings} | {system: each.settings for system, each in SYSTEMS.items()}
    expected = {
        f"{owner}.{name}": set(get_args(hint))
        for owner, kind in kinds.items()
        for name, hint in get_type_hints(kind).items()
        if get_origin(hint) is Literal and f"{owner}.{name}" != LANGUAGE
    }
    assert {key: set(words) for key, words in VALUES.items()} == expected


def test_the_same_word_is_said_by_what_each_setting_is_for():
    told = {
        key: render(tell(SettingChanged(key=key, value=value)), "fr").partition("Désormais\u00a0: ")[2]
        for key, value in (
            ("freefall.credits", "tracked"),
            ("campaign.debt", "shared"),
            ("frame_state.refit_scope", "any"),
            ("freefall.permanent_type", "any"),
            ("overdrive.progression", "exo_progression"),
        )
    }
    assert told == {
        "freefall.credits": "oui",
        "campaign.debt": "tous sauf les bourses",
        "frame_state.refit_scope": "toutes les catégories",
        "freefall.permanent_type": "n\u2019importe quel type",
        "overdrive.progression": "oui",
    }


def test_a_value_that_stands_by_itself_begins_large_unless_it_begins_with_a_die():
    said = word_list("en").settings
    assert said["angst.spared_cap"].values == {"d4": "d4 at most", "none": "Higher, with a warning"}
