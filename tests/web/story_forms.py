"""The pages of commands, made in the middle of recorded stories as their members would read them."""

from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID

from litestar import Request

from domain.campaign.secrecy.audience import GM
from domain.ids import AccountId, CampaignId
from projections.command_forms import CommandOffer
from services.accounts.authentication import Principal
from services.application import Application
from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story, StoryAction
from services.http.screen.commands.command_page import CommandEntry, CommandPage
from services.http.screen.commands.commands import CommandsPage, list_page
from services.http.screen.commands.form_entries import Entries
from services.http.screen.commands.play_table import PlayTable, play_table
from services.http.screen.shared.page_responses import Here
from services.http.screen.shared.templates import render_template
from services.http.screen.shared.visitor import Visit, Visitor
from services.runtime.reader_language import begin_reading
from tests.stories.memory_service import memory_service
from tests.stories.played_story import SEED


class Reading(NamedTuple):
    """A member at a moment of a story."""

    nth: int
    application: Application
    campaign: str
    account: AccountId
    portal: Any
    language: str

    def table(self) -> PlayTable:
        """The campaign as the member sees it."""
        found: PlayTable = self.portal.call(self._in_language, play_table, self._visit)
        return found

    def listed(self, character: str | None = None, *, with_refused: bool = False) -> CommandsPage:
        """The page of what can be done."""
        page: CommandsPage = self.portal.call(self._in_language, list_page, self.table(), character, with_refused)
        return page

    def offers(self) -> list[CommandOffer]:
        """Every command, with whether it may be given."""
        view = self.portal.call(self._in_language, self.application.possible.all, self.table().campaign, None)
        return [*view.commands]

    def form(self, command: str, entries: Entries, *, sent: bool = False) -> CommandPage:
        """The page of a command."""
        page: CommandPage = self.portal.call(self._in_language, self._form, command, entries, sent)
        return page

    def html(self, page: Any) -> str:
        """A page as it is sent."""
        return render_template(page.template, self.language, page=page, here=Here("/", "Ana"))

    @property
    def _visit(self) -> Visit:
        scope: Any = {"type": "http", "path_params": {"campaign": self.campaign}}
        reader = Principal(UUID(int=0), self.account, "Ana", self.language)
        return Visit(self.application, Request(scope), Visitor(reader))

    async def _form(self, command: str, entries: Entries, sent: bool) -> CommandPage:
        table = await play_table(self._visit)
        return await CommandEntry(table, table.kind(command), entries, is_sent=sent).page()

    async def _in_language(self, call: Any, *said: Any) -> Any:
        begin_reading(self.language)
        return await call(*said)


def readings(story: str, every: int, languages: tuple[str, ...] = ("en",)) -> Iterator[Reading]:
    """Each member of a story's campaign, after every so many of its actions."""
    with memory_service(SEED) as client, client.portal() as portal:
        application = client.app.state.application
        played = Story(recording_of(story), client, suffix=f" of {story.replace('_', ' ')}", wait_seconds_max=0)
        nth = 0
        for happening in played.play():
            if not isinstance(happening, StoryAction) or happening.code is not None:
                continue
            campaign = played.campaign_id
            portal.call(application.handler.run_due, CampaignId(UUID(campaign)), 0, [])
            nth += 1
            if nth % every:
                continue
            for account in portal.call(_members, application, CampaignId(UUID(campaign))):
                for language in languages:
                    yield Reading(nth, application, campaign, account, portal, language)


async def _members(application: Application, campaign: CampaignId) -> list[AccountId]:
    head = await application.log.head(campaign)
    assert head is not None
    return [*(await application.states.at(campaign, GM, head.seq)).members]
