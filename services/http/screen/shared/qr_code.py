"""Addresses as QR codes, for the cameras of phones."""

import io
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    import segno

QR_BORDER = 4
"""Modules of white around a QR code, as its standard wants."""


def qr_svg(link: str) -> Markup:
    """A link as an SVG: black on white in every theme, since cameras expect that."""
    svg = _code(link).svg_inline(
        omitsize=True, border=QR_BORDER, dark="#000", light="#fff", svgclass="qr", lineclass=None
    )
    return Markup(svg)  # noqa: S704 — a drawing of our own: no text of a person is in it


def qr_text(link: str) -> str:
    """A link for a terminal, in half blocks: the drawn modules are white."""
    output = io.StringIO()
    _code(link).terminal(out=output, compact=True, border=QR_BORDER)
    return output.getvalue()


def _code(link: str) -> "segno.QRCode":
    import segno  # noqa: PLC0415 - a MiB that only an invitation needs

    return segno.make(link, error="m", micro=False)
