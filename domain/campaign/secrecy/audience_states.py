"""What each audience knows of a campaign that is decided on.

GMs know everything that happened; others know what was open to them. Where the two differ for what can be
decided, a campaign is kept once more for each audience, as it knows it: payload secrets such as a hidden mark
stay in, since the rules themselves say when they come out.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import structs

from domain.campaign.events import DiceRolled, Hidden, HiddenRollProved, NoteAdded
from domain.campaign.evolve import evolve
from domain.campaign.privacy.erasure import TextsErased
from domain.campaign.secrecy.audience import TABLE, Audience, private_audiences
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import freeze, thaw

MERELY_TOLD = frozenset({NoteAdded, DiceRolled, HiddenRollProved, TextsErased})
"""Events that change nothing decisions rest on, but for how many dice fell."""


class Knowledge:
    """What each audience knows, where that differs from what GMs know. Owned by whoever folds the campaign."""

    def __init__(self, states: Mapping[Audience, CampaignState] | None = None) -> None:
        self._states = {**(states or {})}

    def __bool__(self) -> bool:
        return bool(self._states)

    @property
    def by_audience(self) -> Mapping[Audience, CampaignState]:
        """The campaigns that are kept besides the GMs'."""
        return self._states

    def is_common(self, whole: CampaignState) -> bool:
        """Whether all that decisions rest on is what GMs know, whoever asks."""
        told_by = decides(whole)
        return all(decides(known) == told_by for known in self._states.values())

    def of(self, audience: Audience, whole: CampaignState) -> CampaignState:
        """The campaign as an audience knows it; `whole` is what GMs know."""
        if audience.gm or not self._states:
            return whole
        return self._states.get(audience) or self._states.get(TABLE) or whole

    def readers_of(self, knows: Callable[[CampaignState], bool]) -> str:
        """The visibility of something, where `knows` says of the campaign as somebody knows it if it is there."""
        if not self._states or knows(self._states[TABLE]):
            return "all"
        alone = (each for each in self._states if each.account is not None and each.with_account is None)
        accounts = sorted(str(each.account) for each in alone if knows(self._states[each]))
        return f"account:{','.join(accounts)}" if accounts else "gm"

    def advance(self, whole: CampaignState, visibility: str, event: Any) -> CampaignState:
        """Let one more event have happened for those who may know; the GMs' campaign after it.

        Where audiences part, the campaign is copied once, and from then on only evolved. What is merely told lets
        nobody part; whether parted audiences have come together again, `is_common` says.
        """
        if visibility == "all":
            for audience, known in self._states.items():
                self._states[audience] = evolve(known, event)
            return evolve(whole, event)
        if not self._states and type(event) in MERELY_TOLD:
            return evolve(whole, event)
        table = self._states.get(TABLE)
        if table is None:
            table = self._states[TABLE] = thaw(freeze(whole))
        reading = private_audiences(visibility)
        for audience in reading:
            if audience not in self._states:
                self._states[audience] = thaw(freeze(table))
        for audience, known in self._states.items():
            self._states[audience] = evolve(known, event if audience in reading else Hidden())
        return evolve(whole, event)


def decides(state: CampaignState) -> bytes:
    """All of a campaign that decisions rest on, as bytes: how much is hidden, and how many dice fell, is not."""
    return freeze(structs.replace(state, dice=type(state.dice)(), skipped=False, missed=False))


def readers(visibility: str) -> Audience:
    """Those who will read it and know least."""
    return TABLE if visibility == "all" else Audience.called(visibility.replace("blind", "gm"))
