"""`/api/accounts/me/data`: the data kept about an account, as a file."""

from datetime import datetime
from typing import Literal

from litestar import Controller, Response, get
from litestar.di import NamedDependency
from msgspec import Struct

from domain.campaign.play.saved_rolls import SavedRoll
from domain.command_context import Role
from domain.ids import CampaignId
from projections.timestamps import moment
from services.accounts.own_account import You, describe_account
from services.http.api.caller import Caller
from services.http.api.openapi_roles import ACCOUNT
from services.http.middleware.time_limit import takes_long
from services.lifecycle.campaign_lists import DeletedCampaign, all_your_campaigns, all_your_deleted_campaigns
from services.runtime.base_path import base_path


class YourCalls(Struct, frozen=True):
    """Since when you are called on a device, by which push service, and whether calls say what waits."""

    since: str
    host: str
    with_words: bool


class YourSignIn(Struct, frozen=True):
    """A browser (`session`) or a program (`token`) that is signed in; `calls` if you are called there."""

    kind: Literal["session", "token"]
    label: str
    created_at: str
    last_used_at: str | None
    calls: YourCalls | None


class YourCampaign(Struct, frozen=True):
    """A campaign that you are in; `export` is the address of what you may see of it, as a file.

    `saved_rolls` are your own dice there.
    """

    campaign_id: CampaignId
    name: str
    your_role: Role
    systems: list[str]
    archived: bool
    export: str
    saved_rolls: list[SavedRoll]
    calendar_feed: str | None
    """When the address of your calendar feed was made."""


class YourData(Struct, frozen=True):
    """The data kept about an account. Its actions and texts are in the exports of its campaigns.

    `deleted_campaigns` are those that it can restore.
    """

    exported_at: str
    account: You
    created_at: str
    sign_ins: list[YourSignIn]
    campaigns: list[YourCampaign]
    deleted_campaigns: list[DeletedCampaign]


class AccountDataController(Controller):
    """An account's data."""

    path = "/api/accounts/me/data"
    tags = ("accounts",)

    @get("", summary="Your data as a file", operation_class=ACCOUNT, guards=[takes_long])
    async def data(self, caller: NamedDependency[Caller]) -> Response[YourData]:
        """The data kept about your account, except its password: a file to keep, or to take elsewhere.

        Your actions and texts are in the exports of your campaigns, whose addresses it has.
        """
        account = caller.account
        saved = await caller.application.saved_rolls.of_account(account)
        feeds = {
            campaign: made_at.isoformat()
            for campaign, made_at in (await caller.application.calendar_feeds.of_account(account)).items()
        }
        calls = {
            device.device_id: YourCalls(moment(device.created_at), device.host, device.with_words)
            for device in await caller.application.devices.store.of(account)
        }
        data = YourData(
            exported_at=moment(await caller.application.log.now()),
            account=await describe_account(caller.application.for_accounts, caller.principal),
            created_at=(await caller.application.people.created_at(account)).isoformat(),
            sign_ins=[
                *(
                    YourSignIn(
                        "session",
                        session.label,
                        *_times(session.created_at, session.last_used_at),
                        calls.get(session.session_id),
                    )
                    for session in await caller.application.people.sessions(account)
                ),
                *(
                    YourSignIn(
                        "token",
                        token.label,
                        *_times(token.created_at, token.last_used_at),
                        calls.get(token.token_id),
                    )
                    for token in await caller.application.people.tokens(account)
                ),
            ],
            campaigns=[
                YourCampaign(
                    campaign_id=campaign.campaign_id,
                    name=campaign.name,
                    your_role=campaign.your_role,
                    systems=campaign.systems,
                    archived=campaign.archived,
                    export=f"{base_path()}/api/campaigns/{campaign.campaign_id}/export",
                    saved_rolls=saved.get(campaign.campaign_id, []),
                    calendar_feed=feeds.get(campaign.campaign_id),
                )
                async for campaign in all_your_campaigns(caller.application.for_campaigns, account)
            ],
            deleted_campaigns=[
                campaign
                async for campaign in all_your_deleted_campaigns(caller.application.for_campaigns, account)
            ],
        )
        headers = {
            "Content-Disposition": 'attachment; filename="fieldlog-account.json"',
            "Cache-Control": "no-store",
        }
        return Response(data, headers=headers)


def _times(created_at: datetime, used_at: datetime | None) -> tuple[str, str | None]:
    return created_at.isoformat(), None if used_at is None else used_at.isoformat()
