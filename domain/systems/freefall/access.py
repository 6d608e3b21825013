"""Permission to give commands, and the ids that a command leaves out.

Codes: not_the_gm, not_your_character, observers_only_watch, tn_is_the_gms (forbidden); unknown_character,
which_character, no_character, unknown_item, unknown_machine, which_machine, no_machine, character_ousted,
harm_pending.
"""

from msgspec import UNSET, UnsetType

from domain.command_context import CommandContext
from domain.ids import AccountId
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, say
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Action, Character, FreefallState, Item, Machine
from domain.systems.freefall.tables import AttributeName


def require_gm(context: CommandContext, rule: str) -> None:
    """Raise `not_the_gm` unless a GM or the campaign itself asks."""
    if not context.is_gm:
        raise Forbidden("not_the_gm", "Only a GM may do that.", rule=rule)


def is_own(character: Character, context: CommandContext) -> bool:
    """Whether the asker decides for a character: its player, or a GM for one without an active player."""
    if character.player is None or context.is_absent(character.player):
        return context.is_gm
    return context.account == character.player


def require_own(character: Character, context: CommandContext, rule: str) -> None:
    """Raise `not_your_character` unless the character's player or a GM asks."""
    if not context.is_gm and not is_own(character, context):
        raise Forbidden(
            "not_your_character",
            say("Only the player of {name} or a GM may do that.", name=character.name),
            rule=rule,
        )


def find_character(
    state: FreefallState, context: CommandContext, character: str | None, rule: str, *, item: str | None = None
) -> Character:
    """The character that a command means: the item's owner, the asker's only one, or the only one there is.

    Raises `unknown_character`, `no_character` or `which_character`.
    """
    if character is not None:
        sheet = state.characters.get(character)
        if sheet is None:
            raise Rejection("unknown_character", "That character does not exist here.", rule=rule)
        return sheet
    everyone = state.people()
    if item is not None:
        everyone = [sheet for sheet in everyone if item in sheet.items] or everyone
    return the_one(
        context,
        "character",
        everyone,
        lambda candidate: candidate.player is not None and candidate.player == context.account,
        code="which_character",
        message=lambda several: say(
            "Which character? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule=rule,
        describe=lambda candidate: {"character": candidate.character_id, "name": candidate.name},
        none=lambda: Rejection("no_character", "There is no character yet; create one first.", rule=rule),
    )


def acting(
    state: FreefallState, context: CommandContext, character: str | None, rule: str, *, item: str | None = None
) -> Character:
    """A character that the asker commands, and that is still in the story."""
    sheet = find_character(state, context, character, rule, item=item)
    require_own(sheet, context, rule)
    require_active(sheet, rule)
    return sheet


def require_active(character: Character, rule: str) -> None:
    """Raise `character_ousted`."""
    if character.status == "ousted":
        raise Rejection(
            "character_ousted", say("{name} is ousted and no longer in the story.", name=character.name), rule=rule
        )


def require_settled(state: FreefallState, character: Character, rule: str) -> None:
    """Raise `harm_pending` while a character has harm to resolve, because much depends on how they choose."""
    waiting = [call.call_id for call in state.called if call.character == character.character_id]
    if waiting:
        raise Rejection(
            "harm_pending",
            say("{name} has harm to resolve first: choose for each of its levels.", name=character.name),
            rule=rule,
            calls=waiting,
        )


def find_item(character: Character, item: str, rule: str) -> Item:
    """An item of a character. Raises `unknown_item`."""
    piece = character.items.get(item)
    if piece is None:
        raise Rejection(
            "unknown_item",
            say("{name} does not have that item.", name=character.name),
            rule=rule,
            choices=[{"item": id_, "name": piece.what.name} for id_, piece in character.gear()],
        )
    return piece


def find_machine(
    state: FreefallState,
    context: CommandContext,
    machine: str | None,
    rule: str,
    *,
    pilot: Character | None = None,
) -> Machine:
    """The machine that a command means: if left out, that of `pilot`, else the only one there is.

    Raises `unknown_machine`, `no_machine` or `which_machine`.
    """
    if machine is not None:
        known_machine = state.machines.get(machine)
        if known_machine is None:
            raise Rejection("unknown_machine", "That machine does not exist here.", rule=rule)
        return known_machine
    aboard = state.machine_of(pilot.character_id) if pilot is not None else None
    return the_one(
        context,
        "machine",
        [aboard] if aboard is not None else state.listed_machines(),
        code="which_machine",
        message=lambda several: say(
            "Which machine? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule=rule,
        describe=lambda candidate: {"machine": candidate.machine_id, "name": candidate.name},
        none=lambda: Rejection("no_machine", "There is no machine yet; a GM creates one first.", rule=rule),
    )


def said_of(action: Action) -> tuple[str | UnsetType, AttributeName | UnsetType]:
    """The declaration of an action, for readers of its further events."""
    return action.tag or UNSET, action.attribute or UNSET


def owner_of_choice(state: FreefallState, character: str) -> AccountId | None:
    """The player who chooses for a character's harm; None: a GM."""
    sheet = state.characters.get(character)
    return sheet.player if sheet is not None else None


def require_bonus(context: CommandContext, bonus: int) -> None:
    """Raise `bonus_is_the_gms` for bonuses of a player's own, unless the roller names the TN anyway."""
    settings: Settings = context.settings
    if not bonus or settings.tn_named_by == "roller" or context.is_gm or context.decided_before:
        return
    raise Forbidden(
        "bonus_is_the_gms",
        "Tools add their bonuses by themselves, and any other is the GM's to give; leave it out.",
        rule="FF-10",
    )


def require_tn(context: CommandContext) -> None:
    """Raise `tn_is_the_gms` where only a GM names TNs."""
    settings: Settings = context.settings
    if settings.tn_named_by == "gm" and not context.is_gm and not context.decided_before:
        raise Forbidden("tn_is_the_gms", "The GM names the TN at this table; leave it out.", rule="FF-10")
