"""FREE/FALL in words: one sentence for every kind of event.

Every sentence stands in one place, whole, with its parts by name, so that it can be translated.
"""

from typing import assert_never

from domain.sentences import Sentence, in_a_row, joined, say, say_many, term
from domain.systems.freefall import events as e
from domain.systems.freefall.tables import ATTRIBUTES, AttributeName
from domain.systems.freefall.words import CLASS_WORDS, HARMS, class_word
from projections.narration import freefall_harm
from projections.narration.freefall_words import (
    CAPITALS,
    MODES,
    OUTCOMES,
    Name,
    dice,
    levels,
    with_cuts,
    with_why,
)

TERMS = (AttributeName, CLASS_WORDS)
"""Whose words are said as terms."""


def tell(event: e.Event, name: Name) -> Sentence | str:
    """What happened, as a player would say it."""
    match event:
        case e.ClassDefined():
            if not event.specialties:
                return say("The class {class_} offers no specialties", class_=class_word(event.class_))
            return say(
                "The class {class_} offers {specialties}",
                class_=class_word(event.class_),
                specialties=joined(map(class_word, event.specialties)),
            )
        case e.CharacterEntered() | e.GearEntered() | e.HarmEntered() | e.MachineEntered() | e.ClockEntered():
            return _entered(event, name)
        case e.CharacterCreated() | e.CharacterAdopted() | e.CharacterAssigned() | e.PermanentChanged():
            return _people(event, name)
        case (
            e.GearAdded()
            | e.GearEquipped()
            | e.GearUnequipped()
            | e.GearDiscarded()
            | e.MachineCreated()
            | e.MachineBoarded()
            | e.MachineLeft()
        ):
            return _gear(event, name)
        case e.TimeModeChanged():
            return MODES[event.mode]
        case e.ClockOpened() | e.ClockTicked() | e.ClockClosed():
            return _clock(event, name)
        case (
            e.TurnStarted()
            | e.TurnEnded()
            | e.ActionsDeclared()
            | e.ResolutionOrdered()
            | e.ActionAbandoned()
            | e.ActionNegated()
        ):
            return _turn(event, name)
        case (
            e.ActionRolled()
            | e.AttackHit()
            | e.ComplicationFlagged()
            | e.ComplicationIntroduced()
            | e.SuccessForced()
            | e.ConflictRolled()
            | e.ConflictOrderDecided()
        ):
            return _roll(event, name)
        case _:
            return freefall_harm.tell(event, name)


def _entered(event: e.Entered, name: Name) -> Sentence:
    """What was hidden until now."""
    match event:
        case e.CharacterEntered():
            who = event.character.name
        case e.GearEntered():
            return say("{who} turns out to have {item}", who=name(event.character), item=event.what.what.name)
        case e.HarmEntered():
            harm = HARMS[event.harm.type]
            return say("{who} turns out to be hurt: {harm}", who=name(event.character), harm=harm)
        case e.MachineEntered():
            who = event.machine.name
        case e.ClockEntered():
            clock = event.clock
            return say(
                "A clock comes to light: “{clock}”, at {filled} of {size}",
                clock=clock.name,
                filled=clock.filled,
                size=clock.size,
            )
    return say("{who} came into play", who=who)


def _people(
    event: e.CharacterCreated | e.CharacterAdopted | e.CharacterAssigned | e.PermanentChanged, name: Name
) -> Sentence | str:
    """Who there is, and what they are made of."""
    match event:
        case e.CharacterCreated():
            return _created(event, name)
        case e.CharacterAdopted():
            who, class_ = event.sheet.name, class_word(event.sheet.class_)
            if event.sheet.player is None:
                return say("{who}, {class_}, came over from another campaign", who=who, class_=class_)
            return say(
                "{who}, {class_}, came over from another campaign, played by {player}",
                who=who,
                class_=class_,
                player=name(event.sheet.player),
            )
        case e.CharacterAssigned():
            return ""  # the campaign's own event says to whom the character was handed
        case e.PermanentChanged():
            changed = say(
                "Permanent {attribute} of {who} changed by {change} to {value}",
                attribute=term(event.attribute),
                who=name(event.character),
                change=f"{event.change:+}",
                value=event.permanent_after,
            )
            return with_why(changed, event.reason)
        case _:
            assert_never(event)


def _created(event: e.CharacterCreated, name: Name) -> Sentence:
    """Who enters, and what they are made of."""
    made_of = in_a_row(
        say("{attribute} {value}", attribute=CAPITALS[attribute], value=event.permanents.get(attribute, 0))
        for attribute in ATTRIBUTES
    )
    if event.player is None:
        told = say(
            "{who}, {class_}, enters the story: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            made_of=made_of,
        )
    else:
        told = say(
            "{who}, {class_}, enters the story, played by {player}: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            player=name(event.player),
            made_of=made_of,
        )
    if not event.specialties:
        return told
    return say("{told}; good at {specialties}", told=told, specialties=joined(map(class_word, event.specialties)))


def _gear(
    event: e.GearAdded
    | e.GearEquipped
    | e.GearUnequipped
    | e.GearDiscarded
    | e.MachineCreated
    | e.MachineBoarded
    | e.MachineLeft,
    name: Name,
) -> Sentence:
    """Items and machines, and what they bind."""
    match event:
        case e.GearAdded():
            return say("{who} got hold of {item}", who=name(event.character), item=event.what.name)
        case e.GearEquipped():
            used = say("{who} put {item} to use", who=name(event.character), item=name(event.item))
            return with_cuts(used, event.clamped)
        case e.GearUnequipped():
            return say(
                "{who} took {item} off, and the strain with it", who=name(event.character), item=name(event.item)
            )
        case e.GearDiscarded():
            return say("{who} parted with {item} for good", who=name(event.character), item=name(event.item))
        case e.MachineCreated():
            return say(
                "{machine} stands ready, with FRM {frm} and SYS {sys}",
                machine=event.name,
                frm=event.frm,
                sys=event.sys,
            )
        case e.MachineBoarded():
            aboard = say(
                "{who} took the controls of {machine}", who=name(event.character), machine=name(event.machine)
            )
            return with_cuts(aboard, event.clamped)
        case e.MachineLeft():
            return say(
                "{who} left the controls of {machine}", who=name(event.character), machine=name(event.machine)
            )
        case _:
            assert_never(event)


def _clock(event: e.ClockOpened | e.ClockTicked | e.ClockClosed, name: Name) -> Sentence:
    """What successes move in action time."""
    match event:
        case e.ClockOpened():
            return say("A clock started: “{clock}”, {size} segments", clock=event.name, size=event.size)
        case e.ClockTicked():
            clock, filled, size = name(event.clock), event.filled_after, event.size
            if filled >= size:
                return say(
                    "The clock {clock} moved to {filled} of {size} and is full",
                    clock=clock,
                    filled=filled,
                    size=size,
                )
            return say("The clock {clock} moved to {filled} of {size}", clock=clock, filled=filled, size=size)
        case e.ClockClosed():
            return say("The clock {clock} was put away", clock=name(event.clock))
        case _:
            assert_never(event)


def _turn(
    event: e.TurnStarted
    | e.TurnEnded
    | e.ActionsDeclared
    | e.ResolutionOrdered
    | e.ActionAbandoned
    | e.ActionNegated,
    name: Name,
) -> Sentence:
    """A turn of bullet time."""
    match event:
        case e.TurnStarted():
            begun = say("The turn begins for {who} with {dice}", who=event.name, dice=dice(event.dice_pool))
            if event.late is True:
                begun = say("{who} joins the turn with {dice}", who=event.name, dice=dice(event.dice_pool))
            if not event.filled:
                return begun
            return say_many(
                "{told}, {n} slot full of harm", "{told}, {n} slots full of harm", event.filled, told=begun
            )
        case e.TurnEnded():
            return say("The turn ended")
        case e.ActionsDeclared():
            return _declared(event, name)
        case e.ResolutionOrdered():
            order = joined(map(name, event.order))
            if event.fixed_by_gm:
                return say("Actions resolve, as the GM fixed it: {order}", order=order)
            return say("Actions resolve in reverse: {order}", order=order)
        case e.ActionAbandoned():
            return say("{who} let an action go ({action})", who=name(event.actor), action=event.action)
        case e.ActionNegated():
            negated = say("{who} never got to act ({action})", who=name(event.actor), action=event.action)
            return with_why(negated, event.why)
        case _:
            assert_never(event)


def _declared(event: e.ActionsDeclared, name: Name) -> Sentence:
    """What somebody means to do."""
    who = name(event.actor)
    actions = joined(say("{action} with {dice}", action=each.id, dice=dice(each.dice)) for each in event.actions)
    if not event.actions:
        actions = say("to wait")
    if event.group:
        declared = say(
            "{who}, with {group}, declared {actions}, in seat {seat}",
            who=who,
            group=event.group,
            actions=actions,
            seat=event.seat,
        )
    else:
        declared = say("{who} declared {actions}, in seat {seat}", who=who, actions=actions, seat=event.seat)
    return with_why(declared, event.intent)


def _roll(
    event: e.ActionRolled
    | e.AttackHit
    | e.ComplicationFlagged
    | e.ComplicationIntroduced
    | e.SuccessForced
    | e.ConflictRolled
    | e.ConflictOrderDecided,
    name: Name,
) -> Sentence:
    """Dice, and what comes of them."""
    match event:
        case e.ActionRolled():
            return _rolled(event, name)
        case e.AttackHit():
            harm = levels(event.levels, event.harm_type)
            hit = say("{who} hit for {harm}", who=name(event.actor), harm=harm)
            if event.critical:
                hit = say("{who} hit critically for {harm}", who=name(event.actor), harm=harm)
            return say("{told}, with high impact", told=hit) if event.high_impact else hit
        case e.ComplicationFlagged():
            return say_many(
                "{who} rolled a natural 1: something may go wrong",
                "{who} rolled {n} natural 1s: something may go wrong",
                event.ones,
                who=name(event.actor),
            )
        case e.ComplicationIntroduced():
            return say("A complication: {text}", text=event.text)
        case e.SuccessForced():
            return say("{who} paid in harm and succeeded after all", who=name(event.actor))
        case e.ConflictRolled():
            return _conflict(event, name)
        case e.ConflictOrderDecided():
            return say("The tie is decided: {who} acts first", who=name(event.first))
        case _:
            assert_never(event)


def _rolled(event: e.ActionRolled, name: Name) -> Sentence:
    """The whole roll in one line: `Kai rolled 16 19 15 against 16: a greater success, 2 successes`."""
    who, tn = name(event.actor), event.tn
    fallen: Sentence = in_a_row(event.naturals, " ")
    if event.bonus:
        fallen = in_a_row([fallen, f"{event.bonus:+}"], " ")
    result = OUTCOMES[event.outcome]
    if event.successes:
        result = say_many(
            "{outcome}, {n} success", "{outcome}, {n} successes", event.successes, outcome=OUTCOMES[event.outcome]
        )
    told = say("{who} rolled {dice} against {tn}: {result}", who=who, dice=fallen, tn=tn, result=result)
    if event.action is not None:
        told = say(
            "{who} rolled {dice} for {action} against {tn}: {result}",
            who=who,
            dice=fallen,
            action=event.action,
            tn=tn,
            result=result,
        )
    return say("{told} ({words})", told=told, words=event.narration) if event.narration else told


def _conflict(event: e.ConflictRolled, name: Name) -> Sentence:
    """Who was faster."""
    told = [each for each in event.participants if each in event.highest]
    best = in_a_row(f"{name(each)} {event.highest[each]}" for each in told)
    if len(told) < len(event.participants):
        best = say("{best}, and hidden numbers", best=best)
    if event.first is not None:
        return say("They clashed ({best}): {who} acts first", best=best, who=name(event.first))
    if event.decided_by == "gm":
        return say("They clashed ({best}): a tie, and the GM decides", best=best)
    return say("They clashed ({best}): a tie, and the players decide", best=best)
