"""FREE/FALL in words: one sentence for every kind of event.

Every sentence stands in one place, whole, with its parts by name, so that it can be translated.
"""

from typing import assert_never

from domain.sentences import Sentence, in_a_row, joined, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.state import Action
from domain.systems.freefall.tables import ATTRIBUTES
from domain.systems.freefall.terms import CLASS_WORDS, HARMS, attribute_word, class_word
from projections.campaign.narration_entrances import came
from projections.systems.freefall import narration_harm, narration_rolls
from projections.systems.freefall.narration_terms import (
    MODES,
    Name,
    called,
    dice,
    purpose,
    with_cuts,
    with_why,
)

TERMS = (CLASS_WORDS,)
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
            | e.TnNamed()
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
            return narration_rolls.tell(event, name)
        case _:
            return narration_harm.tell(event, name)


def _entered(event: e.Entered, name: Name) -> Sentence:
    """What was hidden until now."""
    match event:
        case e.CharacterEntered():
            who = event.character.name
        case e.GearEntered():
            return say("It turns out that {who} has {item}", who=name(event.character), item=event.what.what.name)
        case e.HarmEntered():
            harm = HARMS[event.harm.type]
            return say("It turns out that {who} has {harm}", who=name(event.character), harm=harm)
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
    return came(who, event.anew)


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
                "{who} now has a permanent {attribute} of {value} ({change})",
                attribute=attribute_word(event.attribute),
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
        say("{attribute} {value}", attribute=attribute_word(attribute), value=event.permanents.get(attribute, 0))
        for attribute in ATTRIBUTES
    )
    if event.player is None:
        told = say(
            "{who}, {class_}, entered the story: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            made_of=made_of,
        )
    else:
        told = say(
            "{who}, {class_}, entered the story, played by {player}: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            player=name(event.player),
            made_of=made_of,
        )
    if not event.specialties:
        return told
    return say(
        "{told}; specialties: {specialties}", told=told, specialties=joined(map(class_word, event.specialties))
    )


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
            return say("{who} now has {item}", who=name(event.character), item=event.what.name)
        case e.GearEquipped():
            used = say("{who} equipped {item}", who=name(event.character), item=name(event.item))
            return with_cuts(used, event.clamped)
        case e.GearUnequipped():
            return say("{who} unequipped {item}", who=name(event.character), item=name(event.item))
        case e.GearDiscarded():
            return say("{who} discarded {item}", who=name(event.character), item=name(event.item))
        case e.MachineCreated():
            return say(
                "{machine} is ready: FRM {frm}, SYS {sys}",
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
            return say("A clock was opened: “{clock}”, {size} segments", clock=event.name, size=event.size)
        case e.ClockTicked():
            clock, filled, size = name(event.clock), event.filled_after, event.size
            if filled >= size:
                return say(
                    "The clock “{clock}” moved to {filled} of {size} and is full",
                    clock=clock,
                    filled=filled,
                    size=size,
                )
            return say("The clock “{clock}” moved to {filled} of {size}", clock=clock, filled=filled, size=size)
        case e.ClockClosed():
            return say("The clock “{clock}” was closed", clock=name(event.clock))
        case _:
            assert_never(event)


def _turn(
    event: e.TurnStarted
    | e.TurnEnded
    | e.ActionsDeclared
    | e.ResolutionOrdered
    | e.TnNamed
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
                "{told} ({n} harm slot filled)", "{told} ({n} harm slots filled)", event.filled, told=begun
            )
        case e.TurnEnded():
            return say("The turn ended")
        case e.ActionsDeclared():
            return _declared(event, name)
        case e.ResolutionOrdered():
            order = in_a_row(map(name, event.order))
            if event.fixed_by_gm:
                return say("The GM set the order of resolution: {order}", order=order)
            return say("The last to declare acts first: {order}", order=order)
        case e.TnNamed():
            return _tn_named(event, name)
        case e.ActionAbandoned():
            dropped, who = called(event.action, None, None), name(event.actor)
            if dropped is None:
                return say("{who} gave up an action", who=who)
            return say("{who} gave up an action: {action}", who=who, action=dropped)
        case e.ActionNegated():
            dropped, who = called(event.action, None, None), name(event.actor)
            negated = say("An action of {who} was negated", who=who)
            if dropped is not None:
                negated = say("An action of {who} ({action}) was negated", who=who, action=dropped)
            return with_why(negated, event.why)
        case _:
            assert_never(event)


def _tn_named(event: e.TnNamed, name: Name) -> Sentence:
    """What a GM asks for, and against what."""
    who = name(event.actor)
    if event.tn is None:
        return say("The GM no longer calls for a roll from {who}", who=who)
    if event.action is None:
        return with_why(
            say("The GM calls for a roll from {who} against TN {tn}", who=who, tn=event.tn), event.situation
        )
    action = called(event.action, None, None)
    if action is None:
        return say("The GM sets TN {tn} for an action of {who}", tn=event.tn, who=who)
    return say("The GM sets TN {tn} for an action of {who}: {action}", tn=event.tn, who=who, action=action)


def _declared(event: e.ActionsDeclared, name: Name) -> Sentence:
    """What somebody means to do."""
    who = name(event.actor)
    actions = joined(_to_do(each, name) for each in event.actions)
    if not event.actions:
        actions = say("no action")
    if event.group:
        declared = say(
            "{who}, with the group “{group}”, declared {actions} (position {seat})",
            who=who,
            group=event.group,
            actions=actions,
            seat=event.seat,
        )
    else:
        declared = say("{who} declared {actions} (position {seat})", who=who, actions=actions, seat=event.seat)
    return with_why(declared, event.intent)


def _to_do(action: Action, name: Name) -> Sentence:
    """A declared action with its dice, and which one it opposes."""
    what = purpose(action.id, action.tag, action.attribute, action.attack, name) or say("an action")
    opposed = called(action.opposed_to, None, None) if action.opposed_to is not None else None
    if opposed is not None:
        what = say("{action} against “{other}”", action=what, other=opposed)
    return say("{action} with {dice}", action=what, dice=dice(action.dice))
