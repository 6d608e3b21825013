"""The first steps where there is nothing yet: the words, and the links that stand beside them."""

from collections.abc import Mapping

from msgspec import Struct

from domain.ids import SystemId
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from projections.possible_commands import CommandOffer
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import campaign_path


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
"""The words for a moment of the past."""


async def first_steps(application: Application, campaign: VisibleCampaign, page: str = "") -> FirstSteps:
    """The forms that a table begins with in each game, as far as it is; `page` is where they lead back to.

    None for those who only read, and in an archived campaign.
    """
    makes_characters = any(SYSTEMS[system].makes_characters for system in campaign.state.systems)
    sentence = (
        say("There are no characters yet.")
        if makes_characters
        else say("This game has no sheets: everything stands on its board.")
    )
    if campaign.role == "observer" or campaign.state.archived_at is not None:
        return FirstSteps(sentence)
    path = campaign_path(campaign)
    possible = await application.possible.all(campaign, None, choices=False)
    offers_by_command = {offer.command: offer for offer in possible.commands}
    offers = [(system, _offer_of(offers_by_command, system)) for system in campaign.state.systems]
    steps = [
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
        return FirstSteps(sentence, steps=steps)
    refusals = [offer.refused.detail for _, offer in offers if offer is not None and offer.refused is not None]
    return FirstSteps(sentence, refusals, steps or [FirstStep(f"{path}/do", say("See what you can do"))])


def _offer_of(offers_by_command: Mapping[str, CommandOffer], system: SystemId) -> CommandOffer | None:
    """Of the commands that a table begins with the last that is possible, else the first of all, refused."""
    rules = SYSTEMS[system]
    kinds = [*([rules.makes_characters] if rules.makes_characters else []), *reversed(rules.begins_with)]
    offers = [offers_by_command[str(kind.__struct_config__.tag)] for kind in kinds]
    return next((offer for offer in offers if offer.possible != "no"), offers[0] if offers else None)
