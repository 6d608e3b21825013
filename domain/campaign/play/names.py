"""The names of things in a campaign, and those that they had before.

Codes: gm_only, not_yours_to_name, unknown_thing.
"""

from msgspec import structs

from domain.campaign.membership import must_be_gm
from domain.campaign.messages.names import Rename, Renamed
from domain.campaign.play.ledger_accounts import owner_of_thing
from domain.campaign.state import CampaignState, FormerName
from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems import SYSTEMS

THING = About("thing")

FORMER_NAMES_MAX = 20
"""So many former names of a thing are kept, the last ones."""


def renameable(state: CampaignState) -> dict[str, AccountId | None]:
    """Everything that can be renamed, by id, with its player (None: it is a GM's)."""
    things: dict[str, AccountId | None] = {}
    for system, inner in state.systems.items():
        things |= SYSTEMS[system].nameable(inner)
    own_things = {thing: owner_of_thing(state, thing) for thing in state.things}
    return {**things, **dict.fromkeys(state.titles), **own_things}


def rename(state: CampaignState, context: CommandContext, command: Rename) -> list[Renamed]:
    """Give a thing, or the campaign, another name; the name that it has gives no events."""
    if command.thing is None:
        with THING:
            must_be_gm(context, say("Only a GM may rename the campaign."))
        previous: str | None = state.name
    else:
        things = renameable(state)
        if command.thing not in things:
            with THING:
                raise Rejection("unknown_thing", "Nothing here that can be renamed has that id or name.")
        if not context.is_gm and things[command.thing] != context.account:
            with THING:
                raise Forbidden("not_yours_to_name", "Only a GM, or the player whose it is, may rename that.")
        previous = _present_name(state, command.thing)
    return [] if command.name == previous else [Renamed(command.thing, command.name, previous, context.action_id)]


def _present_name(state: CampaignState, thing: str) -> str | None:
    """The name of a thing that can be renamed."""
    if thing in state.things:
        return state.things[thing].name
    names = (SYSTEMS[system].name(inner, thing) for system, inner in state.systems.items())
    return next(filter(None, names), state.titles.get(thing) or None)


def call(state: CampaignState, event: Renamed) -> None:
    """Call the thing so from here on, and keep the name that it had."""
    if event.thing is None:
        state.name = event.name
        return
    if event.thing in state.things:
        state.things[event.thing] = structs.replace(state.things[event.thing], name=event.name)
    for system, inner in state.systems.items():
        SYSTEMS[system].rename(inner, event.thing, event.name)
    if event.thing.startswith(TITLED):
        state.later_titles[event.thing] = event.name
        _retitle(state, event.thing, event.name)
    elif event.previous is not None:
        former = [*state.former_names.get(event.thing, ()), FormerName(event.previous, event.renamed_in)]
        state.former_names[event.thing] = former[-FORMER_NAMES_MAX:]


TITLED = ("session-", "scene-")
"""How the ids of things with a title begin."""


def _retitle(state: CampaignState, thing: str, title: str) -> None:
    if thing in state.titles:
        state.titles[thing] = title
    if state.session is not None and state.session.session_id == thing:
        state.session.title = title
    if state.scene is not None and state.scene.scene_id == thing:
        state.scene.name = title
