"""Records a database of this version: `python -m tests.upgrades.record VERSION`."""

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psycopg
from msgspec import structs
from psycopg import sql

from infra.embedded.child_process import free_port
from infra.embedded.postgres import running_urls
from infra.postgres.driver.statements import SQL
from services.cli.demo.recording import Recording, recording_of
from services.cli.demo.story import Story

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
DICE_KEY = "d1ce" * 16
STEPS = {"downtime": None, "undo": None, "angst": 90, "frame_state": 113, "freefall": 80, "mobile_frame": 70}
STEPS |= {"overdrive": 110}
"""How many steps of each story are played; None: all."""

ARRAY_ARGUMENT = re.compile(r"\b([a-z_]+)(?:=|\": )([A-Z][a-z]+)Array\b")
OF_PSYCOPG = re.compile(r"%(?:\(([a-z_]+)\))?s")
"""An argument of those statements that are sent by psycopg itself; `%%` in them is one sign."""
ARRAY_TYPES = {"Bigint": "bigint", "Bytes": "bytea", "Integer": "integer", "Text": "text", "Uuid": "uuid"}

READ = ("", "/members", "/timers", "/calendar", "/ledger/accounts", "/sheets")
NOTE = {"command": {"type": "campaign.add_note", "text": "Said before the upgrade."}}
TIMERS = (
    {"type": "campaign.schedule_timer", "title": "Rent", "after": {"days": 3}, "clock": "game"},
    {"type": "campaign.schedule_timer", "title": "Letter", "after": {"days": 36500}, "clock": "real"},
)


@contextmanager
def service(folder: Path) -> Iterator[tuple[str, str]]:
    """A whole Fieldlog in a folder; the API's address and the database's URL."""
    port = free_port()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("FIELDLOG_")}
    environ |= {
        "FIELDLOG_HOME": str(folder / "home"),
        "FIELDLOG_PORT": str(port),
        "FIELDLOG_DICE_KEY": DICE_KEY,
        "FIELDLOG_PASSWORD_KIB": "64",
        "FIELDLOG_SIGN_UPS_PER_HOUR": "0",
    }
    program = [sys.executable, "-m", "services.cli", "up"]
    process = subprocess.Popen(program, cwd=ROOT, env=environ)  # noqa: S603 — our own words
    address = f"http://127.0.0.1:{port}"
    try:
        wait(lambda: is_ready(address))
        urls = running_urls(folder / "home" / "postgres")
        assert urls is not None
        yield address, urls.superuser
    finally:
        process.terminate()
        process.wait(30)


def is_ready(address: str) -> bool:
    try:
        return httpx.get(f"{address}/health/ready").status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


def wait(holds: Any) -> None:
    deadline = time.monotonic() + 600
    while not holds():
        assert time.monotonic() < deadline, "ten minutes were not enough"
        time.sleep(0.1)


def beginning(name: str, steps: int | None) -> Recording:
    recording = recording_of(name)
    return structs.replace(recording, steps=recording.steps[:steps])


def played(address: str) -> Iterator[dict[str, Any]]:
    """Play every story; what has to be known of each to read it later."""
    with httpx.Client(base_url=address, timeout=30) as client:
        for name, steps in STEPS.items():
            story = Story(beginning(name, steps), client, suffix=f" {name}", wait_seconds_max=0)
            for _ in story.play():
                pass
            gm = story.recording.title.gm
            token, campaign = story.tokens[gm], f"/api/campaigns/{story.campaign_id}"
            as_gm = {"Authorization": f"Bearer {token}"}
            key = {"Idempotency-Key": f"recorded {name}"}
            for timer in TIMERS:
                answer = client.post(f"{campaign}/actions", json={"command": timer}, headers=as_gm)
                assert answer.status_code == httpx.codes.CREATED, answer.text
            noted = client.post(f"{campaign}/actions", json=NOTE, headers=as_gm | key)
            assert noted.status_code == httpx.codes.CREATED, noted.text
            yield {
                "story": name,
                "campaign_id": story.campaign_id,
                "gm": story.name(gm),
                "password": getattr(story, "password", None),
                "token": token,
                "note_key": key["Idempotency-Key"],
                "noted": noted.json(),
            }


def read(address: str, campaign: dict[str, Any]) -> dict[str, Any]:
    """What the API answers about a campaign."""
    as_gm = {"Authorization": f"Bearer {campaign['token']}", "Accept-Language": "en"}
    with httpx.Client(base_url=f"{address}/api/campaigns/{campaign['campaign_id']}", headers=as_gm) as client:
        found = {path: client.get(path).json() for path in READ}
        for sheet in found["/sheets"]["sheets"]:
            path = f"/sheets/{sheet['character']}"
            found[path] = client.get(path).json()
        return {"read": found, "export": client.get("/export").text}


def tables(database_url: str) -> Iterator[tuple[str, bytes]]:
    """Every table: a line that names its columns, and its rows as COPY writes them."""
    with psycopg.connect(database_url) as connection:
        names = connection.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1"
        ).fetchall()
        for (name,) in names:
            columns = connection.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 "
                "AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
                [name],
            ).fetchall()
            query = sql.SQL("COPY {} ({}) TO STDOUT").format(
                sql.Identifier(name), sql.SQL(", ").join(sql.Identifier(column) for (column,) in columns)
            )
            with connection.cursor().copy(query) as rows:
                body = b"".join(bytes(row) for row in rows)
            yield name, ",".join(column for (column,) in columns).encode() + b"\n" + body


def is_quiet(database_url: str) -> bool:
    """Whether views are stored, ledgers checked, and nothing is going to happen by itself within a minute."""
    with psycopg.connect(database_url) as connection:
        row = connection.execute(
            "SELECT bool_and(h.caught_up = h.seq AND c.seq IS NOT DISTINCT FROM h.seq) "
            "AND NOT EXISTS (SELECT FROM timers WHERE wake_at < (extract(EPOCH FROM now()) + 60) * 1000000) "
            "FROM campaign_heads AS h LEFT JOIN ledger_checks AS c USING (campaign_id)"
        ).fetchone()
    return row is not None and row[0] is True


def statements() -> dict[str, tuple[str, list[list[str]]]]:
    """Every statement that this version sends, with the types that each of its arguments may have."""
    types: dict[str, set[str]] = {"campaign": {"uuid"}}
    for path in (ROOT / "infra" / "postgres").rglob("*.py"):
        for name, of in ARRAY_ARGUMENT.findall(path.read_text("utf-8")):
            types.setdefault(name, set()).add(f"{ARRAY_TYPES[of]}[]")
    numbered = {name: with_numbers(each.text.decode(), each.names) for name, each in sorted(SQL.items())}
    return {
        name: (text, [sorted(types.get(argument, {"unknown"})) for argument in names])
        for name, (text, names) in numbered.items()
    }


def with_numbers(text: str, names: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """A statement with numbered arguments, and what each is called; one without a name is called by its number."""
    given = [argument[1] or f"{nth}" for nth, argument in enumerate(OF_PSYCOPG.finditer(text))]
    if not given:
        return text, names
    names = tuple(dict.fromkeys(given))
    numbers = iter([names.index(each) + 1 for each in given])
    return OF_PSYCOPG.sub(lambda _argument: f"${next(numbers)}", text).replace("%%", "%"), names


def record(version: str) -> None:
    place = "/var/tmp" if os.geteuid() == 0 else None  # noqa: S108 — the engine's user must reach it
    with tempfile.TemporaryDirectory(dir=place) as folder:
        Path(folder).chmod(0o711)
        with service(Path(folder)) as (address, database_url):
            campaigns = list(played(address))
            wait(lambda: is_quiet(database_url))
            campaigns = [each | read(address, each) for each in campaigns]
            files = {f"tables/{name}": content for name, content in tables(database_url)}
    for each in campaigns:
        files[f"exports/{each['story']}.ndjson"] = each.pop("export").encode()
    files["statements.json"] = json.dumps(statements(), indent=1).encode()
    files["campaigns.json"] = json.dumps(campaigns, indent=1).encode()
    with tarfile.open(FOLDER / f"{version}.tar.xz", "w:xz", preset=9) as archive:
        for name, content in sorted(files.items()):
            entry = tarfile.TarInfo(f"{version}/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))


if __name__ == "__main__":
    record(sys.argv[1])
