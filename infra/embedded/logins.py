"""The three logins of an embedded PostgreSQL: superuser, owner of the schema, and the service."""

import secrets

SUPERUSER = "postgres"
OWNER = "fieldlog_owner"
SERVICE = "fieldlog"
SERVICE_GROUP = "fieldlog_service"
DATABASE = "fieldlog"
LOGINS = (SUPERUSER, OWNER, SERVICE)


def new_passwords() -> dict[str, str]:
    """Random passwords, one per login, of letters and digits that need no quoting in a URL."""
    return {login: secrets.token_hex(24) for login in LOGINS}


def url_of(login: str, passwords: dict[str, str], port: int, database: str = DATABASE) -> str:
    """Return the URL under which a login reaches a database of the engine."""
    return f"postgresql://{login}:{passwords[login]}@127.0.0.1:{port}/{database}"
