"""The commands of Angst; a command struct is the request body.

Ids (`character`, `test_id`) may be left out where only one fits. Numbers and names that a rule refuses with its
own words (four dice to re-roll, a Core of d20) are let in and refused by that rule.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.field_references import bounded, new, ref
from domain.ids import AccountId
from domain.personal_text import Amount, FreeText, Name, Reference
from domain.systems.angst.rolls import Crucial, Tap
from domain.systems.angst.tables import SPEND_MAX, CoreName, Kind, Trigger

Points = Annotated[int, Meta(ge=0, le=10_000)]
Positive = Annotated[int, Meta(ge=1, le=10_000)]
Hour = Annotated[int, Meta(ge=0, le=2**40)]
Microseconds = Annotated[int, Meta(ge=0, le=2**62)]
DieWord = Annotated[str, Meta(min_length=1, max_length=8), ref("die_word")]
Rating = Annotated[str, Meta(min_length=1, max_length=8), ref("core_rating")]
Several = Meta(max_length=50)
NewName = Annotated[Name, new]
NewNames = Annotated[list[NewName], Several]
CharacterRef = Annotated[Reference, ref("character")]
TestRef = Annotated[Reference, ref("test")]
AngstRef = Annotated[Name, ref("angst_type", of="character")]
RockRef = Annotated[Name, ref("rock", of="character")]
SuckRef = Annotated[Name, ref("suck", of="character")]
PerkRef = Annotated[Name, ref("perk", of="character")]
ComfortRef = Annotated[Name, ref("comfort", of="character")]
StressorRef = Annotated[Name, ref("stressor", of="character")]
Toward = Annotated[Name, ref("relationship", of="character", free=True)]
Grade = Annotated[Name, ref("grade", free=True)]
Supporter = Annotated[Name, ref("supporter", of="character", free=True)]
DieRole = Annotated[Name, ref("die_role", of="test_id")]
OneRock = RockRef | Annotated[list[RockRef], Several]
"""A Rock by name; naming several is refused by the rule that allows one."""
OneSuck = SuckRef | Annotated[list[SuckRef], Several]
"""A Suck by name, as a Rock."""


class Command(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """A command of this system."""


class TraitDraft(Struct, frozen=True, forbid_unknown_fields=True):
    """A Rock or a Suck as a campaign writes it."""

    name: NewName
    core: CoreName
    really: bool = False


Traits = Annotated[list[TraitDraft], Several]


class MoralSupport(Struct, frozen=True, forbid_unknown_fields=True):
    """The supporters: grades toward the acting character, or characters who have one; `use` is one of them."""

    grades: Annotated[list[Supporter], Several]
    use: Supporter | None = None


class OpposedSide(Struct, frozen=True, forbid_unknown_fields=True):
    """One side of an opposed test; `crucial` (the gm's) replaces what its test was called with."""

    test_id: TestRef | None = None
    crucial: Crucial | None = None


class DefineAngstTypes(Command, frozen=True, tag="angst.define_angst_types"):
    """AN-C1, gm. The campaign's catalogue of Angst types; a type with points on a sheet must stay."""

    types: Annotated[list[Annotated[Name, ref("angst_type", free=True)]], Several]


class CreateCharacter(Command, frozen=True, tag="angst.create_character"):
    """AN-C1, the player (a pc of their own) or the gm. `cores` are the four Cores, d4 to d12."""

    name: NewName
    cores: Annotated[dict[CoreName, Rating], Meta(description="A die for each, from d4 to d12.")]
    kind: Literal["pc", "gmc"] = "pc"
    player: AccountId | None = None
    rocks: Traits = []
    sucks: Traits = []
    perks: NewNames = []
    factoids: NewNames = []
    angst: Annotated[dict[AngstRef, Points], Several] = {}
    stressors: NewNames = []
    comforts: NewNames = []
    relationships: Annotated[dict[Toward, Grade], Meta(max_length=200)] = {}
    story_points: Points = 0
    life_experience: Points = 0


class CallTest(Command, frozen=True, tag="angst.call_test"):
    """AN-C4, gm. The Core, the difficulty, and the cost of failing; `negative_tap` names a type of Angst."""

    core: CoreName
    dn: Annotated[Amount | None, Meta(description="The number that the test has to reach.")] = None
    character: CharacterRef | None = None
    crucial: Crucial | None = None
    negative_tap: AngstRef | None = None
    opposed: bool = False


class CancelTest(Command, frozen=True, tag="angst.cancel_test"):
    """AN-C4, gm. Cancels a called test, or an opposed one that will not be judged."""

    test_id: TestRef | None = None


class MakeTest(Command, frozen=True, tag="angst.make_test"):
    """AN-C4. Answers a called test (the player), or stands alone (gm; players with `players_set_dn`).

    A called test brings its own Core, DN and stakes. `relationship` is a person on the sheet, or a grade.
    `against` is the opposing test, which must be final. With `finalise: false` spends may follow.
    """

    core: CoreName | None = None
    dn: Annotated[Amount, bounded(ends="dn", of=("character",))] | None = None
    character: CharacterRef | None = None
    test_id: TestRef | None = None
    rock: OneRock | None = None
    suck: OneSuck | None = None
    off_core_story_point: bool = False
    relationship: Toward | None = None
    perk: PerkRef | None = None
    tap: Tap | None = None
    direct_support: Points = 0
    moral_support: MoralSupport | None = None
    factoid: Literal["helpful", "detrimental"] | None = None
    crucial: Crucial | None = None
    opposed: bool = False
    against: TestRef | None = None
    finalise: bool = True


class RerollDice(Command, frozen=True, tag="angst.reroll_dice"):
    """AN-C5, player or gm. One Story Point a die: `base`, `core`, `bonus`, `penalty`."""

    dice: Annotated[list[DieRole], Several, bounded(1, SPEND_MAX)]
    test_id: TestRef | None = None


class AddLifeExperience(Command, frozen=True, tag="angst.add_life_experience"):
    """AN-C6, player or gm. Adds 1 to 3 to an open test."""

    amount: Annotated[Amount, bounded(1, SPEND_MAX, ends="life_experience", of=("test_id",))]
    test_id: TestRef | None = None


class FinaliseTest(Command, frozen=True, tag="angst.finalise_test"):
    """AN-C7, gm. Ends the spends; the consequences of the test follow."""

    test_id: TestRef | None = None


class AvoidAngst(Command, frozen=True, tag="angst.avoid_angst"):
    """AN-C8, gm. A point of Angst threatens; `chosen` is the player's choice where several types tie."""

    candidates: Annotated[list[AngstRef], Several, bounded(1)]
    chosen: AngstRef | None = None
    stressors: Annotated[list[StressorRef], Several] = []
    character: CharacterRef | None = None
    rock: OneRock | None = None
    suck: OneSuck | None = None
    off_core_story_point: bool = False
    relationship: Toward | None = None
    perk: PerkRef | None = None
    direct_support: Points = 0
    moral_support: MoralSupport | None = None
    factoid: Literal["helpful", "detrimental"] | None = None
    tap: Tap | None = None
    finalise: bool = True


class PurgeAngst(Command, frozen=True, tag="angst.purge_angst"):
    """AN-C9, player or gm. Tries to purge Angst; everything but a Comfort needs an open offer."""

    angst: AngstRef
    trigger: Trigger
    comfort: ComfortRef | None = None
    character: CharacterRef | None = None
    rock: OneRock | None = None
    suck: OneSuck | None = None
    off_core_story_point: bool = False
    relationship: Toward | None = None
    perk: PerkRef | None = None
    direct_support: Points = 0
    moral_support: MoralSupport | None = None
    factoid: Literal["helpful", "detrimental"] | None = None
    tap: Tap | None = None
    finalise: bool = True


class BuyAngstPurge(Command, frozen=True, tag="angst.buy_angst_purge"):
    """AN-C10, player or gm. Two Story Points, one point of Angst, no roll."""

    angst: AngstRef
    character: CharacterRef | None = None


class ResolveOpposed(Command, frozen=True, tag="angst.resolve_opposed"):
    """AN-C11, the acting character's player or gm. Two final opposed tests are compared."""

    acting: OpposedSide
    opposing: OpposedSide


class ReachMilestone(Command, frozen=True, tag="angst.reach_milestone"):
    """AN-C12, gm. Left out, `characters` are all that are alive and not hidden."""

    text: FreeText | None = None
    characters: Annotated[list[CharacterRef], Several, bounded(1)] | None = None


class RecordPositiveEvent(Command, frozen=True, tag="angst.record_positive_event"):
    """AN-C13, gm. Something very good happened to a character."""

    text: FreeText | None = None
    character: CharacterRef | None = None


class SetRelationship(Command, frozen=True, tag="angst.set_relationship"):
    """AN-C14, gm. `target` is a character or a group; `grade` as `A`, `B-` or `Critical F`."""

    target: Toward
    grade: Grade
    character: CharacterRef | None = None
    why: FreeText | None = None


class AwardStoryPoints(Command, frozen=True, tag="angst.award_story_points"):
    """AN-C14, gm."""

    amount: Positive
    why: FreeText | None = None
    character: CharacterRef | None = None


class SetCore(Command, frozen=True, tag="angst.set_core"):
    """AN-C16, gm. Sets a Core by hand, d0 up to what it is rated."""

    core: CoreName
    effective: DieWord
    character: CharacterRef | None = None


class RecoverCore(Command, frozen=True, tag="angst.recover_core"):
    """AN-W1, worker only: one step comes back, at `at_hour` of the calendar or at the real moment `due_at`.

    `due_at` is in microseconds. Character, core, kind and moment are the key under which it happens once.
    """

    character: CharacterRef
    core: CoreName
    kind: Kind
    at_hour: Hour | None = None
    due_at: Microseconds | None = None


AnyCommand = (
    DefineAngstTypes
    | CreateCharacter
    | CallTest
    | CancelTest
    | MakeTest
    | RerollDice
    | AddLifeExperience
    | FinaliseTest
    | AvoidAngst
    | PurgeAngst
    | BuyAngstPurge
    | ResolveOpposed
    | ReachMilestone
    | RecordPositiveEvent
    | SetRelationship
    | AwardStoryPoints
    | SetCore
    | RecoverCore
)
