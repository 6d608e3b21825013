"""A campaign played in one process without a log: commands are decided and settled as the handler does."""

from collections.abc import Sequence
from itertools import count
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import msgspec
import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AdvanceCalendar, CreateCampaign, JoinCampaign
from domain.campaign.due_commands import DueKey
from domain.campaign.evolve import evolve
from domain.campaign.messages.base_types import Span
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import decode_event
from domain.campaign.storage.snapshot import encode_state
from domain.command_context import CommandContext
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from services.commands.run_due import Failure, RunDue, run_due
from tests.scripted_dice import ScriptedDice
from tests.services.deciding import committed

CAMPAIGN = CampaignId(uuid5(NAMESPACE_URL, "campaign"))
DAY = 86_400
HOUR = 3_600
SECOND_MICROS = 1_000_000


def person(name: str) -> AccountId:
    return AccountId(uuid5(NAMESPACE_URL, name))


class NoEntropy:
    """What another would draw is counted."""

    def __init__(self) -> None:
        self._ids = count(1)

    def salts(self) -> bytes:
        return bytes(32)

    def new_id(self) -> UUID:
        return UUID(int=next(self._ids))


class CalendarPlayed:
    """`ana` is the GM, `ben` and `cleo` play, `olaf` observes. Real time stands still unless somebody moves it.

    `in_slices`: no more than one thing that is due happens at once, as where there is no time for more.
    """

    in_slices = False

    def __init__(self, *systems: str, **settings: Any) -> None:
        self.hot = LoadedCampaign.new()
        self.rows: list[StoredEvent] = []
        self.now = 1_000_000 * SECOND_MICROS
        self.asked = 0
        self.entropy = NoEntropy()
        played = [SystemId(each) for each in systems or ("frame_state",)]
        self.do("ana", CreateCampaign("Night shift", played, settings))
        for name in ("ben", "cleo", "olaf"):
            self.do(name, JoinCampaign("observer" if name == "olaf" else "player", "invite-1"))

    @property
    def state(self) -> CampaignState:
        return self.hot.state

    def do(self, who: str, command: Any, faces: Sequence[int] = (), visibility: str = "all") -> list[Any]:
        """Somebody asks; the events, with what the calendar made due after them."""
        self.asked += 1
        self._settle(RunDue())
        ask = PendingCommand(
            campaign_id=CAMPAIGN,
            account=person(who),
            request=ActRequest(command=command, visibility=visibility),
            action_id=ActionId(uuid5(NAMESPACE_URL, f"action {self.asked}")),
            answered=None,  # type: ignore[arg-type]  # nobody waits here
        )
        actions = decide_command(ask, self.hot, self.now, lambda: ScriptedDice(faces), self.entropy)
        for action in actions:
            self._commit(action)
        return [*(event for action in actions for event in action.events), *self._settle(RunDue())]

    def refusal(self, who: str, command: Any, visibility: str = "all") -> str:
        """The code under which a command is refused."""
        with pytest.raises(Rejection) as refused:
            self.do(who, command, visibility=visibility)
        assert len(str(refused.value.message)) > 10
        return refused.value.code

    def as_worker(self, command: Any, game_time: int, at: int = 0) -> CommandContext:
        """What the campaign itself asks at a moment."""
        return CommandContext(
            command=command,
            account=None,
            role="worker",
            action_id=ActionId(uuid5(NAMESPACE_URL, "by itself")),
            at=at,
            game_time=game_time,
            settings=None,
        )

    def pass_days(self, days: int = 0, hours: int = 0) -> list[Any]:
        """The GM lets time pass; what happened meanwhile."""
        return self.do("ana", AdvanceCalendar(Span(days=days, hours=hours)))[1:]

    def work(self, seconds: int = 0) -> list[Any]:
        """A worker comes by, so many seconds later in real time."""
        self.now += seconds * SECOND_MICROS
        return self._settle(RunDue(real_time=self.now))

    def _settle(self, command: RunDue) -> list[Any]:
        """Have happen what is due; what came of it."""
        self.failed: list[tuple[DueKey, Failure]] = []
        events: list[Any] = []
        more = True
        while more:
            run = run_due(
                CAMPAIGN,
                self.hot,
                self.now,
                lambda: ScriptedDice(()),
                self.entropy,
                command,
                self._commit,
                lambda: self.in_slices,
            )
            self.failed += run.failed
            events += run.events
            more = run.more
        return events

    def _commit(self, action: UnsealedAction) -> None:
        if action.events:
            self.rows += committed(self.hot, action, self.entropy)

    def facts(self) -> list[tuple[Any, ...]]:
        """What happened by itself: which action, at which moment of the calendar, what."""
        return [(row.action_id, row.game_time, row.kind, row.body) for row in self.rows if row.actor is None]

    def folded_again(self) -> bytes:
        """The state that folding the log gives."""
        state = CampaignState()
        for row in self.rows:
            state = evolve(state, decode_event(row))
        return encode_state(state)

    def kinds(self, events: list[Any]) -> list[str]:
        """Wire names of events, without `campaign.`."""
        return [event.__struct_config__.tag.removeprefix("campaign.") for event in events]


def plain(event: Any) -> dict[str, Any]:
    """An event as JSON has it."""
    builtins: dict[str, Any] = msgspec.to_builtins(event)
    return builtins
