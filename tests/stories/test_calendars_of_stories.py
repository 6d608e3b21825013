"""Calendar programs read the dates of every story."""

from typing import Any

import pytest
from litestar.testing import TestClient

from services.cli.demo.recording import recorded_names
from tests.calendar_readers import events_of
from tests.sampling import slow_but
from tests.stories.logged_stories import log_of

FIRST, SECOND = "2030-12-04T19:00Z", "2030-12-11T18:30Z"
TITLE = "Dock: the fees, in 1:30; \\n"


@pytest.mark.parametrize(
    "name", slow_but(recorded_names(), "angst", in_release=["frame_state", "freefall", "overdrive"])
)
def test_a_storys_dates_are_read_as_they_are_meant(name: str, client: TestClient[Any]):
    logged = log_of(name, client)
    path = f"/api/campaigns/{logged.story.campaign_id}"

    def act(command: str, **fields: Any) -> None:
        body = {"command": {"type": f"campaign.{command}", **fields}}
        answer = client.post(f"{path}/actions", headers=logged.headers, json=body)
        assert answer.status_code == 201, answer.text

    feed = client.post(f"{path}/calendar/feed", headers=logged.headers, json={}).json()["path"]
    before = events_of(client.get(feed))
    act("propose_dates", dates=[FIRST, SECOND])
    act("choose_date", date=SECOND)
    act("schedule_timer", title=TITLE, clock="real", after={"days": 3})
    after = events_of(client.get(feed))
    assert before.keys() < after.keys()
    assert len(after) == len(before) + 2
    assert any(str(event["SUMMARY"]).endswith(TITLE) for event in after.values())
