"""What somebody was told of something hidden when it entered, told anew where its past is another one by now.

An entering tells how something stood, so people go by a copy. Whatever is undone, redone or revealed of its past
afterwards would change the campaign and not the copy. So what each audience goes by is looked at beside what it
would go by if every entering had told of the past as it is now, and where the two differ it is told once more:
neither more nor less than that, whatever else has happened to it hidden since.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.campaign.commands import EnterPlay
from domain.campaign.events import Hidden
from domain.campaign.evolve import evolve, evolve_all
from domain.campaign.history.redecide import PastAction
from domain.campaign.secrecy.audience import TABLE, Audience, is_revealed, may_see
from domain.campaign.secrecy.entrance import entered, put_right, things_named, told_in
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import freeze, thaw
from domain.ids import AccountId, ActionId


class Entering(Struct, frozen=True):
    """An action that tells those of `visibility` how a subject stands.

    `shown_by` is who brought it into play by it; None: it was in play, and is only told anew.
    """

    action_id: ActionId
    command: EnterPlay
    events: list[Any]
    visibility: str
    shown_by: AccountId | None = None


class Reader:
    """What one audience goes by (`told`), and what it would if all had been told as it is now (`would`)."""

    def __init__(self, audience: Audience, told: CampaignState) -> None:
        self.audience = audience
        self.told = told
        self.would = thaw(freeze(told))

    def take(self, read: Sequence[Any], again: Sequence[Any], *, stands: bool) -> None:
        """Let an action happen as it is read, and as it would be read `again`."""
        self.told = evolve_all(self.told, read, stands=stands)
        self.would = evolve_all(self.would, again, stands=stands)

    def wrong(self, subject: str) -> list[Any]:
        """The events that would put right what they go by; none where it is right."""
        return put_right(entered(self.would, subject), entered(self.told, subject))


class Retelling:
    """What has to be told anew once actions were undone, redone or revealed.

    It begins before all of them: `truth` is the campaign there, `told` what each audience but the GMs knows of it.
    `gone` is what is struck in the end, `revealed` what is open. Every later action is handed to `take`, in order.
    `new_id` gives ids that tell nothing: what is told to some alone shows to others as a placeholder with its id.
    """

    def __init__(
        self,
        truth: CampaignState,
        told: Mapping[Audience, CampaignState],
        gone: Collection[ActionId],
        revealed: Collection[ActionId],
        new_id: Callable[[], UUID],
    ) -> None:
        self.truth = truth
        self.readers = [Reader(audience, state) for audience, state in sorted(told.items(), key=_widest_first)]
        self._gone, self._revealed = gone, revealed
        self._new_id = new_id
        self._subjects: dict[str, None] = {}

    def take(self, action: PastAction) -> None:
        """Let one more action happen: an entering as it was told, and as it would be told now."""
        stands = action.action_id not in self._gone
        again = self._again(action) if stands else action.events
        for reader in self.readers:
            read = [*self._read(action, reader.audience)]
            reader.take(read, read if again is action.events else again, stands=stands)
        self.truth = evolve_all(self.truth, action.events, stands=stands)

    def happen(self, facts: Sequence[tuple[Any, str]]) -> None:
        """Let what undoes, redoes or reveals happen to what everybody knows."""
        for event, visibility in facts:
            self.truth = evolve(self.truth, event)
            for reader in self.readers:
                read = [event if may_see(visibility, reader.audience) else Hidden()]
                reader.take(read, read, stands=True)

    def enterings(self) -> Iterator[Entering]:
        """What tells everybody anew whatever they would go by wrongly."""
        for reader in self.readers:
            visibility = "all" if reader.audience == TABLE else reader.audience.key
            for subject in self._subjects:
                if events := reader.wrong(subject):
                    anew = self._entering(subject, events, visibility)
                    self._happen(anew, told_only=True)
                    yield anew

    def first_enterings(self, subjects: Collection[str], shown_by: AccountId) -> Iterator[Entering]:
        """What tells everybody how those of the subjects stand that they know of now, and that never entered."""
        table = self.readers[0]
        for subject in sorted(subjects):
            if subject in self._subjects or not entered(table.told, subject):
                continue
            before = freeze(table.told)
            shown = self._entering(subject, entered(self._known_to(shown_by), subject), "all", shown_by)
            self._happen(shown)
            if freeze(table.told) != before:
                yield shown

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
                read = [event if may_see(entering.visibility, reader.audience) else Hidden()]
                reader.take(read, [] if told_only else read, stands=True)

    def _read(self, action: PastAction, audience: Audience) -> Iterator[Any]:
        for event, visibility in zip(action.events, action.visibilities, strict=True):
            is_read = may_see(visibility, audience) or is_revealed(action.action_id, event, self._revealed)
            yield event if is_read else Hidden()

    def _again(self, action: PastAction) -> list[Any]:
        """The events of an action, or, of an entering, what it would tell now.

        What was only told anew tells nothing there: it would not have been necessary.
        """
        if not action.brings_in or action.request is None:
            return action.events
        named = [action.request.command.subject, *things_named(msgspec.to_builtins(action.events))]
        self._subjects |= dict.fromkeys(named)
        if action.caused_by is not None:
            return []
        known = self.truth if action.actor is None else self._known_to(action.actor)
        for subject in named[:2]:  # what was asked for may have entered with its owner, whom the event names first
            events = entered(known, subject)
            if events and type(events[0]) is type(action.events[0]):
                return told_in(events, action.action_id)
        return action.events

    def _known_to(self, account: AccountId) -> CampaignState:
        """The campaign as somebody would know it who brings something into play."""
        if self.truth.members.get(account) == "gm":
            return self.truth
        own = (each.would for each in self.readers if each.audience == Audience(gm=False, account=account))
        return next(own, self.readers[0].would)


def _widest_first(known: tuple[Audience, CampaignState]) -> tuple[bool, bool, str]:
    audience, _ = known
    return audience != TABLE, audience.with_account is None, audience.key
