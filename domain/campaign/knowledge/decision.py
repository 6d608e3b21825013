"""Decides commands without leaking hidden information (invariant 23).

Before the first die, a command must be possible both as the asker knows the campaign and as it really is; so no
refusal depends on anything hidden, or on a face. Then dice are rolled, and nothing refuses any more. The
readers' events are decided on what those readers know; further consequences for hidden things are an action of
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
from domain.campaign.dice.trial_dice import OtherDiceWanted, SameDice, Twos
from domain.campaign.evolve import evolve_all
from domain.campaign.knowledge.audience_states import Knowledge, readers
from domain.campaign.secrecy.audience import Audience, without_secrets
from domain.campaign.secrecy.entrance import as_told_again, entered, entered_of, only_whole, things_named, told_in
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.subjects import is_born_in, subjects_in
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.ids import ActionId, SystemId
from domain.lifecycle_events import LifecycleEvent
from domain.mechanics.choose import explicit
from domain.mechanics.trial import FirstDie, NoDice
from domain.personal_text import personal_paths
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems import owner_of


class Decided(Struct, frozen=True):
    """One action: its command, its events with their visibilities, and its second of the campaign's calendar.

    `action_id` is None where it may have any new one.
    """

    command: Any
    events: list[Any]
    visibilities: list[str]
    game_time: int
    action_id: ActionId | None = None


class Decision(Struct, frozen=True):
    """The actions of an accepted command: `asked`, what enters play before it, and what `follows` it hidden."""

    asked: Decided
    entering: Sequence[Decided] = ()
    follows: Decided | None = None

    @property
    def events(self) -> list[Any]:
        """All events, in order."""
        after = [] if self.follows is None else self.follows.events
        return [*(event for each in self.entering for event in each.events), *self.asked.events, *after]


def decide(
    whole: CampaignState, knowledge: Knowledge, context: CommandContext, visibility: str, dice: Dice
) -> Decision:
    """Decide a command without leaking hidden information; returns its actions with each event's visibility.

    Raises what the campaign raises, as far as the asker can see, `not_possible_now` where only something hidden
    from the asker prevents the command, and `rests_on_hidden` where its events could not be told without telling
    of hidden things.
    """
    if isinstance(context.command, EnterPlay):
        return Table(whole, knowledge, context, visibility).entering()
    if not knowledge:
        events = aggregate.decide(whole, context, dice)
        return Decision(_decided(context.command, events, visibility, context.game_time))
    return Table(whole, knowledge, context, visibility).decided(dice)


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

    `whole` is the real campaign, `own` what the asker knows, and `told` what those of its readers know who know
    least. Each is copied before anything enters play in it.
    """

    def __init__(
        self, whole: CampaignState, knowledge: Knowledge, context: CommandContext, visibility: str
    ) -> None:
        self._knowledge = knowledge
        self._visibility = visibility
        self._whole = whole
        self._told = knowledge.of(readers(visibility), whole)
        self._own = knowledge.of(Audience(gm=context.is_gm, account=context.account), whole)
        self._now = whole.game_time
        self._asked = context

    def entering(self) -> Decision:
        """The entries into play of a hidden thing. Raises as `campaign.decide` does, and `not_hidden`."""
        events = aggregate.decide(self._own, self._asked, NoDice())
        if not any(_tells(each, events) for each in (self._told, *self._knowledge.by_audience.values())):
            raise Rejection("not_hidden", say("That is already in play: everybody who would read it knows of it."))
        if entered(self._told, self._asked.command.subject):
            events = as_told_again(events)
        told = self._open(events)
        self._told = _after(self._told, events)
        return Decision(told, [*self._all_entered(msgspec.to_builtins(events))])

    def decided(self, dice: Dice) -> Decision:
        """The actions of the command. Raises `Rejection`."""
        entering = [*self._enter()]
        self._require_possible()
        entering += self._enter()  # what the command left out and the asker meant
        refusal = self._refusal_on(self._told)
        if refusal is not None and not self._ends_tellably():
            return self._kept_from_readers(dice)
        fallen = SameDice(dice)
        in_truth = aggregate.decide(self._whole, self._asked, fallen)
        if self._told is self._whole:
            return Decision(self._open(in_truth), entering)
        told = None if refusal is not None else self._decided_on(self._told, fallen.again())
        besides = None if told is None else self._besides(in_truth, told)
        if besides is None and not fallen.any:
            besides = self._left_to_do(in_truth, told or [])
        if told is None or besides is None:
            if not fallen.any and not self._ends_tellably():
                return self._kept_from_readers(dice)
            told, besides = self._as_it_really_goes(in_truth)
        return Decision(self._open(told), entering, self._following(besides, fallen))

    def _besides(self, in_truth: list[Any], told: list[Any]) -> list[Any] | None:
        """The real events besides the told ones; None where both together do not lead to the real state."""
        besides = _besides(told, in_truth)
        if not besides or self._comes_to_the_same(in_truth, [*told, *besides]):
            return besides
        return None

    def _as_it_really_goes(self, in_truth: list[Any]) -> tuple[list[Any], list[Any]]:
        """The told events as they really are, and the hidden rest.

        Told are events about things that readers know, unless the real state could not be reached with these
        before the hidden ones: the end of a hidden test follows its roll.
        """
        is_tellable = self._tellable()
        told, besides = in_truth[:1], in_truth[1:]
        for each in in_truth[1:]:
            others = [other for other in besides if other is not each]
            if is_tellable(each) and self._comes_to_the_same(in_truth, [*told, each, *others]):
                told, besides = [*told, each], others
        return told, besides

    def _comes_to_the_same(self, in_truth: list[Any], otherwise: list[Any]) -> bool:
        # Compared as values: in which order a rule keeps what is over makes no difference to a reader.
        return bool(_after(self._whole, otherwise) == _after(self._whole, in_truth))

    def _left_to_do(self, in_truth: list[Any], told: list[Any]) -> list[Any] | None:
        """The hidden rest where a GM sets something that was really otherwise than readers know.

        Readers see it change from what they know; the hidden rest leads to the real state. None where the
        command is not of that kind: done twice, it gives another result.
        """
        if not told or self._own is not self._whole:
            return None
        left = self._decided_on(_after(self._whole, told), NoDice())
        done = [] if left is None else [in_truth, [*told, *left]]
        is_so = [self._decided_on(_after(self._whole, each), NoDice()) == [] for each in done]
        return left if is_so and all(is_so) else None

    def _ends_tellably(self) -> bool:
        """Whether the command only shows an end of which readers may know, whatever the dice."""
        system = owner_of(self._asked.command)
        if system is None or type(self._asked.command) not in system.shows_outcomes:
            return False
        in_truth = self._decided_on(self._whole, Twos())
        return in_truth is not None and all(map(self._tellable(), in_truth[:1]))

    def _tellable(self) -> Callable[[Any], bool]:
        """Whether an event, as readers will read it, names only what they know or what it creates."""
        known = encode_state(self._told)

        def names_only_known(event: Any) -> bool:
            named = subjects_in([without_secrets(event)])
            return all(f'"{each}"'.encode() in known or is_born_in(each, self._asked.action_id) for each in named)

        return names_only_known

    def _require_possible(self) -> None:
        """Raise what the asker may know of, and fill in what the command left out, as the asker knows things."""
        self._mean_all_that_readers_know()
        self._require(self._refusal_on(self._own))
        if self._asked.filled:
            instead = self._instead_of_hidden()
            meant = explicit(self._asked.command, self._asked.filled | instead)
            self._asked = structs.replace(self._asked, command=meant, filled={})
            self._require(self._refusal_on(self._own) if instead else None)
        if self._own is not self._whole and self._refusal_on(self._whole) is not None:
            raise not_possible_now()

    def _require(self, refusal: Rejection | None) -> None:
        if refusal is not None:
            raise refusal

    def _mean_all_that_readers_know(self) -> None:
        """Where the command means everyone by leaving it out, fill in all that readers know."""
        everybody = {name: each for name, each in self._as_readers_mean().items() if isinstance(each, list)}
        self._asked = structs.replace(self._asked, command=explicit(self._asked.command, everybody))

    def _as_readers_mean(self) -> dict[str, Any]:
        """What the command leaves out, as its readers understand it."""
        if self._told is self._own:
            return {}
        tried = structs.replace(self._at(self._told), filled={})
        with suppress(FirstDie, Rejection):
            aggregate.decide(self._told, tried, NoDice())
        return tried.filled

    def _instead_of_hidden(self) -> dict[str, Any]:
        """What readers understand by a left-out subject, where it would be one that they do not know."""
        known = encode_state(self._told)
        ids = {name: f'"{each}"'.encode() for name, each in self._asked.filled.items() if isinstance(each, str)}
        hidden = [name for name, each in ids.items() if each not in known]
        return {name: each for name, each in self._as_readers_mean().items() if name in hidden} if hidden else {}

    def _enter(self) -> Iterator[Decided]:
        """The entries of hidden things that an open command names to readers who do not know them."""
        if self._visibility != "all" or self._told is self._whole or self._asked.account is None:
            return
        if self._may_not():
            return
        yield from self._all_entered(_in_no_text(self._asked.command))

    def _may_not(self) -> bool:
        """Whether the asker may not give the command, and so brings nothing into play."""
        try:
            aggregate.decide(self._with_dice(self._own), structs.replace(self._at(self._own), filled={}), NoDice())
        except Forbidden:
            return True
        except (FirstDie, Rejection):
            return False
        return False

    def _entered(self, subject: str, system: SystemId) -> Iterator[Decided]:
        """The entries of a thing and then of everything hidden that it names, such as its pilot."""
        action_id = ActionId(uuid5(self._asked.action_id, subject))
        events = told_in(entered_of(self._own, system, subject), action_id)
        whole, own = _after(self._whole, events), self._own
        self._own = whole if own is self._whole else _after(own, events)
        self._whole, self._told = whole, _after(self._told, events)
        entering = _decided(EnterPlay(subject), events, self._visibility, self._at(self._told).game_time)
        yield structs.replace(entering, action_id=action_id)
        yield from self._all_entered(msgspec.to_builtins(events))

    def _all_entered(self, plain: Any) -> Iterator[Decided]:
        """The entries of everything in plain data that is hidden from readers."""
        known = encode_state(self._own)
        for name in sorted({*things_named(plain)}):
            if f'"{name}"'.encode() in known and (system := only_whole(self._own, self._told, name)) is not None:
                yield from self._entered(name, system)

    def _kept_from_readers(self, dice: Dice) -> Decision:
        """The events that cannot be told without hidden things, hidden; raises unless the campaign asks."""
        if self._asked.account is None:
            fallen = SameDice(dice)
            hidden = decide(self._whole, self._knowledge, self._asked, "gm", fallen)
            return structs.replace(hidden, asked=self._as_known(hidden.asked, fallen))
        raise not_possible_now() if self._own is self._told else _rests_on_hidden()

    def _open(self, events: list[Any]) -> Decided:
        return _decided(self._asked.command, events, self._visibility, self._at(self._told).game_time)

    def _following(self, besides: list[Any], fallen: SameDice) -> Decided | None:
        """The hidden follow-up, each event with the visibility of those who may know of it."""
        if not besides:
            return None
        follows = FollowHidden(of=self._asked.action_id)
        return self._as_known(_decided(follows, besides, "gm", self._at(self._told).game_time), fallen)

    def _as_known(self, hidden: Decided, fallen: SameDice) -> Decided:
        """Hidden events: where one or two accounts know of them, for these and as these know them."""
        known = {
            audience: [
                (_without_what_people_saw(each), each) for each in self._decided_on(state, fallen.again()) or []
            ]
            for audience, state in self._knowledge.by_audience.items()
            if audience.account is not None
        }
        events, visibilities = [], []
        for event in hidden.events:
            same = _without_what_people_saw(event)
            theirs = {who: each for who, told in known.items() for alike, each in told if alike == same}
            who = _all_of(theirs)
            events.append(event if who is None else theirs[who])
            visibilities.append("gm" if who is None else who.key)
        return structs.replace(hidden, events=events, visibilities=visibilities)

    def _at(self, known: CampaignState) -> CommandContext:
        """The context at the campaign time of a state; a due command keeps its own moment."""
        if self._asked.game_time != self._now:
            return self._asked
        return structs.replace(self._asked, game_time=known.game_time)

    def _with_dice(self, known: CampaignState) -> CampaignState:
        """A state with the real count of dice, which is no knowledge of an audience."""
        return known if known is self._whole else structs.replace(known, dice=self._whole.dice)

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


def _decided(command: Any, events: list[Any], visibility: str, game_time: int) -> Decided:
    return Decided(command, events, [visibility] * len(events), game_time)


def _all_of(knowing: Collection[Audience]) -> Audience | None:
    """The audience of all these accounts; None where there is none, or more than two."""
    accounts = {each.account for each in knowing if each.with_account is None}
    return next((each for each in knowing if accounts <= {each.account, each.with_account}), None)


def _after(state: CampaignState, events: list[Any]) -> CampaignState:
    """A copy of the campaign after these events."""
    return evolve_all(decode_state(encode_state(state)), events)


def _tells(known: CampaignState, events: list[Any]) -> bool:
    """Whether these events change the state."""
    return encode_state(_after(known, events)) != encode_state(known)


def _in_no_text(command: Any) -> Any:
    """A command as plain data without personal texts."""
    said = {path[0] for path in personal_paths(type(command))}
    fields: dict[str, Any] = msgspec.to_builtins(command)
    return {name: part for name, part in fields.items() if name not in said}


def _besides(told: list[Any], in_truth: list[Any]) -> list[Any] | None:
    """The real events besides all the told ones; None where the two diverge.

    What systems add to a campaign event may differ: a session begins with the pilots that an audience knows.
    """
    if not told and in_truth:
        return None
    rest = iter(in_truth)
    besides: list[Any] = []
    for nth, event in enumerate(told):
        for other in rest:
            if _without_what_people_saw(other) == _without_what_people_saw(event):
                break
            besides.append(other)
        else:
            return [] if nth > 0 and isinstance(told[0], LifecycleEvent) and told[:1] == in_truth[:1] else None
    return [*besides, *rest]


def _without_what_people_saw(event: Any) -> Any:
    merely_seen = getattr(event, "merely_seen", ())
    seen = {name: None for name in event.__struct_fields__ if name.endswith("_after") or name in merely_seen}
    return structs.replace(event, **seen) if seen else event
