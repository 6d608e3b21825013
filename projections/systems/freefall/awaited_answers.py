"""Everything FREE/FALL waits for, as sentences: the member to choose, the subject, and the accepted answers."""

from collections.abc import Iterator

from domain.mechanics.acceptable_commands import TO_FILL_IN
from domain.sentences import Sentence, join_parts, say
from domain.systems.freefall import FREEFALL
from domain.systems.freefall.access import owner_of_choice
from domain.systems.freefall.complications import complicable, forcible
from domain.systems.freefall.direct_conflicts import tied_sides
from domain.systems.freefall.settings import Settings
from domain.systems.freefall.state import Character, FreefallState, Harm
from domain.systems.freefall.tables import MACHINE_MATCHING
from domain.systems.freefall.term_words import HARMS, needed
from domain.systems.freefall.treatments_and_repairs import missing
from domain.systems.system import Pending
from projections.awaited_answers import Able, MayAnswer, Name, Waiting, WaitingFor
from projections.systems.freefall.answer_choices import successes_for_harm, thinkable
from projections.systems.freefall.narration_phrases import dice, levels, purpose


def waits_for(state: FreefallState, name: Name, settings: Settings, able: Able) -> list[WaitingFor]:
    """The pending choices, each with its answers, and what harm may still buy."""
    waiting = Waiting(FREEFALL, state, name, settings, able)
    pending = [
        waiting.entry(
            choice.kind,
            choice.subject,
            _subject_name(state, choice, name),
            choice.waits_for,
            _in_words(state, choice, name),
            thinkable(state, waiting.trial, choice),
        )
        for choice in [*FREEFALL.pending(state), *FREEFALL.also_pending(state, settings)]
    ]
    forced = [
        waiting.entry(
            "force_success",
            roll.roll_id,
            name(roll.actor),
            owner_of_choice(state, roll.actor),
            _forced(state, roll.actor, name),
            successes_for_harm(state.characters[roll.actor], roll, settings),
            optional=True,
        )
        for roll in forcible(state)
    ]
    return [*pending, *(entry for entry in (*forced, *_to_be_told(waiting, state, name)) if entry.answers)]


def _to_be_told(waiting: Waiting, state: FreefallState, name: Name) -> Iterator[WaitingFor]:
    """Additions that may be narrated: complications by a GM, and the meaning of a permanent harm by its owner."""
    for roll in complicable(state):
        body = {"type": "freefall.introduce_complication", "roll": roll.roll_id, "text": TO_FILL_IN}
        what = say("introduce a complication of the roll of {who}, or not", who=name(roll.actor))
        yield waiting.entry(
            "introduce_complication",
            roll.roll_id,
            name(roll.actor),
            None,
            say("GM: {what}", what=what),
            [MayAnswer(body, texts=["text"])],
            optional=True,
        )
    for who in state.people():
        for slot, harm in enumerate(who.slots, 1) if who.status == "active" else ():
            if harm is not None and harm.state == "permanent" and harm.note is None:
                yield _scar(waiting, who, slot, harm, name)


def _scar(waiting: Waiting, who: Character, slot: int, harm: Harm, name: Name) -> WaitingFor:
    """A permanent harm without a consequence in the story (FF-C13)."""
    about = {"character": who.character_id, "slot": slot, "consequence": TO_FILL_IN}
    what = say(
        "say what the permanent {harm} of {who} means from now on, or not", harm=HARMS[harm.type], who=who.name
    )
    sentence = say("GM: {what}", what=what)
    if who.player is not None:
        sentence = say("{player}: {what}", player=name(who.player), what=what)
    return waiting.entry(
        "describe_permanent_harm",
        harm.harm_id,
        who.name,
        who.player,
        sentence,
        [MayAnswer({"type": "freefall.describe_permanent_harm", **about}, texts=["consequence"])],
        optional=True,
        is_hidden=harm.hidden,
    )


def _forced(state: FreefallState, who: str, name: Name) -> Sentence:
    """The success that harm may still buy in montage."""
    what = say("take 1 level of harm to turn the failed roll of {who} into a success, or not", who=name(who))
    player = owner_of_choice(state, who)
    if player is None:
        return say("GM: {what}", what=what)
    return say("{player}: {what}", player=name(player), what=what)


def _about(state: FreefallState, choice: Pending) -> str:
    """The subject: harm, work and declared actions go by their character, or their item."""
    calls = {call.call_id: call.character for call in state.called}
    actions = {action.id: action.actor for action in (state.board.actions if state.board is not None else [])}
    harms = {harm.harm_id: who.character_id for who in state.people() for harm in who.slots if harm is not None}
    work = {treatment.treatment_id: treatment.character for treatment in state.treatments.values()}
    work |= {repair.repair_id: repair.item for repair in state.repairs.values()}
    return (calls | actions | harms | work).get(choice.subject, choice.subject)


def _subject_name(state: FreefallState, choice: Pending, name: Name) -> str | Sentence:
    """The subject, by its name."""
    if choice.kind == "decide_tie":
        return _tied(state, choice, name)
    return say("the turn") if choice.kind in PLAIN else name(_about(state, choice))


def _tied(state: FreefallState, choice: Pending, name: Name) -> Sentence:
    """The characters that are still in a tie."""
    conflict = next(candidate for candidate in state.conflicts if candidate.conflict_id == choice.subject)
    return join_parts(name(_actor(state, side)) for side in tied_sides(state, conflict))


def _in_words(state: FreefallState, choice: Pending, name: Name) -> Sentence:
    """The member to choose, and the choice."""
    what = _what(state, choice, name)
    if choice.waits_for is None:
        return say("GM: {what}", what=what)
    return say("{player}: {what}", player=name(choice.waits_for), what=what)


PLAIN: dict[str, Sentence] = {
    "order_resolution": say("set the order of resolution"),
    "end_turn": say("end the turn or start the next"),
}
"""Sentences that do not depend on the subject."""


def _what(state: FreefallState, choice: Pending, name: Name) -> Sentence:
    """The decision to make, or the thing to do."""
    who = name(_about(state, choice))
    match choice.kind:
        case "receive_harm" | "allocate_machine_harm":
            sentence = _harm(state, choice, who, name)
        case "decide_tie":
            sentence = say("decide the tie: {sides}", sides=_tied(state, choice, name))
        case "decide_fate":
            sentence = say("decide whether {who} died or retired", who=who)
        case "declare_actions":
            actor = state.board.actor(choice.subject) if state.board is not None else None
            most = dice(actor.dice_pool if actor is not None else 0)
            sentence = say("declare the actions of {who}, up to {dice}", who=who, dice=most)
        case "name_tn" | "roll_action":
            sentence = _about_an_action(state, choice, who, name)
        case _:
            sentence = PLAIN.get(choice.kind) or _recovery(state, choice, who, name)
    return sentence


def _actor(state: FreefallState, side: str) -> str:
    action = state.board.action(side) if state.board is not None else None
    return action.actor if action is not None else side


def _harm(state: FreefallState, choice: Pending, who: str, name: Name) -> Sentence:
    call = next(candidate for candidate in state.called if candidate.call_id == choice.subject)
    harm = levels(call.levels, call.harm_type)
    machine = state.machines.get(call.machine or "")
    idle = machine is not None and (machine.state == "broken" or state.is_on_bench(machine))
    if machine is not None and (idle or call.harm_type not in MACHINE_MATCHING):
        return say(
            "resolve {harm} to {who}, which {machine} cannot take", harm=harm, who=who, machine=machine.name
        )
    if call.machine is not None:
        return say("allocate {harm}: {machine} or {who}", harm=harm, machine=name(call.machine), who=who)
    return say("resolve {harm} to {who}", harm=harm, who=who)


def _about_an_action(state: FreefallState, choice: Pending, who: str, name: Name) -> Sentence:
    """A roll that is up, or that has no TN yet."""
    action = state.board.action(choice.subject) if state.board is not None else None
    if action is None:
        tn = state.called_rolls[choice.subject].tn
        return say("roll for {who} against TN {tn}", who=who, tn=tn)
    what = purpose(action.id, action.tag, action.attribute, action.attack, name) or say("an action")
    if choice.kind == "name_tn":
        return say("name the TN of {action} by {who}", action=what, who=who)
    if action.tn is None:
        return say(
            "roll {dice} for {action} by {who}, or give it up", dice=dice(action.dice), action=what, who=who
        )
    return say(
        "roll {dice} against TN {tn} for {action} by {who}, or give it up",
        dice=dice(action.dice),
        tn=action.tn,
        action=what,
        who=who,
    )


def _recovery(state: FreefallState, choice: Pending, who: str, name: Name) -> Sentence:
    """A GM's decision about work or about temporary harm."""
    treatment, repair = state.treatments.get(choice.subject), state.repairs.get(choice.subject)
    if treatment is not None:
        things = join_parts(map(needed, missing(treatment)))
        patient = name(treatment.character)
        return say("record what the treatment of {who} still needs: {things}", who=patient, things=things)
    if repair is not None:
        things = join_parts(map(needed, missing(repair)))
        return say("record what the repair of {item} still needs: {things}", item=name(repair.item), things=things)
    harm = next(
        slot.type for one in state.people() for slot in one.slots if slot and slot.harm_id == choice.subject
    )
    return say("decide whether the temporary {harm} of {who} clears", harm=HARMS[harm], who=who)
