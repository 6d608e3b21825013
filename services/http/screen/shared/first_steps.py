"""The first steps where there is nothing yet: the words, and the links that stand beside them."""

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec import Struct

from domain.ids import SystemId
from domain.mechanics.builders import Builder
from domain.sentences import Part, Sentence, say
from domain.systems import SYSTEMS
from domain.systems.system import RuleSystem
from projections.command_forms import CommandOffer
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import campaign_path

PRODUCTS: Final = ("character", "fight", "catalogue")
"""The kinds of things that builders make."""


class FirstStep(Struct, frozen=True):
    """Something to do first, and its page."""

    path: str
    title: Part


class FirstSteps(Struct, frozen=True):
    """That there is nothing yet, why nothing can be product now, and what to do."""

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


def builder_of(rules: RuleSystem, product: str) -> Builder | None:
    """The builder of a rule system for such things."""
    return {"character": rules.builder, "fight": rules.fight, "catalogue": rules.catalogue}.get(product)


def build_path(path: str, system: SystemId, product: str) -> str:
    """The address of a builder in a campaign with this path."""
    return f"{path}/build/{system}" if product == "character" else f"{path}/build/{system}/{product}"


def builders(campaign: VisibleCampaign, page: str = "", product: str = "character") -> list[FirstStep]:
    """The builders of a campaign's games, for those who may use them; `page` is where they lead back to.

    None for what is there already, such as a fight that goes on.
    """
    path = campaign_path(campaign)
    steps = [*_builders_at_hand(campaign, product)]
    return [
        FirstStep(
            f"{build_path(path, rules.id, product)}?next={path}{page}",
            builder.title
            if len(steps) == 1
            else say("{game}: {command}", game=rules.title, command=builder.title),
        )
        for rules, builder in steps
    ]


def sheet_builders(campaign: VisibleCampaign, page: str = "") -> list[FirstStep]:
    """The builders that stand beside sheets: of characters, and of what these may have."""
    return [*builders(campaign, page), *builders(campaign, page, "catalogue")]


def _builders_at_hand(campaign: VisibleCampaign, product: str) -> Iterator[tuple[RuleSystem, Builder]]:
    if campaign.role == "observer" or campaign.state.archived_at is not None:
        return
    for system, state in campaign.state.systems.items():
        builder = builder_of(SYSTEMS[system], product)
        if builder is not None and (campaign.role == "gm" or not builder.gm_only) and not builder.is_on(state):
            yield SYSTEMS[system], builder


def builder_around(campaign: VisibleCampaign, command: type[Struct]) -> str:
    """The address of the builder that a command is the first or the deciding one of; empty where there is none."""
    for product in PRODUCTS:
        for rules, builder in _builders_at_hand(campaign, product):
            if command in (
                builder.gate or builder.steps[0].kind,
                builder.steps[-1].kind if builder.gate else None,
            ):
                return build_path(campaign_path(campaign), rules.id, product)
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
