"""Whatever the database's owner changes in a log is found, and named by its first bad seq (invariants 7 and 8)."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import sql

from domain.hash_chain import GENESIS, event_hash, private_hash
from tests.changeable_events import let_events_be_changed
from tests.engines import PostgresServer
from tests.services.conftest import Table, table_at
from tests.services.live_api import api
from tests.services.transfers import played_at

PRIVATE = ("salt", "kind", "kind_version", "actor", "cause", "game_time", "command", "body", "action_id")


@pytest.fixture(scope="module")
def campaign(postgres_server: PostgresServer) -> Iterator[tuple[Table, psycopg.Connection]]:
    """A campaign that was played, and somebody who may do anything with its database."""
    urls = postgres_server.new_database()
    with api(urls.service) as running, psycopg.connect(urls.owner) as connection:
        let_events_be_changed(connection)
        connection.commit()
        yield played_at(table_at(running.client)), connection
    postgres_server.drop_database(urls)


@pytest.fixture
def played(campaign: tuple[Table, psycopg.Connection]) -> Table:
    return campaign[0]


@pytest.fixture
def owner(campaign: tuple[Table, psycopg.Connection]) -> Iterator[psycopg.Connection]:
    """The owner of the database, in which everything is as it was played, and is put back afterwards."""
    table, connection = campaign
    assert verified(table) == (True, None), "the control: nothing was changed"
    rows = rows_of(connection, "events")
    yield connection
    put(connection, "events", rows)


def verified(table: Table) -> tuple[bool, int | None]:
    found = table.gm.get(f"{table.path}/verify").json()
    return found["sound"], found["bad_seq"]


def rows_of(owner: psycopg.Connection, table: str) -> list[dict[str, Any]]:
    cursor = owner.cursor(row_factory=psycopg.rows.dict_row)
    return cursor.execute(sql.SQL("SELECT * FROM {} ORDER BY seq").format(sql.Identifier(table))).fetchall()


def put(owner: psycopg.Connection, table: str, rows: list[dict[str, Any]]) -> None:
    """Make these the rows of a table."""
    there = rows_of(owner, table)
    remove = sql.SQL("DELETE FROM {} WHERE seq = %s").format(sql.Identifier(table))
    for row in [each for each in there if each not in rows]:
        owner.execute(remove, [row["seq"]])
    for row in [each for each in rows if each not in there]:
        names = sql.SQL(", ").join(map(sql.Identifier, row))
        values = sql.SQL(", ").join([sql.Placeholder()] * len(row))
        order = sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(sql.Identifier(table), names, values)
        owner.execute(order, list(row.values()))
    owner.commit()


def altered(value: Any) -> Any:
    """The same kind of thing, but another one."""
    match value:
        case None:
            return None
        case int():
            return value + 1
        case bytes():
            return value[:-1] + bytes([value[-1] ^ 1])
        case UUID():
            return uuid4()
        case _:
            return f"{value}x"


@pytest.mark.parametrize("name", ["events", "personal_text"])
def test_every_changed_column_of_every_row_is_found_and_the_first_bad_seq_named(played, owner, name):
    rows = rows_of(owner, name)
    assert rows
    missed = []
    for place, row in enumerate(rows):
        for column, value in row.items():
            changed = {**row, column: b"{}" if column == "command" and value is None else altered(value)}
            if changed == row or (column == "seq" and place + 1 < len(rows)):
                continue  # nobody acted; and a row has one place: the next test swaps them
            put(owner, name, [*rows[:place], changed, *rows[place + 1 :]])
            if (found := verified(played)) != (False, row["seq"]):
                missed.append((row["seq"], column, found))
    # A text that is not there is a text that was erased, which is no tampering.
    erased = [(row["seq"], "campaign_id") for row in rows] + [(rows[-1]["seq"], "seq")]
    expected = [] if name == "events" else erased
    assert sorted((seq, column) for seq, column, _ in missed) == sorted(expected), missed
    put(owner, name, rows)
    assert verified(played) == (True, None)


def without(rows: list[Any], at: int) -> list[Any]:
    return [*rows[:at], *rows[at + 1 :]]


def closed_up(rows: list[Any], at: int) -> list[Any]:
    return [*rows[:at], *({**row, "seq": row["seq"] - 1} for row in rows[at + 1 :])]


def inserted(rows: list[Any], at: int) -> list[Any]:
    return [*rows[: at + 1], *({**row, "seq": row["seq"] + 1} for row in rows[at:])]


def swapped(rows: list[Any], at: int) -> list[Any]:
    one, other = rows[at], rows[(at + 1) % len(rows)]
    done = [*rows]
    done[at], done[(at + 1) % len(rows)] = {**other, "seq": one["seq"]}, {**one, "seq": other["seq"]}
    return done


def truncated(rows: list[Any], at: int) -> list[Any]:
    return rows[:at]


def regrouped(rows: list[Any], at: int) -> list[Any]:
    """An event that belongs to another action than it did."""
    return [*rows[:at], {**rows[at], "action_id": rows[at - 1]["action_id"]}, *rows[at + 1 :]]


def rechained(rows: list[Any], at: int) -> list[Any]:
    """A change, and every hash from there on computed anew by somebody who knows how."""
    return linked([*rows[:at], {**rows[at], "game_time": rows[at]["game_time"] + 1}, *rows[at + 1 :]])


def linked(rows: list[Any]) -> list[Any]:
    previous, done = GENESIS, []
    for row in rows:
        private = private_hash(*(row[name] for name in PRIVATE))
        previous = event_hash(
            row["campaign_id"], row["seq"], previous, row["recorded_at"], row["visibility"], private
        )
        done.append({**row, "hash": previous})
    return done


TAMPERING: list[tuple[Callable[[list[Any], int], list[Any]], int]] = [
    (without, 0),
    (closed_up, 0),
    (inserted, 1),
    (swapped, 0),
    (truncated, 0),
    (regrouped, 0),
]
"""How, and how many places behind the first that was touched the first bad one is."""


@pytest.mark.parametrize(("tamper", "behind"), TAMPERING, ids=[each.__name__ for each, _ in TAMPERING])
def test_events_that_were_deleted_inserted_swapped_cut_off_or_regrouped_are_found(played, owner, tamper, behind):
    rows = rows_of(owner, "events")
    for at in range(len(rows)):
        changed = tamper(rows, at)
        if changed == rows:
            continue  # the second event of an action belongs where it did
        put(owner, "events", changed)
        first = min(at, (at + 1) % len(rows)) if tamper is swapped else at + behind
        assert verified(played) == (False, first + 1), at


def test_a_chain_computed_anew_is_found_by_its_head_and_by_nothing_in_the_log_once_that_is_changed_too(
    played, owner
):
    """Only a signed checkpoint that somebody kept, or the service's own note of the head, tells then."""
    rows = rows_of(owner, "events")
    assert linked(rows) == rows, "the control: hashes are computed as the service does"
    kept = played.gm.get(f"{played.path}/checkpoint").json()
    for at in range(len(rows)):
        changed = rechained(rows, at)
        put(owner, "events", changed)
        assert verified(played) == (False, len(rows)), "the head is another one"
        owner.execute("UPDATE campaign_heads SET hash = %s", [changed[-1]["hash"]])
        owner.commit()
        assert verified(played) == (True, None)
        assert changed[-1]["hash"].hex() != kept["hash"]
        owner.execute("UPDATE campaign_heads SET hash = %s", [rows[-1]["hash"]])
        owner.commit()
