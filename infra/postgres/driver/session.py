"""Prepared statements on one connection, run through what psycopg offers below its cursors.

A cursor makes new adapters for the arguments of each statement: the append of one action took twice as long.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import Any, TypeAlias, TypeVar

from psycopg import AsyncConnection, OperationalError, errors
from psycopg.adapt import PyFormat, Transformer
from psycopg.generators import execute
from psycopg.pq import ExecStatus, Format
from psycopg.pq.abc import PGresult

from infra.postgres.driver.binary_arrays import ArrayArguments
from infra.postgres.driver.statements import Statement

_Row = TypeVar("_Row")
Arguments: TypeAlias = Sequence[Any] | ArrayArguments


class Session:
    """A connection with its prepared statements, one per combination of types. For one caller at a time.

    `is_distributed`: campaigns are shared out to shards there, and statements for these are taken.
    """

    def __init__(self, connection: AsyncConnection[Any], *, is_distributed: bool) -> None:
        self.connection = connection
        self.is_distributed = is_distributed
        self._adapting = Transformer(connection)
        self._names: dict[tuple[Statement, tuple[int, ...]], bytes] = {}
        self._numbers = count(1)

    async def execute(
        self, statement: Statement, arguments: Arguments, row: Callable[[Sequence[Any]], _Row]
    ) -> list[_Row]:
        """Run a statement; `row` makes each of its rows. Raises `psycopg.Error`."""
        types, values, formats = self._dumped(arguments)
        name = self._names.get((statement, types)) or await self._prepare(statement, types)
        self.connection.pgconn.send_query_prepared(
            name, values, param_formats=formats, result_format=Format.BINARY
        )
        result = await self._result()
        try:
            self._adapting.set_pgresult(result)
            return self._adapting.load_rows(0, result.ntuples, row)
        finally:
            self._adapting.set_pgresult(None)

    def _dumped(self, arguments: Arguments) -> tuple[Any, Any, Any]:
        if isinstance(arguments, ArrayArguments):
            return arguments.types, arguments.values, [Format.BINARY] * len(arguments.values)
        values = self._adapting.dump_sequence(arguments, [PyFormat.AUTO] * len(arguments))
        return self._adapting.types, values, self._adapting.formats

    async def _prepare(self, statement: Statement, types: tuple[int, ...]) -> bytes:
        # A number is used once only: a cancelled caller does not know whether its statement was prepared.
        name = b"fieldlog_%d" % next(self._numbers)
        text = statement.distributed if self.is_distributed else statement.text
        self.connection.pgconn.send_prepare(name, text, param_types=types)
        await self._result()
        self._names[statement, types] = name
        return name

    async def _result(self) -> PGresult:
        """The server's result. If the caller is cancelled, the server is told to stop.

        There may be several results: a closing connection gives its reason before it ends, and rows come before
        the commit that can still fail.
        """
        results: list[PGresult] = await self.connection.wait(execute(self.connection.pgconn))
        for result in results:
            if result.status == ExecStatus.FATAL_ERROR:
                raise errors.error_from_result(result, encoding="utf-8")
        if len(results) != 1:
            raise OperationalError(f"{len(results)} answers came instead of one")
        return results[0]
