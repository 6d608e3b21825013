"""Offers to one member, kept as long as nothing that was looked at to find them is otherwise."""

from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.field_references import Given
from domain.offers.command_search import TRIES_MAX
from domain.offers.command_trials import Trial
from domain.offers.possible_commands import Offer, Offers
from domain.offers.state_read_tracker import NOW, Key, ReadPast, StateReads, differing
from domain.rejection import Rejection

OWN, COMMON = ("own",), ("common",)
GAME_TIME = ("game time",)

Entry = TypeVar("Entry", bound=tuple[Any, frozenset[int]])
"""An answer, and the reads that it rests on."""
CHANGES_KEPT_MAX = 4
"""The changes between so many pairs of states are kept, each for the members who follow it one after the other."""
READ_BYTES, OFFER_BYTES, VALUE_BYTES = 40, 2_000, 150
"""Approximate bytes of something that was looked at, in a set of its own, of an offer, and of a field's value."""


class _Situation(Struct, frozen=True):
    """The states that a member's offers are found on, and when: in real time and in that of the game."""

    own: bytes
    common: bytes | None
    """None: it is the same one."""
    at: int
    game_time: int


class KeptOffers:
    """The offers to one member. `follow` tells how things are, then any are asked for, then it has to `rest`."""

    def __init__(self) -> None:
        self.size = 0
        """Approximate bytes while it rests."""
        self.searches = 0
        """How many offers were looked for so far."""
        self.unkept = 0
        """How many of them could not be kept, because a state was read past its notes."""
        self._offers: dict[Any, tuple[Offer | None, frozenset[int]]] = {}
        self._values: dict[Any, tuple[list[Any], frozenset[int]]] = {}
        self._before: _Situation | None = None
        self._trial: Trial | None = None
        self._reads = StateReads()
        self._watched: tuple[Any, Any] = (None, None)
        self._plain: Offers | None = None

    def follow(self, trial: Trial) -> None:
        """Go on to how things are now. The states of a trial must not change any more."""
        self._trial, self._plain = trial, None
        common_state = None if trial.common is trial.state else trial.common
        now = _Situation(
            encode_state(trial.state),
            None if common_state is None else encode_state(common_state),
            trial.at,
            trial.state.game_time,
        )
        if (before := self._before) is not None:
            own_changes, common_changes = _changes(before.own, now.own), _changes(before.common, now.common)
            changes = self._reads.numbers(
                [*((*OWN, *key) for key in own_changes), *((*COMMON, *key) for key in common_changes)]
            )
            changes |= self._reads.moment_changes(NOW, before.at, now.at)
            changes |= self._reads.moment_changes(GAME_TIME, before.game_time, now.game_time)
            self._offers = _without(changes, self._offers)
            self._values = _without(changes, self._values)
        self._before = now
        own = self._reads.watched(trial.state, OWN)
        common = own if trial.common is trial.state else self._reads.watched(trial.common, COMMON)
        self._watched = own, common

    def rest(self) -> None:
        """Keep no more than it takes to follow."""
        assert self._before is not None, "it follows something"
        self._trial, self._plain, self._watched = None, None, (None, None)
        reads = sum(len(reads) for _, reads in (*self._offers.values(), *self._values.values()))
        values = sum(len(values) for values, _ in self._values.values())
        states = len(self._before.own) + len(self._before.common or b"")
        self.size = states + READ_BYTES * reads + OFFER_BYTES * len(self._offers) + VALUE_BYTES * values

    def offer(
        self,
        kind: type[Struct],
        inputs: Given,
        choices_of: Collection[str] | None = None,
        *,
        parts: bool = True,
        tries_max: int = TRIES_MAX,
    ) -> Offer | None:
        """The same as `Offers.offer` finds."""
        fields = None if choices_of is None else tuple(choices_of)
        key = (kind, repr(sorted(inputs.items())), fields, parts, tries_max)
        if key not in self._offers:
            self.searches += 1
            offer, reads = self._searched(kind, inputs, choices_of, parts=parts, tries_max=tries_max)
            if reads is None:
                self.unkept += 1
                return offer
            self._offers[key] = offer, reads
        return self._offers[key][0]

    def _recall(self, key: Any, find: Callable[[], list[Any]]) -> list[Any]:
        """The values of a field, which other commands may have as well, found once while they stay the same."""
        if key in self._values:
            values, reads = self._values[key]
            self._reads.note_all(reads)
        else:
            values, reads = self._values[key] = self._reads.apart(find)
        return values

    def _searched(
        self,
        kind: type[Struct],
        inputs: Given,
        choices_of: Collection[str] | None,
        *,
        parts: bool,
        tries_max: int,
    ) -> tuple[Offer | None, frozenset[int] | None]:
        """An offer and the reads that it rests on; None: they are not known."""
        trial = self._trial
        assert trial is not None, "it follows something"
        own, common = self._watched
        at, game_time = self._reads.moment(trial.at, NOW), self._reads.moment(trial.state.game_time, GAME_TIME)
        watched = Trial(own, trial.account, trial.role, at, common, game_time=game_time)
        try:
            offer = Offers(watched, self._recall).offer(kind, inputs, choices_of, parts=parts, tries_max=tries_max)
            _require_plain(offer)
            for refusal in _refusals(offer):
                refusal.__context__ = refusal.__cause__ = None  # they keep alive all that was looked at
        except (ReadPast, Exception):  # noqa: BLE001 - whatever watching breaks is found out without it
            self._reads.taken()
            self._plain = self._plain or Offers(trial)
            return self._plain.offer(kind, inputs, choices_of, parts=parts, tries_max=tries_max), None
        return offer, self._reads.taken()


def _without(changes: set[int], entries: dict[Any, Entry]) -> dict[Any, Entry]:
    """The entries, but for those that rest on a read of which there are changes."""
    return {key: entry for key, entry in entries.items() if entry[1].isdisjoint(changes)}


@lru_cache(maxsize=CHANGES_KEPT_MAX)
def _changes(before: bytes | None, now: bytes | None) -> tuple[Key, ...]:
    """All that is otherwise in a state than before; found once for all members who know the same."""
    if before == now:
        return ()
    state_before, state_now = (None if state is None else decode_state(state) for state in (before, now))
    return tuple(differing(state_before, state_now))


def _require_plain(offer: Offer | None) -> None:
    """Raise `TypeError` where a part of a watched state is in an offer."""
    if offer is not None:
        messages = [_said(refusal) for refusal in _refusals(offer)]
        choices = [choice.value for choices in offer.choices.values() for choice in choices]
        msgspec.json.encode(msgspec.to_builtins((offer.example, choices, messages, offer.budgets, offer.dice)))


def _refusals(offer: Offer | None) -> list[Rejection]:
    if offer is None:
        return []
    refusals = [offer.refusal, *(choice.refusal for choices in offer.choices.values() for choice in choices)]
    return [refusal for refusal in refusals if refusal is not None]


def _said(refusal: Rejection) -> Any:
    return refusal.code, refusal.message, refusal.details
