"""Sends something to an address of the web that a member named, and to no place that members may not reach."""

from collections.abc import Mapping
from typing import Protocol

from domain.webhooks import WebAnswer


class WebSender(Protocol):
    """Posts to one address; follows no redirect, and keeps nothing of the answer but its status."""

    async def post(self, address: str, headers: Mapping[str, str], body: bytes) -> WebAnswer:
        """Post a body. Raises `WebhookUnreachable`."""
        ...
