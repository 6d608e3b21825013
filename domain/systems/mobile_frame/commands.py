"""The commands of Mobile Frame; a command struct is the request body.

`frame` may be left out of commands that belong to a turn: it is the frame whose turn goes on. Dice are named by
their place in the pool, from 0. Distances are whole units between closest points; a doubtful one is in range.
"""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.field_references import bounded, new, ref
from domain.personal_text import Name, Reference, Somebody
from domain.systems.mobile_frame.tables import (
    COVER_HEIGHT_MIN,
    ROCKETS_MAX,
    Action,
    Range,
    Situation,
    System,
    Weapon,
)

NewName = Annotated[Name, new]
UNITS_MAX = 10_000
Units = Annotated[int, Meta(ge=0, le=UNITS_MAX)]
BRICKS_MAX = 100_000
Bricks = Annotated[int, Meta(ge=0, le=BRICKS_MAX)]
DieIndex = Annotated[int, Meta(ge=0, le=1000), ref("pool_die")]
Notation = Annotated[str, Meta(max_length=60, examples=["WWRdRdGYBB", "WW"]), new]
FrameRef = Annotated[Reference, ref("frame")]
CoverRef = Annotated[Reference, ref("cover")]
StationRef = Annotated[Reference, ref("station")]
Company = Annotated[Somebody, ref("company")]
SystemList = Annotated[list[System], Meta(max_length=20)]
Height = Annotated[Bricks, bounded(ends="height_after_hit", of=("situation", "cover"))]
HeightList = Annotated[list[Height], Meta(max_length=100)]
Distances = Annotated[dict[StationRef, Units], Meta(max_length=120)]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class RegisterLoadout(Command, frozen=True, tag="mobile_frame.register_loadout"):
    """MF-C1, the owner or the GM. Fields a frame, or changes the loadout of the one that is named.

    Either `notation`, taken as written within the setting `loadout_limits`, or `systems` with `rockets`; with
    neither, a named frame keeps its loadout and its damage. Only the GM sets `owner`: a member, or a company of
    its own; this also hands a frame over. `character` may be one of any system of the campaign: the frame is then
    its player's, and has the name of the character's machine or, without one, of the character.
    """

    notation: Annotated[
        Notation | None, Meta(description="The frame's dice by their letters, such as WWRdYBB.")
    ] = None
    systems: Annotated[SystemList | None, Meta(description="Instead of the letters: one by one.")] = None
    rockets: Annotated[int, Meta(ge=0, le=ROCKETS_MAX)] = 0
    frame: FrameRef | None = None
    name: NewName | None = None
    owner: Company | None = None
    character: Annotated[Reference, ref("character")] | None = None


class WithdrawFrame(Command, frozen=True, tag="mobile_frame.withdraw_frame"):
    """The owner or the GM. Between battles, takes a frame out of its company."""

    frame: FrameRef


class PlaceCover(Command, frozen=True, tag="mobile_frame.place_cover"):
    """MF-6, the GM. Terrain of at least three bricks' height."""

    bricks: Annotated[Bricks, bounded(COVER_HEIGHT_MIN)]
    height: Annotated[Bricks, bounded(COVER_HEIGHT_MIN)]
    name: NewName | None = None


class PlaceStation(Command, frozen=True, tag="mobile_frame.place_station"):
    """MF-7, the GM, before the battle. `controller` is the player it belongs to."""

    controller: Company | None = None
    name: NewName | None = None


class MeasureStation(Command, frozen=True, tag="mobile_frame.measure_station"):
    """MF-22, the frame's owner or the GM. How far a frame stands from a station."""

    frame: FrameRef
    station: StationRef
    distance: Units


class SetPointsPerAsset(Command, frozen=True, tag="mobile_frame.set_points_per_asset"):
    """MF-C2, the GM. Counts the companies and says what an asset is worth to each."""


class StartBattle(Command, frozen=True, tag="mobile_frame.start_battle"):
    """MF-C3, the GM. Without `doomsday`: where the setting `doomsday_start` says."""

    doomsday: Annotated[int, Meta(ge=1, le=1000)] | None = None


class ActivateFrame(Command, frozen=True, tag="mobile_frame.activate_frame"):
    """MF-C4, the owner or the GM."""

    frame: FrameRef | None = None


class DeclareTarget(Command, frozen=True, tag="mobile_frame.declare_target"):
    """MF-C5, the owner or the GM. `target` is a hostile frame or a cover.

    The attack is made with the dice of the `weapon` or white ones; it may be left out where only one reaches.
    """

    target: Annotated[Reference, ref("target")]
    range: Range
    weapon: Weapon | None = None
    frame: FrameRef | None = None


class RollDicepool(Command, frozen=True, tag="mobile_frame.roll_dicepool"):
    """MF-C6, the owner or the GM."""

    frame: FrameRef | None = None


class AssignDie(Command, frozen=True, tag="mobile_frame.assign_die"):
    """MF-C7, the owner or the GM. `die` null gives the action none; `range` is that of the declared attack."""

    action: Action
    die: DieIndex | None = None
    range: Range | None = None
    frame: FrameRef | None = None


class Move(Command, frozen=True, tag="mobile_frame.move"):
    """MF-C8, the owner or the GM. `die` gives the movement a die at once.

    `station_distances` are those after the move, as far as they matter.
    """

    distance: Annotated[Units, bounded(ends="movement", of=("frame", "die"))]
    through_cover: bool = False
    stand_on_cover: bool = False
    die: DieIndex | None = None
    station_distances: Distances = {}
    frame: FrameRef | None = None


class DeclaredAttack(Command, frozen=True, tag="mobile_frame.attack"):
    """MF-C9, the owner or the GM. `die` left out: the one assigned; null: none, which aborts the attack.

    Where none is assigned and one would do, it has to be said.
    """

    distance: Units
    die: DieIndex | UnsetType | None = UNSET
    frame: FrameRef | None = None


class AbortAttack(Command, frozen=True, tag="mobile_frame.abort_attack"):
    """MF-C10, the owner or the GM."""

    frame: FrameRef | None = None


class NameSituation(Command, frozen=True, tag="mobile_frame.name_situation"):
    """MF-A6, the attacker's owner or the GM; with `situation_named_by: agreed` the target's owner too."""

    situation: Situation
    cover: CoverRef | None = None
    cover_frame: FrameRef | None = None
    frame: FrameRef | None = None


class Abandonment(Struct, frozen=True, forbid_unknown_fields=True):
    """A frame gives up a station to ignore one damage (MF-22)."""

    frame: FrameRef
    station: StationRef


class ResolveAttack(Command, frozen=True, tag="mobile_frame.resolve_attack"):
    """MF-C11, the attacker's owner or the GM; losses and abandonments only for frames they own.

    Choices may be sent ahead, in the order they are to be made; one that is missing is waited for.
    """

    use_spot: bool = False
    situation: Situation | None = None
    cover: CoverRef | None = None
    cover_frame: FrameRef | None = None
    cover_heights: HeightList = []
    cover_frame_losses: SystemList = []
    target_losses: SystemList = []
    abandon_station: StationRef | None = None
    abandonments: Annotated[list[Abandonment], Meta(max_length=20)] = []
    frame: FrameRef | None = None


class ChooseLoss(Command, frozen=True, tag="mobile_frame.choose_loss"):
    """MF-21, MF-22, the damaged frame's owner or the GM. Answers a pending loss.

    `abandon_station` ignores the damage instead; with neither, a white die goes.
    """

    system: System | None = None
    abandon_station: StationRef | None = None
    frame: FrameRef | None = None


class RemoveBricks(Command, frozen=True, tag="mobile_frame.remove_bricks"):
    """MF-20, the attacker's owner or the GM. How high a hit cover still stands."""

    height: Annotated[Bricks, bounded(ends="height_left")]


class Spot(Command, frozen=True, tag="mobile_frame.spot"):
    """MF-C12, the owner or the GM. `die` gives the spot a die at once; left out, it is the one assigned.

    Where none is assigned and one would do, it has to be said.
    """

    distance: Annotated[Units, bounded(ends="spotting", of=("frame",))]
    in_cover: bool = False
    target: Annotated[Reference, ref("target")] | None = None
    die: DieIndex | None = None
    frame: FrameRef | None = None


class EndTurn(Command, frozen=True, tag="mobile_frame.end_turn"):
    """MF-C13, the owner or the GM."""

    frame: FrameRef | None = None


class CaptureStation(Command, frozen=True, tag="mobile_frame.capture_station"):
    """MF-C14, the owner of a frame there or the GM. `frames` are all within hand range of the station."""

    frames: Annotated[list[FrameRef], Meta(max_length=120), bounded(1)]
    station: StationRef | None = None


class SetTacticalOrder(Command, frozen=True, tag="mobile_frame.set_tactical_order"):
    """MF-W1, a worker. Records the new order after scores changed between two turns."""


class Pass(Command, frozen=True, tag="mobile_frame.pass"):
    """MF-C15, the player whose move it is, or the GM for them."""

    player: Company | None = None


class EndRound(Command, frozen=True, tag="mobile_frame.end_round"):
    """MF-C16, the GM. `votes`, in score order, are whether each player takes one more off the clock."""

    votes: Annotated[list[bool], Meta(max_length=120)] = []


AnyCommand = (
    RegisterLoadout
    | WithdrawFrame
    | PlaceCover
    | PlaceStation
    | MeasureStation
    | SetPointsPerAsset
    | StartBattle
    | ActivateFrame
    | DeclareTarget
    | RollDicepool
    | AssignDie
    | Move
    | DeclaredAttack
    | AbortAttack
    | NameSituation
    | ResolveAttack
    | ChooseLoss
    | RemoveBricks
    | Spot
    | EndTurn
    | CaptureStation
    | SetTacticalOrder
    | Pass
    | EndRound
)
