"""`fieldlog purge`: after its grace a deleted campaign goes whole or not at all, and nothing else goes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import urlsplit, urlunsplit
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import InsufficientPrivilege, RestrictViolation

from domain.event_store_types import Head
from domain.ids import CampaignId
from infra.embedded.child_process import free_port
from infra.machine.head_store import FileHeadStore
from services.cli import up as up_command
from services.settings import Settings
from services.wiring.purge import purge_database
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.projector import Projector
from tests.engines import DatabaseUrls
from tests.services.campaign_keeping import delete, restore, told
from tests.services.conftest import Table
from tests.services.processes import Program, eventually
from tests.services.transfers import bring, export
from tests.services.verify_command import told_by

HOLDS_CAMPAIGNS = """
SELECT c.relname FROM pg_class AS c
INNER JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relkind IN ('r', 'p') AND a.attname = 'campaign_id' AND c.relnamespace = 'public'::regnamespace
"""
"""From the catalogue: a table that is added later is looked at too."""


@contextmanager
def owned(database: DatabaseUrls) -> Iterator[psycopg.Connection]:
    """The owner, who sees every campaign."""
    with psycopg.connect(database.owner) as owner:
        every = owner.execute("SELECT array_agg(campaign_id)::text FROM campaign_heads").fetchone()
        owner.execute("SELECT set_config('fieldlog.campaigns', %s, false)", every)
        yield owner


def rows(owner: psycopg.Connection, campaign: str) -> dict[str, int]:
    """How many rows each table has of a campaign."""
    owner.execute("SELECT set_config('fieldlog.campaigns', %s, false)", [f"{{{campaign}}}"])
    count = sql.SQL("SELECT count(*) FROM {} WHERE campaign_id = %s")
    return {
        table: owner.execute(count.format(sql.Identifier(table)), [campaign]).fetchone()[0]  # type: ignore[index]
        for (table,) in owner.execute(HOLDS_CAMPAIGNS).fetchall()
    }


def over(database: DatabaseUrls, *campaigns: str) -> None:
    """The grace of these is over, or that of whatever is deleted, for the service and for the owner."""
    with psycopg.connect(database.owner) as owner:
        owner.execute(
            "UPDATE campaign_heads SET gone_at = 1 WHERE gone_at IS NOT NULL AND (%s OR campaign_id = ANY(%s))",
            (not campaigns, [UUID(each) for each in campaigns]),
        )
        owner.execute(
            "INSERT INTO seen_deletions SELECT campaign_id, 1 FROM campaign_heads WHERE gone_at = 1 "
            "ON CONFLICT (campaign_id) DO UPDATE SET purge_from = 1"
        )


def purging(database: DatabaseUrls, home: Path, *options: str) -> Program:
    return Program(
        home, "purge", *options, owner_url=database.owner, database_url=database.service, home=str(home)
    )


def purge(database: DatabaseUrls, home: Path, *options: str) -> str:
    """What the command says."""
    program = purging(database, home, *options)
    assert program.process.wait(60) == 0, program.said()
    return program.said()


@pytest.fixture
def whole(table: Table, client: Any, database: DatabaseUrls) -> Table:
    """A campaign with something in every table there is."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    table.act(table.player, "frame_state.create_pilot", name="Vex")
    table.act(table.gm, "campaign.roll", notation="2d6", headers={"Idempotency-Key": "k"})
    table.act(table.gm, "campaign.add_note", text="x")
    table.act(table.gm, "campaign.schedule_timer", title="Rent", after={"hours": 1})
    hook = {"url": "https://example.org/hook", "kinds": ["dates"]}
    assert table.gm.post(f"{table.path}/webhooks", hook).status_code == 201
    application, campaign = client.app.state.application, CampaignId(UUID(table.campaign_id))
    with client.portal() as portal:
        portal.call(Projector(application.log, application.views, application.handler).campaign, campaign)
        accounting = LedgerAuditWorker(
            application.log, application.views, application.ledger_checks, application.entropy
        )
        portal.call(accounting.check, campaign)
    with owned(database) as owner:
        owner.execute("INSERT INTO kept_folds SELECT * FROM stored_folds")
    return table


def test_not_a_row_of_it_is_left_in_any_table_and_nothing_else_goes(whole, client, database, tmp_path):
    other = whole.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    assert delete(whole).status_code == 200
    heads = FileHeadStore(tmp_path / "heads")
    campaign = CampaignId(UUID(whole.campaign_id))
    heads.keep({each: Head(1, bytes(32), 0) for each in (campaign, CampaignId(UUID(other)))})
    assert "can be restored until" in purge(database, tmp_path, "--dry-run")
    assert "no deleted campaign" in purge(database, tmp_path)
    with owned(database) as owner:
        assert [table for table, count in rows(owner, whole.campaign_id).items() if not count] == []
        others = rows(owner, other)
    over(database)
    assert f"{whole.campaign_id}, “Iron Rain”, may go" in purge(database, tmp_path, "--dry-run")
    with owned(database) as owner:
        assert all(rows(owner, whole.campaign_id).values()), "a dry run does nothing"
    assert f"[1/1] {whole.campaign_id}, “Iron Rain”, is gone" in purge(database, tmp_path)
    with owned(database) as owner:
        assert not any(rows(owner, whole.campaign_id).values())
        assert rows(owner, other) == others
    assert heads.last(campaign) is None
    assert heads.last(CampaignId(UUID(other))) is not None
    assert whole.gm.get("/campaigns/deleted").json()["campaigns"] == []
    assert told(restore(whole)) == (404, "campaign_not_found")
    noted = [(each["command"], each["campaign"]) for each in told_by(database, "audit")["host_actions"]]
    assert noted == [("purge", whole.campaign_id)], "and nothing of the dry run"


def test_a_key_that_made_what_is_gone_makes_a_campaign_with_an_id_of_its_own(table, client, database, tmp_path):
    """Another host may keep a head of the old one, which would lock a new one of the same id."""
    ask, key = {"name": "Salt", "systems": ["angst"]}, {"Idempotency-Key": "once"}
    content = export(table, table.gm)

    def found() -> str:
        made = [table.gm.post("/campaigns", ask, headers=key).json()["campaign_id"] for _ in range(2)]
        assert made[0] == made[1]
        return str(made[0])

    def brought() -> str:
        again = {"Idempotency-Key": "file"}
        made = [table.gm.send("POST", "/campaigns/import", content=content, headers=again) for _ in range(2)]
        assert [each.status_code for each in made] == [201, 201], made[0].text
        assert made[0].content == made[1].content
        return str(made[0].json()["campaign_id"])

    seen: list[str] = []
    for _ in range(3):
        for make, name in ((found, "Salt"), (brought, "Iron Rain")):
            campaign = make()
            assert campaign not in seen
            seen.append(campaign)
            assert table.gm.get(f"/campaigns/{campaign}/verify").json()["sound"] is True
            assert table.gm.send("DELETE", f"/campaigns/{campaign}", json={"name": name}).status_code == 200
        over(database)
        said = purge(database, tmp_path)
        assert all(f"{each}, " in said for each in seen[-2:])
    assert len(seen) == 6


def test_a_restored_campaign_is_not_purged(whole, database, tmp_path):
    delete(whole)
    over(database)
    restore(whole)
    assert "no deleted campaign" in purge(database, tmp_path)
    assert whole.gm.get(f"{whole.path}/verify").json()["sound"] is True


FORGED = "UPDATE campaign_heads SET gone_at = 1"
"""What the service's login may do, and never should."""
DAY = 86_400_000_000


def as_service(database: DatabaseUrls, statement: LiteralString) -> None:
    with psycopg.connect(database.service) as service:
        service.execute(statement)


def days_pass(database: DatabaseUrls, days: int) -> None:
    """For the owner's own record, since the last purge."""
    with psycopg.connect(database.owner) as owner:
        owner.execute("UPDATE seen_deletions SET purge_from = purge_from - %s", [days * DAY])


def purged_here(database: DatabaseUrls, home: Path, *, dry_run: bool = False) -> str:
    """What a purge in this process says, by its lines."""
    said: list[str] = []
    purge_database(database.owner, Settings(home=home, campaign_grace_days=30), said.append, dry_run=dry_run)
    return "\n".join(said)


def test_what_the_service_marks_as_deleted_long_ago_is_kept_for_a_whole_grace(whole, database, tmp_path):
    as_service(database, FORGED)
    assert "which no GM deleted, can be restored until" in purged_here(database, tmp_path, dry_run=True)
    for days in (0, 20, 9):
        days_pass(database, days)
        assert purged_here(database, tmp_path) == ""
    as_service(database, "UPDATE campaign_heads SET gone_at = NULL")
    assert whole.gm.get(f"{whole.path}/verify").json()["sound"] is True
    as_service(database, FORGED)
    for days in (0, 29):
        days_pass(database, days)
        assert purged_here(database, tmp_path) == "", "the grace began again"
    days_pass(database, 1)
    assert f"[1/1] {whole.campaign_id}" in purged_here(database, tmp_path), "the control: it does end"


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO seen_deletions SELECT campaign_id, 1 FROM campaign_heads",
        "UPDATE seen_deletions SET purge_from = 1",
        "DELETE FROM seen_deletions",
        "SELECT * FROM seen_deletions",
        "ALTER TABLE campaign_heads DISABLE TRIGGER seen_deletions_end_with_the_deletion",
    ],
)
def test_only_the_owner_writes_when_it_saw_a_deletion(database, statement):
    with pytest.raises(InsufficientPrivilege):
        as_service(database, statement)


def test_a_restore_forgets_that_a_deletion_was_seen_whatever_the_restoring_session_calls_its_tables(
    whole, database, tmp_path
):
    delete(whole)
    purged_here(database, tmp_path)
    with psycopg.connect(database.service) as service:
        service.execute("CREATE TEMPORARY TABLE seen_deletions (campaign_id uuid)")
        service.execute("UPDATE campaign_heads SET gone_at = NULL")
    with owned(database) as owner:
        assert rows(owner, whole.campaign_id)["seen_deletions"] == 0


def test_a_purge_that_is_killed_leaves_everything(whole, database, tmp_path):
    delete(whole)
    over(database)
    with owned(database) as owner:
        before = rows(owner, whole.campaign_id)
    with psycopg.connect(database.owner) as blocker:
        blocker.execute("LOCK TABLE view_segments IN ACCESS EXCLUSIVE MODE")  # after the events, by their names
        killed = purging(database, tmp_path)
        waits = (
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'DELETE%view_segments%'"
        )
        with psycopg.connect(database.owner, autocommit=True) as watcher:
            assert eventually(lambda: watcher.execute(waits).fetchone())
            killed.kill()
    with owned(database) as owner:
        assert rows(owner, whole.campaign_id) == before
    assert restore(whole).status_code == 200
    assert whole.gm.get(f"{whole.path}/verify").json()["sound"] is True


def up_with_short_days() -> None:
    """`fieldlog up`, to which a day is what a blink is to us."""
    up_command.PURGE_EVERY_SECONDS = 0.2
    raise SystemExit(up_command.up())


class UpWithShortDays(Program):
    runs = staticmethod(up_with_short_days)


@pytest.mark.slow
def test_up_purges_each_day_what_may_go_by_then(whole, database, tmp_path):
    other = whole.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]}).json()["campaign_id"]
    engines = {"owner_url": database.owner, "database_url": database.service, "home": str(tmp_path)}
    up = UpWithShortDays(tmp_path, "up", port=str(free_port()), **engines)
    try:
        assert eventually(lambda: up.has_said("Fieldlog is ready"), 60), up.said()
        assert delete(whole).status_code == 200
        assert whole.gm.send("DELETE", f"/campaigns/{other}", json={"name": "Salt"}).status_code == 200
        over(database, whole.campaign_id)
        assert eventually(lambda: up.has_said(f"{whole.campaign_id}, “Iron Rain”, is gone")), up.said()
        with owned(database) as owner:
            assert not any(rows(owner, whole.campaign_id).values())
            assert rows(owner, other)["events"], "it can be restored"
        over(database, other)
        assert eventually(lambda: up.has_said(f"{other}, “Salt”, is gone")), up.said()
        assert up.stop() == 0
    finally:
        up.kill()


def test_no_event_goes_but_with_a_campaign_whose_grace_is_over(whole, database):
    """Invariant 1, and its negative control: what may go does."""
    remove = "DELETE FROM events WHERE campaign_id = %s"
    declare = "SELECT set_config('fieldlog.purging', 'on', true)"
    for change in ("restored", "deleted"):
        with owned(database) as owner:
            owner.execute(declare)
            with pytest.raises(RestrictViolation, match="append-only"):
                owner.execute(remove, [whole.campaign_id])
        if change == "restored":
            delete(whole)
    over(database)
    with owned(database) as owner:
        with pytest.raises(RestrictViolation, match="append-only"), owner.transaction():
            owner.execute(remove, [whole.campaign_id])
        owner.execute(declare)
        assert owner.execute(remove, [whole.campaign_id]).rowcount > 0
        owner.rollback()


def test_what_an_import_left_that_died_on_the_way_goes_and_nothing_that_may_be_alive(whole, database, tmp_path):
    dead, running = (_half_imported(whole, database) for _ in range(2))
    finished = bring(whole.gm, export(whole, whole.gm)).json()["campaign_id"]
    hours = 2 * 3_600_000_000
    with owned(database) as owner:
        owner.execute(
            "UPDATE campaign_heads SET recorded_at = recorded_at - %s WHERE campaign_id = ANY(%s)",
            (hours, [UUID(dead), UUID(finished)]),
        )
        owner.execute("DELETE FROM campaign_members WHERE campaign_id = %s", [finished])
    assert f"[1/1] {dead}, an import that died" in purge(database, tmp_path)
    with owned(database) as owner:
        assert not any(rows(owner, dead).values())
        assert rows(owner, running)["events"]
        assert rows(owner, finished)["events"], "whose people left is another matter"


def _half_imported(table: Table, database: DatabaseUrls) -> str:
    """An import as it stands before its last piece came: the beginning of a whole one, under an id of its own."""
    whole = bring(table.gm, export(table, table.gm)).json()["campaign_id"]
    campaign = str(uuid4())
    with owned(database) as owner:
        owner.execute("SELECT set_config('fieldlog.campaigns', %s, false)", [f"{{{whole},{campaign}}}"])
        owner.execute("CREATE TEMPORARY TABLE half AS SELECT * FROM events WHERE campaign_id = %s", [whole])
        owner.execute("DELETE FROM half WHERE kind = 'campaign.import_completed' AND cause = 'request'")
        owner.execute("UPDATE half SET campaign_id = %s", [campaign])
        owner.execute("INSERT INTO events SELECT * FROM half")
        owner.execute(
            "INSERT INTO campaign_heads (campaign_id, seq, recorded_at, hash) "
            "SELECT %s, seq, recorded_at, hash FROM campaign_heads WHERE campaign_id = %s",
            (campaign, whole),
        )
    return campaign


def test_not_even_a_superuser_takes_events_of_another_campaign_along(whole, database, postgres_server):
    """Row-level security does not hold them back, so the guard looks at each event."""
    delete(whole)
    over(database)
    whole.gm.post("/campaigns", {"name": "Salt", "systems": ["angst"]})
    place = urlsplit(postgres_server.superuser_url)._replace(path=urlsplit(database.owner).path)
    with psycopg.connect(urlunsplit(place), options="-c session_replication_role=replica") as superuser:
        superuser.execute("SELECT set_config('fieldlog.purging', 'on', true)")
        with pytest.raises(RestrictViolation, match="not to be purged"):
            superuser.execute("DELETE FROM events")
