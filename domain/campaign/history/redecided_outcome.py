"""Compares what an old command would do on another state with what it did."""

import re
from collections import Counter
from typing import Any

import msgspec

from domain.campaign.commands import FollowHidden
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted
from domain.campaign.events import DiceEpochEnded, DiceEpochStarted
from domain.campaign.history.redecide import decided_again
from domain.campaign.messages.undo import DiceCameBack, RolledAgain
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import erase_in
from domain.campaign.subjects import born_in, rested_on, subjects_in
from domain.rejection import Rejection
from domain.sentences import say

STAMPS = frozenset({"rulings"})
"""Fields that say which rulings applied; older events do not have them."""

_NUMBER_AFTER = re.compile(rb'"[a-z_]+_after":-?[0-9]+')
_encoder = msgspec.json.Encoder(order="sorted")


def other_subject() -> Rejection:
    """The rejection of a command that would be about something else now."""
    return Rejection("other_subject", say("Without it, this would be about something else."))


def _other_result() -> Rejection:
    return Rejection("other_result", say("Without it, this would have another result."))


def goes_otherwise(state: CampaignState, action: PastAction, follows: PastAction | None) -> PastAction | None:
    """The one of two actions whose outcome would differ on this state; None if neither would, or it is refused."""
    try:
        return other_than_before(state, action, follows)
    except Rejection:
        return None


def other_than_before(state: CampaignState, action: PastAction, follows: PastAction | None) -> PastAction | None:
    """Which of the two commands brings something else on the state; None: both bring the same.

    Raises the command's refusal, also where it is about something else.
    """
    if action.request is None or isinstance(action.request.command, FollowHidden):
        return None  # this code, or the reader, does not know the command
    before = action.events if follows is None else [*action.events, *follows.events]
    try:
        events = decided_again(state, action)
    except OtherDiceWanted:
        if _verdicts(before):
            raise _other_result() from None  # these dice alone settled the matter
        return action
    if _same_but_numbers(events, before):
        return None  # the usual case, and about the same things
    if events and rested_on(action.events) - subjects_in(events):
        raise other_subject()
    if _same(events, before):
        return None
    if follows is not None and _holds(events, action.events):
        return follows  # the open part is unchanged: only its hidden consequence differs
    if _other_amounts(events, before):
        raise Rejection("other_amount", say("Without it, another amount would be carried over or paid from."))
    if _verdicts(before) - _verdicts(events):
        raise _other_result()
    return action


def _same_but_numbers(first: list[Any], second: list[Any]) -> bool:
    """Whether two lists of events are alike to the byte, except for balances afterwards."""
    one, other = _encoder.encode(first), _encoder.encode(second)
    return one == other or _NUMBER_AFTER.sub(b"", one) == _NUMBER_AFTER.sub(b"", other)


def _same(first: list[Any], second: list[Any]) -> bool:
    """Whether two lists of events say the same.

    Ignored are balances after a change, second rolls, the service's notes about its dice, personal texts, which
    may have been erased meanwhile, and the order: the hidden part of an action comes last in it.
    """
    aside = RolledAgain | DiceCameBack | DiceEpochStarted | DiceEpochEnded
    one, other = ([event for event in events if not isinstance(event, aside)] for events in (first, second))
    return _in_any_order(one) == _in_any_order(other)


def _other_amounts(events: list[Any], before: list[Any]) -> bool:
    """Whether an amount that follows from the state is another one now, or more was drawn than there is now.

    If it stood, things no longer paid for would be kept.
    """
    now, then = _amounts(events, "derived"), _amounts(before, "derived")
    drawn_now, drawn_then = _amounts(events, "drawn"), _amounts(before, "drawn")
    return now != then or any(drawn_now[what] < amount for what, amount in drawn_then.items())


def _amounts(events: list[Any], which: str) -> Counter[tuple[type, str]]:
    """The sums of these event fields, by kind of event and field; `which` says where an event names them."""
    amounts = Counter[tuple[type, str]]()
    for event in events:
        for field in getattr(event, which, ()):
            amounts[type(event), field] += getattr(event, field) or 0  # unset in old logs
    return amounts


def _verdicts(events: list[Any]) -> Counter[tuple[type, str, bytes]]:
    """The facts that events settle for good, by kind of event and field."""
    return Counter(
        (type(event), field, _encoder.encode(getattr(event, field)))
        for event in events
        for field in getattr(event, "verdict", ())
    )


def _holds(events: list[Any], part: list[Any]) -> bool:
    """Whether all events of a part are among these."""
    return not Counter(_in_any_order(part)) - Counter(_in_any_order(events))


def facts_of(action: PastAction) -> list[bytes]:
    """The content of an action's events, without its own id and the ids that it derived."""
    names = [str(action.action_id), *sorted(born_in(action.action_id, action.events))]
    facts = _in_any_order(action.events)
    for nth, name in enumerate(names):
        facts = [fact.replace(name.encode(), b"its own %d" % nth) for fact in facts]
    return sorted(facts)


def _in_any_order(events: list[Any]) -> list[bytes]:
    return sorted(_encoder.encode(_without_balances(_as_of_old(event))) for event in events)


def _as_of_old(event: Any) -> Any:
    """An event as plain data, without the words of its personal texts and fields that older events lack."""
    later = getattr(event, "added_later", ())
    plain = msgspec.to_builtins(event)
    erase_in(plain)
    return {key: value for key, value in plain.items() if key not in later} if later else plain


def _without_balances(value: Any) -> Any:
    """The same data without balances and without rulings."""
    if isinstance(value, dict):
        return {key: _without_balances(inner) for key, inner in value.items() if not _is_balance(key, value)}
    return [_without_balances(inner) for inner in value] if isinstance(value, list) else value


def _is_balance(key: str, fields: dict[str, Any]) -> bool:
    return key.endswith("_after") or key in STAMPS or (key == "left" and "amount" in fields)
