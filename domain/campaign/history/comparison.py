"""Compares what an old command brings on another state with what it brought then."""

import re
from collections import Counter
from typing import Any

import msgspec

from domain.campaign.commands import FollowHidden
from domain.campaign.events import DiceEpochEnded, DiceEpochStarted
from domain.campaign.history.redecide import OtherDiceWanted, decided_again
from domain.campaign.messages.history import DiceCameBack, RolledAgain
from domain.campaign.past_action import PastAction
from domain.campaign.state import CampaignState
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


def goes_otherwise(state: CampaignState, action: PastAction, follows: PastAction | None) -> PastAction | None:
    """Which of the two has another outcome on a state that accepts both for the same things; None: neither."""
    try:
        return other_than_before(state, action, follows)
    except Rejection:
        return None


def other_than_before(state: CampaignState, action: PastAction, follows: PastAction | None) -> PastAction | None:
    """Which of the two commands brings something else on the state; None: both bring the same.

    Raises what refuses the command, also where it is about something else.
    """
    if action.request is None or isinstance(action.request.command, FollowHidden):
        return None  # this code, or the reader, does not know what was asked
    try:
        events = decided_again(state, action)
    except OtherDiceWanted:
        return action
    before = action.events if follows is None else [*action.events, *follows.events]
    if _same_but_numbers(events, before):
        return None  # the usual case, and about the same things
    if events and rested_on(action.events) - subjects_in(events):
        raise other_subject()
    if _same(events, before):
        return None
    return action if follows is None or not _holds(events, action.events) else follows


def _same_but_numbers(first: list[Any], second: list[Any]) -> bool:
    """Whether two lists of events are alike to the byte, except for balances afterwards."""
    one, other = _encoder.encode(first), _encoder.encode(second)
    return one == other or _NUMBER_AFTER.sub(b"", one) == _NUMBER_AFTER.sub(b"", other)


def _same(first: list[Any], second: list[Any]) -> bool:
    """Whether two lists of events say the same.

    Ignored are balances after a change, second rolls, what the service says about its dice, and the order: the
    hidden part of an action comes last in it.
    """
    aside = RolledAgain | DiceCameBack | DiceEpochStarted | DiceEpochEnded
    one, other = ([event for event in events if not isinstance(event, aside)] for events in (first, second))
    return _in_any_order(one) == _in_any_order(other)


def _holds(events: list[Any], part: list[Any]) -> bool:
    """Whether all events of a part are among these."""
    return not Counter(_in_any_order(part)) - Counter(_in_any_order(events))


def facts_of(action: PastAction) -> list[bytes]:
    """What an action's events say, without its own id and the ids that it derived."""
    names = [str(action.action_id), *sorted(born_in(action.action_id, action.events))]
    facts = _in_any_order(action.events)
    for nth, name in enumerate(names):
        facts = [each.replace(name.encode(), b"its own %d" % nth) for each in facts]
    return sorted(facts)


def _in_any_order(events: list[Any]) -> list[bytes]:
    return sorted(_encoder.encode(_without_balances(_as_of_old(event))) for event in events)


def _as_of_old(event: Any) -> Any:
    """An event as plain data, without fields that older events of its kind lack."""
    later = getattr(event, "added_later", ())
    told = msgspec.to_builtins(event)
    return {key: value for key, value in told.items() if key not in later} if later else told


def _without_balances(value: Any) -> Any:
    """The same data without balances and without rulings."""
    if isinstance(value, dict):
        return {key: _without_balances(inner) for key, inner in value.items() if not _is_balance(key, value)}
    return [_without_balances(inner) for inner in value] if isinstance(value, list) else value


def _is_balance(key: str, fields: dict[str, Any]) -> bool:
    return key.endswith("_after") or key in STAMPS or (key == "left" and "amount" in fields)
