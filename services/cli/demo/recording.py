"""Recorded campaigns: whole stories as lines of JSON, to be played over HTTP again.

A recording is `services/cli/demo/stories/<name>.jsonl`. Its first line says what is played and by whom; every
other line is a step, told apart by the key that it begins with:

    {"chapter": "Session 1: …"}                         a heading
    {"tell": "…"}                                       a line of the story
    {"who": "jonas", "command": {"type": …}, …}         a person acts, with what should come of it
    {"undo": "$shot", "who": "ana", …}                  a person undoes an action, or reads the preview
    {"redo": "$shot", "who": "ana"}                     and redoes it
    {"copy": "$shot", "who": "ana"}                     undoes the same in a copy of the campaign
    {"sides": ["ana", "jonas"]}                         what each of them reads of it so far, side by side
    {"wait_until": {"$mara": 470}}                      a worker has paid: sheets show this currency
    {"money": {"$mara": 70}, "payouts": {"$mara": 400}} the currency, without or with what workers pay

Ids are not known before a story is played, so commands name them: `$jonas` is the account of one of the
`people`, and `"bind": {"mara": "events.0.pilot_id"}` calls what the answer holds at that path `$mara` from
there on. `dice` are table dice, so that a recording always ends the same way.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

STORIES = Path(__file__).parent / "stories"
SHORT = STORIES / "short"


class Person(Struct, frozen=True, forbid_unknown_fields=True):
    """A person at the table. The one GM creates the campaign, all others are invited."""

    name: str
    role: Literal["gm", "player", "observer"] = "player"


class Title(Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: the games, their settings and the players."""

    title: str
    blurb: str
    systems: list[str]
    people: dict[str, Person]
    settings: dict[str, Any] = {}

    @property
    def gm(self) -> str:
        """The person who creates the campaign."""
        return next(who for who, person in self.people.items() if person.role == "gm")


class Chapter(Struct, frozen=True, forbid_unknown_fields=True):
    """A heading."""

    chapter: str


class Telling(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the story."""

    tell: str


class Expect(Struct, frozen=True, forbid_unknown_fields=True):
    """The outcome that a command should give: the `outcome` of its test, or the code it is `refused` with."""

    outcome: str | None = None
    refused: str | None = None


class Act(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person's command, with the request's own fields."""

    who: str
    command: dict[str, Any]
    dice: list[tuple[int, int]] | None = None
    note: str | None = None
    visibility: str | None = None
    bind: dict[str, str] = {}
    expect: Expect = Expect()


class Undoing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A person's undo or redo of an action; with `dry_run` they only read the preview."""

    who: str
    undo: str | None = None
    redo: str | None = None
    cascade: bool = False
    dry_run: bool = False
    reason: str | None = None
    expect: Expect = Expect()

    @property
    def what(self) -> str:
        """The last part of the path that it is sent to."""
        return "undo" if self.redo is None else "redo"


class Copying(Struct, frozen=True, forbid_unknown_fields=True):
    """A person imports the campaign as it was before an action's last undo, and undoes the action there, too."""

    who: str
    copy: str


class Sides(Struct, frozen=True, forbid_unknown_fields=True):
    """These people read what happened since they last read."""

    sides: list[str]


class Wait(Struct, frozen=True, forbid_unknown_fields=True):
    """Sheets show this currency once a worker has posted payouts; without a worker the demo does not wait."""

    wait_until: dict[str, int]


class Money(Struct, frozen=True, forbid_unknown_fields=True):
    """The currency on the sheets, to which a worker may have added all of these payouts."""

    money: dict[str, int]
    payouts: dict[str, int]


Line = TypeVar("Line", bound=Struct)
Step = Chapter | Telling | Act | Undoing | Copying | Sides | Wait | Money
STEPS: dict[str, type[Step]] = {
    "chapter": Chapter,
    "tell": Telling,
    "who": Act,
    "undo": Undoing,
    "redo": Undoing,
    "copy": Copying,
    "sides": Sides,
    "wait_until": Wait,
    "money": Money,
}


class Recording(Struct, frozen=True):
    """A whole recorded campaign."""

    title: Title
    steps: list[Step]

    @property
    def commands(self) -> int:
        """How many commands it sends."""
        return sum(isinstance(step, Act | Undoing) for step in self.steps)


def recorded_names() -> list[str]:
    """The whole campaigns that are recorded."""
    return sorted(path.stem for path in STORIES.glob("*.jsonl"))


def short_names() -> list[str]:
    """The recordings that show one feature and are no whole campaigns."""
    return sorted(path.stem for path in SHORT.glob("*.jsonl"))


def recording_of(name: str) -> Recording:
    """A recording of either kind, by its name."""
    return read_recording((SHORT if name in short_names() else STORIES) / f"{name}.jsonl")


def read_recording(path: Path) -> Recording:
    """Read a recording. Raises ValueError, naming the line, for one that cannot be played."""
    lines = list(_lines(path))
    if not lines:
        raise ValueError(f"{path.name} is empty.")
    return Recording(
        title=_parse(path, *lines[0], Title),
        steps=[_parse(path, number, line, _kind(path, number, line)) for number, line in lines[1:]],
    )


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    with path.open(encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            if text.strip():
                yield number, msgspec.json.decode(text, type=dict[str, Any])


def _kind(path: Path, number: int, line: dict[str, Any]) -> type[Step]:
    first = next(iter(line), "")
    if first not in STEPS:
        raise ValueError(f"{path.name}, line {number}: a step does not begin with {first!r}.")
    return STEPS[first]


def _parse(path: Path, number: int, line: dict[str, Any], kind: type[Line]) -> Line:
    try:
        return msgspec.convert(line, kind)
    except msgspec.ValidationError as problem:
        raise ValueError(f"{path.name}, line {number}: {problem}") from None
