"""What is wrong after a fault campaign: what clients were told against log, timers, ledgers, views and kept heads.

It reads with SQL and HTTP alone and shares no code with what it checks; only `rebuild-views`, with which views are
compared, is the product's own.
"""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import psycopg

from tests.engines import DICE_KEY
from tests.faults import checks, money
from tests.faults.journal import read
from tests.faults.log import UNDONE, Log, read_logs
from tests.services.processes import ROOT

UNSETTLED = (
    "SELECT (SELECT count(*) FROM campaign_heads WHERE seq > caught_up)"
    " + (SELECT count(*) FROM timers WHERE wake_at <= extract(epoch FROM clock_timestamp()) * 1000000 + 20000000)"
)
PARKED = "SELECT campaign_id, subject, error FROM timers WHERE parked_at IS NOT NULL"
PAGE = 200
VIEWS = (
    "",
    "/sheets",
    "/boards",
    "/actions",
    "/ledger/accounts",
    "/ledger/entries",
    "/timers",
    "/calendar",
    "/events",
)
PAGED = ("/actions", "/ledger/entries", "/timers", "/events")


class Place(NamedTuple):
    """Where to look: the database, all APIs, the folder of kept heads, the journal, the GM's token by campaign.

    The workers have `settle_seconds` for what is left to do; `tend` is called meanwhile.
    """

    superuser_url: str
    service_url: str
    api_urls: list[str]
    heads: Path
    journal: Path
    gms: dict[str, dict[str, str]]
    settle_seconds: float
    tend: Callable[[], None]


class Evidence(NamedTuple):
    """What clients wrote down, the logs, and what the database says of keys (campaign, key, action)."""

    lines: list[dict[str, Any]]
    logs: dict[str, Log]
    keys: list[Any]


class Found(NamedTuple):
    """What is wrong, in sentences, what was counted, and what all of it rests on."""

    wrong: list[str]
    figures: dict[str, int]
    evidence: Evidence


def check(place: Place) -> Found:
    """Everything that does not hold; changes nothing but for one note in each campaign, at the end."""
    lines = read(place.journal)
    began = time.monotonic()
    wrong = settle(place)
    settled = time.monotonic() - began
    with psycopg.connect(place.superuser_url, autocommit=True) as connection:
        logs = read_logs(connection)
        keys = connection.execute(
            "SELECT campaign_id::text, key, action_id::text FROM idempotency_keys"
        ).fetchall()
        wrong += [
            f"timer {subject} of {campaign} is parked: {error}"
            for campaign, subject, error in connection.execute(PARKED)
        ]
    logs = {campaign: log for campaign, log in logs.items() if campaign in place.gms}
    evidence = Evidence(lines, logs, keys)
    wrong += check_journal(evidence)
    wrong += kept_heads(place.heads, logs)
    wrong += views(place, logs)
    wrong += unavailable(place)
    return Found(wrong, figures(lines, logs) | {"seconds until settled": round(settled)}, evidence)


def check_journal(evidence: Evidence) -> list[str]:
    """What is wrong between what clients were told and the logs, and within the logs."""
    lines, logs, keys = evidence
    told_of = checks.Journal.of(lines)
    return [
        *checks.chains(logs),
        *checks.told(told_of, logs),
        *checks.orders(told_of, logs),
        *checks.keys(told_of, logs, keys),
        *checks.reads(told_of),
        *checks.feeds(told_of, logs),
        *checks.timers(logs),
        *money.payouts(logs),
    ]


def settle(place: Place) -> list[str]:
    """Wait until nothing is left to do for the workers, and no real timer is due within twenty seconds."""
    deadline = time.monotonic() + place.settle_seconds
    left: Any = "unknown"
    while time.monotonic() < deadline:
        place.tend()
        with contextlib.suppress(psycopg.OperationalError), psycopg.connect(place.superuser_url) as connection:
            row = connection.execute(UNSETTLED).fetchone()
            left = row[0] if row else left
            if left == 0:
                return []
        time.sleep(0.1)
    return [f"{left} views and timers were left undone for {place.settle_seconds:.0f} s"]


def kept_heads(folder: Path, logs: dict[str, Log]) -> list[str]:
    """Heads outside of the database that it does not have."""
    wrong = []
    for campaign, log in logs.items():
        file = folder / campaign
        if not file.exists():
            wrong.append(f"{campaign}: no head was kept")
            continue
        seq, digest = file.read_text("ascii").split()
        if int(seq) > log.seq:
            wrong.append(f"{campaign}: head {seq} was kept, and the log ends at {log.seq}")
        elif log.rows[int(seq) - 1].hash.hex() != digest:
            wrong.append(f"{campaign}: the head kept at {seq} is not the log's")
    return wrong


def views(place: Place, logs: dict[str, Log]) -> list[str]:
    """What views say against the log, at each API, and before and after they are folded anew."""
    wrong: list[str] = []
    shown = []
    for url in place.api_urls:
        with httpx.Client(base_url=url, timeout=30) as client:
            shown.append({campaign: _views(client, campaign, place.gms[campaign]) for campaign in logs})
    done = _rebuilt(place.service_url)
    if done.returncode != 0:
        wrong.append(f"the views are not what the log gives: {done.stdout}{done.stderr}")
    with httpx.Client(base_url=place.api_urls[0], timeout=30) as client:
        shown.append({campaign: _views(client, campaign, place.gms[campaign]) for campaign in logs})
    for campaign, log in logs.items():
        unread = [
            f"{campaign}: {view or 'the campaign'} cannot be read: {page['said']}"
            for each in shown
            for view, pages in each[campaign].items()
            for page in pages
            if "said" in page
        ]
        if unread:
            wrong += unread
            continue
        others = [f"at API {nth}" for nth in range(2, len(place.api_urls) + 1)]
        for other, when in enumerate([*others, "when folded anew"], 1):
            wrong += [
                f"{campaign}: {view or 'the campaign'} is not the same {when}"
                for view, body in shown[0][campaign].items()
                if body != shown[other][campaign].get(view)
            ]
        wrong += money.ledgers(log, shown[0][campaign])
    return wrong


def unavailable(place: Place) -> list[str]:
    """What nobody can do any more."""
    wrong = []
    for url in place.api_urls:
        with httpx.Client(base_url=url, timeout=30) as client:
            ready = client.get("/health/ready")
            if ready.status_code != 200:
                wrong.append(f"{url} is not ready: {ready.text}")
            for campaign, gm in place.gms.items():
                note = {"command": {"type": "campaign.add_note", "text": "All of us are here."}}
                acted = client.post(f"/api/campaigns/{campaign}/actions", json=note, headers=gm)
                if acted.status_code != 201:
                    wrong.append(f"{campaign}: nobody can act: {acted.status_code} {acted.text}")
    return wrong


def figures(lines: list[dict[str, Any]], logs: dict[str, Log]) -> dict[str, int]:
    """What was counted on the way."""
    told_of = checks.Journal.of(lines)
    fired = [row for log in logs.values() for row in log.fired]
    rows = [row for log in logs.values() for row in log.rows]
    return {
        "acknowledged": len(told_of.told),
        "refused": len(told_of.refused),
        "without a reply": told_of.counts["no reply"],
        "answered 503": told_of.counts["away"],
        "events": len(rows),
        "timers fired": len(fired),
        "payouts": sum(row.kind == money.AWARDED and row.body.get("mission_id") is not None for row in rows),
        "undone": sum(row.kind == UNDONE for row in rows),
        "reads": told_of.counts["read"],
        "fed": told_of.counts["fed"],
        "ms that the latest timer was late": max(
            ((row.committed_at - row.body["due"]) // 1000 for row in fired if row.body["due"] > 10**15), default=0
        ),
    }


def _rebuilt(service_url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "services.cli", "rebuild-views"],
        cwd=ROOT,
        env={
            "FIELDLOG_DATABASE_URL": service_url,
            "PATH": "",
            "FIELDLOG_DICE_KEY": DICE_KEY,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def _views(client: httpx.Client, campaign: str, token: dict[str, str]) -> dict[str, Any]:
    path = f"/api/campaigns/{campaign}"
    shown = {view: _read(client, path + view, token, paged=view in PAGED) for view in VIEWS}
    shown["/ledger/accounts"][0].pop("checked", None)  # what an accountant found, and when
    for sheet in shown["/sheets"][0].get("sheets", []):
        view = f"/sheets/{sheet['character']}"
        shown[view] = _read(client, path + view, token)
    return shown


def _read(client: httpx.Client, path: str, token: dict[str, str], *, paged: bool = False) -> list[dict[str, Any]]:
    return list(_pages(client, path, token, paged=paged))


def _pages(client: httpx.Client, path: str, token: dict[str, str], *, paged: bool) -> Iterator[dict[str, Any]]:
    after: int | None = 0
    while after is not None:
        asked = {"after": after, "limit": PAGE} if paged else {}
        answer = client.get(path, params=asked, headers=token)
        if answer.status_code != 200:
            yield {"status": answer.status_code, "said": answer.text}
            return
        page = answer.json()
        yield page
        after = page.get("next_after") if paged else None
