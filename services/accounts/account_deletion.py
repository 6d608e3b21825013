"""Requests to erase an account, or only its texts; a worker carries them out."""

from domain.accounts import AccountErasure
from domain.campaign.secrecy.audience import TABLE
from domain.ids import AccountId, CampaignId
from domain.rejection import Stale
from services.accounts.account_dependencies import AccountParts
from services.accounts.authentication import Principal
from services.errors import account_not_found

LED_TOLD_MAX = 50
DAY_SECONDS = 86_400


async def request_deletion(
    parts: AccountParts, principal: Principal, password: str, *, with_texts: bool
) -> AccountErasure:
    """Request the erasure of one's account after the days of grace; all its tokens become invalid at once.

    Raises `wrong_name_or_password`, and `last_gm` naming the campaigns that would be left without a GM.
    """
    await parts.people.require_password(principal, password)
    await _require_led_by_others(parts, principal.account_id)
    return await _ask(parts, principal.account_id, with_texts=with_texts)


async def delete_as_host(
    parts: AccountParts, account: AccountId, *, with_texts: bool, hand_on: bool
) -> AccountErasure:
    """Disable an account, and have it erased after the days of grace.

    Raises `last_gm` as `request_deletion` does, unless its campaigns may be handed on: then the longest-standing
    member becomes GM.
    """
    if not hand_on:
        await _require_led_by_others(parts, account)
    await parts.people.disable(account, disabled=True)
    return await _ask(parts, account, with_texts=with_texts)


async def keep_as_host(parts: AccountParts, account: AccountId) -> bool:
    """Cancel the erasure of an account, and enable it; False: it was not to be erased."""
    called_off = await parts.account_erasures.call_off(account)
    if called_off:
        await parts.people.disable(account, disabled=False)
    return called_off


async def _require_led_by_others(parts: AccountParts, account: AccountId) -> None:
    led = await parts.log.led_alone(account, LED_TOLD_MAX)
    if led:
        raise Stale(
            "last_gm",
            "You are the only GM of campaigns with other members: hand them over first.",
            campaigns=[await _id_and_name(parts, campaign_id) for campaign_id in led],
        )


async def _ask(parts: AccountParts, account: AccountId, *, with_texts: bool) -> AccountErasure:
    seconds = parts.account_grace_days * DAY_SECONDS
    erasure = await parts.account_erasures.ask(account, "account", seconds, with_texts=with_texts)
    parts.people.forget_tokens_of(account)
    if erasure is None:
        raise account_not_found()
    return erasure


async def cancel_deletion(parts: AccountParts, account: AccountId) -> None:
    """Cancel the erasure of one's account. Raises `not_leaving`."""
    if not await parts.account_erasures.call_off(account):
        raise Stale("not_leaving", "Your account is not going to be deleted.")


async def erase_all_texts(parts: AccountParts, account: AccountId) -> AccountErasure:
    """Request the erasure of everything that the account wrote, in every campaign."""
    erasure = await parts.account_erasures.ask(account, "texts", 0, with_texts=True)
    if erasure is None:
        raise account_not_found()
    return erasure


async def _id_and_name(parts: AccountParts, campaign_id: CampaignId) -> dict[str, str]:
    latest = await parts.states.latest(campaign_id, TABLE)
    return {"campaign_id": str(campaign_id), "name": "" if latest is None else latest[1].name}
