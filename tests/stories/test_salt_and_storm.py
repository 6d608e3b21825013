"""The Overdrive campaign of the recordings, told in French: everything that it reaches, and what turns it red."""

from typing import Any, get_args

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive.entrance_events import EntranceEvent
from services.cli.demo.recording import Act
from services.cli.demo.story import Story, StoryAction
from tests.engines import DatabaseUrls
from tests.stories.golden import picture, read_golden
from tests.stories.playing import Played, changed, play, recording_of

REFUSALS_MIN = 85
YOUNGER_COMMANDS = {"overdrive.join_combat", "overdrive.roll_duel", "overdrive.decline_reaction"}
"""Younger than the story."""
YOUNGER_EVENTS = {
    "overdrive.combat_joined",
    "overdrive.duel_opened",
    "overdrive.duel_side_rolled",
    "overdrive.reaction_declined",
}


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play("overdrive", client, database)


def kinds_of(played: Played) -> set[str]:
    return {row.kind for row in played.rows}


def test_it_reaches_every_command_every_event_and_nearly_every_refusal(played):
    assert len(played.acts) >= 300
    tags = {kind.__struct_config__.tag for kind in get_args(OVERDRIVE.commands)}
    assert tags - {act.type for act in played.acts} == YOUNGER_COMMANDS
    kinds = {kind.__struct_config__.tag for kind in get_args(OVERDRIVE.events)}
    younger = YOUNGER_EVENTS | {kind.__struct_config__.tag for kind in get_args(EntranceEvent)}
    assert kinds - kinds_of(played) == younger
    assert len({act.code for act in played.acts} - {None}) >= REFUSALS_MIN


def test_a_relation_goes_all_the_way_from_calm_to_repaired(played):
    events = played.story.pages("solene", "/events", "events")
    turns = [
        each["type"].removeprefix("overdrive.relation_")
        for each in events
        if each["type"].startswith("overdrive.relation_") and each.get("relation") == "joachim"
    ]
    assert turns == [
        "added",
        "invoked",
        "stressed",
        "task_opened",
        "strengthened",
        "invoked",
        "invoked",
        "stressed",
        "task_opened",
        "broken",
        "repaired",
    ]


def test_dice_that_do_not_fit_the_waves_are_refused_in_words(played):
    told = [act.sentences[0] for act in played.acts if act.code == "dice_mismatch"]
    assert told == [
        "4 dés ont été envoyés, mais le jet demande encore un d6.",
        "5 dés ont été envoyés, mais le jet n\u2019en demande que 4.",
        "Le dé 2 devrait être un d6, mais c\u2019est un d8 qui a été envoyé.",
        "Le dé 2 montre 7, ce qu\u2019un d6 ne peut pas.",
    ]


def test_nobody_is_told_anything_in_english(client, played):
    """The same campaign in English has no sentence in common with it but people's own words."""
    recording = recording_of("overdrive")
    title = structs.replace(recording.title, settings={**recording.title.settings, "campaign.language": "en"})
    story = Story(structs.replace(recording, title=title), client, suffix=" II", wait_seconds_max=0)
    english = [act.sentences for act in story.play() if isinstance(act, StoryAction)]
    french = [act.sentences for act in played.acts]
    assert [len(each) for each in english] == [len(each) for each in french]
    same = {
        one for pair in zip(french, english, strict=True) for one, other in zip(*pair, strict=True) if one == other
    }
    assert same == set()


def test_the_recap_and_the_board_are_told_in_french_too(played):
    recap = played.story.get("ines", "/recap", session=1)
    assert recap["text"].startswith("Séance 1, «\u00a0L'eau des autres\u00a0»")
    titles = [part["title"] for part in recap["parts"]]
    assert "Un combat · Scène\u00a0: Les vannes du nord" in titles
    boards = played.story.get("ines", "/boards")["boards"]
    assert [(board["board"], board["title"]) for board in boards] == [
        ("fight", "Le combat"),
        ("story", "L\u2019histoire"),
    ]


def test_overdrive_is_conserved_on_every_sheet(played):
    """OD-W3: available and spent are what somebody started with and gained, less what left the game."""
    shown = {
        entry["character"]: played.story.get("solene", f"/sheets/{entry['character']}")["sheet"]["od"]
        for entry in played.story.get("solene", "/sheets")["sheets"]
    }
    expected = dict.fromkeys(shown, 0)
    for each in played.story.pages("solene", "/events", "events"):
        match each["type"]:
            case "overdrive.character_created":
                expected[each["character_id"]] += each["od_start"]
            case "overdrive.character_adopted":
                expected[each["sheet"]["character_id"]] += sum(each["sheet"]["od"].values())
            case "overdrive.overdrive_gained":
                expected[each["character"]] += each["amount"]
            case "overdrive.overdrive_retired":
                expected[each["character"]] -= each["amount"]
    assert {who: od["available"] + od["spent"] for who, od in shown.items()} == expected


@pytest.mark.slow
def test_one_other_die_turns_the_comparison_red(client):
    """The control: one die of the last attack shows 6 instead of 5, which changes no outcome."""
    recording = recording_of("overdrive")
    last = [[*map(list, step.dice)] for step in recording.steps if isinstance(step, Act) and step.dice][-1]
    instead = [(sides, 6 if face == 5 else face) for sides, face in last]
    assert instead != [tuple(die) for die in last]
    other = Story(changed(recording, last, instead), client, suffix=" III", wait_seconds_max=0)
    list(other.play())
    found, golden = picture(other, player="theo"), read_golden("overdrive")
    assert [key for key in golden if golden[key] != found[key]] == [
        "chronicle as the GM reads it",
        "chronicle as theo reads it",
    ]
