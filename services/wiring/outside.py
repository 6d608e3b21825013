"""The way to the web outside."""

from infra.web.web_sender import HttpWebSender
from services.ports.web_sender import WebSender
from services.settings import Settings


def web_sender(settings: Settings) -> WebSender:
    """The sender of webhooks: it reaches public addresses, and the host's own networks that the settings name."""
    return HttpWebSender(settings.webhook_networks)
