"""Rolls and conflicts of FREE/FALL as sentences, with every die."""

from msgspec import UNSET

from domain.sentences import Part, Sentence, in_a_row, say, say_many
from domain.systems.freefall import events as e
from projections.narration_tables import Name, on, tellers
from projections.systems.freefall.narration_phrases import (
    action_name,
    dice_with_faces,
    levels,
    outcome_of,
    purpose,
)


def _action_rolled(event: e.ActionRolled, name: Name) -> Sentence:
    """The whole roll in one line: `Kai rolled 3d20 (16 19 15) against TN 16: greater success, 2 successes`."""
    who, tn, dice = name(event.actor), event.tn, dice_with_faces(event.naturals, event.bonus)
    result = outcome_of(event.outcome, event.successes)
    what = purpose(event.action, event.tag, event.attribute, event.attack, name)
    if what is None:
        sentence = say("{who} rolled {dice} against TN {tn}: {result}", who=who, dice=dice, tn=tn, result=result)
    else:
        sentence = say(
            "{who} rolled {dice} for {action} against TN {tn}: {result}",
            who=who,
            dice=dice,
            action=what,
            tn=tn,
            result=result,
        )
    return say("{told} ({words})", told=sentence, words=event.narration) if event.narration else sentence


def _hit(event: e.AttackHit, name: Name) -> Sentence:
    harm = levels(event.levels, event.harm_type)
    parts: dict[str, Part] = {"who": name(event.actor), "harm": harm}
    if event.target is not UNSET:
        parts["target"] = name(event.target)
        hit = say("{who} hit {target} for {harm}", **parts)
        if event.critical:
            hit = say("{who} hit {target} critically for {harm}", **parts)
    else:
        hit = say("{who} hit for {harm}", **parts)
        if event.critical:
            hit = say("{who} hit critically for {harm}", **parts)
    return say("{told}, with high impact", told=hit) if event.high_impact else hit


def _conflict(event: e.ConflictRolled, name: Name) -> Sentence:
    """The order of a conflict, with every die that its reader may see."""
    actors = event.actors or {}
    visible_ids = [id_ for id_ in event.participants if id_ in event.highest]
    sides = in_a_row(_side(event, id_, _acting(id_, actors.get(id_), name)) for id_ in visible_ids)
    if len(visible_ids) < len(event.participants):
        sides = say("{sides}, and hidden numbers", sides=sides)
    if event.first is not None:
        first = _acting(event.first, actors.get(event.first), name)
        return say("Conflict: {sides}. {who} acts first", sides=sides, who=first)
    if event.decided_by == "gm":
        return say("Conflict: {sides}. A tie: the GM decides", sides=sides)
    return say("Conflict: {sides}. A tie: the players decide", sides=sides)


def _acting(side: str, actor: str | None, name: Name) -> Part:
    """A side of a conflict: its character, with the action's own name."""
    if actor is None:
        return name(side)
    action = action_name(side, None, None)
    return name(actor) if action is None else say("{who} ({action})", who=name(actor), action=action)


def _side(event: e.ConflictRolled, side: str, who: Part) -> Sentence:
    """A side's dice and the highest result of them."""
    highest, naturals = event.highest[side], event.naturals.get(side, [])
    if not naturals:
        return say("{who} {highest}", who=who, highest=highest)
    bonus = event.bonuses.get(side, 0) + event.gear_bonuses.get(side, 0)
    return say("{who} {highest} with {dice}", who=who, highest=highest, dice=dice_with_faces(naturals, bonus))


TELL = tellers(
    on(e.ActionRolled, _action_rolled),
    on(e.AttackHit, _hit),
    on(
        e.ComplicationFlagged,
        lambda event, name: say_many(
            "{who} rolled a natural 1: the GM may add a complication",
            "{who} rolled {n} natural 1s: the GM may add a complication",
            event.ones,
            who=name(event.actor),
        ),
    ),
    on(e.ComplicationIntroduced, lambda event, _: say("A complication: {text}", text=event.text)),
    on(e.SuccessForced, lambda event, name: say("{who} took harm and succeeded after all", who=name(event.actor))),
    on(e.ConflictRolled, _conflict),
    on(
        e.SceneLeftBehind,
        lambda event, _: say("A tie was left undecided with the scene") if event.ties else "",
    ),
    on(
        e.ConflictOrderDecided,
        lambda event, name: say(
            "The tie is decided: {who} acts first", who=_acting(event.first, event.actor or None, name)
        ),
    ),
)
