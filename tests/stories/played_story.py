"""A recorded story, played to its end on a service of its own."""

from functools import cache
from uuid import UUID

from domain.event_store_types import StoredEvent
from domain.ids import CampaignId
from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story, StoryAction
from tests.stories.memory_service import memory_service

SEED, OTHER_SEED = 1, 2


@cache
def played(name: str, seed: int) -> tuple[CampaignId, list[StoredEvent]]:
    """Play a story to its end on a service of its own; its campaign and what the log holds.

    Each is played once in a process, as two plays with one seed are the same.
    """
    with memory_service(seed) as client, client.portal() as portal:
        application = client.app.state.application
        story = Story(recording_of(name), client, suffix=f" of {name}", wait_seconds_max=0)
        for happening in story.play():
            if isinstance(happening, StoryAction):
                portal.call(application.handler.run_due, CampaignId(UUID(story.campaign_id)), 0, [])
        campaign_id = CampaignId(UUID(story.campaign_id))
        return campaign_id, portal.call(application.log.tail, campaign_id, 0)
