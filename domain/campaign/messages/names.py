"""The command and the event of names: a thing in a campaign is called otherwise from now on."""

from typing import Annotated

from domain.campaign.messages.base_types import Command, Event
from domain.field_references import new, ref
from domain.ids import ActionId
from domain.personal_text import Name, Reference


class Rename(Command, frozen=True, tag="campaign.rename"):
    """Give something another name; earlier lines of the chronicle keep the one of their time.

    `thing` is a character, a frame or another machine, a company, a thing of the group, a play session or a scene;
    left out, it is the campaign. GMs rename anything, players what is theirs.
    """

    name: Annotated[Name, new]
    thing: Annotated[Reference, ref("named")] | None = None


class Renamed(Event, frozen=True, tag="campaign.renamed"):
    """Something has another name from this action on."""

    thing: str | None
    """None: the campaign."""
    name: str
    previous: str | None
    """None: it had no name."""
    renamed_in: ActionId
