"""The events of Mobile Frame.

Fields are the rulebook's words. A field that `evolve` adds up is a change (`lost`, `ticks`, `assets_change`,
`bricks_removed`, `height_lost`); `from`, `to`, `…_left`, `height`, `doomsday` and scores are what people saw.
`during` is the round, and in the first one the battle, that an event belongs to, as `turn_id` is the turn.
Old logs name neither.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType, field

from domain.dice import Origin
from domain.ids import ActionId
from domain.personal_text import Name
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame.base_event_types import Fact
from domain.systems.mobile_frame.entrance_events import EntranceEvent
from domain.systems.mobile_frame.loadout import LoadoutDie
from domain.systems.mobile_frame.settings import BetweenBattles, DoomsdayTie
from domain.systems.mobile_frame.state import TargetKind
from domain.systems.mobile_frame.tables import Action, Color, Letter, Range, ScoreReason, System, Weapon


class RolledPoolDie(Struct, frozen=True):
    """A rolled die of a frame's pool; `value` is its natural face."""

    color: Color
    sides: int
    range: Letter | None
    value: int
    origin: Origin
    proof: str


# --- companies and terrain


class LoadoutRegistered(Fact, frozen=True, tag="mobile_frame.loadout_registered"):
    """A frame joins its company with these systems and dice (MF-C1). `hidden`: only some may know of it yet."""

    frame: str
    name: Name
    owner: str
    notation: str
    systems: list[System]
    dice: list[LoadoutDie]
    bonus_d8: bool
    loadout_limits: bool
    character: str | None = None
    hidden: bool | UnsetType = UNSET


class FrameRenamed(Fact, frozen=True, tag="mobile_frame.frame_renamed"):
    """A frame has another name from here on, and is otherwise as it was; `previous` is how it was called."""

    frame: str
    name: Name
    previous: Name


class FrameHandedOver(Fact, frozen=True, tag="mobile_frame.frame_handed_over"):
    """A frame changes its company, as it is; `previous` is its former owner."""

    frame: str
    owner: str
    previous: str


class FrameCrewed(Fact, frozen=True, tag="mobile_frame.frame_crewed"):
    """A frame is that of a character of another system from here on."""

    frame: str
    character: str


class FrameWithdrawn(Fact, frozen=True, tag="mobile_frame.frame_withdrawn"):
    """A frame leaves its company, between battles."""

    frame: str


class CoverPlaced(Fact, frozen=True, tag="mobile_frame.cover_placed"):
    """A cover is placed (MF-6). `hidden`: only some may know of it yet."""

    cover: str
    name: Name
    bricks: int
    height: int
    hidden: bool | UnsetType = UNSET


class StationPlaced(Fact, frozen=True, tag="mobile_frame.station_placed"):
    """An objective on the field (MF-7)."""

    station: str
    name: Name
    controller: str | None = None


class StationMeasured(Fact, frozen=True, tag="mobile_frame.station_measured"):
    """A frame stands `distance` units from a station."""

    frame: str
    station: str
    distance: int


class PointsPerAssetSet(Fact, frozen=True, tag="mobile_frame.points_per_asset_set"):
    """The worth of an asset to each player in the coming battle (MF-C2, MF-23)."""

    ppa: dict[str, int]
    scores: dict[str, int]


# --- the battle


class BattleStarted(Fact, frozen=True, tag="mobile_frame.battle_started"):
    """A battle begins; frames are whole, or as the last one left them (MF-C3). `assets` by player."""

    battle_id: str
    doomsday: int
    ruler_units: int
    ppa: dict[str, int]
    assets: dict[str, int]
    between_battles: BetweenBattles


class TacticalOrderSet(Fact, frozen=True, tag="mobile_frame.tactical_order_set"):
    """The highest score goes first, because no attack waits for an answer (MF-23)."""

    order: list[str]
    scores: dict[str, int]


class CombatOrderEntered(Fact, frozen=True, tag="mobile_frame.combat_order_entered"):
    """An attack wakes its target: turns follow the attacks until all are answered (MF-15)."""

    attacker: str
    target: str


class TurnPassed(Fact, frozen=True, tag="mobile_frame.turn_passed"):
    """A player passes (MF-C15)."""

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    verdict: ClassVar[tuple[str, ...]] = ("player",)
    player: str
    during: str | UnsetType = UNSET


class RoundEnded(Fact, frozen=True, tag="mobile_frame.round_ended"):
    """Markers are cleared and the clock goes down by `ticks` (MF-C16); the next round is `round_id`."""

    added_later: ClassVar[tuple[str, ...]] = ("during", "round_id")
    round: int
    doomsday: int
    markers_cleared: int
    ticks: int
    votes: dict[str, bool]
    during: str | UnsetType = UNSET
    round_id: str | UnsetType = UNSET


class ExtraRoundGranted(Fact, frozen=True, tag="mobile_frame.extra_round_granted"):
    """A tie at doomsday is played out in one more round (MF-A17)."""

    players: list[str]
    doomsday_tie: DoomsdayTie


class BattleEnded(Fact, frozen=True, tag="mobile_frame.battle_ended"):
    """The battle is over; its scores stand in the campaign from here on (MF-W2)."""

    verdict: ClassVar[tuple[str, ...]] = ("winners", "scores")
    battle_id: str
    winners: list[str]
    scores: dict[str, int]
    rounds: int
    doomsday_tie: DoomsdayTie


class StationCaptured(Fact, frozen=True, tag="mobile_frame.station_captured"):
    """A station changes hands (MF-C14). Between two turns a new order is due to the action `captured_by`.

    `frames` are those that hold it, within hand range.
    """

    added_later: ClassVar[tuple[str, ...]] = ("during",)
    station: str
    player: str
    previous: str | None
    assets_change: dict[str, int]
    captured_by: ActionId | None = None
    frames: list[str] = field(default_factory=list)
    during: str | UnsetType = UNSET


class ScoreRecalculated(Fact, frozen=True, tag="mobile_frame.score_recalculated"):
    """A player's new score. Changes nothing: scores are assets times points per asset (MF-W1)."""

    player: str
    from_: int = field(name="from")
    to: int
    reason: ScoreReason


# --- a turn


class FrameActivated(Fact, frozen=True, tag="mobile_frame.frame_activated"):
    """A frame's turn begins, by its player or because `attacker` has it in its sights (MF-8).

    `may_declare` is whether it may attack in turn, as the setting `woken_may_declare` wants it (MF-A12). Events
    of the turn name its `turn_id`.
    """

    added_later: ClassVar[tuple[str, ...]] = ("during", "turn_id")
    frame: str
    by: Literal["player", "attack"]
    attacker: str | None = None
    may_declare: bool = True
    during: str | UnsetType = UNSET
    turn_id: str | UnsetType = UNSET


class TargetDeclared(Fact, frozen=True, tag="mobile_frame.target_declared"):
    """An attack is lined up (MF-9). Older ones name a weapon only where the command did."""

    added_later: ClassVar[tuple[str, ...]] = ("weapon", "turn_id")

    frame: str
    target: str
    kind: TargetKind
    range: Range
    weapon: Weapon | None = None
    turn_id: str | UnsetType = UNSET


class DicepoolRolled(Fact, frozen=True, tag="mobile_frame.dicepool_rolled"):
    """A frame's whole pool, in the order it fell (MF-10)."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    dice: list[RolledPoolDie]
    turn_id: str | UnsetType = UNSET


class DieAssigned(Fact, frozen=True, tag="mobile_frame.die_assigned"):
    """An action gets a die of the pool by its place, or none (MF-10).

    `rocket_kept`: the attack was declared with a rocket, and a white die is used for it (MF-A9).
    """

    added_later: ClassVar[tuple[str, ...]] = ("rocket_kept", "turn_id")
    frame: str
    action: Action
    die: int | None
    value: int
    range: Range | None = None
    rocket_kept: bool | UnsetType = UNSET
    turn_id: str | UnsetType = UNSET


class RocketSpent(Fact, frozen=True, tag="mobile_frame.rocket_spent"):
    """A rocket is fired (MF-A9)."""

    frame: str
    amount: int = 1


class DefensePlaced(Fact, frozen=True, tag="mobile_frame.defense_placed"):
    """A frame's defence for the rest of the round (MF-11). `value` is the marker as it is turned."""

    frame: str
    value: int


class FrameMoved(Fact, frozen=True, tag="mobile_frame.frame_moved"):
    """A frame moves (MF-13); distances to stations are measured again."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    distance: int
    station_distances: dict[str, int]
    through_cover: bool = False
    on_cover: bool = False
    bonus_d8_on_cover: bool = False
    turn_id: str | UnsetType = UNSET


class SpotPlaced(Fact, frozen=True, tag="mobile_frame.spot_placed"):
    """A spot marker on a frame replaces a lower one (MF-16)."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    target: str
    value: int
    replaced: int | None = None
    turn_id: str | UnsetType = UNSET


class SpotForgone(Fact, frozen=True, tag="mobile_frame.spot_forgone"):
    """A spot without effect (MF-16)."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    target: str
    reason: Literal["not_higher", "no_die"]
    turn_id: str | UnsetType = UNSET


class LeftoverDiceDiscarded(Fact, frozen=True, tag="mobile_frame.leftover_dice_discarded"):
    """Unused dice of the turn, by their place in the pool (MF-10)."""

    frame: str
    dice: list[int]


class TurnEnded(Fact, frozen=True, tag="mobile_frame.turn_ended"):
    """A frame's turn is over (MF-C13)."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    turn_id: str | UnsetType = UNSET


class TurnResumed(Fact, frozen=True, tag="mobile_frame.turn_resumed"):
    """A frame that waited goes on (MF-12)."""

    frame: str


Event = (
    LoadoutRegistered
    | FrameRenamed
    | FrameHandedOver
    | FrameCrewed
    | FrameWithdrawn
    | CoverPlaced
    | StationPlaced
    | StationMeasured
    | EntranceEvent
    | PointsPerAssetSet
    | BattleStarted
    | TacticalOrderSet
    | CombatOrderEntered
    | TurnPassed
    | RoundEnded
    | ExtraRoundGranted
    | BattleEnded
    | StationCaptured
    | ScoreRecalculated
    | FrameActivated
    | TargetDeclared
    | DicepoolRolled
    | DieAssigned
    | RocketSpent
    | DefensePlaced
    | FrameMoved
    | SpotPlaced
    | SpotForgone
    | LeftoverDiceDiscarded
    | TurnEnded
    | TurnResumed
    | a.AttackForgone
    | a.AttackAborted
    | a.AttackCommitted
    | a.SituationNamed
    | a.SpotConsumed
    | a.DamageRolled
    | a.CoverDamaged
    | a.CoverDestroyed
    | a.StrayShotIgnored
    | a.DamageDealt
    | a.StationAbandoned
    | a.SystemLost
    | a.WhiteDieLost
    | a.FrameDestroyed
    | a.ChoicePending
)
