"""Fieldlog for phones in the same network: where they find it, and what encrypts what they send."""

import re
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa

from infra.embedded.child_process import free_port
from services.cli import listen_address, public_addresses
from services.cli.certificate_check import trusting, usable_certificate
from services.cli.errors import EXIT_WILL_NOT, Refused
from services.cli.public_addresses import EVERY_ADDRESS, private_addresses, public_urls
from services.http.screen.shared.qr_code import qr_text
from services.settings import Settings, SettingsInvalid, read_settings
from tests.engines import engine_folder
from tests.services.certificates import NAMES, a_pair
from tests.services.conftest import PASSWORD
from tests.services.live_api import api
from tests.services.processes import eventually, running

NETWORK = ["192.168.7.20", "10.8.0.3"]


def settings_of(pair: tuple[Path, Path], **more: Any) -> Settings:
    return Settings(tls_certificate=pair[0], tls_key=pair[1], **more)


# --- the certificate ----------------------------------------------------------------------------------------


def test_a_certificate_says_what_it_is_for(tmp_path):
    found = usable_certificate(settings_of(a_pair(tmp_path)))
    assert found is not None
    assert found.names == NAMES
    assert usable_certificate(Settings()) is None


def gone(folder: Path) -> None:
    (folder / "certificate.pem").unlink()


def not_pem(folder: Path) -> None:
    (folder / "certificate.pem").write_bytes(b"MIIB")


def no_key(folder: Path) -> None:
    (folder / "key.pem").write_bytes((folder / "certificate.pem").read_bytes())


def another_key(folder: Path) -> None:
    certificate = (folder / "certificate.pem").read_bytes()
    a_pair(folder)
    (folder / "certificate.pem").write_bytes(certificate)


def weak(folder: Path) -> None:
    a_pair(folder, key=rsa.generate_private_key(65537, 1024))  # noqa: S505 — as old ones are


def key_of_another_kind(folder: Path) -> None:
    key = (folder / "key.pem").read_bytes()
    a_pair(folder, key=rsa.generate_private_key(65537, 2048))
    (folder / "key.pem").write_bytes(key)


def unreadable_names(folder: Path) -> None:
    no_name = b"\x30\x03\x82\x01\xff"
    a_pair(folder, names=x509.UnrecognizedExtension(x509.SubjectAlternativeName.oid, no_name))


@pytest.mark.parametrize(
    ("broken", "sentence"),
    [
        (gone, r"FIELDLOG_TLS_CERTIFICATE: .* cannot be read \(No such file or directory\)\."),
        (not_pem, r"FIELDLOG_TLS_CERTIFICATE: .* holds no certificate in PEM\."),
        (no_key, r"FIELDLOG_TLS_KEY: .* holds no private key in PEM without a password\."),
        (another_key, r"FIELDLOG_TLS_KEY: .* is not the key of the certificate .*\."),
        (lambda folder: a_pair(folder, days=-1), r"FIELDLOG_TLS_CERTIFICATE: .* expired on [0-9-]+\."),
        (lambda folder: a_pair(folder, days=200), r"FIELDLOG_TLS_CERTIFICATE: .* is valid from [0-9-]+ on\."),
        (lambda folder: a_pair(folder, password=b"x"), r"FIELDLOG_TLS_KEY: .* without a password\."),
        (weak, r"FIELDLOG_TLS_CERTIFICATE: .* is weaker than programs trust\."),
        (key_of_another_kind, r"FIELDLOG_TLS_KEY: .* is not the key of the certificate .*\."),
        (unreadable_names, r"FIELDLOG_TLS_CERTIFICATE: .* in a way that cannot be read\."),
    ],
)
def test_a_pair_that_cannot_be_used_is_refused_by_name(tmp_path, broken, sentence):
    pair = a_pair(tmp_path)
    broken(tmp_path)
    with pytest.raises(Refused, match=f"^{sentence}$") as refused:
        usable_certificate(settings_of(pair))
    assert refused.value.exit_code == EXIT_WILL_NOT


def test_a_certificate_needs_its_key():
    with pytest.raises(SettingsInvalid, match="FIELDLOG_TLS_CERTIFICATE and FIELDLOG_TLS_KEY need each other"):
        read_settings({"FIELDLOG_TLS_KEY": "key.pem"})


# --- where it is found --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "has_certificate", "found"),
    [
        ({}, False, []),
        ({"host": EVERY_ADDRESS}, False, ["http://192.168.7.20:8420/", "http://10.8.0.3:8420/"]),
        ({"host": EVERY_ADDRESS}, True, ["https://table.lan:8420/", "https://192.168.7.20:8420/"]),
        ({"host": EVERY_ADDRESS, "port": 443}, True, ["https://table.lan/", "https://192.168.7.20/"]),
        ({"host": "10.8.0.3"}, False, ["http://10.8.0.3:8420/"]),
        ({"host": "fd00::7"}, False, ["http://[fd00::7]:8420/"]),
        ({"origins": ("https://fieldlog.example",)}, False, ["https://fieldlog.example/"]),
        (
            {"origins": ("https://fieldlog.example",), "base_path": "/games/fieldlog"},
            False,
            ["https://fieldlog.example/games/fieldlog/"],
        ),
        ({"host": "10.8.0.3", "base_path": "/games"}, False, ["http://10.8.0.3:8420/games/"]),
    ],
)
def test_the_addresses_for_other_machines_follow_the_settings(tmp_path, monkeypatch, more, has_certificate, found):
    monkeypatch.setattr(public_addresses, "private_addresses", lambda: NETWORK)
    certificate = usable_certificate(settings_of(a_pair(tmp_path))) if has_certificate else None
    assert public_urls(Settings(**more), certificate) == found


def test_the_private_addresses_of_a_machine_are_its_own_and_listed_once():
    found = private_addresses()
    assert len(set(found)) == len(found)
    assert not any(each.startswith("127.") for each in found)
    for each in found:
        listen_address.require_free(each, free_port())


def test_what_is_no_host_does_not_answer():
    assert listen_address.status("nonsense host", 8420, "/health/live") is None


def test_a_terminal_shows_the_code_that_a_page_shows():
    link = "http://192.168.7.20:8420/"
    halves = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    lines = [[halves[each] for each in line] for line in qr_text(link).splitlines()]
    rows = [[1 - pair[half] for pair in line] for line in lines for half in (0, 1)]
    expected = [[*row] for row in segno.make(link, error="m", micro=False).matrix_iter(border=4)]
    assert [[int(bool(each)) for each in row] for row in expected] == rows[: len(expected)]


# --- over TLS -----------------------------------------------------------------------------------------------


def test_over_tls_a_browser_keeps_a_cookie_that_no_other_host_can_set_and_links_are_of_https(database, tmp_path):
    pair = a_pair(tmp_path)
    with api(database.service, tls_certificate=pair[0], tls_key=pair[1]) as served:
        client, own = served.client, {"Origin": served.base}
        assert client.post("/api/accounts", json={"name": "Ana", "password": PASSWORD}).status_code == 201
        signed = client.post("/api/session", json={"name": "Ana", "password": PASSWORD}, headers=own)
        assert re.match("__Host-fieldlog_session=.*; Secure", signed.headers["set-cookie"])
        assert "strict-transport-security" not in signed.headers
        founded = client.post("/api/campaigns", json={"name": "Salt", "systems": ["angst"]}, headers=own).json()
        path = f"/c/{founded['campaign_id']}"
        shown = client.post(f"{path}/invites", data={"role": "player"}, headers=own, follow_redirects=True)
        assert f'value="{served.base}/join/' in shown.text
        assert shown.headers["cross-origin-opener-policy"] == "same-origin"
        foreign = client.post(f"{path}/invites", headers={"Origin": served.base.replace("https", "http")})
        assert foreign.status_code == 403
        with pytest.raises(httpx.ConnectError, match="certificate verify failed"):
            httpx.get(served.base)


@pytest.mark.slow
def test_up_for_the_network_says_where_it_is_and_encrypts_with_a_certificate(database, tmp_path):
    pair, port = a_pair(tmp_path), free_port()
    more = {"tls_certificate": str(pair[0]), "tls_key": str(pair[1])}
    settings = settings_of(pair)
    for said in ({}, more):
        tls = trusting(settings) if said else None
        with engine_folder() as folder:
            home = {"home": str(folder / "home"), "port": str(port), "database_url": database.service}
            with running(tmp_path, "up", "--lan", **home, **said) as program:
                assert eventually(lambda: program.has_said("in this network"))
                for address in ["127.0.0.1", *private_addresses()]:
                    assert listen_address.status(address, port, "/health/ready", tls) == 200
                assert ("passwords too" in program.said()) is not bool(said)
                found = program.said().partition("in this network:")[2]
                if said:
                    assert f"https://{NAMES[0]}:{port}/" in found
                    assert listen_address.status("127.0.0.1", port, "/health/ready") is None
                else:
                    assert all(f"http://{each}:{port}/" in found for each in private_addresses())
                assert program.stop() == 0
