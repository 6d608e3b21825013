"""The roles in PostgreSQL: groups with the rights of the service and of backups, and the service's login."""

from psycopg import Connection, errors, sql
from psycopg.conninfo import conninfo_to_dict

from infra.postgres.driver.connector import SETTINGS
from infra.postgres.driver.statements import source
from infra.postgres.migration_failures import MigrationFailed

SERVICE_GROUP = "fieldlog_service"
BACKUP_GROUP = "fieldlog_backup"


def ensure_roles(owner: Connection, service_url: str | None = None) -> None:
    """Make what the cluster lacks for a migration: both groups, the service's login, and room for tables.

    An existing login keeps its password. It gets the settings that the service needs, unless the owner may not
    alter it: its connections then set these themselves. MigrationFailed names all the SQL at once that an
    administrator has to run where the owner may not, and refuses a service that is the owner.
    """
    login = None if service_url is None else _login_of(owner, service_url)
    lacking = [_group_made(group) for group in (SERVICE_GROUP, BACKUP_GROUP) if not _exists(owner, group)]
    if service_url is not None and login is not None:
        lacking += _login_made(owner, login, service_url)
    statements: list[sql.Composed] = []
    for statement in lacking:
        # Those that follow a refused one may need it: they are for the administrator, too.
        if statements or not _is_done(owner, statement):
            statements.append(statement)
    statements += _schema_opened(owner)
    if statements:
        commands = " ".join(f"{statement.as_string(owner)};" for statement in statements)
        raise MigrationFailed(
            f"An administrator has to run, once, in the database {owner.info.dbname}: {commands}"
        )
    if login is not None:
        _ensure_settings(owner, login)


def ensure_backup_rights(owner: Connection) -> None:
    """Let the backup group read every table of the schema, and every row of it.

    Looked for in the catalogue, so that no table is forgotten. With these policies a dump that keeps row-level
    security on (`pg_dump --enable-row-security`) is whole; without it a login needs BYPASSRLS as well, which only
    a superuser gives.
    """
    group = sql.Identifier(BACKUP_GROUP)
    for name, is_closed, is_guarded in owner.execute(source("read_closed_to_backups")).fetchall():
        table = sql.Identifier(name)
        if is_closed:
            owner.execute(sql.SQL("GRANT SELECT ON {} TO {}").format(table, group))
        if is_guarded:
            policy = sql.SQL("CREATE POLICY backups_read_all ON {} FOR SELECT TO {} USING (true)")
            owner.execute(policy.format(table, group))


def _group_made(group: str) -> sql.Composed:
    return sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(group))


def _login_of(owner: Connection, service_url: str) -> str:
    login = str(conninfo_to_dict(service_url).get("user") or "")
    if not login:
        raise MigrationFailed("The service's database URL names no user.")
    if login == owner.info.user:
        raise MigrationFailed(f"The service must have a login of its own, not the owner's ({login}).")
    return login


def _login_made(owner: Connection, login: str, service_url: str) -> list[sql.Composed]:
    """Return what makes the service's login a member of its group, if it is none yet."""
    names = {"group": sql.Identifier(SERVICE_GROUP), "login": sql.Identifier(login)}
    if _exists(owner, login):
        return [] if _is_member(owner, login) else [sql.SQL("GRANT {group} TO {login}").format(**names)]
    create = sql.SQL("CREATE ROLE {login} LOGIN IN ROLE {group}").format(**names)
    password = conninfo_to_dict(service_url).get("password")
    if password:
        # Hashed here, so that neither the server's log nor an error shows it.
        hashed = owner.pgconn.encrypt_password(str(password).encode(), login.encode())
        create += sql.SQL(" PASSWORD {}").format(hashed.decode())
    return [create]


def _schema_opened(owner: Connection) -> list[sql.Composed]:
    """Return what lets the owner make tables, which PostgreSQL 15 allows only to the database's owner.

    Never tried: where the owner may not grant this, PostgreSQL warns and says that it did.
    """
    row = owner.execute("SELECT has_schema_privilege('public', 'CREATE')").fetchone()
    if row is not None and row[0]:
        return []
    return [sql.SQL("GRANT CREATE ON SCHEMA public TO {}").format(sql.Identifier(owner.info.user))]


def has_settings(connection: Connection, login: str) -> bool:
    """Whether a login brings the settings that the service needs to each of its sessions."""
    return not _lacking(connection, login)


def _ensure_settings(owner: Connection, login: str) -> None:
    for name, value in _lacking(owner, login).items():
        statement = sql.SQL("ALTER ROLE {} SET {} TO {}").format(
            sql.Identifier(login), sql.Identifier(name), sql.Literal(value)
        )
        if not _is_done(owner, statement):
            return  # the owner did not make the login


def _lacking(connection: Connection, login: str) -> dict[str, str]:
    row = connection.execute("SELECT rolconfig FROM pg_roles WHERE rolname = %s", (login,)).fetchone()
    settings = dict(setting.split("=", 1) for setting in (row and row[0]) or [])
    return {name: value for name, value in SETTINGS.items() if settings.get(name) != value}


def _exists(owner: Connection, role: str) -> bool:
    return owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None


def _is_member(owner: Connection, login: str) -> bool:
    if not _exists(owner, SERVICE_GROUP):
        return False
    row = owner.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", (login, SERVICE_GROUP)).fetchone()
    return row is not None and bool(row[0])


def _is_done(owner: Connection, statement: sql.Composed) -> bool:
    """Run a statement; False if the owner may not."""
    try:
        owner.execute(statement)
    except (errors.DuplicateObject, errors.UniqueViolation):
        # Roles belong to the whole cluster: a migration of another database was quicker.
        return True
    except errors.InsufficientPrivilege:
        return False
    except errors.InternalError_ as clash:
        # "tuple concurrently updated": the same, in the middle of the other one's grant.
        if not clash.diag.message_primary or "concurrently" not in clash.diag.message_primary:
            raise
    return True
