"""Members of a campaign and their rights there.

Roles change by these commands only. Members grant no more than they have, a campaign always keeps a GM, and no
other GM takes the founder's place.
"""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from domain.campaign.commands import ChangeRole, ForgetMember, HandOver, JoinCampaign, RemoveMember
from domain.campaign.events import CampaignEvent, FounderChanged, MemberJoined, MemberLeft, RoleChanged
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext, Role
from domain.event_store_types import MembershipChange
from domain.ids import AccountId
from domain.mechanics.dispatch import Decide, Evolve, each_of, without_dice
from domain.rejection import Forbidden, Missing, Rejection, Stale
from domain.sentences import Sentence, say
from domain.systems.system import Pending


def must_be_gm(context: CommandContext, otherwise: Sentence) -> None:
    """Raise `gm_only` unless a GM asks; `otherwise` is its message: "Only a GM may …"."""
    if not context.is_gm:
        raise Forbidden("gm_only", otherwise)


def join(state: CampaignState, context: CommandContext, command: JoinCampaign) -> list[CampaignEvent]:
    """Become a member. For a member nothing changes, and no role is lost."""
    assert context.account is not None
    if context.account in state.members:
        return []
    require_welcome(state, context.account, made_for_them=command.made_for_them)
    return [MemberJoined(account=context.account, role=command.role, invite_id=command.invite_id)]


def require_welcome(state: CampaignState, account: AccountId, *, made_for_them: bool) -> None:
    """Raise `was_removed` for a removed account, unless the invite is for this account."""
    if account in state.removed_members and not made_for_them:
        raise Forbidden(
            "was_removed", say("A GM has removed you from this campaign: ask for an invite made for you.")
        )


def change_role(state: CampaignState, context: CommandContext, command: ChangeRole) -> list[CampaignEvent]:
    """Change a member's role; no event if it is the same."""
    must_be_gm(context, say("Only a GM may change what a member may do."))
    role = _role_of(state, command.account)
    if role == command.role:
        return []
    _keep_the_founder(state, context, command.account)
    _keep_a_gm(state, command.account)
    return [RoleChanged(account=command.account, role=command.role)]


def hand_over(state: CampaignState, context: CommandContext, command: HandOver) -> list[CampaignEvent]:
    """Make another member a GM and step down, in one action; a member who is a GM already stays one.

    A founder passes on the founder's place. The host gives it to the member, and no other role changes.
    """
    must_be_gm(context, say("Only a GM may hand the campaign over."))
    if command.account == context.account:
        raise Rejection("already_yours", "You already lead this campaign: hand it over to another member.")
    role = _role_of(state, command.account)
    if role == "observer":
        raise Rejection("observers_only_read", "Observers read along; make them a player first.")
    roles: list[tuple[AccountId, str, Role]] = [(command.account, role, "gm")]
    if context.account is not None:
        roles.append((context.account, "gm", command.stay_as))
    role_events = [RoleChanged(account=account, role=new) for account, old, new in roles if new != old]
    if state.founder == command.account or context.account not in (None, state.founder):
        return [*role_events]
    return [FounderChanged(command.account), *role_events]


def remove(state: CampaignState, context: CommandContext, command: RemoveMember) -> list[CampaignEvent]:
    """Remove a member, or leave. The member's characters keep their player until a GM reassigns them."""
    by_another = command.account != context.account
    if by_another:
        must_be_gm(context, say("Only a GM may remove somebody else."))
    _role_of(state, command.account)
    _keep_the_founder(state, context, command.account)
    _keep_a_gm(state, command.account)
    return [MemberLeft(account=command.account, removed=by_another)]


def players_of(state: CampaignState) -> set[AccountId]:
    """The members who may act."""
    return {account for account, role in state.members.items() if role != "observer"}


def waited_for(state: CampaignState, choices: Sequence[Pending]) -> list[Pending]:
    """The choices; one of an account that may no longer act goes to the GMs."""
    if not choices:
        return []
    able = {None, *players_of(state)}
    return [
        choice if choice.waits_for in able else structs.replace(choice, waits_for=None, absent=choice.waits_for)
        for choice in choices
    ]


def membership_changes(events: list[Any]) -> list[MembershipChange]:
    """The changes to the list of members by campaign that these events make."""
    return [
        MembershipChange(account_id=event.account, role=None if isinstance(event, MemberLeft) else event.role)
        for event in events
        if isinstance(event, (MemberJoined, RoleChanged, MemberLeft))
    ]


def forget(state: CampaignState, _context: CommandContext, command: ForgetMember) -> list[CampaignEvent]:
    """Remove a member whose account is deleted; no events for an account that is no member.

    A campaign that would have no GM gets the longest-standing player, or else observer, as its GM.
    """
    role = state.members.get(command.account)
    if role is None:
        return []
    leaving = MemberLeft(account=command.account, removed=command.removed)
    others = {account: role for account, role in state.members.items() if account != command.account}
    if role != "gm" or "gm" in others.values() or not others:
        return [leaving]
    heir = next((account for account, role in others.items() if role == "player"), next(iter(others)))
    return [RoleChanged(account=heir, role="gm"), leaving]


def has_role(state: CampaignState, event: MemberJoined | RoleChanged) -> None:
    """Set a member's role; a returning member is no former member any more."""
    state.members[event.account] = event.role
    if event.role != "gm":
        _no_longer_leads(state, event.account)
    for accounts in (state.former_members, state.removed_members):
        if event.account in accounts:
            accounts.remove(event.account)


def remove_member(state: CampaignState, event: MemberLeft) -> None:
    """Remove a member; their actions stay."""
    _no_longer_leads(state, event.account)
    if state.members.pop(event.account, None) is not None:
        state.former_members.append(event.account)
        if event.removed:
            state.removed_members.append(event.account)


def _role_of(state: CampaignState, account: AccountId) -> str:
    role = state.members.get(account)
    if role is None:
        raise Missing("unknown_member", "Nobody with that account is a member of this campaign.")
    return role


def _keep_the_founder(state: CampaignState, context: CommandContext, account: AccountId) -> None:
    if account == state.founder != context.account:
        raise Forbidden(
            "founder_stays",
            "The founder of this campaign stays its GM, unless they hand it over or leave.",
        )


def _no_longer_leads(state: CampaignState, account: AccountId) -> None:
    """The protection ends once the founder is no GM any more; a decision of theirs is no longer awaited."""
    if account == state.founder:
        state.founder = state.deletion = None
    elif state.deletion is not None and account == state.deletion.account:
        state.deletion = None


def _keep_a_gm(state: CampaignState, account: AccountId) -> None:
    others = (role for member, role in state.members.items() if member != account)
    if state.members[account] != "gm" or "gm" in others:
        return
    if len(state.members) == 1:
        raise Stale("last_gm", "You are the only member of this campaign: archive it or delete it instead.")
    raise Stale("last_gm", "A campaign needs a GM: make another member GM first, or hand it over.")


def _change_founder(state: CampaignState, event: FounderChanged) -> None:
    state.founder = event.account
    state.deletion = None


DECIDE: Decide[CampaignState, CampaignEvent] = without_dice(
    {
        JoinCampaign: join,
        ChangeRole: change_role,
        HandOver: hand_over,
        RemoveMember: remove,
        ForgetMember: forget,
    }
)
EVOLVE: Evolve[CampaignState] = {
    **each_of(MemberJoined | RoleChanged, has_role),
    MemberLeft: remove_member,
    FounderChanged: _change_founder,
}
