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
        _step_of(system, offer, path, page, is_alone=len(offers) == 1)
        for system, offer in offers
        if offer is not None and offer.refused is None
    ]
    if not makes_characters:
        return FirstSteps(sentence, steps=steps)
    refusals = [offer.refused.detail for _, offer in offers if offer is not None and offer.refused is not None]
    return FirstSteps(sentence, refusals, steps or [FirstStep(f"{path}/do", say("See what you can do"))])


def _step_of(system: SystemId, offer: CommandOffer, path: str, page: str, *, is_alone: bool) -> FirstStep:
    """The builder that a command belongs to, else the command's own form."""
    builder = SYSTEMS[system].builder
    is_built = builder is not None and offer.command == builder.steps[0].kind.__struct_config__.tag
    title: Part = offer.title if builder is None or not is_built else builder.title
    return FirstStep(
        f"{path}/{f'build/{system}' if is_built else f'do/{offer.command}'}?next={path}{page}",
        title if is_alone else say("{game}: {command}", game=SYSTEMS[system].title, command=title),
    )


def builders(campaign: VisibleCampaign, page: str = "") -> list[FirstStep]:
    """The builders of a campaign's games, for those who may act; `page` is where they lead back to."""
    if campaign.role == "observer" or campaign.state.archived_at is not None:
        return []
    path = campaign_path(campaign)
    rules = [SYSTEMS[system] for system in campaign.state.systems if SYSTEMS[system].builder is not None]
    return [
        FirstStep(
            f"{path}/build/{system.id}?next={path}{page}",
            system.builder.title
            if len(rules) == 1
            else say("{game}: {command}", game=system.title, command=system.builder.title),
        )
        for system in rules
        if system.builder is not None
    ]


def builder_around(campaign: VisibleCampaign, command: type[Struct]) -> str:
    """The address of the builder that a command is the first of; empty where there is none."""
    for system in campaign.state.systems:
        builder = SYSTEMS[system].builder
        if builder is not None and builder.steps[0].kind is command:
            return f"{campaign_path(campaign)}/build/{system}"
    return ""


def copy_path(campaign: VisibleCampaign, system: SystemId, thing: str) -> str:
    """The address of the builder with a copy of a thing; empty where there is none, or the reader makes none."""
    builder = SYSTEMS[system].builder
    if builder is None or thing not in builder.originals(campaign.state.systems[system]) or not builders(campaign):
        return ""
    path = campaign_path(campaign)
    return f"{path}/build/{system}?like={thing}&next={path}/sheets/{thing}"


def _offer_of(offers_by_command: Mapping[str, CommandOffer], system: SystemId) -> CommandOffer | None:
    """Of the commands that a table begins with the last that is possible, else the first of all, refused."""
    rules = SYSTEMS[system]
    kinds = [*([rules.makes_characters] if rules.makes_characters else []), *reversed(rules.begins_with)]
    offers = [offers_by_command[str(kind.__struct_config__.tag)] for kind in kinds]
    return next((offer for offer in offers if offer.possible != "no"), offers[0] if offers else None)
