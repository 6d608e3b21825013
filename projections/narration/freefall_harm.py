"""Harm of FREE/FALL in words, how it heals, and what that costs."""

from typing import assert_never

from domain.sentences import Sentence, joined, say, term
from domain.systems.freefall import events as e
from domain.systems.freefall.words import HARMS, attribute_word, needed
from projections.narration.freefall_words import MEANS, Name, credits_of, dice, levels, with_price


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
            if event.machine is not None:
                harm = say("{harm} through {machine}", harm=harm, machine=name(event.machine))
            faces = say("{who} faces {harm} and has to choose", who=who, harm=harm)
            return say("{told}. One more permanent harm ends it", told=faces) if event.will_oust else faces
        case e.HarmWithdrawn():
            return say("{who} was spared after all", who=who)
        case e.HarmSuffered():
            harm = levels(event.levels, event.harm_type)
            if not event.av:
                return say("{who} suffered {harm}", who=who, harm=harm)
            return say(
                "{who} suffered {harm}, {av} of {incoming} stopped by armour",
                who=who,
                harm=harm,
                av=event.av,
                incoming=event.incoming,
            )
        case e.AttributeSpent():
            attribute, n, left = term(event.attribute), event.amount, event.current_after
            if event.purpose == "prerequisite":
                return say(
                    "{who} spent {n} {attribute} to push through and has {left} left",
                    who=who,
                    n=n,
                    attribute=attribute,
                    left=left,
                )
            return say(
                "{who} spent {n} {attribute} to shrug off harm and has {left} left",
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
            return say("{who} marked {harm} in slot {slot}", who=who, harm=HARMS[event.harm_type], slot=event.slot)
        case e.HarmMadePermanent():
            return say("The {harm} of {who} is permanent now", harm=HARMS[event.harm_type], who=who)
        case e.GearBroken():
            return say("{item} of {who} broke, and weighs as much as before", item=name(event.item), who=who)
        case e.GearFaulted():
            return say("{item} of {who} failed for now", item=name(event.item), who=who)
        case e.CharacterOusted():
            return say("{who} is ousted: three permanent harms are one too many", who=who)
        case e.CharacterFateDecided():
            return say("{who} died", who=who) if event.fate == "dead" else say("{who} retired", who=who)
        case e.HarmConsequenceWritten():
            return say("What {who} carries from now on: {consequence}", who=who, consequence=event.consequence)
        case _:
            assert_never(event)


def _machine(event: e.MachineHarmSuffered | e.MachineAttributeSpent | e.MachineBroken, name: Name) -> Sentence:
    """What a machine takes."""
    machine = name(event.machine)
    match event:
        case e.MachineHarmSuffered():
            harm = levels(event.levels, event.harm_type)
            if not event.av:
                return say("{machine} took {harm}", machine=machine, harm=harm)
            return say(
                "{machine} took {harm}, {av} of {incoming} stopped by its armour",
                machine=machine,
                harm=harm,
                av=event.av,
                incoming=event.incoming,
            )
        case e.MachineAttributeSpent():
            attribute, left = attribute_word(event.attribute), event.current_after
            if event.purpose == "mitigation":
                return say(
                    "{machine} absorbed a level; its {attribute} is down to {left}",
                    machine=machine,
                    attribute=attribute,
                    left=left,
                )
            return say(
                "{machine} was pushed; its {attribute} is down to {left}",
                machine=machine,
                attribute=attribute,
                left=left,
            )
        case e.MachineBroken():
            return say("{machine} is broken, and its pilot still wired to it", machine=machine)
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
            begun = say(
                "{fixer} took {item} of {who} in for repair",
                fixer=event.fixer,
                item=name(event.item),
                who=name(event.character),
            )
            return with_price(begun, event.price, event.payer)
        case e.RepairCancelled():
            return say("The repair of {item} was called off", item=name(event.item))
        case e.GearRepaired():
            return say("{item} of {who} works again", item=name(event.item), who=name(event.character))
        case e.GearSelfRepaired():
            return say(
                "{item} of {who} came back to life by itself", item=name(event.item), who=name(event.character)
            )
        case e.RequirementRecorded():
            action = needed(event.action)
            if event.repair is not None:
                return say("One thing less for the repair to wait for: {action}", action=action)
            return say("One thing less for the treatment to wait for: {action}", action=action)
        case _:
            assert_never(event)


def _recovery(
    event: e.TemporaryHarmCleared
    | e.RecoveryTaskOpened
    | e.RecoveryTaskClosed
    | e.AttributeRestored
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
                return say("{who} shook off a temporary harm and is back to {dice}", who=who, dice=pool)
            return say(
                "{who} shook off a temporary harm with {means} and is back to {dice}",
                who=who,
                means=MEANS[event.by],
                dice=pool,
            )
        case e.RecoveryTaskOpened():
            people = joined(sorted(map(name, event.harms)))
            return say("Time to breathe: the GM says which temporary harm clears ({people})", people=people)
        case e.RecoveryTaskClosed():
            return say("No more temporary harm clears for now")
        case e.AttributeRestored():
            return say(
                "{who} got {n} {attribute} back and has {current} of {most}",
                who=name(event.character),
                n=event.amount,
                attribute=term(event.attribute),
                current=event.current_after,
                most=event.max_current,
            )
        case e.RegroupHeld():
            return say("The crew regrouped")
        case e.DowntimeStarted() | e.DowntimeEnded():
            return ""  # the campaign's own event says so
        case e.CreditsAwarded():
            return say(
                "The crew made {amount} ({reason}) and has {balance}",
                amount=credits_of(event.amount),
                reason=event.reason,
                balance=event.balance_after,
            )
        case e.CreditsCharged():
            amount = credits_of(event.amount)
            if event.balance_after < 0:
                owed = -event.balance_after
                return say(
                    "The crew paid {amount} ({reason}) and owes {owed}",
                    amount=amount,
                    reason=event.reason,
                    owed=owed,
                )
            return say(
                "The crew paid {amount} ({reason}) and has {left} left",
                amount=amount,
                reason=event.reason,
                left=event.balance_after,
            )
        case _:
            assert_never(event)
