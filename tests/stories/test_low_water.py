"""The Mobile Frame battle of the recordings: what it reaches, how deep it nests, and what turns it red."""

from collections.abc import Iterator
from typing import Any, get_args

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.campaign.storage.event_codec import record_of
from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entrance_events import EntranceEvent
from domain.systems.mobile_frame.tables import Situation
from services.cli.demo.recording import Recording
from services.cli.demo.story import Diverged, Story, StoryAction
from tests.engines import DatabaseUrls
from tests.stories.golden import picture, read_golden
from tests.stories.playing import Played, changed, play, recording_of

REFUSALS_MIN = 40
LAST_SHOT = [[6, 5], [6, 6], [6, 5], [6, 2], [6, 6], [6, 1], [6, 3]]


@pytest.fixture(scope="module")
def recording() -> Recording:
    return recording_of("mobile_frame")


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play("mobile_frame", client, database)


@pytest.fixture(scope="module")
def facts(played: Played) -> list[Any]:
    return [record_of(row).event for row in played.rows]


def test_it_reaches_every_command_every_event_and_most_refusals(played):
    assert len(played.acts) >= 200
    tags = {kind.__struct_config__.tag for kind in get_args(MOBILE_FRAME.commands)}
    assert tags - {act.type for act in played.acts} == set()
    kinds = {kind.__struct_config__.tag for kind in get_args(MOBILE_FRAME.events)}
    younger = {  # what was hidden could not be met then, and a frame declared anew was another one
        kind.__struct_config__.tag
        for kind in (*get_args(EntranceEvent), e.FrameRenamed, e.FrameHandedOver, e.FrameCrewed)
    }
    assert kinds - {row.kind for row in played.rows} == younger
    assert len({act.code for act in played.acts} - {None}) >= REFUSALS_MIN


def test_every_row_of_the_damage_table_is_rolled_on(facts):
    rows = {each.situation for each in facts if isinstance(each, a.DamageRolled)}
    assert rows == set(get_args(Situation))


def test_one_chain_of_fire_wakes_three_frames_one_after_the_other(facts):
    longest = woken = 0
    for each in facts:
        if isinstance(each, e.FrameActivated):
            woken = woken + 1 if each.by == "attack" else 0
        elif isinstance(each, e.TacticalOrderSet):
            woken = 0
        longest = max(longest, woken)
    assert longest == 3


def test_a_frame_is_destroyed_while_its_turn_is_open(facts):
    is_open: set[str] = set()
    fell = []
    for each in facts:
        if isinstance(each, e.FrameActivated):
            is_open.add(each.frame)
        elif isinstance(each, e.TurnEnded):
            is_open.discard(each.frame)
        elif isinstance(each, a.FrameDestroyed):
            fell.append(each.frame in is_open)
    assert sorted(fell) == [False, False, False, True]


def test_the_board_tells_who_answers_whom_at_every_step(client, recording):
    story = Story(recording, client, suffix=" seen", wait_seconds_max=0)
    sentences = set()
    for board in boards(story):
        assert board["waiting"]
        assert bool(board["stack"]) <= (len(board["turns"]) > 1)
        sentences |= set(board["stack"])
    assert "Heron answers Crowbar's attack, then Crowbar goes on" in sentences
    assert "Crowbar finishes its turn, then Heron goes on" in sentences
    assert "Anvil answers Heron's attack, then Heron goes on" in sentences
    [result] = story.get("pip", "/boards/mobile_frame/battle")["results"]
    winners = [each["name"] for each in result["players"] if each["won"]]
    assert winners == [story.name("otto")]


def boards(story: Story) -> Iterator[dict[str, Any]]:
    """The board after every fight that somebody has gone on with, as an observer sees it."""
    for happening in story.play():
        if isinstance(happening, StoryAction) and happening.type in (
            "mobile_frame.attack",
            "mobile_frame.assign_die",
            "mobile_frame.end_turn",
        ):
            yield story.get("pip", "/boards/mobile_frame/battle")


@pytest.mark.slow
def test_one_other_die_turns_the_comparison_red(client, recording):
    """The control: the last damage dice show a 2 where a 1 fell, which hits nobody either."""
    instead = [(sides, 2 if face == 1 else face) for sides, face in LAST_SHOT]
    other = Story(changed(recording, LAST_SHOT, instead), client, suffix=" II", wait_seconds_max=0)
    list(other.play())
    found, golden = picture(other, player="tomas"), read_golden("mobile_frame")
    differing = [key for key in golden if golden[key] != found[key]]
    assert differing == ["chronicle as the GM reads it", "chronicle as tomas reads it"]


def test_a_die_that_changes_the_damage_stops_the_story(client, recording):
    """Without a single hit there is no loss to choose, and Mei's choice is refused."""
    missing = [(sides, 1) for sides, _ in LAST_SHOT]
    other = Story(changed(recording, LAST_SHOT, missing), client, suffix=" III", wait_seconds_max=0)
    with pytest.raises(Diverged, match="nothing_to_choose"):
        list(other.play())


def test_it_is_told_in_french_without_a_sentence_of_english(client, played, recording):
    settings = recording.title.settings | {"campaign.language": "fr"}
    french = structs.replace(recording, title=structs.replace(recording.title, settings=settings))
    story = Story(french, client, suffix=" IV", wait_seconds_max=0)
    told = {happening.number: happening for happening in story.play() if isinstance(happening, StoryAction)}
    assert len(told) == len(played.acts)
    for english in played.acts:
        assert told[english.number].code == english.code
        assert not set(told[english.number].sentences) & set(english.sentences), english
    assert story.get("pip", "/boards/mobile_frame/battle")["waiting"] == "Aucune bataille n\u2019est en cours"
    said = {sentence for act in told.values() for sentence in act.sentences}
    assert "Heron répond à l\u2019attaque de Crowbar" in said
    assert "Anvil subit 3 points de dégâts" in said
