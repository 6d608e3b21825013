"""Past actions as sentences for one reader: on their own, or quoted by later actions about them.

A thing that was undone with the action that created it has no name in the current state: its first name is used.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct, structs

from domain.campaign.events import Hidden
from domain.campaign.history.undo import ActionToUndo
from domain.campaign.past_action import PastAction
from domain.campaign.secrecy.audience import Audience, is_revealed, may_see, without_secrets
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.subjects import is_born_in, subjects_in
from domain.ids import ActionId
from domain.sentences import in_a_row, say
from projections.campaign_words.narration_history import Quote, quotation, quoted_in, unquoted
from projections.narration import told
from services.ports.event_store import EventStore
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import by_action

Name = Callable[[Any], str]

UNDONE_LOOKED_AT_MAX = 500
"""Undone actions, the last ones, that are searched for the one that created a thing without a name."""

NAMELESS = frozenset(
    (
        "note",
        "timer",
        "entry",
        "roll",
        "test",
        "call",
        "turn",
        "scene",
        "session",
        "activity",
        "downtime",
        "action",
    )
)
"""Kinds of things that never have a name."""


class Telling(Struct, frozen=True):
    """What sentences about the past need: names, and quotes of other actions."""

    name: Name
    quote: Quote = unquoted


def as_read(action: PastAction, audience: Audience, state: CampaignState) -> list[Any]:
    """The events of an action, redacted for an audience; one placeholder for a hidden action."""
    if audience.gm:
        return action.events
    read = [
        without_secrets(event)
        if may_see(visibility, audience) or is_revealed(action.action_id, event, state.revealed)
        else Hidden()
        for event, visibility in zip(action.events, action.visibilities, strict=True)
    ]
    return read[:1] if isinstance(read[0], Hidden) else read


def told_of(action: PastAction, seen: VisibleCampaign, telling: Telling | None = None) -> list[str]:
    """A past action as sentences for its reader."""
    telling = telling or Telling(seen.name)
    return told(as_read(action, seen.audience, seen.state), telling.name, seen.language, telling.quote)


def why_it_goes(going: ActionToUndo, seen: VisibleCampaign) -> str | None:
    """What an action is about that goes, too, or else what its command would hear now."""
    if going.refusal is None:
        return None
    about = [quotation(told_of(each, seen), (), seen.language) or each.command for each in going.rests_on]
    if about:
        return seen.told(say("It rests on what goes: {what}", what=in_a_row(about, "; ")))
    return seen.told(going.refusal.message)


def telling_among(
    actions: Sequence[PastAction], audience: Audience, state: CampaignState, name: Name, language: str
) -> Telling:
    """Names and quotes for sentences about these actions, for one audience."""
    if not actions:
        return Telling(name)
    known = {action.action_id: action for action in actions}
    called = _named(name, actions, audience, state)

    def quote(action_id: ActionId) -> str | None:
        action = known.get(action_id)
        if action is None:
            return None
        read = as_read(action, audience, state)
        sentences = told([event for event in read if not isinstance(event, Hidden)], called, language)
        return quotation(sentences, _people(name, state), language)

    return Telling(called, quote)


def _people(name: Name, state: CampaignState) -> Iterator[str]:
    """The names of all present and former members of a campaign."""
    yield from map(name, (*state.members, *state.former_members))
    yield from state.imported_people.values()


async def telling(log: EventStore, seen: VisibleCampaign, events: Iterable[Any]) -> Telling:
    """Names and quotes for these events, which are redacted for the reader."""
    events = [*events]
    wanted = quoted_in(events)
    rows = await log.actions(seen.campaign_id, wanted) if wanted else []
    quoted = [past_action(each) for each in by_action(rows)]
    read = [event for action in quoted for event in as_read(action, seen.audience, seen.state)]
    births = await _births(log, seen, [*events, *read])
    name = _named(seen.name, births, seen.audience, seen.state)
    return telling_among(quoted, seen.audience, seen.state, name, seen.language)


async def _births(log: EventStore, seen: VisibleCampaign, events: list[Any]) -> list[PastAction]:
    """The undone actions that created the things in these events that have no name any more."""
    if not seen.state.undone:
        return []
    named = (each for each in subjects_in(events) if each.rpartition("-")[0] not in NAMELESS)
    unnamed = {each for each in named if seen.name(each) == each}
    undone = [*seen.state.undone][-UNDONE_LOOKED_AT_MAX:] if unnamed else []
    births = [action for action in undone if any(is_born_in(each, action) for each in unnamed)]
    rows = await log.actions(seen.campaign_id, births) if births else []
    return [past_action(each) for each in by_action(rows)]


def _named(name: Name, births: Sequence[PastAction], audience: Audience, state: CampaignState) -> Name:
    """`name`, extended by the names with which these actions created things."""
    if not births:
        return name
    known: dict[str, str] = {}

    def called(thing: Any) -> str:
        found = name(thing)
        if found != thing:
            return found
        if found not in known:
            made_in = (action for action in births if is_born_in(found, action.action_id))
            first = (_first_name(found, as_read(action, audience, state)) for action in made_in)
            known[found] = next(filter(None, first), found)
        return known[found]

    return called


def _first_name(thing: str, events: list[Any]) -> str | None:
    """The name of a thing in the event that created it."""
    for event in events:
        fields = structs.asdict(event)
        if thing in [each for each in fields.values() if isinstance(each, str)] and "name" in fields:
            return str(fields["name"])
    return None
