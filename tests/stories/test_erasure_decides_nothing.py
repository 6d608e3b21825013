"""Words that were erased decide nothing: every undo does the same as before, in a story and in its copy."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.ids import CampaignId
from services.cli.demo.recording import recorded_names
from services.cli.demo.story import Story, StoryAction
from tests.sampling import slow_but
from tests.stories.memory_service import memory_service
from tests.stories.playing import recording_of
from tests.stories.story_copies import copies_of

TARGETS = 8
"""So many undos are previewed in each campaign, spread over it."""
IN_RELEASE = ("angst", "freefall", "mobile_frame")


class Campaigns:
    """A story's campaign and an import of it, as their GM reads them."""

    def __init__(self, story: Story, client: TestClient[Any]) -> None:
        self._client = client
        self._headers = {"Authorization": f"Bearer {story.tokens[story.recording.title.gm]}"}
        self.ids = [story.campaign_id, copies_of(story, client)[1].campaign_id]

    def send(self, method: str, path: str, **how: Any) -> Any:
        return self._client.request(method, f"/api/campaigns/{path}", headers=self._headers, **how)

    def actions(self, campaign: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        after: int | None = 0
        while after is not None:
            page = self.send("GET", f"{campaign}/actions", params={"after": after, "limit": 500}).json()
            found += page["actions"]
            after = page["next_after"]
        return found

    def previews(self, campaign: str) -> dict[str, Any]:
        """What an undo of some actions would do, by action: ids, and why each goes."""
        actions = [action["action_id"] for action in self.actions(campaign) if action["undone_in"] is None]
        step = max(1, len(actions) // TARGETS)
        return {action: self._consequences(campaign, action, "undo") for action in actions[1::step]}

    def _consequences(self, campaign: str, action: str, what: str) -> Any:
        answer = self.send("POST", f"{campaign}/actions/{action}/{what}", json={"dry_run": True})
        preview = answer.json()
        if answer.status_code != 200:
            return preview["code"]
        lists = {key: _ids(value) for key, value in preview.items() if isinstance(value, list)}
        for entry in lists.get("follows", []):
            del entry["action_id"]  # drawn for each preview, as for each action that happens by itself
        return lists

    def erase_all(self, campaign: str) -> int:
        """Erase the words of every action; how many texts there were."""
        answers = [
            self.send("DELETE", f"{campaign}/actions/{action['action_id']}/texts")
            for action in self.actions(campaign)
        ]
        return sum(answer.json()["texts"] for answer in answers if answer.status_code == 200)


def _ids(listed: list[Any]) -> list[Any]:
    return [
        {key: value for key, value in entry.items() if key in ("action_id", "because", "code")}
        for entry in listed
        if isinstance(entry, dict)
    ]


@pytest.fixture(scope="module", params=slow_but(recorded_names(), "undo", in_release=IN_RELEASE))
def campaigns(request: pytest.FixtureRequest) -> Iterator[Campaigns]:
    with memory_service(1) as client, client.portal() as portal:
        story = Story(recording_of(request.param), client, suffix="", wait_seconds_max=0)
        for happening in story.play():
            if isinstance(happening, StoryAction):
                portal.call(
                    client.app.state.application.handler.run_due, CampaignId(UUID(story.campaign_id)), 0, []
                )
        yield Campaigns(story, client)


def test_erasing_every_word_changes_no_preview_of_an_undo(campaigns):
    for campaign in campaigns.ids:
        before = campaigns.previews(campaign)
        assert any(isinstance(preview, dict) for preview in before.values())
        assert campaigns.erase_all(campaign) > 0
        after = {action: campaigns._consequences(campaign, action, "undo") for action in before}
        assert after == before
