"""Commands as entries of a form: what is entered is what the API would be sent."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from domain.campaign.commands import AddNote, SetSetting
from domain.systems.frame_state.commands import CallTest
from domain.systems.mobile_frame.commands import DeclaredAttack
from services.http.screen.commands.command_form import rearranged
from services.http.screen.commands.form_entries import Entries, FormEntries, entries_of, read_command
from tests.offers.moments import STORIES, moments

Entering = Callable[[type, Any], Entries]


def commands(story: str) -> Iterator[Any]:
    """Every command that a member gave in a story."""
    return (moment.asked for moment in moments(story) if moment.asked is not None)


def entered_otherwise(story: str, entering: Entering = entries_of) -> list[Any]:
    """The commands of a story that a form would send otherwise than they are."""
    return [
        command
        for command in commands(story)
        if read(type(command), entering(type(command), msgspec.to_builtins(command))) != command
    ]


def read(kind: type, entries: Entries) -> Any:
    """The command that a form sends; what cannot be one as it is."""
    said = read_command(kind, FormEntries(entries))
    try:
        return msgspec.convert(said, kind)
    except msgspec.ValidationError:
        return said


@pytest.mark.parametrize("story", STORIES)
def test_every_command_of_a_story_comes_back_from_a_form_as_it_was(story):
    assert entered_otherwise(story) == []


def test_an_entry_that_is_lost_is_found():
    """Negative control."""
    lossy = entered_otherwise("overdrive", lambda kind, command: entries_of(kind, command)[:-1])
    assert len(lossy) > 50


def test_rows_that_are_numbered_otherwise_are_the_same_list():
    """Negative control: a list whose rows change places is another one."""
    swapped = {"c.dice.0": "c.dice.1", "c.dice.1": "c.dice.0"}

    def otherwise(kind: type, command: Any) -> Entries:
        renamed = (
            (next((to for at, to in swapped.items() if name.startswith(at)), None), name, value)
            for name, value in entries_of(kind, command)
        )
        return [(name if to is None else to + name[len(to) :], value) for to, name, value in renamed]

    call = msgspec.convert({"mark": 4, "test_type": "proactive", "dice": [{"die": "d6"}, {"die": "d8"}]}, CallTest)
    assert read(CallTest, otherwise(CallTest, msgspec.to_builtins(call))) != call
    sparse = [
        (name.replace("dice.1", "dice.7"), value)
        for name, value in entries_of(CallTest, msgspec.to_builtins(call))
    ]
    assert read(CallTest, sparse) == call


def test_nothing_and_null_are_told_apart_where_the_rules_do():
    left_out, none = DeclaredAttack(distance=3), DeclaredAttack(distance=3, die=None)
    assert [
        read(DeclaredAttack, entries_of(DeclaredAttack, msgspec.to_builtins(each))) for each in (left_out, none)
    ] == [
        left_out,
        none,
    ]


@pytest.mark.parametrize(
    "value", ["fr", "true", "12", "", " ", True, 12, None, ["a", 1], {"a": [None]}, '"', "[]"]
)
def test_a_setting_of_any_kind_comes_back_as_it_was(value):
    wanted = {"type": "campaign.set_setting", "key": "campaign.language", "value": value}
    assert read_command(SetSetting, FormEntries(entries_of(SetSetting, wanted))) == wanted


@pytest.mark.parametrize("said", ["12 ", "+3"])
def test_numbers_are_read_as_people_write_them(said):
    assert read_command(CallTest, FormEntries([("c.mark", said)]))["mark"] == int(said)


@pytest.mark.parametrize("said", ["many", "1e3", "1.5", "9" * 40, "٣"])
def test_what_is_no_number_stays_as_it_was_entered(said):
    assert read_command(CallTest, FormEntries([("c.mark", said)]))["mark"] == said


def test_lines_end_as_they_do_everywhere_else():
    assert read_command(AddNote, FormEntries([("c.text", "one\r\ntwo")]))["text"] == "one\ntwo"


def test_rows_are_added_and_taken_away():
    two = rearranged(rearranged([], "add:c.dice"), "add:c.dice")
    assert FormEntries(two).rows("c.dice") == [0, 1]
    filled = [*two, ("c.dice.1.die", "d8"), ("c.dice.0.die", "d6")]
    assert FormEntries(rearranged(filled, "drop:c.dice.0")).rows("c.dice") == [1]
    assert rearranged(filled, "ask") == filled


@pytest.mark.parametrize(
    "entries",
    [
        [("c." * 400, "x")],
        [("c.dice.99999999999.die", "d6")],
        [("c.dice.0.dice.0", "x"), ("c.dice", "y"), ("c.dice:on", "yes"), ("c.modifiers.0:as", "77")],
        [("c.modifiers.0:as", "٣"), ("c.modifiers:on", "yes")],
        [("c", ""), (":", ""), (".", "."), ("", "")],
        [("c.dice:on", "yes")] + [(f"c.dice.{row}.die", "d6") for row in range(2_000)],
    ],
)
def test_no_entries_break_the_reading(entries):
    read(CallTest, entries)
