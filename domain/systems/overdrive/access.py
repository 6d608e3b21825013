"""Who may ask for what, and what a command means when it leaves an id out.

Codes: not_the_gm, not_your_character, only_a_worker, no_character_of_yours (forbidden); unknown_character,
which_character, no_character, no_mech, unknown_mech, which_mech, combat_in_progress, no_combat,
not_in_combat, not_your_turn, not_fit, pending_loss.
"""

from collections.abc import Iterable

from domain.command_context import Asked
from domain.mechanics.choose import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import either, say, term
from domain.systems.overdrive.state import Character, Combat, Mech, OverdriveState, Participant


def require_gm(asked: Asked, rule: str) -> None:
    """Only a GM, or the campaign itself. Raises `not_the_gm`."""
    if not asked.is_gm:
        raise Forbidden("not_the_gm", "Only the GM may do that.", rule=rule)


def require_worker(asked: Asked, rule: str) -> None:
    """Only the campaign itself. Raises `only_a_worker`."""
    if asked.role != "worker":
        raise Forbidden("only_a_worker", "That happens by itself when it is due.", rule=rule)


def require_player_of(character: Character, asked: Asked, rule: str) -> None:
    """Only the character's player; the GM for one whom nobody plays (any more). Raises `not_your_character`."""
    if asked.is_gm and not is_played(character, asked):
        return
    if character.player_id is None or asked.account != character.player_id:
        raise Forbidden(
            "not_your_character",
            say("{name} is not yours; only their player may do that.", name=character.name),
            rule=rule,
        )


def is_played(character: Character, asked: Asked) -> bool:
    """Whether somebody plays a character who may still act here, as far as that is known."""
    if character.player_id is None or asked.members is None:
        return character.player_id is not None
    return asked.members.get(character.player_id) in ("gm", "player")


def require_player_or_gm(character: Character, asked: Asked, rule: str) -> None:
    """The character's player or the GM. Raises `not_your_character`."""
    if not asked.is_gm:
        require_player_of(character, asked, rule)


def require_somebody(state: OverdriveState, asked: Asked, rule: str) -> None:
    """The GM, or anybody who plays a character. Raises `no_character_of_yours`."""
    plays = any(each.player_id == asked.account for each in state.characters.values())
    if not asked.is_gm and not plays:
        raise Forbidden("no_character_of_yours", "You need a character of your own for that.", rule=rule)


def in_words(key: str) -> str:
    """A key that the group made up, as words: `heat_lance` → `heat lance`."""
    return key.replace("_", " ")


def called(state: OverdriveState, thing: str) -> str:
    """What people call a character or mech by its id; what is neither is called by what was asked for."""
    known = state.characters.get(thing) or state.mechs.get(thing)
    return known.name if known is not None else thing


def find_character(state: OverdriveState, asked: Asked, character: str | None, rule: str) -> Character:
    """The character a command means; left out, the asker's only one, else the campaign's only one.

    Raises `unknown_character`, `no_character` or `which_character`.
    """
    if character is not None:
        found = state.characters.get(character)
        if found is None:
            raise Rejection("unknown_character", "There is no such character here.", rule=rule)
        return found
    return the_one(
        asked,
        "character",
        sorted(state.characters.values(), key=lambda each: (each.name, each.character_id)),
        lambda each: each.player_id is not None and each.player_id == asked.account,
        code="which_character",
        message=lambda several: say("Which character? {choices}.", choices=either(each.name for each in several)),
        rule=rule,
        describe=lambda each: {"character": each.character_id, "name": each.name},
        none=lambda: Rejection("no_character", "There is no character yet; create one first.", rule=rule),
    )


def whose_turn_is_meant(state: OverdriveState, asked: Asked, people: Iterable[str], now: str | None) -> str | None:
    """Who speaks or acts when a command names nobody: a player's own one of `people`, else whoever is on."""
    own = sorted(
        who
        for who in people
        if not asked.is_gm and who in state.characters and state.characters[who].player_id == asked.account
    )
    return own[0] if own and now not in own else now


def nameable(state: OverdriveState, asked: Asked) -> list[Character]:
    """Everybody that may be named in what comes of this, by name; the hidden only where it is hidden too."""
    everybody = [state.characters[who] for who in state.by_name(state.characters)]
    return [each for each in everybody if not each.hidden or asked.visibility == "gm"]


def find_own(state: OverdriveState, asked: Asked, character: str | None, rule: str) -> Character:
    """The character a command means, which the asker must play, or be the GM."""
    found = find_character(state, asked, character, rule)
    require_player_or_gm(found, asked, rule)
    return found


def require_mech(state: OverdriveState, character: Character, rule: str) -> Mech:
    """A character's mech. Raises `no_mech`."""
    mech = state.mech_of(character)
    if mech is None:
        raise Rejection(
            "no_mech", say("{name} has no mech, and needs one for this.", name=character.name), rule=rule
        )
    return mech


def find_mech(state: OverdriveState, asked: Asked, mech: str | None, rule: str) -> Mech:
    """The mech a command means. Raises `unknown_mech`, `no_mech` or `which_mech`."""
    if mech is not None:
        found = state.mechs.get(mech)
        if found is None:
            raise Rejection("unknown_mech", "There is no such mech here.", rule=rule)
        return found
    own = {
        each.character_id
        for each in state.characters.values()
        if each.player_id is not None and each.player_id == asked.account
    }
    return the_one(
        asked,
        "mech",
        [state.mechs[each] for each in state.by_name(state.mechs)],
        lambda each: each.pilot in own,
        code="which_mech",
        message=lambda several: say("Which mech? {choices}.", choices=either(each.name for each in several)),
        rule=rule,
        describe=lambda each: {"mech": each.mech_id, "name": each.name},
        none=lambda: Rejection("no_mech", "There is no mech yet; create one first.", rule=rule),
    )


def require_no_combat(state: OverdriveState, rule: str) -> None:
    """Raises `combat_in_progress`."""
    if state.combat is not None:
        raise Rejection("combat_in_progress", "That has to wait until the fight is over.", rule=rule)


def require_combat(state: OverdriveState, rule: str) -> Combat:
    """The fight that goes on. Raises `no_combat`."""
    if state.combat is None:
        raise Rejection("no_combat", "There is no fight going on.", rule=rule)
    return state.combat


def require_fighter(combat: Combat, character: Character, rule: str) -> Participant:
    """A place in the fight, and the strength to use it. Raises `not_in_combat` or `not_fit`."""
    found = combat.participants.get(character.character_id)
    if found is None:
        raise Rejection("not_in_combat", say("{name} is not in this fight.", name=character.name), rule=rule)
    require_fit(character)
    return found


def require_fit(character: Character) -> None:
    """The strength to fight. Raises `not_fit`."""
    if character.status != "fit":
        raise Rejection(
            "not_fit",
            say("{name} is {status} and cannot act.", name=character.name, status=term(character.status)),
            rule="OD-26",
        )


def require_turn(state: OverdriveState, character: Character, rule: str) -> None:
    """An action in one's own turn. Raises `surprised_no_action` or `not_your_turn`."""
    combat = state.combat
    if combat is not None and combat.turn == 1 and character.character_id in combat.surprised:
        raise Rejection(
            "surprised_no_action",
            say("{name} is surprised: in the first turn only defences and configurations.", name=character.name),
            rule="OD-19",
        )
    require_acting(state, character, rule)


def require_acting(state: OverdriveState, character: Character, rule: str) -> None:
    """That it is somebody's turn. Raises `not_your_turn`."""
    acting = state.acting
    if acting == character.character_id:
        return
    told = say("The turns have not begun yet: initiative comes first.")
    if acting is not None:
        told = say("It is {acting}'s turn, not {name}'s.", acting=called(state, acting), name=character.name)
    raise Rejection("not_your_turn", told, rule=rule, acting=acting)


def require_no_loss(combat: Combat | None, character: Character) -> None:
    """OD-26: a failed stabilisation is paid for before anything else is done. Raises `pending_loss`."""
    if combat is not None and combat.rulings and character.pending_loss is not None:
        raise loss_comes_first(character)


def loss_comes_first(character: Character) -> Rejection:
    """The refusal of what has to wait for a loss."""
    return Rejection(
        "pending_loss",
        say("{name} has to choose first what the failed stabilisation costs.", name=character.name),
        rule="OD-26",
        character=character.character_id,
    )
