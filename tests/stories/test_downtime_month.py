"""A month of downtime in all five systems at once: the same in any slices, with the books right at its end."""

from itertools import count
from typing import Any

import msgspec
import pytest
from msgspec import structs

from services.cli.demo.recording import Act, Undoing, recording_of
from services.cli.demo.story import Story
from tests.sampling import slow_but

DAY = 86_400
TABLES = count()


def in_slices(days_at_once: int | None) -> Any:
    """The recording as it is, or with time let pass in steps of so many days."""
    recording = recording_of("downtime")
    steps: list[Any] = []
    for step in recording.steps:
        if isinstance(step, Undoing):
            break  # from there on it is about the undo
        if not isinstance(step, Act) or "by" not in step.command or days_at_once is None:
            steps.append(step)
            continue
        days = step.command["by"]["days"]
        for at in range(0, days, days_at_once):
            by = {"days": min(days_at_once, days - at)}
            steps.append(structs.replace(step, command={**step.command, "by": by}))
    return structs.replace(recording, steps=steps)


def played(client: Any, days_at_once: int | None) -> Story:
    story = Story(in_slices(days_at_once), client, suffix=f" {next(TABLES)}", wait_seconds_max=0)
    list(story.play())
    return story


def picture(story: Story) -> dict[str, Any]:
    """What happened by itself, in words and when, and how everybody stands at the end."""
    actions = story.pages("vera", "/actions", "actions")
    text = msgspec.json.encode(
        {
            "by itself": [(each["game_time"], each["summary"]) for each in actions if each["actor"] is None],
            "sheets": [
                story.get("vera", f"/sheets/{story.bound[who]}")["sheet"]
                for who in ("mika", "sparrow", "jonah", "lucie")
            ],
            "accounts": sorted(
                (each["name"], each["currency"], each["balance"])
                for each in story.get("vera", "/ledger/accounts")["accounts"]
                if each["balance"]
            ),
        }
    ).decode()
    for name, bound in story.bound.items():
        text = text.replace(str(bound), f"${name}")
    found: dict[str, Any] = msgspec.json.decode(text)
    return found


@pytest.fixture(scope="module")
def month(client: Any) -> Story:
    """The month as it was recorded."""
    return played(client, None)


def test_everybody_recovers_on_their_own_day(month):
    story, found = month, picture(month)
    days = [(at // DAY, words) for at, summary in found["by itself"] for words in summary]
    assert [day for day, _ in days] == sorted(day for day, _ in days)
    told = " ".join(words for _, words in days)
    for words in ("Lying still", "Night shifts", "Knife work", "A new core", "Harbour dues", "Downtime ended"):
        assert words in told, words
    books = story.get("vera", "/ledger/accounts")
    assert set(books["trial_balance"].values()) == {0}
    assert books["drift"] == []
    assert books["pending"] == []
    assert story.get("vera", "/downtime")["activities"] == []


@pytest.mark.parametrize("days_at_once", slow_but([1, 4], 4))
def test_a_month_in_other_slices_gives_the_same_facts_and_the_same_views(client, month, days_at_once):
    assert picture(played(client, days_at_once)) == picture(month)


def test_time_that_is_undone_passes_again_in_other_slices_to_the_same_end(client, month):
    before = picture(month)
    story = Story(recording_of("downtime"), client, suffix=f" {next(TABLES)}", wait_seconds_max=0)
    list(story.play())
    after = picture(story)
    assert (after["sheets"], after["accounts"]) == (before["sheets"], before["accounts"])
    assert story.get("vera", "/downtime")["downtime"] is None
    undone = [
        each for each in story.pages("vera", "/events", "events") if each["type"] == "campaign.action_undone"
    ]
    assert len(undone) > 1, "what the time had brought went with it"
