"""Where the time of a durable roll over HTTP goes: timers around the steps, in the server's own process.

`python -m tests.bench.where_time_goes` is `fieldlog serve` with the timers put in; it writes what they counted to
the file named by FIELDLOG_BENCH_OUTPUT when it is stopped. A step's time is processor time, and its own: what
it calls is taken off where that is timed too, and of a coroutine only the moments count in which it runs.
"""

import asyncio
import atexit
import functools
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Generator
from pathlib import Path
from typing import Any
from uuid import uuid4

from rich.console import Console
from rich.table import Table

from domain.campaign import aggregate
from domain.campaign.storage import event_codec
from domain.ids import CampaignId
from domain.systems.frame_state.commands import RollTest
from infra.postgres import event_store
from infra.postgres.driver.connection import Connection
from services.campaign.loaded_campaign import LoadedCampaign
from services.cli.serve import serve
from services.commands import batch_decider, group_commit
from services.http.api import fast_action_route
from tests.bench.campaigns import CALL, ROLL, a_script, write
from tests.bench.load import burst
from tests.bench.over_http import acting, shared_out, sign_up
from tests.bench.serving import serving
from tests.bench.stage import Stage

PROFILED = ["tests.bench.where_time_goes"]
OUTPUT = "FIELDLOG_BENCH_OUTPUT"

PSYCOPG = "psycopg: send, receive, parse"

# (step, where the function lives, its name)
STEPS: list[tuple[str, Any, str]] = [
    ("the route: headers, body, response", fast_action_route.FastActionRoute, "__call__"),
    ("token to account", fast_action_route, "principal_behind"),
    ("request to command", fast_action_route, "submit"),
    ("commit: groups, publishing, telling", group_commit.GroupCommit, "_commit"),
    ("decide: permission, drafts", batch_decider, "decide_command"),
    ("the rules", aggregate, "decide"),
    ("seal: JSON and chain", event_codec, "seal"),
    ("fold into memory", LoadedCampaign, "advance"),
    ("answer: views, words", batch_decider, "draft_response"),
    ("lay out the statement", event_store, "append_of"),
    (PSYCOPG, Connection, "execute"),
]
REST = "uvicorn, HTTP parsing, event loop"


class Timers:
    """Own time and calls of each step."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.calls: dict[str, int] = {}
        self.waited: dict[str, float] = {}
        self._inner: list[float] = []

    def enter(self) -> float:
        """A step begins, or goes on."""
        self._inner.append(0.0)
        return time.thread_time()

    def leave(self, step: str, began: float) -> None:
        """It ends, or waits."""
        took = time.thread_time() - began
        inner = self._inner.pop()
        self.seconds[step] = self.seconds.get(step, 0.0) + took - inner
        if self._inner:
            self._inner[-1] += took

    def wait(self, step: str, seconds: float) -> None:
        """A coroutine went on after so long."""
        self.waited[step] = self.waited.get(step, 0.0) + seconds

    def wrapped(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, timed."""
        if asyncio.iscoroutinefunction(function):

            @functools.wraps(function)
            async def timed_coroutine(*arguments: Any, **named: Any) -> Any:
                self.calls[step] = self.calls.get(step, 0) + 1
                return await _Stepped(self, step, function(*arguments, **named))

            return timed_coroutine

        @functools.wraps(function)
        def timed(*arguments: Any, **named: Any) -> Any:
            self.calls[step] = self.calls.get(step, 0) + 1
            began = self.enter()
            try:
                return function(*arguments, **named)
            finally:
                self.leave(step, began)

        return timed

    def put_in(self) -> None:
        """Replace every step's function by a timed one."""
        for step, place, name in STEPS:
            setattr(place, name, self.wrapped(step, getattr(place, name)))

    def clear(self) -> None:
        """Forget what was counted so far."""
        self.seconds.clear()
        self.calls.clear()
        self.waited.clear()


class _Stepped:
    """Awaits a coroutine and times each of its steps."""

    def __init__(self, timers: Timers, step: str, inner: Coroutine[Any, Any, Any]) -> None:
        self._timers = timers
        self._step = step
        self._inner = inner

    def __await__(self) -> Generator[Any, Any, Any]:
        value: Any = None
        failure: BaseException | None = None
        while True:
            began = self._timers.enter()
            try:
                waits_for = self._inner.send(value) if failure is None else self._inner.throw(failure)
            except StopIteration as done:
                return done.value
            finally:
                self._timers.leave(self._step, began)
            waits_since = time.perf_counter()
            try:
                value, failure = (yield waits_for), None
            except BaseException as thrown:  # noqa: BLE001 - it belongs to the coroutine inside
                failure = thrown
            self._timers.wait(self._step, time.perf_counter() - waits_since)


async def profile_rolls(stage: Stage, console: Console) -> None:
    """The same load as the row over HTTP, and a table of where the server's time went."""
    with tempfile.TemporaryDirectory() as folder, stage.database() as urls:
        output = Path(folder) / "timers.json"
        with serving(urls, PROFILED, **{OUTPUT: str(output)}) as port:
            gm, player = await sign_up(port, "Ana"), await sign_up(port, "Mara")
            script = a_script(gm.account, player.account, stretches=1)
            campaigns = [CampaignId(uuid4()) for _ in range(stage.scale.requests)]
            await write(urls, script, dict.fromkeys(campaigns))
            calls = shared_out([acting(each, CALL, gm) for each in campaigns])
            rolls = shared_out([acting(each, ROLL, player) for each in campaigns])
            for _ in range(stage.scale.rounds):
                await burst(port, calls)
                await burst(port, rolls)
        counted = json.loads(output.read_text("utf-8"))
    _show(console, counted)


def _show(console: Console, counted: dict[str, Any]) -> None:
    """Microseconds per action, of calls and rolls alike."""
    actions = counted["calls"]["request to command"]
    steps = {step: counted["seconds"].get(step, 0.0) for step, _, _ in STEPS}
    steps[REST] = counted["cpu"] - sum(steps.values())
    table = Table(title="Where the server's processor time goes, per durable action over HTTP")
    table.add_column("step")
    table.add_column("µs", justify="right")
    table.add_column("share", justify="right")
    for step, seconds in sorted(steps.items(), key=lambda each: -each[1]):
        table.add_row(step, f"{1e6 * seconds / actions:.1f}", f"{seconds / counted['cpu']:.0%}")
    table.add_row("all of it", f"{1e6 * counted['cpu'] / actions:.1f}", "100%")
    console.print(table)
    groups = counted["calls"]["lay out the statement"]
    waited = 1e3 * counted["waited"][PSYCOPG] / counted["calls"][PSYCOPG]
    console.print(
        f"{actions} actions in {groups} commits, {actions / groups:.1f} in each; "
        f"a statement was waited for {waited:.2f} ms."
    )


def _serve_with_timers() -> int:
    timers = Timers()
    timers.put_in()
    cpu_at_first: list[float] = []
    timed_act = fast_action_route.submit  # type: ignore[attr-defined]

    async def first_roll(*arguments: Any, **named: Any) -> Any:
        # What came before is start-up, sign-up, and the first call in each campaign, which begins its dice epoch.
        if not cpu_at_first and isinstance(arguments[3].command, RollTest):
            timers.clear()
            cpu_at_first.append(time.thread_time())
        return await timed_act(*arguments, **named)

    fast_action_route.submit = first_roll  # type: ignore[attr-defined]

    def write_down() -> None:
        counted = {
            "seconds": timers.seconds,
            "calls": timers.calls,
            "waited": timers.waited,
            "cpu": time.thread_time() - (cpu_at_first or [0.0])[0],
        }
        Path(os.environ[OUTPUT]).write_text(json.dumps(counted), "utf-8")

    atexit.register(write_down)
    return serve()


if __name__ == "__main__":
    sys.exit(_serve_with_timers())
