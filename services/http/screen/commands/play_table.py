"""A campaign as the pages to play on see it: its reader's knowledge, and the questions that can be asked there."""

from typing import Any

from msgspec import Struct

from domain.campaign.dice.policy import DEFAULT, ORIGINS
from domain.offers.possible_commands import commands_of
from domain.rejection import Rejection
from domain.sentences import say
from projections.command_forms import CommandOffer
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.commands.command_list import Ways
from services.http.screen.shared.campaign_page import campaign_path, frame_of
from services.http.screen.shared.page_responses import own_path
from services.http.screen.shared.visitor import Visit, open_campaign
from services.reading.possible_commands import only_choices_of


class PlayTable(Struct, frozen=True):
    """A campaign as its reader sees it, and what the pages here need besides.

    `key_prefix` is what the keys of its forms begin with.
    """

    application: Application
    campaign: VisibleCampaign
    kinds: dict[str, type[Struct]]
    key_prefix: str

    @property
    def path(self) -> str:
        """The campaign's path."""
        return campaign_path(self.campaign)

    @property
    def frame(self) -> dict[str, Any]:
        """The parts that every page of the campaign shows."""
        return frame_of(self.campaign)

    @property
    def origins(self) -> str:
        """The source of dice that count: `server`, `table` or `any`."""
        return str(self.campaign.state.changed_settings.get(ORIGINS, DEFAULT))

    def ways(self, back: str) -> Ways:
        """Where commands are given from a page."""
        return Ways(
            self.path,
            back,
            self.key_prefix,
            self.origins != "table",
            self.origins != "server",
            self.kinds,
            only_choices_of(self.campaign),
        )

    def kind(self, command: str) -> type[Struct]:
        """The type of a command. Refuses `unknown_command`."""
        kind = self.kinds.get(command)
        if kind is None:
            raise Rejection("unknown_command", say("There is no such command in this campaign."))
        return kind

    def back(self, path: str) -> str:
        """A page of the campaign to go back to, as a browser says it; the list if it is none."""
        return own_path(path, within=self.path, otherwise=f"{self.path}/do")


async def play_table(visit: Visit) -> PlayTable:
    """A campaign as the visitor may see it, which puts the whole page into one language.

    Raises `SignInFirst`, and refuses `campaign_not_found`.
    """
    return table_of(visit.application, await open_campaign(visit))


def table_of(application: Application, campaign: VisibleCampaign, key_prefix: str | None = None) -> PlayTable:
    """A campaign to play on; the keys of its forms begin with `key_prefix`, else with a new one."""
    kinds = {str(kind.__struct_config__.tag): kind for kind in commands_of(campaign.state)}
    return PlayTable(application, campaign, kinds, key_prefix or str(application.entropy.new_id()))


async def offers_of(table: PlayTable) -> dict[str, CommandOffer]:
    """Every command that there is, with whether it may be given now; of its fields only that there are some."""
    view = await table.application.possible.all(table.campaign, None, choices=False)
    return {offer.command: offer for offer in view.commands}
