"""A campaign with secrets and payouts, played through the handler, and everything its people can read of it."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, cast
from uuid import uuid4

import msgspec
from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import (
    AddNote,
    CreateCampaign,
    JoinCampaign,
    PostEntry,
    RollDice,
)
from domain.event_store_types import StoredEvent
from domain.ids import AccountId, ActionId, CampaignId, SystemId
from domain.systems import SYSTEMS
from domain.systems.frame_state import commands as frame_state
from infra.in_process.campaign_news import InProcessNotifier
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from infra.machine.head_store import NoHeadStore
from infra.machine.service_key import AesNewsCipher, AesSeedCipher
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.projection_store import PostgresProjectionStore
from infra.postgres.timer_store import PostgresTimerStore
from projections.campaign.campaign_view import campaign_view
from projections.campaign.ledger import account_balances
from projections.sheets import sheet
from services.application import Application
from services.campaign.loaded_campaign import CampaignCache
from services.campaign.name_resolver import NameResolver
from services.campaign.rollback_detector import RollbackDetector
from services.campaign.seed_store import SeedStore
from services.campaign.state_at import StateReader
from services.campaign.visible_campaign import CampaignReader, VisibleCampaign
from services.commands.command_handler import CommandHandler
from services.commands.pending_command import PendingCommand
from services.reading.chronicle import Filters, actions_page, entries_before, entries_page
from services.workers.projector import Projector
from tests.doubles.account_stores import MemoryAccountStore
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.doubles.timer_store import MemoryTimerStore

HOT_BYTES = 10_000_000
CREDITS = "credits"


def timers_beside(log: Any) -> Any:
    """The timers that belong to a log, wherever that is kept."""
    if isinstance(log, MemoryEventStore):
        return MemoryTimerStore(log, machine_clock)
    return PostgresTimerStore(log._database)


class Worker:
    """One process's view of the log: its own memory, the same log and stored views."""

    def __init__(self, log: Any, views: Any) -> None:
        self.names = NameResolver(MemoryAccountStore(machine_clock))
        self.handler = CommandHandler(
            log=log,
            views=views,
            timers=timers_beside(log),
            cache=CampaignCache(HOT_BYTES),
            names=self.names,
            clock=machine_clock,
            dice=EntropyDice,
            entropy=MachineEntropy(),
            seeds=SeedStore(log, AesSeedCipher(bytes(32))),
            detector=RollbackDetector(log, NoHeadStore()),
            notifier=InProcessNotifier(),
            news_cipher=AesNewsCipher(bytes(32)),
            news=lambda *_: None,
        )
        self.catch_up = Projector(log, views, self.handler)


class CampaignFollowed:
    """`ana` is the GM; `mara`, `ines` and `olaf` play. Only Ines is shown things alone."""

    def __init__(self, log: Any, views: Any) -> None:
        self.log = log
        self.views = views
        self.worker = Worker(log, views)
        self.id = CampaignId(uuid4())
        self.people = {who: AccountId(uuid4()) for who in ("ana", "mara", "ines", "olaf")}
        self.pilots: dict[str, str] = {}

    async def act(self, who: str, command: Any, **request: Any) -> dict[str, Any]:
        """Somebody acts; the answer."""
        reply = await self.worker.handler.act(
            PendingCommand(
                campaign_id=self.id,
                account=self.people[who],
                request=ActRequest(command=command, **request),
                action_id=ActionId(uuid4()),
                answered=asyncio.get_running_loop().create_future(),
            )
        )
        answer: dict[str, Any] = msgspec.json.decode(reply)
        return answer

    async def found(self) -> "CampaignFollowed":
        """Gather, and make a pilot for each player."""
        await self.act("ana", CreateCampaign("Iron Rain", [SystemId("frame_state")], {}))
        for who in ("mara", "ines", "olaf"):
            await self.act(who, JoinCampaign("player", "invite-1"))
        await self.act("ana", frame_state.DefineCatalogue(preset="playtest1.2"))
        for who in ("mara", "ines", "olaf"):
            made = await self.act(who, frame_state.CreatePilot(name=who.title()))
            self.pilots[who] = made["events"][0]["pilot_id"]
        return self

    async def mission(self, name: str, **payouts: int) -> dict[str, Any]:
        """A mission from its start to its end; payouts by player."""
        await self.act("ana", frame_state.StartMission(name=name))
        return await self.act(
            "ana",
            frame_state.ConcludeMission(payouts={self.pilots[who]: amount for who, amount in payouts.items()}),
        )

    def evening(self) -> list[Callable[[], Awaitable[Any]]]:
        """What happens at the table, in order."""
        ines, mara = f"account:{self.people['ines']}", self.pilots["mara"]
        market = PostEntry(
            currency=CREDITS, debit="world:market", credit="crew", amount=7, reason="a round", new=True
        )
        return [
            lambda: self.act("ana", frame_state.AwardCurrency(pilot=mara, amount=90, reason="a start")),
            lambda: self.act("ana", AddNote("Mara lies", about=mara), visibility="gm"),  # type: ignore[arg-type]
            lambda: self.act("mara", RollDice("2d6")),
            lambda: self.mission("Salvage", mara=400, ines=300),
            lambda: self.act("ana", AddNote("only for you"), visibility=ines),
            lambda: self.act("ines", RollDice("d20"), visibility=ines),
            lambda: self.act("ana", market),
            lambda: self.act("ana", frame_state.AwardCurrency(pilot=mara, amount=5, reason="tip")),
            lambda: self.act("mara", RollDice("3d8"), visibility="blind"),
            lambda: self.mission("Escort", olaf=50, mara=1),
            lambda: self.act("ana", AddNote("and this"), visibility=ines),
        ]

    async def payouts(self) -> list[tuple[str, str, int]]:
        """What was posted: mission, pilot and amount, in order."""
        rows: list[StoredEvent] = await self.log.tail(self.id, 0)
        bodies = [msgspec.json.decode(row.body) for row in rows if row.kind == "frame_state.currency_awarded"]
        return [(each["mission_id"], each["pilot"], each["amount"]) for each in bodies if each["mission_id"]]

    async def everything_read(self, views: Any) -> dict[str, Any]:
        """What each of them can read, by a process that has just been started."""
        reader = CampaignReader(self.log, views, self.worker.names, HOT_BYTES)
        return {
            who: await self._read_by(await reader.see(self.id, account), views)
            for who, account in self.people.items()
        }

    async def _read_by(self, seen: VisibleCampaign, views: Any) -> dict[str, Any]:
        state = seen.state
        found: dict[str, Any] = {
            "campaign": campaign_view(state, self.id, seen.seq, seen.role, seen.name),
            "accounts": account_balances(state, seen.name),
            "sheets": [
                sheet(state, system, known.character)
                for system, inner in state.systems.items()
                for known in SYSTEMS[system].characters(inner)
            ],
        }
        filters = [
            Filters(),
            Filters(character=self.pilots.get("mara")),
            Filters(type="campaign.note_added"),
            Filters(type="campaign.roll", actor=self.people["mara"]),
            Filters(actor=self.people["ines"]),
            Filters(character="pilot-of-nobody"),
        ]
        for at, wanted in enumerate(filters):
            for limit in (2, 500):
                found[f"chronicle {at}, {limit} at a time"] = [
                    page async for page in self._chronicle(seen, views, limit, wanted)
                ]
        for account in (None, f"pilot:{self.pilots.get('mara')}", "crew", "account:nobody"):
            for limit in (1, 500):
                found[f"entries of {account}, {limit} at a time"] = [
                    page async for page in self._entries(seen, views, limit, account)
                ]
        builtins: dict[str, Any] = msgspec.to_builtins(found)
        return builtins

    async def _chronicle(
        self, seen: VisibleCampaign, views: Any, limit: int, wanted: Filters
    ) -> AsyncIterator[Any]:
        after: int | None = 0
        while after is not None:
            page = await actions_page(self.log, views, seen, after, limit, wanted)
            yield page
            if page.actions:
                back = await actions_page(self.log, views, seen, after, limit, wanted, page.actions[-1].seq + 1)
                assert back.actions == page.actions[::-1]
            after = page.next_after

    async def _entries(
        self, seen: VisibleCampaign, views: Any, limit: int, account: str | None
    ) -> AsyncIterator[Any]:
        after: int | None = 0
        while after is not None:
            start = after
            entries, after = await entries_page(self.log, views, seen, account, start, limit)
            yield entries, after
            if entries:
                end = entries[-1].seq + 1
                assert (await entries_before(self.log, views, seen, account, end, limit, start))[0] == entries[
                    ::-1
                ]


def no_views() -> MemoryProjectionStore:
    """Stored views that no worker has ever kept."""
    return MemoryProjectionStore(MemoryEventStore(machine_clock))


@asynccontextmanager
async def followed_in(kind: str, url: Callable[[], str]) -> AsyncIterator[CampaignFollowed]:
    """A campaign whose people have gathered, in `memory` or in `postgres`."""
    if kind == "memory":
        log = MemoryEventStore(machine_clock)
        yield await CampaignFollowed(log, MemoryProjectionStore(log)).found()
        return
    async with Database(url(), readers=4, application_name="followed") as database:
        yield await CampaignFollowed(PostgresEventStore(database), PostgresProjectionStore(database)).found()


def audiences(folds: list[Any]) -> set[str]:
    """Whose folds are stored."""
    return {fold.audience for fold in folds}


class Parts(Struct):
    """Of a application, what undoing takes."""

    log: Any
    views: Any
    timers: Any
    handler: Any
    campaigns: CampaignReader
    states: StateReader
    names: Any
    entropy: Any


def application_of(campaign: CampaignFollowed) -> Application:
    log, views, names = campaign.log, campaign.views, campaign.worker.names
    reads = CampaignReader(log, views, names, HOT_BYTES)
    timers, states = timers_beside(log), StateReader(log, views)
    parts = Parts(log, views, timers, campaign.worker.handler, reads, states, names, MachineEntropy())
    return cast("Application", parts)
