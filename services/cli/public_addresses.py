"""The addresses under which other machines reach the server, for people to type or to read with a camera."""

import fcntl
import socket
import struct
import sys
from ipaddress import IPv4Address, ip_address

from services.cli.certificate_check import Certificate
from services.settings import Settings, origin_of

EVERY_ADDRESS = "0.0.0.0"  # noqa: S104 - listened on when asked for
ANY_HOST = (EVERY_ADDRESS, "::", "")
SOMEWHERE_ELSE = ("192.0.2.1", 9)
"""An address of documents. Nothing is sent there: only the way to it is asked for."""
LINUX_ADDRESS_OF = 0x8915
"""SIOCGIFADDR."""
INTERFACE_NAME_BYTES = 15


def is_local_only(host: str) -> bool:
    """Whether a server that listens on `host` is reached from its own machine only."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def public_urls(settings: Settings, certificate: Certificate | None) -> list[str]:
    """The addresses of the first page for other machines, those first that are meant most.

    They are the origins that settings name, else what the certificate is for, else the host that is listened on,
    or the private addresses of this machine where that is any.
    """
    if settings.origins:
        return [f"{origin}{settings.base_path}/" for origin in settings.origins]
    if is_local_only(settings.host):
        return []
    hosts = private_addresses() if settings.host in ANY_HOST else [settings.host]
    if certificate is not None:
        named_hosts = [name for name in certificate.names if _is_name(name) or name in hosts]
        hosts = named_hosts or hosts
    scheme = "http" if certificate is None else "https"
    urls = [f"{scheme}://{f'[{host}]' if ':' in host else host}:{settings.port}" for host in hosts]
    return [f"{origin_of(url)}{settings.base_path}/" for url in urls]


def private_addresses() -> list[str]:
    """The private addresses of this machine; that of the way out comes first."""
    return [str(address) for address in _addresses() if address.is_private]


def world_wide_addresses() -> list[str]:
    """The addresses of this machine that the whole internet may reach."""
    return [str(address) for address in _addresses() if address.is_global]


def _addresses() -> list[IPv4Address]:
    addresses = map(IPv4Address, dict.fromkeys([*_on_the_way_out(), *_of_interfaces()]))
    return [address for address in addresses if not (address.is_loopback or address.is_link_local)]


def _on_the_way_out() -> list[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(SOMEWHERE_ELSE)
        except OSError:  # this machine is in no network
            return []
        return [probe.getsockname()[0]]


def _of_interfaces() -> list[str]:
    if sys.platform != "linux":
        return []
    addresses = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode()[:INTERFACE_NAME_BYTES])
            try:
                reply = fcntl.ioctl(probe.fileno(), LINUX_ADDRESS_OF, request)
            except OSError:  # it has none
                continue
            addresses.append(socket.inet_ntoa(reply[20:24]))
    return addresses


def _is_name(name: str) -> bool:
    """Whether a certificate's entry is a name that can be opened: no address, and no `*.lan`."""
    try:
        ip_address(name)
    except ValueError:
        return "*" not in name and name != "localhost"
    return False
