"""What clients asked for, how often they tried, and what they heard."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Literal
from uuid import UUID

import msgspec
from msgspec import Struct, field

from domain.ids import AccountId, CampaignId

AppendResult = Literal["waiting", "accepted", "refused", "away", "hung up", "died", "failed"]

TOLD = ("accepted", "refused")
"""Outcomes by which a client knows what became of its command."""


class Attempt(Struct, eq=False):
    """One request over the wire. Moments are virtual seconds.

    `result` is the answer, or the exception that came instead; `code` that of a refusal. `floor` is the highest
    seq that anybody had been told of in this campaign when it was asked.
    """

    process: str
    asked_at: float
    floor: int
    answered_at: float | None = None
    outcome: AppendResult = "waiting"
    code: str = ""
    result: Any = None

    @property
    def seconds(self) -> float:
        """How long it took."""
        assert self.answered_at is not None
        return self.answered_at - self.asked_at


class Command(Struct, eq=False):
    """What one client wants to happen once, with a key or without.

    `ids` are all that were made while it was being asked: its action has one of them. `answers` says that what
    comes of it is an answer to an action. `line` is the line of commands it was sent in without waiting for its
    predecessors, with its place there. `is_lone`: it is the only one under way in a campaign where little happens.
    """

    number: int
    what: str
    campaign_id: CampaignId
    account: AccountId | None
    how: Callable[[Any], Awaitable[Any]]
    key: str | None = None
    if_match: int | None = None
    answers: bool = True
    line: tuple[int, int] | None = None
    is_lone: bool = False
    ids: list[UUID] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)

    def told(self) -> list[Attempt]:
        """The attempts that were accepted."""
        return [each for each in self.attempts if each.outcome == "accepted"]

    @property
    def is_settled(self) -> bool:
        """Whether the client knows what became of it."""
        return any(each.outcome in TOLD for each in self.attempts)

    def __str__(self) -> str:
        tries = ", ".join(
            f"{each.process} {each.asked_at:.3f} {each.outcome} {each.code}" for each in self.attempts
        )
        return f"#{self.number} {self.what} ({tries})"


COMMAND: ContextVar[Command | None] = ContextVar("COMMAND", default=None)
"""Which command a callback works for, if it is one's own request."""


def id_made(new: UUID) -> None:
    """An id was made: perhaps for the action of a command."""
    command = COMMAND.get()
    if command is not None:
        command.ids.append(new)


class Numbered(Struct):
    """An event of an answer."""

    seq: int


class Told(Struct):
    """What every answer to an action says."""

    action_id: UUID
    seq: int
    head_hash: str
    events: list[Numbered]


def read_answer(answer: bytes) -> Told:
    """An answer's JSON, as far as checks look at it."""
    return msgspec.json.decode(answer, type=Told)
