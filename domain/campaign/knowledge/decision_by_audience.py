"""Decides commands without leaking hidden information (invariant 23).

Before the first die, a command must be possible both as the asker knows the campaign and as it really is; so no
refusal depends on anything hidden, or on a face. Then dice are rolled, and nothing refuses any more. The
readers' events are decided on those readers' knowledge; further consequences for hidden things are an action of
their own, and so is the entry into play of a hidden thing that an open command names.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any
from uuid import uuid5

import msgspec
from msgspec import Struct, structs

from domain.campaign import aggregate
from domain.campaign.commands import EnterPlay, FollowHidden
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, SameDice, Twos
from domain.campaign.evolve import evolve_all
from domain.campaign.knowledge.audience_states import Knowledge, readers
from domain.campaign.secrecy.audience import GM, Audience, may_see, without_secrets
from domain.campaign.secrecy.entrance import (
    as_told_again,
    entrance_events,
    entrance_events_of,
    only_whole,
    things_named,
    told_in,
)
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.subjects import is_born_in, subjects_in
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import ActionId, SystemId
from domain.lifecycle_events import LifecycleEvent
from domain.mechanics.acceptable_commands import FirstDie, NoDice
from domain.mechanics.omitted_ids import explicit
from domain.personal_text import personal_paths
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems import owner_of


class DecidedAction(Struct, frozen=True):
    """One action: its command, its events with their visibilities, and its second of the campaign's calendar.

    `action_id` is None where it may have any new one.
    """

    command: Any
    events: list[Any]
    visibilities: list[str]
    game_time: int
    action_id: ActionId | None = None


class Decision(Struct, frozen=True):
    """The actions of an accepted command: `main`, entries into play before it, and a hidden one that `follows`."""

    main: DecidedAction
    entering: Sequence[DecidedAction] = ()
    follows: DecidedAction | None = None

    @property
    def events(self) -> list[Any]:
        """All events, in order."""
        if self.follows is None and not self.entering:
            return self.main.events  # as is usual
        after = [] if self.follows is None else self.follows.events
        return [*(event for action in self.entering for event in action.events), *self.main.events, *after]


def decide(
    whole: CampaignState, knowledge: Knowledge, context: CommandContext, visibility: str, dice: Dice
) -> Decision:
    """Decide a command without leaking hidden information; returns its actions with each event's visibility.

    Raises the refusals of the campaign, as far as the asker can see, `not_possible_now` where only something
    hidden from the asker prevents the command, and `rests_on_hidden` where its events could not be told without
    telling of hidden things.
    """
    if isinstance(context.command, EnterPlay):
        return Table(whole, knowledge, context, visibility).entering()
    if not knowledge:
        events = aggregate.decide(whole, context, dice)
        return Decision(_action_of(context.command, events, visibility, context.game_time))
    return Table(whole, knowledge, context, visibility).outcome(dice)


def not_possible_now() -> Rejection:
    """The rejection where only something hidden from the asker prevents a command."""
    return Rejection("not_possible_now", say("That cannot be done right now."))


def _rests_on_hidden() -> Rejection:
    return Rejection(
        "rests_on_hidden",
        say(
            "This rests on something that not everybody who would read it knows: ask for it hidden too, or "
            "reveal that first."
        ),
    )


class Table:
    """One command where not all audiences know the same.

    `whole` is the real campaign, `own` the asker's knowledge of it, and `common` that of its readers who know
    least. Each is copied before anything enters play in it.
    """

    def __init__(
        self, whole: CampaignState, knowledge: Knowledge, context: CommandContext, visibility: str
    ) -> None:
        self._knowledge = knowledge
        self._visibility = visibility
        self._whole = whole
        self._common = knowledge.of(readers(visibility), whole)
        self._own = knowledge.of(Audience(gm=context.is_gm, account=context.account), whole)
        self._now = whole.game_time
        self._context = context

    def entering(self) -> Decision:
        """The entries into play of a hidden thing. Raises as `campaign.decide` does, and `not_hidden`."""
        events = aggregate.decide(self._own, self._context, NoDice())
        if not any(_tells(state, events) for state in (self._common, *self._knowledge.by_audience.values())):
            raise Rejection("not_hidden", say("That is already in play: everybody who would read it knows of it."))
        if entrance_events(self._common, self._context.command.subject):
            events = as_told_again(events)
        action = self._open(events)
        self._common = _after(self._common, events)
        return Decision(action, [*self._all_entered(msgspec.to_builtins(events))])

    def outcome(self, dice: Dice) -> Decision:
        """The actions of the command. Raises `Rejection`."""
        entering = [*self._enter()]
        self._require_possible()
        entering += self._enter()  # the fields that the command left out, as the asker meant them
        refusal = self._refusal_on(self._common)
        if refusal is not None and not self._ends_tellably():
            return self._kept_from_readers(dice)
        same_dice = SameDice(dice)
        in_truth = aggregate.decide(self._whole, self._context, same_dice)
        if self._common is self._whole:
            return Decision(self._open(in_truth), entering)
        open_events = None if refusal is not None else self._decided_on(self._common, same_dice.again())
        besides = None if open_events is None else self._besides(in_truth, open_events)
        if open_events and besides is None and not same_dice.any:
            left = self._left_to_do(in_truth, open_events, entering)
            if left is not None:
                return Decision(self._open(open_events), entering, left if left.events else None)
        if open_events is None or besides is None:
            if not same_dice.any and not self._ends_tellably():
                return self._kept_from_readers(dice)
            open_events, besides = self._as_it_really_goes(in_truth)
        return Decision(self._open(open_events), entering, self._following(besides, open_events, same_dice))

    def _besides(self, in_truth: list[Any], open_events: list[Any]) -> list[Any] | None:
        """The real events besides the told ones; None where both together do not lead to the real state."""
        besides = _besides(open_events, in_truth)
        if not besides or self._comes_to_the_same(in_truth, [*open_events, *besides]):
            return besides
        return None

    def _as_it_really_goes(self, in_truth: list[Any]) -> tuple[list[Any], list[Any]]:
        """The told events as they really are, and the hidden rest.

        Told are events about things that readers know, unless the real state could not be reached with these
        before the hidden ones: the end of a hidden test follows its roll.
        """
        is_tellable = self._tellable()
        open_events, besides = in_truth[:1], in_truth[1:]
        for event in in_truth[1:]:
            others = [other for other in besides if other is not event]
            if is_tellable(event) and self._comes_to_the_same(in_truth, [*open_events, event, *others]):
                open_events, besides = [*open_events, event], others
        return open_events, besides

    def _comes_to_the_same(self, in_truth: list[Any], otherwise: list[Any]) -> bool:
        # Compared as values: in which order a rule keeps what is over makes no difference to a reader.
        return bool(_after(self._whole, otherwise) == _after(self._whole, in_truth))

    def _left_to_do(
        self, in_truth: list[Any], open_events: list[Any], entering: list[DecidedAction]
    ) -> DecidedAction | None:
        """The hidden rest, perhaps without events, where a GM sets a value of which readers knew another one.

        Readers see it change from the value they knew; those who know more see the rest from there. GMs come last:
        their rest leads to the real state. None for other kinds of commands, which give another result when they
        are done twice.
        """
        if self._own is not self._whole:
            return None
        rest = DecidedAction(FollowHidden(of=self._context.action_id), [], [], self._at(self._common).game_time)
        openly = [*(event for past in entering for event in past.events), *open_events]
        for audience, known in self._knowing_more():
            self._leave_to_do(rest, audience, _after(known, openly))
        self._leave_to_do(rest, GM, _after(self._whole, open_events))
        ends = [_after(self._whole, each) for each in (in_truth, [*open_events, *rest.events])]
        return rest if all(self._decided_on(each, NoDice()) == [] for each in ends) else None

    def _leave_to_do(self, rest: DecidedAction, audience: Audience, known: CampaignState) -> None:
        """Add the rest for an audience, after the rest for others that it reads as well."""
        read = zip(rest.events, rest.visibilities, strict=True)
        known = evolve_all(known, [each for each, visibility in read if may_see(visibility, audience)])
        left = self._decided_on(known, NoDice()) or []
        rest.events.extend(left)
        rest.visibilities.extend([audience.key] * len(left))

    def _knowing_more(self) -> list[tuple[Audience, CampaignState]]:
        """Pairs of accounts, and then accounts, that know things of their own and read the command."""
        private = [each for each in self._knowledge.by_audience.items() if each[0].account is not None]
        pairs_first = sorted(private, key=lambda each: each[0].with_account is None)
        return [each for each in pairs_first if may_see(self._visibility, each[0])]

    def _ends_tellably(self) -> bool:
        """Whether the command only shows an end of which readers may know, with any dice."""
        system = owner_of(self._context.command)
        if system is None or type(self._context.command) not in system.shows_outcomes:
            return False
        in_truth = self._decided_on(self._whole, Twos())
        return in_truth is not None and all(map(self._tellable(), in_truth[:1]))

    def _tellable(self) -> Callable[[Any], bool]:
        """Whether an event, as readers will read it, names only things that they know or that it creates."""
        state_bytes = encode_state(self._common)

        def names_only_known(event: Any) -> bool:
            subjects = subjects_in([without_secrets(event)])
            return all(
                f'"{subject}"'.encode() in state_bytes or is_born_in(subject, self._context.action_id)
                for subject in subjects
            )

        return names_only_known

    def _require_possible(self) -> None:
        """Raise the refusals that the asker may know of, and fill in the fields left out, as they know things."""
        self._mean_all_that_readers_know()
        self._require(self._refusal_on(self._own))
        if self._context.filled:
            instead = self._instead_of_hidden()
            command = explicit(self._context.command, self._context.filled | instead)
            self._context = structs.replace(self._context, command=command, filled={})
            self._require(self._refusal_on(self._own) if instead else None)
        if self._own is not self._whole and self._refusal_on(self._whole) is not None:
            raise not_possible_now()

    def _require(self, refusal: Rejection | None) -> None:
        if refusal is not None:
            raise refusal

    def _mean_all_that_readers_know(self) -> None:
        """Where the command means everyone by leaving it out, fill in all that readers know."""
        everybody = {name: ids for name, ids in self._as_readers_mean().items() if isinstance(ids, list)}
        self._context = structs.replace(self._context, command=explicit(self._context.command, everybody))

    def _as_readers_mean(self) -> dict[str, Any]:
        """The fields that the command leaves out, as its readers understand them."""
        if self._common is self._own:
            return {}
        tried = structs.replace(self._at(self._common), filled={})
        with suppress(FirstDie, Rejection):
            aggregate.decide(self._common, tried, NoDice())
        return tried.filled

    def _instead_of_hidden(self) -> dict[str, Any]:
        """A left-out subject as readers understand it, where it would be one that they do not know."""
        state_bytes = encode_state(self._common)
        ids = {name: f'"{id_}"'.encode() for name, id_ in self._context.filled.items() if isinstance(id_, str)}
        hidden_names = [name for name, id_bytes in ids.items() if id_bytes not in state_bytes]
        return (
            {name: meaning for name, meaning in self._as_readers_mean().items() if name in hidden_names}
            if hidden_names
            else {}
        )

    def _enter(self) -> Iterator[DecidedAction]:
        """The entries of hidden things that an open command names to readers who do not know them."""
        if self._visibility != "all" or self._common is self._whole or self._context.account is None:
            return
        if self._may_not():
            return
        yield from self._all_entered(_in_no_text(self._context.command))

    def _may_not(self) -> bool:
        """Whether the asker may not give the command, and so brings nothing into play."""
        try:
            aggregate.decide(self._with_dice(self._own), structs.replace(self._at(self._own), filled={}), NoDice())
        except Forbidden:
            return True
        except (FirstDie, Rejection):
            return False
        return False

    def _enter_thing(self, subject: str, system: SystemId) -> Iterator[DecidedAction]:
        """The entries of a thing and then of everything hidden that it names, such as its pilot."""
        action_id = ActionId(uuid5(self._context.action_id, subject))
        events = told_in(entrance_events_of(self._own, system, subject), action_id)
        whole, own = _after(self._whole, events), self._own
        self._own = whole if own is self._whole else _after(own, events)
        self._whole, self._common = whole, _after(self._common, events)
        entering = _action_of(EnterPlay(subject), events, self._visibility, self._at(self._common).game_time)
        yield structs.replace(entering, action_id=action_id)
        yield from self._all_entered(msgspec.to_builtins(events))

    def _all_entered(self, plain: Any) -> Iterator[DecidedAction]:
        """The entries of everything in plain data that is hidden from readers."""
        state_bytes = encode_state(self._own)
        for name in sorted({*things_named(plain)}):
            if (
                f'"{name}"'.encode() in state_bytes
                and (system := only_whole(self._own, self._common, name)) is not None
            ):
                yield from self._enter_thing(name, system)

    def _kept_from_readers(self, dice: Dice) -> Decision:
        """The events that cannot be told without hidden things, hidden; raises unless the campaign asks."""
        if self._context.account is None:
            same_dice = SameDice(dice)
            decision = decide(self._whole, self._knowledge, self._context, "gm", same_dice)
            return structs.replace(decision, main=self._as_known(decision.main, same_dice))
        raise not_possible_now() if self._own is self._common else _rests_on_hidden()

    def _open(self, events: list[Any]) -> DecidedAction:
        return _action_of(self._context.command, events, self._visibility, self._at(self._common).game_time)

    def _following(self, besides: list[Any], told: list[Any], same_dice: SameDice) -> DecidedAction | None:
        """The hidden follow-up, each event with the visibility of those who may know of it."""
        if not besides:
            return None
        follows = FollowHidden(of=self._context.action_id)
        return self._as_known(
            _action_of(follows, besides, "gm", self._at(self._common).game_time), same_dice, told
        )

    def _as_known(self, action: DecidedAction, same_dice: SameDice, told: Sequence[Any] = ()) -> DecidedAction:
        """Hidden events: where one or two accounts know of them, for these and as these know them.

        `told` are those that all of them read already.
        """
        known_events = {
            audience: _more_than(told, self._decided_on(state, same_dice.again()) or [])
            for audience, state in self._knowledge.by_audience.items()
            if audience.account is not None
        }
        events, visibilities = [], []
        for event in action.events:
            same = _without_what_people_saw(event)
            theirs = {who: event for who, pairs in known_events.items() for alike, event in pairs if alike == same}
            who = _all_of(theirs)
            events.append(event if who is None else theirs[who])
            visibilities.append("gm" if who is None else who.key)
        return structs.replace(action, events=events, visibilities=visibilities)

    def _at(self, state: CampaignState) -> CommandContext:
        """The context at the campaign time of a state; a due command keeps its own moment."""
        if self._context.game_time != self._now:
            return self._context
        return structs.replace(self._context, game_time=state.game_time)

    def _with_dice(self, state: CampaignState) -> CampaignState:
        """A state with the real count of dice, which is no knowledge of an audience."""
        return state if state is self._whole else structs.replace(state, dice=self._whole.dice)

    def _refusal_on(self, state: CampaignState) -> Rejection | None:
        """The refusal of the command on that state before the first die, if any."""
        try:
            aggregate.decide(self._with_dice(state), self._at(state), NoDice())
        except FirstDie:
            return None
        except Rejection as refusal:
            return refusal
        return None

    def _decided_on(self, state: CampaignState, dice: Dice) -> list[Any] | None:
        """The events of the command on that state; None where it differs from the real ones."""
        try:
            return aggregate.decide(self._with_dice(state), self._at(state), dice)
        except (FirstDie, OtherDiceWanted, Rejection):
            return None


def _action_of(command: Any, events: list[Any], visibility: str, game_time: int) -> DecidedAction:
    return DecidedAction(command, events, [visibility] * len(events), game_time)


def _all_of(knowing: Collection[Audience]) -> Audience | None:
    """The audience of all these accounts; None where there is none, or more than two."""
    accounts = {audience.account for audience in knowing if audience.with_account is None}
    return next((audience for audience in knowing if accounts <= {audience.account, audience.with_account}), None)


def _after(state: CampaignState, events: list[Any]) -> CampaignState:
    """A copy of the campaign after these events."""
    return evolve_all(decode_state(encode_state(state)), events)


def _tells(state: CampaignState, events: list[Any]) -> bool:
    """Whether these events change the state."""
    return encode_state(_after(state, events)) != encode_state(state)


def _in_no_text(command: Any) -> Any:
    """A command as plain data without personal texts."""
    text_fields = {path[0] for path in personal_paths(type(command))}
    fields: dict[str, Any] = msgspec.to_builtins(command)
    return {name: part for name, part in fields.items() if name not in text_fields}


def _besides(open_events: list[Any], in_truth: list[Any]) -> list[Any] | None:
    """The real events besides all the told ones; None where the two diverge.

    The events that systems add to a campaign event may differ: a session begins with the pilots that an audience
    knows.
    """
    if not open_events and in_truth:
        return None
    rest = iter(in_truth)
    besides: list[Any] = []
    for nth, event in enumerate(open_events):
        for other in rest:
            if _without_what_people_saw(other) == _without_what_people_saw(event):
                break
            besides.append(other)
        else:
            return (
                []
                if nth > 0 and isinstance(open_events[0], LifecycleEvent) and open_events[:1] == in_truth[:1]
                else None
            )
    return [*besides, *rest]


def _more_than(told: Sequence[Any], events: list[Any]) -> list[tuple[Any, Any]]:
    """The events besides the told ones, in any order, each with and without the fields that people saw."""
    more = [(_without_what_people_saw(each), each) for each in events]
    for each in map(_without_what_people_saw, told):
        same = next((nth for nth, (alike, _) in enumerate(more) if alike == each), None)
        if same is not None:
            del more[same]
    return more


def _without_what_people_saw(event: Any) -> Any:
    merely_seen = getattr(event, "merely_seen", ())
    blanks = {name: None for name in event.__struct_fields__ if name.endswith("_after") or name in merely_seen}
    return structs.replace(event, **blanks) if blanks else event
