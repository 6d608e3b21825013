"""Devices on which accounts are called, in PostgreSQL. Every method may raise `DatabaseUnavailable`."""

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

import msgspec
from psycopg.types.numeric import Int4, Int8

from domain.ids import AccountId, CampaignId
from domain.push_call_devices import Device, DeviceWithNews, Place
from infra.postgres.driver.database import Database
from infra.postgres.driver.statements import SQL

PLACES = 8
"""The column of a device's row that is JSON."""
COLUMNS = len(Device.__struct_fields__)


class PostgresDeviceStore:
    """Keeps each device in one row, beside its sign-in: no call is stored."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def heads(self, account_id: AccountId) -> dict[CampaignId, int]:
        """The last seq of each campaign of an account."""
        return dict(await self._database.read(SQL["read_heads_of"], tuple, account=account_id))

    async def create(self, device: Device, most: int) -> bool:
        """Store a device, or a sign-in's new keys; False: there are `most` others, or the sign-in is over."""
        rows = await self._database.execute(
            SQL["create_device"],
            tuple,
            device=device.device_id,
            account=device.account_id,
            endpoint_hash=device.endpoint_hash,
            host=device.host,
            sealed=device.sealed,
            with_words=device.with_words,
            language=device.language,
            created_at=Int8(device.created_at),
            places=_json(device),
            most=Int8(most),
        )
        return bool(rows)

    async def of(self, account_id: AccountId) -> list[Device]:
        """The devices of an account whose sign-ins are not over, oldest first."""
        return await self._database.read(SQL["read_devices"], _device_of, account=account_id)

    async def give_words(self, account_id: AccountId, device_id: UUID, *, with_words: bool) -> bool:
        """Have calls say what waits, or not; False: the account has no such device."""
        rows = await self._database.execute(
            SQL["give_device_words"], tuple, account=account_id, device=device_id, with_words=with_words
        )
        return bool(rows)

    async def delete(self, account_id: AccountId, device_id: UUID) -> bool:
        """Delete a device; False: the account has no such one."""
        rows = await self._database.execute(SQL["delete_device"], tuple, account=account_id, device=device_id)
        return bool(rows)

    async def due(self, limit: int) -> list[DeviceWithNews]:
        """Devices that are due, with campaigns that went on since they were told, oldest first."""
        rows = await self._database.read(SQL["read_due_devices"], tuple, most=Int8(limit))
        due = []
        for _, several in groupby(rows, key=itemgetter(0)):
            of_device = [*several]
            due.append(DeviceWithNews(_device_of(of_device[0][:COLUMNS]), [row[COLUMNS] for row in of_device]))
        return due

    async def save(self, device: Device, due_at: int) -> bool:
        """Store how far a device has come; False: its `due_at` is not this any more, or it is gone."""
        rows = await self._database.execute(
            SQL["save_device"],
            tuple,
            device=device.device_id,
            places=_json(device),
            attempts=Int4(device.attempts),
            next=Int8(device.due_at),
            failing_since=None if device.failing_since is None else Int8(device.failing_since),
            parked_at=None if device.parked_at is None else Int8(device.parked_at),
            fault=device.fault,
            due_at=Int8(due_at),
        )
        return bool(rows)

    async def end(self, device: Device) -> None:
        """Delete a device that its push service knows no more, unless it has another endpoint meanwhile."""
        await self._database.execute(
            SQL["end_device"], tuple, device=device.device_id, endpoint_hash=device.endpoint_hash
        )


def _json(device: Device) -> str:
    return msgspec.json.encode(device.places).decode()


def _device_of(row: Sequence[Any]) -> Device:
    places = msgspec.json.decode(row[PLACES], type=dict[UUID, Place])
    return Device(*[*row[:PLACES], places, *row[PLACES + 1 :]])
