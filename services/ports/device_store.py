"""Where the devices are stored on which accounts are called, with how far each has come."""

from typing import Protocol
from uuid import UUID

from domain.ids import AccountId, CampaignId
from domain.push_call_devices import Device, DeviceWithNews


class DeviceStore(Protocol):
    """Stores devices by sign-in, and loses them with it. Every method may raise `DatabaseUnavailable`."""

    async def heads(self, account_id: AccountId) -> dict[CampaignId, int]:
        """The last seq of each campaign of an account."""
        ...

    async def create(self, device: Device, most: int) -> bool:
        """Store a device, or a sign-in's new keys; False: the account has `most` others, or the sign-in is over.

        Of a sign-in that was a device before, the places stay. No other sign-in is called at its endpoint then.
        """
        ...

    async def of(self, account_id: AccountId) -> list[Device]:
        """The devices of an account whose sign-ins are not over, oldest first."""
        ...

    async def give_words(self, account_id: AccountId, device_id: UUID, *, with_words: bool) -> bool:
        """Have calls say what waits, or not; False: the account has no such device."""
        ...

    async def delete(self, account_id: AccountId, device_id: UUID) -> bool:
        """Delete a device; False: the account has no such one."""
        ...

    async def due(self, limit: int) -> list[DeviceWithNews]:
        """Devices that are due, with campaigns that went on since they were told, oldest first.

        None that is parked, whose account is disabled or whose sign-in is over. At most `limit` campaigns in all.
        """
        ...

    async def save(self, device: Device, due_at: int) -> bool:
        """Store how far a device has come; False: its `due_at` is not this any more, or it is gone."""
        ...

    async def end(self, device: Device) -> None:
        """Delete a device that its push service knows no more, unless it has another endpoint meanwhile."""
        ...
