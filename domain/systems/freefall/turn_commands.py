"""Commands of turns, rolls and conflicts (FF-C5 to FF-C11)."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType, field

from domain.field_references import bounded, new, ref
from domain.personal_text import Amount, FreeText, Name, Reference
from domain.systems.freefall.command_parts import (
    ActionRef,
    ActorRef,
    CharacterRef,
    Choice,
    ClockRef,
    Command,
    NewName,
    Numbers,
    Positive,
    Prerequisite,
    RollRef,
)
from domain.systems.freefall.rulebook_guides import ATTRIBUTE_GUIDE, TN_GUIDE
from domain.systems.freefall.state import Attack, Level, Tag
from domain.systems.freefall.tables import (
    ActionKind,
    AttributeName,
    HarmType,
)


class Npc(Struct, frozen=True, forbid_unknown_fields=True):
    """An NPC without a sheet, for a turn; `filled` slots cost dice."""

    id: Annotated[Name, new]
    name: NewName | None = None
    filled: Annotated[int, Meta(ge=0, le=3)] = 0


class StartTurn(Command, frozen=True, tag="freefall.start_turn"):
    """FF-C5, gm. Without `participants`: every active character that is not hidden."""

    participants: Annotated[list[CharacterRef], Meta(max_length=100)] | None = None
    npcs: Annotated[list[Npc], Meta(max_length=100)] = field(default_factory=list)


class JoinTurn(Command, frozen=True, tag="freefall.join_turn"):
    """FF-5, gm. A character or NPC joins the current turn with actions of their own: an ambush, or help."""

    participants: Annotated[list[CharacterRef], Meta(max_length=100)] = field(default_factory=list)
    npcs: Annotated[list[Npc], Meta(max_length=100)] = field(default_factory=list)


class EndTurn(Command, frozen=True, tag="freefall.end_turn"):
    """FF-5, gm. Clears the board; the next turn does that too."""


class ActionDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """An action as it is declared (FF-8). Without `id` it is named after the command."""

    dice: Annotated[Amount, bounded(1, ends="dice_of_turn", of=("character",))]
    id: Annotated[Reference, new] | None = None
    kind: ActionKind = "specialized"
    attribute: Annotated[AttributeName | None, ATTRIBUTE_GUIDE] = None
    tag: Tag | None = None
    tn: Annotated[Positive | None, TN_GUIDE] = None
    conflict: bool = False
    opposed_to: ActionRef | None = None
    attack: Attack | None = None


class DeclareActions(Command, frozen=True, tag="freefall.declare_actions"):
    """FF-C6, the player or a gm. `character` may be an NPC of the turn; a `group` shares one seat."""

    actions: Annotated[list[ActionDraft], Meta(max_length=20)]
    group: Annotated[Name, ref("group", free=True)] | None = None
    intent: FreeText | None = None
    character: ActorRef | None = None


class OrderResolution(Command, frozen=True, tag="freefall.order_resolution"):
    """FF-C7, gm. `order` names everyone, first to act first; only where the GM may fix it."""

    order: Annotated[list[ActorRef], Meta(max_length=200)] | None = None


class RollAction(Command, frozen=True, tag="freefall.roll_action"):
    """FF-C8, the player or a gm. A declared `action`, or so many `dice` (the whole pool in montage).

    `bonuses` join every die, `penalties` raise the TN, gear adds its own for the `tag`.
    """

    action: ActionRef | None = None
    dice: Annotated[int, Meta(ge=1, le=100), bounded(ends="pool", of=("action", "character"))] | None = None
    tn: Annotated[Annotated[Positive, bounded(ends="tn", of=("action", "character"))] | None, TN_GUIDE] = None
    kind: ActionKind | None = None
    tag: Tag | None = None
    bonuses: Numbers = field(default_factory=list)
    penalties: Numbers = field(default_factory=list)
    prerequisite: Prerequisite | None = None
    narration: FreeText | None = None
    attack: Attack | None = None
    conflict: bool | None = None
    within_optimal: bool = True
    optimal_waived: bool = False
    clock: ClockRef | None = None
    character: CharacterRef | None = None


class NameTn(Command, frozen=True, tag="freefall.name_tn"):
    """FF-10, gm. The TN of a declared `action`, or of a roll a `character` is called to; no `tn` calls it off."""

    tn: Annotated[Positive | None, TN_GUIDE] = None
    action: ActionRef | None = None
    character: CharacterRef | None = None
    situation: FreeText | None = None


class AbandonAction(Command, frozen=True, tag="freefall.abandon_action"):
    """FF-9, the player or a gm. Gives up an action that cannot or shall not be attempted."""

    action: ActionRef


class ForceSuccess(Command, frozen=True, tag="freefall.force_success"):
    """Section 5, the player or a gm. In montage, one level of harm turns a failure into a success."""

    harm_type: HarmType
    choice: Choice | None = None
    roll: RollRef | None = None


class Participant(Struct, frozen=True, forbid_unknown_fields=True):
    """A side of a conflict: a declared action by id, or a name with so many dice (FF-15).

    With `roll`, gm: the `id` is only a name for the character of that hidden roll, whose numbers stay hidden.
    """

    id: Annotated[Reference, ref("side", free=True)]
    dice: Annotated[int, Meta(ge=1, le=100)] | None = None
    bonus: Level = 0
    npc: bool | None = None
    prerequisite: Prerequisite | None = None
    roll: RollRef | UnsetType = UNSET


class ResolveConflict(Command, frozen=True, tag="freefall.resolve_conflict"):
    """FF-C9, a participant's player or a gm."""

    participants: Annotated[list[Participant], Meta(max_length=20), bounded(2)]


class DecideTie(Command, frozen=True, tag="freefall.decide_tie"):
    """FF-C10, the players involved; a gm where only NPCs are."""

    first: Annotated[Reference, ref("tied", of="conflict")]
    conflict: Annotated[Reference, ref("conflict")] | None = None


class NegateAction(Command, frozen=True, tag="freefall.negate_action"):
    """FF-C10, gm."""

    action: ActionRef
    why: FreeText | None = None


class IntroduceComplication(Command, frozen=True, tag="freefall.introduce_complication"):
    """FF-C11, gm. Without `roll`: the last one that allows it."""

    text: FreeText
    roll: RollRef | None = None
