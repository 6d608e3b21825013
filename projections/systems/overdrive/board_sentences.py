"""Everything a fight of Overdrive waits for, as sentences."""

from domain.sentences import Sentence, say, say_many
from domain.systems.overdrive.pending_answers import PendingAnswer
from domain.systems.overdrive.state import Attack, OverdriveState
from projections.awaited_answers import Name
from projections.systems.overdrive.narration_phrases import weapon


def in_words(  # noqa: PLR0911 — one line per kind
    state: OverdriveState, choice: PendingAnswer, name: Name
) -> Sentence:
    """The character, team or GM that is waited for, and for which step."""
    who = name(choice.character) if choice.character is not None else ""
    attack = state.combat.attack if state.combat is not None else None
    match choice.kind:
        case "choose_stabilisation_loss":
            return say("{who} chooses what the failed stabilisation costs", who=who)
        case "close_roll":
            return say("A GM closes the held roll of {who}", who=who)
        case "spend_overdrive_success":
            return say("{who} may buy a success for the held roll", who=who)
        case "roll_defense" | "resolve_attack" if attack is not None:
            return _exchange(choice.kind, attack, name)
        case "roll_initiative":
            return say("{who} rolls initiative", who=who)
        case "begin_turns":
            return say("A GM begins the turns")
        case "spend_tactical_points":
            return say_many(
                "The team may spend {n} tactical point",
                "The team may spend {n} tactical points",
                state.tactical_points,
            )
        case "end_turn" if choice.character is not None and not state.is_fit(choice.character):
            return say("Nobody is left who can fight: a GM ends the turn of {who}, or the fight", who=who)
        case "end_turn":
            return say("It is the turn of {who}", who=who)
        case _:
            return say("A GM may end the fight")


def _exchange(kind: str, attack: Attack, name: Name) -> Sentence:
    """An attack that waits for its defence, or for its resolution."""
    attacker, target, what = name(attack.attacker), name(attack.target), weapon(attack.weapon)
    if kind == "roll_defense":
        return say_many(
            "{target} rolls a defence against {attacker} ({weapon}, {n} success)",
            "{target} rolls a defence against {attacker} ({weapon}, {n} successes)",
            attack.successes,
            target=target,
            attacker=attacker,
            weapon=what,
        )
    return say(
        "{attacker} resolves the attack on {target} ({weapon}): {attack} against {defense}",
        attacker=attacker,
        target=target,
        weapon=what,
        attack=attack.successes,
        defense=max(attack.defenses.values(), default=0),
    )
