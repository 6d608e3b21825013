"""A character's sheet: everything stored, and everything computed from it (OD-4).

Counters are drawn as steps: how many are ticked, and the least face of the next stabilisation die that saves.
"""

from typing import Annotated, Literal

from msgspec import Struct, field

from domain.field_references import ref
from domain.ids import AccountId
from domain.rejection import Missing
from domain.sentences import say
from domain.systems.overdrive.scenes import damage_of, lost_of
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Character, Mech, OverdriveState, Weapon
from domain.systems.overdrive.tables import (
    ATTRIBUTE_OF,
    COOLING_TURNS,
    SCORES,
    Attribute,
    ConfigState,
    Counter,
    SceneKind,
    Score,
    Skill,
    Stat,
    Status,
)

DIE = 6


class CounterView(Struct, frozen=True):
    """A counter as steps: `full` of them are ticked. The next damage is survived on `next_saves_on` or more.

    Null where no face of the die saves any more.
    """

    value: int
    steps: str
    next_saves_on: int | None


class ScoreView(Struct, frozen=True):
    """A score in the character's mech (null without one) and on foot; `now` is the one that counts."""

    stat: Stat
    in_mech: int | None
    on_foot: int
    now: int


class WeaponView(Struct, frozen=True):
    """A weapon. `ready_on_turn` is null unless it is cooling."""

    type: str
    ideal: int
    state: Literal["ready", "disabled"]
    cools: bool
    ready_on_turn: int | None


class RelationView(Struct, frozen=True):
    """A relation. `free_calls` are left before it is stressed; strengthening it takes more than `difficulty`."""

    with_: str = field(name="with")
    nature: str
    state: Literal["calm", "stressed", "broken"]
    level: int
    used: int
    free_calls: int
    difficulty: int


class ReactionView(Struct, frozen=True):
    """A reaction."""

    id: Annotated[str, ref("reaction")]
    text: str


class PointsView(Struct, frozen=True):
    """Overdrive."""

    available: int
    spent: int


class LossView(Struct, frozen=True):
    """The loss that a failed stabilisation still requires, before any move, attack, protection or configuration.

    One of the `configurations` is given up or, where there are any, of the `weapons` instead.
    """

    weapon_allowed: bool
    stay_choice: bool
    configurations: list[Annotated[str, ref("config")]]
    weapons: list[Annotated[str, ref("weapon")]]


class RecoveryView(Struct, frozen=True):
    """Unused successes of a repair or care scene: `points`, at most `damage_cap` of them against damage.

    `damage` and `configurations` are what can be repaired of `target` and, for a repair, of `mech`. `usable`: not
    during a fight.
    """

    scene: SceneKind
    target: str
    target_name: str
    mech: str | None
    points: int
    damage_cap: int
    damage: int
    configurations: list[Annotated[str, ref("config")]]
    usable: bool


class ObjectiveView(Struct, frozen=True):
    """A personal objective."""

    text: str
    sessions: int


class QuestionView(Struct, frozen=True):
    """A question to the GM; without an `answer` it waits for one."""

    text: str
    answer: str | None


class MechView(Struct, frozen=True):
    """One of the character's mechs."""

    mech_id: str
    name: str
    boarded: bool
    attributes: dict[Attribute, int]
    configs: dict[Annotated[str, ref("config")], ConfigState]
    weapons: dict[Annotated[str, ref("weapon")], WeaponView]
    phase: int
    phase_counter: CounterView
    mode: Literal["normal", "fatal"]
    stabilisation_failures: int
    recharged: bool


class CharacterSheetView(Struct, frozen=True):
    """A character. `scores` are empty until stats and attributes are paired."""

    character_id: str
    name: str
    player: AccountId | None
    status: Status
    stats: dict[Annotated[Stat, ref("stat")], int]
    skills: dict[Skill, int]
    pairing: dict[Score, Stat]
    scores: dict[Annotated[Score, ref("score")], ScoreView]
    equipment: dict[Score, int]
    od: PointsView
    reactions: list[ReactionView]
    relations: dict[Annotated[str, ref("relation")], RelationView]
    weapons: dict[Annotated[str, ref("weapon")], WeaponView]
    fatal: int
    fatal_counter: CounterView
    damage_goes_to: Counter
    mechs: list[MechView]
    pending_loss: LossView | None
    invocations_allowed: int
    bonus_dice_given: int
    recovery: RecoveryView | None
    objective: ObjectiveView | None
    questions: list[QuestionView]
    tactical_points: int


def sheet(state: OverdriveState, character: str, settings: Settings) -> CharacterSheetView:
    """The sheet of one character, under the table's settings. Raises `unknown_character`."""
    owner = state.characters.get(character)
    if owner is None:
        raise Missing("unknown_character", say("There is no such character here."))
    mechs = sorted(
        (mech for mech in state.mechs.values() if mech.pilot == character), key=lambda mech: mech.mech_id
    )
    objective = next((candidate for candidate in state.objectives if candidate.character == character), None)
    return CharacterSheetView(
        character_id=owner.character_id,
        name=owner.name,
        player=owner.player_id,
        status=owner.status,
        stats=dict(sorted(owner.stats.items())),
        skills=dict(sorted(owner.skills.items())),
        pairing=dict(sorted(owner.pairing.items())),
        scores={score: _score(state, owner, score) for score in SCORES if score in owner.pairing},
        equipment=dict(sorted(owner.equipment.items())),
        od=PointsView(owner.od.available, owner.od.spent),
        reactions=[ReactionView(reaction.id, reaction.text) for reaction in owner.reactions],
        relations={
            key: RelationView(
                with_=relation.with_,
                nature=relation.nature,
                state=relation.state,
                level=relation.level,
                used=relation.used,
                free_calls=max(0, relation.level - relation.used),
                difficulty=relation.level,
            )
            for key, relation in sorted(owner.relations.items())
        },
        weapons=weapon_views(state, owner.weapons),
        fatal=owner.fatal,
        fatal_counter=counter_view(owner.fatal, settings),
        damage_goes_to=state.counter(owner),
        mechs=[_mech(state, owner, mech, settings) for mech in mechs],
        pending_loss=loss_view(state, owner),
        invocations_allowed=owner.invocations_allowed,
        bonus_dice_given=owner.bonus_dice_given or 0,
        recovery=recovery_view(state, character),
        objective=ObjectiveView(objective.text, objective.sessions) if objective is not None else None,
        questions=[
            QuestionView(question.text, question.answer)
            for question in state.questions
            if question.character == character
        ],
        tactical_points=state.tactical_points,
    )


def _score(state: OverdriveState, character: Character, score: Score) -> ScoreView:
    """Stat and attribute in the mech; stat and equipment on foot."""
    stat = character.pairing[score]
    value = character.stats.get(stat, 0)
    mech = state.mech_of(character)
    in_mech = value + mech.attributes.get(ATTRIBUTE_OF[score], 0) if mech is not None else None
    on_foot = value + character.equipment.get(score, 0)
    aboard = state.boarded(character) is not None and in_mech is not None
    return ScoreView(stat, in_mech, on_foot, in_mech if aboard and in_mech is not None else on_foot)


def counter_view(value: int, settings: Settings) -> CounterView:
    """Steps up to the last one that a die can save from. The next damage counts before its die falls (OD-A6)."""
    needed = value + 1 + (settings.stabilisation_tie == "fails")
    steps = "■" * value + "□" * max(0, DIE - value)
    return CounterView(value, steps, needed if needed <= DIE else None)


def weapon_views(state: OverdriveState, weapons: dict[str, Weapon]) -> dict[str, WeaponView]:
    """Weapons by name, with those that are cooling in the current fight."""
    views = {}
    for key, weapon in sorted(weapons.items()):
        ready = weapon.fired_turn + COOLING_TURNS if weapon.fired_turn is not None else None
        cooling = ready is not None and weapon.cools and state.combat is not None and state.combat.turn < ready
        views[key] = WeaponView(weapon.type, weapon.ideal, weapon.state, weapon.cools, ready if cooling else None)
    return views


def _mech(state: OverdriveState, character: Character, mech: Mech, settings: Settings) -> MechView:
    return MechView(
        mech_id=mech.mech_id,
        name=mech.name,
        boarded=character.mech == mech.mech_id,
        attributes=dict(sorted(mech.attributes.items())),
        configs=dict(sorted(mech.configs.items())),
        weapons=weapon_views(state, mech.weapons),
        phase=mech.phase,
        phase_counter=counter_view(mech.phase, settings),
        mode=mech.mode,
        stabilisation_failures=mech.stabilisation_failures,
        recharged=mech.recharged,
    )


def loss_view(state: OverdriveState, character: Character) -> LossView | None:
    """The losses to choose from; None: no loss is pending."""
    loss = character.pending_loss
    if loss is None:
        return None
    mech = state.mechs.get(loss.mech) if loss.mech is not None else None
    configs = mech.configs if mech is not None else {}
    configs_left = sorted(config for config, how in configs.items() if how != "lost")
    ready = sorted(
        key for key, weapon in (mech.weapons if mech is not None else {}).items() if weapon.state == "ready"
    )
    return LossView(loss.weapon_allowed, loss.stay_choice, configs_left, ready if loss.weapon_allowed else [])


def recovery_view(state: OverdriveState, character: str) -> RecoveryView | None:
    """Unused successes, and what they can repair (OD-16); None: there are none."""
    recovery = state.recoveries.get(character)
    target = state.characters.get(recovery.target) if recovery is not None else None
    if recovery is None or recovery.lapsed or target is None:
        return None
    mech = state.mechs.get(recovery.mech) if recovery.mech is not None else None
    return RecoveryView(
        scene=recovery.scene,
        target=recovery.target,
        target_name=target.name,
        mech=mech.name if mech is not None else None,
        points=recovery.points,
        damage_cap=recovery.damage_cap,
        damage=damage_of(state, recovery),
        configurations=lost_of(state, recovery),
        usable=state.combat is None,
    )
