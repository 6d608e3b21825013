"""Permission to give commands, and the ids that a command leaves out.

Codes: not_the_gm, not_your_character, only_a_worker, no_character_of_yours (forbidden); unknown_character,
which_character, no_character, no_mech, unknown_mech, which_mech, combat_in_progress, no_combat,
not_in_combat, not_your_turn, not_fit, pending_loss.
"""

from collections.abc import Iterable

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, say, term
from domain.systems.overdrive.state import Character, Combat, Mech, OverdriveState, Participant


def require_gm(context: CommandContext, rule: str) -> None:
    """Raise `not_the_gm` unless a GM or the campaign itself asks."""
    if not context.is_gm:
        raise Forbidden("not_the_gm", "Only the GM may do that.", rule=rule)


def require_worker(context: CommandContext, rule: str) -> None:
    """Raise `only_a_worker` unless the campaign itself asks."""
    if context.role != "worker":
        raise Forbidden("only_a_worker", "That happens by itself when it is due.", rule=rule)


def require_player_of(character: Character, context: CommandContext, rule: str) -> None:
    """Raise `not_your_character` unless the player asks, or a GM for a character without an active player."""
    if context.is_gm and not is_played(character, context):
        return
    if character.player_id is None or context.account != character.player_id:
        raise Forbidden(
            "not_your_character",
            say("{name} is not yours; only their player may do that.", name=character.name),
            rule=rule,
        )


def is_played(character: Character, context: CommandContext) -> bool:
    """Whether a character has a player who may still act here, as far as that is known."""
    if character.player_id is None or context.members is None:
        return character.player_id is not None
    return context.members.get(character.player_id) in ("gm", "player")


def require_player_or_gm(character: Character, context: CommandContext, rule: str) -> None:
    """Raise `not_your_character` unless the character's player or a GM asks."""
    if not context.is_gm:
        require_player_of(character, context, rule)


def require_any_player(state: OverdriveState, context: CommandContext, rule: str) -> None:
    """Raise `no_character_of_yours` unless a GM asks, or an account that plays a character."""
    plays = any(character.player_id == context.account for character in state.characters.values())
    if not context.is_gm and not plays:
        raise Forbidden("no_character_of_yours", "You need a character of your own for that.", rule=rule)


def in_words(key: str) -> str:
    """A key of the group's own as words: `heat_lance` → `heat lance`."""
    return key.replace("_", " ")


def name_of(state: OverdriveState, thing: str) -> str:
    """The name of a character or mech by its id; any other text stays as it is."""
    subject = state.characters.get(thing) or state.mechs.get(thing)
    return subject.name if subject is not None else thing


def find_character(state: OverdriveState, context: CommandContext, character: str | None, rule: str) -> Character:
    """The character that a command means: the asker's only one, else the campaign's only one, if it names none.

    Raises `unknown_character`, `no_character` or `which_character`.
    """
    if character is not None:
        sheet = state.characters.get(character)
        if sheet is None:
            raise Rejection("unknown_character", "There is no such character here.", rule=rule)
        return sheet
    return the_one(
        context,
        "character",
        sorted(state.characters.values(), key=lambda sheet: (sheet.name, sheet.character_id)),
        lambda candidate: candidate.player_id is not None and candidate.player_id == context.account,
        code="which_character",
        message=lambda several: say(
            "Which character? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule=rule,
        describe=lambda candidate: {"character": candidate.character_id, "name": candidate.name},
        none=lambda: Rejection("no_character", "There is no character yet; create one first.", rule=rule),
    )


def whose_turn_is_meant(
    state: OverdriveState, context: CommandContext, people: Iterable[str], now: str | None
) -> str | None:
    """The actor where a command names no character: `now`, unless the player has others of `people`."""
    own = sorted(
        who
        for who in people
        if not context.is_gm and who in state.characters and state.characters[who].player_id == context.account
    )
    return own[0] if own and now not in own else now


def nameable(state: OverdriveState, context: CommandContext) -> list[Character]:
    """Everyone that the events of a command may name, by name; hidden characters only if the events are hidden."""
    everybody = [state.characters[who] for who in state.by_name(state.characters)]
    return [character for character in everybody if not character.hidden or context.visibility == "gm"]


def find_own(state: OverdriveState, context: CommandContext, character: str | None, rule: str) -> Character:
    """The character that a command means; its player or a GM must ask."""
    sheet = find_character(state, context, character, rule)
    require_player_or_gm(sheet, context, rule)
    return sheet


def require_mech(state: OverdriveState, character: Character, rule: str) -> Mech:
    """A character's mech. Raises `no_mech`."""
    mech = state.mech_of(character)
    if mech is None:
        raise Rejection(
            "no_mech", say("{name} has no mech, and needs one for this.", name=character.name), rule=rule
        )
    return mech


def find_mech(state: OverdriveState, context: CommandContext, mech: str | None, rule: str) -> Mech:
    """The mech that a command means. Raises `unknown_mech`, `no_mech` or `which_mech`."""
    if mech is not None:
        known_mech = state.mechs.get(mech)
        if known_mech is None:
            raise Rejection("unknown_mech", "There is no such mech here.", rule=rule)
        return known_mech
    own = {
        character.character_id
        for character in state.characters.values()
        if character.player_id is not None and character.player_id == context.account
    }
    return the_one(
        context,
        "mech",
        [state.mechs[mech_id] for mech_id in state.by_name(state.mechs)],
        lambda candidate: candidate.pilot in own,
        code="which_mech",
        message=lambda several: say(
            "Which mech? {choices}.", choices=either(candidate.name for candidate in several)
        ),
        rule=rule,
        describe=lambda candidate: {"mech": candidate.mech_id, "name": candidate.name},
        none=lambda: Rejection("no_mech", "There is no mech yet; create one first.", rule=rule),
    )


def require_no_combat(state: OverdriveState, rule: str) -> None:
    """Raise `combat_in_progress` during a fight."""
    if state.combat is not None:
        raise Rejection("combat_in_progress", "That has to wait until the fight is over.", rule=rule)


def require_combat(state: OverdriveState, rule: str) -> Combat:
    """The current fight. Raises `no_combat`."""
    if state.combat is None:
        raise Rejection("no_combat", "There is no fight going on.", rule=rule)
    return state.combat


def require_fighter(combat: Combat, character: Character, rule: str) -> Participant:
    """The character's place in the fight. Raises `not_in_combat`, or `not_fit` for one who cannot fight."""
    fighter = combat.participants.get(character.character_id)
    if fighter is None:
        raise Rejection("not_in_combat", say("{name} is not in this fight.", name=character.name), rule=rule)
    require_fit(character)
    return fighter


def require_fit(character: Character) -> None:
    """Raise `not_fit` for a character who cannot fight."""
    if character.status != "fit":
        raise Rejection(
            "not_fit",
            say("{name} is {status} and cannot act.", name=character.name, status=term(character.status)),
            rule="OD-26",
        )


def require_turn(state: OverdriveState, character: Character, rule: str) -> None:
    """Raise unless it is the character's turn. Raises `surprised_no_action` or `not_your_turn`."""
    combat = state.combat
    if combat is not None and combat.is_surprised(character.character_id):
        raise Rejection(
            "surprised_no_action",
            say("{name} is surprised: in the first turn only defences and configurations.", name=character.name),
            rule="OD-19",
        )
    require_acting(state, character, rule)


def require_acting(state: OverdriveState, character: Character, rule: str) -> None:
    """Raise `not_your_turn` unless it is the character's turn."""
    acting = state.acting
    if acting == character.character_id:
        return
    sentence = say("The turns have not begun yet: initiative comes first.")
    if acting is not None:
        sentence = say("It is {acting}'s turn, not {name}'s.", acting=name_of(state, acting), name=character.name)
    raise Rejection("not_your_turn", sentence, rule=rule, acting=acting)


def require_no_loss(combat: Combat | None, character: Character) -> None:
    """OD-26: raise `pending_loss`, because a failed stabilisation is settled before anything else."""
    if combat is not None and combat.rulings and character.pending_loss is not None:
        raise loss_comes_first(character)


def loss_comes_first(character: Character) -> Rejection:
    """The rejection of a command that has to wait for a loss."""
    return Rejection(
        "pending_loss",
        say("{name} has to choose first what the failed stabilisation costs.", name=character.name),
        rule="OD-26",
        character=character.character_id,
    )
