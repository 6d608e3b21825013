"""Healing and repairs of FREE/FALL as sentences, with their costs."""

from domain.sentences import Sentence, join_parts, number, say
from domain.systems.freefall import events as e
from domain.systems.freefall.term_words import attribute_word, needed
from projections.narration_tables import Name, about, on, tellers
from projections.systems.freefall.narration_phrases import MEANS, credits_of, dice, with_price


def _repair_started(event: e.RepairStarted, name: Name) -> Sentence:
    sentence = say("{fixer} took {item} in for repair", fixer=event.fixer, item=_of(event, name))
    return with_price(sentence, event.price, event.payer)


def _of(event: e.RepairStarted | e.RepairCancelled | e.GearRepaired | e.GearSelfRepaired, name: Name) -> Sentence:
    """An item with its owner's name; a machine has no owner."""
    if event.character is None:
        return say("{machine}", machine=name(event.item))
    return say("{item} of {who}", item=name(event.item), who=name(event.character))


def _requirement(event: e.RequirementRecorded, name: Name) -> Sentence:
    action = needed(event.action)
    if event.repair is not None:
        return say("The repair of {item} no longer needs: {action}", item=name(event.repair), action=action)
    method = name(event.treatment or "")
    return say("The treatment “{method}” no longer needs: {action}", method=method, action=action)


def _cleared(event: e.TemporaryHarmCleared, who: str) -> Sentence:
    pool = dice(event.pool_after)
    if event.by is None:
        return say("{who} recovered from a temporary harm and has {dice} again", who=who, dice=pool)
    return say(
        "{who} recovered from a temporary harm through {means} and has {dice} again",
        who=who,
        means=MEANS[event.by],
        dice=pool,
    )


def _credits(event: e.CreditsAwarded | e.CreditsCharged, _: Name) -> Sentence:
    crew = say("The crew") if event.crew is None else say("The crew “{crew}”", crew=event.crew)
    amount, balance = credits_of(event.amount), event.balance_after
    if isinstance(event, e.CreditsAwarded):
        return say(
            "{crew} earned {amount} ({reason}) and has {balance}",
            crew=crew,
            amount=amount,
            reason=event.reason,
            balance=number(balance),
        )
    if balance < 0:
        return say(
            "{crew} paid {amount} ({reason}) and owes {owed}",
            crew=crew,
            amount=amount,
            reason=event.reason,
            owed=number(-balance),
        )
    return say(
        "{crew} paid {amount} ({reason}) and has {left} left",
        crew=crew,
        amount=amount,
        reason=event.reason,
        left=balance,
    )


TELL = tellers(
    about(
        e.TreatmentStarted,
        lambda event, who: with_price(
            say("{who} began treatment: {method}", who=who, method=event.method), event.price, event.payer
        ),
    ),
    about(e.TreatmentCancelled, lambda _, who: say("The treatment of {who} was called off", who=who)),
    about(e.PermanentHarmRemoved, lambda _, who: say("{who} is rid of a permanent harm", who=who)),
    on(e.RepairStarted, _repair_started),
    on(e.RepairCancelled, lambda event, name: say("The repair of {item} was called off", item=_of(event, name))),
    on(e.GearRepaired, lambda event, name: say("{item} works again", item=_of(event, name))),
    on(e.GearSelfRepaired, lambda event, name: say("{item} works again without a repair", item=_of(event, name))),
    on(e.RequirementRecorded, _requirement),
    about(e.TemporaryHarmCleared, _cleared),
    on(
        e.RecoveryTaskOpened,
        lambda event, name: say(
            "The GM decides which temporary harm clears: {people}",
            people=join_parts(sorted(map(name, event.harms))),
        ),
    ),
    on(e.RecoveryTaskClosed, lambda _, __: say("No more temporary harm clears for now")),
    about(
        e.AttributeRestored,
        lambda event, who: say(
            "{who} recovered {n} {attribute} and has {current} of {most}",
            who=who,
            n=event.amount,
            attribute=attribute_word(event.attribute),
            current=event.current_after,
            most=event.max_current,
        ),
    ),
    on(
        e.MachineAttributeRestored,
        lambda event, name: say(
            "{machine} got {n} {attribute} back and has {current} of {most}",
            machine=name(event.machine),
            n=event.amount,
            attribute=attribute_word(event.attribute),
            current=event.current_after,
            most=event.permanent,
        ),
    ),
    on(e.MachineMended, lambda event, name: say("{machine} works again", machine=name(event.machine))),
    on(e.RegroupHeld, lambda _, __: say("The crew regrouped")),
    on(e.DowntimeStarted, lambda _, __: ""),  # the campaign's own event says so
    on(e.DowntimeEnded, lambda _, __: ""),
    on(e.CreditsAwarded, _credits),
    on(e.CreditsCharged, _credits),
)
