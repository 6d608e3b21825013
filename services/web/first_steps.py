"""What to do first where there is nothing yet: the links that stand beside such a sentence."""

from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Part, say
from domain.systems import SYSTEMS
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.web.campaign_page import campaign_path

MAKES_CHARACTERS: dict[SystemId, str] = {
    SystemId("frame_state"): "frame_state.create_pilot",
    SystemId("freefall"): "freefall.create_character",
    SystemId("angst"): "angst.create_character",
    SystemId("overdrive"): "overdrive.create_character",
}
"""The commands that make the characters of a system, where it has any."""


class FirstStep(Struct, frozen=True):
    """Something to do first, and its page."""

    path: str
    title: Part


async def first_characters(application: Application, seen: VisibleCampaign) -> list[FirstStep]:
    """The forms that make a character now; where there is none, the way to what can be done.

    None for those who only read, and in an archived campaign.
    """
    if seen.role == "observer" or seen.state.archived_at is not None:
        return []
    path = campaign_path(seen)
    systems = [each for each in seen.state.systems if each in MAKES_CHARACTERS]
    offers = [(each, await application.possible.one(seen, {"type": MAKES_CHARACTERS[each]})) for each in systems]
    found = [
        FirstStep(
            f"{path}/do/{offer.command}?next={path}",
            say("{game}: {command}", game=SYSTEMS[system].title, command=offer.title)
            if len(systems) > 1
            else offer.title,
        )
        for system, offer in offers
        if offer.possible != "no"
    ]
    return found or [FirstStep(f"{path}/do", say("See what you can do"))]
