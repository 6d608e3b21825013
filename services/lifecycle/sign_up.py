"""Making an account, where a service is open to everybody, or by an invite to one of its campaigns."""

from domain.accounts import Invite
from domain.ids import AccountId
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from services.accounts.authentication import name_key
from services.errors import invite_not_found
from services.lifecycle.lifecycle_dependencies import CampaignParts
from services.lifecycle.membership import invited_to


async def sign_up(
    parts: CampaignParts, name: str, password: str, address: str, invite: str | None = None
) -> AccountId:
    """Make an account for who asks at an address, with the code of an invite where one is needed.

    Refuses `sign_up_closed`, `sign_up_by_invite`, `invite_not_found`, `name_taken`, `name_looks_taken`,
    `name_not_visible` and `password_easily_guessed`; raises `RateLimitExceeded`.
    """
    welcome = await _welcome(parts, address, invite)
    await parts.rates.sign_up(address)
    if welcome is None:
        account_id = await parts.people.sign_up(name, password)
    else:
        account_id = await _sign_up_by(parts, welcome, name, password)
    await parts.rates.signed_in(name_key(name), address)
    return account_id


async def _sign_up_by(parts: CampaignParts, invite: Invite, name: str, password: str) -> AccountId:
    """An account for one use of an invite, by which it may then join."""
    await parts.invites.use(invite)
    try:
        return await parts.people.sign_up(name, password, invite.invite_id)
    except Rejection:  # such as `name_taken`
        await parts.invites.give_back(invite)
        raise


async def _welcome(parts: CampaignParts, address: str, code: str | None) -> Invite | None:
    """The invite that is needed to make an account; None: none is."""
    if parts.sign_up == "open":
        return None
    if parts.sign_up == "closed":
        sentence = say("New accounts are made by the host of this service: ask there for one.")
        raise Forbidden("sign_up_closed", sentence)
    if code is None:
        sentence = say("A new account needs an invite to a campaign of this service: open its link.")
        raise Forbidden("sign_up_by_invite", sentence)
    await parts.rates.look_at_invite(address)
    invite = await parts.invites.invite_of(code)
    if invite.for_account is not None:
        raise invite_not_found()
    await invited_to(parts, invite)
    return invite
