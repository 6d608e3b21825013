"""The copies of a story's campaign: a fork, an import, and a fork of the import, weeks later."""

import json
from typing import Any, NamedTuple

from litestar.testing import TestClient

from services.cli.demo.story import Story

WEEK = 7 * 24 * 3600 * 1_000_000


class Copy(NamedTuple):
    """A campaign that was made of the story's; so many imports lie within each other in it."""

    name: str
    campaign_id: str
    imports: int


def copies_of(story: Story, client: TestClient[Any]) -> list[Copy]:
    headers = {"Authorization": f"Bearer {story.tokens[story.recording.title.gm]}"}

    def made(path: str, **how: Any) -> str:
        client.app.state.clock.now += WEEK
        answer = client.post(f"/api/campaigns/{path}", headers=headers, **how)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["campaign_id"])

    exported = client.get(f"/api/campaigns/{story.campaign_id}/export", headers=headers).content
    names = {story.name(who): story.name(who) for who in story.recording.title.people}
    fork = made(f"{story.campaign_id}/fork", json={})
    imported = made("import", content=exported, params={"people": json.dumps(names)})
    return [
        Copy("a fork", fork, 1),
        Copy("an import with its people", imported, 1),
        Copy("a fork of the import", made(f"{imported}/fork", json={}), 2),
    ]
