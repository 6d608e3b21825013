"""Attacks: from the target declared to the last white die (MF-14 to MF-22).

The changes that `evolve` adds up are `lost`, `assets_change`, `bricks_removed`, `height_lost` and `moved`. In old
logs `turn_id`, `attack_id` and `choice_id`, which name the origin of an event, are unset.
"""

from typing import ClassVar, Literal

from msgspec import UNSET, Struct, UnsetType

from domain.dice import Origin
from domain.systems.mobile_frame.base_event_types import Fact
from domain.systems.mobile_frame.settings import SituationNamedBy, StrayShots
from domain.systems.mobile_frame.state import TargetKind, Unresolved
from domain.systems.mobile_frame.tables import Range, Situation, System


class DamageDie(Struct, frozen=True):
    """A rolled damage die."""

    sides: int
    value: int
    origin: Origin
    proof: str


class AttackForgone(Fact, frozen=True, tag="mobile_frame.attack_forgone"):
    """The attack is lost: its target is out of the declared range, or gone (MF-14)."""

    added_later: ClassVar[tuple[str, ...]] = ("turn_id",)
    frame: str
    target: str
    reason: Literal["out_of_range", "target_gone"]
    range: Range
    distance: int
    turn_id: str | UnsetType = UNSET


class AttackAborted(Fact, frozen=True, tag="mobile_frame.attack_aborted"):
    """The attack is given up without a die (MF-14).

    `before_dice`: before the roll, so that another target may be declared.
    """

    added_later: ClassVar[tuple[str, ...]] = ("before_dice", "turn_id")
    frame: str
    target: str
    before_dice: bool | UnsetType = UNSET
    turn_id: str | UnsetType = UNSET


class AttackCommitted(Fact, frozen=True, tag="mobile_frame.attack_committed"):
    """An attack that can no longer be taken back (MF-14). Its consequences name its `attack_id`."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id", "turn_id")
    frame: str
    target: str
    kind: TargetKind
    range: Range
    value: int
    distance: int
    turn_id: str | UnsetType = UNSET
    attack_id: str | UnsetType = UNSET


class SituationNamed(Fact, frozen=True, tag="mobile_frame.situation_named"):
    """A player names the situation that an attack meets (MF-A6)."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id",)
    frame: str
    player: str
    situation: Situation
    situation_named_by: SituationNamedBy
    cover: str | None = None
    cover_frame: str | None = None
    attack_id: str | UnsetType = UNSET


class SpotConsumed(Fact, frozen=True, tag="mobile_frame.spot_consumed"):
    """An attack takes the spot off its target and adds it up (MF-17)."""

    frame: str
    target: str
    value: int


class DamageRolled(Fact, frozen=True, tag="mobile_frame.damage_rolled"):
    """Spot and attack less defence, in dice (MF-17).

    `cover` and `cover_frame` are the things the target is behind; older events leave out the one that a later
    event names.
    """

    added_later: ClassVar[tuple[str, ...]] = ("cover", "cover_frame", "attack_id")
    frame: str
    target: str
    situation: Situation
    spot: int
    attack: int
    defense: int
    damage_dice: int
    values: list[int]
    dice: list[DamageDie]
    situation_named_by: SituationNamedBy = "attacker"
    stray_shots: StrayShots = "ignored"
    cover: str | UnsetType = UNSET
    cover_frame: str | UnsetType = UNSET
    attack_id: str | UnsetType = UNSET


class CoverDamaged(Fact, frozen=True, tag="mobile_frame.cover_damaged"):
    """A cover loses bricks (MF-20)."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id", "choice_id")
    cover: str
    bricks_removed: int
    height_lost: int
    bricks_left: int
    height: int
    attack_id: str | UnsetType = UNSET
    choice_id: str | UnsetType = UNSET


class CoverDestroyed(Fact, frozen=True, tag="mobile_frame.cover_destroyed"):
    """A cover is too low to hide behind (MF-6)."""

    verdict: ClassVar[tuple[str, ...]] = ("cover",)
    cover: str


class StrayShotIgnored(Fact, frozen=True, tag="mobile_frame.stray_shot_ignored"):
    """A covering frame with two defence systems ignores a stray (MF-19)."""

    frame: str


class DamageDealt(Fact, frozen=True, tag="mobile_frame.damage_dealt"):
    """The points of damage to the target, before it may give up a station (MF-21)."""

    target: str
    points: int


class StationAbandoned(Fact, frozen=True, tag="mobile_frame.station_abandoned"):
    """A frame gives ground instead of taking one damage (MF-22)."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id", "choice_id")
    frame: str
    station: str
    moved: int
    attack_id: str | UnsetType = UNSET
    choice_id: str | UnsetType = UNSET


class SystemLost(Fact, frozen=True, tag="mobile_frame.system_lost"):
    """A frame loses a system (MF-21)."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id", "choice_id")
    frame: str
    system: System
    attack_id: str | UnsetType = UNSET
    choice_id: str | UnsetType = UNSET


class WhiteDieLost(Fact, frozen=True, tag="mobile_frame.white_die_lost"):
    """A frame loses a white die (MF-21)."""

    added_later: ClassVar[tuple[str, ...]] = ("attack_id", "choice_id")
    frame: str
    white_left: int
    lost: int = 1
    attack_id: str | UnsetType = UNSET
    choice_id: str | UnsetType = UNSET


class FrameDestroyed(Fact, frozen=True, tag="mobile_frame.frame_destroyed"):
    """A frame is destroyed, with its rolled dice (MF-21)."""

    verdict: ClassVar[tuple[str, ...]] = ("frame",)
    frame: str
    owner: str
    assets_change: int = -1


class ChoicePending(Fact, frozen=True, tag="mobile_frame.choice_pending"):
    """The resolution waits for a choice: the owner's of a loss, or the attacker's of a cover's height.

    `for_gm`: the player has left the campaign, and a GM chooses. The event of the choice names the `choice_id`.
    """

    added_later: ClassVar[tuple[str, ...]] = ("for_gm", "choice_id")
    kind: Literal["loss", "bricks"]
    attacker: str
    subject: str
    player: str
    unresolved: Unresolved
    for_gm: bool | UnsetType = UNSET
    choice_id: str | UnsetType = UNSET
