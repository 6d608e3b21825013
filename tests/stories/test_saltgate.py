"""The FREE/FALL campaign of the recordings: what a whole operation reaches, and one die that turns it red."""

from typing import Any, get_args

import pytest
from litestar.testing import TestClient
from msgspec import structs

from domain.systems.freefall import FREEFALL
from domain.systems.freefall.entrance_events import EntranceEvent
from services.cli.demo.story import Diverged, Story, StoryAction
from tests.engines import DatabaseUrls
from tests.stories.playing import Played, changed, play, recording_of

REFUSALS = {
    "action_needs_a_die",
    "augmentation_needs_downtime",
    "dice_mismatch",
    "item_already_broken",
    "item_not_bound_to_attribute",
    "machine_cannot_absorb",
    "no_empty_slot",
    "not_due",
    "not_your_choice",
    "not_your_turn",
    "one_choice_per_level",
    "pool_exceeded",
    "prerequisite_not_met",
    "requirements_missing",
    "slot_not_temporary",
    "someone_undeclared",
    "specialty_not_of_class",
    "tie_undecided",
    "wrong_decider",
}
"""What players run into; each is refused at least once on the way."""

NOT_IN_IT = {
    "freefall.scene_left_behind",
    "freefall.character_adopted",
    "freefall.character_assigned",
    "freefall.gear_described",
    "freefall.machine_attribute_restored",
    "freefall.machine_mended",
    "freefall.tn_named",
}
"""No scene leaves anything open, nobody comes from elsewhere or is handed on, and the machine stays broken."""
YOUNGER = {"freefall.describe_gear", "freefall.join_turn", "freefall.name_tn"}
"""Commands that are younger than the story."""


@pytest.fixture(scope="module")
def played(client: TestClient[Any], database: DatabaseUrls) -> Played:
    return play("freefall", client, database)


def test_it_reaches_every_command_event_outcome_and_many_refusals(played):
    tags = {kind.__struct_config__.tag for kind in get_args(FREEFALL.commands)}
    assert tags - {act.type for act in played.acts} == YOUNGER
    kinds = {kind.__struct_config__.tag for kind in get_args(FREEFALL.events)}
    assert kinds - {row.kind for row in played.rows} == NOT_IN_IT | {
        kind.__struct_config__.tag for kind in get_args(EntranceEvent)
    }
    assert {act.outcome for act in played.acts} >= {"failure", "basic", "greater"}
    assert REFUSALS - {act.code for act in played.acts} == set()


def test_the_operation_costs_a_machine_and_a_character_and_the_rest_is_mended(played):
    story = played.story
    sheets = {
        entry["name"]: story.get("goro", f"/sheets/{entry['character']}")["sheet"] for entry in roster(played)
    }
    assert set(sheets) == {"Dot", "Flint", "Sergeant Vale", "Tusk", "Wren"}
    assert (sheets["Tusk"]["status"], sheets["Tusk"]["fate"]) == ("ousted", "retired")
    assert [slot and slot["state"] for slot in sheets["Tusk"]["slots"]] == ["permanent"] * 3
    assert all(slot is None or slot["state"] == "temporary" for slot in sheets["Wren"]["slots"])
    assert sheets["Dot"]["gear"][story.bound["deck"]]["state"] == "functional"
    assert sheets["Wren"]["gear"][story.bound["suit"]]["state"] == "functional"


def test_it_is_told_in_french_without_a_sentence_of_english(client, played):
    recording = recording_of("freefall")
    title = structs.replace(recording.title, settings={**recording.title.settings, "campaign.language": "fr"})
    story = Story(structs.replace(recording, title=title), client, suffix=" in French", wait_seconds_max=0)
    told = {happening.number: happening for happening in story.play() if isinstance(happening, StoryAction)}
    assert len(told) == len(played.acts)
    for english in played.acts:
        assert told[english.number].code == english.code
        assert len(told[english.number].sentences) == len(english.sentences)
        assert not set(told[english.number].sentences) & set(english.sentences), english
    said = {sentence for act in told.values() for sentence in act.sentences}
    assert "Wren subit 2 niveaux de dommage physique" in said
    assert any(sentence.startswith("La classe Avant-garde propose Ouverture de brèche, ") for sentence in said)
    assert "Bullet time · Scène\u00a0: A night without pumps" in [
        part["title"] for part in story.get("goro", "/recap", session=1)["parts"]
    ]
    [board] = story.get("goro", "/boards")["boards"]
    assert (board["board"], board["title"]) == ("turn", "Le tour")


def roster(played: Played) -> list[Any]:
    found: list[Any] = played.story.get("goro", "/sheets")["sheets"]
    return found


def test_every_price_was_set_aside_and_then_paid_or_given_back(played):
    entries = played.story.pages("amir", "/ledger/entries", "entries")
    assert [each["reason"] for each in entries if each["reason"] not in ("award", "charge")] == [
        "treatment_agreed",
        "treatment_cancelled",
        "treatment_agreed",
        "repair_agreed",
        "repair_agreed",
        "repair",
        "repair_cancelled",
        "treatment",
    ]
    balances = {
        each["account"]: each["balance"] for each in played.story.get("amir", "/ledger/accounts")["accounts"]
    }
    assert balances["crew:undertow"] == 400 - 60 + 900 - 120 - 350
    assert {balance for account, balance in balances.items() if account.startswith("escrow:")} == {0}


def test_the_therapy_is_done_on_its_day_by_nobody(played):
    [done] = [row for row in played.rows if row.kind == "freefall.permanent_harm_removed"]
    assert (done.game_time, done.actor) == (12 * 86_400, None)


def test_a_die_that_breaks_the_tie_stops_the_story(client):
    """The control: one face more on the fastest die, and there is no tie to decide."""
    seen = [[20, face] for face in (14, 7, 2, 15, 3, 9)]
    recording = changed(recording_of("freefall"), seen, [(20, face) for face in (15, 7, 2, 15, 3, 9)])
    other = Story(recording, client, suffix=" of a faster thief", wait_seconds_max=0)
    with pytest.raises(Diverged, match="expected tie_undecided, got prerequisite_not_met"):
        list(other.play())
