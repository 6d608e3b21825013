"""Characters and mechs (OD-1, OD-2, OD-C1 … OD-C4).

Codes: skill_out_of_range, negative_stat, negative_attribute, bad_pairing, pairing_is_final,
reaction_exists, configuration_exists, weapon_exists, already_aboard, not_aboard, too_many_characters,
too_many_mechs, attack_unresolved, not_your_turn, surprised_no_action, pending_loss.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import AccountId, CharacterId, derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import say, term
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import find_own, require_no_loss, require_turn
from domain.systems.overdrive.attacks import attack_unresolved
from domain.systems.overdrive.rolls import moment_of
from domain.systems.overdrive.stabilisation import unrecharged
from domain.systems.overdrive.state import Character, Combat, Mech, OverdriveState, Points, Reaction, Weapon
from domain.systems.overdrive.tables import (
    ATTRIBUTE_OF,
    BUTT,
    SCORES,
    SKILL_RANGE,
    STATS,
    Score,
    Skill,
    Stat,
)

CHARACTERS_MAX = 500
MECHS_MAX = 500
"""More than a table needs, and few enough that a state stays small."""

SKILLS: tuple[Skill, ...] = ("mech_combat", "personal_combat", "social", "field_ops", "engineering", "biology")


def create_character(state: OverdriveState, context: CommandContext, command: c.CreateCharacter) -> list[e.Event]:
    """OD-C1: create a character; players their own, a GM for any player, or an NPC."""
    player = command.player
    if not context.is_gm:
        if player not in (None, context.account):
            raise Forbidden("not_the_gm", "Only the GM creates characters for others.", rule="OD-C1")
        player = context.account
    elif player is not None:
        context.require_member(player)
    require_room(state)
    skills: dict[Skill, int] = {skill: command.skills.get(skill, 1) for skill in SKILLS}
    require_skills(skills)
    require_not_negative(command.stats, "negative_stat", "OD-1")
    if command.pairing is not None:
        require_pairing(command.pairing)
    return [
        e.CharacterCreated(
            character_id=derive_id("character", context.action_id),
            player_id=player,
            name=command.name,
            stats={stat: command.stats.get(stat, 0) for stat in STATS},
            skills=skills,
            od_start=command.od_start,
            reactions=_reactions(command.reactions),
            equipment=command.equipment,
            weapons=_weapons(command.weapons),
            pairing=command.pairing or {},
            hidden=context.visibility != "all",
        )
    ]


def require_room(state: OverdriveState) -> None:
    """Raise `too_many_characters`."""
    if len(state.characters) >= CHARACTERS_MAX:
        raise Rejection(
            "too_many_characters",
            say("A campaign can have at most {most} characters.", most=CHARACTERS_MAX),
            rule="OD-1",
        )


def require_skills(skills: Mapping[Skill, int]) -> None:
    """OD-1: raise `skill_out_of_range` unless every skill is 1 to 5."""
    least, most = SKILL_RANGE
    for skill, level in skills.items():
        if not least <= level <= most:
            raise Rejection(
                "skill_out_of_range",
                say(
                    "{skill} goes from {least} to {most}: {level} is not possible.",
                    skill=term(skill),
                    least=least,
                    most=most,
                    level=level,
                ),
                rule="OD-1",
            )


def require_not_negative(numbers: Mapping[Any, int], code: str, rule: str) -> None:
    """OD-1, OD-2: raise `code` for a number below 0."""
    for name, level in numbers.items():
        if level < 0:
            raise Rejection(
                code, say("{trait} cannot be {level}: the least is 0.", trait=term(name), level=level), rule=rule
            )


def require_pairing(pairing: Mapping[Score, Stat]) -> None:
    """OD-2: raise `bad_pairing` unless every score has a stat of its own."""
    if set(pairing) != set(SCORES) or set(pairing.values()) != set(STATS):
        raise Rejection("bad_pairing", "Pair each of the four scores with a stat of its own.", rule="OD-A10")


def _reactions(drafts: Iterable[c.ReactionDraft]) -> list[Reaction]:
    """The reactions by id. Raises `reaction_exists`."""
    reactions: list[Reaction] = []
    for nth, draft in enumerate(drafts, start=1):
        key = draft.id or f"reaction-{nth}"
        if any(reaction.id == key for reaction in reactions):
            raise Rejection("reaction_exists", say("Two reactions are called “{key}”.", key=key), rule="OD-C1")
        reactions.append(Reaction(key, draft.text))
    return reactions


def _weapons(drafts: Mapping[str, c.WeaponDraft]) -> dict[str, Weapon]:
    """The weapons by id, besides the butt that every character has. Raises `weapon_exists`."""
    if BUTT in drafts:
        raise Rejection("weapon_exists", "Leave the butt out: everybody can strike with it.", rule="OD-2")
    return {key: Weapon(type=draft.type, ideal=draft.ideal, cools=draft.cools) for key, draft in drafts.items()}


def create_mech(state: OverdriveState, context: CommandContext, command: c.CreateMech) -> list[e.Event]:
    """OD-C2: the first mech brings the pairing, later ones keep it."""
    character = find_own(state, context, command.character, "OD-C2")
    require_not_negative(command.attributes, "negative_attribute", "OD-2")
    pairing = command.pairing if command.pairing is not None else character.pairing
    require_pairing(pairing)
    if character.pairing and pairing != character.pairing:
        raise Rejection(
            "pairing_is_final",
            say("{name} has already paired stats and attributes, and keeps that pairing.", name=character.name),
            rule="OD-A10",
        )
    if len(state.mechs) >= MECHS_MAX:
        raise Rejection(
            "too_many_mechs", say("A campaign can have at most {most} mechs.", most=MECHS_MAX), rule="OD-2"
        )
    if len(set(command.configs)) < len(command.configs):
        raise Rejection("configuration_exists", "Two configurations have the same name.", rule="OD-C2")
    return [
        e.MechCreated(
            mech_id=derive_id("mech", context.action_id),
            character=character.character_id,
            name=command.name,
            attributes={attribute: command.attributes.get(attribute, 0) for attribute in ATTRIBUTE_OF.values()},
            pairing=pairing,
            configs=command.configs,
            weapons=_weapons(command.weapons),
        )
    ]


def change_pairing(state: OverdriveState, context: CommandContext, command: c.ChangePairing) -> list[e.Event]:
    """OD-C3: always raises `pairing_is_final`."""
    find_own(state, context, command.character, "OD-C3")
    raise Rejection("pairing_is_final", "Stats and attributes are paired once, at creation.", rule="OD-C3")


def board_mech(state: OverdriveState, context: CommandContext, command: c.BoardMech, dice: Dice) -> list[e.Event]:
    """OD-C4: in a fight at the price of OD-19. Raises `already_aboard`, `no_mech` or `unknown_mech`."""
    character = find_own(state, context, command.character, "OD-C4")
    combat = _require_moment(state, character)
    if state.boarded(character) is not None:
        raise Rejection("already_aboard", say("{name} is already in a mech.", name=character.name), rule="OD-C4")
    own = [mech for mech in state.mechs.values() if mech.pilot == character.character_id]
    mech = state.mech_of(character) if command.mech is None else state.mechs.get(command.mech)
    if mech is None or mech not in own:
        code = "no_mech" if command.mech is None else "unknown_mech"
        raise Rejection(code, say("{name} does not have that mech.", name=character.name), rule="OD-C4")
    context.filled["mech"] = mech.mech_id
    events: list[e.Event] = [e.MechBoarded(character.character_id, mech.mech_id, moment_of(state, character))]
    if combat is None or mech.mech_id in combat.participants[character.character_id].mechs:
        return events  # in peace it costs nothing, and in a fight it is paid once
    return [*events, *unrecharged(context, character, mech, dice)]


def _require_moment(state: OverdriveState, character: Character) -> Combat | None:
    """The fight in which a character gets into a mech or out of it: in their turn, with nothing else pending."""
    combat = state.combat
    if combat is None or combat.rulings <= 1 or character.character_id not in combat.participants:
        return None
    if combat.attack is not None:
        raise attack_unresolved(state, combat.attack)
    require_turn(state, character, "OD-20")
    require_no_loss(combat, character)
    return combat


def leave_mech(state: OverdriveState, context: CommandContext, command: c.LeaveMech) -> list[e.Event]:
    """OD-C4. Raises `not_aboard`."""
    character = find_own(state, context, command.character, "OD-C4")
    _require_moment(state, character)
    if character.mech is None:
        raise Rejection("not_aboard", say("{name} is already on foot.", name=character.name), rule="OD-C4")
    return [e.MechLeft(character.character_id, character.mech, moment_of(state, character))]


def assign(state: OverdriveState, character: CharacterId, account: AccountId | None) -> list[e.CharacterAssigned]:
    """Hand a character to another player, or (None) take their player away; no event if nothing changes."""
    sheet = state.characters.get(character)
    if sheet is None or sheet.player_id == account:
        return []
    return [e.CharacterAssigned(character, account)]


def character_created(state: OverdriveState, event: e.CharacterCreated) -> None:
    """Add the sheet."""
    state.characters[event.character_id] = Character(
        character_id=event.character_id,
        player_id=event.player_id,
        name=event.name,
        stats=dict(event.stats),
        skills=dict(event.skills),
        od=Points(available=event.od_start),
        reactions=list(event.reactions),
        equipment=dict(event.equipment),
        weapons=own_weapons(event.weapons),
        pairing=dict(event.pairing),
        hidden=event.hidden,
    )


def own_weapons(weapons: Mapping[str, Weapon]) -> dict[str, Weapon]:
    """Copies for the state, because an event may be folded into several states."""
    return {
        key: Weapon(weapon.type, weapon.ideal, weapon.state, weapon.cools, weapon.fired_turn)
        for key, weapon in weapons.items()
    }


def mech_created(state: OverdriveState, event: e.MechCreated) -> None:
    """Add the mech, recharged."""
    state.mechs[event.mech_id] = Mech(
        mech_id=event.mech_id,
        pilot=event.character,
        name=event.name,
        attributes=dict(event.attributes),
        configs=dict.fromkeys(event.configs, "available"),
        weapons=own_weapons(event.weapons),
    )
    character = state.characters.get(event.character)
    if character is not None and not character.pairing:
        character.pairing = dict(event.pairing)


def boarded(state: OverdriveState, event: e.MechBoarded) -> None:
    """Put the character into the mech."""
    character = state.characters.get(event.character)
    if character is not None:
        character.mech = event.mech
    _note_act(state, event.character)
    fighter = state.participant(event.character)
    if fighter is not None and event.mech not in fighter.mechs:
        fighter.mechs.append(event.mech)


def mech_left(state: OverdriveState, event: e.MechLeft) -> None:
    """Put the character on foot."""
    character = state.characters.get(event.character)
    if character is not None:
        character.mech = None
    _note_act(state, event.character)


def _note_act(state: OverdriveState, who: str) -> None:
    """Note that a fighter did something in their turn; in old fights boarding and leaving did not count."""
    fighter, combat = state.participant(who), state.combat
    if fighter is not None and combat is not None and combat.rulings > 1:
        fighter.acted = True


def assigned(state: OverdriveState, event: e.CharacterAssigned) -> None:
    """Set the character's player."""
    character = state.characters.get(event.character)
    if character is not None:
        character.player_id = event.player_id
