"""A campaign as the pages to play on see it: what its reader may know, and what can be asked there."""

from typing import Any

from msgspec import Struct

from domain.campaign.dice.policy import DEFAULT, ORIGINS
from domain.offers.offers import commands_of
from domain.rejection import Rejection
from domain.sentences import say
from projections.possible_commands import CommandOffer
from services.api.paths import campaign_of
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.runtime.reader_language import prefer
from services.web.answers import own_path
from services.web.campaign_page import campaign_path, frame_of
from services.web.command_list import Ways
from services.web.visitor import Visitor


class PlayTable(Struct, frozen=True):
    """A campaign as its reader sees it, and what the pages here need besides."""

    application: Application
    seen: VisibleCampaign
    kinds: dict[str, type[Struct]]

    @property
    def path(self) -> str:
        """The campaign's path."""
        return campaign_path(self.seen)

    @property
    def frame(self) -> dict[str, Any]:
        """What every page of the campaign shows."""
        return frame_of(self.seen)

    @property
    def origins(self) -> str:
        """Whose dice count: `server`, `table` or `any`."""
        return str(self.seen.state.changed_settings.get(ORIGINS, DEFAULT))

    def ways(self, back: str) -> Ways:
        """Where commands are given from a page."""
        return Ways(self.path, back, self.seen.seq, self.origins != "table", self.origins != "server", self.kinds)

    def kind(self, command: str) -> type[Struct]:
        """The type of a command. Refuses `unknown_command`."""
        kind = self.kinds.get(command)
        if kind is None:
            raise Rejection("unknown_command", say("There is no such command in this campaign."))
        return kind

    def back(self, said: str) -> str:
        """A page of the campaign to go back to, as a browser says it; the list if it is none."""
        return own_path(said, within=self.path, otherwise=f"{self.path}/do")


async def play_table(application: Application, visitor: Visitor, campaign: str) -> PlayTable:
    """A campaign as the visitor may see it, which puts the whole page into one language.

    Raises `SignInFirst`, and refuses `campaign_not_found`.
    """
    account = visitor.signed_in.account_id
    seen = await application.campaigns.see(campaign_of(campaign), account, as_member=visitor.reads_as)
    prefer(seen.language)
    return table_of(application, seen)


def table_of(application: Application, seen: VisibleCampaign) -> PlayTable:
    """A campaign as it was seen, to play on."""
    kinds = {str(each.__struct_config__.tag): each for each in commands_of(seen.state)}
    return PlayTable(application, seen, kinds)


async def offers_of(table: PlayTable) -> dict[str, CommandOffer]:
    """Every command that there is, with whether it may be given now."""
    return {each.command: each for each in (await table.application.possible.all(table.seen, None)).commands}
