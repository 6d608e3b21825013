"""Notes that members write."""

from domain.campaign.commands import AddNote
from domain.campaign.events import CampaignEvent, NoteAdded
from domain.campaign.play.characters import system_of
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Rejection
from domain.sentences import say


def note_empty() -> Rejection:
    """The refusal of a note that says nothing."""
    return Rejection("note_empty", say("Write something first, then it can be written down."))


def add_note(state: CampaignState, context: CommandContext, command: AddNote) -> list[CampaignEvent]:
    """Add a note, perhaps about a character. Raises `note_empty` and `unknown_character`."""
    if not command.text.strip() and not context.decided_before:  # old logs have such notes
        raise note_empty()
    if command.about is not None:
        system_of(state, command.about)
    note_id = derive_id("note", context.action_id)
    return [NoteAdded(note_id=note_id, text=command.text, about=command.about)]
