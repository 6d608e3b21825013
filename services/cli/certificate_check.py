"""The certificate that the server shows: whether it can be used, what it is for, and who trusts it."""

import ssl
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from services.cli.errors import EXIT_WILL_NOT, Refused
from services.settings import Settings

if TYPE_CHECKING:
    from cryptography import x509

CERTIFICATE = "FIELDLOG_TLS_CERTIFICATE"
KEY = "FIELDLOG_TLS_KEY"
OF_ANOTHER = ("KEY_VALUES_MISMATCH", "KEY_TYPE_MISMATCH", "NO_CERTIFICATE_ASSIGNED")
"""OpenSSL's messages on a key that is not the certificate's, or of another kind."""
TOO_WEAK = ("EE_KEY_TOO_SMALL", "CA_KEY_TOO_SMALL", "CA_MD_TOO_WEAK")
"""OpenSSL's messages on short keys and on old ways to sign."""


class Certificate(NamedTuple):
    """A certificate: the names and addresses that it is for, and until when."""

    names: tuple[str, ...]
    until: datetime


def usable_certificate(settings: Settings) -> Certificate | None:
    """The certificate that settings name; None: they name none.

    Raises Refused for a file that is missing or something else, a key of another certificate, and dates that are
    over or have not come.
    """
    certificate, key = settings.tls_certificate, settings.tls_key
    if certificate is None or key is None:
        return None
    from cryptography import x509  # noqa: PLC0415 - five MiB that only a certificate needs

    try:
        leaf = x509.load_pem_x509_certificates(_content(CERTIFICATE, certificate))[0]
    except ValueError:
        raise _refusal(CERTIFICATE, certificate, "holds no certificate in PEM") from None
    _content(KEY, key)
    _require_pair(certificate, key)
    now = datetime.now(UTC)
    if now > leaf.not_valid_after_utc:
        raise _refusal(CERTIFICATE, certificate, f"expired on {leaf.not_valid_after_utc:%Y-%m-%d}")
    if now < leaf.not_valid_before_utc:
        raise _refusal(CERTIFICATE, certificate, f"is valid from {leaf.not_valid_before_utc:%Y-%m-%d} on")
    try:
        return Certificate(_names(leaf), leaf.not_valid_after_utc)
    except ValueError:
        raise _refusal(CERTIFICATE, certificate, "names what it is for in a way that cannot be read") from None


def trusting(settings: Settings) -> ssl.SSLContext | None:
    """The trust of a program on this machine: this one certificate, by any name; None without one."""
    if settings.tls_certificate is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN  # it need not be signed by itself
    context.load_verify_locations(settings.tls_certificate)
    return context


def _require_pair(certificate: Path, key: Path) -> None:
    try:
        # Without a password of our own OpenSSL would ask for one at the terminal.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key, password=lambda: "")
    except ssl.SSLError as error:
        if error.reason in OF_ANOTHER:
            raise _refusal(KEY, key, f"is not the key of the certificate {certificate}") from None
        if error.reason in TOO_WEAK:
            raise _refusal(CERTIFICATE, certificate, "is weaker than programs trust") from None
        raise _refusal(KEY, key, "holds no private key in PEM without a password") from None


def _content(setting: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise _refusal(setting, file, f"cannot be read ({error.strerror})") from None


def _refusal(setting: str, file: Path, why: str) -> Refused:
    return Refused(f"{setting}: {file} {why}.", EXIT_WILL_NOT)


def _names(certificate: "x509.Certificate") -> tuple[str, ...]:
    from cryptography import x509  # noqa: PLC0415 - as above

    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return ()
    names = extension.get_values_for_type(x509.DNSName)
    return (*names, *map(str, extension.get_values_for_type(x509.IPAddress)))
