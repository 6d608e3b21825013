"""A home is backed up while people play, destroyed, restored elsewhere, verified and played on."""

import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from infra.embedded.child_process import free_port
from services.wiring.database_engines import remove_home
from tests.engines import engine_folder
from tests.services.conftest import Person, Table
from tests.services.processes import Program, environment, eventually
from tests.services.verify_command import ended

ROLL = {"command": {"type": "campaign.roll", "notation": "2d20"}}

pytestmark = pytest.mark.slow


@pytest.fixture
def folder() -> Iterator[Path]:
    """For homes and backups, on a disk."""
    with engine_folder() as place:
        yield place
        for home in ("home", "other"):
            remove_home(place / home)


def up(folder: Path, home: str, port: int) -> Program:
    program = Program(folder, "up", home=str(folder / home), port=str(port), dice_key=None)
    assert eventually(lambda: program.has_said("Fieldlog is ready"), 120), program.said()
    return program


def run(folder: Path, home: str, *command: str) -> str:
    done = ended([*command], environment(home=str(folder / home), dice_key=None))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_destroyed_home_comes_back_from_a_backup_that_was_made_under_load(folder):
    port = free_port(None)
    service = up(folder, "home", port)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        people = [Person(client, name) for name in ("Ana", "Ben", "Cara")]
        tables = []
        for gm in people:
            made = gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]}).json()
            tables.append(Table(gm, gm, made["campaign_id"]))
        acknowledged = {table.campaign_id: 0 for table in tables}
        done = threading.Event()

        def play(table: Table) -> None:
            while not done.is_set():
                acknowledged[table.campaign_id] = table.gm.post(f"{table.path}/actions", ROLL).json()["seq"]

        players = [threading.Thread(target=play, args=[table]) for table in tables]
        for each in players:
            each.start()
        assert eventually(lambda: all(seq > 20 for seq in acknowledged.values()))
        before = dict(acknowledged)
        said = run(folder, "home", "backup", str(folder / "backup"))
        assert said.endswith("verified: every event, every chain, every head\n")
        after = dict(acknowledged)
        done.set()
        for each in players:
            each.join()
        assert after != before, "nobody waited for the backup"
    service.kill()
    remove_home(folder / "home")
    assert not (folder / "home").exists()
    run(folder, "other", "restore", str(folder / "backup"))
    for table in tables:
        assert run(folder, "other", "verify", table.campaign_id).endswith("all is as it was written\n")
    service = up(folder, "other", port)
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        for table in tables:
            table.gm.client = client
            assert table.seq() >= before[table.campaign_id], "all that was acknowledged before is in it"
            rolled = table.gm.post(f"{table.path}/actions", ROLL).json()
            assert rolled["events"][0]["dice"][0]["proof"] == "open:2:0"
    assert service.stop() == 0
