"""A recorded story, played at a service, to measure what its campaign takes."""

import asyncio
from typing import Any, NamedTuple

import httpx

from services.cli.demo.recording import recording_of
from services.cli.demo.story import Story
from tests.bench.load import HOST, a_request, ask


class Played(NamedTuple):
    """A campaign that has been played, and where it is served."""

    port: int
    story: Story

    @property
    def gm(self) -> str:
        """Its GM, as the recording calls them."""
        return self.story.recording.title.gm

    @property
    def token(self) -> str:
        """The GM's."""
        return self.story.tokens[self.gm]

    @property
    def path(self) -> str:
        """The campaign under `/api`."""
        return f"/api/campaigns/{self.story.campaign_id}"

    @property
    def table(self) -> str:
        """The path of its table."""
        return f"/c/{self.story.campaign_id}/table"

    @property
    def base(self) -> str:
        """The URL of the service."""
        return f"http://{HOST}:{self.port}"

    def cookie(self, who: str) -> str:
        """A browser's session of one of the people: `name=secret`."""
        said = {"name": self.story.name(who), "password": self.story.password}
        answer = httpx.post(f"{self.base}/api/session", json=said)
        return answer.headers["set-cookie"].partition(";")[0]

    async def act(self, **command: Any) -> str:
        """Do something as the GM; the id of its line in the chronicle, `a0` if it changed nothing."""
        answer = await ask(self.port, a_request("POST", f"{self.path}/actions", {"command": command}, self.token))
        return f"a{next((each['seq'] for each in answer['events']), 0)}"


async def play(port: int, story: str, steps: int) -> Played:
    """Play so many steps of a story."""
    return Played(port, await asyncio.to_thread(_play, port, story, steps))


def _play(port: int, name: str, steps: int) -> Story:
    with httpx.Client(base_url=f"http://{HOST}:{port}", timeout=30) as client:
        story = Story(recording_of(name), client, suffix="", wait_seconds_max=0)
        for _ in zip(story.play(), range(steps), strict=False):
            pass
    return story
