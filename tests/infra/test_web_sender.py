"""Sending to an address that a member named: never to one that is not public, whatever its name says."""

import asyncio
import ssl
import threading
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from domain.webhooks import WebAnswer, WebhookUnreachable
from infra.web.web_sender import ANSWER_BYTES_MAX, Address, HttpWebSender, is_public
from tests.services.workers.receiver import hang_up, receiving

pytestmark = pytest.mark.anyio
HERE = ("127.0.0.0/8", "::1/128")


async def fault_of(sender: HttpWebSender, address: str) -> str:
    with pytest.raises(WebhookUnreachable) as unreachable:
        await sender.post(address, {}, b"{}")
    return unreachable.value.code


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "10.1.2.3",
        "192.168.0.1",
        "172.16.0.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",  # noqa: S104 — it is refused
        "224.0.0.1",
        "2130706433",
        "[::1]",
        "[::]",
        "[fe80::1]",
        "[fd00::1]",
        "[fec0::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::a00:1]",
        "[2002:a00:1::]",
    ],
)
async def test_an_address_that_is_not_public_is_never_connected_to(host):
    for scheme in ("http", "https"):
        assert await fault_of(HttpWebSender(()), f"{scheme}://{host}:9/") == "private_address"


async def test_public_addresses_are_told_from_others():
    """The control: not everything is refused."""
    assert all(is_public(ip_address(address)) for address in ("1.1.1.1", "2606:4700::1111", "93.184.216.34"))


async def a_public_one(_: str, __: int) -> list[Address]:
    return [ip_address("1.1.1.1")]


async def both(_: str, __: int) -> list[Address]:
    return [ip_address("1.1.1.1"), ip_address("10.0.0.1")]


async def test_without_a_certificate_only_the_hosts_own_networks_are_reached():
    assert await fault_of(HttpWebSender((), look_up=a_public_one), "http://hooks.example/") == "plain_http"


async def test_a_name_with_a_public_and_a_private_address_is_refused_whole():
    assert await fault_of(HttpWebSender((), look_up=both), "https://hooks.example/") == "private_address"


async def test_a_name_is_connected_to_where_it_was_checked_and_not_looked_up_again():
    looked_up: list[str] = []

    async def another_each_time(host: str, _: int) -> list[Address]:
        looked_up.append(host)
        return [ip_address("127.0.0.1" if len(looked_up) == 1 else "10.0.0.1")]

    with receiving() as receiver:
        address = receiver.address.replace("127.0.0.1", "hooks.example")
        sender = HttpWebSender(HERE, look_up=another_each_time)
        assert await sender.post(address, {}, b"{}") == WebAnswer(204, None)
        assert looked_up == ["hooks.example"]
        assert await fault_of(sender, address) == "private_address"


async def test_an_allowed_network_is_reached_and_its_answer_is_taken_as_it_is():
    with receiving() as receiver:
        sender = HttpWebSender(HERE)
        receiver.answers = [
            (429, {"Retry-After": "1.5"}),
            (429, {"Retry-After": "9" * 20}),
            (302, {"Location": "http://127.0.0.1:1/"}),
            204,
        ]
        answers = [await sender.post(receiver.address, {"X-One": "1"}, b'{"news":[]}') for _ in range(4)]
        assert answers == [
            WebAnswer(429, 1.5),
            WebAnswer(429, 999_999_999),
            WebAnswer(302, None),
            WebAnswer(204, None),
        ]
        assert {each.path for each in receiver.came} == {"/hook"}
        assert receiver.came[0].headers["x-one"] == "1"
        assert receiver.came[0].headers["host"] == receiver.address.split("/")[2]


async def test_an_answer_that_is_late_broken_or_endless_is_given_up():
    released = threading.Event()

    def late(_: object) -> None:
        released.wait(30)

    def endless(handler: object) -> None:
        handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (2 * ANSWER_BYTES_MAX))  # type: ignore[attr-defined]

    def nonsense(handler: object) -> None:
        handler.wfile.write(b"nonsense\r\n\r\n")  # type: ignore[attr-defined]

    with receiving() as receiver:
        receiver.answers = [late, hang_up, nonsense, endless]
        assert await fault_of(HttpWebSender(HERE, seconds_max=0.3), receiver.address) == "no_answer_in_time"
        released.set()
        sender = HttpWebSender(HERE)
        assert await fault_of(sender, receiver.address) == "broken_answer"
        assert await fault_of(sender, receiver.address) == "broken_answer"
        assert await sender.post(receiver.address, {}, b"{}") == WebAnswer(200, None)
    assert await fault_of(sender, receiver.address) == "no_connection"
    assert await fault_of(sender, "http://nowhere.invalid/") == "unknown_host"


async def test_where_plain_http_answers_there_is_no_secure_connection():
    with receiving() as receiver:
        address = receiver.address.replace("http://", "https://")
        assert await fault_of(HttpWebSender(HERE), address) == "no_secure_connection"


async def test_a_certificate_that_nobody_vouches_for_is_not_trusted(tmp_path):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(own_certificate(tmp_path))
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0, ssl=context)
    async with server:
        port = server.sockets[0].getsockname()[1]
        assert await fault_of(HttpWebSender(HERE), f"https://127.0.0.1:{port}/") == "untrusted_certificate"


def own_certificate(folder: Path) -> Path:
    """A file with a key, and a certificate that it signed itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
    certificate = builder.sign(key, SHA256())
    path = folder / "own.pem"
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(private + certificate.public_bytes(Encoding.PEM))
    return path
