"""Undo in random play where open actions bring something hidden: what follows goes and comes back with its cause.

Every system's own random play is told again with much of it hidden; then random actions are undone, first of all
those that something hidden follows, and redone.
"""

import os
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

import pytest

from domain.campaign.commands import (
    AdvanceCalendar,
    EndDowntime,
    EndScene,
    EndSession,
    FollowHidden,
    StartDowntime,
    StartScene,
    StartSession,
)
from domain.campaign.evolve import evolve
from domain.campaign.history.undo import Search
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.downtime import PlanActivity
from domain.campaign.play.characters import characters
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.ids import ActionId
from tests.domain.plays import PLAYS
from tests.domain.rewritten_pasts import FACES, Pasts, with_what_follows
from tests.domain.trials import Wish
from tests.sampling import slow_but

PLAYS_OF_EACH = int(os.environ.get("FIELDLOG_PLAYS", "6"))
UNDOS = 4


MOMENTS: tuple[Callable[[], Any], ...] = (
    StartSession,
    EndSession,
    StartScene,
    EndScene,
    lambda: AdvanceCalendar(Span(days=2)),
)
"""What the whole table goes by, and what brings something for those who are hidden, too."""


class Followed(Pasts):
    """A play whose past stays as it is until it is over, with sessions, scenes, downtime and days that pass."""

    def _rewrite(self, nth: int) -> None:
        """Not yet."""

    def _enter(self, nth: int) -> None:
        """What is hidden stays so, unless an open command names it."""

    def _pay(self, nth: int) -> None:
        super()._pay(nth)
        people = sorted(each.character for each in characters(self.play.whole))
        plans = [PlanActivity(self.chance.choice(people), "train", "In the dark", Span(days=30))] if people else []
        for each, wanted in enumerate([StartDowntime(), *plans, self.chance.choice(MOMENTS)(), EndDowntime()]):
            action_id = ActionId(uuid5(NAMESPACE_URL, f"moment-{nth}-{each}"))
            self.counts["moments"] += self._act(Wish(wanted, self.gm, 0), action_id, FACES)

    def folded(self, gone: set[ActionId]) -> CampaignState:
        state = decode_state(encode_state(self.start))
        for action in self.log:
            for event in action.events if action.action_id not in gone else ():
                state = evolve(state, event)
        return state

    def searched(self, going: ActionId | None, coming: set[ActionId], gone: set[ActionId]) -> Search:
        search = Search(decode_state(encode_state(self.start)), {*gone}, {going} if going else set(), coming)
        for action, following in with_what_follows(self.log):
            search.take(action, following)
        return search


def cause_of(action: PastAction) -> ActionId | None:
    """What it follows hidden."""
    asked = None if action.request is None else action.request.command
    return asked.of if isinstance(asked, FollowHidden) else None


def undone_and_redone(play: Followed, chance: Random) -> Counter[str]:
    """Some actions go, and come back; how many of those that follow went with their cause."""
    pairs = {cause: each.action_id for each in play.log if (cause := cause_of(each)) is not None}
    followers, counts = {*pairs.values()}, Counter[str](followers=len(pairs))
    gone: set[ActionId] = set()
    taken_back: list[set[ActionId]] = []
    for _ in range(UNDOS):
        standing = [
            each.action_id
            for each in play.log
            if each.action_id not in gone | followers and each.undoable and each.request is not None
        ]
        followed = [each for each in standing if each in pairs]
        if not standing:
            break
        search = play.searched(chance.choice(followed or standing), set(), gone)
        if search.makers_in_play:
            continue
        struck = {each.action.action_id for each in search.to_undo}
        counts["struck"] += len(struck & followers)
        gone |= struck
        taken_back.append(struck)
        assert {pairs[each] for each in pairs.keys() & gone} == followers & gone, "each goes with its cause"
        assert encode_state(search.state) == encode_state(play.folded(gone))
    for struck in reversed(taken_back):
        search = play.searched(None, struck, gone)
        assert search.first_refusal is None
        assert not search.to_undo
        assert {each.action_id for each in search.restored} == struck
        gone -= struck
        counts["restored"] += len(struck & followers)
        assert encode_state(search.state) == encode_state(play.folded(gone))
    return counts


@pytest.mark.parametrize("system", slow_but([each for each in PLAYS if each != "mobile_frame"], "frame_state"))
def test_what_follows_hidden_goes_and_comes_back_with_its_cause(system):
    """Mobile Frame has nobody who is busy in downtime."""
    counts: Counter[str] = Counter()
    for nth in range(PLAYS_OF_EACH):
        play = Followed(system, nth)
        play.run()
        counts += undone_and_redone(play, Random(f"undo {system} {nth}"))  # noqa: S311 — the same every time
    assert counts["struck"] == counts["restored"] > PLAYS_OF_EACH
