"""Configurations, which cost Overdrive, and reactions, which win it back (OD-12, OD-13).

Codes: unknown_configuration, configuration_active, configuration_lost, unknown_reaction, which_reaction,
no_reaction_shown.
"""

from msgspec import UNSET

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Rejection
from domain.sentences import either, say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import find_own, in_words, require_mech, require_no_loss
from domain.systems.overdrive.ledger import move, spend
from domain.systems.overdrive.state import Character, OverdriveState, PlayedReaction
from domain.systems.overdrive.tables import CONFIG_PRICE, RECOVERED


def activate_configuration(
    state: OverdriveState, context: CommandContext, command: c.ActivateConfiguration
) -> list[e.Event]:
    """OD-C8: activate a configuration until the fight ends or it is lost (OD-A27)."""
    character = find_own(state, context, command.character, "OD-C8")
    if state.participant(character.character_id) is not None:
        require_no_loss(state.combat, character)
    mech = require_mech(state, character, "OD-C8")
    how = mech.configs.get(command.config)
    if how is None:
        raise Rejection(
            "unknown_configuration",
            say("{name} has no configuration “{config}”.", name=mech.name, config=in_words(command.config)),
            rule="OD-C8",
            choices=sorted(mech.configs),
        )
    if how == "active":
        raise Rejection(
            "configuration_active",
            say("“{config}” is already active.", config=in_words(command.config)),
            rule="OD-C8",
        )
    if how == "lost":
        raise Rejection(
            "configuration_lost", say("“{config}” is lost.", config=in_words(command.config)), rule="OD-C8"
        )
    return [
        spend(character, CONFIG_PRICE, "configuration", "OD-12"),
        e.ConfigurationActivated(character.character_id, mech.mech_id, command.config),
    ]


def play_reaction(state: OverdriveState, context: CommandContext, command: c.PlayReaction) -> list[e.Event]:
    """OD-C9: a player shows a reaction; a GM's call, or confirmation, brings the points back."""
    character = find_own(state, context, command.character, "OD-C9")
    reaction = _reaction(state, context, character, command.reaction)
    if not context.is_gm:
        offer_id = derive_id("offer", context.action_id)
        return [e.ReactionOffered(character.character_id, reaction, command.weight, offer_id)]
    shown = state.offered.get(character.character_id)
    recovered = min(RECOVERED[command.weight], max(0, character.od.spent))
    return [
        e.ReactionPlayed(
            character=character.character_id,
            reaction=reaction,
            weight=command.weight,
            recovered=recovered,
            available_after=character.od.available + recovered,
            spent_after=character.od.spent - recovered,
            offer_id=shown.offer_id if shown is not None and shown.reaction == reaction else UNSET,
        )
    ]


def decline_reaction(
    state: OverdriveState, context: CommandContext, command: c.DeclineReaction
) -> list[e.ReactionDeclined]:
    """OD-C9: decline a reaction. Raises `no_reaction_shown`."""
    character = find_own(state, context, command.character or _whose_is_shown(state, context), "OD-C9")
    shown_reaction = state.offered.get(character.character_id)
    if shown_reaction is None:
        raise Rejection(
            "no_reaction_shown",
            say("No reaction of {name} is waiting for the GM.", name=character.name),
            rule="OD-C9",
        )
    text = next(
        (reaction.text for reaction in character.reactions if reaction.id == shown_reaction.reaction),
        shown_reaction.reaction,
    )
    back = not context.is_gm
    return [
        e.ReactionDeclined(character.character_id, shown_reaction.reaction, text, back, shown_reaction.offer_id)
    ]


def _whose_is_shown(state: OverdriveState, context: CommandContext) -> str:
    """The character whose shown reaction is meant, of those the asker speaks for. Raises `no_reaction_shown`."""
    characters = [state.characters[who] for who in state.by_name(state.offered) if who in state.characters]
    return the_one(
        context,
        "character",
        [character for character in characters if context.is_gm or character.player_id == context.account],
        code="which_character",
        message=lambda several: say(
            "Which character? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule="OD-C9",
        describe=lambda candidate: {"character": candidate.character_id, "name": candidate.name},
        none=lambda: Rejection("no_reaction_shown", "No reaction has been shown to the GM.", rule="OD-C9"),
    ).character_id


def _reaction(state: OverdriveState, context: CommandContext, character: Character, reaction: str | None) -> str:
    """The reaction that is named, or shown, or the only one. Raises `unknown_reaction` or `which_reaction`."""
    texts = {known_reaction.id: known_reaction.text for known_reaction in character.reactions}
    shown_reaction = state.offered.get(character.character_id)
    if reaction is None and shown_reaction is not None:
        context.filled["reaction"] = shown_reaction.reaction
        return shown_reaction.reaction
    if reaction is None and texts:
        return the_one(
            context,
            "reaction",
            texts,
            code="which_reaction",
            message=say("Which reaction? {choices}.", choices=either(texts.values())),
            rule="OD-C9",
            describe=lambda candidate: {"reaction": candidate, "name": texts[candidate]},
        )
    if reaction is None or reaction not in texts:
        raise Rejection(
            "unknown_reaction",
            say("{name} does not have that reaction.", name=character.name),
            rule="OD-C9",
            choices=[{"reaction": id_, "name": text} for id_, text in texts.items()],
        )
    return reaction


def configuration_activated(state: OverdriveState, event: e.ConfigurationActivated) -> None:
    """Mark the configuration as active."""
    mech = state.mechs.get(event.mech)
    if mech is not None and mech.configs.get(event.config) == "available":
        mech.configs[event.config] = "active"


def reaction_offered(state: OverdriveState, event: e.ReactionOffered) -> None:
    """Keep the latest reaction for the GM."""
    if event.character in state.characters:
        shown = PlayedReaction(event.character, event.reaction, event.weight, event.offer_id)
        state.offered[event.character] = shown


def reaction_played(state: OverdriveState, event: e.ReactionPlayed) -> None:
    """Move points from spent to available."""
    move(state, event.character, -event.recovered)
    state.offered.pop(event.character, None)


def reaction_declined(state: OverdriveState, event: e.ReactionDeclined) -> None:
    """Remove the shown reaction."""
    state.offered.pop(event.character, None)
