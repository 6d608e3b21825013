"""The news of a campaign for a webhook: never more than every member may read when it is sent.

Everything is made from the log at the moment of sending. So a text that was erased meanwhile is not in it, an
action that was undone says so, and a hidden action is told by its reveal.
"""

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import blake2b
from typing import Literal
from uuid import UUID, uuid5

import msgspec
from msgspec import UNSET, Struct, UnsetType, structs

from domain.campaign.events import ActionRevealed, Hidden
from domain.campaign.messages.next_session import NextSessionEvent
from domain.campaign.storage.event_codec import record_of
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId
from domain.lifecycle_events import SceneEnded, SceneStarted, SessionEnded, SessionStarted
from domain.recorded_event import RecordedEvent
from domain.rejection import Missing
from domain.sentences import Sentence, change_names
from domain.webhooks import Webhook, WebhookKind
from projections.campaign.chronicle import ActionEntry, listed
from projections.campaign.next_session import NextSessionView, next_session_view
from projections.campaign.pending_choices import choices_of
from projections.campaign.recap import Recap
from projections.discord import escape_name
from projections.languages import render
from projections.narration import sentences
from services.campaign.visible_campaign import VisibleCampaign
from services.reading.action_sentences import telling
from services.reading.chronicle import entries_of
from services.reading.live_feed_news import ending_within
from services.reading.names_in_answers import names_in
from services.reading.read_dependencies import Readers
from services.reading.records_and_recaps import retell_session

EVENTS_AT_ONCE = 50
SCENE_EVENTS_MAX = 1_000
"""So far back is the beginning of a scene looked for that ends."""
SCENE_LINES_MAX = 50
HASH_BYTES = 16

Say = Callable[[str | Sentence], str]


class SessionNews(Struct, frozen=True):
    """A play session that began, or that ended, with its recap."""

    change: Literal["began", "ended"]
    number: int
    title: str | None
    recap: Recap | None = None


class SceneNews(Struct, frozen=True):
    """A scene that began, or that ended, with what happened in it; `left_out` counts the lines beyond 50."""

    change: Literal["began", "ended"]
    title: str | None
    lines: list[str] = []
    left_out: int = 0


class WaitingNews(Struct, frozen=True):
    """An answer that the table waits for: in a sentence, from whom (null: from the game masters)."""

    sentence: str
    waits_for: AccountId | None
    waits_for_name: str | None


class WebhookItem(Struct, frozen=True, omit_defaults=True):
    """One piece of news. Besides the first three and `names` it has the fields of its kind alone."""

    id: UUID
    """The same in every repetition."""
    kind: WebhookKind
    seq: int
    """The last seq that it is about."""
    action: ActionEntry | UnsetType = UNSET
    session: SessionNews | UnsetType = UNSET
    scene: SceneNews | UnsetType = UNSET
    next_session: NextSessionView | UnsetType | None = UNSET
    """Of `dates`; null: none is proposed any more."""
    lines: list[str] | UnsetType = UNSET
    """Of `dates`: the action in sentences."""
    waiting: list[WaitingNews] | UnsetType = UNSET
    """Everything that the table waits for now."""
    names: dict[str, str] = {}
    """Those of the ids in it."""


class WebhookNews(Struct, frozen=True):
    """The news up to a seq. `waiting` is the hash of what the table waits for, as far as it is told."""

    campaign: VisibleCampaign
    upto: int
    items: list[WebhookItem]
    waiting: bytes

    def until(self, seq: int) -> "WebhookNews":
        """Only the news up to an earlier seq."""
        items = [item for item in self.items if item.seq <= seq and item.kind != "waiting"]
        return structs.replace(self, upto=seq, items=items)


async def webhook_news(parts: Readers, webhook: Webhook) -> WebhookNews:
    """The next news for a webhook; of a repetition, of the same events as before. Raises `campaign_not_found`."""
    campaign = await parts.campaigns.see_as_table(webhook.campaign_id)
    upto = campaign.seq if webhook.upto <= webhook.delivered else min(webhook.upto, campaign.seq)
    rows = await parts.log.tail(webhook.campaign_id, webhook.delivered, limit=EVENTS_AT_ONCE, upto=upto)
    reached = rows[-1].seq if rows else webhook.delivered
    items: list[WebhookItem] = []
    news = _News(parts, campaign, webhook)
    for action in await ending_within(parts.log, campaign, rows):
        ids = {item.id for item in items}
        items += [item for item in await news.of_action(action) if item.id not in ids]
    waiting = webhook.waiting
    if "waiting" in webhook.kinds and reached == campaign.seq:
        item, waiting = news.waiting(reached)
        if waiting != webhook.waiting:
            items.append(item)
    return WebhookNews(campaign, reached, items, waiting)


class _News:
    """Makes the news of one campaign for one webhook."""

    def __init__(self, parts: Readers, campaign: VisibleCampaign, webhook: Webhook) -> None:
        self._parts = parts
        self._campaign = campaign
        self._webhook = webhook
        self._is_plain = webhook.form == "json"
        self._in_words: Say = (
            partial(render, language=campaign.language) if self._is_plain else self._escape_and_render
        )

    def _escape_and_render(self, sentence: str | Sentence) -> str:
        """A sentence in which names are as Discord shows them unchanged."""
        escaped = change_names(sentence, escape_name)
        return render(escaped, self._campaign.language) if isinstance(escaped, Sentence) else str(escaped)

    async def of_action(self, rows: list[StoredEvent]) -> list[WebhookItem]:
        """The news of one action; none of one that not all members may read."""
        records = [self._campaign.as_read(record_of(row)) for row in rows]
        if records[0].command is None:
            return []
        items: list[WebhookItem] = []
        if records[0].action_id not in self._campaign.state.undone:
            for record in records:
                items += await self._of_event(record)
            if any(isinstance(record.event, NextSessionEvent) for record in records):
                items += await self._dates(records)
        if "actions" in self._webhook.kinds and (self._is_plain or not items):
            if not self._is_told_by_reveal(rows[0]):
                items.insert(0, await self._action(rows, records))
            items += await self._revealed(records)
        return [structs.replace(item, seq=records[-1].seq) for item in items]

    def _is_told_by_reveal(self, first: StoredEvent) -> bool:
        """Whether an action was hidden when it happened, and open since a later one, with which it is told."""
        return first.visibility != "all" and first.action_id in self._campaign.state.revealed

    async def _revealed(self, records: list[RecordedEvent]) -> list[WebhookItem]:
        """The actions that are open to everybody since this one: they were not told when they happened."""
        items: list[WebhookItem] = []
        for record in records:
            if isinstance(record.event, ActionRevealed):
                rows = await self._parts.log.action(self._webhook.campaign_id, record.event.action_id)
                open_records = [self._campaign.as_read(record_of(row)) for row in rows]
                if open_records and open_records[0].command is not None:
                    items.append(await self._action(rows, open_records))
        return items

    async def _of_event(self, record: RecordedEvent) -> list[WebhookItem]:
        event, kinds = record.event, self._webhook.kinds
        if "sessions" in kinds and isinstance(event, SessionStarted):
            return [self._item("sessions", record, session=SessionNews("began", event.number, self._title(event)))]
        if "sessions" in kinds and isinstance(event, SessionEnded):
            return [self._item("sessions", record, session=await self._session(event))]
        if "scenes" in kinds and isinstance(event, SceneStarted):
            title = self._campaign.state.later_titles.get(event.scene_id, event.name)
            return [self._item("scenes", record, scene=SceneNews("began", title))]
        if "scenes" in kinds and isinstance(event, SceneEnded):
            return [self._item("scenes", record, scene=await self._scene(event, record.seq))]
        return []

    def _title(self, event: SessionStarted) -> str | None:
        return self._campaign.state.later_titles.get(event.session_id, event.title)

    async def _session(self, event: SessionEnded) -> SessionNews:
        try:
            recap = await retell_session(self._parts, self._campaign, event.number, self._in_words)
        except Missing:  # its beginning was undone
            return SessionNews("ended", event.number, None)
        return SessionNews("ended", event.number, recap.session.title, recap)

    async def _scene(self, event: SceneEnded, seq: int) -> SceneNews:
        first = max(0, seq - SCENE_EVENTS_MAX)
        rows = await self._parts.log.tail(self._webhook.campaign_id, first, upto=seq - 1)
        records = [self._campaign.as_read(record_of(row)) for row in rows]
        begins = [
            place
            for place, record in enumerate(records)
            if isinstance(record.event, SceneStarted) and record.event.scene_id == event.scene_id
        ]
        if not begins:
            return SceneNews("ended", None)
        start = records[begins[-1]].event
        assert isinstance(start, SceneStarted)
        within = [
            record
            for record in records[begins[-1] + 1 :]
            if not isinstance(record.event, Hidden) and record.action_id not in self._campaign.state.undone
        ]
        lines = await self._lines(within)
        title = self._campaign.state.later_titles.get(start.scene_id, start.name)
        return SceneNews("ended", title, lines[:SCENE_LINES_MAX], max(0, len(lines) - SCENE_LINES_MAX))

    async def _dates(self, records: list[RecordedEvent]) -> list[WebhookItem]:
        if "dates" not in self._webhook.kinds:
            return []
        view = next_session_view(self._campaign.state)
        return [self._item("dates", records[0], next_session=view, lines=await self._lines(records))]

    async def _action(self, rows: list[StoredEvent], records: list[RecordedEvent]) -> WebhookItem:
        [entry] = await entries_of(self._parts.log, [rows], self._campaign)
        lines = UNSET if self._is_plain else await self._lines(records)
        return self._item("actions", records[0], action=listed(entry), lines=lines)

    async def _lines(self, records: Sequence[RecordedEvent]) -> list[str]:
        """The sentences of these events."""
        words = await telling(self._parts.log, self._campaign, [record.event for record in records])
        lines: list[str] = []
        for action in _by_action(records):
            name = words.name_at(action[0].seq)
            texts = sentences((record.event for record in action), name, words.quote)
            lines += [self._in_words(sentence) for sentence in texts]
        return lines

    def waiting(self, seq: int) -> tuple[WebhookItem, bytes]:
        """All of what the table waits for, and a hash of it."""
        campaign = self._campaign
        choices = choices_of(campaign.state, campaign.name, campaign.common, campaign.language, self._in_words)
        waiting = [
            WaitingNews(choice.told, choice.waits_for, choice.waits_for_name)
            for choice in choices
            if not choice.hidden
        ]
        content = blake2b(msgspec.json.encode(waiting), digest_size=HASH_BYTES).digest() if waiting else b""
        item_id = uuid5(self._webhook.webhook_id, f"waiting {seq}")
        return WebhookItem(item_id, "waiting", seq, waiting=waiting), content

    def _item(
        self,
        kind: WebhookKind,
        record: RecordedEvent,
        *,
        action: ActionEntry | UnsetType = UNSET,
        session: SessionNews | UnsetType = UNSET,
        scene: SceneNews | UnsetType = UNSET,
        next_session: NextSessionView | UnsetType | None = UNSET,
        lines: list[str] | UnsetType = UNSET,
    ) -> WebhookItem:
        place = f"{kind} {record.action_id} {record.seq}"
        item = WebhookItem(
            uuid5(self._webhook.webhook_id, place), kind, record.seq, action, session, scene, next_session, lines
        )
        return structs.replace(item, names=names_in(item, self._campaign)) if self._is_plain else item


def _by_action(records: Sequence[RecordedEvent]) -> list[list[RecordedEvent]]:
    actions: dict[ActionId, list[RecordedEvent]] = {}
    for record in records:
        actions.setdefault(record.action_id, []).append(record)
    return [*actions.values()]
