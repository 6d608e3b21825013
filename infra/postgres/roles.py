"""The roles in PostgreSQL: groups with the rights of the service and of backups, and the service's login."""

from psycopg import Connection, errors, sql
from psycopg.conninfo import conninfo_to_dict

from infra.postgres.driver.connector import SETTINGS
from infra.postgres.driver.statements import source

SERVICE_GROUP = "fieldlog_service"
BACKUP_GROUP = "fieldlog_backup"


class MigrationFailed(Exception):  # noqa: N818 - it says what happened
    """The database could not be brought up to date; the text is a sentence for the operator."""


class DatabaseLost(MigrationFailed):
    """The database did not answer, or the connection broke; another attempt may succeed."""


def ensure_service_group(owner: Connection) -> None:
    """Create the service's group if the cluster has none. MigrationFailed names the SQL if that is refused."""
    _ensure_group(owner, SERVICE_GROUP)


def ensure_backup_group(owner: Connection) -> None:
    """Create the group of those who make backups if the cluster has none. Raises as `ensure_service_group`."""
    _ensure_group(owner, BACKUP_GROUP)


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
            _run(owner, sql.SQL("GRANT SELECT ON {} TO {}").format(table, group))
        if is_guarded:
            policy = sql.SQL("CREATE POLICY backups_read_all ON {} FOR SELECT TO {} USING (true)")
            _run(owner, policy.format(table, group))


def _ensure_group(owner: Connection, group: str) -> None:
    if not _exists(owner, group):
        _run(owner, sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(group)))


def ensure_service_login(owner: Connection, service_url: str) -> None:
    """Create the login that `service_url` names, or make an existing one a member of the group.

    An existing login keeps its password. It gets the settings that the service needs, unless the owner may not
    alter it: its connections then set these themselves. MigrationFailed names the SQL that an administrator has
    to run when the owner may not do it, and refuses a service that is the owner.
    """
    given = conninfo_to_dict(service_url)
    login, password = str(given.get("user") or ""), given.get("password")
    if not login:
        raise MigrationFailed("The service's database URL names no user.")
    if login == owner.info.user:
        raise MigrationFailed(f"The service must have a login of its own, not the owner's ({login}).")
    names = {"group": sql.Identifier(SERVICE_GROUP), "login": sql.Identifier(login)}
    if not _exists(owner, login):
        create = sql.SQL("CREATE ROLE {login} LOGIN IN ROLE {group}").format(**names)
        if password:
            # Hashed here, so that neither the server's log nor an error shows it.
            hashed = owner.pgconn.encrypt_password(str(password).encode(), login.encode())
            create += sql.SQL(" PASSWORD {}").format(hashed.decode())
        _run(owner, create)
    elif not _is_member(owner, login):
        _run(owner, sql.SQL("GRANT {group} TO {login}").format(**names))
    _ensure_settings(owner, login)


def has_settings(connection: Connection, login: str) -> bool:
    """Whether a login brings the settings that the service needs to each of its sessions."""
    return not _lacking(connection, login)


def _ensure_settings(owner: Connection, login: str) -> None:
    for name, value in _lacking(owner, login).items():
        statement = sql.SQL("ALTER ROLE {} SET {} TO {}").format(
            sql.Identifier(login), sql.Identifier(name), sql.Literal(value)
        )
        try:
            _run(owner, statement)
        except MigrationFailed:
            return  # the owner did not make the login


def _lacking(connection: Connection, login: str) -> dict[str, str]:
    row = connection.execute("SELECT rolconfig FROM pg_roles WHERE rolname = %s", (login,)).fetchone()
    held = dict(each.split("=", 1) for each in (row and row[0]) or [])
    return {name: value for name, value in SETTINGS.items() if held.get(name) != value}


def _exists(owner: Connection, role: str) -> bool:
    return owner.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is not None


def _is_member(owner: Connection, login: str) -> bool:
    row = owner.execute("SELECT pg_has_role(%s, %s, 'MEMBER')", (login, SERVICE_GROUP)).fetchone()
    return row is not None and bool(row[0])


def _run(owner: Connection, statement: sql.Composed) -> None:
    try:
        owner.execute(statement)
    except (errors.DuplicateObject, errors.UniqueViolation):
        # Roles belong to the whole cluster: a migration of another database was quicker.
        return
    except errors.InsufficientPrivilege as refused:
        command = statement.as_string(owner)
        raise MigrationFailed(f"An administrator has to run, once: {command};") from refused
    except errors.InternalError_ as clash:
        # "tuple concurrently updated": the same, in the middle of the other one's grant.
        if not clash.diag.message_primary or "concurrently" not in clash.diag.message_primary:
            raise
