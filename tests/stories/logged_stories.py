"""Stories that were played over HTTP, with their logs."""

from typing import Any, NamedTuple
from uuid import UUID

from litestar.testing import TestClient

from domain.event_store_types import StoredEvent
from domain.ids import AccountId, CampaignId
from services.application import Application
from services.cli.demo.recording import STORIES, read_recording
from services.cli.demo.story import Story, StoryAction
from services.workers.projector import Projector


class Logged(NamedTuple):
    """A story that was played over HTTP, and its log."""

    story: Story
    client: TestClient[Any]
    rows: list[StoredEvent]

    @property
    def id(self) -> CampaignId:
        return CampaignId(UUID(self.story.campaign_id))

    @property
    def application(self) -> Application:
        found: Application = self.client.app.state.application
        return found

    @property
    def gm(self) -> AccountId:
        return AccountId(UUID(self.story.bound[self.story.recording.title.gm]))

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.story.tokens[self.story.recording.title.gm]}"}


def log_of(name: str, client: TestClient[Any]) -> Logged:
    application = client.app.state.application
    catch_up = Projector(application.log, application.views, application.handler)
    story = Story(
        read_recording(STORIES / f"{name}.jsonl"),
        client,
        suffix=f" of {name}",
        wait_seconds_max=5,
    )
    with client.portal() as portal:
        for happening in story.play():
            if isinstance(happening, StoryAction) and happening.code is None:
                portal.call(catch_up.campaign, CampaignId(UUID(story.campaign_id)))
        rows = portal.call(application.log.tail, CampaignId(UUID(story.campaign_id)), 0)
    return Logged(story, client, rows)
