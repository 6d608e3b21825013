"""Readers of Markdown and of both versions of YAML read the chronicle of every story as it is meant."""

import re
from typing import Any

import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recorded_names
from tests.chronicle_readers import front_matter, notes, text_of
from tests.sampling import slow_but
from tests.stories.logged_stories import log_of

LINK = re.compile(r"\[\[(.*?)\]\]\n")


@pytest.mark.parametrize("name", slow_but(recorded_names(), "freefall"))
def test_a_storys_chronicle_is_read_as_it_is_meant(name: str, client: TestClient[Any]):
    logged = log_of(name, client)
    path = f"/api/campaigns/{logged.story.campaign_id}"
    export, headers = f"{path}/chronicle/export", logged.headers
    vault = notes(client.get(export, headers=headers, params={"format": "markdown"}).content)
    text = client.get(export, headers=headers, params={"format": "text"}).text
    shown = {}
    for note, content in vault.items():
        assert front_matter(content)["as_of"] == logged.rows[-1].seq
        shown[note] = text_of(LINK.sub("a link\n", content.split("---\n", 2)[2]))
        assert {f"{link}.md" for link in LINK.findall(content)} <= vault.keys()
    actions: list[Any] = []
    after: int | None = 0
    while after is not None:
        page = client.get(f"{path}/actions", headers=headers, params={"limit": 500, "after": after}).json()
        actions += page["actions"]
        after = page["next_after"]
    told = [" ".join("".join(part).split()) for part in (shown.values(), text)]
    sentences = [sentence for action in actions if action["type"] for sentence in action["summary"]]
    assert len(sentences) > 20
    for sentence in sentences:
        for line in sentence.splitlines():
            assert all(" ".join(line.split()) in part for part in told), line
