"""A pilot's service record: missions, tests, money, points, frames and experimental parts."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, ClassVar

from msgspec import Struct, structs

from domain.campaign.money.ledger import postings
from domain.systems.frame_state import events as e
from domain.systems.frame_state.entrance_events import PilotEntered
from domain.systems.frame_state.state import Frame
from domain.systems.frame_state.tables import Outcome, TestType
from projections.service_record_fold import Adders, RecordFold, When, of_own, only_posted, present_name


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


class PilotRecordFold(RecordFold):
    """The fold for one pilot."""

    def __init__(self, character: str) -> None:
        super().__init__(character)
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

    def add(self, event: Any, when: When) -> None:
        """Take an event into the record; those of others change nothing."""
        account = f"pilot:{self._character}"
        for posting in postings(event):
            if posting.credit == account:
                self._earned[posting.reason] += posting.amount
            if posting.debit == account:
                self._spent[posting.reason] += posting.amount
        super().add(event, when)

    def _enlist(self, _event: e.PilotCreated, when: When) -> None:
        self._enlisted, self._adopted = when, False

    def _adopt(self, event: e.PilotAdopted, when: When) -> None:
        self._enlisted, self._adopted = when, True
        self._take_frames(event.frames, when)

    def _enter(self, event: PilotEntered, when: When) -> None:
        if self._enlisted is None:
            self._enlisted = when
            self._take_frames(event.frames, when)

    def _take_frames(self, frames: Iterable[Frame], when: When) -> None:
        for frame in frames:
            self._frames[frame.frame_id] = FrameServed(
                frame.frame_id, frame.name, when, replaced_by=frame.replaced_by
            )

    def _start_mission(self, event: e.MissionStarted, when: When) -> None:
        if self._character in event.pilots:
            self._missions[event.mission_id] = MissionFlown(event.mission_id, event.name, when)

    def _conclude_mission(self, event: e.MissionConcluded, when: When) -> None:
        mission = self._missions.get(event.mission_id)
        if mission is not None:
            mission.concluded = when
            mission.promised = event.payouts.get(self._character, 0)

    def _pay(self, event: e.CurrencyAwarded, _when: When) -> None:
        mission = self._missions.get(event.mission_id or "")
        if mission is not None:
            mission.paid += event.amount

    def _charge(self, event: e.CurrencyCharged, _when: When) -> None:
        mission = self._missions.get(event.mission_id or "")
        if mission is not None:
            mission.charged += event.amount

    def _count_test(self, event: e.TestResolved, _when: When) -> None:
        self._tests.setdefault(event.test_type, Counter())[event.outcome] += 1
        self._aces += event.ace

    def _get_frame(self, event: e.FrameCreated, when: When) -> None:
        self._frames[event.frame_id] = FrameServed(event.frame_id, event.name, when)

    def _lose_frame(self, event: e.FrameLost, when: When) -> None:
        if (frame := self._frames.get(event.frame)) is not None:
            frame.lost, frame.cause = when, event.cause

    def _replace_frame(self, event: e.FrameReplaced, when: When) -> None:
        if (frame := self._frames.get(event.old)) is not None:
            frame.replaced, frame.replaced_by = when, event.new

    def _salvage(self, event: e.SalvageCredited, _when: When) -> None:
        if event.frame in self._frames:
            self._frames[event.frame].salvaged_for += event.amount

    def _place_points(self, event: e.PointAllocated, _when: When) -> None:
        self._points.setdefault(event.category, PointsGained()).placed += event.points

    def _lose_points(self, event: e.PointLost, _when: When) -> None:
        self._points.setdefault(event.category, PointsGained()).taken_back += event.points

    def _buy_points(self, event: e.CategoryAdvanced, _when: When) -> None:
        points = self._points.setdefault(event.category, PointsGained())
        points.bought += event.points
        points.cost += event.cost

    def _install(self, event: e.ExperimentalInstalled, when: When) -> None:
        self._parts.append(PartInstalled(event.attribute, event.value, event.frame, when, event.note))

    def view(self, name: Callable[[Any], str]) -> PilotRecord:
        """The record so far."""
        return PilotRecord(
            enlisted=self._enlisted,
            from_another_campaign=self._adopted,
            missions=[
                structs.replace(mission, name=present_name(mission.mission_id, mission.name, name))
                for mission in self._missions.values()
            ],
            tests={kind: dict(sorted(counts.items())) for kind, counts in sorted(self._tests.items())},
            aces=self._aces,
            earned=dict(sorted(self._earned.items())),
            spent=dict(sorted(self._spent.items())),
            points=dict(sorted(self._points.items())),
            frames=[
                structs.replace(frame, name=present_name(frame.frame_id, frame.name, name))
                for frame in self._frames.values()
            ],
            frames_lost=sum(frame.lost is not None for frame in self._frames.values()),
            experimental=self._parts,
        )

    ADDERS: ClassVar[Adders] = {
        e.MissionStarted: _start_mission,
        e.MissionConcluded: _conclude_mission,
        e.SalvageCredited: _salvage,
        **of_own("pilot.pilot_id", {PilotEntered: _enter}),
        **of_own("pilot_id", {e.PilotCreated: _enlist, e.PilotAdopted: _adopt, e.FrameCreated: _get_frame}),
        **of_own(
            "pilot",
            {
                e.TestResolved: _count_test,
                e.FrameLost: _lose_frame,
                e.FrameReplaced: _replace_frame,
                e.PointAllocated: _place_points,
                e.PointLost: _lose_points,
                e.CategoryAdvanced: _buy_points,
                e.ExperimentalInstalled: _install,
                e.CurrencyAwarded: _pay,
                e.CurrencyCharged: _charge,
            },
        ),
        e.CurrencySpent: only_posted,
    }
