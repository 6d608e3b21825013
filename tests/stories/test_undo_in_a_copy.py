"""The demo of undo ends with a copy of itself, in which the same undo does the same."""

from collections.abc import Callable
from typing import Any

import pytest

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Diverged, Story, StoryAction, UndoOfCopy
from tests.stories.memory_service import memory_service


def test_the_demo_of_undo_ends_with_the_same_undo_in_an_imported_copy():
    with memory_service(1) as client:
        story = Story(recording_of("undo"), client, suffix="", wait_seconds_max=0)
        *happened, copied = story.play()
    assert isinstance(copied, UndoOfCopy)
    undo = [
        each for each in happened if isinstance(each, StoryAction) and each.type == "undo" and each.code is None
    ][-1]
    assert copied.summary == undo.sentences
    assert copied.sheets == 2
    assert copied.balances > 0


def forging(change: Callable[[dict[str, Any]], None]) -> None:
    """Play the demo, and have it believe in something else than came of its last undo."""
    with memory_service(1) as client:
        story = Story(recording_of("undo"), client, suffix="", wait_seconds_max=0)
        for happening in story.play():
            if isinstance(happening, StoryAction) and happening.type == "undo" and happening.code is None:
                change(story._undone["$wrong"][1])


def test_a_copy_in_which_something_else_goes_ends_the_story():
    """Negative control."""
    with pytest.raises(Diverged, match="something else goes"):
        forging(lambda answer: answer["events"].pop())


def test_a_copy_in_which_something_else_stays_ends_the_story():
    """Negative control."""
    with pytest.raises(Diverged, match="something else stays"):
        forging(lambda answer: answer.update(seq=answer["seq"] - len(answer["events"])))
