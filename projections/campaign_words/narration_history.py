"""Undos, redos and reveals as sentences: the actions they are about are quoted, many are summed up."""

from collections.abc import Callable, Iterable
from typing import Any

from domain.campaign.events import ActionRevealed, Hidden
from domain.campaign.messages.undo import (
    ActionAffected,
    ActionRedone,
    ActionUndone,
    UndoDeclined,
    UndoRequested,
)
from domain.ids import ActionId
from domain.sentences import ENGLISH, Sentence, in_a_row, say, say_many
from projections.languages import render

Quote = Callable[[ActionId], str | None]
"""The sentences of an action as its reader may know it; None: not available."""

QUOTED_MAX = 3
"""Of the actions undone with another, so many are quoted; the others are counted."""

DICE_TOLD_MAX = 12

QUOTE_SENTENCES_MAX = 2
QUOTE_CHARACTERS_MAX = 200

AboutAction = ActionUndone | ActionRedone | ActionAffected | UndoRequested | UndoDeclined | ActionRevealed


def unquoted(_: ActionId) -> None:
    """The quote to use where the past is not available: none."""
    return


def quotation(sentences: list[str], people: Iterable[str] = (), language: str = ENGLISH) -> str | None:
    """An action's sentences, cut to the length of a quote, never within the name of one of `people`.

    An erasure finds stored quotes by the whole name.
    """
    first = [sentence.removesuffix(".") for sentence in sentences[:QUOTE_SENTENCES_MAX]]
    text = render(in_a_row(first, "; "), language)
    if len(text) > QUOTE_CHARACTERS_MAX:
        return f"{text[: _end_of_quote(text, [*people])].rstrip()}…"
    return f"{text} …" if len(sentences) > QUOTE_SENTENCES_MAX else text or None


def _end_of_quote(text: str, people: list[str]) -> int:
    """Where to cut a quote that is too long: before a name, rather than within it."""
    end = QUOTE_CHARACTERS_MAX
    while cut := [
        begins
        for name in people
        if (begins := text.find(name, max(0, end - len(name) + 1), end + len(name) - 1)) >= 0
    ]:
        end = min(cut)
    return end


_SHARED_FIELDS: dict[type, str | None] = {
    ActionUndone: "undone_in",
    ActionRedone: "redone_in",
    ActionAffected: "affected_in",
    ActionRevealed: "revealed_in",
    UndoRequested: "action_id",
    UndoDeclined: "action_id",
    Hidden: None,
}
"""The kinds of events that share a line, and the field in which those of one line are alike."""


def summed_up(events: Iterable[Any]) -> list[list[Any]]:
    """Group events by the sentence that tells them: one for all that an action undid, redid, affected or revealed.

    Hidden events share one line; every other event has a line of its own.
    """
    lines: list[list[Any]] = []
    shared: dict[Any, list[Any]] = {}
    for event in events:
        kind = type(event)
        if kind not in _SHARED_FIELDS:
            lines.append([event])  # as is usual
            continue
        field = _SHARED_FIELDS[kind]
        line = kind, None if field is None else getattr(event, field)
        if line in shared:
            shared[line].append(event)
        else:
            shared[line] = [event]
            lines.append(shared[line])
    return lines


def quoted_in(events: Iterable[Any]) -> list[ActionId]:
    """The actions that the sentences of these events quote."""
    lines = (line for line in summed_up(events) if isinstance(line[0], AboutAction))
    return [*dict.fromkeys(action for line in lines for action in _actions_of(line)[: QUOTED_MAX + 1])]


def tell(line: list[Any], quote: Quote, name: Callable[[Any], str]) -> Sentence:
    """One line of `summed_up` that is about other actions, with the returned dice."""
    sentence = _sentence_of(line, quote, name)
    dice = [die for event in line if isinstance(event, ActionUndone) for die in event.dice or ()]
    if not dice:
        return sentence
    faces = [f"{die.natural} (d{die.sides})" for die in dice[:DICE_TOLD_MAX]]
    faces += ["…"] if len(dice) > DICE_TOLD_MAX else []
    return say("{told}. These dice come back: {dice}", told=sentence, dice=in_a_row(faces, ", "))


def _sentence_of(line: list[Any], quote: Quote, name: Callable[[Any], str]) -> Sentence:
    actions = _actions_of(line)
    action, others = quote(actions[0]) or say("an earlier action"), _listed(actions[1:], quote)
    with_others: Sentence | None = None
    match line[0]:
        case ActionUndone(because="asked"):
            sentence = _because(say("Undone: {action}", action=action), line)
            with_others = say("{told}. Undone with it: {others}", told=sentence, others=others)
        case ActionUndone():
            sentence = say("Also undone: {others}", others=_listed(actions, quote))
        case ActionRedone():
            sentence = _because(say("Redone: {action}", action=action), line)
            with_others = say("{told}. Redone with it: {others}", told=sentence, others=others)
        case ActionAffected():
            kept_actions = _listed(actions, quote, followed=False)
            sentence = say("Kept, although it would turn out differently now: {others}", others=kept_actions)
        case UndoRequested(requested_by=who):
            sentence = _because(say("{who} asks to undo: {action}", who=name(who), action=action), line)
        case UndoDeclined():
            sentence = _because(say("Not undone, although it was asked for: {action}", action=action), line)
        case _:
            sentence = say("Everybody can read this now: {action}", action=action)
            with_others = say("{told}. Revealed with it: {others}", told=sentence, others=others)
    return sentence if with_others is None or len(actions) == 1 else with_others


def _actions_of(line: list[AboutAction]) -> list[ActionId]:
    """The actions that the events are about, without duplicates.

    Hidden transfers in an open action are told apart.
    """
    return [*dict.fromkeys(event.action_id for event in line)]


def _because(sentence: Sentence, line: list[Any]) -> Sentence:
    """The sentence with the reason of the undo, redo or reveal."""
    why = next((event.reason for event in line if event.reason), None)
    return say("{told} ({why})", told=sentence, why=why) if why else sentence


def _listed(actions: list[ActionId], quote: Quote, *, followed: bool = True) -> Sentence:
    """The first of these actions quoted, and the number of the others.

    `followed`: they depend on one named before.
    """
    quoted = [text for action in actions[:QUOTED_MAX] if (text := quote(action))]
    sentence, more = in_a_row(quoted, " · "), len(actions) - len(quoted)
    if not quoted:
        return say_many("{n} later action", "{n} later actions", more)
    if not more:
        return sentence
    if not followed:
        return say_many("{told} … and {n} more", "{told} … and {n} more", more, told=sentence)
    return say_many(
        "{told} … and {n} more that followed from it",
        "{told} … and {n} more that followed from it",
        more,
        told=sentence,
    )
