"""Rolls with the service's dice in random play, undone and done again."""

from collections import Counter
from hashlib import sha256
from typing import Any

from domain.campaign import commands as c
from domain.campaign.dice import dice_after_undo
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.recorded_action import PastAction
from domain.dice import Die
from domain.dice.dice_in_events import dice_of
from domain.rejection import Rejection
from services.campaign.verify_log import verify_log
from services.history.undo import HistoryRequest, undo_or_redo
from tests.services.play_at_random import Campaign

SEEDS = (7, 18)
EVERY_MOVES = 3

LOOKED_AT = 40
"""Of so many actions before, the last one for which the service rolled is undone."""


def server_dice(action: PastAction) -> list[Die]:
    """What the service rolled in an action, each die once."""
    return [*{die.proof: die for die in dice_of(action.events) if die.origin == "server"}.values()]


class Rolling:
    """Plays a campaign, undoes rolls, and has the same person roll again. `counts` is how often what happened."""

    def __init__(self, system: str, seed: int) -> None:
        self.campaign = Campaign(system, seed)
        self.application = self.campaign.application
        self.counts: Counter[str] = Counter()

    async def play(self) -> Counter[str]:
        await self.campaign.gather()
        async for nth in self.campaign.play():
            if nth % EVERY_MOVES == 0:
                await self._roll_again(nth)
        await self._verify()
        await self.application.handler.close()
        return self.counts

    async def _wish(self, wish: HistoryRequest) -> bool:
        try:
            await undo_or_redo(self.application, self.campaign.id, self.campaign.gm, wish, None)
        except Rejection as refusal:
            self.counts[f"refused {refusal.code}"] += 1
            return False
        return True

    async def _roll_again(self, nth: int) -> None:
        """Undo a roll, which hands back its dice, and do it again."""
        if nth % 5 == 0:
            who = self.campaign.chance.choice([self.campaign.gm, *self.campaign.players])
            assert await self.campaign.act(who, c.AddDiceWords(sha256(str(nth).encode()).hexdigest()))
            self.counts["words"] += 1
        state = (await self.campaign.seen(self.campaign.gm)).state
        past = await self.campaign.past()
        rolled = [each for each in past[-LOOKED_AT:] if server_dice(each) and each.action_id not in state.undone]
        if not rolled or rolled[-1].actor is None or rolled[-1].request is None:
            return
        target = rolled[-1]
        roller = dice_after_undo.roller_in(target.events)
        before = [
            each
            for each in state.dice.waiting
            if each.rolled_by == target.actor or (roller is not None and each.character == roller)
        ]
        if not await self._wish(UndoAction(target.action_id, cascade=True)):
            return
        assert target.actor is not None
        assert target.request is not None
        asked = target.request
        self.counts["undone"] += 1
        if not await self.campaign.act(target.actor, asked.command, asked.visibility, asked.dice):
            self.counts["not possible any more"] += 1
            return
        again = next(
            each for each in reversed(await self.campaign.past()) if each.command == target.command and each.actor
        )
        if before:
            self.counts["others waited"] += 1
            return
        if target.action_id in state.revealed and asked.visibility != "all":
            self.counts["known to all by now"] += 1  # so they wait for an open roll
            return
        first, second = server_dice(target), server_dice(again)
        for size in {
            die.sides for die in second
        }:  # fewer or more may be wanted where more than the roll was undone
            one, other = ([die for die in dice if die.sides == size] for dice in (first, second))
            assert all(earlier == later for earlier, later in zip(one, other, strict=False))
        self.counts["the same"] += first == second
        self.counts["the same, hidden"] += first == second and target.visibility != "all"
        await self._take_back(target, again)

    async def _take_back(self, target: PastAction, again: PastAction) -> None:
        """The first one cannot count again while the second one has its dice."""
        if self.campaign.chance.random() < 0.5:
            assert not await self._wish(RedoAction(target.action_id))
        elif await self._wish(UndoAction(again.action_id, cascade=True)):
            self.counts["undone once more"] += 1
            if self.campaign.chance.random() < 0.5:
                assert not await self._wish(RedoAction(target.action_id))
                assert await self._wish(RedoAction(again.action_id))

    async def _verify(self) -> None:
        """Whoever reads the log, every die that was open to them is as it should be."""
        epoch = (await self.campaign.seen(self.campaign.gm)).state.dice.epoch
        gm = self.campaign.gm
        for who in (gm, *self.campaign.players[:2]):
            await self._no_fault(who)
        assert await self.campaign.act(gm, c.EndDiceEpoch())
        assert await self.campaign.act(gm, c.RevealHiddenDice(epoch))
        for who in (gm, *self.campaign.players[:2]):
            assert await self._no_fault(who) == 0, "nothing waits for its seed"

    async def _no_fault(self, who: Any) -> int:
        seen = await self.campaign.seen(who)
        chain, dice = await verify_log(self.application.log, self.campaign.id, seen.as_read)
        assert (chain.bad_seq, dice.faults) == (None, [])
        self.counts["recomputed"] += dice.recomputed
        return dice.waiting
