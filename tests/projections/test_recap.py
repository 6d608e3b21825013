"""A recap says who was there, what stood out, and what happened scene by scene."""

from typing import Any

import pytest

from domain.campaign import commands as campaign
from domain.lifecycle_events import SessionStarted
from domain.recorded_event import RecordedEvent
from domain.systems.frame_state import commands as c
from projections.campaign.recap import SENTENCES_MAX, Recap, recap
from projections.campaign.recap_weights import EVERY
from projections.narration import TELL
from tests.campaign_played import GM, TABLE, CampaignPlayed, person
from tests.projections.one_evening import OneEvening


@pytest.fixture(scope="module")
def evening() -> OneEvening:
    return OneEvening()


def session(played: CampaignPlayed, number: int, audience: Any = GM) -> list[RecordedEvent]:
    """The events from one session's start up to the next one's."""
    seen = played.seen(audience)
    starts = [at for at, each in enumerate(seen) if isinstance(each.event, SessionStarted)] + [len(seen)]
    return seen[starts[number - 1] : starts[number]]


def told(played: CampaignPlayed, number: int, audience: Any = GM) -> Recap:
    return recap(session(played, number, audience), len(played.records), played.name, "en")


def test_it_says_which_session_it_was_and_who_was_there(evening):
    first = told(evening, 1)
    assert (first.session.number, first.session.title) == (1, "The dam")
    assert first.present == ["Ana", "Ben", "Cleo"]
    assert first.session.present[0] == person("ana")
    assert first.session.ended_at is not None
    assert told(evening, 2).session.ended_at is None


def test_highlights_are_the_extremes_the_losses_and_the_pay(evening):
    assert told(evening, 1).highlights == [
        "Mara rolled d6: 6, with an ace (+2), for 8 against 3: critical",
        "Mara rolled d6: 1 for 1 against 9: fumble",
        "Mara lost Heron: The dam broke.",
        "The mission “Ebb” was concluded, owing 300 credits to Mara",
        "Egret replaced Heron as the frame of Mara; upgrades on record: 0 credits",
        "Mara got an experimental upgrade: sharpness +2, +2 in all (Unsafe.)",
        "Mara was paid 300 credits for the mission “Ebb” and has 1,310",
    ]


def test_sentences_stand_under_their_scene_and_mission(evening):
    found = told(evening, 1).parts
    assert [part.title for part in found] == [
        "At the table",
        "Mission “Ebb” · Scene: The crane",
        "Mission “Ebb”",
        "At the table",
        "Afterwards",
    ]
    parts = {part.title: part.sentences for part in found}
    crane = parts["Mission “Ebb” · Scene: The crane"]
    assert crane[0] == "The mission “Ebb” began with Mara"
    assert "Ana rolled 2d6 (what the sea takes): 3 4 → 7" in crane
    assert parts["Mission “Ebb”"][-1].startswith("The mission “Ebb” was concluded")
    assert parts["Afterwards"] == ["Mara was paid 300 credits for the mission “Ebb” and has 1,310"]


def test_everyday_bookkeeping_is_left_out(evening):
    text = told(evening, 1).text
    assert "tries something" not in text
    assert "paid 900" not in text
    assert "1d6" not in text


def test_a_player_is_not_told_what_was_hidden(evening):
    assert "The crane remembers." in told(evening, 1, GM).text
    seen = told(evening, 1, TABLE)
    assert "The crane remembers." not in seen.text
    assert "cannot see" not in seen.text


def test_the_text_is_ready_to_be_sent(evening):
    lines = told(evening, 1).text.splitlines()
    assert lines[0].startswith("Play session 1, “The dam” (1970-01-")
    assert lines[1:4] == ["At the table: Ana, Ben, Cleo", "", "Highlights"]
    assert lines[4].startswith("* Mara rolled")
    quiet = told(evening, 2).text.splitlines()
    assert quiet[1] == "At the table: nobody"


def test_a_long_evening_stays_short():
    played = OneEvening()
    for _ in range(100):
        played.do("ana", c.AwardCurrency(amount=1, reason="luck", pilot=played.mara))
    second = told(played, 2)
    assert (len(second.parts[0].sentences), second.parts[0].left_out) == (SENTENCES_MAX, 76)
    assert second.text.endswith("- … and 76 more")


def test_a_session_in_which_nothing_happened_is_told_too():
    played = CampaignPlayed()
    played.do("ana", c.AssignRole(player=person("ben"), role="pilot"))
    played.do("ana", campaign.StartSession())
    assert told(played, 1).text.endswith("Nothing that was written down.")


def test_a_kind_of_event_has_one_weight_and_can_be_told():
    weighed = [kind for each in EVERY for kinds in each.weights.values() for kind in kinds]
    weighed += [kind for each in EVERY for kind, _ in each.weighs]
    assert len(weighed) == len(set(weighed))
    assert set(weighed) <= set(TELL)


def test_parts_after_a_session_are_called_by_their_scenes_too():
    played = CampaignPlayed()
    played.do("ana", c.AssignRole(player=person("ben"), role="pilot"))
    played.do("ana", campaign.StartSession())
    played.do("ana", campaign.EndSession())
    played.do("ana", campaign.AddNote(text="Who pays?"))
    played.do("ana", campaign.StartScene(name="The quay"))
    played.do("ana", campaign.AddNote(text="Nobody."))
    assert [part.title for part in told(played, 1).parts] == ["Afterwards", "Afterwards · Scene: The quay"]
