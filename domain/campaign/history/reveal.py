"""Revealing: a hidden action with its consequences becomes readable for everyone, at its old place.

Nothing is decided or stored again: only who may read its events changes. Secrets inside an event, such as a
mark, stay hidden until the rules open them.
"""

from collections.abc import Sequence

from domain.campaign.events import ActionRevealed
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import ABOUT_ACTIONS
from domain.campaign.state import CampaignState
from domain.ids import AccountId, ActionId
from domain.rejection import Forbidden, Rejection, Stale
from domain.sentences import say


def check_reveal(
    state: CampaignState, account: AccountId, target: PastAction, consequences: Sequence[PastAction] = ()
) -> None:
    """Raise if the action is open already, is revealed by its cause, or the account may not reveal it.

    A GM may reveal anything; a player their own actions that only they and the GMs may read. Raises
    `observers_only_read`, `gm_only`, `not_hidden`, `revealed_with_its_action`.
    """
    role = state.members.get(account)
    if role == "observer":
        raise Forbidden("observers_only_read", "Observers read along; ask a GM to make you a player.")
    people = state.people_of(account)
    own = {"all", *(f"account:{visibility}" for visibility in people)}
    read_whole = all(visibility in own for action in (target, *consequences) for visibility in action.visibilities)
    if role != "gm" and not (target.actor in people and read_whole):
        raise Forbidden("gm_only", "Only a GM may reveal that.")
    if target.action_id in state.revealed or all(each == "all" for each in target.visibilities):
        raise Stale("not_hidden", "Everybody can already read that action.")
    if isinstance(target.events[0], ABOUT_ACTIONS):
        raise Rejection(
            "revealed_with_its_action",
            "An undo, or a request for one, is revealed with the action it is about: reveal that action.",
        )


def check_wish(visibility: str) -> None:
    """Raise `reveal_is_for_all` if the reveal itself is to be hidden."""
    if visibility != "all":
        raise Rejection("reveal_is_for_all", say("A reveal is for everybody to read: send no visibility."))


def rests_on(hidden_actions: Sequence[object]) -> Rejection:
    """The rejection of a reveal that would also tell of the `hidden_actions`."""
    return Rejection(
        "rests_on_hidden",
        say("It rests on something that is hidden as well: reveal that first."),
        actions=hidden_actions,
    )


def reveal_events(
    target: PastAction, consequences: Sequence[PastAction], revealed_in: ActionId
) -> list[ActionRevealed]:
    """The event of a reveal."""
    return [
        ActionRevealed(
            action_id=action.action_id,
            first_seq=action.first_seq,
            last_seq=action.last_seq,
            because="asked" if action is target else "caused",
            command=action.command,
            revealed_in=revealed_in,
        )
        for action in (target, *consequences)
    ]
