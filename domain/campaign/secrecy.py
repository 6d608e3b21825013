"""Deciding without giving anything away (invariant 23): the truth decides, and all are told what they may know.

Before the first die, a command must be possible as whoever asked knows the campaign, and as things really are; so
no refusal tells of anything hidden, and none depends on a face. Then dice fall, and nothing refuses any more. What
is told is what follows for those who will read it; what follows besides for hidden things is an action of its own,
and so is the entering of something hidden that an open command names.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import filterfalse
from typing import Any, Never
from uuid import uuid5

import msgspec
from msgspec import Struct, structs

from domain.asked import Asked
from domain.campaign import campaign
from domain.campaign.commands import EnterPlay, FollowHidden
from domain.campaign.entering import only_whole, told_in
from domain.campaign.evolve import evolve
from domain.campaign.knowledge import Knowledge, readers
from domain.campaign.snapshot import freeze, thaw
from domain.campaign.state import CampaignState
from domain.campaign.subjects import is_born_in, subjects_in
from domain.campaign.visibility import Audience, without_secrets
from domain.dice import Dice, Die
from domain.ids import ActionId, SystemId
from domain.mechanics.choose import explicit
from domain.moments import Moment
from domain.rejection import Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of

ACCOUNTS_NAMED_MAX = 2
"""So many accounts may be shown what the table is not."""


class Decided(Struct, frozen=True):
    """One action: its command, its events with who may read each, and its second of the campaign's calendar.

    `action_id` is None where it may have any that is new.
    """

    command: Any
    events: list[Any]
    visibilities: list[str]
    game_time: int
    action_id: ActionId | None = None


class Decision(Struct, frozen=True):
    """What an accepted command makes happen: `asked`, what enters play before it, and what `follows` it hidden."""

    asked: Decided
    entering: Sequence[Decided] = ()
    follows: Decided | None = None

    @property
    def events(self) -> list[Any]:
        """All events, in order."""
        after = [] if self.follows is None else self.follows.events
        return [*(event for each in self.entering for event in each.events), *self.asked.events, *after]


def decide(whole: CampaignState, knowledge: Knowledge, asked: Asked, visibility: str, dice: Dice) -> Decision:
    """What a command makes happen, for whom; or a `Rejection` that tells whoever asked nothing new.

    Refuses, besides what the campaign refuses, `not_possible_now` where only what is hidden from whoever asks
    stands against it, and `rests_on_hidden` where it could only be told by telling of what is hidden.
    """
    if isinstance(asked.command, EnterPlay):
        return Decision(Table(whole, knowledge, asked, visibility).entering())
    if not knowledge:
        events = campaign.decide(whole, asked, dice)
        return Decision(_decided(asked.command, events, visibility, asked.game_time))
    return Table(whole, knowledge, asked, visibility).decided(dice)


def not_possible_now() -> Rejection:
    """The refusal of what only something hidden from whoever asks stands against."""
    return Rejection("not_possible_now", say("That cannot be done now, for reasons that are not yours to know."))


def _rests_on_hidden() -> Rejection:
    return Rejection(
        "rests_on_hidden",
        say(
            "This rests on something that not everybody who would read it knows: ask for it hidden too, or "
            "reveal that first."
        ),
    )


class Table:
    """One command where not everybody knows the same.

    `whole` is how things really are, `own` what whoever asks knows, and `told` what those know who will read of it
    and know least. Each becomes a copy before anything enters play in it.
    """

    def __init__(self, whole: CampaignState, knowledge: Knowledge, asked: Asked, visibility: str) -> None:
        self._knowledge = knowledge
        self._visibility = visibility
        self._whole = whole
        self._told = knowledge.of(readers(visibility), whole)
        self._own = knowledge.of(Audience(gm=asked.is_gm, account=asked.account), whole)
        self._now = whole.game_time
        self._asked = asked

    def entering(self) -> Decided:
        """What brings something hidden into play. Refuses as `campaign.decide` does, and `not_hidden`."""
        events = campaign.decide(self._own, self._asked, _NoDice())
        if freeze(_after(self._told, events)) == freeze(self._told):
            raise Rejection("not_hidden", say("That is in play already: everybody who would read it knows of it."))
        return self._open(events)

    def decided(self, dice: Dice) -> Decision:
        """The actions of the command. Raises `Rejection`."""
        entering = [*self._enter()]
        self._require_possible()
        entering += self._enter()  # what was left out, and meant
        refusal = self._refusal_on(self._told)
        if refusal is not None and not self._ends_tellably():
            return self._kept_from_readers(dice)
        fallen = SameDice(dice)
        in_truth = campaign.decide(self._whole, self._asked, fallen)
        if self._told is self._whole:
            return Decision(self._open(in_truth), entering)
        told = None if refusal is not None else self._decided_on(self._told, fallen.again())
        besides = None if told is None else _besides(told, in_truth)
        if told is None or besides is None:
            if not fallen.any and not self._ends_tellably():
                return self._kept_from_readers(dice)
            # It goes as it really goes, and of that is told what is about things that readers know.
            is_told = self._tellable()
            told = [*in_truth[:1], *filter(is_told, in_truth[1:])]
            besides = [*filterfalse(is_told, in_truth[1:])]
        return Decision(self._open(told), entering, self._following(besides, fallen))

    def _ends_tellably(self) -> bool:
        """Whether the command only shows how something ends, and readers may hear of it, whatever dice fall."""
        system = owner_of(self._asked.command)
        if system is None or type(self._asked.command) not in system.shows_outcomes:
            return False
        in_truth = self._decided_on(self._whole, _TrialDice())
        return in_truth is not None and all(map(self._tellable(), in_truth[:1]))

    def _tellable(self) -> Callable[[Any], bool]:
        """Whether an event, as readers will read it, names only what they know, or what is born in it."""
        known = freeze(self._told)

        def names_only_known(event: Any) -> bool:
            named = subjects_in([without_secrets(event)])
            return all(f'"{each}"'.encode() in known or is_born_in(each, self._asked.action_id) for each in named)

        return names_only_known

    def _require_possible(self) -> None:
        """Refuse what whoever asks must hear of, and make explicit what they left out, as they know things."""
        self._mean_all_that_readers_know()
        refusal = self._refusal_on(self._own)
        if refusal is not None:
            raise refusal
        if self._asked.filled:
            meant = explicit(self._asked.command, self._asked.filled)
            self._asked = structs.replace(self._asked, command=meant, filled={})
        if self._own is not self._whole and self._refusal_on(self._whole) is not None:
            raise not_possible_now()

    def _mean_all_that_readers_know(self) -> None:
        """Where the command leaves out who is meant and means everybody, it means whom readers know."""
        if self._told is self._own:
            return
        tried = structs.replace(self._at(self._told), filled={})
        with suppress(_FirstDie, Rejection):
            campaign.decide(self._told, tried, _NoDice())
        everybody = {name: each for name, each in tried.filled.items() if isinstance(each, list)}
        self._asked = structs.replace(self._asked, command=explicit(self._asked.command, everybody))

    def _enter(self) -> Iterator[Decided]:
        """What enters play because the command names it, openly, to those who do not know it."""
        if self._visibility != "all" or self._told is self._whole or self._asked.account is None:
            return
        for name in sorted({*_strings(msgspec.to_builtins(self._asked.command))}):
            if (system := only_whole(self._own, self._told, name)) is not None:
                yield self._entered(name, system)

    def _entered(self, subject: str, system: SystemId) -> Decided:
        action_id = ActionId(uuid5(self._asked.action_id, subject))
        events = told_in(SYSTEMS[system].entered(self._own.systems[system], subject), action_id)
        whole, own = _after(self._whole, events), self._own
        self._own = whole if own is self._whole else _after(own, events)
        self._whole, self._told = whole, _after(self._told, events)
        entering = _decided(EnterPlay(subject), events, self._visibility, self._at(self._told).game_time)
        return structs.replace(entering, action_id=action_id)

    def _kept_from_readers(self, dice: Dice) -> Decision:
        """What cannot be told without telling of what is hidden: the campaign does it hidden, people hear no."""
        if self._asked.account is None:
            fallen = SameDice(dice)
            hidden = decide(self._whole, self._knowledge, self._asked, "gm", fallen)
            known_to = structs.replace(hidden.asked, visibilities=self._who_knows(hidden.asked.events, fallen))
            return structs.replace(hidden, asked=known_to)
        raise not_possible_now() if self._own is self._told else _rests_on_hidden()

    def _open(self, events: list[Any]) -> Decided:
        return _decided(self._asked.command, events, self._visibility, self._at(self._told).game_time)

    def _following(self, besides: list[Any], fallen: "SameDice") -> Decided | None:
        """What follows for hidden things, each event for whoever may know of it."""
        if not besides:
            return None
        follows = FollowHidden(of=self._asked.action_id)
        return Decided(follows, besides, self._who_knows(besides, fallen), self._at(self._told).game_time)

    def _who_knows(self, events: list[Any], fallen: "SameDice") -> list[str]:
        """Who may read each of these that the table may not: GMs, and one account or two that know of it."""
        knowing: list[list[str]] = [[] for _ in events]
        for audience, known in self._knowledge.by_audience.items():
            if audience.account is None or audience.with_account is not None:
                continue
            theirs = [*map(_without_what_people_saw, self._decided_on(known, fallen.again()) or [])]
            for event, accounts in zip(events, knowing, strict=True):
                if _without_what_people_saw(event) in theirs:
                    accounts.append(str(audience.account))
        return [_shared_by(accounts) for accounts in knowing]

    def _at(self, known: CampaignState) -> Asked:
        """The question at the campaign time that somebody knows; what falls due has a moment of its own."""
        if self._asked.game_time != self._now:
            return self._asked
        return structs.replace(self._asked, game_time=known.game_time)

    def _with_dice(self, known: CampaignState) -> CampaignState:
        """What somebody knows, but for how many dice have fallen: that is no knowledge of anybody's."""
        return known if known is self._whole else structs.replace(known, dice=self._whole.dice)

    def _refusal_on(self, state: CampaignState) -> Rejection | None:
        """Why it is refused there before the first die."""
        try:
            campaign.decide(self._with_dice(state), self._at(state), _NoDice())
        except _FirstDie:
            return None
        except Rejection as refusal:
            return refusal
        return None

    def _decided_on(self, state: CampaignState, dice: Dice) -> list[Any] | None:
        """What it makes happen there; None where it goes otherwise than in truth."""
        try:
            return campaign.decide(self._with_dice(state), self._at(state), dice)
        except (_FirstDie, OtherDiceWanted, Rejection):
            return None


def _decided(command: Any, events: list[Any], visibility: str, game_time: int) -> Decided:
    return Decided(command, events, [visibility] * len(events), game_time)


def _shared_by(accounts: list[str]) -> str:
    """The visibility of what GMs and these accounts may read; one names no more than two."""
    if not 1 <= len(accounts) <= ACCOUNTS_NAMED_MAX:
        return "gm"
    return Audience.called(f"account:{','.join(accounts)}").key


def _after(state: CampaignState, events: list[Any]) -> CampaignState:
    """A copy of the campaign after these."""
    after = thaw(freeze(state))
    for event in events:
        after = evolve(after, event)
    return after


def _strings(value: Any) -> Iterator[str]:
    """Every string in plain data, wherever it stands."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from (*_strings(key), *_strings(each))
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _strings(each)


def _besides(told: list[Any], in_truth: list[Any]) -> list[Any] | None:
    """What follows in truth besides everything that is told; None where the two are not of the same thing.

    What systems add to an event of the campaign may part ways: a session begins with the pilots that are known.
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
            return [] if nth > 0 and isinstance(told[0], Moment) and told[:1] == in_truth[:1] else None
    return [*besides, *rest]


def _without_what_people_saw(event: Any) -> Any:
    merely_seen = getattr(event, "merely_seen", ())
    seen = {name: None for name in event.__struct_fields__ if name.endswith("_after") or name in merely_seen}
    return structs.replace(event, **seen) if seen else event


class _FirstDie(Exception):  # noqa: N818 — nothing has gone wrong: whatever could refuse has passed
    """A command that is only tried wants a die."""


class _NoDice:
    """Stands where a command is only tried: its permission and legality come before the first die."""

    def roll(self, sides: int) -> Never:  # noqa: ARG002 — whatever its size
        """Stop."""
        raise _FirstDie

    def finish(self) -> None:
        """Nothing was drawn, nothing is left over."""


class _TrialDice:
    """Dice that never fall: a command is only tried to the end. They show what explodes in no rule system."""

    def roll(self, sides: int) -> Die:
        """A two."""
        return Die(sides, min(2, sides), "table", "")

    def finish(self) -> None:
        """Nothing was drawn, nothing is left over."""


class OtherDiceWanted(Exception):  # noqa: N818 — nothing has gone wrong: the command goes otherwise there
    """A command decided again wants dice that did not fall."""


class SameDice:
    """Dice for deciding one command twice: what fell first falls again."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._fallen: list[Die] = []

    @property
    def any(self) -> bool:
        """Whether any die fell."""
        return bool(self._fallen)

    def roll(self, sides: int) -> Die:
        """Draw one and remember it."""
        die = self._dice.roll(sides)
        self._fallen.append(die)
        return die

    def finish(self) -> None:
        """The command wants no more."""
        self._dice.finish()

    def again(self) -> "DiceAgain":
        """The same dice once more; where none has fallen yet, there are none."""
        return DiceAgain(self._fallen)


class DiceAgain:
    """Dice that fell, in their order. Raises `OtherDiceWanted` for any other."""

    def __init__(self, fallen: list[Die]) -> None:
        self._left = iter(fallen)

    def roll(self, sides: int) -> Die:
        """The next one."""
        die = next(self._left, None)
        if die is None or die.sides != sides:
            raise OtherDiceWanted
        return die

    def finish(self) -> None:
        """Dice may be left over: they fell for a command that went otherwise."""
