"""Posts to addresses that members named, over connections to public addresses only.

The name is resolved here, each address that it has is checked, and the connection is made to an address that was
checked: another answer of the name server a moment later makes no difference. No redirect is followed, no proxy is
asked.
"""

import asyncio
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import httpcore

from domain.webhooks import WebAnswer, WebhookUnreachable

SECONDS_MAX = 10.0
"""The longest time from looking up the name to the end of the answer."""
CONNECT_SECONDS_MAX = 5.0
ANSWER_BYTES_MAX = 65_536
"""So much of an answer is read, and thrown away."""
RETRY_DIGITS_MAX = 9
TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv6 addresses behind which a translator reaches the IPv4 address in their last 32 bits."""

Address = IPv4Address | IPv6Address
LookUp = Callable[[str, int], Awaitable[list[Address]]]
"""Finds the addresses of a host, to be connected to at a port."""


async def addresses_of(host: str, port: int) -> list[Address]:
    """All addresses of a host. Raises `WebhookUnreachable`."""
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WebhookUnreachable("unknown_host") from None
    return [*dict.fromkeys(ip_address(str(place[0]).partition("%")[0]) for *_, place in found)]


@cache
def _trust() -> ssl.SSLContext:
    """The authorities that are trusted: they take memory, which only a process that sends anything needs."""
    return httpcore.default_ssl_context()


class HttpWebSender:
    """Posts by HTTPS to public addresses, and also by HTTP to addresses in `networks`, which the host allows."""

    def __init__(
        self, networks: Sequence[str], seconds_max: float = SECONDS_MAX, look_up: LookUp = addresses_of
    ) -> None:
        self._look_up = look_up
        self._seconds_max = seconds_max
        self._networks = [ip_network(network) for network in networks]

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> WebAnswer:
        """Post a body over a connection of its own. Raises `WebhookUnreachable`."""
        backend = _CheckedConnections(
            self._networks, self._look_up, is_private=urlsplit(address).scheme != "https"
        )
        try:
            async with asyncio.timeout(self._seconds_max):
                async with httpcore.AsyncConnectionPool(
                    ssl_context=_trust(), max_connections=1, network_backend=backend
                ) as connections:
                    return await _exchange(connections, address, headers, body)
        except (TimeoutError, httpcore.TimeoutException):
            raise WebhookUnreachable("no_answer_in_time") from None
        except httpcore.ConnectError as failure:
            cause = failure.__cause__ or failure.__context__
            raise WebhookUnreachable(_fault_of(cause)) from None
        except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, ValueError):
            raise WebhookUnreachable("broken_answer") from None


def _fault_of(cause: BaseException | None) -> str:
    """Why there is no connection, by what the machine says about it."""
    if isinstance(cause, ssl.SSLCertVerificationError):
        return "untrusted_certificate"
    return "no_secure_connection" if isinstance(cause, ssl.SSLError) else "no_connection"


async def _exchange(
    connections: httpcore.AsyncConnectionPool, address: str, headers: Mapping[str, str], body: bytes
) -> WebAnswer:
    timeout = {"connect": CONNECT_SECONDS_MAX, "read": SECONDS_MAX, "write": SECONDS_MAX, "pool": SECONDS_MAX}
    sent_headers = {**headers, "Host": urlsplit(address).netloc, "Content-Length": str(len(body))}
    async with connections.stream(
        "POST", address, headers=[*sent_headers.items()], content=body, extensions={"timeout": timeout}
    ) as answer:
        read = 0
        async for part in answer.aiter_stream():
            read += len(part)
            if read > ANSWER_BYTES_MAX:
                break
        return WebAnswer(answer.status, _retry_after(answer.headers))


def _retry_after(headers: Iterable[tuple[bytes, bytes]]) -> float | None:
    """The seconds of a Retry-After; a date in it counts as none."""
    for name, value in headers:
        text = value.decode("ascii", "replace").strip()
        whole, _, part = text.partition(".")
        if name.lower() == b"retry-after" and whole.isdecimal():
            whole = whole[:RETRY_DIGITS_MAX]  # longer than anybody waits
            return float(f"{whole}.{part[:RETRY_DIGITS_MAX]}") if part.isdecimal() else float(whole)
    return None


class _CheckedConnections(httpcore.AsyncNetworkBackend):
    """Connects to an address only that may be reached; `is_private`: only to one in the allowed networks."""

    def __init__(self, networks: Sequence[Any], look_up: LookUp, *, is_private: bool) -> None:
        self._look_up = look_up
        self._connections = httpcore.AnyIOBackend()
        self._networks = networks
        self._is_private = is_private

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 — as the library calls it
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first address of a host that answers. Raises `WebhookUnreachable`."""
        addresses = await self._look_up(host, port)
        for address in addresses:
            self._require(address)
        for address in addresses:
            try:
                stream = await self._connections.connect_tcp(
                    str(address), port, timeout, local_address, socket_options
                )
            except httpcore.ConnectError:
                continue
            try:
                self._require(ip_address(stream.get_extra_info("server_addr")[0].partition("%")[0]))
            except WebhookUnreachable:
                await stream.aclose()
                raise
            return stream
        raise WebhookUnreachable("no_connection")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._connections.sleep(seconds)

    def _require(self, address: Address) -> None:
        reached = _reached_by(address)
        is_allowed = any(reached in network for network in self._networks)
        if is_allowed:
            return
        if not is_public(reached):
            raise WebhookUnreachable("private_address")
        if self._is_private:
            raise WebhookUnreachable("plain_http")


def _reached_by(address: Address) -> Address:
    """The address at which a connection ends: an IPv4 one may be written as an IPv6 one."""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return address.ipv4_mapped
        if address.sixtofour is not None:
            return address.sixtofour
        if address in TRANSLATED:
            return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def is_public(address: Address) -> bool:
    """Whether an address is one of the public internet, of a single machine."""
    is_site_local = isinstance(address, IPv6Address) and address.is_site_local
    return address.is_global and not (address.is_multicast or address.is_reserved or is_site_local)
