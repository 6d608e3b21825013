"""A campaign with secrets that nobody can make today goes on as before: it is of when everything could be hidden.

`old_secrets.ndjson` is the export of its GM, and `old_secrets.golden.json` what its readers read of it before, as
it was brought in then: at once, after its hidden timers fired, after undo and redo, after a reveal, and in a fork.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.services.conftest import Person, Table, whole
from tests.services.hiding import all_read_by
from tests.services.two_tellings import IDS

HERE = Path(__file__).parent
RECORDED = HERE / "old_secrets.ndjson"
GOLDEN = HERE / "old_secrets.golden.json"
PAGES = (
    "",
    "/sheets",
    "/timers",
    "/calendar",
    "/ledger/accounts",
    "/boards/freefall/turn",
)
OF_THIS_RUN = {"as_of", "at", "campaign_id", "created_at", "imported_at", "action_id", "cause", "names", "storage"}
"""Beside what there was then to read there are `names` by now, of ids that differ, and `storage`."""
OF_AN_ACTION = {"type", "visibility", "summary", "undone_in", "affected_by", "revealed_in"}
"""What is compared of an action."""


class Brought:
    """The recorded campaign, brought in by its GM, with the player it had."""

    def __init__(self, client: Any) -> None:
        self.gm, self.mara, self.olaf = (Person(client, name) for name in ("Ana", "Mara", "Olaf"))
        people = json.dumps({"Ana": "Ana", "Mara": "Mara"})
        answer = self.gm.send(
            "POST", "/campaigns/import", content=RECORDED.read_bytes(), params={"people": people}
        )
        assert answer.status_code == 201, answer.text
        self.table = Table(self.gm, self.mara, answer.json()["campaign_id"])
        for person, role in ((self.mara, "player"), (self.olaf, "observer")):
            code = self.gm.post(f"{self.table.path}/invites", {"role": role}).json()["code"]
            assert person.post(f"/invites/{code}/accept").status_code == 201
        actions = self.gm.get(f"{self.table.path}/actions", params={"limit": 500}).json()["actions"]
        self.first = {each["type"]: each["action_id"] for each in reversed(actions) if each["visibility"] != "all"}

    def read(self, *more: str, path: str | None = None) -> dict[str, Any]:
        """What everybody reads of how things stand, and on `more` pages."""
        read = {}
        for reader in (self.gm, self.mara, self.olaf) if path is None else (self.gm,):
            for page in (*PAGES, *more):
                answer = reader.get((path or self.table.path) + page, params=whole(page))
                read[f"{reader.name} {page}"] = told(answer.json())
        return read

    def change(self, action: str, how: str) -> None:
        """Undo or redo."""
        answer = self.gm.post(f"{self.table.path}/actions/{action}/{how}", {"cascade": True})
        assert answer.status_code == 201, answer.text

    def everything(self) -> dict[str, Any]:
        """What is read at every stage of what may happen to it, where it is not as it was just before."""
        stages = {"brought in": self.read("/actions")}
        for kind in HIDDEN_ONCE:
            self.change(self.first[kind], "undo")
            stages[f"{kind} undone"] = self.read()
            self.change(self.first[kind], "redo")
            stages[f"{kind} redone"] = self.read()
        for kind in HIDDEN_ONCE:
            self.table.act(self.gm, "campaign.reveal_action", action_id=self.first[kind])
            stages[f"{kind} revealed"] = self.read()
        self.table.act(self.gm, "campaign.advance_calendar", by={"days": 12})
        stages["after its timers"] = self.read("/actions")
        forked = self.gm.post(f"{self.table.path}/fork", {})
        assert forked.status_code == 201, forked.text
        stages["forked"] = self.read(path=f"/campaigns/{forked.json()['campaign_id']}")
        before: dict[str, Any] = {}
        changed = {}
        for stage, read in stages.items():
            changed[stage] = {page: now for page, now in read.items() if now != before.get(page)}
            before = {**before, **read}
        return changed


HIDDEN_ONCE = (
    "campaign.start_scene",
    "campaign.advance_calendar",
    "campaign.set_setting",
    "campaign.schedule_timer",
    "freefall.set_time_mode",
)
"""What was hidden in it and is undone, redone and revealed."""


LATER = ("repeats", "next_before", "founder", "acts", "next_session")
"""What pages had not yet when their golden answers were written."""


def told(page: Any) -> Any:
    """A page without what differs from one run to the next."""
    numbers: dict[str, str] = {}
    if "actions" in page:
        page = [{key: value for key, value in each.items() if key in OF_AN_ACTION} for each in page["actions"]]
    elif "settings" in page:
        changed = {each["key"]: each["value"] for each in page["settings"] if each["value"] != each["default"]}
        page = {**page, "settings": changed}
    text = json.dumps(without_this_run(page))
    return json.loads(IDS.sub(lambda found: numbers.setdefault(found[0], f"id{len(numbers)}"), text))


def without_this_run(part: Any) -> Any:
    if isinstance(part, dict):
        return {key: without_this_run(value) for key, value in part.items() if key not in (*OF_THIS_RUN, *LATER)}
    return [without_this_run(each) for each in part] if isinstance(part, list) else part


@pytest.fixture
def brought(client: Any) -> Brought:
    return Brought(client)


def test_no_placeholder_and_no_undo_tells_how_far_the_calendar_moved_hidden(brought):
    table = brought.table
    noted = table.act(table.gm, "campaign.add_note", text="x")["action_id"]
    body = {"command": {"type": "campaign.add_note", "text": "three days later"}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201
    brought.change(noted, "undo")
    read = all_read_by(table, table.player) + table.player.get(f"{table.path}/export").text
    assert str(3 * 86_400) not in read
    assert str(3 * 86_400) in all_read_by(table, table.gm), "negative control"
    placeholder = table.player.get(f"{table.path}/actions").json()["actions"][-2]
    assert (placeholder["type"], placeholder["game_time"]) == (None, None)


def test_its_readers_read_at_every_stage_what_they_read_before(brought):
    read = brought.everything()
    if "FIELDLOG_WRITE_GOLDEN" in os.environ and not GOLDEN.exists():
        GOLDEN.write_text(json.dumps(read, sort_keys=True) + "\n", encoding="utf-8")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    for stage, pages in golden.items():
        assert read[stage] == pages, stage
    assert read.keys() == golden.keys()
