"""Damage and the stabilisation roll (OD-26): failures, Fatal mode, and the losses that players choose.

Codes: no_pending_loss, weapon_not_allowed, unknown_weapon, weapon_disabled, unknown_configuration,
configuration_lost, configuration_required, one_loss_only, no_stay_choice, nothing_to_restore.
"""

from collections.abc import Collection

from msgspec import UNSET, structs

from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import derive_id
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive import turns
from domain.systems.overdrive.access import find_character, in_words, require_gm, require_player_of
from domain.systems.overdrive.ledger import gain
from domain.systems.overdrive.movement import unprotect
from domain.systems.overdrive.state import Character, Mech, OverdriveState, PendingLoss, counter_in
from domain.systems.overdrive.tables import BUTT


def damage(
    context: CommandContext,
    character: Character,
    mech: Mech | None,
    dice: Dice,
    *,
    weapon_allowed: bool = False,
    nth: int = 0,
) -> list[e.Event]:
    """One damage, and the stabilisation die: it must be greater than the counter, damage included (OD-A6).

    `mech` is the one that the character sits in, or gets into. `nth` numbers the damages of one action.
    """
    who = character.character_id
    counter = counter_in(mech)
    value = (mech.phase if counter == "phase" and mech is not None else character.fatal) + 1
    die = dice.roll(6)
    settings = context.settings
    success = die.natural > value or (die.natural == value and settings.stabilisation_tie == "holds")
    failed_phase = not success and counter == "phase" and mech is not None
    fatal_mode = failed_phase and mech is not None and mech.stabilisation_failures >= settings.phase_counters
    loss = _loss(mech, fatal_mode, weapon_allowed) if failed_phase and mech is not None else None
    roll = e.StabilisationRolled(
        character=who,
        mech=mech.mech_id if mech is not None else None,
        die=die.natural,
        counter=counter,
        against=value,
        success=success,
        failures=int(failed_phase),
        stabilisation_tie=settings.stabilisation_tie,
        phase_counters=settings.phase_counters,
        sides=die.sides,
        origin=die.origin,
        proof=die.proof,
        counter_cleared=failed_phase and settings.reset_on_failure,
        loss=loss,
        loss_id=UNSET if loss is None else derive_id("loss", context.action_id, nth),
    )
    events: list[e.Event] = [e.DamageTaken(who, roll.mech, counter, value), roll]
    if fatal_mode and mech is not None:
        events += [e.FatalModeEntered(who, mech.mech_id), gain(character, 1, "fatal_mode")]
    if not success and counter == "fatal":
        events.append(e.CharacterGravelyWounded(who))
    return events


def unrecharged(
    context: CommandContext,
    character: Character,
    mech: Mech | None,
    dice: Dice,
    nth: int = 0,
) -> list[e.Event]:
    """OD-19: the cost of fighting in a mech that was not recharged."""
    if mech is None or mech.recharged:
        return []
    penalty = e.UnrechargedPenaltyApplied(character.character_id, mech.mech_id)
    return [penalty, *damage(context, character, mech, dice, weapon_allowed=True, nth=nth)]


def _loss(mech: Mech, fatal_mode: bool, weapon_allowed: bool) -> PendingLoss | None:
    """The loss to choose; None if there is no configuration to lose and nothing to decide (OD-A8)."""
    if fatal_mode and not _configs_left(mech):
        return None
    return PendingLoss(weapon_allowed=weapon_allowed, stay_choice=not fatal_mode, mech=mech.mech_id)


def _configs_left(mech: Mech | None) -> list[str]:
    """The configurations that can still be lost."""
    return sorted(config for config, how in (mech.configs.items() if mech is not None else ()) if how != "lost")


def choose_stabilisation_loss(
    state: OverdriveState, context: CommandContext, command: c.ChooseStabilisationLoss
) -> list[e.Event]:
    """OD-C26: lose a configuration or, in a mech that was not recharged, a weapon; stay, or collapse."""
    waiting = [character for character in state.characters.values() if character.pending_loss is not None]
    character_id = command.character
    if character_id is None and len(waiting) == 1:
        character_id = context.filled["character"] = waiting[0].character_id
    if character_id is None and not waiting:
        raise Rejection("no_pending_loss", "Nobody has anything to give up right now.", rule="OD-C26")
    character = find_character(state, context, character_id, "OD-C26")
    require_player_of(character, context, "OD-C26")
    loss = character.pending_loss
    if loss is None:
        raise Rejection(
            "no_pending_loss", say("{name} has nothing to give up right now.", name=character.name), rule="OD-C26"
        )
    mech = state.mechs.get(loss.mech) if loss.mech is not None else state.mech_of(character)
    who = character.character_id
    if command.config is not None and command.weapon is not None:
        raise Rejection("one_loss_only", "Give up either a configuration or a weapon, not both.", rule="OD-C26")
    if not command.stay and not loss.stay_choice:
        raise Rejection("no_stay_choice", "You cannot choose to collapse on this failure.", rule="OD-A9")
    events = _given_up(command, character, mech, loss)
    if not loss.stay_choice:
        return events
    if command.stay:
        return [*events, e.CharacterStayedInCombat(who, loss.loss_id)]
    return [*events, e.CharacterStunned(who, loss.loss_id), *_turn_over(state, who, context)]


def _turn_over(state: OverdriveState, who: str, context: CommandContext) -> list[e.Event]:
    """End the turn of a character who collapses in it."""
    combat = state.combat
    if combat is None or not combat.rulings or state.acting != who:
        return []
    return turns.over(state, combat, who, context)


def _given_up(
    command: c.ChooseStabilisationLoss, character: Character, mech: Mech | None, loss: PendingLoss
) -> list[e.Event]:
    """The events of the loss; none if nothing is left to lose (OD-A8)."""
    if command.weapon is not None:
        return [_weapon_given_up(character, mech, command.weapon, loss)]
    if command.config is not None:
        how = mech.configs.get(command.config) if mech is not None else None
        if how is None or mech is None:
            raise Rejection(
                "unknown_configuration",
                say("There is no configuration “{config}”.", config=in_words(command.config)),
                rule="OD-C26",
                choices=_configs_left(mech),
            )
        if how == "lost":
            raise Rejection(
                "configuration_lost",
                say("“{config}” is already lost.", config=in_words(command.config)),
                rule="OD-C26",
                choices=_configs_left(mech),
            )
        return [e.ConfigurationLost(character.character_id, mech.mech_id, command.config, loss.loss_id)]
    if _configs_left(mech):
        raise Rejection(
            "configuration_required",
            "Choose the configuration that is lost.",
            rule="OD-26",
            choices=_configs_left(mech),
        )
    return []


def _weapon_given_up(character: Character, mech: Mech | None, weapon: str, loss: PendingLoss) -> e.WeaponDisabled:
    """OD-19: the loss of a weapon, for an unrecharged mech only. The butt does not count."""
    if not loss.weapon_allowed or weapon == BUTT:
        raise Rejection(
            "weapon_not_allowed",
            "Only a mech that went into the fight without being recharged may give up a weapon instead.",
            rule="OD-19",
        )
    known_weapon = mech.weapons.get(weapon) if mech is not None else None
    if known_weapon is None or mech is None:
        raise Rejection(
            "unknown_weapon", say("There is no weapon “{weapon}”.", weapon=in_words(weapon)), rule="OD-C26"
        )
    if known_weapon.state == "disabled":
        raise Rejection(
            "weapon_disabled", say("“{weapon}” is already disabled.", weapon=in_words(weapon)), rule="OD-C26"
        )
    return e.WeaponDisabled(character.character_id, mech.mech_id, weapon, loss.loss_id)


def restore(state: OverdriveState, context: CommandContext, command: c.Restore) -> list[e.StateRestored]:
    """OD-C31: the GM ends lasting states."""
    require_gm(context, "OD-C31")
    character = find_character(state, context, command.character, "OD-C31")
    mech = state.mech_of(character)
    if (command.status, command.mode, command.failures, command.weapon) == (None, None, None, None):
        raise Rejection(
            "nothing_to_restore", "Say what is restored: status, mode, failures or a weapon.", rule="OD-C31"
        )
    if mech is None and (command.mode is not None or command.failures is not None):
        raise Rejection("no_mech", say("{name} has no mech.", name=character.name), rule="OD-C31")
    weapons = {*character.weapons, *(mech.weapons if mech is not None else ())}
    with About("character", "weapon"):
        _require_weapon(weapons, command.weapon)
    return [
        e.StateRestored(
            character=character.character_id,
            mech=mech.mech_id if mech is not None else None,
            status=command.status,
            mode=command.mode,
            failures=command.failures,
            weapon=command.weapon,
        )
    ]


def _require_weapon(weapons: Collection[str], weapon: str | None) -> None:
    """Raise `unknown_weapon`."""
    if weapon is not None and weapon not in weapons:
        raise Rejection(
            "unknown_weapon", say("There is no weapon “{weapon}”.", weapon=in_words(weapon)), rule="OD-C31"
        )


def damage_taken(state: OverdriveState, event: e.DamageTaken) -> None:
    """Raise the counter."""
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    character = state.characters.get(event.character)
    if event.counter == "phase" and mech is not None:
        mech.phase += event.amount
    elif event.counter == "fatal" and character is not None:
        character.fatal += event.amount


def stabilisation_rolled(state: OverdriveState, event: e.StabilisationRolled) -> None:
    """Count a failure and set the loss to choose."""
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    if mech is not None:
        mech.stabilisation_failures += event.failures
        if event.counter_cleared:
            mech.phase = 0
    character = state.characters.get(event.character)
    if character is not None and event.loss is not None:
        character.pending_loss = structs.replace(event.loss, loss_id=event.loss_id)


def fatal_mode_entered(state: OverdriveState, event: e.FatalModeEntered) -> None:
    """Set Fatal mode."""
    mech = state.mechs.get(event.mech)
    if mech is not None:
        mech.mode = "fatal"


def gravely_wounded(state: OverdriveState, event: e.CharacterGravelyWounded) -> None:
    """Take the character out of the fight."""
    character = state.characters.get(event.character)
    if character is not None:
        character.status = "out"
        _down(state, event.character)


def _down(state: OverdriveState, who: str) -> None:
    """End the protections of a character who cannot fight; one who is out of the fight has no choice left."""
    combat = state.combat
    if combat is None or combat.rulings == 0:
        return
    unprotect(combat, who)
    if state.characters[who].status == "out":
        state.characters[who].pending_loss = None


def lost(state: OverdriveState, event: e.ConfigurationLost | e.WeaponDisabled) -> None:
    """Remove the pending loss. Whether to stay was chosen with it."""
    mech = state.mechs.get(event.mech)
    if mech is not None and isinstance(event, e.ConfigurationLost):
        if event.config in mech.configs:
            mech.configs[event.config] = "lost"
    elif mech is not None and isinstance(event, e.WeaponDisabled) and event.weapon in mech.weapons:
        mech.weapons[event.weapon].state = "disabled"
    _clear_loss(state, event.character)


def stayed(state: OverdriveState, event: e.CharacterStayedInCombat | e.CharacterStunned) -> None:
    """Remove the choice."""
    character = state.characters.get(event.character)
    if character is not None and isinstance(event, e.CharacterStunned) and character.status == "fit":
        character.status = "stunned"
        _down(state, event.character)
    _clear_loss(state, event.character)


def _clear_loss(state: OverdriveState, character: str) -> None:
    sheet = state.characters.get(character)
    if sheet is not None:
        sheet.pending_loss = None


def restored(state: OverdriveState, event: e.StateRestored) -> None:
    """Set the states that the GM chose."""
    character = state.characters.get(event.character)
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    if character is not None and event.status is not None:
        character.status = event.status
        if event.status != "fit":
            _down(state, event.character)
    if mech is not None and event.mode is not None:
        mech.mode = event.mode
    if mech is not None and event.failures is not None:
        mech.stabilisation_failures = event.failures
    for weapons in (holder.weapons for holder in (character, mech) if holder is not None):
        if event.weapon in weapons:
            weapons[event.weapon].state = "ready"
