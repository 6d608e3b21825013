"""One evening with an ambush, a rising tide and a hidden roll: who reads what of it, and when."""

from services.cli.demo.recording import recording_of
from services.cli.demo.story import ReaderComparison, Story
from tests.stories.memory_service import memory_service

PLACEHOLDER = "Something happened that you cannot see"
SECRETS = ("The diver", "The tide", "breathe")


def test_players_read_placeholders_until_the_diver_comes_out_of_the_water():
    with memory_service(1) as client:
        story = Story(recording_of("secrets"), client, suffix="", wait_seconds_max=0)
        before, after = (each.texts for each in story.play() if isinstance(each, ReaderComparison))
    everything = " ".join(before["vera"])
    assert all(secret in everything for secret in SECRETS)
    assert "The clock “The tide” moved to 1 of 4" in before["vera"], "an open roll moved it"
    for player in ("ilse", "paul"):
        assert not any(secret in " ".join(before[player]) for secret in SECRETS)
        hidden = [nth for nth, text in enumerate(before["vera"]) if any(secret in text for secret in SECRETS)]
        assert [before[player][nth] for nth in hidden] == [PLACEHOLDER] * len(hidden)
        assert "Say nothing about the letter" in before[player][-1], "it is between the two of them"
        assert after[player] == after["vera"], "whoever joins an open fight is seen"
    assert any("The diver came into play" in text for text in after["ilse"])
