"""Random play of a campaign of any rule system, through the whole service in memory; the same for the same seed.

What people do by the rules comes from the system's own random play. Between that they write, roll, trade, let time
pass and set timers, and some of it all is hidden.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from itertools import cycle
from random import Random
from typing import Any
from uuid import UUID

from msgspec import Struct

from domain.campaign import commands as c
from domain.campaign.command_request import ActRequest
from domain.campaign.messages import downtime as d
from domain.campaign.messages import escrow as m
from domain.campaign.messages import timers as t
from domain.campaign.messages.base_types import Span
from domain.campaign.recorded_action import PastAction
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import past_action
from domain.command_context import CommandContext
from domain.dice.dice_in_events import dice_of
from domain.ids import AccountId, ActionId, CampaignId, CharacterId, SystemId
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.pending_command import PendingCommand
from services.history.reveal import reveal
from services.reading.event_scan import by_action
from services.transfer.import_campaign import fork
from tests.domain.plays import PLAYS
from tests.services.things_at_random import about_things
from tests.stories.memory_service import SECOND, SeededEntropy, SteppedClock, memory_house

SECONDS_MAX = 4 * 60 * 60
"""How long timers and plans take, and how far the calendar moves, at the most."""

THINGS_SHARE = 0.4
"""After how many moves somebody does something with a thing of the group."""

OPEN = 0.75
"""How much of what may be hidden is not."""

AT_THE_TABLE = 0.7
"""How many commands that want dice are given those of the table."""


class Played(Struct, frozen=True):
    """One command of a system's random play: who asked, and the dice that fell, for the table to roll."""

    context: CommandContext
    dice: list[tuple[int, int]]


def played(system: str, chance: Random) -> list[Played]:
    """A system's own random play, as its people asked for it."""
    table = PLAYS[system](chance)
    asks: dict[int, CommandContext] = table.asks
    return [
        Played(asks[nth], [(die.sides, die.natural) for die in dice_of(events)])
        for nth, events in enumerate(table.actions)
        if nth in asks
    ]


class Campaign:
    """A campaign that is played: its GM, and its players. Only the first of them is shown things alone.

    `moves` are those of the system's own random play. `may_hide`: from now on, some of what people do is hidden.
    `applications` are asked in turn; without them it is one in memory.
    """

    def __init__(self, system: str, seed: int, applications: Sequence[Application] = ()) -> None:
        self.chance = Random(f"{system} {seed}")  # noqa: S311 — a seed per play, so that it can be played again
        self.chance_of_things = Random(f"things {system} {seed}")  # noqa: S311 — as above
        self.clock = SteppedClock()
        self._turns = cycle(applications or [memory_house(self.clock, SeededEntropy(seed, self.clock))])
        self.id = CampaignId(self.application.entropy.new_id())
        self._system = SystemId(system)
        self.may_hide = False
        self.moves = played(system, self.chance)
        roles = {
            each.context.account: each.context.role for each in self.moves if each.context.account is not None
        }
        self.gm = next(who for who, role in roles.items() if role == "gm")
        self.players = sorted(who for who, role in roles.items() if role == "player") or [AccountId(UUID(int=1))]

    @property
    def application(self) -> Application:
        """The one that is asked next."""
        return next(self._turns)

    async def gather(self) -> None:
        """Everybody is there, and players may undo what is theirs."""
        assert await self.act(self.gm, c.CreateCampaign("Iron Rain", [self._system]))
        for player in self.players:
            assert await self.act(player, c.JoinCampaign("player", "invite-1"))
        assert await self.act(self.gm, c.SetSetting("campaign.player_undo", "own"))

    async def act(
        self,
        account: AccountId,
        command: Any,
        visibility: str = "all",
        dice: list[tuple[int, int]] | None = None,
        action_id: ActionId | None = None,
    ) -> bool:
        """Somebody acts, a second after what was before; False: that is refused."""
        self.clock.now += SECOND
        request = ActRequest(command=command, dice=dice, visibility=visibility)
        try:
            if isinstance(command, c.RevealAction):
                await reveal(self.application, self.id, account, request)
                return True
            await self.application.handler.act(
                PendingCommand(
                    campaign_id=self.id,
                    account=account,
                    request=request,
                    action_id=action_id or ActionId(self.application.entropy.new_id()),
                    answered=asyncio.get_running_loop().create_future(),
                )
            )
        except Rejection:
            return False
        return True

    async def play(self) -> AsyncIterator[int]:
        """Play it all; yields after each move by the rules how many there have been. The first quarter is open."""
        for nth, move in enumerate(self.moves, 1):
            self.may_hide = 4 * nth > len(self.moves)
            await self._step(move)
            yield nth

    async def _step(self, move: Played) -> None:
        """The next thing by the rules, and perhaps something beside it."""
        context = move.context
        passed = context.game_time - (await self.seen(self.gm)).state.game_time
        if passed > 0 and context.account is not None:
            await self.act(self.gm, c.AdvanceCalendar(Span(seconds=passed)))
        if context.command is not None and context.account is not None:
            dice = move.dice if move.dice and self.chance.random() < AT_THE_TABLE else None
            who, what, as_told = context.account, context.command, (dice, context.action_id)
            for readers in dict.fromkeys((self.readers(who), "all")):  # openly, where it may not be hidden
                if await self.act(who, what, readers, *as_told):
                    break
        for _ in range(self.chance.randint(0, 3)):
            who = self.chance.choice([self.gm, *self.players])
            command = self._something((await self.seen(self.gm)).state, await self.past())
            await self.act(who, command, self.readers(who))
        await self._handle_things()
        await self.work()

    async def _handle_things(self) -> None:
        """Now and then somebody does something with a thing of the group."""
        chance = self.chance_of_things
        if chance.random() < THINGS_SHARE:
            who = chance.choice([self.gm, *self.players])
            hides = self.may_hide and chance.random() > OPEN
            readers = chance.choice(["gm", f"account:{self.players[0]}"]) if hides else "all"
            await self.act(who, about_things(chance, (await self.seen(who)).state), readers)

    async def work(self) -> None:
        """A worker does what is due."""
        await self.application.handler.run_due(self.id, self.clock(), [])

    async def seen(self, account: AccountId) -> VisibleCampaign:
        """The campaign as somebody may see it."""
        return await self.application.campaigns.see(self.id, account)

    async def past(self) -> list[PastAction]:
        """Every action so far."""
        return [past_action(rows) for rows in by_action(await self.application.log.tail(self.id, 0))]

    async def go_on_elsewhere(self) -> None:
        """Go on in a fork: the same log, told once more through a file."""
        self.clock.now += SECOND
        self.id = (await fork(self.application.for_transfer, await self.seen(self.gm), "Iron Hail")).campaign_id
        for player in self.players:
            await self.act(player, c.JoinCampaign("player", "invite-1"))

    def readers(self, who: AccountId) -> str:
        """Who may read what somebody does: mostly everybody."""
        if not self.may_hide or self.chance.random() < OPEN:
            return "all"
        return self.chance.choice(["gm", f"account:{self.players[0]}", *(["blind"] if who != self.gm else [])])

    def _something(self, state: CampaignState, past: list[PastAction]) -> Any:
        chance = self.chance
        inner = state.systems[self._system]
        people = [each.character for each in SYSTEMS[self._system].characters(inner)]
        someone = chance.choice([*people, CharacterId("nobody")])
        purse = chance.choice([*state.balances, "crew"])
        currency = chance.choice([*state.balances.get(purse, {}), "credits"])
        timer = chance.choice([*state.timers, "none"])
        activity = chance.choice([*state.activities, "none"])
        pending = chance.choice([*state.pending_entries, "none"])
        while_ = Span(seconds=chance.randint(1, SECONDS_MAX))
        hidden = [each.action_id for each in past if each.visibility != "all"] or [ActionId(UUID(int=0))]
        clock: Any = chance.choice(["game", "real"])
        fees = t.Post(currency, purse, "world:dock", 5, new=True)
        return chance.choice(
            [
                c.AddNote("A note.", about=chance.choice([None, someone])),
                c.RollDice("2d6"),
                *[c.AdvanceCalendar(while_)] * 3,
                c.AssignCharacter(someone, chance.choice([None, *self.players])),
                c.StartSession(),
                c.EndSession(),
                c.StartScene("Dock"),
                c.EndScene(),
                c.StartDowntime(span=chance.choice([None, while_])),
                c.EndDowntime(),
                c.SetSetting("campaign.language", chance.choice(["fr", "en"])),
                c.SetSetting("campaign.timer_clock", clock),
                *[
                    c.PostEntry(
                        currency,
                        "world:market",
                        purse,
                        7,
                        "a round",
                        pending=chance.choice([True, False]),
                        new=True,
                    )
                ]
                * 2,
                m.OfferTransfer(currency, purse, "crew", 3, "a bribe", new=True),
                m.PostPending(pending),
                m.VoidPending(pending),
                *[t.ScheduleTimer("Bell", while_, clock=clock)] * 2,
                *[t.ScheduleTimer("Fees", while_, fees, every=chance.choice([None, while_]), times=2)] * 2,
                *[t.CancelTimer(timer)] * 2,
                *[t.PauseTimer(timer)] * 2,
                t.ResumeTimer(timer),
                d.PlanActivity(someone, "work", "Wages", while_, currency, purse, earns=30),
                d.PlanActivity(someone, "train", "Drill", while_, currency, purse, price=1),
                d.ApproveActivity(activity),
                d.StopActivity(activity),
                c.RevealAction(chance.choice(hidden)),
            ]
        )
