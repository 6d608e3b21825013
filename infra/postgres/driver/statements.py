"""The SQL statements of `sql/`, read once. One file is one statement; `:name` in it is an argument.

Where Citus refuses one, or would be slow, another one of the same name lies in `sql/distributed/`.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parents[1] / "sql"
_ARGUMENT = re.compile(r"(?<!:):([a-z_]+)")


_GUARDED = re.compile(
    r"\b(events|personal_text|idempotency_keys|stored_folds|kept_folds|view_segments|timers|ledger_checks|dice_seeds)\b"
)
_ITS_CAMPAIGN = re.compile(r"\bcampaign_id = :campaign\b")
_SCOPE = """scope AS MATERIALIZED (
    SELECT set_config('fieldlog.campaigns', CASE
        WHEN EXISTS (
            SELECT FROM campaign_heads AS head WHERE head.campaign_id = :campaign AND head.gone_at IS NOT NULL
        ) THEN '{}' ELSE '{' || :campaign || '}'
    END, true) AS named
)"""
"""A deleted campaign has no setting: every statement reads no rows of it, in the same round trip."""
_IN_SCOPE = "campaign_id = :campaign AND (SELECT scope.named FROM scope) IS NOT NULL"
"""A condition on no row: PostgreSQL answers it once, before it looks at the table that it guards."""


def _scoped(sql: str) -> str:
    """Add to a statement that it names its one campaign for row-level security before it reads events."""
    if not (_GUARDED.search(sql) and _ITS_CAMPAIGN.search(sql)):
        return sql
    guarded = _ITS_CAMPAIGN.sub(_IN_SCOPE, sql)
    for beginning in ("WITH RECURSIVE ", "WITH "):
        if guarded.startswith(beginning):
            return f"{beginning}{_SCOPE},\n{guarded.removeprefix(beginning)}"
    return f"WITH {_SCOPE}\n{guarded}"


def _bare(sql: str) -> str:
    lines = (line.strip() for line in sql.splitlines())
    return _scoped("\n".join(line for line in lines if line and not line.startswith("--")))


class Statement:
    """A statement with numbered arguments, as PostgreSQL wants them: those named in `first`, then the rest.

    `distributed` takes its place, with the same arguments, where campaigns are shared out to shards.
    """

    def __init__(self, sql: str, first: Sequence[str] = (), *, distributed: str = "") -> None:
        bare = _bare(sql)
        self.names = tuple(dict.fromkeys([*first, *_ARGUMENT.findall(bare)]))
        self.text = self._with_numbers(bare)
        self.distributed = self._with_numbers(_bare(distributed)) if distributed else self.text

    def _with_numbers(self, bare: str) -> bytes:
        return _ARGUMENT.sub(lambda argument: f"${self.names.index(argument[1]) + 1}", bare).encode()

    def arguments(self, **by_name: Any) -> list[Any]:
        """Put the arguments in the statement's order. KeyError if one is missing."""
        return [by_name[name] for name in self.names]


def source(name: str) -> str:
    """The text of `sql/<name>.sql`; FileNotFoundError if there is none."""
    return (_FOLDER / f"{name}.sql").read_text(encoding="utf-8")


def distributed_source(name: str) -> str:
    """The text of `sql/distributed/<name>.sql`, or where there is none, that of `source`."""
    return source(f"distributed/{name}" if (_FOLDER / "distributed" / f"{name}.sql").exists() else name)


SQL = {
    path.stem: Statement(source(path.stem), distributed=distributed_source(path.stem))
    for path in _FOLDER.glob("*.sql")
}
"""Every statement by the name of its file."""
