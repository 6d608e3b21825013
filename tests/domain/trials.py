"""A campaign with secrets, played at random, every command of which is tried with two sources of dice."""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from msgspec import Struct, structs

from domain.campaign import commands as c
from domain.campaign.knowledge import decision_by_audience
from domain.campaign.knowledge.decision_by_audience import DecidedAction
from domain.campaign.messages.base_types import Span
from domain.campaign.recorded_action import PastAction
from domain.campaign.secrecy import hideable_commands
from domain.campaign.secrecy.audience import TABLE, Audience
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.dice.dice_in_events import dice_of
from domain.ids import AccountId, ActionId
from domain.lifecycle_events import CalendarAdvanced
from domain.rejection import Rejection
from tests.domain.plays import PLAYS, told
from tests.domain.secret_play import Decide, SecretPlay
from tests.scripted_dice import ScriptedDice

LAWLESS = 4
"""In every so manyth play anything is hidden, as in campaigns of old; in the others what requests may hide."""

OPEN = (0.6, 0.8, 0.95)
"""How much of what may be hidden is not, in one play or another."""

TRIED_BESIDE, ASIDE = 3, 0.4
"""So many commands of other times are tried before each that is played, and how often one more happens."""

CAMPAIGNS_OWN: list[Any] = [
    c.StartSession(),
    c.EndSession(),
    c.StartScene("Dock"),
    c.EndScene(),
    c.AdvanceCalendar(Span(hours=3)),
    c.RollDice("2d6"),
]


class Wish(Struct, frozen=True):
    """What somebody asks for at some time (microseconds UTC); `who` None is a worker."""

    command: Any
    who: AccountId | None
    at: int


class Trials:
    """A play of a system with secrets, every command of which is tried with two sources of dice."""

    def __init__(self, system: str, nth: int, decide: Decide = decision_by_audience.decide) -> None:
        self.chance = Random(f"{system} {nth}")  # noqa: S311 — the same play every time
        self.decide = decide
        self.open = OPEN[nth % len(OPEN)]
        self.lawless = nth % LAWLESS == LAWLESS - 1
        start, self.actions = told(system, PLAYS[system](self.chance))
        self.gm = next(who for who, role in start.members.items() if role == "gm")
        self.players = sorted(who for who, role in start.members.items() if role == "player")
        self.play = SecretPlay(start, self.players)
        self.counts: Counter[str] = Counter()
        self.dependent: list[tuple[str, str | None, str | None]] = []

    def run(self) -> "Trials":
        """Try and play it all."""
        wishes = [wish_of(each, self.gm) for each in self.actions]
        asked_for = [each for each in wishes if each is not None]
        for nth, (action, wish) in enumerate(zip(self.actions, wishes, strict=True)):
            if wish is None:
                self.play.happen(DecidedAction(None, action.events, ["all"] * len(action.events), 0))
                continue
            aside = self.chance.sample(asked_for, min(TRIED_BESIDE, len(asked_for)))
            for each in (wish, *aside):
                self._try(self._asked(each, action.action_id))
            if aside and self.chance.random() < ASIDE:
                other = self.chance.choice([aside[0], Wish(self.chance.choice(CAMPAIGNS_OWN), self.gm, wish.at)])
                self._play(other, ActionId(uuid5(NAMESPACE_URL, f"aside-{nth}")), [])
            self._play(wish, action.action_id, [die.natural for die in dice_of(action.events)])
        self.counts.update(
            hidden=self.play.hidden,
            entered=self.play.entered,
            followed=self.play.followed,
            parted=self.play.parted,
        )
        return self

    def _asked(self, wish: Wish, action_id: ActionId) -> CommandContext:
        """What was asked, now, for whoever may read it."""
        whole = self.play.whole
        return CommandContext(
            command=wish.command,
            account=wish.who,
            role="worker" if wish.who is None else whole.members[wish.who],
            action_id=action_id,
            at=wish.at,
            game_time=whole.game_time,
            settings=None,
            members=whole.members,
            visibility=self._readers(wish),
        )

    def _readers(self, wish: Wish) -> str:
        """Who may read it: everybody, GMs, GMs and a player, or the asker and GMs."""
        if wish.who is None or self.chance.random() < self.open or not (self.lawless or self._may_hide(wish)):
            return "all"
        if wish.who == self.gm:
            return self.chance.choice(["gm", f"account:{self.chance.choice(self.players)}"])
        return self.chance.choice(["blind", f"account:{wish.who}"])

    def _may_hide(self, wish: Wish) -> bool:
        asker = Audience(gm=wish.who == self.gm, account=wish.who)
        try:
            known, table = (self.play.knowledge.of(each, self.play.whole) for each in (asker, TABLE))
            hideable_commands.require_hideable(wish.command, known, [table])
        except Rejection:
            return False
        return True

    def _try(self, context: CommandContext) -> None:
        """Decide it twice, with low, high or any faces: both are refused alike, or neither is."""
        faces = [[1, 2, 1, 3], [self.chance.randint(1, 20) for _ in range(30)], [6, 8, 10, 12, 20, 5]]
        dice = [ScriptedDice(each) for each in self.chance.sample(faces, 2)]
        first, second = (self._refusal(context, each) for each in dice)
        self.counts.update(
            trials=1,
            rolled=any(each.rolled for each in dice),
            refused=first is not None,
            kept=bool(self.play.knowledge),
        )
        if first != second:
            self.dependent.append((context.command.__struct_config__.tag, first, second))

    def _refusal(self, context: CommandContext, dice: Dice) -> str | None:
        try:
            self.decide(
                self.play.whole, self.play.knowledge, structs.replace(context, filled={}), context.visibility, dice
            )
        except Rejection as refusal:
            return refusal.code
        return None

    def _play(self, wish: Wish, action_id: ActionId, faces: list[int]) -> None:
        """It happens, as far as what is hidden lets it; with the dice that fell then, if any did."""
        context = self._asked(wish, action_id)
        dice = ScriptedDice(faces or [self.chance.randint(1, 20) for _ in range(30)])
        with suppress(Rejection):
            self.play.act(context, context.visibility, dice, self.decide)


def wish_of(action: PastAction, gm: AccountId) -> Wish | None:
    """What an action was asked for with; None for what only happened."""
    if isinstance(action.events[0], CalendarAdvanced):
        return Wish(c.AdvanceCalendar(Span(seconds=action.events[0].seconds)), gm, action.recorded_at)
    return None if action.request is None else Wish(action.request.command, action.actor, action.recorded_at)
