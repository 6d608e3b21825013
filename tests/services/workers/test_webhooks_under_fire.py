"""Thousands of events, a receiver that fails at random, killed workers: nothing is lost, and order is kept."""

from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from litestar.testing import TestClient

from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.conftest import NO_RATES, Table, table_at
from tests.services.processes import eventually, running
from tests.services.workers.receiver import Answer, hang_up, receiving

pytestmark = pytest.mark.slow
NOTES = 2_400
TOGETHER = 8
KILLS = 6


def confirmed(received: list[Any], statuses: list[Answer]) -> list[Any]:
    return [each for each, status in zip(received, statuses, strict=False) if status == 204]


def write_notes(table: Table, first: int, count: int) -> None:
    for nth in range(first, first + count, TOGETHER):
        commands = [{"type": "campaign.add_note", "text": f"Note {each}."} for each in range(nth, nth + TOGETHER)]
        assert table.gm.post(f"{table.path}/actions", {"commands": commands}).status_code == 201


def test_nothing_is_lost_and_order_is_kept_whatever_is_killed(database: DatabaseUrls, tmp_path: Path) -> None:
    chance = Random(7)  # noqa: S311
    settings = Settings(
        database_url=database.service,
        dice_key=DICE_KEY,
        password_kib=64,
        webhook_networks=("127.0.0.0/8",),
        **NO_RATES,
    )
    environment = {"database_url": database.service, "webhook_networks": "127.0.0.0/8"}

    def hurry() -> None:
        """Let time pass: pauses after failures, and the leases of killed workers."""
        with psycopg.connect(database.owner, autocommit=True) as owner:
            owner.execute("UPDATE webhooks SET due_at = 0 WHERE delivered < (SELECT max(seq) FROM campaign_heads)")

    with an_application(settings) as app, TestClient(app) as client, receiving() as receiver:
        table = table_at(client)
        body = {"url": receiver.address, "kinds": ["actions"]}
        assert table.gm.post(f"{table.path}/webhooks", body).status_code == 201
        statuses: list[Answer] = []

        def answer() -> Answer:
            choices: list[Answer] = [204, 500, (429, {"Retry-After": "1"}), hang_up]
            statuses.append(chance.choices(choices, [8, 1, 1, 1])[0])
            return statuses[-1]

        receiver.otherwise = answer

        def has_come(count: int) -> bool:
            hurry()
            return len(receiver.came) >= count

        def is_all_there() -> bool:
            hurry()
            last = [each.json for each in confirmed(receiver.came[-50:], statuses[-50:])]
            return f"Note {NOTES - 1}." in str(last)

        for turn in range(KILLS):
            with running(tmp_path, "worker", "--queues", "webhooks", **environment) as worker:
                write_notes(table, turn * NOTES // KILLS, NOTES // KILLS)
                came = len(receiver.came) + chance.randrange(1, 5)
                assert eventually(partial(has_come, came))
                worker.kill()
        with running(tmp_path, "worker", "--queues", "webhooks", **environment) as worker:
            assert eventually(is_all_there, 120)
            assert worker.stop() == 0
            assert "Traceback" not in worker.said()
        took = [each.json for each in confirmed(receiver.came, statuses)]
    assert len(statuses) > len(took) > KILLS, "some failed"
    texts: dict[str, list[str]] = {}
    for message in took:
        for item in message["news"]:
            texts.setdefault(item["id"], item["action"]["summary"])
    told = [line for summary in texts.values() for line in summary if "Note " in line]
    assert [f"Note {nth}." in line for nth, line in enumerate(told)] == [True] * NOTES
    assert all(one["as_of"] >= other["after"] for one, other in pairwise(took)), "none was left out"
