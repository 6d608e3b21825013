"""Deciding without giving anything away (invariant 23).

GMs know everything that happened; others know what was open to them. Where the two differ for what can be
decided, a campaign is kept once more for each audience, as it knows it: payload secrets such as a hidden mark
stay in, since the rules themselves say when they come out.

What is told to somebody is decided on what they know, and must be possible as things really are. So neither a
refusal, nor a number, nor what follows by itself tells of anything hidden.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, structs

from domain.asked import Asked
from domain.campaign import campaign
from domain.campaign.erasing import TextsErased
from domain.campaign.events import DiceRolled, HiddenRollProved, NoteAdded
from domain.campaign.evolve import evolve
from domain.campaign.snapshot import freeze, thaw
from domain.campaign.state import CampaignState
from domain.campaign.visibility import TABLE, Audience
from domain.dice import Dice, DiceMismatch, Die
from domain.moments import Moment
from domain.rejection import Rejection
from domain.sentences import say

MERELY_TOLD = frozenset({NoteAdded, DiceRolled, HiddenRollProved, TextsErased})
"""Events that change nothing decisions rest on, but for how many dice fell."""


class Decided(Struct, frozen=True):
    """The events of an accepted command, with who may read each, at a second of the campaign's calendar."""

    events: list[Any]
    visibilities: list[str]
    game_time: int


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
        if visibility.startswith("account:"):
            audience = Audience.called(visibility)
            known = self._states.get(audience) or thaw(freeze(table))
            self._states[audience] = evolve(known, event)
        return evolve(whole, event)


def decides(state: CampaignState) -> bytes:
    """All of a campaign that decisions rest on, as bytes: how many dice fell is not among it."""
    return freeze(structs.replace(state, dice=type(state.dice)()))


def decide(whole: CampaignState, knowledge: Knowledge, asked: Asked, visibility: str, dice: Dice) -> Decided:
    """What a command makes happen, for whom; or a `Rejection` that tells whoever asked nothing new.

    Refuses, besides what the campaign refuses, `not_possible_now` where only what is hidden from whoever asks
    stands against it, and `rests_on_hidden` where it could only be told by telling of what is hidden.
    """
    if visibility == "gm" and not asked.is_gm:
        visibility = f"account:{asked.account}"  # whoever asks sees it too; `blind` is the other one
    if not knowledge:
        events = campaign.decide(whole, asked, dice)
        return Decided(events, [visibility] * len(events), asked.game_time)
    told = knowledge.of(readers(visibility), whole)
    own = knowledge.of(Audience(gm=asked.is_gm, account=asked.account), whole)
    fallen = _SameDice(dice)
    for_readers = _tried(told, whole, _by_the_calendar_of(told, whole, asked), fallen)
    for_asker = (
        for_readers if own is told else _tried(own, whole, _by_the_calendar_of(own, whole, asked), fallen.again())
    )
    if isinstance(for_asker, Rejection):
        raise for_asker
    in_truth = for_readers if told is whole else _tried(whole, whole, asked, fallen.again())
    if isinstance(in_truth, Rejection):
        raise not_possible_now()
    if isinstance(for_readers, DiceMismatch):
        raise for_readers
    besides = None if isinstance(for_readers, Rejection) else _besides(for_readers, in_truth)
    if isinstance(for_readers, Rejection) or besides is None:
        if asked.account is None:
            return decide(whole, knowledge, asked, "gm", dice)
        raise not_possible_now() if own is told else _rests_on_hidden()
    visibilities = [visibility] * len(for_readers) + ["gm"] * len(besides)
    return Decided([*for_readers, *besides], visibilities, _by_the_calendar_of(told, whole, asked).game_time)


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


def readers(visibility: str) -> Audience:
    """Those who will read it and know least."""
    return TABLE if visibility == "all" else Audience.called(visibility.replace("blind", "gm"))


def _by_the_calendar_of(known: CampaignState, whole: CampaignState, asked: Asked) -> Asked:
    """The question at the campaign time that somebody knows; what falls due has a moment of its own."""
    if known is whole or asked.game_time != whole.game_time:
        return asked
    return structs.replace(asked, game_time=known.game_time)


def _tried(known: CampaignState, whole: CampaignState, asked: Asked, dice: Dice) -> list[Any] | Rejection:
    """What it makes happen as somebody knows the campaign; how many dice have fallen is no knowledge of theirs."""
    try:
        return campaign.decide(structs.replace(known, dice=whole.dice), asked, dice)
    except _OtherDiceWanted:
        return []  # permission and legality come before the first die: it was accepted
    except Rejection as refusal:
        return refusal


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
    seen = {name: None for name in event.__struct_fields__ if name.endswith("_after")}
    return structs.replace(event, **seen) if seen else event


class _OtherDiceWanted(Exception):  # noqa: N818 — nothing has gone wrong: the command goes otherwise there
    """A command decided again wants dice that did not fall."""


class _SameDice:
    """Dice for deciding one command several times: what fell first falls again."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self._fallen: list[Die] = []

    def roll(self, sides: int) -> Die:
        """Draw one and remember it."""
        die = self._dice.roll(sides)
        self._fallen.append(die)
        return die

    def finish(self) -> None:
        """The command wants no more."""
        self._dice.finish()

    def again(self) -> "_DiceAgain":
        """The same dice once more; where none has fallen yet, there are none."""
        return _DiceAgain(self._fallen)


class _DiceAgain:
    def __init__(self, fallen: list[Die]) -> None:
        self._left = iter(fallen)

    def roll(self, sides: int) -> Die:
        die = next(self._left, None)
        if die is None or die.sides != sides:
            raise _OtherDiceWanted
        return die

    def finish(self) -> None:
        """Dice may be left over: they fell for a command that went otherwise."""
