"""What was erased, deleted or revoked after a backup is gone again before an older database is served."""

from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from litestar.testing import TestClient

from domain.withdrawals import Withdrawal
from infra.machine.withdrawal_journal import FileWithdrawalJournal
from tests.applications import service
from tests.engines import DatabaseUrls, PostgresServer
from tests.services.conftest import PASSWORD, Person, Table
from tests.services.processes import eventually
from tests.services.verify_command import cli

ROLL = {"command": {"type": "campaign.roll", "notation": "2d20"}}
WORDS = "The tow train stops at the seventh tower."


class Evening:
    """A campaign with what is taken away later: a note, two members, an invite, a feed, a token and an account."""

    def __init__(self, client: TestClient[Any]) -> None:
        self.gm, self.ben, self.cara, self.dora = (Person(client, name) for name in ("Ana", "Ben", "Cara", "Dora"))
        founded = self.gm.post("/campaigns", {"name": "Iron Rain", "systems": ["frame_state"]})
        self.table = Table(self.gm, self.ben, founded.json()["campaign_id"])
        self.invite = self.invited()
        for each in (self.ben, self.cara, self.dora):
            assert each.post(f"/invites/{self.invite}/accept").status_code < 300
        note = {"command": {"type": "campaign.add_note", "text": WORDS}}
        self.note = self.gm.post(f"{self.table.path}/actions", note, headers={"Idempotency-Key": "n"}).json()
        made = client.post("/api/tokens", json={"name": "Ana", "password": PASSWORD, "label": "phone"}).json()
        self.feed = self.gm.post(f"{self.table.path}/calendar/feed", {}).json()["path"]
        self.phone = {"Authorization": f"Bearer {made['token']}"}

    def invited(self) -> str:
        code: str = self.gm.post(f"{self.table.path}/invites", {"role": "player"}).json()["code"]
        return code

    def take_away(self, database: DatabaseUrls) -> None:
        """Through the service, but for the account: its days of grace are over at once."""
        path = f"{self.table.path}/actions/{self.note['action_id']}/texts"
        assert self.gm.send("DELETE", path).status_code == 200
        assert self.gm.send("DELETE", f"{self.table.path}/members/{self.ben.account_id}").status_code < 300
        assert self.gm.send("DELETE", f"{self.table.path}/members/{self.cara.account_id}").status_code < 300
        again = {"role": "player", "account": self.cara.account_id}
        code = self.gm.post(f"{self.table.path}/invites", again).json()["code"]
        assert self.cara.post(f"/invites/{code}/accept").status_code < 300, "Cara comes back"
        [phone] = [each for each in self.gm.get("/tokens").json()["tokens"] if each["label"] == "phone"]
        assert self.gm.send("DELETE", f"/tokens/{phone['token_id']}").status_code < 300
        assert self.gm.send("DELETE", f"{self.table.path}/calendar/feed").status_code == 204
        for each in self.gm.get(f"{self.table.path}/invites").json()["invites"]:
            self.gm.send("DELETE", f"{self.table.path}/invites/{each['invite_id']}")
        with psycopg.connect(database.owner) as owner:
            owner.execute("DELETE FROM tokens WHERE account_id = %s", [UUID(self.dora.account_id)])
            owner.execute("DELETE FROM accounts WHERE account_id = %s", [UUID(self.dora.account_id)])

    def left(self, client: TestClient[Any]) -> dict[str, bool]:
        """What of it can be had: all of it before, none afterwards."""
        for each in (self.gm, self.ben, self.cara, self.dora):
            each.client = client
        action = self.gm.get(f"{self.table.path}/actions/{self.note['action_id']}").text
        answer = {"command": {"type": "campaign.add_note", "text": WORDS}}
        again = self.gm.post(f"{self.table.path}/actions", answer, headers={"Idempotency-Key": "n"}).text
        signing_in = client.post("/api/tokens", json={"name": "Dora", "password": PASSWORD, "label": "x"})
        return {
            "words": WORDS in action + again,
            "phone": client.get("/api/accounts/me", headers=self.phone).status_code == 200,
            "feed": client.get(self.feed).status_code == 200,
            "ben": self.ben.get(self.table.path).status_code == 200,
            "dora": signing_in.status_code == 201,
            "dora's token": self.dora.get("/accounts/me").status_code == 200,
            "invite": Person(client, uuid4().hex[:8]).post(f"/invites/{self.invite}/accept").status_code < 300,
        }


def restore(database: DatabaseUrls, folder: Path, home: Path) -> None:
    done = cli(database, "restore", str(folder), home=str(home), owner_url=database.owner)
    assert done.returncode == 0, done.stderr


def test_all_that_was_taken_away_after_a_backup_is_gone_again(database, empty, tmp_path):
    home, folder = tmp_path / "home", tmp_path / "one"
    with service(database, home) as client:
        evening = Evening(client)
        assert set(evening.left(client).values()) == {True}
        assert cli(database, "backup", str(folder), home=str(home)).returncode == 0
        evening.take_away(database)
        # For a second the process may believe a token of an account that was deleted past it.
        assert eventually(lambda: set(evening.left(client).values()) == {False})
    restore(empty, folder, home)
    with service(empty, home) as client:
        assert set(evening.left(client).values()) == {False}
        assert evening.cara.get(evening.table.path).status_code == 200, "who came back has come back"
        assert evening.gm.post(f"{evening.table.path}/actions", ROLL).status_code == 201
        assert evening.gm.get(f"{evening.table.path}/verify").json()["sound"] is True
        refused = evening.ben.post(f"/invites/{evening.invited()}/accept")
        assert (refused.status_code, refused.json()["code"]) == (403, "was_removed")


def test_without_the_journal_an_old_backup_brings_it_all_back(database, empty, tmp_path):
    """Negative control."""
    home, folder = tmp_path / "home", tmp_path / "one"
    with service(database, home) as client:
        evening = Evening(client)
        assert cli(database, "backup", str(folder), home=str(home)).returncode == 0
        evening.take_away(database)
    (home / "withdrawals.ndjson").unlink()
    restore(empty, folder, home)
    with service(empty, home) as client:
        assert set(evening.left(client).values()) == {True}


def test_every_process_keeps_a_journal_of_what_any_of_them_took_away(database, empty, tmp_path):
    folder = tmp_path / "one"
    with service(database, tmp_path / "one-home") as one, service(database, tmp_path / "other-home"):
        evening = Evening(one)
        assert cli(database, "backup", str(folder), home=str(tmp_path / "one-home")).returncode == 0
        evening.take_away(database)
    restore(empty, folder, tmp_path / "other-home")
    with service(empty, tmp_path / "other-home") as client:
        assert set(evening.left(client).values()) == {False}


def test_a_database_that_was_set_back_some_other_way_is_not_served_before(database, tmp_path, postgres_server):
    """By PostgreSQL's own tools, while its heads are kept: the campaign waits, and who was removed is out."""
    home = tmp_path / "home"
    with service(database, home) as client:
        evening = Evening(client)
    copy = copied(postgres_server, database)
    with service(database, home) as client:
        evening.gm.client = evening.ben.client = evening.cara.client = client
        evening.take_away(database)
    with service(copy, home) as client:
        assert evening.left(client)["ben"] is False
        waiting = evening.gm.post(f"{evening.table.path}/actions", ROLL)
        assert waiting.json()["code"] == "log_behind_checkpoint"
    assert cli(copy, "accept-restore", "--all", home=str(home)).returncode == 0
    with service(copy, home) as client:
        assert set(evening.left(client).values()) == {False}
    postgres_server.drop_database(copy)


def copied(server: PostgresServer, database: DatabaseUrls) -> DatabaseUrls:
    """The database as it is now, under another name."""
    other = server.empty_database()
    name, old = (url.owner.rpartition("/")[2] for url in (other, database))
    with psycopg.connect(server.superuser_url, autocommit=True) as superuser:
        superuser.execute(f"DROP DATABASE {name}")
        superuser.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [old])
        superuser.execute(f"CREATE DATABASE {name} TEMPLATE {old}")
    return other


def a_withdrawal() -> Withdrawal:
    return Withdrawal(uuid4(), 7, "token", None, uuid4(), None, None, [])


def test_a_journal_is_shared_grows_by_whole_lines_and_holds_everything_once(tmp_path):
    path = tmp_path / "withdrawals.ndjson"
    one, other = FileWithdrawalJournal(path), FileWithdrawalJournal(path)
    first, second, third = a_withdrawal(), a_withdrawal(), a_withdrawal()
    one.add([first])
    other.add([first, second])
    with path.open("ab") as file:
        file.write(b'{"withdrawal_id": "torn')
    one.add([first, second, third])
    other.add([third])
    assert {each.withdrawal_id for each in one.read()} == {each.withdrawal_id for each in (first, second, third)}
    assert len(other.read()) == 3
    assert path.stat().st_mode & 0o777 == 0o600
    assert FileWithdrawalJournal(tmp_path / "nothing").read() == []
