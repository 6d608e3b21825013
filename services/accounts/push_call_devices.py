"""Devices on which an account is called while a table waits for it: browsers in which it is signed in."""

from hashlib import sha256
from typing import Literal
from uuid import UUID

import msgspec
from msgspec import Struct

from domain.ids import AccountId
from domain.push_call_devices import DEVICES_MAX, Device, DeviceTarget, EndpointText, KeyText, Place
from domain.rejection import Missing, Rejection
from domain.sentences import ENGLISH, say
from projections.timestamps import moment
from services.accounts.authentication import Authenticator, Principal
from services.ports.crypto import AddressCipher, PushSealer
from services.ports.device_store import DeviceStore
from services.ports.event_store import EventStore
from services.runtime.reader_language import reader_language
from services.runtime.web_addresses import host_of


class DeviceKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of a browser, as its `PushSubscription` has them (base64url)."""

    p256dh: KeyText
    auth: KeyText


class NewDevice(Struct, frozen=True, forbid_unknown_fields=True, rename={"expiration_time": "expirationTime"}):
    """Where a push service takes messages for a browser, and the browser's keys: a `PushSubscription`.

    `with_words`: calls say in which campaign something waits, and what.
    """

    endpoint: EndpointText
    keys: DeviceKeys
    expiration_time: float | None = None
    """As browsers send it, and not used: a push service says itself when it is over."""
    with_words: bool = False


class DeviceView(Struct, frozen=True):
    """A device as its owner may see it later: of the place where it is called the host alone."""

    device_id: UUID
    """The id of its sign-in, with which the calls end."""
    label: str
    """That of the sign-in."""
    current: bool
    """Whether it is the sign-in of this request."""
    host: str
    with_words: bool
    created_at: str
    state: Literal["called", "failing", "parked"]
    """Called, failing and tried again by itself, or parked after a day of failures, until it is made again."""
    error: str | None
    """A code for why the last attempt failed."""


class DevicesPage(Struct, frozen=True):
    """The devices of an account, oldest first; `public_key` is that which a browser subscribes with."""

    public_key: str
    devices: list[DeviceView]


class SealedDevices:
    """Stores devices, with where they are called encrypted; `allows_http`: the host has networks for that."""

    def __init__(
        self,
        store: DeviceStore,
        cipher: AddressCipher,
        sealer: PushSealer,
        log: EventStore,
        *,
        allows_http: bool,
    ) -> None:
        self.store = store
        self.sealer = sealer
        self._cipher = cipher
        self._log = log
        self._allows_http = allows_http

    async def register(self, reader: Principal, request: NewDevice) -> None:
        """Call the account in the browser that asks, from now on; a new place takes that of a former one.

        Raises `push_address_unusable`, `push_keys_unusable` and `too_many_devices`.
        """
        host = host_of(request.endpoint, allows_http=self._allows_http)
        if host is None:
            raise Rejection(
                "push_address_unusable", say("The address of the push service has to begin with https://.")
            )
        target = DeviceTarget(request.endpoint, request.keys.p256dh, request.keys.auth)
        if not self.sealer.is_usable(target):
            raise Rejection("push_keys_unusable", say("Nothing can be encrypted with the keys of this browser."))
        now = await self._log.now()
        heads = await self.store.heads(reader.account_id)
        device = Device(
            device_id=reader.token_id,
            account_id=reader.account_id,
            endpoint_hash=sha256(request.endpoint.encode()).digest(),
            host=host,
            sealed=self._cipher.seal(reader.account_id, reader.token_id, msgspec.json.encode(target)),
            with_words=request.with_words,
            language=reader.language or reader_language() or ENGLISH,
            created_at=now,
            places={campaign: Place(seq, marks=None) for campaign, seq in heads.items()},
            attempts=0,
            due_at=now,
            failing_since=None,
            parked_at=None,
            fault=None,
        )
        if not await self.store.create(device, DEVICES_MAX):
            sentence = say("You are called on {most} devices at most. Stop another one first.", most=DEVICES_MAX)
            raise Rejection("too_many_devices", sentence)

    async def give_words(self, account: AccountId, device_id: UUID, *, with_words: bool) -> None:
        """Have the calls of a device say what waits, or not. Raises `device_not_found`."""
        if not await self.store.give_words(account, device_id, with_words=with_words):
            raise device_not_found()

    async def stop(self, account: AccountId, device_id: UUID) -> None:
        """Call a device no more. Raises `device_not_found`."""
        if not await self.store.delete(account, device_id):
            raise device_not_found()

    def target_of(self, device: Device) -> DeviceTarget | None:
        """Where a device is called; None: it was encrypted with another key."""
        content = self._cipher.decrypt(device.account_id, device.device_id, device.sealed)
        return None if content is None else msgspec.json.decode(content, type=DeviceTarget)


async def devices_of(devices: SealedDevices, people: Authenticator, reader: Principal) -> DevicesPage:
    """The devices of the account that asks."""
    account = reader.account_id
    labels = {session.session_id: session.label for session in await people.sessions(account)}
    labels |= {token.token_id: token.label for token in await people.tokens(account)}
    return DevicesPage(
        devices.sealer.public_key,
        [
            _view(device, labels[device.device_id], is_current=device.device_id == reader.token_id)
            for device in await devices.store.of(account)
            if device.device_id in labels  # else it was signed out just now
        ],
    )


def device_not_found() -> Missing:
    """The same text for a device that is not called any more, that is another account's, and that never was."""
    return Missing("device_not_found", say("You are not called on that device."))


def _view(device: Device, label: str, *, is_current: bool) -> DeviceView:
    state: Literal["called", "failing", "parked"] = "called"
    if device.failing_since is not None:
        state = "failing" if device.parked_at is None else "parked"
    return DeviceView(
        device_id=device.device_id,
        label=label,
        current=is_current,
        host=device.host,
        with_words=device.with_words,
        created_at=moment(device.created_at),
        state=state,
        error=device.fault,
    )
