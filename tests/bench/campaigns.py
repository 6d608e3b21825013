"""Campaigns with a past: real commands decided once, then written to the database as often as they are wanted.

A script is a beginning (people, a catalogue, pilots with frames) and a stretch of play that can be repeated:
tests called and rolled, notes, awards. Every stretch has its own ids of actions and of what they make, and every
copy a chain of its own.
"""

import asyncio
import re
import time
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any, Protocol
from uuid import uuid4

import psycopg
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, CreateCampaign, JoinCampaign
from domain.campaign.events import DiceEpochStarted
from domain.campaign.subjects import BORN_MAX, born_in
from domain.event_store_types import StoredEvent
from domain.hash_chain import GENESIS, event_hash, private_hash_of
from domain.ids import AccountId, ActionId, CampaignId, SystemId, derive_id
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.state import TestDie
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from services.campaign.loaded_campaign import LoadedCampaign
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from tests.engines import DatabaseUrls
from tests.services.deciding import committed

STRETCHES = 200
"""How often the stretch is decided anew, so that all that is remembered of settled tests gets full."""

EVENTS_PER_STRETCH = 8

CALL = c.CallTest(mark=9, test_type="reactive", dice=[TestDie(die="d8"), TestDie(die="d10")], modifiers=[1, -2])
ROLL = c.RollTest()
NOTE = AddNote(text="The tow train stops at the seventh tower; somebody has been here before them.")


class Line(Struct, frozen=True):
    """One event of a script: its row as first written, and where actions begin.

    `born` are the things that its action makes, each with its kind and its place among those of its kind.
    """

    row: StoredEvent
    begins: bool
    born: dict[str, tuple[str, int]]


class Past(Protocol):
    """What `write` writes: the rows of campaigns, and who is in them."""

    @property
    def gm(self) -> AccountId:
        """The GM of each."""
        ...

    @property
    def player(self) -> AccountId:
        """Their player."""
        ...

    def rows(self, campaign_id: CampaignId, events: int | None = None) -> Iterator[StoredEvent]:
        """The rows of a campaign with so many events."""
        ...


class Script(Struct, frozen=True):
    """A past that many campaigns can have."""

    gm: AccountId
    player: AccountId
    pilots: list[str]
    beginning: list[Line]
    stretch: list[Line]

    def whole(self, events: int) -> int:
        """About so many events, after which no test waits for its roll."""
        begun = len(self.beginning)
        return begun + (events - begun) // EVENTS_PER_STRETCH * EVENTS_PER_STRETCH

    def rows(self, campaign_id: CampaignId, events: int | None = None) -> Iterator[StoredEvent]:
        """The rows of a campaign with so many events; left out, with its beginning only."""
        count = len(self.beginning) if events is None else events
        at = time.time_ns() // 1000
        previous, action_id = GENESIS, ActionId(uuid4())
        names: dict[bytes, bytes] = {}
        begun = len(self.beginning)
        lines = islice(self.beginning, count), islice(cycle(self.stretch), max(0, count - begun))
        for seq, line in enumerate((line for part in lines for line in part), 1):
            if line.begins:
                action_id = line.row.action_id if seq <= begun else ActionId(uuid4())
                names |= {
                    name.encode(): derive_id(kind, action_id, nth).encode()
                    for name, (kind, nth) in line.born.items()
                }
            row = structs.replace(
                line.row,
                seq=seq,
                action_id=action_id,
                recorded_at=at,
                command=line.row.command and _renamed(line.row.command, names),
                body=_renamed(line.row.body, names),
            )
            previous = event_hash(campaign_id, seq, previous, at, row.visibility, private_hash_of(row))
            yield structs.replace(row, hash=previous)


class Playing:
    """Decides commands one after another on a campaign in memory."""

    def __init__(self) -> None:
        self.campaign_id = CampaignId(uuid4())
        self.hot = LoadedCampaign.new()
        self.lines: list[Line] = []
        self._entropy = MachineEntropy()

    def do(self, account: AccountId, command: Any) -> list[Any]:
        ask = an_ask(self.campaign_id, account, command)
        [action] = decide_command(ask, self.hot, machine_clock(), EntropyDice, self._entropy)
        # The seeds of a dice epoch are this campaign's alone, and the copies have other ids.
        kept = [event for event in action.events if not isinstance(event, DiceEpochStarted)]
        kept_by = action.visibilities[: len(kept)]
        own = structs.replace(action, events=kept, visibilities=kept_by, seeds=None)
        rows = committed(self.hot, own, self._entropy)
        born = _born(rows[0].action_id, action.events)
        self.lines += [Line(row, nth == 0, born) for nth, row in enumerate(rows)]
        return action.events


def _born(action_id: ActionId, events: list[Any]) -> dict[str, tuple[str, int]]:
    """The things that an action makes, each with its kind and its place among those of its kind."""
    named = born_in(action_id, events)
    kinds = {name.rpartition("-")[0] for name in named}
    places = {derive_id(kind, action_id, nth): (kind, nth) for kind in kinds for nth in range(BORN_MAX)}
    return {name: places[name] for name in named}


def _renamed(stored: bytes, names: dict[bytes, bytes]) -> bytes:
    """Stored JSON with other names of what has one of these."""
    return _BORN.sub(lambda found: names.get(found[0], found[0]), stored)


def an_ask(campaign_id: CampaignId, account: AccountId, command: Any) -> PendingCommand:
    """A command on its way, as the API would send it without a key."""
    return PendingCommand(
        campaign_id=campaign_id,
        account=account,
        request=ActRequest(command=command),
        action_id=ActionId(uuid4()),
        answered=asyncio.get_running_loop().create_future(),
    )


def a_script(gm: AccountId, player: AccountId, *, pilots: int = 1, stretches: int = STRETCHES) -> Script:
    """Play it once, through the rules. Call it where an event loop runs."""
    playing = Playing()
    playing.do(gm, CreateCampaign("Iron Rain", [SystemId("frame_state")]))
    playing.do(player, JoinCampaign("player", "invite-1"))
    playing.do(gm, c.DefineCatalogue(preset="playtest1.2", new_frame_price=1_200))
    names = []
    for nth in range(pilots):
        created = playing.do(player, c.CreatePilot(name=f"Mara Voss {nth}"))[0]
        playing.do(player, c.CreateUnit(kind="frame", name=f"Lantern {nth}", pilot=created.pilot_id))
        names.append(created.pilot_id)
    beginning = playing.lines
    playing.lines = []
    for _ in range(stretches):
        for _ in range(3):
            playing.do(gm, structs.replace(CALL, pilot=names[0]))
            playing.do(player, ROLL)
        playing.do(gm, NOTE)
        playing.do(gm, c.AwardCurrency(amount=50, reason="for the tow", pilot=names[0]))
    return Script(gm, player, names, beginning, playing.lines)


async def write(urls: DatabaseUrls, script: Past, lengths: dict[CampaignId, int | None]) -> None:
    """Write campaigns straight into the database, past the log: only so are a million events made in seconds."""
    async with await psycopg.AsyncConnection.connect(urls.owner, autocommit=True) as connection:
        heads: list[tuple[Any, ...]] = []
        texts: list[tuple[Any, ...]] = []
        async with connection.cursor() as cursor, cursor.copy(_COPY_EVENTS) as copy:
            copy.set_types(_EVENT_TYPES)
            for campaign_id, events in lengths.items():
                row: StoredEvent | None = None
                for row in script.rows(campaign_id, events):
                    await copy.write_row(_columns(campaign_id, row))
                    if row.texts is not None:
                        texts.append((campaign_id, row.seq, row.text_salt, row.texts))
                assert row is not None
                heads.append((campaign_id, row.seq, row.recorded_at, row.hash))
        members = [
            (campaign_id, account, role)
            for campaign_id in lengths
            for account, role in ((script.gm, "gm"), (script.player, "player"))
        ]
        await _copy(connection, "personal_text (campaign_id, seq, salt, texts)", texts)
        await _copy(connection, "campaign_heads (campaign_id, seq, recorded_at, hash)", heads)
        await _copy(connection, "campaign_members (campaign_id, account_id, role)", members)


async def _copy(connection: psycopg.AsyncConnection, table: str, rows: list[tuple[Any, ...]]) -> None:
    async with connection.cursor() as cursor, cursor.copy(f"COPY {table} FROM STDIN") as copy:
        for row in rows:
            await copy.write_row(row)


def _columns(campaign_id: CampaignId, row: StoredEvent) -> tuple[Any, ...]:
    return (
        campaign_id,
        row.seq,
        row.recorded_at,
        row.game_time,
        row.kind_version,
        row.action_id,
        row.actor,
        row.kind,
        row.cause,
        row.visibility,
        row.salt,
        row.hash,
        row.command,
        row.body,
    )


_BORN = re.compile(rb"[a-z_]+-[0-9a-f]{12}")
_COPY_EVENTS = (
    "COPY events (campaign_id, seq, recorded_at, game_time, kind_version, action_id, actor, kind, cause, "
    "visibility, salt, hash, command, body) FROM STDIN (FORMAT BINARY)"
)
_EVENT_TYPES = ("uuid", *["int8"] * 3, "int4", "uuid", "uuid", *["text"] * 3, *["bytea"] * 4)
