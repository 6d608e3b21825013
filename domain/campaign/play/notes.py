"""What people write down."""

from domain.campaign.commands import AddNote
from domain.campaign.events import CampaignEvent, NoteAdded
from domain.campaign.play.characters import system_of
from domain.campaign.state import CampaignState
from domain.command_context import Asked
from domain.ids import born


def add_note(state: CampaignState, asked: Asked, command: AddNote) -> list[CampaignEvent]:
    """Keep a note, perhaps about a character. Refuses `unknown_character`."""
    if command.about is not None:
        system_of(state, command.about)
    note_id = born("note", asked.action_id)
    return [NoteAdded(note_id=note_id, text=command.text, about=command.about)]
