"""Who is in a campaign and what they may do there.

Roles change only by these commands. Nobody grants more than they have, and a campaign always keeps a GM.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from domain.campaign.commands import ChangeRole, ForgetMember, HandOver, JoinCampaign, RemoveMember
from domain.campaign.events import CampaignEvent, MemberJoined, MemberLeft, RoleChanged
from domain.campaign.state import CampaignState
from domain.command_context import Asked, Role
from domain.event_store_types import MembershipChange
from domain.ids import AccountId
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.rejection import Forbidden, Missing, Rejection, Stale
from domain.sentences import Sentence, say
from domain.systems.system import Pending


def must_be_gm(asked: Asked, otherwise: Sentence) -> None:
    """Refuse `gm_only` to anybody but a GM; `otherwise` is what they are told: "Only a GM may …"."""
    if not asked.is_gm:
        raise Forbidden("gm_only", otherwise)


def join(state: CampaignState, asked: Asked, command: JoinCampaign) -> list[CampaignEvent]:
    """Become a member. A member who accepts again joins nothing new, and no role is lost by it."""
    assert asked.account is not None
    if asked.account in state.members:
        return []
    require_welcome(state, asked.account, made_for_them=command.made_for_them)
    return [MemberJoined(account=asked.account, role=command.role, invite_id=command.invite_id)]


def require_welcome(state: CampaignState, account: AccountId, *, made_for_them: bool) -> None:
    """Refuse `was_removed` to who was removed, unless their invite was made for them."""
    if account in state.removed_members and not made_for_them:
        raise Forbidden(
            "was_removed", say("A GM has removed you from this campaign: ask for an invite made for you.")
        )


def change_role(state: CampaignState, asked: Asked, command: ChangeRole) -> list[CampaignEvent]:
    """Give a member another role; the same role again changes nothing."""
    must_be_gm(asked, say("Only a GM may change what a member may do."))
    role = _role_of(state, command.account)
    if role == command.role:
        return []
    _keep_a_gm(state, command.account)
    return [RoleChanged(account=command.account, role=command.role)]


def hand_over(state: CampaignState, asked: Asked, command: HandOver) -> list[CampaignEvent]:
    """Make another member a GM and step down, in one action. Who is a GM already only sees the other step down."""
    must_be_gm(asked, say("Only a GM may hand the campaign over."))
    assert asked.account is not None
    if command.account == asked.account:
        raise Rejection("already_yours", "You already lead this campaign: hand it over to another member.")
    role = _role_of(state, command.account)
    if role == "observer":
        raise Rejection("observers_only_read", "Observers read along; make them a player first.")
    roles: list[tuple[AccountId, str, Role]] = [
        (command.account, role, "gm"),
        (asked.account, "gm", command.stay_as),
    ]
    return [RoleChanged(account=account, role=new) for account, old, new in roles if new != old]


def remove(state: CampaignState, asked: Asked, command: RemoveMember) -> list[CampaignEvent]:
    """Take a member out, or leave. Their characters stay theirs until a GM hands them to somebody else."""
    by_another = command.account != asked.account
    if by_another:
        must_be_gm(asked, say("Only a GM may remove somebody else."))
    _role_of(state, command.account)
    _keep_a_gm(state, command.account)
    return [MemberLeft(account=command.account, removed=by_another)]


def players_of(state: CampaignState) -> set[AccountId]:
    """The members who may act."""
    return {account for account, role in state.members.items() if role != "observer"}


def waited_for(state: CampaignState, choices: Iterable[Pending]) -> list[Pending]:
    """What the table waits for: what waited for somebody who may not act here any more waits for a GM."""
    able = {None, *players_of(state)}
    return [
        each if each.waits_for in able else structs.replace(each, waits_for=None, absent=each.waits_for)
        for each in choices
    ]


def membership_changes(events: list[Any]) -> list[MembershipChange]:
    """What these events change in the list of who is in which campaign."""
    return [
        MembershipChange(account_id=event.account, role=None if isinstance(event, MemberLeft) else event.role)
        for event in events
        if isinstance(event, (MemberJoined, RoleChanged, MemberLeft))
    ]


def forget(state: CampaignState, _asked: Asked, command: ForgetMember) -> list[CampaignEvent]:
    """Take out who has no account any more; twice is as good as once.

    A campaign that is left without a GM gets the player who has been there longest, or else the observer.
    """
    role = state.members.get(command.account)
    if role is None:
        return []
    left = MemberLeft(account=command.account, removed=False)
    others = {account: role for account, role in state.members.items() if account != command.account}
    if role != "gm" or "gm" in others.values() or not others:
        return [left]
    heir = next((account for account, role in others.items() if role == "player"), next(iter(others)))
    return [RoleChanged(account=heir, role="gm"), left]


def has_role(state: CampaignState, event: MemberJoined | RoleChanged) -> None:
    """Whoever comes back is no former member any more."""
    state.members[event.account] = event.role
    for gone in (state.former_members, state.removed_members):
        if event.account in gone:
            gone.remove(event.account)


def left(state: CampaignState, event: MemberLeft) -> None:
    """What they did stays theirs."""
    if state.members.pop(event.account, None) is not None:
        state.former_members.append(event.account)
        if event.removed:
            state.removed_members.append(event.account)


def _role_of(state: CampaignState, account: AccountId) -> str:
    role = state.members.get(account)
    if role is None:
        raise Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return role


def _keep_a_gm(state: CampaignState, account: AccountId) -> None:
    others = (role for member, role in state.members.items() if member != account)
    if state.members[account] != "gm" or "gm" in others:
        return
    if len(state.members) == 1:
        raise Stale("last_gm", "You are the only member of this campaign: archive it or delete it instead.")
    raise Stale("last_gm", "A campaign needs a GM: make another member GM first, or hand it over.")


DECIDE: Decide[CampaignState, CampaignEvent] = without_dice(
    {
        JoinCampaign: join,
        ChangeRole: change_role,
        HandOver: hand_over,
        RemoveMember: remove,
        ForgetMember: forget,
    }
)
EVOLVE: Evolve[CampaignState] = {**each_of(MemberJoined | RoleChanged, has_role), MemberLeft: left}
