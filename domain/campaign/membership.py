"""Who is in a campaign and what they may do there.

Roles change only by these commands. Nobody grants more than they have, and a campaign always keeps a GM.
"""

from typing import Any

from domain.asked import Asked
from domain.campaign.commands import ChangeRole, JoinCampaign, RemoveMember
from domain.campaign.events import CampaignEvent, MemberJoined, MemberLeft, RoleChanged
from domain.campaign.state import CampaignState
from domain.ids import AccountId
from domain.rejection import Forbidden, Missing, Rejection
from domain.sentences import Sentence, say
from domain.stored import MembershipChange


def must_be_gm(asked: Asked, otherwise: Sentence) -> None:
    """Refuse `gm_only` to anybody but a GM; `otherwise` is what they are told: "Only a GM may …"."""
    if not asked.is_gm:
        raise Forbidden("gm_only", otherwise)


def join(state: CampaignState, command: JoinCampaign, account: AccountId) -> list[CampaignEvent]:
    """Become a member. A member who accepts again joins nothing new, and no role is lost by it."""
    if account in state.members:
        return []
    return [MemberJoined(account=account, role=command.role, invite_id=command.invite_id)]


def change_role(state: CampaignState, command: ChangeRole, asked: Asked) -> list[CampaignEvent]:
    """Give a member another role; the same role again changes nothing."""
    must_be_gm(asked, say("Only a GM may change what a member may do."))
    role = _role_of(state, command.account)
    if role == command.role:
        return []
    _keep_a_gm(state, command.account)
    return [RoleChanged(account=command.account, role=command.role)]


def remove(state: CampaignState, command: RemoveMember, asked: Asked) -> list[CampaignEvent]:
    """Take a member out, or leave."""
    by_another = command.account != asked.account
    if by_another:
        must_be_gm(asked, say("Only a GM may remove somebody else."))
    _role_of(state, command.account)
    _keep_a_gm(state, command.account)
    return [MemberLeft(account=command.account, removed=by_another)]


def membership_changes(events: list[Any]) -> list[MembershipChange]:
    """What these events change in the list of who is in which campaign."""
    return [
        MembershipChange(account_id=event.account, role=None if isinstance(event, MemberLeft) else event.role)
        for event in events
        if isinstance(event, MemberJoined | RoleChanged | MemberLeft)
    ]


def _role_of(state: CampaignState, account: AccountId) -> str:
    role = state.members.get(account)
    if role is None:
        raise Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return role


def _keep_a_gm(state: CampaignState, account: AccountId) -> None:
    others = (role for member, role in state.members.items() if member != account)
    if state.members[account] == "gm" and "gm" not in others:
        raise Rejection("last_gm", "A campaign needs a GM: make another member GM first.")
