"""`fieldlog account`: the host's work for people, and about them."""

from secrets import token_urlsafe
from shlex import quote

import cyclopts
import msgspec

from domain.host_actions import ListedAccount
from domain.ids import AccountId
from domain.rejection import Rejection
from services.accounts.account_deletion import delete_as_host, keep_as_host
from services.accounts.authentication import PersonName, name_key
from services.cli.certificate_check import usable_certificate
from services.cli.counted_nouns import counted
from services.cli.errors import EXIT_BAD_SETTING, Refused
from services.cli.host_actions import AsJson, Host, NamedAccount, PageSize, at_work, say, say_json
from services.cli.public_addresses import public_urls
from services.settings import Settings, origin_of

HOURS_MAX = 24 * 30
HOUR_SECONDS = 3600

account = cyclopts.App(name="account", help="Help people with their accounts, beside a running service.")


@account.command
def reset_password(
    name: NamedAccount, *, hours: int = 24, address: str | None = None, json: AsJson = False
) -> int:
    """Print a link by which the owner of an account sets another password, once.

    All sign-ins of the account end when it is used. A new link takes the place of an earlier one. The link opens
    the account to anyone who has it: give it to the person themselves.

    Parameters
    ----------
    hours
        When the link ends, 1 to 720 hours from now.
    address
        Where people reach the service, such as https://fieldlog.example; left out, as settings say it.

    """
    _require_hours(hours)

    async def work(host: Host) -> None:
        person = await host.account(name)
        base = _address(host.settings, address)
        async with host.noted("account reset-password", account=person.account_id):
            await _offer(host, person.account_id, person.name, hours, base, json=json)

    return at_work(work)


@account.command
def create(name: str, *, hours: int = 24, address: str | None = None, json: AsJson = False) -> int:
    """Make an account, and print a link by which its owner sets a password, once; where sign-up is closed, too.

    Parameters
    ----------
    name
        Its name, 2 to 40 characters.
    hours
        When the link ends, 1 to 720 hours from now; `reset-password` gives another one.
    address
        Where people reach the service, such as https://fieldlog.example; left out, as settings say it.

    """
    _require_hours(hours)
    try:
        msgspec.convert(name, PersonName)
    except msgspec.ValidationError:
        raise Refused("A name has 2 to 40 characters.", EXIT_BAD_SETTING) from None

    async def work(host: Host) -> None:
        base = _address(host.settings, address)
        try:
            account_id = await host.application.people.sign_up(name, token_urlsafe())
        except Rejection:
            async with host.noted("account create"):
                raise
        async with host.noted("account create", account=account_id):
            await _offer(host, account_id, name, hours, base, json=json)

    return at_work(work)


@account.command(name="list")
def list_accounts(
    *,
    find: str = "",
    disabled: bool = False,
    after: str = "",
    limit: PageSize = 50,
    json: AsJson = False,
) -> int:
    """List accounts by name: since when they are there, when they were last used, and what campaigns they are in.

    Parameters
    ----------
    find
        Only those whose name has this part.
    disabled
        Only those that are disabled.
    after
        Go on after this name, the last of the page before.

    """

    async def work(host: Host) -> None:
        page = await host.application.directory.accounts(
            name_key(after), limit, name_key(find), only_disabled=disabled
        )
        goes_on = page[-1].name if len(page) == limit else None
        if json:
            say_json({"accounts": page, "next_after": goes_on})
            return
        for entry in page:
            say(_line(entry))
        if not page:
            say("there are no such accounts")
        elif goes_on is not None:
            say(f"more: fieldlog account list --after {quote(goes_on)}")

    return at_work(work)


@account.command
def disable(name: NamedAccount) -> int:
    """Keep an account from being used: its sign-ins and tokens are refused within a second. Nothing is lost."""
    return _switch(name, disabled=True)


@account.command
def enable(name: NamedAccount) -> int:
    """Let an account be used again that was disabled; its sign-ins and tokens work as before."""
    return _switch(name, disabled=False)


@account.command
def delete(name: NamedAccount, *, erase_texts: bool = False, hand_on: bool = False) -> int:
    """Disable an account, and have it erased when its days of grace are over; until then `keep` calls that off.

    Parameters
    ----------
    erase_texts
        Erase everything that it wrote, too.
    hand_on
        Also if it alone leads campaigns with other members: the longest-standing member becomes GM.

    """

    async def work(host: Host) -> None:
        person = await host.account(name)
        async with host.noted("account delete", account=person.account_id):
            try:
                erasure = await delete_as_host(
                    host.application.for_accounts, person.account_id, with_texts=erase_texts, hand_on=hand_on
                )
            except Rejection as refusal:
                for campaign in refusal.details.get("campaigns", []):
                    say(f"{campaign['campaign_id']}  {campaign['name']}")
                raise
        say(f"{person.name} is disabled, and will be erased on {erasure.due_at.astimezone():%Y-%m-%d %H:%M}")

    return at_work(work)


@account.command
def keep(name: NamedAccount) -> int:
    """Call off the deletion of an account, and enable it. Its sign-ins have ended."""

    async def work(host: Host) -> None:
        person = await host.account(name)
        async with host.noted("account keep", account=person.account_id):
            was_leaving = await keep_as_host(host.application.for_accounts, person.account_id)
        if not was_leaving:
            raise Refused(f"{person.name} is not going to be deleted.")
        say(f"{person.name} stays")

    return at_work(work)


def _switch(name: str, *, disabled: bool) -> int:
    state = "disabled" if disabled else "enabled"

    async def work(host: Host) -> None:
        person = await host.account(name)
        async with host.noted(f"account {state.removesuffix('d')}", account=person.account_id):
            has_changed = await host.application.people.disable(person.account_id, disabled=disabled)
        say(f"{person.name} is {state}{'' if has_changed else ' already'}")

    return at_work(work)


def _line(entry: ListedAccount) -> str:
    used = "never" if entry.last_used_at is None else f"{entry.last_used_at.astimezone():%Y-%m-%d}"
    states = ["disabled"] if entry.disabled_at is not None else []
    if entry.leaving_at is not None:
        states.append(f"will be erased on {entry.leaving_at.astimezone():%Y-%m-%d}")
    line = f"{entry.account_id}  since {entry.created_at.astimezone():%Y-%m-%d}, used {used}, "
    line += f"in {counted(entry.campaigns, 'campaign')}  {entry.name}"
    return "".join([line, *(f", {state}" for state in states)])


async def _offer(host: Host, account_id: AccountId, name: str, hours: int, base: str, *, json: bool) -> None:
    code, expires_at = await host.application.people.offer_reset(account_id, hours * HOUR_SECONDS)
    link = f"{base}/reset-password/{code}"
    if json:
        say_json({"account_id": account_id, "link": link, "expires_at": expires_at})
        return
    say(f"A link for {name}, once, until {expires_at.astimezone():%Y-%m-%d %H:%M}:")
    say(link)


def _require_hours(hours: int) -> None:
    if not 1 <= hours <= HOURS_MAX:
        raise Refused(f"--hours must be from 1 to {HOURS_MAX}, not {hours}.", EXIT_BAD_SETTING)


def _address(settings: Settings, address: str | None) -> str:
    """Where people reach the service, without a slash at its end. Raises Refused."""
    if address is not None:
        origin = origin_of(address)
        if origin is None:
            raise Refused(f"{address!r} is no address such as https://fieldlog.example.", EXIT_BAD_SETTING)
        return origin + settings.base_path
    scheme = "http" if settings.tls_certificate is None else "https"
    here = f"{scheme}://{settings.host}:{settings.port}{settings.base_path}"
    return (public_urls(settings, usable_certificate(settings)) or [here])[0].rstrip("/")
