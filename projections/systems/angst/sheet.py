"""A character's sheet: everything stored, and everything computed from it (AN-2)."""

from typing import Annotated, Literal

from msgspec import Struct

from domain.field_references import ref
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from domain.systems.angst.dice_pool import on_the_table
from domain.systems.angst.recovery import HOUR_MICROSECONDS
from domain.systems.angst.rolls import CountedModifier, Crucial, Faces
from domain.systems.angst.settings import Settings
from domain.systems.angst.state import Angst, CalledTest, Character, Core, PurgeOffer, Test, Trait
from domain.systems.angst.tables import (
    CORES,
    KINDS,
    PERIOD_HOURS,
    PURGE_PRICE,
    SPEND_MAX,
    CoreName,
    DieName,
    Kind,
    TestKind,
    angst_dn,
    band,
    grade_modifier,
)


class HealingView(Struct, frozen=True):
    """Healing by time: `steps` of a kind, one every `hours`.

    The next comes at game hour `next_at_hour`, or at the real moment `next_at` (microseconds); the last so many
    periods later. Both are null for steps that time does not restore.
    """

    kind: Kind
    steps: int
    hours: int
    next_at_hour: int | None
    next_at: int | None
    whole_at_hour: int | None
    whole_at: int | None


class LossView(Struct, frozen=True):
    """Lost steps, by kind."""

    nondeadly: int
    deadly: int


class CoreView(Struct, frozen=True):
    """One Core: its rating, the die it rolls now, and what heals when. `spared`: only the GM raises it."""

    rated: DieName
    effective: DieName
    lost: LossView
    spared: bool
    heals: list[HealingView]


class AngstView(Struct, frozen=True):
    """One type of Angst, and the DN of the next test about it."""

    points: int
    next_dn: int


class ComfortView(Struct, frozen=True):
    """A Comfort and the campaign day on which it was last tried."""

    last_day: int | None


class RelationshipView(Struct, frozen=True):
    """A grade, what it does to a test, and the play session since which it stands (0: before any)."""

    grade: str
    modifier: int
    since_session: int


class LifeExperienceView(Struct, frozen=True):
    """The Life Experience left in this play session."""

    current: int
    max: int


class UsableView(Struct, frozen=True):
    """The options left to this character by the limits of scene and session and the points at hand.

    `reroll_dice_max` and `life_experience_max` are the most that the next test could take.
    """

    tap: bool
    factoid: bool
    buy_purge: bool
    off_core: bool
    reroll_dice_max: int
    life_experience_max: int


class CalledTestView(Struct, frozen=True):
    """A called test that is not rolled yet; `band` names the difficulty of its DN."""

    test_id: str
    core: CoreName
    dn: int | None
    band: str | None
    crucial: Crucial | None
    negative_tap: str | None
    opposed: bool


class OpenTestView(Struct, frozen=True):
    """A rolled test that may still be changed (or, final, has to be compared), and by what.

    `relationship` is the name of the person of its Relationship modifier, `supporter` that of the moral supporter.
    """

    test_id: str
    kind: TestKind
    core: CoreName
    core_die: DieName
    dice: Faces
    modifiers: list[CountedModifier]
    total: int
    dn: int | None
    opposed: bool
    final: bool
    relationship: str | None
    supporter: str | None
    may_reroll: list[str]
    may_add_life_experience: bool


class CharacterSheetView(Struct, frozen=True):
    """A character. `overwhelming` is the penalty of all Angst to every test that is not about Angst."""

    character_id: str
    name: str
    player: AccountId | None
    kind: Literal["pc", "gmc"]
    status: Literal["active", "out_of_scene", "dead"]
    cores: dict[CoreName, CoreView]
    rocks: dict[Annotated[str, ref("rock")], Trait]
    sucks: dict[Annotated[str, ref("suck")], Trait]
    perks: list[Annotated[str, ref("perk")]]
    factoids: list[str]
    angst: dict[Annotated[str, ref("angst_type")], AngstView]
    total_angst: int
    overwhelming: int
    stressors: list[Annotated[str, ref("stressor")]]
    comforts: dict[Annotated[str, ref("comfort")], ComfortView]
    relationships: dict[Annotated[str, ref("relationship")], RelationshipView]
    story_points: int
    life_experience: LifeExperienceView
    usable: UsableView
    purge_offers: list[PurgeOffer]
    called_tests: list[CalledTestView]
    open_tests: list[OpenTestView]


def sheet(state: Angst, character: str, settings: Settings) -> CharacterSheetView:
    """The sheet of one character, under the table's settings. Raises `unknown_character`."""
    owner = state.characters.get(character)
    if owner is None:
        raise Missing("unknown_character", say("There is no such character in this campaign."))
    types = {*state.angst_types, *owner.angst}
    return CharacterSheetView(
        character_id=owner.character_id,
        name=owner.name,
        player=owner.player_id,
        kind=owner.kind,
        status=owner.status,
        cores={name: _core(owner.cores[name]) for name in CORES if name in owner.cores},
        rocks=dict(sorted(owner.rocks.items())),
        sucks=dict(sorted(owner.sucks.items())),
        perks=owner.perks,
        factoids=owner.factoids,
        angst={angst_type: angst_view(owner.angst.get(angst_type, 0)) for angst_type in sorted(types)},
        total_angst=owner.total_angst,
        overwhelming=owner.overwhelming,
        stressors=owner.stressors,
        comforts={name: ComfortView(comfort.last_day) for name, comfort in sorted(owner.comforts.items())},
        relationships={
            target: RelationshipView(
                relationship.grade, grade_modifier(relationship.grade), relationship.since_session
            )
            for target, relationship in sorted(owner.relationships.items())
        },
        story_points=owner.story_points,
        life_experience=LifeExperienceView(owner.life_experience.current, owner.life_experience.max),
        usable=usable(owner, settings),
        purge_offers=owner.purge_offers,
        called_tests=[called_test(call) for call in state.called if call.character == character],
        open_tests=[open_test(state, test) for test in state.tests if test.character == character],
    )


def _core(core: Core) -> CoreView:
    """One Core with its healing."""
    return CoreView(
        rated=core.rated,
        effective=core.effective,
        lost=LossView(core.lost.nondeadly, core.lost.deadly),
        spared=core.spared,
        heals=[_healing(core, kind) for kind in KINDS if core.lost.get(kind) and core.is_healing(kind)],
    )


def _healing(core: Core, kind: Kind) -> HealingView:
    """When the next step heals, and when the last."""
    hours, steps = PERIOD_HOURS[kind], core.lost.get(kind)
    anchor, due_at = core.anchor.get(kind), core.due_at.get(kind)
    return HealingView(
        kind=kind,
        steps=steps,
        hours=hours,
        next_at_hour=anchor + hours if anchor is not None else None,
        next_at=due_at,
        whole_at_hour=anchor + hours * steps if anchor is not None else None,
        whole_at=due_at + hours * (steps - 1) * HOUR_MICROSECONDS if due_at is not None else None,
    )


def angst_view(points: int) -> AngstView:
    """One type of Angst with the DN of its next test."""
    return AngstView(points=points, next_dn=angst_dn(points))


def usable(character: Character, settings: Settings) -> UsableView:
    """The options that the limits of scene and session, and the points at hand, leave."""
    alive, there = character.status != "dead", character.status == "active"
    spends = alive and (character.kind == "pc" or settings.gmc_spendables)
    points = max(0, character.story_points) if spends else 0
    life_experience = max(0, character.life_experience.current) if spends else 0
    troubled = character.total_angst > 0
    return UsableView(
        tap=there and troubled and not character.tapped_this_scene,
        factoid=there and bool(character.factoids) and not character.factoid_used_this_scene,
        buy_purge=alive and troubled and points >= PURGE_PRICE and not character.bought_purge_this_session,
        off_core=there and points >= 1,
        reroll_dice_max=min(points, SPEND_MAX),
        life_experience_max=min(life_experience, SPEND_MAX),
    )


def called_test(test: CalledTest) -> CalledTestView:
    """A called test that is not rolled yet."""
    return CalledTestView(
        test_id=test.test_id,
        core=test.core,
        dn=test.dn,
        band=band(test.dn) if test.dn is not None else None,
        crucial=test.crucial,
        negative_tap=test.negative_tap,
        opposed=test.opposed,
    )


def open_test(state: Angst, test: Test) -> OpenTestView:
    """A rolled test with what may still be spent on it."""
    open_ = not test.final

    def name_of(who: str | None) -> str | None:
        character = state.characters.get(who or "")
        return character.name if character is not None else who

    return OpenTestView(
        test_id=test.test_id,
        kind=test.kind,
        core=test.core,
        core_die=test.core_die,
        dice=test.dice,
        modifiers=test.modifiers,
        total=test.total,
        dn=test.dn,
        opposed=test.opposed,
        final=test.final,
        relationship=name_of(test.relationship),
        supporter=name_of(test.supporter),
        may_reroll=sorted(on_the_table(test)) if open_ and not test.rerolled else [],
        may_add_life_experience=open_ and test.life_experience is None,
    )
