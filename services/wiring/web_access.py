"""The way to the web outside."""

import re

from infra.web.web_sender import HttpWebSender
from services.ports.web_sender import WebSender
from services.settings import Settings


def web_sender(settings: Settings) -> WebSender:
    """The sender of webhooks and calls: it reaches public addresses, and networks that the settings name."""
    return HttpWebSender(settings.webhook_networks)


def push_contact(settings: Settings) -> str | None:
    """The contact for push services: the host's mail address or page, else an origin by HTTPS; None: neither."""
    contact = settings.contact or ""
    if re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", contact):
        return f"mailto:{contact}"
    named = [contact, *settings.origins]
    return next((name for name in named if re.fullmatch(r"https://[!-~]+", name)), None)
