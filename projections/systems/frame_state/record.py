"""A pilot's service record: missions, tests, money, points, frames and experimental parts."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.campaign.money.ledger import postings
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entered_events import PilotEntered
from domain.systems.frame_state.tables import Outcome, TestType
from projections.record_fold import When

EVENTS = (
    PilotEntered,
    e.PilotCreated,
    e.PilotAdopted,
    e.FrameCreated,
    e.FrameLost,
    e.FrameReplaced,
    e.SalvageCredited,
    e.PointAllocated,
    e.PointLost,
    e.CategoryAdvanced,
    e.ExperimentalInstalled,
    e.TestResolved,
    e.MissionStarted,
    e.MissionConcluded,
    e.CurrencyAwarded,
    e.CurrencyCharged,
    e.CurrencySpent,
)


class MissionFlown(Struct):
    """A mission. `promised` is null until it is concluded; `paid` and `charged` are its totals so far."""

    mission_id: str
    name: str
    started: When
    concluded: When | None = None
    promised: int | None = None
    paid: int = 0
    charged: int = 0


class FrameServed(Struct):
    """A machine and its fate. `arrived` is when it came into this campaign."""

    frame_id: str
    name: str
    arrived: When
    lost: When | None = None
    cause: str | None = None
    replaced: When | None = None
    replaced_by: str | None = None
    salvaged_for: int = 0


class PartInstalled(Struct, frozen=True):
    """An experimental part; `frame` is null for the pilot's own attributes."""

    attribute: str
    value: int
    frame: str | None
    installed: When
    note: str | None


class PointsGained(Struct):
    """Points of one category: bought by advances for `cost`, placed, and taken back by refits."""

    bought: int = 0
    cost: int = 0
    placed: int = 0
    taken_back: int = 0


class PilotRecord(Struct, frozen=True):
    """The record. `earned` and `spent` are credits by reason, in the words of the ledger.

    `tests` counts outcomes by type of test; `enlisted` is null where the record begins later than the pilot.
    """

    enlisted: When | None
    from_another_campaign: bool
    missions: list[MissionFlown]
    tests: dict[TestType, dict[Outcome, int]]
    aces: int
    earned: dict[str, int]
    spent: dict[str, int]
    points: dict[str, PointsGained]
    frames: list[FrameServed]
    frames_lost: int
    experimental: list[PartInstalled]


class PilotRecordFold:
    """The fold for one pilot."""

    def __init__(self, pilot: str) -> None:
        self._pilot = pilot
        self._enlisted: When | None = None
        self._adopted = False
        self._missions: dict[str, MissionFlown] = {}
        self._tests: dict[TestType, Counter[Outcome]] = {}
        self._aces = 0
        self._earned: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()
        self._points: dict[str, PointsGained] = {}
        self._frames: dict[str, FrameServed] = {}
        self._parts: list[PartInstalled] = []

    def add(self, event: e.Event, when: When) -> None:  # noqa: C901 — one line per kind of event
        """Take an event that concerns the pilot into the record; ignore others."""
        self._add_money(event)
        match event:
            case e.MissionStarted() | e.MissionConcluded():
                self._add_mission(event, when)
            case e.SalvageCredited() if event.frame in self._frames:
                self._frames[event.frame].salvaged_for += event.amount
            case e.PilotCreated() | e.PilotAdopted() if event.pilot_id == self._pilot:
                self._enlisted = when
                self._adopted = isinstance(event, e.PilotAdopted)
                for frame in event.frames if isinstance(event, e.PilotAdopted) else ():
                    self._frames[frame.frame_id] = FrameServed(
                        frame.frame_id, frame.name, when, replaced_by=frame.replaced_by
                    )
            case PilotEntered() if event.pilot.pilot_id == self._pilot and self._enlisted is None:
                self._enlisted = when
                for each in event.frames:
                    self._frames[each.frame_id] = FrameServed(
                        each.frame_id, each.name, when, replaced_by=each.replaced_by
                    )
            case e.TestResolved() if event.pilot == self._pilot:
                self._tests.setdefault(event.test_type, Counter())[event.outcome] += 1
                self._aces += event.ace
            case e.FrameCreated() if event.pilot_id == self._pilot:
                self._frames[event.frame_id] = FrameServed(event.frame_id, event.name, when)
            case e.FrameLost() | e.FrameReplaced() if event.pilot == self._pilot:
                self._add_loss(event, when)
            case e.PointAllocated() | e.PointLost() | e.CategoryAdvanced() if event.pilot == self._pilot:
                self._add_points(event)
            case e.ExperimentalInstalled() if event.pilot == self._pilot:
                part = PartInstalled(event.attribute, event.value, event.frame, when, event.note)
                self._parts.append(part)
            case _:
                pass

    def _add_money(self, event: e.Event) -> None:
        """Count credits that the pilot gained or spent, and a mission's pay and costs."""
        account = f"pilot:{self._pilot}"
        for posting in postings(event):
            if posting.credit == account:
                self._earned[posting.reason] += posting.amount
            if posting.debit == account:
                self._spent[posting.reason] += posting.amount
        if isinstance(event, e.CurrencyAwarded | e.CurrencyCharged) and event.pilot == self._pilot:
            mission = self._missions.get(event.mission_id or "")
            if mission is not None and isinstance(event, e.CurrencyAwarded):
                mission.paid += event.amount
            elif mission is not None:
                mission.charged += event.amount

    def _add_mission(self, event: e.MissionStarted | e.MissionConcluded, when: When) -> None:
        if isinstance(event, e.MissionStarted):
            if self._pilot in event.pilots:
                self._missions[event.mission_id] = MissionFlown(event.mission_id, event.name, when)
            return
        mission = self._missions.get(event.mission_id)
        if mission is not None:
            mission.concluded = when
            mission.promised = event.payouts.get(self._pilot, 0)

    def _add_loss(self, event: e.FrameLost | e.FrameReplaced, when: When) -> None:
        frame = self._frames.get(event.frame if isinstance(event, e.FrameLost) else event.old)
        if frame is None:
            return
        if isinstance(event, e.FrameLost):
            frame.lost, frame.cause = when, event.cause
        else:
            frame.replaced, frame.replaced_by = when, event.new

    def _add_points(self, event: e.PointAllocated | e.PointLost | e.CategoryAdvanced) -> None:
        points = self._points.setdefault(event.category, PointsGained())
        match event:
            case e.PointAllocated():
                points.placed += event.points
            case e.PointLost():
                points.taken_back += event.points
            case e.CategoryAdvanced():
                points.bought += event.points
                points.cost += event.cost

    def view(self, name: Callable[[Any], str]) -> PilotRecord:  # noqa: ARG002 — part of the shape of every record
        """The record so far."""
        return PilotRecord(
            enlisted=self._enlisted,
            from_another_campaign=self._adopted,
            missions=list(self._missions.values()),
            tests={kind: dict(sorted(counts.items())) for kind, counts in sorted(self._tests.items())},
            aces=self._aces,
            earned=dict(sorted(self._earned.items())),
            spent=dict(sorted(self._spent.items())),
            points=dict(sorted(self._points.items())),
            frames=list(self._frames.values()),
            frames_lost=sum(frame.lost is not None for frame in self._frames.values()),
            experimental=self._parts,
        )
