"""pgBackRest brings a server back to any moment, as docs/operate/backup.md has it, and play goes on."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from litestar.testing import TestClient

from infra.embedded.child_process import free_port
from services.settings import Settings
from tests.applications import an_application
from tests.engines import DICE_KEY, PostgresServer
from tests.services.conftest import Person, Table
from tests.services.processes import eventually
from tests.services.verify_command import cli

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
ROLL = {"command": {"type": "campaign.roll", "notation": "2d20"}}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("pgbackrest") is None, reason="pgBackRest is not installed"),
    pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL of the distribution is installed"),
]


class ArchivedServer:
    """PostgreSQL of the distribution that archives its log with pgBackRest; as root it runs as `nobody`."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.data, self.port = folder, folder / "data", free_port(None)
        self.user = "nobody" if os.geteuid() == 0 else None
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._run(PROGRAMS[-1] / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust")
        self._configure()
        self.start()
        self.pgbackrest("stanza-create")

    def start(self) -> None:
        log = self.folder / "server.log"
        self._run(PROGRAMS[-1] / "pg_ctl", "-D", self.data, "-l", log, "-w", "start")

    def stop(self) -> None:
        self._run(PROGRAMS[-1] / "pg_ctl", "-D", self.data, "-m", "fast", "-w", "stop")

    def pgbackrest(self, *arguments: str) -> None:
        self._run("pgbackrest", f"--config={self.folder / 'pgbackrest.conf'}", "--stanza=fieldlog", *arguments)

    def _configure(self) -> None:
        place, log = f"config={self.folder / 'pgbackrest.conf'}", f"log-path={self.folder}"
        archive = f"pgbackrest --{place} --stanza=fieldlog archive-push %p"
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(
                f"port = {self.port}\nlisten_addresses = '127.0.0.1'\nunix_socket_directories = '{self.folder}'\n"
                f"archive_mode = on\narchive_command = '{archive}'\n"
            )
        (self.folder / "pgbackrest.conf").write_text(
            f"[global]\nrepo1-path={self.folder}/repository\n{log}\nlock-path={self.folder}\n"
            f"spool-path={self.folder}\n"
            f"[fieldlog]\npg1-path={self.data}\npg1-port={self.port}\npg1-socket-path={self.folder}\npg1-user=postgres\n"
        )

    def _run(self, *command: object) -> None:
        with (self.folder / "said.log").open("a") as said:
            done = subprocess.run(  # noqa: S603 — programs of the distribution
                [*map(str, command)],
                user=self.user,
                group=None if self.user is None else pwd.getpwnam(self.user).pw_gid,
                extra_groups=None if self.user is None else [],
                cwd=self.folder,
                check=False,
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
            )
        assert done.returncode == 0, (command, (self.folder / "said.log").read_text()[-2000:])


@pytest.fixture
def server() -> Iterator[ArchivedServer]:
    folder = Path(tempfile.mkdtemp(prefix="fieldlog-pitr-", dir="/var/tmp"))
    if os.geteuid() == 0:
        shutil.chown(folder, "nobody")
    archived = ArchivedServer(folder)
    try:
        yield archived
    finally:
        if (archived.data / "postmaster.pid").exists():
            archived.stop()
        shutil.rmtree(folder)


def one(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query).fetchone()
    assert row is not None
    return row[0]


def test_a_server_comes_back_as_of_a_moment_and_is_played_on(server, tmp_path):
    databases = PostgresServer(server.url)
    database = databases.new_database()
    settings = Settings(database_url=database.service, home=tmp_path, dice_key=DICE_KEY, password_kib=64)
    with an_application(settings) as app, TestClient(app) as client:
        gm = Person(client, "Ana")
        founded = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]})
        table = Table(gm, gm, founded.json()["campaign_id"])
        server.pgbackrest("backup", "--start-fast")
        end = one(server.url, "SELECT clock_timestamp() + interval '2 seconds'")  # it counts whole ones
        assert eventually(lambda: one(server.url, f"SELECT clock_timestamp() > '{end}'"))
        gm.post(f"{table.path}/actions", ROLL)
        seq, moment = table.seq(), one(server.url, "SELECT clock_timestamp()")
        lost = gm.post(f"{table.path}/actions", ROLL).json()["events"][0]["dice"]
        token = client.post("/api/tokens", json={"name": "Ana", "password": "correct horse battery", "label": "x"})
        [made] = [each for each in gm.get("/tokens").json()["tokens"] if each["label"] == "x"]
        assert gm.send("DELETE", f"/tokens/{made['token_id']}").status_code < 300
    assert "PostgreSQL archived its log 0 minutes ago" in cli(database, "doctor", home=str(tmp_path)).stdout
    databases.hang_up()
    server.stop()
    for each in server.data.iterdir():
        shutil.rmtree(each) if each.is_dir() else each.unlink()
    server.pgbackrest("restore", "--type=time", f"--target={moment}", "--target-action=promote")
    server.start()
    assert eventually(lambda: one(server.url, "SELECT NOT pg_is_in_recovery()"))
    with an_application(settings) as app, TestClient(app) as client:
        gm.client = client
        assert table.seq() == seq
        assert gm.post(f"{table.path}/actions", ROLL).json()["code"] == "log_behind_checkpoint"
        revoked = {"Authorization": f"Bearer {token.json()['token']}"}
        assert client.get("/api/accounts/me", headers=revoked).status_code == 401
    assert cli(database, "accept-restore", "--all", home=str(tmp_path)).returncode == 0
    with an_application(settings) as app, TestClient(app) as client:
        gm.client = client
        dice = gm.post(f"{table.path}/actions", ROLL).json()["events"][0]["dice"]
        assert [die["proof"] for die in dice] != [die["proof"] for die in lost]
        assert gm.get(f"{table.path}/verify").json()["sound"] is True
