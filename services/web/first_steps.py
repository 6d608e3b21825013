"""What to do first where there is nothing yet: what is said, and the links that stand beside it."""

from collections.abc import Sequence

from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.possible_commands import CommandOffer
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.web.campaign_page import campaign_path


class FirstStep(Struct, frozen=True):
    """Something to do first, and its page."""

    path: str
    title: Part


class FirstSteps(Struct, frozen=True):
    """That there is nothing yet, why nothing can be made now, and what to do."""

    told: Sentence
    waits_for: list[str] = []
    steps: list[FirstStep] = []


BEFORE = FirstSteps(say("There were no characters yet."))
"""What is said at a moment of the past."""


async def first_steps(application: Application, seen: VisibleCampaign, page: str = "") -> FirstSteps:
    """The forms that a table begins with in each game, as far as it is; `page` is where they lead back to.

    None for those who only read, and in an archived campaign.
    """
    makes_characters = any(SYSTEMS[each].makes_characters for each in seen.state.systems)
    told = (
        say("There are no characters yet.")
        if makes_characters
        else say("This game has no sheets: everything stands on its board.")
    )
    if seen.role == "observer" or seen.state.archived_at is not None:
        return FirstSteps(told)
    path = campaign_path(seen)
    offers = [(each, await _offered(application, seen, _beginnings(each))) for each in seen.state.systems]
    found = [
        FirstStep(
            f"{path}/do/{offer.command}?next={path}{page}",
            say("{game}: {command}", game=SYSTEMS[system].title, command=offer.title)
            if len(offers) > 1
            else offer.title,
        )
        for system, offer in offers
        if offer is not None and offer.refused is None
    ]
    if not makes_characters:
        return FirstSteps(told, steps=found)
    refused = [offer.refused.detail for _, offer in offers if offer is not None and offer.refused is not None]
    return FirstSteps(told, refused, found or [FirstStep(f"{path}/do", say("See what you can do"))])


def _beginnings(system: SystemId) -> list[type[Struct]]:
    """The commands that a table begins with, the last one first."""
    rules = SYSTEMS[system]
    return [*([rules.makes_characters] if rules.makes_characters else []), *reversed(rules.begins_with)]


async def _offered(
    application: Application, seen: VisibleCampaign, beginnings: Sequence[type[Struct]]
) -> CommandOffer | None:
    """The first of these commands that is possible, else the first of all with why it is not."""
    offers = [await application.possible.one(seen, {"type": each.__struct_config__.tag}) for each in beginnings]
    return next((each for each in offers if each.possible != "no"), offers[0] if offers else None)
