"""The story board: duel, open scene, held rolls, shown reactions, questions, unused successes, pending choices."""

from typing import Annotated, Literal

from msgspec import UNSET, Struct

from domain.field_references import ref
from domain.ids import AccountId
from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.gm_questions import open_questions
from domain.systems.overdrive.pending_choices import tensions
from domain.systems.overdrive.rolls import HIDDEN
from domain.systems.overdrive.settings import Settings
from domain.systems.overdrive.state import Duel, Duelist, OverdriveState, Question, Roll
from domain.systems.overdrive.tables import RECOVERED, RollKind, SceneKind, Side, Skill, Tier, Use
from projections.awaited_answers import Able, Name, WaitingFor
from projections.systems.overdrive.awaited_answers import story_waits_for
from projections.systems.overdrive.sheet import RecoveryView, recovery_view

ANSWERED_SHOWN = 5
"""So many answers stand on the board: the last ones."""


class Played(Struct, frozen=True):
    """A character and their player (null: a GM)."""

    character: str
    name: str
    player: AccountId | None
    player_name: str | None


class RaiseStands(Struct, frozen=True):
    """How much Overdrive the side whose turn it is may spend."""

    least: int
    most: int


class SideStands(Struct, frozen=True):
    """A side of a duel. `reserve` is the Overdrive it can still spend; the numbers of a hidden side are null.

    `rolled` is false while the duel waits for its roll; `use` and `skill` are what was proposed for it.
    """

    side: Side
    name: str
    who: Played | None
    rolled: bool
    successes: int | None
    reserve: int | None
    hidden: bool
    use: Use | None
    skill: Skill | None


class DuelStands(Struct, frozen=True):
    """A duel. `turn` is the side to raise or fold, null before its rolls; it must fold if `may_raise` is null.

    For readers other than GMs, `may_raise` of a hidden speaker is null, too.
    """

    duel_id: str
    phase: Literal["rolling", "raising"]
    stakes: str | None
    sides: list[SideStands]
    turn: Side | None
    speaker: str | None
    may_raise: RaiseStands | None


class SceneStands(Struct, frozen=True):
    """The open scene: those who have rolled for it, and those who have not yet."""

    scene_id: str
    kind: SceneKind
    rolled: list[Played]
    not_yet: list[Played]


class ReactionStands(Struct, frozen=True):
    """A reaction that a player has shown; confirmed with that weight it brings `recovers` Overdrive back."""

    who: Played
    reaction: Annotated[str, ref("reaction")]
    text: str
    weight: str
    recovers: int


class QuestionStands(Struct, frozen=True):
    """A question to the GM; without an `answer` it waits for one."""

    question_id: str
    who: Played
    text: str
    answer: str | None


class HeldStands(Struct, frozen=True):
    """A roll whose outcome waits for a GM to close it. `may_buy`: its player may still buy a success.

    `target` is the person concerned, `relation` the person of a tension. `hidden`: for GMs alone.
    """

    roll_id: str
    who: Played
    kind: RollKind
    successes: int
    tier: Tier
    difficulty: int | None
    scene: SceneKind | None
    target: str | None
    relation: str | None
    may_buy: bool
    hidden: bool


class TensionStands(Struct, frozen=True):
    """A tension that a GM was reminded of; resolving it takes more than `difficulty` successes."""

    who: Played
    relation: str
    whom: str
    nature: str
    difficulty: int


class RecoveryStands(Struct, frozen=True):
    """A character's unused successes."""

    who: Played
    recovery: RecoveryView


class StoryBoard(Struct, frozen=True):
    """Everything between fights, and beside them.

    `questions` are the open ones, and before them the last that were answered. `waits_for` lists the pending
    choices, then the optional ones: rolls for the scene, and successes to use.
    """

    duel: DuelStands | None
    scene: SceneStands | None
    reactions: list[ReactionStands]
    held_rolls: list[HeldStands]
    tensions: list[TensionStands]
    recoveries: list[RecoveryStands]
    questions: list[QuestionStands]
    tactical_points: int
    waits_for: list[WaitingFor]


def story(state: OverdriveState, name: Name, settings: Settings, able: Able = None) -> StoryBoard:
    """The story board; characters that no longer exist are left out."""
    there = state.by_name(state.characters)
    return StoryBoard(
        duel=_duel(state, state.duel, name, settings) if state.duel is not None else None,
        scene=_scene(state, name),
        reactions=[_reaction(state, who, name) for who in there if who in state.offered],
        held_rolls=[
            _held_roll(state, key, roll, name)
            for key, roll in sorted(state.rolls.items())
            if roll.held and roll.character in state.characters
        ],
        tensions=[
            TensionStands(
                played(state, task.character, name), task.relation, relation.with_, relation.nature, relation.level
            )
            for task in tensions(state)
            for relation in [state.characters[task.character].relations[task.relation]]
        ],
        recoveries=[
            RecoveryStands(played(state, who, name), recovery)
            for who in there
            if (recovery := recovery_view(state, who)) is not None
        ],
        questions=[
            QuestionStands(each.question_id, played(state, each.character, name), each.text, each.answer)
            for each in _questions(state)
        ],
        tactical_points=state.tactical_points,
        waits_for=story_waits_for(state, name, settings, able),
    )


def _questions(state: OverdriveState) -> list[Question]:
    """The last questions that were answered, and the open ones."""
    answered = [question for question in state.questions if question.answer is not None]
    there = [question for question in answered if question.character in state.characters]
    return [*there[-ANSWERED_SHOWN:], *open_questions(state)]


def played(state: OverdriveState, who: str, name: Name) -> Played:
    """A character with their player."""
    player = state.characters[who].player_id
    return Played(who, name(who), player, name(player) if player is not None else None)


def _duel(state: OverdriveState, duel: Duel, name: Name, settings: Settings) -> DuelStands:
    """The duel as far as its reader may know it."""
    rolling = bool(duel.to_roll)
    speaker = duel.sides[duel.turn]
    range_ = None if rolling or _is_unknown(speaker) else raises(state, duel, settings.duel_raise)
    return DuelStands(
        duel_id=duel.duel_id,
        phase="rolling" if rolling else "raising",
        stakes=duel.stakes,
        sides=[_side(state, duel, side, name) for side in sorted(duel.sides)],
        turn=None if rolling else duel.turn,
        speaker=None if rolling else speaker.name,
        may_raise=RaiseStands(*range_) if range_ is not None else None,
    )


def _is_unknown(side: Duelist) -> bool:
    """Whether its reader knows only that a side exists."""
    return side.hidden is True and side.roll_id is UNSET


def _side(state: OverdriveState, duel: Duel, side: Side, name: Name) -> SideStands:
    duelist, proposed = duel.sides[side], duel.to_roll.get(side)
    character = state.characters.get(duelist.character or "")
    is_known = not _is_unknown(duelist)
    reserve = character.od.available if character is not None else duelist.od
    return SideStands(
        side=side,
        name=duelist.name,
        who=played(state, character.character_id, name) if character is not None else None,
        rolled=proposed is None,
        successes=duelist.successes if is_known and proposed is None else None,
        reserve=reserve if is_known else None,
        hidden=duelist.hidden is True,
        use=proposed.use if proposed is not None else None,
        skill=proposed.skill if proposed is not None else None,
    )


def _scene(state: OverdriveState, name: Name) -> SceneStands | None:
    """The open scene. Characters who may know of it roll for it; a hidden one does not."""
    scene = state.scene
    if scene is None:
        return None
    everybody = [who for who in state.by_name(state.characters) if not state.characters[who].hidden]
    return SceneStands(
        scene_id=scene.scene_id,
        kind=scene.kind,
        rolled=[played(state, who, name) for who in scene.rolled if who in state.characters],
        not_yet=[played(state, who, name) for who in everybody if who not in scene.rolled],
    )


def _reaction(state: OverdriveState, who: str, name: Name) -> ReactionStands:
    shown_reaction, character = state.offered[who], state.characters[who]
    text = next(
        (reaction.text for reaction in character.reactions if reaction.id == shown_reaction.reaction),
        shown_reaction.reaction,
    )
    recovers = min(RECOVERED[shown_reaction.weight], max(0, character.od.spent))
    return ReactionStands(played(state, who, name), shown_reaction.reaction, text, shown_reaction.weight, recovers)


def _held_roll(state: OverdriveState, key: str, roll: Roll, name: Name) -> HeldStands:
    character = state.characters[roll.character]
    relation = character.relations.get(roll.relation or "")
    return HeldStands(
        roll_id=roll.roll_id,
        who=played(state, roll.character, name),
        kind=roll.kind,
        successes=roll.successes,
        tier=roll.tier,
        difficulty=roll.difficulty,
        scene=roll.scene,
        target=name(roll.target) if roll.target is not None else None,
        relation=relation.with_ if relation is not None else None,
        may_buy=not roll.bought and character.od.available > 0,
        hidden=key.startswith(HIDDEN) or character.hidden,
    )
