"""Undo: leave an action out of all folds, and find the actions that depend on it.

The log stays as it is. To find out whether a later action is still possible, it is re-decided with its own dice
on the campaign without the undone one. An action that would be refused now *depends* on it; one with another
outcome is *affected*, stands, and is pointed out. A worker's action is undone without confirmation, because the
campaign runs it again where it is still owed.
"""

from collections.abc import Collection, Sequence
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.campaign.dice import dice_after_undo
from domain.campaign.events import CampaignEvent
from domain.campaign.evolve import evolve_all
from domain.campaign.history.redecide import still_owed
from domain.campaign.history.redecided_outcome import facts_of, other_subject, other_than_before
from domain.campaign.knowledge.decision_by_audience import not_possible_now
from domain.campaign.messages.undo import ActionAffected, ActionRedone, ActionUndone, UndoRequested
from domain.campaign.money.ledger import postings
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy.audience import Audience, as_now, may_see, standing_for, without_secrets
from domain.campaign.secrecy.entrance import entrance_events
from domain.campaign.settings import OWN, settings_of
from domain.campaign.state import CampaignState
from domain.campaign.subjects import born_in, rested_on, subjects_in
from domain.dice import Die
from domain.dice.dice_in_events import dice_of
from domain.ids import AccountId, ActionId
from domain.rejection import Forbidden, Rejection, Stale
from domain.sentences import number, say
from domain.systems.system import Posting

CASCADE_UNCONFIRMED_MAX = 20
"""Cascades of more actions must be confirmed with their number."""
CONSEQUENCES_MAX = 5_000
"""More actions than a group plays in twenty evenings neither go nor come out otherwise with one undo or redo."""


class ActionToUndo(Struct, frozen=True):
    """An action to undo: a member `asked`, another undone action `caused` it, or it `depends` on one.

    `refusal` is how its command would be refused now, where it depends; `rests_on` are the undone actions that
    made what it is about.
    """

    action: PastAction
    because: Any
    refusal: Rejection | None = None
    rests_on: tuple[PastAction, ...] = ()


class Since(Struct, frozen=True):
    """The wish to undo the later actions of people that can be undone."""

    after: int
    """The last seq that stays."""
    kept: frozenset[ActionId] = frozenset()
    """Later actions that stay, too."""

    def covers(self, action: PastAction) -> bool:
        """Whether a person acted so after that seq; due commands go with the actions that caused them."""
        return action.first_seq > self.after and action.actor is not None


class Search:
    """Finds the consequences of undoing some actions and redoing others.

    The `targets` are to be undone, and the actions `since` a moment (neither: this is a redo); `redone_ids` are to
    be redone; of `undone_ids`, the others stay undone. The search owns `state`: the campaign just before the first
    of them, without the undone actions. Every later action is passed to `take`, in order; afterwards `state` is
    the resulting campaign.
    """

    def __init__(
        self,
        state: CampaignState,
        undone_ids: set[ActionId],
        targets: Collection[ActionId],
        redone_ids: set[ActionId],
        since: Since | None = None,
    ) -> None:
        self.state = state
        self.to_undo: list[ActionToUndo] = []
        self.restored: list[PastAction] = []
        self.affected: list[PastAction] = []
        self.kept: list[PastAction] = []
        """The actions since the moment that are not undone with the others."""
        self.first_refusal: tuple[PastAction, Rejection] | None = None
        self.makers_in_play: list[PastAction] = []
        """The undone actions that made something that has entered play since, and stays there."""
        self._still_undone = undone_ids - redone_ids
        self._targets = targets
        self._since = since
        self._to_redo = redone_ids
        self._newly_undone: set[ActionId] = set()
        self._unmade: dict[str, PastAction] = {}
        self._reasons_to_undo: dict[ActionId, str | None] = {}
        self._dice_by_action: dict[ActionId, list[Die]] = {}

    @property
    def dependents(self) -> list[ActionToUndo]:
        """The actions that would be refused now."""
        return [undoing for undoing in self.to_undo if undoing.because == "depends"]

    @property
    def is_beyond_bounds(self) -> bool:
        """Whether more goes or comes out otherwise than may: then it need not be searched on."""
        return len(self.to_undo) + len(self.affected) > CONSEQUENCES_MAX

    @property
    def touched(self) -> list[PastAction]:
        """All actions that are undone or redone."""
        return [*self.restored, *(undoing.action for undoing in self.to_undo)]

    def take(self, action: PastAction, follows: PastAction | None = None) -> None:
        """Apply one more action, if it still stands; its dice are used up in any case.

        The hidden action that `follows` it is undone, kept and redone with it.
        """
        stands = self._stands(action, follows)
        subjects = self._unmade.keys() & subjects_in(action.events) if action.brings_in else ()
        unmade = [subject for subject in subjects if not entrance_events(self.state, subject)]
        self.state = evolve_all(self.state, action.events, stands=stands)
        requests = (event for event in action.events if isinstance(event, UndoRequested))
        self._reasons_to_undo.update((request.action_id, request.reason) for request in requests)
        self.makers_in_play += [
            self._unmade[subject] for subject in unmade if entrance_events(self.state, subject)
        ]
        if follows is not None:
            self._take_with(action, follows)
            self.state = evolve_all(self.state, follows.events, stands=stands)

    def _take_with(self, action: PastAction, follows: PastAction) -> None:
        """Give the hidden action that follows the same result as its action."""
        if action.action_id in self._newly_undone:
            self._undo(follows, "caused")
        elif follows.action_id in self._to_redo:
            self.restored.append(follows)

    def lets_stand(self, action_id: ActionId) -> bool:
        """Whether an action that was taken stands now."""
        return action_id not in self._still_undone and action_id not in self._newly_undone

    def _stands(self, action: PastAction, follows: PastAction | None) -> bool:
        if action.action_id in self._still_undone:
            return False
        if self._is_asked_for(action):
            self._undo(action, "asked")
        elif action.caused_by in self._newly_undone:
            self._undo(action, "caused")
        elif action.undoable:
            self._judge(action, follows)
        if action.action_id in self._newly_undone:
            return False
        if action.action_id in self._to_redo:
            self.restored.append(action)
        return True

    def _is_asked_for(self, action: PastAction) -> bool:
        """Whether a wish is about this action; notes one that is not undone all the same."""
        if self._since is None or not self._since.covers(action):
            return action.action_id in self._targets
        stays = action.action_id in self._since.kept or not action.undoable
        if stays:
            self.kept.append(action)
        return not stays

    def _judge(self, action: PastAction, follows: PastAction | None) -> None:
        by_worker = action.actor is None
        if by_worker and action.request is not None and still_owed(self.state, action) is None:
            # After a redo, this is a due command that has run again since: it is undone, and must be confirmed
            # unless its outcome was the same.
            self._undo(action, "depends" if self._to_redo and not self._came_back(action) else "caused")
            return
        try:
            other = self._goes_otherwise(action, follows)
        except Rejection as refusal:
            if action.action_id in self._to_redo:
                self.first_refusal = self.first_refusal or (action, refusal)
            else:
                self._undo(action, "caused" if by_worker else "depends", refusal)
            return
        if other is None or action.action_id in self._to_redo:
            return
        if by_worker:
            self._undo(action, "caused")
        else:
            self.affected.append(other)

    def _goes_otherwise(self, action: PastAction, follows: PastAction | None) -> PastAction | None:
        """Which of the two commands brings something else now; None: both bring the same.

        Raises the command's refusal, also where it is about something else now.
        """
        if self._rests_on(action):
            raise other_subject()
        return other_than_before(self.state, action, follows)

    def _rests_on(self, action: PastAction) -> tuple[PastAction, ...]:
        """The undone actions that made what this action is about."""
        if not self._unmade:
            return ()
        made_by = {
            maker.first_seq: maker for thing in rested_on(action.events) if (maker := self._unmade.get(thing))
        }
        return tuple(made_by[seq] for seq in sorted(made_by))

    def _came_back(self, action: PastAction) -> bool:
        """Whether one of the redone actions is the same due command with the same events."""
        assert action.request is not None
        command = action.request.command
        return any(
            other.request is not None and other.request.command == command and facts_of(other) == facts_of(action)
            for other in self.restored
        )

    def _undo(self, action: PastAction, because: str, refusal: Rejection | None = None) -> None:
        if action.action_id not in self._to_redo:  # otherwise it is undone already
            self.to_undo.append(ActionToUndo(action, because, refusal, self._rests_on(action)))
            self._dice_by_action[action.action_id] = dice_after_undo.drawn_in(self.state.dice, action.events)
        self._newly_undone.add(action.action_id)
        self._unmade |= dict.fromkeys(born_in(action.action_id, action.events), action)

    def facts(
        self,
        action_id: ActionId,
        target: ActionId,
        reason: str | None,
        pointed_out: Sequence[tuple[PastAction, str]] = (),
    ) -> list[tuple[CampaignEvent, str]]:
        """The events of the undo or redo with their visibilities: an action's readers read of both.

        `pointed_out` are the actions that stand with another outcome, with their readers. The reason is in the
        event of the requested action only, which comes first: its readers read of the wish. Hidden amounts of an
        open action have an event of their own. Revealed actions are open to everyone. The event of an undo names
        the dice that it returns. Where a member had asked to undo an action that comes back, this is open again,
        with its reason.
        """
        restored = [self._as_readable(action) for action in self.restored]
        undoings = [structs.replace(undoing, action=self._as_readable(undoing.action)) for undoing in self.to_undo]
        undoings.sort(key=lambda undoing: undoing.action.action_id != target)
        draws = [(undoing.action, self._dice_by_action[undoing.action.action_id]) for undoing in undoings]
        back = dice_after_undo.handed_back(self.state, draws)

        def reason_of(action: PastAction, reader: str) -> str | None:
            return reason if action.action_id == target and reader == action.visibility else None

        redo_events = [
            (_redo_event(action, action_id, moves, reason_of(action, reader)), reader)
            for action in restored
            for reader, moves in _moves_by_reader(action)
        ]
        undo_events = [
            (_undo_event(undoing, action_id, moves, dice, reason_of(undoing.action, reader)), reader)
            for undoing in undoings
            for reader, moves, dice in _taken_back(undoing.action, back.get(undoing.action.action_id, []))
        ]
        affected_events = [
            (ActionAffected(action.action_id, action.command, action_id), reader) for action, reader in pointed_out
        ]
        return [*redo_events, *undo_events, *affected_events, *self._asked_again(restored)]

    def _asked_again(self, restored: Sequence[PastAction]) -> list[tuple[CampaignEvent, str]]:
        """The requests to undo these actions that were open when they were undone."""
        waiting = ((action, self.state.undone.get(action.action_id)) for action in restored)
        return [
            (self._request_again(action, before.requested_by), action.visibility)
            for action, before in waiting
            if before is not None and before.requested_by is not None
        ]

    def _request_again(self, action: PastAction, requested_by: AccountId) -> UndoRequested:
        reason = self._reasons_to_undo.get(action.action_id)
        return UndoRequested(action.action_id, action.command, requested_by, reason)

    def _as_readable(self, action: PastAction) -> PastAction:
        """The action with its present visibilities."""
        if action.action_id in self.state.revealed:
            return structs.replace(action, visibilities=["all"] * len(action.visibilities))
        stands_for = self.state.stands_for
        return structs.replace(action, visibilities=[as_now(each, stands_for) for each in action.visibilities])


def _moves_by_reader(action: PastAction) -> list[tuple[str, list[Posting]]]:
    """The amounts an action moved in the ledger, by their readers: first the action's own."""
    moves: dict[str, list[Posting]] = {action.visibility: []}
    for event, reader in zip(action.events, action.visibilities, strict=True):
        open_postings = postings(without_secrets(event))
        if open_postings:
            moves.setdefault(reader, []).extend(open_postings)
        if secret := [posting for posting in postings(event) if posting not in open_postings]:
            moves.setdefault("gm", []).extend(secret)  # it came from a secret of an event that others read
    return [*moves.items()]


def _taken_back(action: PastAction, dice: list[Die]) -> list[tuple[str, list[Posting], list[Die]]]:
    """The amounts an action moved, and those of its `dice` that come back, by their readers."""
    moves, dice_left = dict(_moves_by_reader(action)), {die.proof: die for die in dice}
    dice_by_reader: dict[str, list[Die]] = {}
    for event, reader in zip(action.events, action.visibilities, strict=True) if dice_left else ():
        proofs = {die.proof for die in dice_of([event])}
        if event_dice := [dice_left.pop(proof) for proof in [*dice_left] if proof in proofs]:
            dice_by_reader.setdefault(reader, []).extend(event_dice)
    return [
        (reader, moves.get(reader, []), dice_by_reader.get(reader, []))
        for reader in dict.fromkeys([*moves, *dice_by_reader])
    ]


def _redo_event(action: PastAction, redone_in: ActionId, moves: list[Posting], reason: str | None) -> ActionRedone:
    return ActionRedone(
        action_id=action.action_id,
        first_seq=action.first_seq,
        last_seq=action.last_seq,
        command=action.command,
        redone_in=redone_in,
        postings=moves,
        reason=reason,
    )


def _undo_event(
    undoing: ActionToUndo, undone_in: ActionId, moves: list[Posting], dice: list[Die], reason: str | None
) -> ActionUndone:
    action = undoing.action
    return ActionUndone(
        action_id=action.action_id,
        first_seq=action.first_seq,
        last_seq=action.last_seq,
        because=undoing.because,
        command=action.command,
        undone_in=undone_in,
        rolled_by=action.actor if dice_of(action.events) else None,
        reversals=[
            structs.replace(posting, debit=posting.credit, credit=posting.debit) for posting in reversed(moves)
        ],
        reason=reason,
        visibility=action.visibility,
        dice=dice_after_undo.as_named(dice) or UNSET,
        character=dice_after_undo.roller_in(map(without_secrets, action.events)) or UNSET,
    )


def check_target(state: CampaignState, target: PastAction) -> None:
    """Raise `already_undone` and `not_undoable`."""
    if target.action_id in state.undone:
        raise Stale("already_undone", "That action is already undone.")
    if not target.undoable:
        raise Stale(
            "not_undoable",
            "That cannot be undone. Membership, roles, reveals and who may undo have commands of their own.",
        )


def check_undone(state: CampaignState, target: PastAction) -> ActionId:
    """The action in which the target was undone. Raises `not_undone`."""
    undoing = state.undone.get(target.action_id)
    if undoing is None:
        raise Stale("not_undone", "That action is not undone.")
    return undoing.undone_in


def check_in_play(search: Search) -> None:
    """Raise `not_undoable` where the undo would remove something that has entered play, which is never undone."""
    if search.makers_in_play:
        raise Stale(
            "not_undoable",
            say(
                "Something made there has entered play since, and nobody can take that back: let it end by the "
                "rules instead."
            ),
        )


def check_extent(state: CampaignState, account: AccountId, search: Search) -> None:
    """Raise `too_many_consequences`, to players `not_possible_now`: some may be hidden from them."""
    if not search.is_beyond_bounds:
        return
    if state.members.get(account) != "gm":
        raise not_possible_now()
    raise Stale(
        "too_many_consequences",
        say(
            "More than {n} later actions would go with it or come out otherwise. Fork the campaign from a moment "
            "before it instead.",
            n=number(CONSEQUENCES_MAX),
        ),
    )


def check_asker(
    state: CampaignState, account: AccountId, target: PastAction, *, undone_by: AccountId | None = None
) -> None:
    """Raise a player's refusal regardless of consequences; GMs may undo anything.

    `undone_by`: the account that undid the action, for a redo. Raises `observers_only_read`, `undo_needs_gm`,
    `not_your_action`, `not_your_undo`.
    """
    role = state.members.get(account)
    if role == "gm":
        return
    if role == "observer":
        raise Forbidden("observers_only_read", "Observers read along; ask a GM to make you a player.")
    if settings_of(OWN, state.changed_settings).player_undo == "nothing":
        raise Forbidden("undo_needs_gm", "In this campaign only GMs undo: send an undo request.")
    if state.owner_of(target.actor) != account:
        raise Forbidden("not_your_action", "Players undo their own actions: send an undo request for this one.")
    if undone_by is not None and undone_by != account:
        raise Forbidden("not_your_undo", "Somebody else undid that: only they or a GM may redo it.")


def check_consequences(
    state: CampaignState, account: AccountId, target: PastAction, search: Search, *, later_own: bool
) -> None:
    """Raise a player's refusal because of consequences; GMs may undo anything.

    `later_own`: the same account has acted again since. Raises `not_your_last_action`, `server_dice_rolled`,
    `binding_by_the_rules`, `others_depend_on_it`, `not_your_action` where a redo would also redo another account's
    action, and `not_possible_now` where only something hidden stands against it.
    """
    if state.members.get(account) == "gm":
        return
    if settings_of(OWN, state.changed_settings).player_undo == "own_last" and later_own:
        raise Forbidden("not_your_last_action", "You have acted again since: send an undo request.")
    visible_undoings = [undoing for undoing in search.to_undo if _may_read(state, account, undoing.action)]
    if any(action.rolled_by_server for action in (target, *(undoing.action for undoing in visible_undoings))):
        raise Forbidden("server_dice_rolled", "The service rolled dice for that: send an undo request.")
    if any(undoing.action.binding for undoing in visible_undoings):
        raise Forbidden(
            "binding_by_the_rules", "The rules let nobody take that back any more: send an undo request."
        )
    if any(undoing.because == "depends" for undoing in visible_undoings):
        raise Forbidden("others_depend_on_it", "Later actions depend on that one: send an undo request.")
    actions = [undoing.action for undoing in search.to_undo]
    if any(action.rolled_by_server or action.binding for action in actions) or search.dependents:
        raise not_possible_now()
    of_others = [action for action in search.restored if state.owner_of(action.actor) not in (account, None)]
    if any(_may_read(state, account, action) for action in of_others):
        raise Forbidden("not_your_action", "Players undo their own actions: send an undo request for this one.")
    if of_others:
        raise not_possible_now()


def _may_read(state: CampaignState, account: AccountId, action: PastAction) -> bool:
    """Whether a player may read an action."""
    audience = standing_for(Audience(gm=False, account=account), state.stands_for)
    return may_see(action.visibility, audience) or action.action_id in state.revealed
