"""The host at work: the effect of the command line upon an account or a campaign, and the note of it."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Annotated, Any
from uuid import UUID

import cyclopts
import msgspec
from cyclopts import validators

from domain.accounts import Account
from domain.event_store_types import DatabaseUnavailable
from domain.ids import AccountId, CampaignId
from domain.one_line import with_controls_written
from domain.rejection import Rejection
from services.application import Application
from services.cli.attached_database import attached
from services.cli.errors import EXIT_BAD_SETTING, EXIT_TRY_AGAIN, Refused
from services.runtime.machine_user import machine_user
from services.settings import Settings, read_settings
from services.wiring.application import open_application

LIMIT_MAX = 500
PageSize = Annotated[
    int,
    cyclopts.Parameter(help=f"How many, 1 to {LIMIT_MAX}.", validator=validators.Number(gte=1, lte=LIMIT_MAX)),
]
"""How many lines a page of a list has."""

AsJson = Annotated[bool, cyclopts.Parameter(help="Print JSON, for programs.")]
NamedAccount = Annotated[str, cyclopts.Parameter(help="An account's name or id.")]
NamedCampaign = Annotated[str, cyclopts.Parameter(help="A campaign's id.")]


@asynccontextmanager
async def noted(
    application: Application,
    command: str,
    *,
    account: AccountId | None = None,
    campaign: CampaignId | None = None,
) -> AsyncIterator[None]:
    """Note what is done before it is done, and once more if it is refused."""
    store, done_by = application.host_actions, machine_user()
    new_id = application.entropy.new_id
    await store.note(new_id(), done_by, command, account=account, campaign=campaign)
    try:
        yield
    except Rejection as refusal:
        await store.note(new_id(), done_by, command, account=account, campaign=campaign, refusal=refusal.code)
        raise


class Host:
    """The host, with all of the service in reach."""

    def __init__(self, application: Application, settings: Settings) -> None:
        self.application = application
        self.settings = settings

    def noted(
        self, command: str, *, account: AccountId | None = None, campaign: CampaignId | None = None
    ) -> AbstractAsyncContextManager[None]:
        """As the function of that name."""
        return noted(self.application, command, account=account, campaign=campaign)

    async def account(self, name_or_id: str) -> Account:
        """The account of that name or id. Raises Refused."""
        account = await self.application.people.account_said(name_or_id)
        if account is None:
            raise Refused(f"There is no account {name_or_id!r}.", EXIT_BAD_SETTING)
        return account


def at_work(work: Callable[[Host], Awaitable[None]]) -> int:
    """Do a host's work on the database, beside a running service or alone; 0. Raises Refused."""
    try:
        with attached(read_settings(os.environ)) as settings:
            asyncio.run(_with_host(settings, work))
    except Rejection as refusal:
        raise Refused(f"{refusal.message} ({refusal.code})") from None
    except DatabaseUnavailable:
        raise Refused("The database cannot be used now. Try again.", EXIT_TRY_AGAIN) from None
    return 0


def say(line: str) -> None:
    """A line for who reads along."""
    sys.stdout.write(with_controls_written(line) + "\n")
    sys.stdout.flush()


def say_json(content: Any) -> None:
    """One line of JSON, for programs."""
    say(msgspec.json.encode(content).decode())


def id_said(text: str, what: str) -> UUID:
    """An id of the command line. Raises Refused."""
    try:
        return UUID(text)
    except ValueError:
        raise Refused(f"{text!r} is no {what}'s id.", EXIT_BAD_SETTING) from None


async def _with_host(settings: Settings, work: Callable[[Host], Awaitable[None]]) -> None:
    async with open_application(settings) as application:
        await work(Host(application, settings))
