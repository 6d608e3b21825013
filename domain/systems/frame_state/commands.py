"""The commands of Frame State; a command struct is the request body.

Ids (`pilot`, `frame`, `test_id`, `mission_id`) may be left out where only one fits. Numbers that a rule refuses
with its own words (a mark below 1, an experimental part of +4) are let in and refused by that rule.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.field_references import bounded, new, ref
from domain.ids import AccountId
from domain.personal_text import Amount, FreeText, Name, Reference
from domain.systems.frame_state.state import Attribute, Modifier, TestDie
from domain.systems.frame_state.tables import EXPERIMENTAL_RANGE, Method, Owner, PresetName, TestType

NewName = Annotated[Name, new]
PilotRef = Annotated[Reference, ref("character")]
FrameRef = Annotated[Reference, ref("frame")]
MissionRef = Annotated[Reference, ref("mission")]
CategoryRef = Annotated[Name, ref("category", of="pilot")]
AttributeRef = Annotated[Name, ref("attribute", of="category")]
Positive = Annotated[int, Meta(ge=1, le=1_000_000_000)]
NotNegative = Annotated[int, Meta(ge=0, le=1_000_000_000)]
Count = Annotated[int, Meta(ge=0, le=10_000)]
Tier = Annotated[int, Meta(ge=1, le=3)]
DiceList = Annotated[list[TestDie], Meta(max_length=20), bounded(1)]
ModifierList = Annotated[list[Modifier], Meta(max_length=50)]


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class BaseAttribute(Attribute, frozen=True):
    """An attribute as a campaign writes it: `base` is the grade before any point, 0 to 5."""

    base: Annotated[int, Meta(ge=0, le=5)] = 0


class CategoryDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A category as a campaign writes it. Fields left out come from the preset's category of that id.

    `cost` is the price of one advance and at least 1; `attributes` replace the preset's. With neither a
    preset nor `starting_points` the category starts at 0 points.
    """

    owner: Owner | None = None
    starting_points: Count | None = None
    cost: Positive | None = None
    advance_limit: Count | None = None
    attributes: Annotated[dict[NewName, BaseAttribute], Meta(max_length=200)] | None = None


class DefineCatalogue(Command, frozen=True, tag="frame_state.define_catalogue"):
    """FS-C1, handler. Defines what can be bought; it may be replaced until a sheet uses it."""

    categories: Annotated[
        dict[NewName, CategoryDraft],
        Meta(max_length=50),
        Meta(description="Lists of your own, or what differs from those of the rulebook."),
    ] = {}
    preset: Annotated[
        PresetName | None,
        Meta(
            description="Points and prices as the game's public pages have them. Nothing else has to be filled "
            "in: where they name nothing to put points into, and you do not either, there are lists to begin with."
        ),
    ] = None
    new_frame_price: NotNegative | None = None


class AssignRole(Command, frozen=True, tag="frame_state.assign_role"):
    """FS-C2, handler. Gives a player a seat at the table and takes the other one."""

    player: AccountId
    role: Literal["handler", "pilot"]


class CreatePilot(Command, frozen=True, tag="frame_state.create_pilot"):
    """FS-C4, the player or the handler. Without `player`: for the asking player; a handler's has no player yet."""

    name: NewName
    player: AccountId | None = None
    background: FreeText | None = None


class CreateUnit(Command, frozen=True, tag="frame_state.create_unit"):
    """FS-C5, the pilot's player or the handler. A frame belongs to a pilot, an NPC to the Handler."""

    kind: Literal["frame", "npc"]
    name: NewName
    controller: Literal["pilot", "handler"] | None = None
    pilot: PilotRef | None = None


class AllocatePoint(Command, frozen=True, tag="frame_state.allocate_point"):
    """FS-C6, the pilot's player. One point, one grade."""

    category: CategoryRef
    attribute: AttributeRef
    pilot: PilotRef | None = None


class ProposeTest(Command, frozen=True, tag="frame_state.propose_test"):
    """FS-C7, the pilot's player. Asks for a proactive test; a newer proposal replaces an older one."""

    dice: DiceList
    modifiers: ModifierList = []
    method: Method = "roll"
    intent: FreeText | None = None
    pilot: PilotRef | None = None


class CallTest(Command, frozen=True, tag="frame_state.call_test"):
    """FS-C7, handler. `pilot` may be an NPC's unit. Fields left out come from the `proposal` named."""

    mark: Annotated[
        Amount, Meta(description="The number that the score is measured against, 1 or more."), bounded(1)
    ]
    test_type: TestType | None = None
    dice: Annotated[DiceList | None, Meta(description="The dice that are rolled; only the highest counts.")] = None
    modifiers: Annotated[
        ModifierList | None, Meta(description="The number added to the highest die, or taken from it.")
    ] = None
    method: Method | None = None
    mark_hidden: bool = False
    proposal: Annotated[Reference, ref("proposal")] | None = None
    situation: FreeText | None = None
    pilot: Annotated[Reference, ref("roller")] | None = None


class RollTest(Command, frozen=True, tag="frame_state.roll_test"):
    """FS-C8, the pilot's player (the handler for a pilot without one, and for NPCs)."""

    test_id: Annotated[Reference, ref("open_test")] | None = None


class CancelTest(Command, frozen=True, tag="frame_state.cancel_test"):
    """FS-C9, handler. Calls off an open test, or turns down a proposal."""

    test_id: Annotated[Reference, ref("waiting_test")] | None = None


class NarrateConsequence(Command, frozen=True, tag="frame_state.narrate_consequence"):
    """FS-7, handler. Tells the consequences of a test; without `test_id`, of the last one rolled."""

    consequence: FreeText
    test_id: Annotated[Reference, ref("rolled_test")] | None = None


class StartMission(Command, frozen=True, tag="frame_state.start_mission"):
    """FS-C10, handler. Without `pilots`: everyone's but those of members who are away."""

    name: NewName
    pilots: Annotated[list[PilotRef], Meta(max_length=100), bounded(1)] | None = None


class CostsDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A pilot's use of resources: integrity lost, and the tier (1 to 3) of each use of a weapon (FS-W1)."""

    integrity_lost: Count = 0
    weapon_uses: Annotated[list[Tier], Meta(max_length=1000)] = []


class ConcludeMission(Command, frozen=True, tag="frame_state.conclude_mission"):
    """FS-C10, handler. Payouts by pilot, in currency; a worker posts them."""

    payouts: dict[PilotRef, NotNegative] = {}
    costs: dict[PilotRef, CostsDraft] = {}
    mission_id: MissionRef | None = None


class PostPayout(Command, frozen=True, tag="frame_state.post_payout"):
    """FS-W1, worker. Pays a pilot the sum that a concluded mission owes."""

    mission_id: MissionRef
    pilot: PilotRef


class AwardCurrency(Command, frozen=True, tag="frame_state.award_currency"):
    """FS-C11, handler."""

    amount: Positive
    reason: FreeText
    pilot: PilotRef | None = None


class ChargeCurrency(Command, frozen=True, tag="frame_state.charge_currency"):
    """FS-C11, handler. May leave a pilot in debt."""

    amount: Positive
    reason: FreeText
    pilot: PilotRef | None = None


class AdvanceCategory(Command, frozen=True, tag="frame_state.advance_category"):
    """FS-C12, the pilot's player. Buys one point; `explanation` (training, parts, surgery) is flavour."""

    category: CategoryRef
    explanation: FreeText | None = None
    pilot: PilotRef | None = None


class Refit(Command, frozen=True, tag="frame_state.refit"):
    """FS-C13, the pilot's player. Moves a placed point; without `to_attribute` it stays unspent."""

    category: CategoryRef
    from_attribute: AttributeRef
    to_attribute: AttributeRef | None = None
    pilot: PilotRef | None = None


class InstallExperimental(Command, frozen=True, tag="frame_state.install_experimental"):
    """FS-C14, handler. `value` is 1 to 3."""

    attribute: Annotated[Name, ref("attribute")]
    value: Annotated[Amount, bounded(*EXPERIMENTAL_RANGE)]
    note: FreeText | None = None
    pilot: PilotRef | None = None


class LoseFrame(Command, frozen=True, tag="frame_state.lose_frame"):
    """FS-C15, handler."""

    frame: FrameRef | None = None
    cause: FreeText | None = None


class ReplaceFrame(Command, frozen=True, tag="frame_state.replace_frame"):
    """FS-C16, the pilot's player asks and the handler confirms; the handler's own call confirms at once.

    With `decline` the handler turns the request down, or the player takes it back.
    """

    old: FrameRef | None = None
    new: FrameRef | None = None
    pilot: PilotRef | None = None
    decline: bool | UnsetType = UNSET


class SalvageFrame(Command, frozen=True, tag="frame_state.salvage_frame"):
    """FS-C17, the pilot's player or the handler. `frame` is the wreck."""

    wreck_recovered: bool
    frame: FrameRef | None = None


AnyCommand = (
    DefineCatalogue
    | AssignRole
    | CreatePilot
    | CreateUnit
    | AllocatePoint
    | ProposeTest
    | CallTest
    | RollTest
    | CancelTest
    | NarrateConsequence
    | StartMission
    | ConcludeMission
    | PostPayout
    | AwardCurrency
    | ChargeCurrency
    | AdvanceCategory
    | Refit
    | InstallExperimental
    | LoseFrame
    | ReplaceFrame
    | SalvageFrame
)
