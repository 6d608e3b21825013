"""Progress by the author's own page, where a campaign uses it (OD-C29, OD-W3, public).

Codes: progression_off, one_trait_only, skill_above_maximum, insufficient_overdrive, award_too_small,
objective_taken, no_objective, objective_not_due.
"""

from contextlib import nullcontext

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.lifecycle_events import SessionEnded
from domain.mechanics.refused_fields import About
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems.overdrive import commands as c
from domain.systems.overdrive import events as e
from domain.systems.overdrive.access import (
    find_character,
    find_own,
    require_gm,
    require_mech,
    require_worker,
)
from domain.systems.overdrive.ledger import gain, require_overdrive
from domain.systems.overdrive.scenes import played
from domain.systems.overdrive.state import Character, Objective, OverdriveState
from domain.systems.overdrive.tables import (
    ATTRIBUTES,
    CHAPTER_AWARD_MIN,
    OBJECTIVE_AWARD_DUE,
    OBJECTIVE_PER_SESSION,
    OBJECTIVE_SESSIONS,
    RECAP_AWARD_MIN,
    SKILL_PRICE,
    SKILL_RANGE,
    SKILLS,
    STAT_PRICE,
    STATS,
)
from domain.systems.system import DueCommand


def _require_progression(context: CommandContext, rule: str) -> None:
    """Raise `progression_off`."""
    if context.settings.progression == "off":
        raise Rejection(
            "progression_off",
            "This campaign plays without progression: a GM can turn it on in its settings.",
            rule=rule,
        )


def advance(state: OverdriveState, context: CommandContext, command: c.Advance) -> list[e.Event]:
    """OD-C29: advance for 4 times the new level of a stat or attribute, 10 times of a skill."""
    character = find_own(state, context, command.character, "OD-C29")
    _require_progression(context, "OD-C29")
    trait = _wanted_trait(command)
    mech = require_mech(state, character, "OD-C29") if command.attribute is not None else None
    if command.skill is not None:
        level, price = character.skills.get(command.skill, 1) + 1, SKILL_PRICE
        if level > SKILL_RANGE[1]:
            raise Rejection(
                "skill_above_maximum", say("A skill cannot go above {most}.", most=SKILL_RANGE[1]), rule="OD-1"
            )
    elif command.stat is not None:
        level, price = character.stats.get(command.stat, 0) + 1, STAT_PRICE
    else:
        attributes: dict[str, int] = (
            {str(key): level for key, level in mech.attributes.items()} if mech is not None else {}
        )
        level, price = attributes.get(trait, 0) + 1, STAT_PRICE
    cost = price * level
    with About("character") if character.od.available < _lowest_price(state, character) else nullcontext():
        require_overdrive(character.name, character.od.available, cost, "OD-C29")
    return [
        e.OverdriveRetired(character.character_id, cost, available_after=character.od.available - cost),
        e.TraitAdvanced(
            character=character.character_id,
            kind="skill" if command.skill is not None else "stat" if command.stat is not None else "attribute",
            trait=trait,
            level_after=level,
            progression=context.settings.progression,
            mech=mech.mech_id if mech is not None else None,
        ),
    ]


def _lowest_price(state: OverdriveState, character: Character) -> int:
    """The price of the cheapest advance of a character; one of a mech counts only where they have one."""
    mech = state.mech_of(character)
    levels = [character.stats.get(stat, 0) for stat in STATS]
    levels += [mech.attributes.get(attribute, 0) for attribute in ATTRIBUTES] if mech is not None else []
    skill = 1 + min(character.skills.get(skill, 1) for skill in SKILLS)
    return min(STAT_PRICE * (1 + min(levels)), SKILL_PRICE * skill)


def _wanted_trait(command: c.Advance) -> str:
    """The only trait that is named. Raises `one_trait_only`."""
    traits = {"stat": command.stat, "attribute": command.attribute, "skill": command.skill}
    fields = [field for field, trait in traits.items() if trait is not None]
    with About(presences=tuple(fields[:2] or traits)):
        if len(fields) != 1:
            raise Rejection("one_trait_only", "Name exactly one stat, attribute or skill.", rule="OD-C29")
    return str(traits[fields[0]])


def end_chapter(state: OverdriveState, context: CommandContext, command: c.EndChapter) -> list[e.Event]:
    """OD-W3: at least 10 points for every player's character."""
    require_gm(context, "OD-W3")
    _require_progression(context, "OD-W3")
    if command.amount < CHAPTER_AWARD_MIN:
        raise Rejection(
            "award_too_small",
            say("A chapter pays at least {least} Overdrive.", least=CHAPTER_AWARD_MIN),
            rule="OD-W3",
        )
    people = played(state, context, command.participants, "OD-W3")
    return [
        e.ChapterEnded(people, command.amount, context.settings.progression),
        *(gain(state.characters[who], command.amount, "chapter") for who in people),
    ]


def record_recap(state: OverdriveState, context: CommandContext, command: c.RecordRecap) -> list[e.Event]:
    """OD-W3: at least 2 points for the table, divided by the GM."""
    require_gm(context, "OD-W3")
    _require_progression(context, "OD-W3")
    people = [find_character(state, context, who, "OD-W3") for who in command.awards]
    if sum(command.awards.values()) < RECAP_AWARD_MIN:
        raise Rejection(
            "award_too_small", say("A recap pays at least {least} Overdrive.", least=RECAP_AWARD_MIN), rule="OD-W3"
        )
    return [
        e.RecapTold(command.awards, context.settings.progression),
        *(gain(character, command.awards[character.character_id], "recap") for character in people),
    ]


def take_objective(
    state: OverdriveState, context: CommandContext, command: c.TakeObjective
) -> list[e.ObjectiveTaken]:
    """OD-W3: take an objective; one at a time."""
    character = find_own(state, context, command.character, "OD-W3")
    _require_progression(context, "OD-W3")
    if any(objective.character == character.character_id for objective in state.objectives):
        raise Rejection(
            "objective_taken", say("{name} already has an objective.", name=character.name), rule="OD-W3"
        )
    return [
        e.ObjectiveTaken(
            derive_id("objective", context.action_id),
            character.character_id,
            command.text,
            context.settings.progression,
        )
    ]


def achieve_objective(
    state: OverdriveState, context: CommandContext, command: c.AchieveObjective
) -> list[e.Event]:
    """OD-W3: 2 points for each play session since it was taken."""
    require_gm(context, "OD-W3")
    _require_progression(context, "OD-W3")
    who = command.character
    if who is None and len(state.objectives) == 1:
        who = context.filled["character"] = state.objectives[0].character
    character = find_character(state, context, who, "OD-W3")
    objective = next(
        (objective for objective in state.objectives if objective.character == character.character_id), None
    )
    if objective is None:
        raise Rejection("no_objective", say("{name} has no objective.", name=character.name), rule="OD-W3")
    return _paid(state, context, objective, OBJECTIVE_PER_SESSION * objective.sessions, automatic=False)


def post_objective_award(
    state: OverdriveState, context: CommandContext, command: c.PostObjectiveAward
) -> list[e.Event]:
    """OD-W3: an objective that has waited for 5 sessions is paid by itself, once."""
    require_worker(context, "OD-W3")
    objective = next(
        (objective for objective in state.objectives if objective.objective_id == command.objective), None
    )
    if objective is None or objective.due_by is None or objective.character not in state.characters:
        raise Rejection("objective_not_due", "That objective pays nothing yet.", rule="OD-W3")
    return _paid(state, context, objective, OBJECTIVE_AWARD_DUE, automatic=True)


def _paid(
    state: OverdriveState, context: CommandContext, objective: Objective, amount: int, *, automatic: bool
) -> list[e.Event]:
    """The events that pay an objective; one of the same session pays nothing yet."""
    paid = e.ObjectivePaid(
        objective.objective_id, objective.character, objective.sessions, automatic, context.settings.progression
    )
    if not amount:
        return [paid]
    return [paid, gain(state.characters[objective.character], amount, "personal_objective")]


def session_ended(
    state: OverdriveState,
    moment: SessionEnded,  # noqa: ARG001 — that it ended is all that matters
    context: CommandContext,
) -> list[e.ObjectiveSessionPassed]:
    """OD-W3: the events at the end of a session: objectives have waited for one more."""
    if context.settings.progression == "off":
        return []
    return [
        e.ObjectiveSessionPassed(
            objective.objective_id, objective.character, objective.sessions + 1, context.action_id
        )
        for objective in state.objectives
    ]


def due_commands(state: OverdriveState) -> list[DueCommand]:
    """The objectives that are due."""
    return [
        DueCommand(
            command=c.PostObjectiveAward(objective=objective.objective_id),
            cause=objective.due_by,
            subject=objective.objective_id,
        )
        for objective in state.objectives
        if objective.due_by is not None and objective.character in state.characters
    ]


def trait_advanced(state: OverdriveState, event: e.TraitAdvanced) -> None:
    """Raise the trait by one level."""
    character = state.characters.get(event.character)
    mech = state.mechs.get(event.mech) if event.mech is not None else None
    if event.kind == "attribute" and mech is not None:
        mech.attributes = {key: level + _gained(event, key) for key, level in mech.attributes.items()}
    elif event.kind == "stat" and character is not None:
        character.stats = {key: level + _gained(event, key) for key, level in character.stats.items()}
    elif event.kind == "skill" and character is not None:
        most = SKILL_RANGE[1]
        character.skills = {key: min(most, level + _gained(event, key)) for key, level in character.skills.items()}


def _gained(event: e.TraitAdvanced, trait: str) -> int:
    """How far a trait is raised."""
    return event.levels if trait == event.trait else 0


def objective_taken(state: OverdriveState, event: e.ObjectiveTaken) -> None:
    """Set the character's only objective."""
    if event.character in state.characters:
        others = [objective for objective in state.objectives if objective.character != event.character]
        state.objectives = [*others, Objective(event.objective_id, event.character, event.text)]


def objective_session_passed(state: OverdriveState, event: e.ObjectiveSessionPassed) -> None:
    """Count a session; the fifth makes the objective due."""
    for objective in state.objectives:
        if objective.objective_id == event.objective:
            objective.sessions += event.amount
            if objective.sessions >= OBJECTIVE_SESSIONS and objective.due_by is None:
                objective.due_by = event.action_id


def objective_paid(state: OverdriveState, event: e.ObjectivePaid) -> None:
    """Remove the objective."""
    state.objectives = [objective for objective in state.objectives if objective.objective_id != event.objective]
