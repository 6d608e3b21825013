"""Past actions as sentences for one reader: on their own, or quoted by later actions about them.

A thing that was undone with the action that created it has no name in the current state: its first name is used.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from msgspec import Struct, structs

from domain.campaign.events import Hidden
from domain.campaign.history.undo import ActionToUndo
from domain.campaign.play.names import renameable
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import Audience, is_revealed, may_see, without_secrets
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.campaign.subjects import is_born_in, subjects_in
from domain.ids import ActionId, is_born, whole_action
from domain.sentences import in_a_row, say
from projections.campaign_words.narration_history import AboutAction, Quote, quotation, quoted_in, unquoted
from projections.narration import narrate
from services.campaign.visible_campaign import VisibleCampaign
from services.ports.event_store import EventStore
from services.reading.event_scan import by_action

Name = Callable[[Any], str]


class FormerNames(Struct, frozen=True):
    """The names that things had before, as a reader knows them."""

    by_thing: Mapping[str, Sequence[tuple[int, str]]] = {}
    """The names that each thing had, with the seq of the action that gave it the next one."""
    by_name: Mapping[str, str] = {}
    """The renamed things by their present names."""
    things: AbstractSet[str] = frozenset()
    """Everything with a name of its own; other things, such as tests, go by the name of one of these."""


NO_FORMER_NAMES = FormerNames()

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
    """The names and the quotes of other actions that sentences about the past need."""

    name: Name
    quote: Quote = unquoted
    former: FormerNames = NO_FORMER_NAMES

    def name_at(self, seq: int) -> Name:
        """Gives the names that things had at an event."""
        return names_at(self.name, self.former, seq)


def names_at(name: Name, former: FormerNames, seq: int) -> Name:
    """`name` as it was at an event: before a thing was renamed, it went by its former name."""
    if not former.by_thing:
        return name

    def name_then(thing: Any) -> str:
        bearer = (
            thing if thing in former.things or not is_born(str(thing)) else former.by_name.get(name(thing), thing)
        )
        before = (former_name for until, former_name in former.by_thing.get(bearer, ()) if seq < until)
        return next(before, None) or name(thing)

    return name_then


async def former_names(log: EventStore, campaign: VisibleCampaign) -> FormerNames:
    """The names that things had before, as the reader knows them."""
    names = campaign.state.former_names
    if not names:
        return NO_FORMER_NAMES
    action_ids = {whole_action(former.renamed_in) for own in names.values() for former in own}
    rows = await log.actions(campaign.campaign_id, sorted(action_ids))
    seqs = {action[0].action_id: action[0].seq for action in by_action(rows)}
    by_thing = {
        thing: [(seqs.get(whole_action(former.renamed_in), 0), former.name) for former in own]
        for thing, own in names.items()
    }
    return FormerNames(
        by_thing, {campaign.name(thing): thing for thing in names}, frozenset(renameable(campaign.state))
    )


def as_read(action: PastAction, audience: Audience, state: CampaignState) -> list[Any]:
    """The events of an action, redacted for an audience; one placeholder for a hidden action."""
    if audience.gm:
        return action.events
    visible_events = [
        without_secrets(event)
        if may_see(visibility, audience) or is_revealed(action.action_id, event, state.revealed)
        else Hidden()
        for event, visibility in zip(action.events, action.visibilities, strict=True)
    ]
    return visible_events[:1] if isinstance(visible_events[0], Hidden) else visible_events


def told_of(action: PastAction, campaign: VisibleCampaign, telling: Telling | None = None) -> list[str]:
    """A past action as sentences for its reader."""
    telling = telling or Telling(campaign.name)
    return narrate(
        as_read(action, campaign.audience, campaign.state),
        telling.name_at(action.first_seq),
        campaign.language,
        telling.quote,
    )


def why_it_goes(going: ActionToUndo, campaign: VisibleCampaign) -> str | None:
    """The subject of an action that goes, too, or else the answer that its command would get now."""
    if going.refusal is None:
        return None
    about = [
        quotation(told_of(action, campaign), (), campaign.language) or action.command for action in going.rests_on
    ]
    if about:
        return campaign.text_of(say("It rests on what goes: {what}", what=in_a_row(about, "; ")))
    return campaign.text_of(going.refusal.message)


def telling_among(
    actions: Sequence[PastAction],
    audience: Audience,
    state: CampaignState,
    name: Name,
    language: str,
    former: FormerNames = NO_FORMER_NAMES,
) -> Telling:
    """Names and quotes for sentences about these actions, for one audience."""
    if not actions:
        return Telling(name, former=former)
    by_id = {action.action_id: action for action in actions}
    name_of = _extend_names(name, actions, audience, state)

    def quote(action_id: ActionId) -> str | None:
        action = by_id.get(action_id)
        if action is None:
            return None
        visible_events = as_read(action, audience, state)
        sentences = narrate(
            [event for event in visible_events if not isinstance(event, Hidden)],
            names_at(name_of, former, action.first_seq),
            language,
        )
        return quotation(sentences, _people(name, state), language)

    return Telling(name_of, quote, former)


def _people(name: Name, state: CampaignState) -> Iterator[str]:
    """The names of all present and former members of a campaign."""
    yield from map(name, (*state.members, *state.former_members))
    yield from state.imported_people.values()


async def telling(log: EventStore, campaign: VisibleCampaign, events: Iterable[Any]) -> Telling:
    """Names and quotes for these events, which are redacted for the reader."""
    events = [*events]
    action_ids = quoted_in(events)
    rows = await log.actions(campaign.campaign_id, action_ids) if action_ids else []
    quoted = [past_action(action_rows) for action_rows in by_action(rows)]
    visible_events = [event for action in quoted for event in as_read(action, campaign.audience, campaign.state)]
    told_by_themselves = (event for event in events if not isinstance(event, AboutAction))
    births = await _births(log, campaign, [*told_by_themselves, *visible_events])
    name = _extend_names(campaign.name, births, campaign.audience, campaign.state)
    former = await former_names(log, campaign)
    return telling_among(quoted, campaign.audience, campaign.state, name, campaign.language, former)


async def _births(log: EventStore, campaign: VisibleCampaign, events: list[Any]) -> list[PastAction]:
    """The undone actions that created the things in these events that have no name any more."""
    if not campaign.state.undone:
        return []
    subjects = (subject for subject in subjects_in(events) if subject.rpartition("-")[0] not in NAMELESS)
    unnamed = {subject for subject in subjects if campaign.name(subject) == subject}
    undone_ids = [*campaign.state.undone][-UNDONE_LOOKED_AT_MAX:] if unnamed else []
    births = [action for action in undone_ids if any(is_born_in(subject, action) for subject in unnamed)]
    rows = await log.actions(campaign.campaign_id, births) if births else []
    return [past_action(action_rows) for action_rows in by_action(rows)]


def _extend_names(name: Name, births: Sequence[PastAction], audience: Audience, state: CampaignState) -> Name:
    """`name`, extended by the names with which these actions created things."""
    if not births:
        return name
    names: dict[str, str] = {}

    def name_of(thing: Any) -> str:
        plain_name = name(thing)
        if plain_name != thing:
            return plain_name
        if plain_name not in names:
            made_in = (action for action in births if is_born_in(plain_name, action.action_id))
            first = (_first_name(plain_name, as_read(action, audience, state)) for action in made_in)
            names[plain_name] = next(filter(None, first), plain_name)
        return names[plain_name]

    return name_of


def _first_name(thing: str, events: list[Any]) -> str | None:
    """The name of a thing in the event that created it."""
    for event in events:
        fields = structs.asdict(event)
        if thing in [text for text in fields.values() if isinstance(text, str)] and "name" in fields:
            return str(fields["name"])
    return None
