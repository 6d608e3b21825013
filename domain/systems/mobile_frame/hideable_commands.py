"""Things that may be hidden in Mobile Frame. The battle is open; a frame that is not spotted acts hidden."""

from typing import Any

from domain.hideable_commands import ALWAYS, NEVER, WITH_SUBJECT, Hiding, unless
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.state import MobileFrameState

HIDING: dict[type, Hiding] = {
    c.RegisterLoadout: unless("frame"),
    c.WithdrawFrame: WITH_SUBJECT,
    c.PlaceCover: ALWAYS,
    c.PlaceStation: NEVER,
    c.MeasureStation: WITH_SUBJECT,
    c.SetPointsPerAsset: NEVER,
    c.StartBattle: NEVER,
    c.ActivateFrame: WITH_SUBJECT,
    c.DeclareTarget: WITH_SUBJECT,
    c.RollDicepool: WITH_SUBJECT,
    c.AssignDie: WITH_SUBJECT,
    c.Move: WITH_SUBJECT,
    c.DeclaredAttack: WITH_SUBJECT,
    c.AbortAttack: WITH_SUBJECT,
    c.NameSituation: WITH_SUBJECT,
    c.ResolveAttack: WITH_SUBJECT,
    c.ChooseLoss: WITH_SUBJECT,
    c.RemoveBricks: WITH_SUBJECT,
    c.Spot: WITH_SUBJECT,
    c.EndTurn: WITH_SUBJECT,
    c.CaptureStation: WITH_SUBJECT,
    c.SetTacticalOrder: NEVER,
    c.Pass: NEVER,
    c.EndRound: NEVER,
}


def meant_ids(state: MobileFrameState, command: Any) -> list[str]:
    """The frame whose turn goes on, if a command names none, or the frame of a pending choice."""
    battle = state.battle
    if battle is None or getattr(command, "frame", None) is not None:
        return []
    if isinstance(command, c.RemoveBricks | c.ChooseLoss) and (choice := state.choice()) is not None:
        return [choice.attacker]
    acting = state.acting()
    return [acting.frame] if acting is not None else []
