"""What happens in fights (OD-19 … OD-26)."""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.dice import Origin
from domain.systems.overdrive.event_types import Fact
from domain.systems.overdrive.settings import Tie
from domain.systems.overdrive.state import PendingLoss, Position
from domain.systems.overdrive.tables import Counter, Direction, Scale, Status


class CombatStarted(Fact, frozen=True, tag="overdrive.combat_started"):
    """A fight begins with initiative (OD-19). `rulings` are those that it is fought by; unset in old logs."""

    combat_id: str
    participants: list[str]
    surprised: list[str]
    scale: Scale
    positions: dict[str, Position] = field(default_factory=dict)
    objective_position: Position | None = None
    rulings: int | UnsetType = UNSET


class CombatJoined(Fact, frozen=True, tag="overdrive.combat_joined"):
    """Somebody comes into a fight that goes on, last in its order until they roll initiative (OD-19, OD-20)."""

    combat_id: str
    character: str
    position: Position | None = None


class UnrechargedPenaltyApplied(Fact, frozen=True, tag="overdrive.unrecharged_penalty_applied"):
    """A mech goes into a fight without having been recharged since its last (OD-19)."""

    character: str
    mech: str


class DamageTaken(Fact, frozen=True, tag="overdrive.damage_taken"):
    """A counter goes up (OD-26)."""

    character: str
    mech: str | None
    counter: Counter
    value: int
    amount: int = 1


class StabilisationRolled(Fact, frozen=True, tag="overdrive.stabilisation_rolled"):
    """A die against the counter (OD-26). `loss` is what its player has to choose now."""

    character: str
    mech: str | None
    die: int
    counter: Counter
    against: int
    success: bool
    failures: int
    stabilisation_tie: Tie
    phase_counters: int
    sides: int
    origin: Origin
    proof: str
    counter_cleared: bool = False
    loss: PendingLoss | None = None


class FatalModeEntered(Fact, frozen=True, tag="overdrive.fatal_mode_entered"):
    """From here on damage goes to the Fatal counter (OD-26)."""

    character: str
    mech: str


class CharacterGravelyWounded(Fact, frozen=True, tag="overdrive.character_gravely_wounded"):
    """Out of the fight (OD-26)."""

    character: str


class ConfigurationLost(Fact, frozen=True, tag="overdrive.configuration_lost"):
    """A failed stabilisation costs a configuration (OD-26)."""

    character: str
    mech: str
    config: str


class WeaponDisabled(Fact, frozen=True, tag="overdrive.weapon_disabled"):
    """A weapon goes instead of a configuration (OD-19)."""

    character: str
    mech: str
    weapon: str


class CharacterStayedInCombat(Fact, frozen=True, tag="overdrive.character_stayed_in_combat"):
    """The player chose to fight on (OD-26)."""

    character: str


class CharacterStunned(Fact, frozen=True, tag="overdrive.character_stunned"):
    """The player chose to collapse (OD-26)."""

    character: str


class InitiativeSet(Fact, frozen=True, tag="overdrive.initiative_set"):
    """A place in the order (OD-20); `order` is everybody's so far."""

    character: str
    successes: int
    detection: int
    order: list[str]


class TacticalPointsSpent(Fact, frozen=True, tag="overdrive.tactical_points_spent"):
    """Preparation pays: something stands elsewhere (OD-20)."""

    item: str
    points: int
    moved_pm: int
    total_after: int
    direction: Direction | None = None
    character: str | None = None
    rings: int = 0
    quadrants: int = 0


class TurnsBegun(Fact, frozen=True, tag="overdrive.turns_begun"):
    """Initiative is over (OD-C30)."""

    order: list[str]


class TurnDelayed(Fact, frozen=True, tag="overdrive.turn_delayed"):
    """Somebody acts later this turn (OD-20)."""

    character: str
    after: str


class TurnEnded(Fact, frozen=True, tag="overdrive.turn_ended"):
    """Somebody is done for this turn (OD-C30)."""

    who: str


class CombatTurnStarted(Fact, frozen=True, tag="overdrive.combat_turn_started"):
    """Everybody may act again; movement points and unused cinematic actions are gone."""

    turn: int
    amount: int = 1


class MovementPointsGained(Fact, frozen=True, tag="overdrive.movement_points_gained"):
    """A manoeuvre (OD-22)."""

    character: str
    amount: int


class CoverDiceGained(Fact, frozen=True, tag="overdrive.cover_dice_gained"):
    """Dice for the defence, each for one use (OD-22)."""

    character: str
    amount: int


class AdvantageDiceGained(Fact, frozen=True, tag="overdrive.advantage_dice_gained"):
    """Dice for the attack, each for one use (OD-22)."""

    character: str
    amount: int


class UnitMoved(Fact, frozen=True, tag="overdrive.unit_moved"):
    """Lines are crossed (OD-22): `rings` and `quadrants` are the change, `placed` a first known sector."""

    character: str
    curves: int
    straight: int
    cost: int
    pm_left: int
    cells: int
    from_: Position | None = field(name="from", default=None)
    to: Position | None = None
    rings: int = 0
    quadrants: int = 0
    placed: Position | None = None


class ProtectionStarted(Fact, frozen=True, tag="overdrive.protection_started"):
    """Somebody stands before somebody until the protector's next turn (OD-22)."""

    protector: str
    protected: str
    cost: int
    pm_left: int


class CinematicActionUsed(Fact, frozen=True, tag="overdrive.cinematic_action_used"):
    """An extra action is taken (OD-9)."""

    character: str
    amount: int = 1


class WeaponCooling(Fact, frozen=True, tag="overdrive.weapon_cooling"):
    """A weapon fired and has to cool (OD-23, OD-A23)."""

    character: str
    weapon: str
    fired_turn: int
    ready_on_turn: int
    mech: str | None = None


class AttackResolved(Fact, frozen=True, tag="overdrive.attack_resolved"):
    """Attack against defence (OD-24)."""

    attacker: str
    target: str
    victim: str
    weapon: str
    attack_successes: int
    defense_successes: int
    hit: bool
    excess: int
    damage: int
    max_recoil: int


class UnitRecoiled(Fact, frozen=True, tag="overdrive.unit_recoiled"):
    """The one who was hit is pushed, or (`by_own_speed`) carried on by their own speed (OD-25)."""

    added_later: ClassVar[tuple[str, ...]] = ("by_own_speed",)
    character: str
    cells: int
    direction: Direction | None = None
    from_: Position | None = field(name="from", default=None)
    to: Position | None = None
    rings: int = 0
    quadrants: int = 0
    by_own_speed: bool | UnsetType = UNSET


class CombatEnded(Fact, frozen=True, tag="overdrive.combat_ended"):
    """A fight is over, and with it all that lasts no longer (OD-W1)."""

    combat_id: str
    participants: list[str]
    mechs: list[str]


class MechDischarged(Fact, frozen=True, tag="overdrive.mech_discharged"):
    """A mech that fought wants to be recharged (OD-W1)."""

    mech: str


class MechRecharged(Fact, frozen=True, tag="overdrive.mech_recharged"):
    """A mech is ready for its next fight (OD-A26)."""

    mech: str


class StateRestored(Fact, frozen=True, tag="overdrive.state_restored"):
    """The GM ends lasting states; what is None stays (OD-C31)."""

    character: str
    mech: str | None = None
    status: Status | None = None
    mode: Literal["normal", "fatal"] | None = None
    failures: int | None = None
    weapon: str | None = None
