"""The campaign's state as each audience knows it, for deciding.

GMs know everything that happened; others know the part open to them. Where the difference matters for deciding,
a state is kept for each audience. Secrets inside events, such as a hidden mark, stay in it, because the rules
themselves say when they come out.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import structs

from domain.campaign.events import DiceRolled, Hidden, HiddenRollProved, NoteAdded
from domain.campaign.evolve import evolve, evolve_undone
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.secrecy.audience import TABLE, Audience, as_now, private_audiences
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state

MERELY_TOLD = frozenset({NoteAdded, DiceRolled, HiddenRollProved, TextsErased})
"""Events that change nothing that decisions depend on, except the count of dice."""


class Knowledge:
    """The state of each audience that differs from the GMs'. Owned by the fold of the campaign.

    A member who stands for a person of an import has one state, of all that both read. It is not made here: once
    a GM says who a person is, the campaign has to be folded again.
    """

    def __init__(self, states: Mapping[Audience, CampaignState] | None = None) -> None:
        self._states = {**(states or {})}

    def __bool__(self) -> bool:
        return bool(self._states)

    @property
    def by_audience(self) -> Mapping[Audience, CampaignState]:
        """The states that are kept besides the GMs'."""
        return self._states

    def is_common(self, whole: CampaignState) -> bool:
        """Whether every audience knows all that the GMs know and decisions depend on."""
        deciding_part = decides(whole)
        return all(decides(state) == deciding_part for state in self._states.values())

    def of(self, audience: Audience, whole: CampaignState) -> CampaignState:
        """The campaign as an audience knows it; `whole` is the campaign as GMs know it."""
        if audience.gm or not self._states:
            return whole
        if audience.account in whole.stands_for or audience.with_account in whole.stands_for:
            audience = Audience.from_key(as_now(audience.key, whole.stands_for))
        return self._states.get(audience) or self._states.get(TABLE) or whole

    def readers_of(self, knows: Callable[[CampaignState], bool]) -> str:
        """The visibility of something, where `knows` tells whether it exists in a state."""
        if not self._states or knows(self._states[TABLE]):
            return "all"
        alone = (
            audience for audience in self._states if audience.account is not None and audience.with_account is None
        )
        accounts = sorted(str(audience.account) for audience in alone if knows(self._states[audience]))
        return f"account:{','.join(accounts)}" if accounts else "gm"

    def advance(self, whole: CampaignState, visibility: str, event: Any) -> CampaignState:
        """Apply one more event for those who may know it; returns the GMs' state.

        When audiences begin to differ, the state is copied once, and from then on only evolved. Events that are
        only read do not make a difference; whether audiences agree again, `is_common` tells.
        """
        if visibility == "all":
            for audience, state in self._states.items():
                self._states[audience] = evolve(state, event)
            return evolve(whole, event)
        if not self._states and type(event) in MERELY_TOLD:
            return evolve(whole, event)
        table = self._states.get(TABLE)
        if table is None:
            table = self._states[TABLE] = decode_state(encode_state(whole))
        reading = private_audiences(visibility, stands_for=whole.stands_for)
        for audience in reading:
            if audience not in self._states:
                self._states[audience] = decode_state(encode_state(table))
        for audience, state in self._states.items():
            self._states[audience] = evolve(state, event if audience in reading else Hidden())
        return evolve(whole, event)

    def advance_undone(self, whole: CampaignState, visibility: str, event: Any) -> CampaignState:
        """Apply the lasting part of an undone event, which makes no difference; returns the GMs' state."""
        reading: Collection[Audience] = self._states
        if visibility != "all":
            reading = private_audiences(visibility, stands_for=whole.stands_for)
        for audience, state in self._states.items():
            self._states[audience] = evolve_undone(state, event if audience in reading else Hidden())
        return evolve_undone(whole, event)


def decides(state: CampaignState) -> bytes:
    """The part of a state that decisions depend on, as bytes: not the counts of hidden things and dice."""
    return encode_state(structs.replace(state, dice=type(state.dice)(), skipped=False, missed=False))


def readers(visibility: str) -> Audience:
    """The audience that knows least of those who read this visibility."""
    return TABLE if visibility == "all" else Audience.from_key(visibility.replace("blind", "gm"))
