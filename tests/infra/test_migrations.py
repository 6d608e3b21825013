"""Migrations: once each, unedited, by an ordinary owner, and their sum is the schema that one can read."""

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_hex
from urllib.parse import quote, urlsplit, urlunsplit

import psycopg
import pytest
from psycopg import sql

from infra.postgres import migrate as module
from infra.postgres import roles
from infra.postgres.migrate import migrate, pending
from infra.postgres.migration_failures import MigrationFailed
from infra.postgres.roles import ensure_backup_rights, ensure_roles

POSTGRES = Path(module.__file__).parent
NAMES = [path.stem for path in sorted((POSTGRES / "migrations").glob("*.sql"))]

# Everything that a migration can make, as PostgreSQL itself describes it.
CATALOG = """
SELECT 'relation', c.relname, concat_ws(' ', c.relkind, c.reloptions, c.relacl, c.relrowsecurity)
FROM pg_class AS c WHERE c.relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'column', c.relname || '.' || a.attname, concat_ws(
    ' ', a.attnum, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl, a.attstorage,
    pg_get_expr(d.adbin, d.adrelid)
)
FROM pg_attribute AS a INNER JOIN pg_class AS c ON a.attrelid = c.oid
LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0
UNION ALL
SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace
UNION ALL
SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL
SELECT 'trigger', tgname, pg_get_triggerdef(oid) || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT 'function', proname, pg_get_functiondef(oid) || coalesce(proacl::text, '') FROM pg_proc
WHERE pronamespace = 'public'::regnamespace
UNION ALL
SELECT 'view', viewname, definition FROM pg_views WHERE schemaname = 'public'
UNION ALL
SELECT 'policy', tablename || '.' || policyname, concat_ws(' ', permissive, roles, cmd, qual, with_check)
FROM pg_policies WHERE schemaname = 'public'
ORDER BY 1, 2, 3
"""


def catalog(url):
    with psycopg.connect(url) as connection:
        rows = connection.execute(CATALOG).fetchall()
    return [row for row in rows if not row[1].startswith("schema_migrations")]


@pytest.mark.one_database("shards are not in schema.sql")
def test_schema_sql_is_the_sum_of_the_migrations(database, empty):
    with psycopg.connect(empty.owner) as owner:
        owner.execute((POSTGRES / "schema.sql").read_bytes())
        ensure_backup_rights(owner)
    assert catalog(empty.owner) == catalog(database.owner)
    assert len(catalog(database.owner)) > 100


@pytest.mark.one_database("shards are not in schema.sql")
def test_a_difference_in_the_schema_is_seen(database):
    """Negative control."""
    before = catalog(database.owner)
    for change in (
        "GRANT DELETE ON events TO fieldlog_service",
        "ALTER TABLE invites ALTER code_hash DROP NOT NULL",
        "ALTER TABLE events DISABLE TRIGGER events_are_append_only",
        "ALTER TABLE campaign_heads SET (fillfactor = 90)",
        "ALTER POLICY named_campaigns ON events USING (true)",
    ):
        with psycopg.connect(database.owner, autocommit=True) as owner:
            owner.execute(change)
        assert catalog(database.owner) != before
        before = catalog(database.owner)


def test_every_unique_key_of_a_campaign_table_holds_the_campaign(database):
    """Else the tables could not be distributed by campaign."""
    keys = [row for row in catalog(database.owner) if row[0] == "index" and "UNIQUE" in row[2]]
    of_others = ("account", "backups", "tokens", "dice_key", "purged", "host_actions", "restores", "withdrawals")
    of_campaigns = [row for row in keys if not row[1].startswith(of_others)]
    assert len(of_campaigns) >= 7
    assert all("campaign_id" in row[2] for row in of_campaigns)


def test_every_migration_begins_with_a_lock_timeout():
    for path in (POSTGRES / "migrations").glob("*.sql"):
        assert path.read_text().startswith("SET LOCAL lock_timeout = '3s';\n"), path.name


def test_migrate_applies_what_is_pending_and_then_nothing(empty):
    assert pending(empty.owner) == NAMES
    assert migrate(empty.owner, empty.service) == NAMES
    assert migrate(empty.owner, empty.service) == []
    assert pending(empty.service) == []


def test_several_may_migrate_at_once(empty):
    with ThreadPoolExecutor(5) as threads:
        applied = list(threads.map(lambda _: migrate(empty.owner, empty.service), range(5)))
    assert sorted(applied) == [[], [], [], [], NAMES]


@pytest.fixture
def own_migrations(tmp_path, monkeypatch):
    """A copy of the migrations that a test may spoil."""
    folder = tmp_path / "migrations"
    shutil.copytree(POSTGRES / "migrations", folder)
    monkeypatch.setattr(module, "_FOLDER", folder)
    return folder


def test_an_applied_migration_that_was_edited_is_refused(database, own_migrations):
    with (own_migrations / f"{NAMES[0]}.sql").open("a") as migration:
        migration.write("-- a harmless remark\n")
    with pytest.raises(MigrationFailed, match=rf"{NAMES[0]} was edited after it was applied"):
        migrate(database.owner)


def test_a_database_newer_than_the_program_is_refused(database, own_migrations):
    (own_migrations / f"{NAMES[-1]}.sql").unlink()
    for look in (pending, migrate):
        with pytest.raises(MigrationFailed, match=f"{NAMES[-1]}, which this version lacks: it is of a newer"):
            look(database.owner)


def test_a_migration_that_fails_leaves_nothing_behind(database, own_migrations):
    before = catalog(database.owner)
    (own_migrations / "0900_fails.sql").write_text("CREATE TABLE half (id integer); SELECT 1 / 0;")
    with pytest.raises(MigrationFailed, match="0900_fails was refused: division by zero"):
        migrate(database.owner)
    assert catalog(database.owner) == before
    assert pending(database.owner) == ["0900_fails"]


def test_a_database_that_cannot_be_reached_is_said_in_a_sentence():
    with pytest.raises(MigrationFailed, match="PostgreSQL did not do what was asked"):
        migrate("postgresql://somebody@127.0.0.1:1/nothing")


def test_the_service_may_not_migrate(empty):
    with pytest.raises(MigrationFailed):
        migrate(empty.service)


def test_the_owner_is_no_service(database):
    with pytest.raises(MigrationFailed, match="must have a login of its own"):
        migrate(database.owner, database.owner)


@pytest.fixture
def role_names(postgres_server, monkeypatch):
    """Names for a group, an owner and a login that nobody else uses, gone afterwards."""
    run = token_hex(4)
    names = {kind: f"fieldlog_{kind}_{run}" for kind in ("group", "backups", "owner", "login")}
    monkeypatch.setattr(roles, "SERVICE_GROUP", names["group"])
    monkeypatch.setattr(roles, "BACKUP_GROUP", names["backups"])
    yield names
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as superuser:
        for name in reversed(names.values()):
            superuser.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(sql.Identifier(name)))


@pytest.fixture
def plain_database(postgres_server, role_names):
    """A database of the administrator's, gone before its roles are."""
    name = f"fieldlog_plain_{token_hex(4)}"
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as superuser:
        superuser.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        yield name
        superuser.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def url_of(server, name, password="a secret: %/@'"):  # noqa: S107 - it is there to be awkward
    parts = urlsplit(server.superuser_url)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{quote(name, safe='')}:{quote(password, safe='')}@{place}"))


def make_owner(server, names, rights, database):
    """A login that has a database of its own; the URL under which it reaches that."""
    with psycopg.connect(server.superuser_url, autocommit=True) as superuser:
        superuser.execute(
            sql.SQL("CREATE ROLE {} LOGIN {} PASSWORD {}").format(
                sql.Identifier(names["owner"]), sql.SQL(rights), sql.Literal("a secret: %/@'")
            )
        )
        superuser.execute(
            sql.SQL("ALTER DATABASE {} OWNER TO {}").format(
                sql.Identifier(database), sql.Identifier(names["owner"])
            )
        )
    return in_database(url_of(server, names["owner"]), database)


def in_database(url, name):
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def lend_database(administrator, database):
    """Take a database back from whoever owns it: from PostgreSQL 15 on only its owner makes tables there."""
    administrator.execute(sql.SQL("ALTER DATABASE {} OWNER TO CURRENT_USER").format(sql.Identifier(database)))


@pytest.mark.parametrize("rights", ["SUPERUSER", "CREATEROLE"])
def test_an_owner_who_may_makes_the_group_and_the_service_login(
    postgres_server, role_names, plain_database, rights
):
    service_url = url_of(postgres_server, role_names["login"])
    with psycopg.connect(
        make_owner(postgres_server, role_names, rights, plain_database), autocommit=True
    ) as owner:
        for _ in range(2):
            ensure_roles(owner, service_url)
    with psycopg.connect(service_url) as service:
        row = service.execute(
            "SELECT pg_has_role(%s, 'MEMBER'), rolsuper, rolcreaterole, rolbypassrls "
            "FROM pg_roles WHERE rolname = current_user",
            [role_names["group"]],
        ).fetchone()
    assert row == (True, False, False, False)


@pytest.mark.parametrize(("rights", "brings"), [("CREATEROLE", True), ("", False)])
def test_the_service_login_brings_its_settings_where_the_owner_may_say_so(
    postgres_server, role_names, plain_database, rights, brings
):
    """Where it may not, nothing is refused: each connection makes its own."""
    service_url = url_of(postgres_server, role_names["login"])
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as administrator:
        owner_url = make_owner(postgres_server, role_names, rights, plain_database)
        if not brings:
            ensure_roles(administrator)
            login, group = sql.Identifier(role_names["login"]), sql.Identifier(role_names["group"])
            administrator.execute(sql.SQL("CREATE ROLE {} LOGIN IN ROLE {}").format(login, group))
        with psycopg.connect(owner_url, autocommit=True) as owner:
            for _ in range(2):
                ensure_roles(owner, service_url)
                assert roles.has_settings(owner, role_names["login"]) is brings


@pytest.mark.parametrize(
    "is_made",
    [set(), {"group"}, {"backups"}, {"login"}, {"group", "login"}],
    ids=lambda made: "+".join(sorted(made)) or "nothing",
)
def test_an_owner_who_may_not_names_all_the_sql_for_an_administrator_at_once(
    postgres_server, role_names, plain_database, is_made
):
    """What it says, run as it stands by an administrator, is enough for all; no password is shown."""
    service_url = url_of(postgres_server, role_names["login"])
    owner_url = make_owner(postgres_server, role_names, "", plain_database)
    as_administrator = in_database(postgres_server.superuser_url, plain_database)
    with psycopg.connect(as_administrator, autocommit=True) as administrator:
        lend_database(administrator, plain_database)
        for kind in is_made:
            administrator.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role_names[kind])))
        with psycopg.connect(owner_url, autocommit=True) as owner:
            with pytest.raises(
                MigrationFailed, match="An administrator has to run, once, in the database "
            ) as refused:
                ensure_roles(owner, service_url)
            said, commands = str(refused.value).split(": ", 1)
            assert said.endswith(plain_database)
            assert commands.count(";") == 4 - len(is_made - {"login"})
            assert "a secret" not in commands
            administrator.execute(commands.encode())
            ensure_roles(owner, service_url)
            owner.execute("CREATE TABLE a_table ()")


def test_an_owner_who_may_make_roles_but_no_tables_asks_for_that_alone(
    postgres_server, role_names, plain_database
):
    service_url = url_of(postgres_server, role_names["login"])
    owner_url = make_owner(postgres_server, role_names, "CREATEROLE", plain_database)
    with psycopg.connect(postgres_server.superuser_url, autocommit=True) as administrator:
        lend_database(administrator, plain_database)
    with psycopg.connect(owner_url, autocommit=True) as owner:
        for _ in range(2):
            with pytest.raises(MigrationFailed, match=r": GRANT CREATE ON SCHEMA public TO [^;]+;$"):
                ensure_roles(owner, service_url)


def test_a_login_that_exists_becomes_a_member_or_an_administrator_is_asked(
    postgres_server, role_names, plain_database
):
    service_url = url_of(postgres_server, role_names["login"])
    with (
        psycopg.connect(make_owner(postgres_server, role_names, "", plain_database), autocommit=True) as owner,
        psycopg.connect(postgres_server.superuser_url, autocommit=True) as administrator,
    ):
        ensure_roles(administrator)
        administrator.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role_names["login"])))
        with pytest.raises(MigrationFailed, match=r'GRANT "?fieldlog_group_.*"? TO "?fieldlog_login_.*"?;'):
            ensure_roles(owner, service_url)
        ensure_roles(administrator, service_url)
        ensure_roles(owner, service_url)


def test_migrations_are_numbered_one_after_the_other():
    assert [int(name[:4]) for name in NAMES] == list(range(1, len(NAMES) + 1))
