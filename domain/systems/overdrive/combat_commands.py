"""The commands of a fight (OD-C18 … OD-C28, OD-C30, OD-C31)."""

from typing import Annotated, Literal

from msgspec import field

from domain.field_references import bounded, paid, ref
from domain.personal_text import Reference
from domain.systems.overdrive.base_command_types import (
    CharacterRef,
    Command,
    ConfigRef,
    MechRef,
    NotNegative,
    People,
    Positive,
    Rolling,
    TargetRef,
    WeaponRef,
)
from domain.systems.overdrive.state import Position
from domain.systems.overdrive.tables import Direction, MovementMode, Scale, Status


class StartCombat(Command, frozen=True, tag="overdrive.start_combat"):
    """OD-C18, gm. Without `participants`: every character who is fit and not hidden."""

    participants: People | None = None
    surprised: People = field(default_factory=list)
    scale: Scale = "mech"
    positions: dict[CharacterRef, Position] = field(default_factory=dict)
    objective_position: Position | None = None


class JoinCombat(Command, frozen=True, tag="overdrive.join_combat"):
    """OD-19, gm. A character joins the current fight: an ambush, or help; they may roll initiative.

    `surprised`: in their first turn they have only defences and configurations.
    """

    character: CharacterRef
    position: Position | None = None
    surprised: bool = False


class RollInitiative(Rolling, frozen=True, tag="overdrive.roll_initiative"):
    """OD-C19."""


class SpendTacticalPoints(Command, frozen=True, tag="overdrive.spend_tactical_points"):
    """OD-C20. Moves the `objective`, or a participant, 1 PM a point; on a map with a direction."""

    item: Annotated[Reference, ref("tactical_item")]
    points: Annotated[Positive, bounded(ends="tactical_points", of=("item", "direction"))]
    direction: Direction | None = None


class BeginTurns(Command, frozen=True, tag="overdrive.begin_turns"):
    """OD-C30, gm. `order` settles ties; it may not contradict the initiative."""

    order: People | None = None


class EndTurn(Command, frozen=True, tag="overdrive.end_turn"):
    """OD-C30, the acting player or the gm."""

    character: CharacterRef | None = None


class DelayTurn(Command, frozen=True, tag="overdrive.delay_turn"):
    """OD-C21."""

    after: TargetRef
    character: CharacterRef | None = None


class RollMovement(Rolling, frozen=True, kw_only=True, tag="overdrive.roll_movement"):
    """OD-C22. `cinematic` uses an extra action where the turn's movement is used."""

    mode: MovementMode
    cinematic: bool = False


class Move(Command, frozen=True, tag="overdrive.move"):
    """OD-C22. Lines crossed; where positions are kept, the sector reached, from which the lines follow."""

    curves: Annotated[NotNegative, paid, bounded(ends="curves", of=("character", "to"))] = 0
    straight: Annotated[NotNegative, paid, bounded(ends="straight", of=("character", "to"))] = 0
    to: Position | None = None
    character: CharacterRef | None = None


class Protect(Command, frozen=True, tag="overdrive.protect"):
    """OD-C22."""

    whom: TargetRef
    character: CharacterRef | None = None


class DeclareAttack(Rolling, frozen=True, kw_only=True, tag="overdrive.declare_attack"):
    """OD-C23. `distance` is in PM, and follows from the positions where both are known.

    Without `target`: the only other one in the fight.
    """

    weapon: WeaponRef
    distance: Annotated[NotNegative, paid, bounded(ends="distance", of=("weapon",))] | None = None
    target: TargetRef | None = None
    advantage_dice: Annotated[NotNegative, paid, bounded(ends="advantage_dice", of=("character",))] = 0
    cinematic: bool = False


class RollDefense(Rolling, frozen=True, tag="overdrive.roll_defense"):
    """OD-C24. `character` is the one attacked; their protector rolls too."""

    cover_dice: Annotated[NotNegative, bounded(ends="cover_dice", of=("character",))] = 0
    protector_cover_dice: Annotated[NotNegative, bounded(ends="cover_dice", of=("character",))] = 0


class ResolveAttack(Command, frozen=True, tag="overdrive.resolve_attack"):
    """OD-C25, the attacker's player or the gm. `recoil` is in cells, 0 to the excess."""

    recoil: Annotated[NotNegative, bounded(ends="recoil", of=("victim", "direction"))] = 0
    direction: Direction | None = None
    victim: TargetRef | None = None


class ChooseStabilisationLoss(Command, frozen=True, tag="overdrive.choose_stabilisation_loss"):
    """OD-C26, the character's player."""

    config: ConfigRef | None = None
    weapon: WeaponRef | None = None
    stay: bool = True
    character: CharacterRef | None = None


class EndCombat(Command, frozen=True, tag="overdrive.end_combat"):
    """OD-C27, gm."""


class RechargeMech(Command, frozen=True, tag="overdrive.recharge_mech"):
    """OD-C28, gm."""

    mech: MechRef | None = None


class Restore(Command, frozen=True, tag="overdrive.restore"):
    """OD-C31, gm. Ends lasting states; `weapon` is ready again."""

    status: Status | None = None
    mode: Literal["normal", "fatal"] | None = None
    failures: NotNegative | None = None
    weapon: WeaponRef | None = None
    character: CharacterRef | None = None
