"""Which readers are told that a standing action would now come out otherwise: those who could find out themselves.

The search for actions affected by an undo knows everything. Its results may depend on hidden things, so affected
actions are looked for once for each audience, on the campaign as that audience knows it.
"""

from collections.abc import Collection, Sequence

from msgspec import structs

from domain.campaign.evolve import evolve_all
from domain.campaign.history.redecided_outcome import goes_otherwise
from domain.campaign.history.undo import Search
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import Audience, is_revealed, may_see
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import ActionId

PointedOut = list[tuple[PastAction, str]]
"""Actions that stand with another outcome, each with the readers to tell."""


class Witness:
    """The effects of an undo or redo that one audience can see; it takes every action that the search takes.

    `state` is the campaign as the audience knows it before the first action that is undone or redone; the
    witness owns it. `undone_ids` are the actions undone before, `revealed_ids` those that are open by now.
    """

    def __init__(
        self,
        audience: Audience,
        state: CampaignState,
        undone_ids: Collection[ActionId],
        revealed_ids: Collection[ActionId],
    ) -> None:
        self.audience = audience
        self._before = state
        self._after = decode_state(encode_state(state))
        self._undone_ids = undone_ids
        self._revealed_ids = revealed_ids
        self._parted = False
        self._otherwise: list[tuple[PastAction, bool]] = []

    def take(self, action: PastAction, follows: PastAction | None, *, stands: bool) -> None:
        """Apply the audience's part of an action twice: as it was, and as it is after the undo.

        The hidden action that `follows` it is compared, undone, kept and redone together with it.
        """
        visible_action = self._visible_part(action)
        following = None if follows is None else self._visible_part(follows)
        if following is not None and not following.events:
            following = None
        if not visible_action.events and following is None:
            return
        stood = action.action_id not in self._undone_ids
        if stood and stands and self._parted and action.undoable and action.actor is not None:
            other = goes_otherwise(self._after, visible_action, following)
            if other is not None:
                is_new = goes_otherwise(self._before, visible_action, following) is not other
                affected = action if other is visible_action or follows is None else follows
                self._otherwise.append((affected, is_new))
        self._parted |= stood is not stands
        events = [*visible_action.events, *(following.events if following is not None else ())]
        self._before = evolve_all(self._before, events, stands=stood)
        self._after = evolve_all(self._after, events, stands=stands)

    @property
    def affected(self) -> list[PastAction]:
        """Actions whose outcome would differ. One that differed before counts only if readers were told then."""
        affected_before = self._before.affected
        return [action for action, is_new in self._otherwise if is_new or action.action_id in affected_before]

    def _visible_part(self, action: PastAction) -> PastAction:
        """The action as the audience may read it, without a hidden command."""
        if self.audience.gm:
            return action
        open_ = [
            may_see(visibility, self.audience) or is_revealed(action.action_id, event, self._revealed_ids)
            for event, visibility in zip(action.events, action.visibilities, strict=True)
        ]
        if all(open_):
            return action
        events = [event for event, is_open in zip(action.events, open_, strict=True) if is_open]
        return structs.replace(action, events=events, request=action.request if open_[0] else None)


def pointed_out(search: Search, witnesses: Sequence[Witness]) -> PointedOut:
    """The affected actions with the readers to tell; `witnesses` are those of every audience, GMs first.

    Without any, nothing in the campaign is hidden.
    """
    if not witnesses:
        return [(action, "all") for action in search.affected]
    actions: dict[ActionId, tuple[PastAction, list[str]]] = {}
    for witness in witnesses:
        if witness.audience.gm:
            continue
        reader = "all" if witness.audience.account is None else f"account:{witness.audience.account}"
        for action in witness.affected:
            _, readers = actions.setdefault(action.action_id, (action, []))
            if "all" not in readers:
                readers.append(reader)
    in_truth = {action.action_id for action in search.affected}
    for action in witnesses[0].affected:
        if action.action_id in in_truth:
            actions.setdefault(action.action_id, (action, ["gm"]))
    in_order = sorted(actions.values(), key=lambda pair: pair[0].first_seq)
    return [(action, reader) for action, readers in in_order for reader in readers]
