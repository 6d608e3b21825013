"""The Angst campaign of the recordings: everything that it reaches, and what turns it red."""

import re
from typing import Any, get_args

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.systems.angst import ANGST
from services.cli.demo.story import Story, StoryAction
from tests.engines import DatabaseUrls
from tests.stories.golden import picture, read_golden
from tests.stories.playing import Played, changed, play, recording_of

REFUSALS = {
    "acting_not_final",
    "already_rerolled",
    "already_tapped_this_scene",
    "already_used_life_experience",
    "character_unavailable",
    "comfort_used_today",
    "core_out_of_range",
    "crucial_core",
    "deadly_only_physical",
    "factoid_already_used",
    "factoid_gmc_only",
    "gmc_has_no_spendables",
    "insufficient_life_experience",
    "insufficient_story_points",
    "no_angst_to_tap",
    "no_such_die",
    "nobody_called_a_test",
    "nothing_to_purge",
    "once_per_session",
    "one_to_three_dice",
    "only_one_rock",
    "opposing_not_final",
    "player_must_choose",
    "spared_core_capped",
    "test_finalised",
    "trigger_not_open",
    "unknown_grade",
    "wrong_core",
}
"""What a table runs into; each is refused at least once on the way."""

ONLY_WORKERS = {"angst.recover_core"}


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play("angst", client, database)


def test_it_reaches_every_command_event_and_refusal(played):
    tags = {kind.__struct_config__.tag for kind in get_args(ANGST.commands)}
    assert tags - {act.type for act in played.acts} == ONLY_WORKERS
    assert REFUSALS - {act.code for act in played.acts} == set()
    kinds = {kind.__struct_config__.tag for kind in get_args(ANGST.events)}
    younger = {"angst.character_entered"}  # nobody who was hidden came into play when this was played
    assert kinds - {row.kind for row in played.rows} == younger


def test_cores_come_back_hour_by_hour_and_week_by_week(played):
    told = [line for entry in played.story.pages("iris", "/actions", "actions") for line in entry["summary"]]
    assert "Jory Amsel recovers: Physical is back at d4" in told
    assert "Noa Castell recovers: Physical is back at d8" in told
    events = played.story.pages("iris", "/events", "events")
    healed = [each["at_hour"] for each in events if each["type"] == "angst.core_recovered"]
    assert healed == [1, 2, 27, 28, 194]


def test_one_other_die_turns_the_comparison_red(client):
    """The control: one die of the last test shows 4 instead of 5, which changes no outcome."""
    other = Story(
        changed(recording_of("angst"), [[6, 6], [6, 5]], [(6, 6), (6, 4)]),
        client,
        suffix=" II",
        wait_seconds_max=0,
    )
    list(other.play())
    found, golden = picture(other, player="dov"), read_golden("angst")
    assert [key for key in golden if golden[key] != found[key]] == [
        "chronicle as dov reads it",
        "chronicle as the GM reads it",
    ]


def test_it_plays_in_french_too(client):
    recording = recording_of("angst")
    title = structs.replace(recording.title, settings={**recording.title.settings, "campaign.language": "fr"})
    story = Story(structs.replace(recording, title=title), client, suffix=" III", wait_seconds_max=0)
    acts = [each for each in story.play() if isinstance(each, StoryAction)]
    told = [line for act in acts for line in act.sentences]
    assert "Un seul Atout compte dans un test." in told
    assert (
        "Noa Castell, test de Physique (Atout never lets go, Avantage storm walker)\u00a0: "
        "d6 6+1 + d10 2 + Bonus 3, soit 12 contre 9" in told
    )
    assert "Jory Amsel se remet\u00a0: Physique remonte à d4" in told
    assert not [line for line in told if re.search(r" makes it| tests [A-Z]", line)]
