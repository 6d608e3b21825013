"""The fights of the recorded campaign, command by command, at a table without a service."""

from collections.abc import Iterator
from typing import Any

import msgspec

from domain.dice import TableDice
from domain.rejection import Rejection
from domain.systems.overdrive import OVERDRIVE
from domain.systems.overdrive.settings import Settings
from services.cli.demo.recording import STORIES, Act, read_recording
from tests.domain.overdrive.table import Table
from tests.domain.system_table import person


class Recorded:
    """A table at which the recording is played."""

    def __init__(self) -> None:
        self.recording = read_recording(STORIES / "overdrive.jsonl")
        self.table = Table(Settings(progression="exo_progression"))
        self._bound: dict[str, Any] = {}

    def commands(self) -> Iterator[tuple[str, Any, str | None]]:
        """Who asks, for what, and how it was refused; each is played once the next is wanted."""
        for step in self.recording.steps:
            if not isinstance(step, Act) or not step.command["type"].startswith("overdrive."):
                continue
            if self.recording.title.people[step.who].role == "observer":
                continue
            who = "gm" if step.who == self.recording.title.gm else step.who
            try:
                command = msgspec.convert(self._named(step.command), OVERDRIVE.commands)
            except KeyError:
                return  # it is of somebody who came from elsewhere, long after the last fight
            yield who, command, step.expect.refused
            self._play(step, who, command)

    def _play(self, step: Act, who: str, command: Any) -> None:
        dice = TableDice([*(step.dice or [])])
        try:
            events = OVERDRIVE.decide(self.table.state, self.table.context(who, command), dice)
            dice.finish()
        except Rejection as refused:
            if refused.code != step.expect.refused:
                raise AssertionError(step) from refused
            return
        assert step.expect.refused is None, step.command
        self.table.happened(events)
        answer = {"events": msgspec.to_builtins(events)}
        for symbol, path in step.bind.items():
            self._bound[symbol] = _at(answer, path)

    def _named(self, value: Any) -> Any:
        if isinstance(value, str) and value.startswith("$"):
            who = value[1:]
            return str(person(who)) if who in self.recording.title.people else self._bound[who]
        if isinstance(value, dict):
            return {self._named(key): self._named(inner) for key, inner in value.items()}
        return [self._named(each) for each in value] if isinstance(value, list) else value


def _at(value: Any, path: str) -> Any:
    for part in path.split("."):
        value = value[int(part)] if part.isdigit() else value[part]
    return value
