"""The choices that the story waits for in and between fights, without those that would be refused now.

A character's held roll comes before their other rolls.
"""

from domain.systems.overdrive.duels import raises
from domain.systems.overdrive.gm_questions import open_questions
from domain.systems.overdrive.initiative import OBJECTIVE
from domain.systems.overdrive.state import Combat, Duel, OverdriveState, Relation, Task
from domain.systems.system import Pending


def pending(state: OverdriveState) -> list[Pending]:
    """Held rolls, reactions, questions and tensions wait for a GM; a duel for the player of the next side."""
    held_rolls = [
        roll for _, roll in sorted(state.rolls.items()) if roll.held and roll.character in state.characters
    ]
    offered_keys = [key for key in state.by_name(state.offered) if key in state.characters]
    return [
        *(Pending.of("close_roll", roll.roll_id, None) for roll in held_rolls),
        *(Pending.of("play_reaction", key, None, state.offered[key]) for key in offered_keys),
        *(Pending.of("answer_question", question.question_id, None) for question in open_questions(state)),
        *(
            Pending.of("resolve_relation", f"{task.character}:{task.relation}", None, _relation(state, task))
            for task in tensions(state)
        ),
        *(_of_duel(state, state.duel) if state.duel is not None else ()),
    ]


def is_held(state: OverdriveState, character: str) -> bool:
    """Whether a character has an open roll that a GM has to close before they roll again."""
    roll = state.rolls.get(character)
    return roll is not None and roll.held


def tensions(state: OverdriveState) -> list[Task]:
    """The tensions that can be resolved now: not in a fight (OD-14, OD-W2)."""
    if state.combat is not None:
        return []
    return [task for task in state.tasks if _is_stressed(state, task) and not is_held(state, task.character)]


def _is_stressed(state: OverdriveState, task: Task) -> bool:
    relation = _relation(state, task)
    return relation is not None and relation.state == "stressed"


def _relation(state: OverdriveState, task: Task) -> Relation | None:
    character = state.characters.get(task.character)
    return character.relations.get(task.relation) if character is not None else None


def steps(state: OverdriveState) -> list[Pending]:
    """The steps of a fight; successes bought for held rolls, rolls for a scene, and the use of its successes."""
    return [
        *(_of_combat(state, state.combat) if state.combat is not None else ()),
        *(
            Pending.of("spend_overdrive_success", roll.roll_id, None, roll.bought)
            for _, roll in sorted(state.rolls.items())
        ),
        *(
            Pending.of("close_scene", who, None, state.scene.scene_id)
            for who in sorted(state.characters)
            if state.scene is not None
        ),
        *(Pending.of("spend_recovery", who, None, recovery) for who, recovery in sorted(state.recoveries.items())),
    ]


def _of_combat(state: OverdriveState, combat: Combat) -> list[Pending]:
    """A fight's steps; all acts of one turn have that turn's name."""
    acting = state.acting
    places = {who: fighter.position for who, fighter in combat.participants.items()}
    prepared = (combat.combat_id, state.tactical_points, state.objective_position, places)
    return [
        *(Pending.of("roll_initiative", who, None, combat.combat_id) for who in sorted(combat.participants)),
        Pending.of("spend_tactical_points", OBJECTIVE, None, prepared),
        Pending.of("begin_turns", combat.combat_id, None),
        Pending.of("end_combat", combat.combat_id, None),
        *([Pending.of("end_turn", acting, None, combat.now)] if acting is not None else []),
    ]


def _of_duel(state: OverdriveState, duel: Duel) -> list[Pending]:
    """The missing rolls of a duel, or its next word; a side whose character is gone can only fold."""
    waiting = []
    for side in sorted(duel.to_roll):
        who = duel.sides[side].character or ""
        if who not in state.characters:
            waiting.append(Pending.of("duel_fold", duel.duel_id, None, side))
        elif not is_held(state, who):
            waiting.append(Pending.of("roll_duel", who, state.characters[who].player_id, duel.duel_id))
    if duel.to_roll:
        return waiting
    speaker = duel.sides[duel.turn]
    character = state.characters.get(speaker.character or "")
    player = character.player_id if character is not None else None
    unknown = speaker.hidden is True and not isinstance(speaker.roll_id, str)
    may_raise = (
        unknown or raises(state, duel, "overtake") is not None
    )  # unknown settings: a raise is optional in any case
    mark = (duel.turn, [(side, duel.sides[side].successes) for side in sorted(duel.sides)])
    return [Pending.of("duel_raise" if may_raise else "duel_fold", duel.duel_id, player, mark)]
