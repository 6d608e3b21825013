"""Certificates that sign themselves, as people make them for a server at home."""

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import CertificateIssuerPrivateKeyTypes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)

NAMES = ("table.lan", "192.168.7.20")


def a_pair(
    folder: Path,
    *,
    days: int = 90,
    password: bytes | None = None,
    key: CertificateIssuerPrivateKeyTypes | None = None,
    names: x509.ExtensionType | None = None,
) -> tuple[Path, Path]:
    """A certificate and its key, as files; `days` is how long it is valid from now on. It is for `NAMES`."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAMES[0])])
    until = datetime.now(UTC) + timedelta(days=days)
    names = names or x509.SubjectAlternativeName([x509.DNSName(NAMES[0]), x509.IPAddress(ip_address(NAMES[1]))])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(until - timedelta(days=120))
        .not_valid_after(until)
        .add_extension(names, critical=False)
        .sign(key, SHA256())
    )
    files = folder / "certificate.pem", folder / "key.pem"
    hidden = NoEncryption() if password is None else BestAvailableEncryption(password)
    files[0].write_bytes(made.public_bytes(Encoding.PEM))
    files[1].write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, hidden))
    return files
