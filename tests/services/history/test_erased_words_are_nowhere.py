"""Random play of every system with random erasures: no erased word stands in any row, or in anything that is read.

Every text that somebody writes is a word of its own, so that none is equal to another's by chance. The play goes
on in a fork from its middle on, and is forked once more at its end.
"""

import asyncio
from collections import defaultdict
from typing import Any
from uuid import UUID

import msgspec
import pytest
from msgspec import structs

from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.recorded_action import PastAction
from domain.campaign.storage.snapshot import encode_state
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.personal_text import personal_paths
from domain.rejection import Rejection
from services.application import Application
from services.campaign.visible_campaign import PointInTime
from services.history.erase_texts import erase_action
from services.history.text_authors import FirstWords, TextSource
from services.history.undo import request_undo, undo_or_redo
from services.reading.chronicle import Filters, actions_page, events_page
from services.settings import Settings
from services.transfer.export_campaign import exported
from services.wiring.application import open_application
from services.workers.projector import Projector
from tests.domain.plays import PLAYS
from tests.engines import DICE_KEY, DatabaseUrls
from tests.sampling import slow_but
from tests.services.confession import tables_with
from tests.services.play_at_random import Campaign

pytestmark = pytest.mark.anyio

SEEDS = (1, 2)
"""In one, a request for an undo comes back; in the other, money moves by itself."""
ERASED_MIN = 5
"""Words in one play, or it would prove little."""


class Words(Campaign):
    """A campaign in which every text is a word of its own, and which knows where each was written."""

    def __init__(self, system: str, seed: int, application: Application) -> None:
        super().__init__(system, seed, [application])
        self.written: dict[ActionId, set[str]] = defaultdict(set)
        self.erased: dict[CampaignId, set[str]] = {self.id: set()}
        self._count = 0

    def word(self) -> str:
        self._count += 1
        return f"zibeline{self._count:04}"

    async def act(
        self,
        account: AccountId,
        command: Any,
        visibility: str = "all",
        dice: list[tuple[int, int]] | None = None,
        action_id: ActionId | None = None,
    ) -> bool:
        fields = {path[0] for path in personal_paths(type(command)) if len(path) == 1}
        written = {field: self.word() for field in fields if isinstance(getattr(command, field), str | None)}
        action_id = action_id or ActionId(self.application.entropy.new_id())
        if written and await super().act(
            account, structs.replace(command, **written), visibility, dice, action_id
        ):
            self.written[action_id] = {*written.values()}
            return True
        return await super().act(account, command, visibility, dice, action_id)

    async def has_second_thoughts(self) -> None:
        """Somebody asks for an undo, undoes or redoes something."""
        action, reason = self.chance.choice(await self.past()), self.word()
        who = self.chance.choice([self.gm, *self.players])
        undone = [*(await self.seen(self.gm)).state.undone]
        try:
            if undone and self.chance.random() < 0.5:
                wish: Any = RedoAction(self.chance.choice(undone), reason, cascade=True)
                answer = await undo_or_redo(self.application, self.id, self.gm, wish, None)
            elif self.chance.random() < 0.5:
                answer = await request_undo(self.application, self.id, who, action.action_id, reason)
            else:
                wish = UndoAction(action.action_id, reason, cascade=True)
                answer = await undo_or_redo(self.application, self.id, self.gm, wish, None)
        except Rejection:
            return
        self.written[ActionId(UUID(msgspec.json.decode(answer)["action_id"]))] = {reason}

    async def erase_something(self) -> None:
        """A GM erases the words of an action, or who wrote them does."""
        with_words = [action for action in await self.past() if self.written.get(action.action_id)]
        if with_words:
            await self.erase(self.chance.choice(with_words))

    async def erase(self, action: PastAction) -> None:
        who = self.gm if action.actor is None or self.chance.random() < 0.5 else action.actor
        try:
            gone = await erase_action(self.application.for_accounts, self.id, who, action.action_id)
        except Rejection:
            return
        if gone.texts:
            self.erased[self.id] |= self.written[action.action_id]

    async def go_on_elsewhere(self) -> None:
        before = self.erased[self.id]
        await super().go_on_elsewhere()
        self.erased[self.id] = {*before}

    async def store(self) -> None:
        """A worker stores what has happened."""
        handler = self.application.handler
        await Projector(self.application.log, self.application.views, handler).campaign(self.id)

    async def everything_read(self, campaign_id: CampaignId) -> str:
        """All that the GM and the first player read of a campaign, now and when half of it had happened."""
        application, parts = self.application, list[bytes]()
        for who in (self.gm, self.players[0]):
            now = await application.campaigns.see(campaign_id, who)
            then = await application.campaigns.see(campaign_id, who, PointInTime(seq=now.seq // 2))
            for seen in (now, then):
                parts.append(encode_state(seen.state))
                after: int | None = 0
                while after is not None:
                    page = await actions_page(application.log, application.views, seen, after, 500, Filters())
                    parts.append(msgspec.json.encode(page))
                    after = page.next_after
                after = 0
                while after is not None:
                    events = await events_page(application.log, seen, after, 500)
                    parts.append(msgspec.json.encode(events))
                    after = events.next_after
            parts += [piece async for piece in exported(application.for_transfer, now)]
        return b"\n".join(parts).decode()


async def left_over(
    system: str, seed: int, database: DatabaseUrls
) -> tuple[set[str], dict[str, list[str]], list[str]]:
    """The words that were erased in a play, the tables in which any is left, and those that are read."""
    settings = Settings(database_url=database.service, dice_key=DICE_KEY)
    async with open_application(settings) as application:
        play = Words(system, seed, application)
        await play.gather()
        async for nth in play.play():
            if nth % 3 == 0:
                await play.has_second_thoughts()
            if nth % 4 == 0:
                await play.erase_something()
            if nth % 10 == 0:
                await play.store()
            if nth == len(play.moves) // 2:
                await play.go_on_elsewhere()
        for action in [each for each in await play.past() if play.written.get(each.action_id)][::2]:
            await play.erase(action)
        await play.go_on_elsewhere()
        await play.store()
        read = [
            word
            for campaign_id, words in play.erased.items()
            for content in [await play.everything_read(campaign_id)]
            for word in words
            if word in content
        ]
        tables = {
            str(campaign_id): await asyncio.to_thread(tables_with, database, str(campaign_id), *words)
            for campaign_id, words in play.erased.items()
        }
        return set().union(*play.erased.values()), tables, read


@pytest.mark.parametrize("system", slow_but(PLAYS, "overdrive"))
@pytest.mark.parametrize("seed", slow_but(SEEDS, SEEDS[0]))
async def test_no_erased_word_is_anywhere(system, seed, database):
    erased, tables, read = await left_over(system, seed, database)
    assert len(erased) >= ERASED_MIN
    assert read == []
    assert [*tables.values()] == [[]] * len(tables)


@pytest.mark.slow
async def test_words_that_stay_in_what_happened_are_found(database, monkeypatch):
    """The control: what was asked for loses its words, and what came of it keeps them."""
    taken = FirstWords.take

    def of_the_command(words: FirstWords, row: StoredEvent) -> dict[str, TextSource]:
        sources = taken(words, row)
        return {place: source for place, source in sources.items() if not place.startswith("event.")}

    monkeypatch.setattr(FirstWords, "take", of_the_command)
    _, tables, read = await left_over("overdrive", SEEDS[0], database)
    assert read != []
    assert [*tables.values()] != [[]] * len(tables)
