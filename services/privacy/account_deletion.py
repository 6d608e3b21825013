"""Requests to erase an account, or only its texts; a worker carries them out."""

from domain.accounts import AccountErasure
from domain.campaign.secrecy.audience import TABLE
from domain.ids import AccountId, CampaignId
from domain.rejection import Stale
from services.accounts.authentication import Principal
from services.application import Application
from services.errors import account_not_found

LED_TOLD_MAX = 50
DAY_SECONDS = 86_400


async def request_deletion(
    application: Application, principal: Principal, password: str, *, with_texts: bool
) -> AccountErasure:
    """Request the erasure of one's account after the days of grace; all its tokens become invalid at once.

    Raises `wrong_name_or_password`, and `last_gm` naming the campaigns that would be left without a GM.
    """
    await application.people.require_password(principal, password)
    led = await application.log.led_alone(principal.account_id, LED_TOLD_MAX)
    if led:
        raise Stale(
            "last_gm",
            "You are the only GM of campaigns with other members: hand them over first.",
            campaigns=[await _called(application, campaign_id) for campaign_id in led],
        )
    seconds = application.account_grace_days * DAY_SECONDS
    asked = await application.account_erasures.ask(principal.account_id, "account", seconds, with_texts=with_texts)
    application.people.forget_tokens_of(principal.account_id)
    if asked is None:
        raise account_not_found()
    return asked


async def cancel_deletion(application: Application, account: AccountId) -> None:
    """Cancel the erasure of one's account. Raises `not_leaving`."""
    if not await application.account_erasures.call_off(account):
        raise Stale("not_leaving", "Your account is not going to be deleted.")


async def erase_all_texts(application: Application, account: AccountId) -> AccountErasure:
    """Request the erasure of everything that the account wrote, in every campaign."""
    asked = await application.account_erasures.ask(account, "texts", 0, with_texts=True)
    if asked is None:
        raise account_not_found()
    return asked


async def _called(application: Application, campaign_id: CampaignId) -> dict[str, str]:
    latest = await application.states.latest(campaign_id, TABLE)
    return {"campaign_id": str(campaign_id), "name": "" if latest is None else latest[1].name}
