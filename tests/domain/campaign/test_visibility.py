"""Who may read what: by visibility, by a reveal, and with secrets taken out."""

from typing import Any
from uuid import UUID

import pytest
from msgspec import structs

from domain.campaign.events import Hidden, NoteAdded
from domain.campaign.messages.undo import ActionRedone, ActionUndone, UndoDeclined
from domain.campaign.secrecy.audience import (
    GM,
    TABLE,
    Audience,
    is_revealed,
    is_same_for_all,
    may_read,
    may_see,
    private_audiences,
    private_keys,
    redacted_for,
    with_asker,
)
from domain.ids import AccountId, ActionId
from domain.recorded_event import RecordedEvent

NOTE, OTHER, UNDO = (ActionId(UUID(int=nth)) for nth in (1, 2, 3))
BEN, CLEO = (AccountId(UUID(int=nth)) for nth in (11, 12))

UNDONE = ActionUndone(NOTE, 5, 5, "asked", "campaign.add_note", UNDO)
REDONE = ActionRedone(NOTE, 5, 5, "campaign.add_note", UNDO)
DECLINED = UndoDeclined(NOTE)


def recorded(event: Any, visibility: str = "gm", action_id: ActionId = NOTE) -> RecordedEvent:
    return RecordedEvent(
        seq=5,
        action_id=action_id,
        kind=event.__struct_config__.tag,
        kind_version=1,
        recorded_at=7,
        game_time=9,
        actor=BEN,
        cause="request",
        visibility=visibility,
        command=b"{}",
        event=event,
    )


def test_an_event_is_read_by_gms_by_its_account_and_what_is_for_all_by_everybody():
    ben = Audience(gm=False, account=BEN)
    for visibility, readers in {
        "all": (GM, TABLE, ben),
        "gm": (GM,),
        "blind": (GM,),
        f"account:{BEN}": (GM, ben),
        f"account:{CLEO}": (GM,),
        "account:None": (GM,),
        f"account:{BEN},{CLEO}": (GM, ben),
        f"account:{CLEO},{BEN}": (GM, ben),
    }.items():
        assert [each for each in (GM, TABLE, ben) if may_see(visibility, each)] == [*readers], visibility


def test_what_two_read_is_what_is_for_both_and_nothing_that_is_for_one():
    both = Audience.from_key(f"account:{CLEO},{BEN}")
    assert both == Audience.from_key(f"account:{BEN},{CLEO}")
    seen = {"all", f"account:{BEN},{CLEO}", f"account:{CLEO},{BEN}"}
    for visibility in (*seen, "gm", "blind", f"account:{BEN}", f"account:{CLEO}", f"account:{BEN},{UUID(int=9)}"):
        assert may_see(visibility, both) == (visibility in seen), visibility


def test_an_event_for_two_parts_each_of_them_and_both_from_the_table():
    alone = [Audience(gm=False, account=each) for each in (BEN, CLEO)]
    both = Audience.from_key(f"account:{BEN},{CLEO}")
    assert {*private_audiences(f"account:{CLEO},{BEN}", stands_for={})} == {*alone, both}
    assert private_audiences("gm", f"account:{BEN}", "blind", stands_for={}) == [alone[0]]
    assert private_keys(["all", "gm", f"account:{BEN},{CLEO}"]) == {each.key for each in alone}


def test_a_player_who_asks_reads_it_too_but_what_is_blind():
    one, both = f"account:{BEN}", f"account:{','.join(sorted(map(str, (BEN, CLEO))))}"
    asked = {"all": "all", "blind": "blind", "gm": one, one: one, f"account:{CLEO}": both, both: both}
    assert {each: with_asker(each, BEN, is_gm=False) for each in asked} == asked
    for account, is_gm in ((BEN, True), (None, False)):
        assert all(with_asker(each, account, is_gm=is_gm) == each for each in asked)


def test_an_event_is_revealed_with_its_own_action_and_no_other():
    note = NoteAdded("note-1", "psst")
    assert is_revealed(NOTE, note, {NOTE})
    assert not is_revealed(NOTE, note, {OTHER})
    assert not is_revealed(NOTE, note, set())


@pytest.mark.parametrize("about", [UNDONE, REDONE, DECLINED])
def test_what_became_of_an_action_is_revealed_with_that_action_and_no_other(about):
    assert is_revealed(UNDO, about, {NOTE})
    assert not is_revealed(UNDO, about, {OTHER})


def test_what_only_names_a_revealed_action_is_not_revealed_with_it():
    """`RolledAgain` has an `action_id`, too, and is as open as the roll it stands in."""
    again = structs.replace(recorded(UNDONE), event=type("Other", (), {"action_id": NOTE})())
    assert not is_revealed(UNDO, again.event, {NOTE})


def test_a_reader_needs_the_visibility_or_the_reveal():
    hidden = recorded(NoteAdded("note-1", "psst"))
    assert not may_read(TABLE, hidden, set())
    assert may_read(TABLE, hidden, {NOTE})
    assert may_read(GM, hidden, set())


def test_what_is_hidden_leaves_only_its_place_and_its_moment():
    hidden = recorded(NoteAdded("note-1", "psst"))
    assert redacted_for(GM, hidden) is hidden
    assert redacted_for(TABLE, hidden) == RecordedEvent(
        seq=5,
        action_id=NOTE,
        kind="campaign.hidden",
        kind_version=1,
        recorded_at=7,
        game_time=9,
        actor=None,
        cause="",
        visibility="hidden",
        command=None,
        event=Hidden(),
    )
    assert redacted_for(TABLE, hidden, {NOTE}) is hidden
    assert redacted_for(TABLE, hidden, {OTHER}).event == Hidden()
    assert redacted_for(TABLE, recorded(hidden.event, "all")).event == hidden.event


def test_an_audience_is_called_by_a_key_that_leads_back_to_it():
    ben = Audience(gm=False, account=BEN)
    assert [each.key for each in (GM, TABLE, ben)] == ["gm", "table", f"account:{BEN}"]
    assert [Audience.from_key(each.key) for each in (GM, TABLE, ben)] == [GM, TABLE, ben]
    whole = [structs.replace(each, whole=True).key for each in (TABLE, ben)]
    assert whole == ["whole:table", f"whole:{BEN}"]


def test_an_open_event_without_secrets_is_the_same_for_all():
    assert is_same_for_all(recorded(NoteAdded("note-1", "hear"), "all"))
    assert not is_same_for_all(recorded(NoteAdded("note-1", "hear"), "gm"))
