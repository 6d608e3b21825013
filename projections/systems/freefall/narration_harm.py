"""Harm of FREE/FALL in words, how it heals, and what that costs."""

from typing import assert_never

from domain.sentences import Sentence, joined, say, say_many
from domain.systems.freefall import events as e
from domain.systems.freefall.tables import MACHINE_MATCHING
from domain.systems.freefall.terms import HARMS, attribute_word, needed
from projections.systems.freefall.narration_terms import (
    MEANS,
    Name,
    credits_of,
    dice,
    levels,
    with_binding,
    with_price,
)


def tell(event: e.HarmEvent | e.RecoveryEvent, name: Name) -> Sentence | str:
    """Harm, and what comes after it."""
    match event:
        case e.HarmCalled() | e.HarmWithdrawn() | e.HarmSuffered() | e.AttributeSpent():
            return _coming(event, name)
        case (
            e.HarmMarked()
            | e.HarmMadePermanent()
            | e.GearBroken()
            | e.GearFaulted()
            | e.CharacterOusted()
            | e.CharacterFateDecided()
            | e.HarmConsequenceWritten()
        ):
            return _taken(event, name)
        case e.MachineHarmSuffered() | e.MachineAttributeSpent() | e.MachineBroken():
            return _machine(event, name)
        case (
            e.TreatmentStarted()
            | e.TreatmentCancelled()
            | e.PermanentHarmRemoved()
            | e.RepairStarted()
            | e.RepairCancelled()
            | e.GearRepaired()
            | e.GearSelfRepaired()
            | e.RequirementRecorded()
        ):
            return _work(event, name)
        case _:
            return _recovery(event, name)


def _coming(event: e.HarmCalled | e.HarmWithdrawn | e.HarmSuffered | e.AttributeSpent, name: Name) -> Sentence:
    """Harm on its way, and what stops some of it."""
    who = name(event.character)
    match event:
        case e.HarmCalled():
            harm = levels(event.levels, event.harm_type)
            faces = say("{who} has to resolve {harm}", who=who, harm=harm)
            if event.machine is not None:
                machine = name(event.machine)
                faces = say(
                    "{who} has to allocate {harm}: {machine} or {who}", who=who, harm=harm, machine=machine
                )
                if event.harm_type not in MACHINE_MATCHING:
                    faces = say(
                        "{who} has to resolve {harm}, which {machine} cannot take",
                        who=who,
                        harm=harm,
                        machine=machine,
                    )
            return (
                say("{told}. One more permanent harm ousts {who}", told=faces, who=who)
                if event.will_oust
                else faces
            )
        case e.HarmWithdrawn():
            return say("The harm to {who} was taken back", who=who)
        case e.HarmSuffered():
            harm = levels(event.levels, event.harm_type)
            if not event.av:
                return say("{who} suffered {harm}", who=who, harm=harm)
            return say(
                "{who} suffered {harm}; armour stopped {stopped} of {incoming}",
                who=who,
                harm=harm,
                stopped=max(0, event.incoming - event.levels),
                incoming=event.incoming,
            )
        case e.AttributeSpent():
            attribute, n, left = attribute_word(event.attribute), event.amount, event.current_after
            if event.purpose == "prerequisite":
                return say(
                    "{who} spent {n} {attribute} to attempt an action and has {left} left",
                    who=who,
                    n=n,
                    attribute=attribute,
                    left=left,
                )
            return say(
                "{who} spent {n} {attribute} to mitigate harm and has {left} left",
                who=who,
                n=n,
                attribute=attribute,
                left=left,
            )
        case _:
            assert_never(event)


def _taken(
    event: e.HarmMarked
    | e.HarmMadePermanent
    | e.GearBroken
    | e.GearFaulted
    | e.CharacterOusted
    | e.CharacterFateDecided
    | e.HarmConsequenceWritten,
    name: Name,
) -> Sentence:
    """How a level was resolved, and what it leaves."""
    who = name(event.character)
    match event:
        case e.HarmMarked():
            return say(
                "{who} marked temporary {harm} in slot {slot}",
                who=who,
                harm=HARMS[event.harm_type],
                slot=event.slot,
            )
        case e.HarmMadePermanent():
            return say(
                "The {harm} of {who} in slot {slot} became permanent",
                harm=HARMS[event.harm_type],
                who=who,
                slot=event.slot,
            )
        case e.GearBroken():
            return with_binding(say("{item} of {who} is broken", item=name(event.item), who=who), event.kept)
        case e.GearFaulted():
            return with_binding(say("{item} of {who} is faulty", item=name(event.item), who=who), event.kept)
        case e.CharacterOusted():
            return say("{who} is ousted by a third permanent harm", who=who)
        case e.CharacterFateDecided():
            return say("{who} died", who=who) if event.fate == "dead" else say("{who} retired", who=who)
        case e.HarmConsequenceWritten():
            return say("Lasting consequence for {who}: {consequence}", who=who, consequence=event.consequence)
        case _:
            assert_never(event)


def _machine(event: e.MachineHarmSuffered | e.MachineAttributeSpent | e.MachineBroken, name: Name) -> Sentence:
    """What a machine takes."""
    machine = name(event.machine)
    match event:
        case e.MachineHarmSuffered():
            harm = levels(event.levels, event.harm_type)
            if not event.av:
                return say("{machine} was hit for {harm}", machine=machine, harm=harm)
            return say(
                "{machine} was hit for {harm}; its armour stopped {stopped} of {incoming}",
                machine=machine,
                harm=harm,
                stopped=max(0, event.incoming - event.levels),
                incoming=event.incoming,
            )
        case e.MachineAttributeSpent():
            attribute, left = attribute_word(event.attribute), event.current_after
            if event.purpose == "mitigation":
                return say_many(
                    "{machine} absorbed {n} level and has {left} {attribute} left",
                    "{machine} absorbed {n} levels and has {left} {attribute} left",
                    event.amount,
                    machine=machine,
                    attribute=attribute,
                    left=left,
                )
            return say(
                "{machine} spent {n} {attribute} for an action of its pilot and has {left} left",
                machine=machine,
                n=event.amount,
                attribute=attribute,
                left=left,
            )
        case e.MachineBroken():
            return with_binding(say("{machine} is broken", machine=machine), event.kept)
        case _:
            assert_never(event)


def _work(
    event: e.TreatmentStarted
    | e.TreatmentCancelled
    | e.PermanentHarmRemoved
    | e.RepairStarted
    | e.RepairCancelled
    | e.GearRepaired
    | e.GearSelfRepaired
    | e.RequirementRecorded,
    name: Name,
) -> Sentence:
    """Treatments and repairs."""
    match event:
        case e.TreatmentStarted():
            begun = say("{who} began treatment: {method}", who=name(event.character), method=event.method)
            return with_price(begun, event.price, event.payer)
        case e.TreatmentCancelled():
            return say("The treatment of {who} was called off", who=name(event.character))
        case e.PermanentHarmRemoved():
            return say("{who} is rid of a permanent harm", who=name(event.character))
        case e.RepairStarted():
            begun = say("{fixer} took {item} in for repair", fixer=event.fixer, item=_of(event, name))
            return with_price(begun, event.price, event.payer)
        case e.RepairCancelled():
            return say("The repair of {item} was called off", item=_of(event, name))
        case e.GearRepaired():
            return say("{item} works again", item=_of(event, name))
        case e.GearSelfRepaired():
            return say("{item} works again without a repair", item=_of(event, name))
        case e.RequirementRecorded():
            action = needed(event.action)
            if event.repair is not None:
                return say(
                    "The repair of {item} no longer needs: {action}", item=name(event.repair), action=action
                )
            method = name(event.treatment or "")
            return say("The treatment “{method}” no longer needs: {action}", method=method, action=action)
        case _:
            assert_never(event)


def _of(event: e.RepairStarted | e.RepairCancelled | e.GearRepaired | e.GearSelfRepaired, name: Name) -> Sentence:
    """An item, and whose it is; a machine is nobody's."""
    if event.character is None:
        return say("{machine}", machine=name(event.item))
    return say("{item} of {who}", item=name(event.item), who=name(event.character))


def _recovery(
    event: e.TemporaryHarmCleared
    | e.RecoveryTaskOpened
    | e.RecoveryTaskClosed
    | e.AttributeRestored
    | e.MachineAttributeRestored
    | e.MachineMended
    | e.RegroupHeld
    | e.DowntimeStarted
    | e.DowntimeEnded
    | e.CreditsAwarded
    | e.CreditsCharged,
    name: Name,
) -> Sentence | str:
    """What comes back, and the crew's money."""
    match event:
        case e.TemporaryHarmCleared():
            who, pool = name(event.character), dice(event.pool_after)
            if event.by is None:
                return say("{who} recovered from a temporary harm and has {dice} again", who=who, dice=pool)
            return say(
                "{who} recovered from a temporary harm through {means} and has {dice} again",
                who=who,
                means=MEANS[event.by],
                dice=pool,
            )
        case e.RecoveryTaskOpened():
            people = joined(sorted(map(name, event.harms)))
            return say("The GM decides which temporary harm clears: {people}", people=people)
        case e.RecoveryTaskClosed():
            return say("No more temporary harm clears for now")
        case e.AttributeRestored():
            return say(
                "{who} recovered {n} {attribute} and has {current} of {most}",
                who=name(event.character),
                n=event.amount,
                attribute=attribute_word(event.attribute),
                current=event.current_after,
                most=event.max_current,
            )
        case e.MachineAttributeRestored():
            return say(
                "{machine} got {n} {attribute} back and has {current} of {most}",
                machine=name(event.machine),
                n=event.amount,
                attribute=attribute_word(event.attribute),
                current=event.current_after,
                most=event.permanent,
            )
        case e.MachineMended():
            return say("{machine} works again", machine=name(event.machine))
        case e.RegroupHeld():
            return say("The crew regrouped")
        case e.DowntimeStarted() | e.DowntimeEnded():
            return ""  # the campaign's own event says so
        case e.CreditsAwarded() | e.CreditsCharged():
            return _credits(event)
        case _:
            assert_never(event)


def _credits(event: e.CreditsAwarded | e.CreditsCharged) -> Sentence:
    """What a crew earned or paid, and what it has."""
    crew = say("The crew") if event.crew is None else say("The crew “{crew}”", crew=event.crew)
    amount, left = credits_of(event.amount), event.balance_after
    if isinstance(event, e.CreditsAwarded):
        return say(
            "{crew} earned {amount} ({reason}) and has {balance}",
            crew=crew,
            amount=amount,
            reason=event.reason,
            balance=left,
        )
    if left < 0:
        return say(
            "{crew} paid {amount} ({reason}) and owes {owed}",
            crew=crew,
            amount=amount,
            reason=event.reason,
            owed=-left,
        )
    return say(
        "{crew} paid {amount} ({reason}) and has {left} left",
        crew=crew,
        amount=amount,
        reason=event.reason,
        left=left,
    )
