"""The roles in PostgreSQL: a group with the service's rights, and the login that is a member of it."""

from psycopg import Connection, errors, sql
from psycopg.conninfo import conninfo_to_dict

SERVICE_GROUP = "fieldlog_service"


class MigrationFailed(Exception):  # noqa: N818 - it says what happened
    """The database could not be brought up to date; the text is a sentence for the operator."""


class DatabaseLost(MigrationFailed):
    """The database did not answer, or the connection broke; another attempt may succeed."""


def ensure_service_group(owner: Connection) -> None:
    """Create the group role if the cluster has none. MigrationFailed names the SQL if that is refused."""
    if _exists(owner, SERVICE_GROUP):
        return
    _run(owner, sql.SQL("CREATE ROLE {} NOLOGIN").format(sql.Identifier(SERVICE_GROUP)))


def ensure_service_login(owner: Connection, service_url: str) -> None:
    """Create the login that `service_url` names, or make an existing one a member of the group.

    An existing login keeps its password. MigrationFailed names the SQL that an administrator has to run
    when the owner may not do it, and refuses a service that is the owner.
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
