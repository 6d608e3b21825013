"""FREE/FALL's events as sentences.

Each sentence is a whole in one place, with its parts by name, so that it can be translated.
"""

from domain.sentences import Sentence, in_a_row, join_parts, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.entrance_events import (
    CharacterEntered,
    ClockEntered,
    GearEntered,
    HarmEntered,
    MachineEntered,
)
from domain.systems.freefall.state import Action
from domain.systems.freefall.tables import ATTRIBUTES
from domain.systems.freefall.term_words import CLASS_WORDS, HARMS, attribute_word, class_word
from projections.entrance_sentences import came
from projections.narration_tables import Name, about, on, tellers
from projections.systems.freefall import narration_harm, narration_recovery, narration_rolls
from projections.systems.freefall.narration_phrases import MODES, action_name, dice, purpose, with_cuts, with_why

TERMS = (CLASS_WORDS,)
"""Types whose values are translated as terms."""

GEAR_NAMED_MAX = 10
"""More gear that comes along is counted."""


def _class_defined(event: e.ClassDefined, _: Name) -> Sentence:
    if not event.specialties:
        return say("The class {class_} offers no specialties", class_=class_word(event.class_))
    return say(
        "The class {class_} offers {specialties}",
        class_=class_word(event.class_),
        specialties=join_parts(map(class_word, event.specialties)),
    )


def _created(event: e.CharacterCreated, name: Name) -> Sentence:
    made_of = in_a_row(
        say("{attribute} {value}", attribute=attribute_word(attribute), value=event.permanents.get(attribute, 0))
        for attribute in ATTRIBUTES
    )
    if event.player is None:
        sentence = say(
            "{who}, {class_}, entered the story: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            made_of=made_of,
        )
    else:
        sentence = say(
            "{who}, {class_}, entered the story, played by {player}: {made_of}",
            who=event.name,
            class_=class_word(event.class_),
            player=name(event.player),
            made_of=made_of,
        )
    if not event.specialties:
        return sentence
    return say(
        "{told}; specialties: {specialties}",
        told=sentence,
        specialties=join_parts(map(class_word, event.specialties)),
    )


def brings(event: e.CharacterAdopted) -> Sentence:
    """A character's belongings from another campaign: attributes, and gear."""
    made_of = in_a_row(
        say("{attribute} {value}", attribute=attribute_word(attribute), value=points.permanent)
        for attribute, points in event.sheet.attributes.items()
    )
    gear = [item.what.name for _, item in event.sheet.gear()]
    if not gear:
        return say("{made_of}, and no gear", made_of=made_of)
    if len(gear) > GEAR_NAMED_MAX:
        return say("{made_of}, and {n} pieces of gear", made_of=made_of, n=len(gear))
    return say("{made_of}, and gear: {gear}", made_of=made_of, gear=join_parts(gear))


def _adopted(event: e.CharacterAdopted, name: Name) -> Sentence:
    who, class_, brought = event.sheet.name, class_word(event.sheet.class_), brings(event)
    if event.sheet.player is None:
        return say(
            "{who}, {class_}, came over from another campaign: {brought}", who=who, class_=class_, brought=brought
        )
    return say(
        "{who}, {class_}, came over from another campaign, played by {player}: {brought}",
        who=who,
        class_=class_,
        player=name(event.sheet.player),
        brought=brought,
    )


def _permanent_changed(event: e.PermanentChanged, name: Name) -> Sentence:
    sentence = say(
        "{who} now has a permanent {attribute} of {value} ({change})",
        attribute=attribute_word(event.attribute),
        who=name(event.character),
        change=f"{event.change:+}",
        value=event.permanent_after,
    )
    return with_why(sentence, event.reason)


def _gear_added(event: e.GearAdded, who: str) -> Sentence:
    return with_why(say("{who} now has {item}", who=who, item=event.what.name), event.what.description or None)


def _ticked(event: e.ClockTicked, name: Name) -> Sentence:
    clock, filled, size = name(event.clock), event.filled_after, event.size
    if filled >= size:
        return say(
            "The clock “{clock}” moved to {filled} of {size} and is full",
            clock=clock,
            filled=filled,
            size=size,
        )
    return say("The clock “{clock}” moved to {filled} of {size}", clock=clock, filled=filled, size=size)


def _turn_started(event: e.TurnStarted, _: Name) -> Sentence:
    sentence = say("The turn begins for {who} with {dice}", who=event.name, dice=dice(event.dice_pool))
    if event.late is True:
        sentence = say("{who} joins the turn with {dice}", who=event.name, dice=dice(event.dice_pool))
    if not event.filled:
        return sentence
    return say_many("{told} ({n} harm slot filled)", "{told} ({n} harm slots filled)", event.filled, told=sentence)


def _declared(event: e.ActionsDeclared, name: Name) -> Sentence:
    who = name(event.actor)
    actions = join_parts(_to_do(action, name) for action in event.actions)
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
    """A declared action with its dice, and the action it opposes."""
    what = purpose(action.id, action.tag, action.attribute, action.attack, name) or say("an action")
    opposed = action_name(action.opposed_to, None, None) if action.opposed_to is not None else None
    if opposed is not None:
        what = say("{action} against “{other}”", action=what, other=opposed)
    return say("{action} with {dice}", action=what, dice=dice(action.dice))


def _ordered(event: e.ResolutionOrdered, name: Name) -> Sentence:
    order = in_a_row(map(name, event.order))
    if event.fixed_by_gm:
        return say("The GM set the order of resolution: {order}", order=order)
    return say("The last to declare acts first: {order}", order=order)


def _tn_named(event: e.TnNamed, name: Name) -> Sentence:
    who = name(event.actor)
    if event.tn is None:
        return say("The GM no longer calls for a roll from {who}", who=who)
    if event.action is None:
        return with_why(
            say("The GM calls for a roll from {who} against TN {tn}", who=who, tn=event.tn), event.situation
        )
    action = action_name(event.action, event.tag, event.attribute)
    if action is None:
        return say("The GM sets TN {tn} for an action of {who}", tn=event.tn, who=who)
    return say("The GM sets TN {tn} for an action of {who}: {action}", tn=event.tn, who=who, action=action)


def _abandoned(event: e.ActionAbandoned, name: Name) -> Sentence:
    dropped, who = action_name(event.action, event.tag, event.attribute), name(event.actor)
    if dropped is None:
        return say("{who} gave up an action", who=who)
    return say("{who} gave up an action: {action}", who=who, action=dropped)


def _negated(event: e.ActionNegated, name: Name) -> Sentence:
    dropped, who = action_name(event.action, event.tag, event.attribute), name(event.actor)
    negated = say("An action of {who} was negated", who=who)
    if dropped is not None:
        negated = say("An action of {who} ({action}) was negated", who=who, action=dropped)
    return with_why(negated, event.why)


TELL = tellers(
    on(e.ClassDefined, _class_defined),
    on(e.CharacterCreated, _created),
    on(e.CharacterAdopted, _adopted),
    on(e.CharacterAssigned, lambda _, __: ""),  # the campaign's own event says to whom
    on(CharacterEntered, lambda event, _: came(event.character.name, event.anew)),
    on(MachineEntered, lambda event, _: came(event.machine.name, event.anew)),
    about(
        GearEntered,
        lambda event, who: say("It turns out that {who} has {item}", who=who, item=event.what.what.name),
    ),
    about(
        HarmEntered,
        lambda event, who: say("It turns out that {who} has {harm}", who=who, harm=HARMS[event.harm.type]),
    ),
    on(
        ClockEntered,
        lambda event, _: say(
            "A clock comes to light: “{clock}”, at {filled} of {size}",
            clock=event.clock.name,
            filled=event.clock.filled,
            size=event.clock.size,
        ),
    ),
    on(e.PermanentChanged, _permanent_changed),
    about(e.GearAdded, _gear_added),
    on(
        e.GearEquipped,
        lambda event, name: with_cuts(
            say("{who} equipped {item}", who=name(event.character), item=name(event.item)), event.clamped
        ),
    ),
    on(
        e.GearUnequipped,
        lambda event, name: say("{who} unequipped {item}", who=name(event.character), item=name(event.item)),
    ),
    on(
        e.GearDiscarded,
        lambda event, name: say("{who} discarded {item}", who=name(event.character), item=name(event.item)),
    ),
    on(
        e.GearDescribed,
        lambda event, name: say(
            "{item} of {who}: {description}",
            item=name(event.item),
            who=name(event.character),
            description=event.description,
        ),
    ),
    on(
        e.MachineCreated,
        lambda event, _: say(
            "{machine} is ready: FRM {frm}, SYS {sys}",
            machine=event.name,
            frm=event.frm,
            sys=event.sys,
        ),
    ),
    on(
        e.MachineBoarded,
        lambda event, name: with_cuts(
            say("{who} took the controls of {machine}", who=name(event.character), machine=name(event.machine)),
            event.clamped,
        ),
    ),
    on(
        e.MachineLeft,
        lambda event, name: say(
            "{who} left the controls of {machine}", who=name(event.character), machine=name(event.machine)
        ),
    ),
    on(e.TimeModeChanged, lambda event, _: MODES[event.mode]),
    on(
        e.ClockOpened,
        lambda event, _: say("A clock was opened: “{clock}”, {size} segments", clock=event.name, size=event.size),
    ),
    on(e.ClockTicked, _ticked),
    on(e.ClockClosed, lambda event, name: say("The clock “{clock}” was closed", clock=name(event.clock))),
    on(e.TurnStarted, _turn_started),
    on(e.TurnEnded, lambda _, __: say("The turn ended")),
    on(e.ActionsDeclared, _declared),
    on(e.ResolutionOrdered, _ordered),
    on(e.TnNamed, _tn_named),
    on(e.ActionAbandoned, _abandoned),
    on(e.ActionNegated, _negated),
    *narration_rolls.TELL.items(),
    *narration_harm.TELL.items(),
    *narration_recovery.TELL.items(),
)
