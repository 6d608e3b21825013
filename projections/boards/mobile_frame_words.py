"""What a Mobile Frame board says in sentences: what the table waits for, and who answers whom."""

from domain.sentences import Sentence, joined, say
from domain.systems.mobile_frame.battles import next_to_go
from domain.systems.mobile_frame.state import Activation, Choice, MobileFrameState
from projections.narration.mobile_frame_words import Name, names, who


def stack_in_words(state: MobileFrameState) -> list[Sentence]:
    """One sentence for every frame that waits for another, and none while nobody waits."""
    sentences = []
    for turn in state.battle.stack if state.battle is not None else []:
        holding = state.activation(turn.waits_for) if turn.waits_for is not None else None
        if holding is None or _destroyed(state, turn.frame):
            continue  # whoever was destroyed meanwhile does not go on
        waiting, acting = called(state, turn.frame), called(state, holding.frame)
        if holding.attacker == turn.frame:
            answers = say(
                "{acting} answers {waiting}'s attack, then {waiting} goes on", acting=acting, waiting=waiting
            )
            sentences.append(answers)
        else:
            sentences.append(
                say("{acting} finishes its turn, then {waiting} goes on", acting=acting, waiting=waiting)
            )
    return sentences


def _destroyed(state: MobileFrameState, frame: str) -> bool:
    known = state.frames.get(frame)
    return known is not None and known.status == "destroyed"


def in_words(state: MobileFrameState, name: Name) -> Sentence:
    """What the table waits for."""
    if state.battle is None:
        return say("No battle is being fought")
    if state.battle.choice is not None:
        return _choice(state, state.battle.choice, name)
    acting = state.acting()
    if acting is not None:
        return _turn(acting, called(state, acting.frame))
    first = names(next_to_go(state, state.battle), name)
    if not first:
        return say("Every frame has had its turn: the round ends")
    if len(first) == 1:
        return say("{who} activates a frame or passes", who=first[0])
    return say("{players} may activate a frame or pass", players=joined(first))


def _turn(turn: Activation, frame: str) -> Sentence:
    """What the frame does next whose turn goes on."""
    if turn.attack is not None:
        return say("The attack of {frame} is to be resolved", frame=frame)
    if not turn.rolled:
        return say("{frame} may declare a target, then rolls its dice", frame=frame)
    if "defense" not in turn.assigned:
        return say("{frame} sets its defence", frame=frame)
    return say("{frame} takes its turn", frame=frame)


def _choice(state: MobileFrameState, choice: Choice, name: Name) -> Sentence:
    """Whose choice it is, and about what."""
    player, subject = who(choice.player, name), called(state, choice.subject)
    if choice.kind == "loss":
        return say("{who} says what {frame} loses", who=player, frame=subject)
    return say("{who} says how high {cover} still stands", who=player, cover=subject)


def called(state: MobileFrameState, thing: str) -> str:
    """The name of a frame or a cover."""
    for named in (state.frames.get(thing), state.covers.get(thing)):
        if named is not None:
            return named.name
    return thing
