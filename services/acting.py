"""From a request to an ask, and how campaigns and memberships begin and end."""

import asyncio
from collections.abc import Sequence

import msgspec
from msgspec import structs

from domain.campaign import codec
from domain.campaign.again import PastAction
from domain.campaign.archiving import require_open
from domain.campaign.commands import (
    CreateCampaign,
    HandOver,
    JoinCampaign,
    RevealAction,
)
from domain.campaign.events import RoleChanged
from domain.campaign.membership import require_welcome
from domain.campaign.request import ActRequest
from domain.campaign.settings import language_of
from domain.campaign.undo_commands import DeclineUndo
from domain.campaign.visibility import TABLE
from domain.ids import AccountId, ActionId, CampaignId
from domain.people import Invite
from domain.rejection import Rejection
from services.commands.decide_command import PendingCommand
from services.commands.response import Answer
from services.errors import key_reused
from services.house import House
from services.invites import no_such_invite
from services.new_campaigns import campaign_of_key
from services.prepared import readers_of, target_of
from services.reading import refusing_in
from services.revealing import reveal


async def act(
    house: House,
    campaign_id: CampaignId,
    account: AccountId | None,
    request: ActRequest,
    *,
    key: str | None = None,
    if_match: int | None = None,
    about: Sequence[PastAction] = (),
) -> bytes:
    """Have a request decided and committed; the answer's JSON. Raises `Rejection` and `DatabaseAway`.

    The answer quotes the actions that the request is `about`, unless it is kept under a `key`: whoever erases the
    words of an action would not find it.
    """
    if isinstance(request.command, RevealAction) and account is not None:
        return await reveal(house, campaign_id, account, request, key=key, if_match=if_match)
    request_hash = codec.request_hash(request) if key is not None else b""
    if isinstance(request.command, DeclineUndo) and account is not None:
        seen = await house.reading.see(campaign_id, account)
        with seen.refusing():
            target = await target_of(house, seen, request.command.action_id)
        request, about = structs.replace(request, visibility=readers_of(seen, target)), [target]
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=account,
        request=request,
        action_id=ActionId(house.entropy.new_id()),
        answered=asyncio.get_running_loop().create_future(),
        key=key,
        request_hash=request_hash,
        if_match=if_match,
        about=about if key is None else (),
    )
    return await house.handler.act(ask)


async def create_campaign(
    house: House, account: AccountId, command: CreateCampaign, key: str | None = None
) -> CampaignId:
    """Found a campaign. Refuses what `domain.campaign.founding` refuses, and `idempotency_key_reused`."""
    async with house.key_locks.one_of(account, key):
        if key is None:
            campaign_id = CampaignId(house.entropy.new_id())
        else:
            campaign_id = await campaign_of_key(house.log, account, key)
        if key is None or await house.log.head(campaign_id) is None:
            await require_room(house, account)
        await act(house, campaign_id, account, ActRequest(command=command), key=key)
    return campaign_id


async def require_room(house: House, account: AccountId) -> None:
    """Refuse one campaign more than an account may be in."""
    if most := house.rates.campaigns_per_account:
        house.rates.room_for_a_campaign(len(await house.log.campaigns_of(account, None, most)))


async def accept_invite(house: House, account: AccountId, invite: Invite) -> None:
    """Become a member; a member who accepts again stays what they are.

    Refuses `campaign_archived`, `was_removed`, and `invite_not_found` where who made it is no GM any more.
    """
    if await house.reading.is_member(invite.campaign_id, account):
        return
    made_for_them = invite.for_account is not None
    found = await house.standing.latest(invite.campaign_id, TABLE)
    if found is None or found[1].members.get(invite.created_by) != "gm":
        raise no_such_invite()
    with refusing_in(language_of(found[1].changed_settings)):  # before the invite counts as used
        require_welcome(found[1], account, made_for_them=made_for_them)
        require_open(found[1])
    await require_room(house, account)
    await house.invites.use(invite)
    command = JoinCampaign(role=invite.role, invite_id=str(invite.invite_id), made_for_them=made_for_them)
    try:
        await act(house, invite.campaign_id, account, ActRequest(command=command))
    except Rejection:  # such as that others keep acting: nobody came in
        await house.invites.give_back(invite)
        raise


async def hand_over(
    house: House, campaign_id: CampaignId, account: AccountId, command: HandOver, key: str | None
) -> int:
    """Make another member a GM and step down; the seq that the campaign was at then, for a repetition too.

    Refuses what `domain.campaign.membership` refuses, and `idempotency_key_reused`, also where nobody can tell any
    more with which request the key came, as words of that were erased, but something else was done.
    """
    reply = await act(house, campaign_id, account, ActRequest(command=command), key=key)
    answer = msgspec.json.decode(reply, type=Answer)
    wanted = ((command.account, "gm"), (account, command.stay_as))
    for row in await house.log.action(campaign_id, answer.action_id):
        done = codec.decode_event(row)
        if not isinstance(done, RoleChanged) or (done.account, done.role) not in wanted:
            with (await house.reading.see(campaign_id, account)).refusing():
                raise key_reused()
    return answer.seq
