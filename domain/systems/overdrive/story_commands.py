"""The commands outside fights: characters, rolls, relations, scenes, duels, progression."""

from typing import Annotated

from msgspec import Meta, Struct, field

from domain.field_references import bounded, new, ref
from domain.ids import AccountId
from domain.personal_text import FreeText, Name, Reference, ShortText
from domain.systems.overdrive.base_command_types import (
    Bonus,
    CharacterRef,
    Command,
    ConfigRef,
    MechRef,
    NewName,
    NotNegative,
    People,
    Points,
    Positive,
    QuestionRef,
    RelationRef,
    Rolling,
    RollRef,
    TargetRef,
    Value,
)
from domain.systems.overdrive.tables import (
    CHAPTER_AWARD_MIN,
    SKILL_RANGE,
    Attribute,
    SceneKind,
    Score,
    Side,
    Skill,
    Stat,
    Use,
    Weight,
)


class ReactionDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A reaction as a player writes it."""

    text: ShortText
    id: NewName | None = None


class WeaponDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A weapon as a campaign writes it; `ideal` is its ideal distance in PM."""

    ideal: NotNegative
    type: Annotated[str, Meta(min_length=1, max_length=80, examples=["kinetic", "energy"]), new] = "kinetic"
    cools: bool = True


Weapons = Annotated[dict[NewName, WeaponDraft], Meta(max_length=50)]


class CreateCharacter(Command, frozen=True, tag="overdrive.create_character"):
    """OD-C1. Without `player`: the asking player's, or the GM's own. Values left out are 0, skills 1."""

    name: NewName
    stats: Annotated[
        dict[Stat, Annotated[Value, bounded(0)]],
        Meta(description="Whole numbers from 0; an empty field is 0."),
    ] = field(default_factory=dict)
    skills: Annotated[
        dict[Skill, Annotated[Value, bounded(*SKILL_RANGE)]],
        Meta(description="From 1 to 5; an empty field is 1."),
    ] = field(default_factory=dict)
    od_start: Points = 0
    reactions: Annotated[list[ReactionDraft], Meta(max_length=50)] = field(default_factory=list)
    equipment: Annotated[
        dict[Score, Value], Meta(description="The numbers added to the scores on foot, without a mech.")
    ] = field(default_factory=dict)
    weapons: Weapons = field(default_factory=dict)
    pairing: Annotated[
        dict[Score, Stat] | None,
        Meta(description="The stat behind each score, each stat once. It is chosen once: here or with a mech."),
    ] = None
    player: AccountId | None = None


class CreateMech(Command, frozen=True, tag="overdrive.create_mech"):
    """OD-C2. `pairing` gives every score its stat; a character who has one keeps it."""

    name: NewName
    attributes: Annotated[
        dict[Attribute, Annotated[Value, bounded(0)]],
        Meta(description="The numbers that the mech adds to the scores; an empty field is 0."),
    ] = field(default_factory=dict)
    pairing: Annotated[
        dict[Score, Stat] | None,
        Meta(description="The stat behind each score, each stat once, for a character who has none yet."),
    ] = None
    configs: Annotated[list[NewName], Meta(max_length=50)] = field(default_factory=list)
    weapons: Weapons = field(default_factory=dict)
    character: CharacterRef | None = None


class ChangePairing(Command, frozen=True, tag="overdrive.change_pairing"):
    """OD-C3. Always refused: the pairing is chosen once."""

    pairing: dict[Score, Stat] = field(default_factory=dict)
    character: CharacterRef | None = None


class BoardMech(Command, frozen=True, tag="overdrive.board_mech"):
    """OD-C4."""

    mech: MechRef | None = None
    character: CharacterRef | None = None


class LeaveMech(Command, frozen=True, tag="overdrive.leave_mech"):
    """OD-C4."""

    character: CharacterRef | None = None


class MakeRoll(Rolling, frozen=True, kw_only=True, tag="overdrive.roll"):
    """OD-C5, the character's player; hidden, the gm too. `difficulty` must be exceeded."""

    use: Use
    skill: Skill
    difficulty: Annotated[NotNegative | None, Meta(description="There have to be more successes than this.")] = (
        None
    )


class AllowInvocation(Command, frozen=True, tag="overdrive.allow_invocation"):
    """OD-14, gm. Says that things are critical enough for a character to invoke one relation."""

    character: CharacterRef | None = None


class GiveBonusDice(Command, frozen=True, tag="overdrive.give_bonus_dice"):
    """OD-5, gm. Bonus dice for one of a character's next rolls, as far as the rules name none."""

    dice: Positive
    reason: FreeText | None = None
    character: CharacterRef | None = None


class SpendOverdriveSuccess(Command, frozen=True, tag="overdrive.spend_overdrive_success"):
    """OD-C6. One success more for 1 Overdrive."""

    roll_id: RollRef | None = None
    character: CharacterRef | None = None


class CloseRoll(Command, frozen=True, tag="overdrive.close_roll"):
    """OD-C7, gm. The outcome of a held roll comes with it."""

    roll_id: RollRef | None = None


class ActivateConfiguration(Command, frozen=True, tag="overdrive.activate_configuration"):
    """OD-C8."""

    config: ConfigRef
    character: CharacterRef | None = None


class PlayReaction(Command, frozen=True, tag="overdrive.play_reaction"):
    """OD-C9, a player shows it and the gm confirms; the gm's own call confirms at once."""

    weight: Weight
    reaction: Annotated[Name, ref("reaction", of="character")] | None = None
    character: CharacterRef | None = None


class DeclineReaction(Command, frozen=True, tag="overdrive.decline_reaction"):
    """OD-C9. The gm does not confirm a reaction that was shown, or its player takes it back."""

    character: CharacterRef | None = None


class AddRelation(Command, frozen=True, tag="overdrive.add_relation"):
    """OD-C10. `relation` is its id, made up if left out."""

    with_: NewName = field(name="with")
    nature: ShortText
    relation: NewName | None = None
    character: CharacterRef | None = None


class RenameRelation(Command, frozen=True, tag="overdrive.rename_relation"):
    """OD-C10."""

    relation: RelationRef
    with_: NewName | None = field(name="with", default=None)
    nature: ShortText | None = None
    character: CharacterRef | None = None


class ResolveRelation(Rolling, frozen=True, kw_only=True, tag="overdrive.resolve_relation"):
    """OD-C11. The character's act about the tension, and a Social roll."""

    relation: RelationRef
    stat: Stat
    scene_text: FreeText | None = None
    new_nature: ShortText | None = None


class RepairRelation(Command, frozen=True, tag="overdrive.repair_relation"):
    """OD-C12. No roll: it is played."""

    relation: RelationRef
    scene_text: FreeText | None = None
    character: CharacterRef | None = None


class OpenScene(Command, frozen=True, tag="overdrive.open_scene"):
    """OD-C13. A scene between fights; it ends the one before."""

    scene: SceneKind


class CloseScene(Rolling, frozen=True, kw_only=True, tag="overdrive.close_scene"):
    """OD-C13. One participant's roll at the end; `target` is the owner of the mech or wounds, else oneself."""

    scene: SceneKind
    stat: Stat
    fiction: FreeText | None = None
    target: TargetRef | None = None


class SpendRecovery(Command, frozen=True, tag="overdrive.spend_recovery"):
    """OD-C14. The use of the successes of a repair or care scene."""

    damage: NotNegative = 0
    configs: Annotated[list[Annotated[Name, ref("config", of="target")]], Meta(max_length=50)] = field(
        default_factory=list
    )
    target: TargetRef | None = None
    character: CharacterRef | None = None


class AskQuestion(Command, frozen=True, tag="overdrive.ask_question"):
    """OD-C15."""

    text: FreeText
    character: CharacterRef | None = None


class AnswerQuestion(Command, frozen=True, tag="overdrive.answer_question"):
    """OD-17, gm. The answer to a question, for the readers of that question."""

    text: Annotated[FreeText, Meta(min_length=1, pattern=r"\S")]
    question: QuestionRef | None = None


class RecordRevelation(Command, frozen=True, tag="overdrive.record_revelation"):
    """OD-C16, gm. Without `participants`: every player's character."""

    participants: People | None = None
    text: FreeText | None = None


class DuelistDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """One side: a `character` with `use`, or a `name` with a `pool` and an Overdrive reserve `od`.

    For a character of another player, `use` and `skill` are only proposals. With `roll_id`, gm: the `name`
    stands for the character of that hidden roll, whose numbers stay hidden.
    """

    skill: Skill | None = None
    character: CharacterRef | None = None
    use: Use | None = None
    name: NewName | None = None
    pool: NotNegative = 0
    skill_value: Annotated[int, Meta(ge=1, le=5)] = 3
    od: Points = 0
    bonus_dice: Bonus = 0
    penalty_dice: NotNegative = 0
    invoke_relation: RelationRef | None = None
    roll_id: RollRef | None = None


class StartDuel(Command, frozen=True, tag="overdrive.start_duel"):
    """OD-C17. `sides` are the initiator and the other; another player's character rolls by `roll_duel`."""

    sides: tuple[DuelistDraft, DuelistDraft]
    stakes: FreeText | None = None


class RollDuel(Command, frozen=True, tag="overdrive.roll_duel"):
    """OD-C17, the character's player or the gm. The roll that a duel waits for; without `use`, as proposed."""

    use: Use | None = None
    skill: Skill | None = None
    bonus_dice: Bonus = 0
    penalty_dice: NotNegative = 0
    invoke_relation: RelationRef | None = None
    character: CharacterRef | None = None


class DuelRaise(Command, frozen=True, tag="overdrive.duel_raise"):
    """OD-C17. Overdrive for as many successes, with a deed or a line."""

    amount: Annotated[Positive, bounded(ends="raise", of=("by",))]
    by: Side | None = None
    line: FreeText | None = None


class DuelFold(Command, frozen=True, tag="overdrive.duel_fold"):
    """OD-C17. In one's turn, or before both sides have rolled."""

    by: Side | None = None


class Advance(Command, frozen=True, tag="overdrive.advance"):
    """OD-C29, public. Exactly one of the three; the points leave the game."""

    stat: Stat | None = None
    attribute: Attribute | None = None
    skill: Skill | None = None
    character: CharacterRef | None = None


class EndChapter(Command, frozen=True, tag="overdrive.end_chapter"):
    """OD-W3, public, gm. At least 10 Overdrive for every player's character."""

    amount: Annotated[Positive, bounded(CHAPTER_AWARD_MIN)] = 10
    participants: People | None = None


class RecordRecap(Command, frozen=True, tag="overdrive.record_recap"):
    """OD-W3, public, gm. At least 2 Overdrive for the table, by character."""

    awards: dict[CharacterRef, Positive]


class TakeObjective(Command, frozen=True, tag="overdrive.take_objective"):
    """OD-W3, public. A personal objective; a character has one at a time."""

    text: FreeText
    character: CharacterRef | None = None


class AchieveObjective(Command, frozen=True, tag="overdrive.achieve_objective"):
    """OD-W3, public, gm. 2 Overdrive for every play session since it was taken."""

    character: CharacterRef | None = None


class PostObjectiveAward(Command, frozen=True, tag="overdrive.post_objective_award"):
    """OD-W3, public, worker. Pays an objective that has waited for 5 play sessions."""

    objective: Annotated[Reference, ref("objective")]
