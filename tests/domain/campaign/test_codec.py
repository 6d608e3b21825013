"""Events as bytes: what comes back, what can be erased, and how old versions are lifted."""

import json
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote
from domain.campaign.events import NoteAdded
from domain.campaign.storage import event_codec
from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS, event_hash, link_of, private_hash, private_hash_of
from domain.ids import ActionId, CampaignId
from domain.personal_text import personal_paths
from domain.systems.overdrive.commands import CreateCharacter, ReactionDraft
from domain.systems.overdrive.events import CharacterAdopted, CharacterCreated
from domain.systems.overdrive.state import Character, Reaction, Relation

CAMPAIGN = CampaignId(UUID(int=1))
EMPTY = Head(seq=0, hash=GENESIS, recorded_at=0)
SALTS = bytes(range(32))


NOTE = NoteAdded(note_id="note-1", text="the mole is Pell")
NOTED: ActRequest | None = ActRequest(command=AddNote(text="the mole is Pell"), note="between us")


def sealed(head: Head = EMPTY, event: Any = NOTE, request: ActRequest | None = NOTED) -> StoredEvent:
    draft = event_codec.Draft(
        campaign_id=CAMPAIGN,
        action_id=ActionId(UUID(int=2)),
        recorded_at=1_000,
        game_time=0,
        actor=UUID(int=3),
        cause="request",
        visibility="all",
    )
    return event_codec.seal(draft, head, event, request, SALTS)


def test_an_event_is_read_back_as_it_was_written():
    assert event_codec.decode_event(sealed()) == NoteAdded(note_id="note-1", text="the mole is Pell")


def test_neither_body_nor_command_holds_anybodys_own_words():
    row = sealed()
    assert b"Pell" not in row.body
    assert row.command is not None
    assert b"Pell" not in row.command
    assert b"between us" not in row.command


def test_erased_words_read_erased_and_the_chain_still_verifies():
    """Invariant 7."""
    row = structs.replace(sealed(), text_salt=None, texts=None)
    assert event_codec.decode_event(row).text == "erased"
    request = event_codec.decode_request(row)
    assert request is not None
    assert (request["note"], request["command"]["text"]) == ("erased", "erased")
    assert link_of(CAMPAIGN, GENESIS, row) == private_hash_of(row)


def test_words_that_were_exchanged_beside_the_log_are_noticed():
    row = sealed()
    assert event_codec.texts_belong(row)
    forged = json.dumps({**json.loads(row.texts or b"{}"), "event.text": "the mole is Ana"}).encode()
    assert not event_codec.texts_belong(structs.replace(row, texts=forged))


@pytest.mark.parametrize(
    "change",
    [
        {"body": b'{"type":"campaign.note_added","note_id":"note-2","text":"x"}'},
        {"kind": "campaign.entry_posted"},
        {"kind_version": 2},
        {"kind_version": -1},
        {"actor": UUID(int=4)},
        {"actor": None},
        {"cause": "timer:1"},
        {"visibility": "gm"},
        {"game_time": 1},
        {"recorded_at": 1_001},
        {"command": None},
        {"salt": bytes(16)},
        {"seq": 2},
        {"action_id": UUID(int=4)},
    ],
)
def test_any_changed_field_breaks_the_chain(change):
    """Negative control of the hash: nothing of a row may be left out of it."""
    assert link_of(CAMPAIGN, GENESIS, structs.replace(sealed(), **change)) is None


def test_a_row_of_before_actions_were_hashed_still_hangs_on_the_one_before_it():
    row = sealed()
    old = private_hash(
        row.salt, row.kind, row.kind_version, row.actor, row.cause, row.game_time, row.command, row.body, None
    )
    row = structs.replace(row, hash=event_hash(CAMPAIGN, 1, GENESIS, row.recorded_at, row.visibility, old))
    assert row.hash.hex() == "fd7d8442affbd8743ebb6205b6eebaa87b92b199314edd850898025eee3f0226"
    assert link_of(CAMPAIGN, GENESIS, row) == old != private_hash_of(row)
    assert link_of(CAMPAIGN, GENESIS, structs.replace(row, body=b"{}")) is None


def test_a_row_hangs_on_the_one_before_it_and_never_runs_back_in_time():
    head = Head(seq=7, hash=bytes(32), recorded_at=5_000)
    row = sealed(head=head)
    assert (row.seq, row.recorded_at) == (8, 5_000)
    assert link_of(CAMPAIGN, head.hash, row) is not None
    assert link_of(CAMPAIGN, b"\1" * 32, row) is None


def test_an_old_version_of_a_kind_is_lifted_when_it_is_read(monkeypatch):
    """The stored bytes stay as they are: version 0 of a note called its text `words`."""
    monkeypatch.setitem(
        event_codec.UPCASTS,
        ("campaign.note_added", 0),
        lambda body: {**{key: body[key] for key in body if key != "words"}, "text": body["words"]},
    )
    body = b'{"type":"campaign.note_added","note_id":"note-1","words":"text:of-old"}'
    old = structs.replace(sealed(), kind_version=0, body=body)
    assert event_codec.decode_event(old) == NoteAdded(note_id="note-1", text="the mole is Pell")
    assert old.body == body


MARA = CreateCharacter(
    name="Mara",
    reactions=[ReactionDraft("Laughs too loudly", "laugh"), ReactionDraft("Hums", "hum")],
)
CREATED = CharacterCreated(
    character_id="character-1",
    player_id=None,
    name="Mara",
    stats={},
    skills={},
    od_start=0,
    reactions=[Reaction("laugh", "Laughs too loudly"), Reaction("hum", "Hums")],
)


def test_words_deep_inside_an_event_and_its_command_are_erased_like_any_others():
    row = sealed(event=CREATED, request=ActRequest(command=MARA))
    assert b"Hums" not in row.body + (row.command or b"")
    assert b"laugh" in row.body
    assert event_codec.decode_event(row) == CREATED
    request = event_codec.decode_request(row)
    assert request is not None
    assert request["command"]["reactions"][1] == {"text": "Hums", "id": "hum"}
    assert event_codec.texts_belong(row)
    erased = structs.replace(row, text_salt=None, texts=None)
    assert [each.text for each in event_codec.decode_event(erased).reactions] == ["erased", "erased"]
    request = event_codec.decode_request(erased)
    assert request is not None
    assert request["command"]["reactions"][0]["text"] == "erased"
    assert link_of(CAMPAIGN, GENESIS, erased) is not None


def test_wherever_a_text_stands_it_is_found():
    assert personal_paths(CreateCharacter) == (("reactions", "*", "text"),)
    assert personal_paths(CharacterAdopted) == (
        ("sheet", "reactions", "*", "text"),
        ("sheet", "relations", "*", "nature"),
    )


def test_words_that_were_stored_in_the_open_before_they_could_be_erased_are_still_read():
    body = msgspec.json.encode(CREATED)
    old = structs.replace(sealed(event=CREATED, request=None), body=body, text_salt=None, texts=None)
    assert event_codec.decode_event(old) == CREATED


def test_an_adopted_sheet_keeps_its_words_beside_the_log():
    sheet = Character("character-1", None, "Mara", {}, {}, reactions=[Reaction("hum", "Hums")])
    sheet.relations["ines"] = Relation("Ines", "an old flame")
    adopted = CharacterAdopted(sheet, [])
    row = sealed(event=adopted, request=None)
    assert b"Hums" not in row.body
    assert b"flame" not in row.body
    assert event_codec.decode_event(row) == adopted
