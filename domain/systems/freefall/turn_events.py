"""Events of play: time modes, turns, rolls and conflicts."""

from typing import ClassVar, Literal

from msgspec import UNSET, UnsetType, field

from domain.dice import Die
from domain.personal_text import FreeText, Name
from domain.systems.freefall.event_types import Decider, Fact
from domain.systems.freefall.settings import DeclarationOrder, TnNamedBy
from domain.systems.freefall.state import Action, Attack
from domain.systems.freefall.tables import (
    ActionKind,
    AttributeName,
    HarmType,
    Mode,
    Outcome,
)


class TimeModeChanged(Fact, frozen=True, tag="freefall.time_mode_changed"):
    """How closely the table looks (FF-C4)."""

    mode: Mode
    scale: int


class ClockOpened(Fact, frozen=True, tag="freefall.clock_opened"):
    """A clock that successes move; `hidden` if not everybody may know of it."""

    clock: str
    name: Name
    size: int
    hidden: bool | UnsetType = UNSET


class ClockTicked(Fact, frozen=True, tag="freefall.clock_ticked"):
    """Successes moved a clock by `by`."""

    clock: str
    by: int
    filled_after: int
    size: int


class ClockClosed(Fact, frozen=True, tag="freefall.clock_closed"):
    """A clock is over."""

    clock: str


class TurnStarted(Fact, frozen=True, tag="freefall.turn_started"):
    """An actor's dice for this turn, measured once (FF-7); `late` if the turn ran already."""

    turn_id: str
    actor: str
    name: Name
    npc: bool
    filled: int
    dice_pool: int
    late: bool | UnsetType = UNSET


class TurnEnded(Fact, frozen=True, tag="freefall.turn_ended"):
    """The board is cleared."""

    turn_id: str


class ActionsDeclared(Fact, frozen=True, tag="freefall.actions_declared"):
    """An actor takes a seat with actions and dice (FF-8)."""

    turn_id: str
    actor: str
    seat: int
    group: str | None
    actions: list[Action]
    dice_assigned: int
    dice_left: int
    intent: FreeText | None = None


class ResolutionOrdered(Fact, frozen=True, tag="freefall.resolution_ordered"):
    """Who acts when: the last to declare first, or as the GM fixed it (FF-14)."""

    turn_id: str
    order: list[str]
    declaration_order: DeclarationOrder
    fixed_by_gm: bool


class TnNamed(Fact, frozen=True, tag="freefall.tn_named"):
    """A GM says what a declared action is rolled against (FF-10), or calls somebody to a roll without one.

    `tn` is None where a GM calls such a roll off. `tag` and `attribute` are what a declared action said of itself.
    """

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute")
    actor: str
    tn: int | None
    tn_named_by: TnNamedBy
    action: str | None = None
    situation: FreeText | None = None
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


class ActionAbandoned(Fact, frozen=True, tag="freefall.action_abandoned"):
    """A declared action is given up; its dice are gone."""

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute")
    action: str
    actor: str
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


class ActionNegated(Fact, frozen=True, tag="freefall.action_negated"):
    """A conflict, or the GM, undid a declared action (FF-15)."""

    added_later: ClassVar[tuple[str, ...]] = ("tag", "attribute")
    action: str
    actor: str
    why: FreeText | None = None
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


# --- rolls


class ActionRolled(Fact, frozen=True, tag="freefall.action_rolled"):
    """The dice of an action, each with its bonus, against a TN with all penalties (FF-10, FF-11).

    `conflict_id` says that the dice fell in that conflict and were read a second time. `hidden`: not everybody
    may know of it. `tag` and `attribute` say what it was for where neither `action` nor `narration` does.
    """

    roll_id: str
    actor: str
    action: str | None
    kind: ActionKind
    base_tn: int
    penalties: list[int]
    tn: int
    bonuses: list[int]
    gear_bonus: int
    bonus: int
    dice: list[Die]
    naturals: list[int]
    results: list[int]
    successes: int
    outcome: Outcome
    conflict: bool
    attack: Attack | None
    within_optimal: bool
    optimal_waived: bool
    mode: Mode
    prerequisite: Literal["specialty", "gear", "spend", "harm", "paid"] | None
    conflict_id: str | None = None
    narration: FreeText | None = None
    hidden: bool | UnsetType = UNSET
    tag: str | UnsetType = UNSET
    attribute: AttributeName | UnsetType = UNSET


class AttackHit(Fact, frozen=True, tag="freefall.attack_hit"):
    """An attack hits for `levels`, before armour (FF-12)."""

    roll_id: str
    actor: str
    dv: int
    harm_type: HarmType
    high_impact: bool
    critical: bool
    levels: int


class ComplicationFlagged(Fact, frozen=True, tag="freefall.complication_flagged"):
    """Natural ones in a conflict let the GM introduce a complication (FF-13)."""

    roll_id: str
    actor: str
    ones: int


class ComplicationIntroduced(Fact, frozen=True, tag="freefall.complication_introduced"):
    """What went wrong (FF-C11)."""

    roll: str
    text: FreeText


class SceneLeftBehind(Fact, frozen=True, tag="freefall.scene_left_behind"):
    """What nobody decides any more as its scene is over: ties outside turns, and what might have come of rolls."""

    ties: list[str] = field(default_factory=list)
    rolls: list[str] = field(default_factory=list)


class SuccessForced(Fact, frozen=True, tag="freefall.success_forced"):
    """In montage, harm turned a failure into a success."""

    roll: str
    actor: str


class ConflictRolled(Fact, frozen=True, tag="freefall.conflict_rolled"):
    """Who is faster: the highest single result, bonuses included (FF-15). `first` is None while tied.

    `gear_bonuses` are those of tools for declared actions, beside the `bonuses` that were named; `met` are the
    sides whose prerequisite was met before they rolled. `unseen` are sides that rolled hidden before: who they are
    and what is in `highest` of them is for GMs alone. `actors` says whose the declared actions are.
    """

    conflict_id: str
    turn_id: str | None
    participants: list[str]
    dice: dict[str, list[Die]]
    naturals: dict[str, list[int]]
    bonuses: dict[str, int]
    highest: dict[str, int]
    first: str | None
    tie: bool
    tied: list[str]
    decided_by: Decider | None
    gear_bonuses: dict[str, int] = field(default_factory=dict)
    met: list[str] = field(default_factory=list)
    unseen: list[str] | UnsetType = UNSET
    actors: dict[str, str] | UnsetType = UNSET


class ConflictOrderDecided(Fact, frozen=True, tag="freefall.conflict_order_decided"):
    """A tie is decided (FF-C10); `actor` is whose action is `first`."""

    conflict_id: str
    first: str
    decided_by: Decider
    actor: str | UnsetType = UNSET
