"""The feed of an open table: each action as the line that its chronicle has of it, ready to be put there."""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from domain.event_store_types import StoredEvent
from projections.campaign.chronicle import ActionEntry
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.chronicle_lines import lines_among
from services.http.screen.shared.templates import render_template
from services.reading.live_feed import Feeds
from services.reading.live_feed_news import ToldActions


class FollowedAction(Struct, frozen=True):
    """`event: action` of a page: the seq of its last event, its line in HTML, and what it `touches`."""

    seq: int
    line: str
    touches: list[str]


class ToldLines(ToldActions):
    """Tells actions to pages. Each line is made once for all who read it alike."""

    def __init__(self, application: Application, feeds: Feeds) -> None:
        super().__init__(feeds.drawings)
        self._application = application

    async def write_actions(
        self, campaign: VisibleCampaign, entries: Sequence[ActionEntry], touches: Sequence[list[str]]
    ) -> list[bytes]:
        """Lines that go on below those that are there."""
        lines = await lines_among(self._application, campaign, entries, is_going_on=True)
        return [
            msgspec.json.encode(
                FollowedAction(
                    entry.last_seq,
                    render_template("new_lines.html", campaign.language, lines=[line]).strip(),
                    touched,
                )
            )
            for entry, line, touched in zip(entries, lines, touches, strict=True)
        ]

    def frame(self, row: StoredEvent, _: VisibleCampaign, action: bytes | None) -> bytes:
        """Nothing of an event but the action that it ends."""
        return b"" if action is None else b"id: %d\nevent: action\ndata: %b\n\n" % (row.seq, action)
