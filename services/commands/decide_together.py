"""Decides several commands of one member as one action: each on the campaign after those before it, or none."""

from collections.abc import Sequence
from typing import Any

from msgspec import structs

from domain.campaign.command_request import FurtherCommand, GroupRequest
from domain.campaign.commands import EndDiceEpoch, ProveHiddenRoll, RevealAction, RevealHiddenDice, RollDice
from domain.campaign.due_commands import due_commands, is_due
from domain.campaign.knowledge.decision_by_audience import not_possible_now
from domain.campaign.messages.undo import DeclineUndo, RequestUndo
from domain.campaign.recorded_action import CAUSED, can_be_undone
from domain.campaign.secrecy.audience import GM, Audience
from domain.campaign.state import CampaignState
from domain.dice import TableDice
from domain.dice.dice_in_events import dice_of
from domain.ids import ActionId, group_id, part_id
from domain.rejection import Rejection
from domain.sentences import say
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from services.ports.clock_and_randomness import DiceSource, Entropy

ALONE = (RevealAction, RequestUndo, DeclineUndo, EndDiceEpoch, RevealHiddenDice, ProveHiddenRoll)
"""Commands about other actions, and about the seeds of dice: each is an action of its own."""

WHATEVER_FELL = (RollDice,)
"""Commands that are possible or not whatever was rolled before: only they may follow a roll."""


def decide_together(
    command: PendingCommand, loaded: LoadedCampaign, at: int, dice: DiceSource, entropy: Entropy
) -> list[UnsealedAction]:
    """The actions of several commands, of which one holds them all; the campaign is not changed.

    Entries into play come before it, hidden consequences after it. Raises `Rejection`, with the number of the
    command that is refused.
    """
    command.action_id = group_id(command.action_id)
    group = _Group(command, loaded, at, dice, entropy)
    commands = command.request.command.commands
    for nth, wish in enumerate(commands):
        try:
            group.add(wish, is_last=nth == len(commands) - 1)
        except Rejection as refusal:
            refusal.details["command_number"] = nth + 1
            raise
    group.require_dice_used()
    return group.actions()


class _Group:
    def __init__(
        self, command: PendingCommand, loaded: LoadedCampaign, at: int, dice: DiceSource, entropy: Entropy
    ) -> None:
        self._asked = command
        self._before = loaded
        self._loaded = loaded.copy()
        self._at = at
        self._dice = dice
        self._entropy = entropy
        typed = command.request.dice
        self._typed = None if typed is None else _SharedDice(typed)
        self._parts: list[UnsealedAction] = []
        self._dice_of_parts: list[list[tuple[int, int]] | None] = []
        self._entering: list[UnsealedAction] = []
        self._following: list[UnsealedAction] = []
        self._has_rolled = False

    def add(self, wish: Any, *, is_last: bool) -> None:
        """Decide one more command. Raises `Rejection`."""
        if isinstance(wish, ALONE):
            raise _not_together()
        nth = len(self._parts)
        if self._has_rolled and not isinstance(wish, WHATEVER_FELL):
            raise _rolls_come_last()
        request = structs.replace(
            self._asked.request, command=wish, note=None if nth else self._asked.request.note
        )
        part = structs.replace(
            self._asked,
            request=request,
            action_id=part_id(self._asked.action_id, nth),
            if_match=None if nth else self._asked.if_match,
            choice=None if nth else self._asked.choice,
            typed=self._typed,
        )
        used = 0 if self._typed is None else self._typed.used
        actions = decide_command(part, self._loaded, self._at, self._dice, self._entropy)
        self._asked.language = part.language
        self._take(actions, part.action_id)
        self._dice_of_parts.append(None if self._typed is None else self._typed.taken_since(used))
        if not is_last:
            self._require_nothing_in_between()

    def require_dice_used(self) -> None:
        """Raise `dice_mismatch` unless every die that was sent was used."""
        if self._typed is not None:
            self._typed.require_all_used()

    def actions(self) -> list[UnsealedAction]:
        """The group as one action, with the entries before it and the hidden consequences after it."""
        first, *others = self._parts
        events, visibilities = [*first.events], [*first.visibilities]
        follow = []
        for part, dice in zip(others, self._dice_of_parts[1:], strict=True):
            if part.events:
                follow.append(FurtherCommand(part.request.command, len(events), dice))
                events += part.events
                visibilities += part.visibilities
        request = GroupRequest(
            first.request.command,
            self._dice_of_parts[0],
            first.request.note,
            first.request.visibility,
            follow=follow,
        )
        seeds = next((part.seeds for part in self._parts if part.seeds is not None), None)
        draft = structs.replace(first.draft, action_id=self._asked.action_id)
        whole = UnsealedAction(draft, request if follow else first.request, events, visibilities, seeds)
        is_mixed = len({part.draft.visibility for part in self._parts}) > 1
        if len(self._parts) > 1 and (is_mixed or not all(map(can_be_undone, events))):
            raise _not_together()
        actions = [*self._entering, whole, *self._follow_up()]
        if self._entering or self._following:
            self._require_same_outcome(actions)
        return actions

    def _take(self, actions: Sequence[UnsealedAction], part: ActionId) -> None:
        """Apply what one command brought."""
        place = next(nth for nth, action in enumerate(actions) if action.draft.action_id == part)
        self._entering += actions[:place]
        self._parts.append(actions[place])
        self._following += actions[place + 1 :]
        for action in actions:
            self._loaded.advance(action)
            self._has_rolled |= self._typed is None and any(
                die.origin == "server" for die in dice_of(action.events)
            )

    def _require_nothing_in_between(self) -> None:
        """Raise `due_before_the_rest` where something is due, as far as the asker knows, before the next command.

        After a roll, this would depend on its dice; then it follows the whole group.
        """
        account = self._asked.account
        is_gm = account is not None and self._before.state.members.get(account) == "gm"
        asker = Audience(gm=is_gm, account=account)
        then = self._known_to(asker, self._loaded)
        moves = self._loaded.state.game_time != self._before.state.game_time
        if self._has_rolled:
            return
        if moves or any(is_due(due_command, then.game_time, None) for due_command in due_commands(then)):
            raise Rejection(
                "due_before_the_rest",
                say("After this, time goes on or something is due: give the rest by itself."),
            )

    def _follow_up(self) -> list[UnsealedAction]:
        """The hidden consequences of all commands, as one action."""
        if not self._following:
            return []
        first, *others = self._following
        follows = structs.replace(first.request.command, of=self._asked.action_id)
        return [
            structs.replace(
                first,
                draft=structs.replace(first.draft, cause=f"{CAUSED}{self._asked.action_id}"),
                request=structs.replace(first.request, command=follows),
                events=[*first.events, *(event for other in others for event in other.events)],
                visibilities=[*first.visibilities, *(who for other in others for who in other.visibilities)],
            )
        ]

    def _require_same_outcome(self, actions: Sequence[UnsealedAction]) -> None:
        """Raise `not_possible_now` where entries before and consequences after all commands make a difference."""
        stored = self._before.copy()
        for action in actions:
            stored.advance(action)
        audiences = {*stored.knowledge.by_audience, *self._loaded.knowledge.by_audience, GM}
        for audience in audiences:
            if self._known_to(audience, stored) != self._known_to(audience, self._loaded):
                raise not_possible_now()

    def _known_to(self, audience: Audience, loaded: LoadedCampaign) -> CampaignState:
        return loaded.knowledge.of(audience, loaded.state)


class _SharedDice(TableDice):
    """Dice of the table for several commands: each takes its own from those that are left."""

    @property
    def used(self) -> int:
        """The number of dice that were taken so far."""
        return self._used

    def taken_since(self, used: int) -> list[tuple[int, int]]:
        """The dice that were taken after the first `used`."""
        return [*self._dice[used : self._used]]

    def finish(self) -> None:
        """Do nothing: the next command may take those that are left."""

    def require_all_used(self) -> None:
        """Raise `dice_mismatch` unless every die was taken."""
        super().finish()


def _not_together() -> Rejection:
    return Rejection(
        "not_together",
        say("Commands about other actions, and those that cannot be undone, are given by themselves."),
    )


def _rolls_come_last() -> Rejection:
    return Rejection(
        "rolls_come_last",
        say("The service rolls after everything else is certain: put the roll last."),
    )
