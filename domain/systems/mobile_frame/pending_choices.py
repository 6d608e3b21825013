"""The choices that the battle waits for, and their players (MF-8, MF-12, MF-A6, MF-C11, MF-C15, MF-C16)."""

from typing import Any

from msgspec import Struct

from domain.systems.mobile_frame.attacks import forced_situation
from domain.systems.mobile_frame.battles import next_to_go
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState, account_of
from domain.systems.system import Pending


class PendingChoice(Struct, frozen=True):
    """A choice that the battle waits for: its kind, its subject and its player (None: a GM)."""

    kind: str
    subject: str
    player: str | None
    mark: Any
    """It sets the choice apart from others of its kind about the same subject."""

    @property
    def pending(self) -> Pending:
        """The choice as the campaign lists it: a company without an account is a GM's."""
        player = account_of(self.player) if self.player is not None else None
        return Pending.of(self.kind, self.subject, player, self.mark)


def pending(state: MobileFrameState) -> list[Pending]:
    """The choices that do not depend on settings."""
    return [choice.pending for choice in choices_of(state)]


def also_pending(state: MobileFrameState, settings: Settings) -> list[Pending]:
    """The choices that depend on settings."""
    return [choice.pending for choice in also_awaited(state, settings)]


def choices_of(state: MobileFrameState) -> list[PendingChoice]:
    """A choice of the resolution, else the current turn, else the players who may activate a frame.

    An announced attack depends on settings (`also_awaited`).

    The turn of a destroyed frame is a GM's to end.
    """
    battle = state.battle
    if battle is None:
        return []
    if (choice := state.choice()) is not None:
        return [
            PendingChoice(
                "choose_loss" if choice.kind == "loss" else "remove_bricks", choice.subject, choice.player, choice
            )
        ]
    acting = state.acting()
    frame = state.frames.get(acting.frame) if acting is not None else None
    if acting is not None and frame is not None:
        if frame.status != "active":
            return [PendingChoice("end_turn", acting.frame, None, acting.turn_id or battle.now)]
        return (
            []
            if acting.attack is not None
            else [PendingChoice("take_turn", acting.frame, frame.owner, acting.turn_id or battle.now)]
        )
    first = next_to_go(state, battle)
    if not first:
        return [PendingChoice("end_round", battle.battle_id, None, battle.now)]
    had_their_turn = sorted(frame.frame_id for frame in state.frames.values() if frame.activated)
    mark = (battle.now, had_their_turn, battle.passed)
    return [PendingChoice("activate_frame", battle.battle_id, player, mark) for player in first]


def also_awaited(state: MobileFrameState, settings: Settings) -> list[PendingChoice]:
    """An announced attack is the attacker's to resolve.

    MF-A6: where both sides name what it meets, the target's owner has still to name it; while only that word is
    missing, the attacker is not waited for. If both named different situations, either gives in.
    """
    acting = state.acting()
    if state.choice() is not None or acting is None or acting.attack is None:
        return []
    attack, attacker = acting.attack, state.frames.get(acting.frame)
    if attacker is None or attacker.status != "active":
        return []
    mark = (acting.turn_id or "", attack.attack_id or "")
    resolve = PendingChoice("resolve_attack", acting.frame, attacker.owner, mark)
    target = state.frames.get(attack.target)
    if settings.situation_named_by == "attacker" or target is None or forced_situation(attack) is not None:
        return [resolve]
    attacker_word, answered = attack.named.get(attacker.owner), attack.named.get(target.owner)
    if answered is not None and attacker_word in (None, answered):
        return [resolve]
    name = PendingChoice("name_situation", acting.frame, target.owner, (mark, attack.word_of(target.owner)))
    return [name] if attacker_word is not None and answered is None else [resolve, name]
