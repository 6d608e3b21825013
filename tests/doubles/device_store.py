"""Devices in memory: of accounts that may sign in, whose sign-ins are never over."""

from uuid import UUID

from msgspec import structs

from domain.ids import AccountId, CampaignId
from domain.push_call_devices import Device, DeviceWithNews
from services.ports.clock_and_randomness import Clock
from tests.doubles.event_store import MemoryEventStore


class MemoryDeviceStore:
    """Keeps devices of the members of a log. `clock` gives microseconds UTC."""

    def __init__(self, log: MemoryEventStore, clock: Clock) -> None:
        self._log = log
        self._clock = clock
        self._devices: dict[UUID, Device] = {}

    async def heads(self, account_id: AccountId) -> dict[CampaignId, int]:
        """The last seq of each campaign of an account."""
        campaigns = [campaign for campaign, _ in await self._log.campaigns_of(account_id, CampaignId(UUID(int=0)))]
        heads = [(campaign, await self._log.head(campaign)) for campaign in campaigns]
        return {campaign: head.seq for campaign, head in heads if head is not None}

    async def create(self, device: Device, most: int) -> bool:
        """Store a device, or a sign-in's new keys; False: the account has `most` others."""
        others = {
            key: other
            for key, other in self._devices.items()
            if key != device.device_id and other.endpoint_hash != device.endpoint_hash
        }
        if sum(other.account_id == device.account_id for other in others.values()) >= most:
            return False
        before = self._devices.get(device.device_id)
        if before is not None:
            device = structs.replace(device, places=before.places, created_at=before.created_at)
        self._devices = {**others, device.device_id: device}
        return True

    async def of(self, account_id: AccountId) -> list[Device]:
        """The devices of an account, oldest first."""
        own = (device for device in self._devices.values() if device.account_id == account_id)
        return sorted(own, key=lambda device: (device.created_at, device.device_id))

    async def give_words(self, account_id: AccountId, device_id: UUID, *, with_words: bool) -> bool:
        """Have calls say what waits, or not; False: the account has no such device."""
        device = self._devices.get(device_id)
        if device is None or device.account_id != account_id:
            return False
        self._devices[device_id] = structs.replace(device, with_words=with_words)
        return True

    async def delete(self, account_id: AccountId, device_id: UUID) -> bool:
        """Delete a device; False: the account has no such one."""
        device = self._devices.get(device_id)
        if device is None or device.account_id != account_id:
            return False
        del self._devices[device_id]
        return True

    async def due(self, limit: int) -> list[DeviceWithNews]:
        """Devices that are due, with campaigns that went on since they were told, oldest first."""
        now, due = self._clock(), []
        for device in sorted(self._devices.values(), key=lambda device: (device.due_at, device.device_id)):
            heads = await self.heads(device.account_id)
            upto = {campaign: place.upto for campaign, place in device.places.items()}
            news = [campaign for campaign, seq in heads.items() if seq > upto.get(campaign, 0)]
            if news and device.parked_at is None and device.due_at <= now:
                due.append(DeviceWithNews(device, sorted(news)))
        return due[:limit]

    async def save(self, device: Device, due_at: int) -> bool:
        """Store how far a device has come; False: its `due_at` is not this any more, or it is gone."""
        stored = self._devices.get(device.device_id)
        if stored is None or stored.due_at != due_at:
            return False
        self._devices[device.device_id] = device
        return True

    async def end(self, device: Device) -> None:
        """Delete a device that its push service knows no more, unless it has another endpoint meanwhile."""
        stored = self._devices.get(device.device_id)
        if stored is not None and stored.endpoint_hash == device.endpoint_hash:
            del self._devices[device.device_id]
