"""A text that an event of another actor says again goes with the words of its author."""

from typing import Any

import pytest

from tests.services.conftest import Table
from tests.services.secret_table import SecretTable

HABIT, TIE = "She hums when the valves open.", "They still owe her for the harbour."


class Crew(SecretTable):
    """A table of Overdrive, with the actions in which a player wrote two texts."""

    made: str
    tied: str


@pytest.fixture
def crew(table: Table) -> Crew:
    crew = Crew(table, "overdrive", "combat")
    habits = [{"text": HABIT, "id": "hums"}]
    crew.made = crew.do(crew.player, "create_character", name="Ines", reactions=habits)["action_id"]
    crew.tied = crew.do(crew.player, "add_relation", relation="debt", nature=TIE, **{"with": "Vern"})["action_id"]
    crew.do(crew.player, "play_reaction", reaction="hums", weight="staged")
    crew.do(crew.gm, "decline_reaction", character="Ines")
    crew.do(crew.gm, "rename_relation", relation="debt", character="Ines", **{"with": "Vern the younger"})
    return crew


def everything(crew: Crew) -> str:
    """All that a GM reads of the campaign."""
    pages = ("events?limit=500", "actions?limit=500", "export", "sheets")
    answers = [crew.gm.get(f"{crew.path}/{page}") for page in pages]
    assert {answer.status_code for answer in answers} == {200}
    return "\n".join(answer.text for answer in answers)


def saying(crew: Crew, text: str) -> list[Any]:
    """The kinds of the events that say a text."""
    events = crew.gm.get(f"{crew.path}/events", params={"limit": 500}).json()["events"]
    return [event["type"] for event in events if text in str(event)]


def test_a_declined_reaction_and_a_renamed_relation_say_the_words_of_a_player_again(crew):
    """Negative control."""
    assert saying(crew, HABIT) == ["overdrive.character_created", "overdrive.reaction_declined"]
    assert saying(crew, TIE) == ["overdrive.relation_added", "overdrive.relation_renamed"]


@pytest.mark.parametrize("by", ["player", "gm"])
def test_they_go_with_the_action_in_which_they_were_written(crew, by):
    who = getattr(crew, by)
    for action, text in ((crew.made, HABIT), (crew.tied, TIE)):
        assert text in everything(crew)
        answer = who.send("DELETE", f"{crew.path}/actions/{action}/texts")
        assert answer.status_code == 200, answer.text
        assert text not in everything(crew)
    assert crew.gm.get(f"{crew.path}/verify").json()["sound"] is True


def test_the_same_words_of_a_gm_stay_where_a_players_go(crew):
    own = "Nobody owes anybody."
    crew.do(crew.gm, "rename_relation", relation="debt", character="Ines", nature=own)
    again = crew.do(crew.player, "rename_relation", relation="debt", nature=own)["action_id"]
    for action in (crew.tied, again):
        assert crew.player.send("DELETE", f"{crew.path}/actions/{action}/texts").status_code == 200
    assert saying(crew, own) == ["overdrive.relation_renamed"]
