"""`/api/accounts/me/devices`: the browsers in which an account is called while a table waits for it."""

from litestar import Controller, delete, get, patch, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Struct

from services.accounts.push_call_devices import DevicesPage, NewDevice, device_not_found, devices_of
from services.http.api.caller import Caller
from services.http.api.openapi_roles import ACCOUNT
from services.reading.parameters import uuid_or


class DeviceWords(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether calls of a device say in which campaign something waits, and what."""

    with_words: bool


class DevicesController(Controller):
    """Devices: made, listed, changed, stopped."""

    path = "/api/accounts/me/devices"
    tags = ("accounts",)

    @get("", summary="Your devices that are called", operation_class=ACCOUNT)
    async def devices(self, caller: NamedDependency[Caller]) -> DevicesPage:
        """The devices on which you are called, and the key that a browser subscribes with."""
        return await devices_of(caller.application.devices, caller.application.people, caller.principal)

    @put("", summary="Be called here", operation_class=ACCOUNT)
    async def call_here(self, caller: NamedDependency[Caller], data: JSONBody[NewDevice]) -> DevicesPage:
        """Be called by Web Push when a table waits for you and you have none in sight, until this sign-in ends.

        A sign-in has one device: another subscription takes the place of the former. An account has 10 at most.

        Refuses `push_address_unusable`, `push_keys_unusable` and `too_many_devices`.
        """
        await caller.application.devices.register(caller.principal, data)
        return await devices_of(caller.application.devices, caller.application.people, caller.principal)

    @patch("/{device_id:str}", summary="Say what waits, or not", operation_class=ACCOUNT, status_code=204)
    async def change(
        self, caller: NamedDependency[Caller], device_id: FromPath[str], data: JSONBody[DeviceWords]
    ) -> None:
        """Have the calls of a device say what waits, or only that something does. Refuses `device_not_found`."""
        device = uuid_or(device_id, device_not_found())
        await caller.application.devices.give_words(caller.account, device, with_words=data.with_words)

    @delete("/{device_id:str}", summary="Be called no more on a device", operation_class=ACCOUNT)
    async def stop(self, caller: NamedDependency[Caller], device_id: FromPath[str]) -> None:
        """Be called no more on a device. Refuses `device_not_found`."""
        await caller.application.devices.stop(caller.account, uuid_or(device_id, device_not_found()))
