"""Every row of `fieldlog bench` can still be measured, and what it measures is right; no test asserts a time."""

import importlib.util
import json

import pytest
import uvloop
from rich.console import Console

from services.cli.errors import Refused
from tests.bench.peers import against_peers
from tests.bench.report import json_line, show
from tests.bench.rows import Goal, Rounds
from tests.bench.run import GROUPS
from tests.bench.stage import TINY, Stage
from tests.bench.where_time_goes import profile_rolls
from tests.browser.chromium import missing
from tests.engines import PostgresServer
from tests.sampling import only_in_release

LONG = {
    *("past", "search", "lengths", "rebuild", "stored", "undo", "followers", "chain", "wear", "memory"),
    *("table", "workers", "reads", "web", "scale"),
}
"""Groups that take ten seconds or more even of a tiny stage."""

ROWS_EXPECTED = {
    "actions": 5,
    "hot": 2,
    "http": 2,
    "offers": 1,
    "cold": 1,
    "lengths": 3,
    "rebuild": 1,
    "followers": 1,
    "memory": 1,
    "chain": 1,
    "timers": 2,
    "undo": 2,
    "search": 6,
    "wear": 2,
    "stored": 2,
    "web": 10,
    "past": 4,
    "reads": 8,
    "scale": 3,
    "workers": 5,
    "table": 5,
}


def test_every_group_is_tried_here():
    assert ROWS_EXPECTED.keys() == GROUPS.keys()


@pytest.mark.slow
@pytest.mark.parametrize("name", [only_in_release(name) if name in LONG else name for name in GROUPS])
def test_a_group_measures_what_it_should(postgres_server: PostgresServer, name: str):
    if name == "web" and (lacking := missing()) is not None:
        pytest.skip(lacking)
    rows = uvloop.run(GROUPS[name](Stage(postgres_server, TINY, lambda _: None)))
    assert len(rows) == ROWS_EXPECTED[name]
    for row in rows:
        assert row.is_sound, row
        assert json.loads(json_line(row))["ratio"] == row.ratio
        assert row.floor > 0


@pytest.mark.slow
def test_the_profile_accounts_for_every_step(postgres_server: PostgresServer):
    console = Console(record=True, width=120)
    uvloop.run(profile_rolls(Stage(postgres_server, TINY, lambda _: None), console))
    text = console.export_text()
    assert "the rules" in text
    assert "in each" in text


@pytest.mark.skipif(importlib.util.find_spec("eventsourcing") is not None, reason="the peer is installed")
def test_without_the_peer_a_sentence_says_so():
    said: list[str] = []
    nowhere: PostgresServer = None  # type: ignore[assignment]
    assert uvloop.run(against_peers(Stage(nowhere, TINY, said.append))) == []
    assert "not installed" in said[0]


def test_what_falls_short_is_named():
    less, more = Rounds("slow", "ms", "fast", Goal(1.2, better="less")), Rounds("good", "/s", "floor", Goal(0.5))
    for figure, floor in ((3.0, 2.0), (30.0, 2.0), (1.0, 2.0)):
        less.add(figure, floor)
        more.add(figure, floor)
    rows = [less.row(), more.row()]
    assert [(row.ratio, row.passed) for row in rows] == [(1.5, False), (1.5, True)]
    console = Console(record=True, width=140)
    show(console, rows)
    text = console.export_text()
    assert "Short: slow / fast is 1.50 and should be at most 1.2." in text
    assert "Short: good" not in text


def test_outside_a_checkout_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path):
    from services.cli import bench  # noqa: PLC0415 — only this test needs it

    monkeypatch.setattr("services.__file__", str(tmp_path / "services" / "__init__.py"))
    with pytest.raises(Refused, match="checkout"):
        bench.bench()
