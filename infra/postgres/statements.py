"""The SQL statements of `sql/`, read once. One file is one statement; `:name` in it is an argument."""

import re
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent / "sql"
_ARGUMENT = re.compile(r"(?<!:):([a-z_]+)")


class Statement:
    """A statement with its arguments numbered, as PostgreSQL wants them; psycopg need not parse it again."""

    def __init__(self, sql: str) -> None:
        lines = (line.strip() for line in sql.splitlines())
        bare = "\n".join(line for line in lines if line and not line.startswith("--"))
        self.names = tuple(dict.fromkeys(_ARGUMENT.findall(bare)))
        self.text = _ARGUMENT.sub(lambda found: f"${self.names.index(found[1]) + 1}", bare).encode()

    def arguments(self, **by_name: Any) -> list[Any]:
        """Put the arguments in the statement's order. KeyError if one is missing."""
        return [by_name[name] for name in self.names]


def source(name: str) -> str:
    """Return what is written in `sql/<name>.sql`; FileNotFoundError if there is none."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def statement(name: str) -> Statement:
    """Return the statement in `sql/<name>.sql`; FileNotFoundError if there is none."""
    return Statement(source(name))
