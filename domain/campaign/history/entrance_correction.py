"""Corrects an audience's copy of a thing that entered play, after the thing's past has changed.

The event of an entry says how something was, and readers keep that copy. An undo, redo or reveal of its past
afterwards changes the campaign but not the copy. So each audience's state is compared with the state it would
have if every entry had told of the past as it is now; where they differ, the thing is told again, and no more
than that.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign.commands import EnterPlay
from domain.campaign.events import Hidden
from domain.campaign.evolve import evolve, evolve_all
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import TABLE, Audience, is_revealed, may_see
from domain.campaign.secrecy.entrance import entrance_events, put_right, things_named, told_in
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import AccountId, ActionId


class Entering(Struct, frozen=True):
    """An action that tells the readers of `visibility` how a subject is.

    `shown_by` brought it into play; None: it was in play, and is only told again.
    """

    action_id: ActionId
    command: EnterPlay
    events: list[Any]
    visibility: str
    shown_by: AccountId | None = None


class Reader:
    """One audience's knowledge (`state`), and the same if every entry had told of the present past (`would`)."""

    def __init__(self, audience: Audience, state: CampaignState) -> None:
        self.audience = audience
        self.state = state
        self.would = decode_state(encode_state(state))

    def take(self, events: Sequence[Any], again: Sequence[Any], *, stands: bool) -> None:
        """Apply an action as it is read, and as it would be read `again`."""
        self.state = evolve_all(self.state, events, stands=stands)
        self.would = evolve_all(self.would, again, stands=stands)

    def wrong(self, subject: str) -> list[Any]:
        """The events that correct what the audience knows of the subject; none where it is right."""
        return put_right(entrance_events(self.would, subject), entrance_events(self.state, subject))


class Retelling:
    """Finds the things to correct after actions were undone, redone or revealed.

    It begins before all of them, with the campaign there (`truth`) and what each audience but the GMs knows of it
    (`states`). Every later action is passed to `take`, in order. `undone_ids` and `revealed_ids` are as they are
    in the end. `new_id` returns ids that tell nothing: an event for some readers shows to others as a placeholder
    with its id.
    """

    def __init__(
        self,
        truth: CampaignState,
        states: Mapping[Audience, CampaignState],
        undone_ids: Collection[ActionId],
        revealed_ids: Collection[ActionId],
        new_id: Callable[[], UUID],
    ) -> None:
        self.truth = truth
        self.readers = [Reader(audience, state) for audience, state in sorted(states.items(), key=_widest_first)]
        self._undone_ids, self._revealed_ids = undone_ids, revealed_ids
        self._new_id = new_id
        self._subjects: dict[str, None] = {}

    def take(self, action: PastAction) -> None:
        """Apply one more action: an entry as it was told, and as it would be told now."""
        stands = action.action_id not in self._undone_ids
        again = self._again(action) if stands else action.events
        for reader in self.readers:
            events = [*self._events_for(action, reader.audience)]
            reader.take(events, events if again is action.events else again, stands=stands)
        self.truth = evolve_all(self.truth, action.events, stands=stands)

    def happen(self, facts: Sequence[tuple[Any, str]]) -> None:
        """Apply the events of the undo, redo or reveal to the knowledge of every audience."""
        for event, visibility in facts:
            self.truth = evolve(self.truth, event)
            for reader in self.readers:
                events = [event if may_see(visibility, reader.audience) else Hidden()]
                reader.take(events, events, stands=True)

    def enterings(self) -> Iterator[Entering]:
        """The actions that correct what each audience knows."""
        for reader in self.readers:
            visibility = "all" if reader.audience == TABLE else reader.audience.key
            for subject in self._subjects:
                if events := reader.wrong(subject):
                    entering = self._entering(subject, events, visibility)
                    self._happen(entering, told_only=True)
                    yield entering

    def first_enterings(self, subjects: Collection[str], shown_by: AccountId) -> Iterator[Entering]:
        """The actions that first tell audiences how those of the subjects are that they know of now."""
        table = self.readers[0]
        for subject in sorted(subjects):
            if subject in self._subjects or not entrance_events(table.state, subject):
                continue
            before = encode_state(table.state)
            entering = self._entering(subject, entrance_events(self._known_to(shown_by), subject), "all", shown_by)
            self._happen(entering)
            if encode_state(table.state) != before:
                yield entering

    def _entering(
        self, subject: str, events: list[Any], visibility: str, shown_by: AccountId | None = None
    ) -> Entering:
        own_id = ActionId(self._new_id())
        events = told_in(events, own_id, anew=shown_by is None)
        return Entering(own_id, EnterPlay(subject), events, visibility, shown_by)

    def _happen(self, entering: Entering, *, told_only: bool = False) -> None:
        for event in entering.events:
            self.truth = evolve(self.truth, event)
            for reader in self.readers:
                events = [event if may_see(entering.visibility, reader.audience) else Hidden()]
                reader.take(events, [] if told_only else events, stands=True)

    def _events_for(self, action: PastAction, audience: Audience) -> Iterator[Any]:
        for event, visibility in zip(action.events, action.visibilities, strict=True):
            is_read = may_see(visibility, audience) or is_revealed(action.action_id, event, self._revealed_ids)
            yield event if is_read else Hidden()

    def _again(self, action: PastAction) -> list[Any]:
        """The events of an action or, for an entry, those that it would have now.

        An entry that only told something again would have none.
        """
        if not action.brings_in or action.request is None:
            return action.events
        subjects = [action.request.command.subject, *things_named(msgspec.to_builtins(action.events))]
        self._subjects |= dict.fromkeys(subjects)
        if action.caused_by is not None:
            return []
        state = self.truth if action.actor is None else self._known_to(action.actor)
        for subject in subjects[
            :2
        ]:  # the requested subject may have entered with its owner, whom the event names first
            events = entrance_events(state, subject)
            if events and type(events[0]) is type(action.events[0]):
                return told_in(events, action.action_id)
        return action.events

    def _known_to(self, account: AccountId) -> CampaignState:
        """The campaign as it is known to the account that brings something into play."""
        if self.truth.members.get(account) == "gm":
            return self.truth
        key = Audience(gm=False, account=self.truth.owner_of(account)).key
        own = (reader.would for reader in self.readers if reader.audience.key == key)
        return next(own, self.readers[0].would)


def _widest_first(pair: tuple[Audience, CampaignState]) -> tuple[bool, bool, str]:
    audience, _ = pair
    return audience != TABLE, audience.with_account is None, audience.key
