"""Offers to one member, kept as long as nothing that was looked at to find them is otherwise."""

from collections.abc import Collection
from typing import Any

import msgspec
from msgspec import Struct

from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.offers.offers import Offer, Offers
from domain.offers.search import TRIES_MAX
from domain.offers.state_reads import NOW, WHOLE, ReadPast, StateReads, differing
from domain.offers.trial import Trial
from domain.references import Given
from domain.rejection import Rejection

OWN, COMMON = ("own",), ("common",)
GAME_TIME = (*OWN, "game_time", WHOLE)

READ_BYTES, OFFER_BYTES = 40, 2_000
"""Approximate bytes of something that was looked at, in a set of its own, and of an offer."""


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
        self._before: tuple[bytes, bytes | None, int] | None = None
        self._trial: Trial | None = None
        self._reads = StateReads()
        self._watched: tuple[Any, Any] = (None, None)
        self._plain: Offers | None = None

    def follow(self, trial: Trial) -> None:
        """Go on to how things are now. The states of a trial must not change any more."""
        self._trial, self._plain = trial, None
        if self._before is not None:
            own_before, common_before, at_before = self._before
            common_state = None if common_before is None else decode_state(common_before)
            changed = self._reads.numbers(
                [
                    *differing(decode_state(own_before), trial.state, OWN),
                    *differing(common_state, _common_of(trial), COMMON),
                    *(() if at_before == trial.at else (NOW,)),
                ]
            )
            self._offers = {key: kept for key, kept in self._offers.items() if kept[1].isdisjoint(changed)}
        own = self._reads.watched(trial.state, OWN)
        common = own if trial.common is trial.state else self._reads.watched(trial.common, COMMON)
        self._watched = own, common

    def rest(self) -> None:
        """Keep no more than it takes to follow."""
        assert self._trial is not None, "it follows something"
        own, common = self._trial.state, _common_of(self._trial)
        self._before = encode_state(own), None if common is None else encode_state(common), self._trial.at
        self._trial, self._plain, self._watched = None, None, (None, None)
        reads = sum(len(reads) for _, reads in self._offers.values())
        states = sum(len(state) for state in self._before[:2] if state is not None)
        self.size = states + READ_BYTES * reads + OFFER_BYTES * len(self._offers)

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
            offer = Offers(watched).offer(kind, inputs, choices_of, parts=parts, tries_max=tries_max)
            _require_plain(offer)
            for refusal in _refusals(offer):
                refusal.__context__ = refusal.__cause__ = None  # they keep alive all that was looked at
        except (ReadPast, Exception):  # noqa: BLE001 - whatever watching breaks is found out without it
            self._reads.taken()
            self._plain = self._plain or Offers(trial)
            return self._plain.offer(kind, inputs, choices_of, parts=parts, tries_max=tries_max), None
        return offer, self._reads.taken()


def _common_of(trial: Trial) -> CampaignState | None:
    """The table's state, where that is another one."""
    return None if trial.common is trial.state else trial.common


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
