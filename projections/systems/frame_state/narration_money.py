"""Frame State's missions and money as sentences."""

from typing import assert_never

from domain.sentences import Sentence, join_parts, number, say
from domain.systems.frame_state import events as e
from domain.systems.frame_state.term_words import money, name_of_key
from projections.narration_tables import Name, on, tellers


def _started(event: e.MissionStarted, name: Name) -> Sentence:
    pilots = join_parts(sorted(map(name, event.pilots)))
    return say("The mission “{mission}” began with {pilots}", mission=event.name, pilots=pilots)


def _concluded(event: e.MissionConcluded, name: Name) -> Sentence:
    sentence = say("The mission was concluded")
    if (mission_name := _mission_name(event.mission_id, name)) is not None:
        sentence = say("The mission “{mission}” was concluded", mission=mission_name)
    payouts = sorted((name(pilot), amount) for pilot, amount in event.payouts.items() if amount)
    if not payouts:
        return sentence
    payouts_in_words = join_parts(
        say("{amount} to {pilot}", amount=money(amount), pilot=pilot) for pilot, amount in payouts
    )
    return say("{concluded}, owing {payouts}", concluded=sentence, payouts=payouts_in_words)


def _awarded(event: e.CurrencyAwarded, name: Name) -> Sentence:
    if event.mission_id is None:
        return say(
            "{pilot} was paid {amount} ({reason}) and {balance}",
            pilot=name(event.pilot),
            amount=money(event.amount),
            reason=event.reason,
            balance=_balance(event.balance_after, gained=True),
        )
    return say(
        "{pilot} was paid {amount} for {mission} and {balance}",
        pilot=name(event.pilot),
        amount=money(event.amount),
        mission=_mission(event.mission_id, name),
        balance=_balance(event.balance_after, gained=True),
    )


def _charged(event: e.CurrencyCharged, name: Name) -> Sentence:
    pilot, balance = name(event.pilot), _balance(event.balance_after)
    if event.mission_id is None:
        return say(
            "{pilot} was charged {amount} ({reason}) and {balance}",
            pilot=pilot,
            amount=money(event.amount),
            reason=event.reason,
            balance=balance,
        )
    return say(
        "{pilot} was charged {amount} for the costs of {mission} and {balance}",
        pilot=pilot,
        amount=money(event.amount),
        mission=_mission(event.mission_id, name),
        balance=balance,
    )


def _spent(event: e.CurrencySpent, name: Name) -> Sentence:
    pockets = [money(event.amount)] if event.amount or not event.credit_used else []
    if event.credit_used:
        pockets.append(say("{amount} of salvage", amount=money(event.credit_used)))
    return say(
        "{pilot} paid {pockets} for {bought} and {balance}",
        pilot=name(event.pilot),
        pockets=join_parts(pockets),
        bought=_bought(event),
        balance=_balance(event.balance_after),
    )


def _bought(event: e.CurrencySpent) -> Sentence:
    """An advance or a refit of a category, or a frame."""
    category = name_of_key(event.category) if event.category is not None else None
    match event.reason:
        case "advancement":
            return say("an advance") if category is None else say("an advance of {category}", category=category)
        case "refit":
            return say("a refit") if category is None else say("a refit of {category}", category=category)
        case "new_frame":
            return say("a new frame")
        case _:
            assert_never(event.reason)


def _balance(amount: int, *, gained: bool = False) -> Sentence:
    """The new balance: gained, left or owed."""
    if amount < 0:
        return say("owes {debt}", debt=number(-amount))
    return (
        say("has {amount}", amount=number(amount)) if gained else say("has {amount} left", amount=number(amount))
    )


def _mission_name(mission_id: str, name: Name) -> str | None:
    """The name of a mission; an old one may have none any more."""
    mission_name = name(mission_id)
    return None if mission_name == mission_id else mission_name


def _mission(mission_id: str, name: Name) -> Sentence:
    mission_name = _mission_name(mission_id, name)
    return say("the mission") if mission_name is None else say("the mission “{mission}”", mission=mission_name)


TELL = tellers(
    on(e.MissionStarted, _started),
    on(e.MissionConcluded, _concluded),
    on(e.CurrencyAwarded, _awarded),
    on(e.CurrencyCharged, _charged),
    on(e.CurrencySpent, _spent),
    on(e.CurrencyMoved, lambda _, __: ""),  # the campaign tells who gave what to whom
)
