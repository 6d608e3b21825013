"""Harm of FREE/FALL as sentences: how it comes, who takes it, and what remains of it."""

from domain.sentences import Sentence, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.tables import MACHINE_MATCHING
from domain.systems.freefall.term_words import HARMS, attribute_word
from projections.narration_tables import Name, about, on, tellers
from projections.systems.freefall.narration_phrases import levels, with_binding


def _harm_called(event: e.HarmCalled, name: Name) -> Sentence:
    who, harm = name(event.character), levels(event.levels, event.harm_type)
    faces = say("{who} has to resolve {harm}", who=who, harm=harm)
    if event.machine is not None:
        machine = name(event.machine)
        faces = say("{who} has to allocate {harm}: {machine} or {who}", who=who, harm=harm, machine=machine)
        if event.harm_type not in MACHINE_MATCHING:
            faces = say(
                "{who} has to resolve {harm}, which {machine} cannot take",
                who=who,
                harm=harm,
                machine=machine,
            )
    return say("{told}. One more permanent harm ousts {who}", told=faces, who=who) if event.will_oust else faces


def _suffered(event: e.HarmSuffered, who: str) -> Sentence:
    """Suffered harm, and what armour stopped of it."""
    harm = levels(event.levels, event.harm_type)
    if not event.av or event.incoming <= event.levels:
        return say("{who} suffered {harm}", who=who, harm=harm)
    return say(
        "{who} suffered {harm}; armour stopped {stopped} of {incoming}",
        who=who,
        harm=harm,
        stopped=event.incoming - event.levels,
        incoming=event.incoming,
    )


def _spent(event: e.AttributeSpent, who: str) -> Sentence:
    attribute, n, rest = attribute_word(event.attribute), event.amount, event.current_after
    if event.purpose == "prerequisite":
        return say(
            "{who} spent {n} {attribute} to attempt an action and has {left} left",
            who=who,
            n=n,
            attribute=attribute,
            left=rest,
        )
    return say(
        "{who} spent {n} {attribute} to mitigate harm and has {left} left",
        who=who,
        n=n,
        attribute=attribute,
        left=rest,
    )


def _machine_suffered(event: e.MachineHarmSuffered, name: Name) -> Sentence:
    machine, harm = name(event.machine), levels(event.levels, event.harm_type)
    if not event.av or event.incoming <= event.levels:
        return say("{machine} was hit for {harm}", machine=machine, harm=harm)
    return say(
        "{machine} was hit for {harm}; its armour stopped {stopped} of {incoming}",
        machine=machine,
        harm=harm,
        stopped=event.incoming - event.levels,
        incoming=event.incoming,
    )


def _machine_spent(event: e.MachineAttributeSpent, name: Name) -> Sentence:
    machine, attribute, rest = name(event.machine), attribute_word(event.attribute), event.current_after
    if event.purpose == "mitigation":
        return say_many(
            "{machine} absorbed {n} level and has {left} {attribute} left",
            "{machine} absorbed {n} levels and has {left} {attribute} left",
            event.amount,
            machine=machine,
            attribute=attribute,
            left=rest,
        )
    return say(
        "{machine} spent {n} {attribute} for an action of its pilot and has {left} left",
        machine=machine,
        n=event.amount,
        attribute=attribute,
        left=rest,
    )


TELL = tellers(
    on(e.HarmCalled, _harm_called),
    about(e.HarmWithdrawn, lambda _, who: say("The harm to {who} was taken back", who=who)),
    about(e.HarmSuffered, _suffered),
    about(e.AttributeSpent, _spent),
    about(
        e.HarmMarked,
        lambda event, who: say(
            "{who} marked temporary {harm} in slot {slot}",
            who=who,
            harm=HARMS[event.harm_type],
            slot=event.slot,
        ),
    ),
    about(
        e.HarmMadePermanent,
        lambda event, who: say(
            "The {harm} of {who} in slot {slot} became permanent",
            harm=HARMS[event.harm_type],
            who=who,
            slot=event.slot,
        ),
    ),
    on(
        e.GearBroken,
        lambda event, name: with_binding(
            say("{item} of {who} is broken", item=name(event.item), who=name(event.character)), event.kept
        ),
    ),
    on(
        e.GearFaulted,
        lambda event, name: with_binding(
            say("{item} of {who} is faulty", item=name(event.item), who=name(event.character)), event.kept
        ),
    ),
    about(e.CharacterOusted, lambda _, who: say("{who} is ousted by a third permanent harm", who=who)),
    about(
        e.CharacterFateDecided,
        lambda event, who: say("{who} died", who=who) if event.fate == "dead" else say("{who} retired", who=who),
    ),
    about(
        e.HarmConsequenceWritten,
        lambda event, who: say(
            "Lasting consequence for {who}: {consequence}", who=who, consequence=event.consequence
        ),
    ),
    on(e.MachineHarmSuffered, _machine_suffered),
    on(e.MachineAttributeSpent, _machine_spent),
    on(
        e.MachineBroken,
        lambda event, name: with_binding(say("{machine} is broken", machine=name(event.machine)), event.kept),
    ),
)
