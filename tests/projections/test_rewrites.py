"""What an undo, a redo or a reveal is about is quoted, each action once, and counted where it is much."""

from uuid import UUID

import pytest

from domain.campaign.events import ActionRevealed, Hidden, NoteAdded
from domain.campaign.messages.undo import ActionAffected, ActionRedone, ActionUndone
from domain.ids import ActionId
from domain.recorded_event import RecordedEvent
from projections.campaign.recap import lasting
from projections.campaign_words.narration_history import QUOTE_CHARACTERS_MAX, quotation, quoted_in
from projections.narration import narrate

HERE = ActionId(UUID(int=1000))


def action(nth: int) -> ActionId:
    return ActionId(UUID(int=nth))


def undone(nth: int, because="depends", by: ActionId = HERE, **fields) -> ActionUndone:
    return ActionUndone(action(nth), nth, nth, because, "campaign.add_note", by, **fields)


def redone(nth: int, by: ActionId = HERE) -> ActionRedone:
    return ActionRedone(action(nth), nth, nth, "campaign.add_note", by)


def revealed(nth: int, because) -> ActionRevealed:
    return ActionRevealed(action(nth), nth, nth, because, "campaign.roll", HERE)


def quote(of: ActionId) -> str:
    return f"deed {of.int}"


@pytest.mark.parametrize(
    ("events", "english", "french"),
    [
        ([undone(1, "asked")], "Undone: deed 1", "Annulé\u00a0: deed 1"),
        (
            [undone(1, "asked", reason="why"), undone(1), undone(2), undone(3)],
            "Undone: deed 1 (why). Undone with it: deed 2 · deed 3",
            "Annulé\u00a0: deed 1 (why). Annulé du même coup\u00a0: deed 2 · deed 3",
        ),
        (
            [undone(1, "asked"), *(undone(nth) for nth in range(2, 6))],
            "Undone: deed 1. Undone with it: deed 2 · deed 3 · deed 4 … and 1 more that followed from it",
            "Annulé\u00a0: deed 1. Annulé du même coup\u00a0: deed 2 · deed 3 · deed 4 … et 1 autre qui en découlait",  # noqa: E501
        ),
        ([undone(2), undone(3)], "Also undone: deed 2 · deed 3", "Annulé également\u00a0: deed 2 · deed 3"),
        (
            [redone(1), redone(2)],
            "Redone: deed 1. Redone with it: deed 2",
            "Rétabli\u00a0: deed 1. Rétabli du même coup\u00a0: deed 2",
        ),
        (
            [ActionAffected(action(nth), "campaign.roll", HERE) for nth in range(5)],
            "Kept, although it would turn out differently now: deed 0 · deed 1 · deed 2 … and 2 more",
            "Maintenu, même si cela se passerait autrement à présent\u00a0: deed 0 · deed 1 · deed 2 … et 2 de plus",  # noqa: E501
        ),
        (
            [revealed(0, "asked"), revealed(1, "caused")],
            "Everybody can read this now: deed 0. Revealed with it: deed 1",
            "Désormais lisible par tous\u00a0: deed 0. Révélé du même coup\u00a0: deed 1",
        ),
    ],
)
def test_one_line_tells_the_whole_of_it(events, english, french):
    assert narrate(events, str, "en", quote) == [english]
    assert narrate(events, str, "fr", quote) == [french]


def test_what_is_hidden_among_it_is_said_once_and_not_counted():
    events = [undone(1, "asked"), Hidden(), undone(2), Hidden(), Hidden()]
    assert narrate(events, str, "en", quote) == [
        "Undone: deed 1. Undone with it: deed 2",
        "Something happened that you cannot see",
    ]


def test_two_undos_are_two_lines_and_other_events_have_one_each():
    note = NoteAdded("note-1", "Rain.")
    events = [undone(1, "asked"), note, note, undone(2, "asked", action(2000))]
    assert narrate(events, str, "en", quote) == ["Undone: deed 1", "Note: Rain.", "Note: Rain.", "Undone: deed 2"]


def test_where_the_past_is_not_at_hand_it_is_counted():
    assert narrate([undone(1, "asked"), undone(2), undone(3)], str, "en") == [
        "Undone: an earlier action. Undone with it: 2 later actions"
    ]


def test_no_more_is_asked_for_than_is_quoted():
    assert quoted_in([undone(1, "asked"), *(undone(nth) for nth in range(2, 99))]) == [*map(action, range(1, 5))]
    assert quoted_in([NoteAdded("note-1", "Rain."), Hidden()]) == []


def test_a_quotation_is_short():
    assert quotation([]) is None
    assert quotation(["Note: Rain."]) == "Note: Rain"
    assert quotation(["One", "two", "three"]) == "One; two …"
    assert quotation(["x" * 5000]) == "x" * QUOTE_CHARACTERS_MAX + "…"


@pytest.mark.parametrize("kept", [*range(QUOTE_CHARACTERS_MAX - 14, QUOTE_CHARACTERS_MAX + 2)])
def test_no_quotation_ends_within_somebodys_name(kept):
    """A name that is cut in two would not be found when its account is erased."""
    told = "x" * kept + "Mara Okafor" + "y" * 300
    found = quotation([told], ["Jun", "Okafor", "Mara Okafor", ""])
    assert found is not None
    assert len(found) <= QUOTE_CHARACTERS_MAX + 1
    whole = kept + len("Mara Okafor") <= QUOTE_CHARACTERS_MAX
    assert ("Mara Okafor" in found, "Mar" in found) == (whole, whole)


LATER = 10
"""The session in which something is undone begins there, after what was undone."""


def played(turns: str) -> list[RecordedEvent]:
    """The events of as many undos ("u") and redos ("r") of one action."""
    by = [action(2000 + nth) for nth in range(len(turns))]
    events = [redone(1, each) if turn == "r" else undone(1, by=each) for turn, each in zip(turns, by, strict=True)]
    return [in_log(LATER + nth, *turn) for nth, turn in enumerate(zip(by, events, strict=True))]


def in_log(seq: int, by: ActionId, event: ActionUndone | ActionRedone) -> RecordedEvent:
    return RecordedEvent(seq, by, "", 1, 0, 0, None, "request", "all", None, event)


@pytest.mark.parametrize(
    ("turns", "left"),
    [
        ("u", [0]),
        ("ur", []),
        ("uru", [2]),
        ("urur", []),
        ("r", [0]),
        ("ru", []),
        ("rur", [2]),
    ],
)
def test_what_went_back_and_forth_leaves_the_last_of_it_or_nothing(turns, left):
    assert [record.seq - LATER for record in lasting(played(turns))] == left


def test_both_halves_of_an_undo_that_is_partly_hidden_are_one_turn():
    halves = [in_log(LATER + nth, HERE, undone(1)) for nth in range(2)]
    assert lasting(halves) == halves
    assert lasting([*halves, in_log(LATER + 2, action(3000), redone(1))]) == []
