"""A character's service record: tests, Angst, wounds and recoveries, points, and how hearts changed."""

from collections import Counter, deque
from collections.abc import Callable
from typing import Any, ClassVar, Literal

from msgspec import Struct

from domain.campaign.money.ledger import postings
from domain.systems.angst import events as e
from domain.systems.angst.tables import CoreName, Kind
from projections.service_record_fold import Adders, RecordFold, When, of_own, only_posted

KEPT_MAX = 500
"""How many wounds, changes of heart and milestones are kept of each, the last ones."""


class TestsMade(Struct):
    """Tests of one Core. Opposed tests count as won or lost once they are compared."""

    succeeded: int = 0
    failed: int = 0


class AngstSeen(Struct):
    """The gains and losses of one type of Angst."""

    gained: int = 0
    purged: int = 0
    tapped: int = 0


class Wound(Struct, frozen=True):
    """Steps of a Core lost at once."""

    core: CoreName
    steps: int
    kind: Kind
    when: When


class Change(Struct, frozen=True):
    """A Relationship that changed into another."""

    target: str
    before: str | None
    grade: str
    when: When
    why: str | None


class Landmark(Struct, frozen=True):
    """A Milestone, or another very good event."""

    what: Literal["milestone", "positive_event"]
    text: str | None
    when: When


class CharacterRecord(Struct, frozen=True):
    """The record. `earned` and `spent` are points by currency and reason, in the words of the ledger."""

    created: When | None
    from_another_campaign: bool
    died: When | None
    spared: int
    removed_from_scenes: int
    tests: dict[CoreName, TestsMade]
    opposed_won: int
    opposed_lost: int
    angst: dict[str, AngstSeen]
    comforts: dict[str, int]
    wounds: list[Wound]
    steps_recovered: int
    earned: dict[str, int]
    spent: dict[str, int]
    relationships: list[Change]
    landmarks: list[Landmark]


class CharacterRecordFold(RecordFold):
    """The fold for one character."""

    def __init__(self, character: str) -> None:
        super().__init__(character)
        self._created: When | None = None
        self._adopted = False
        self._died: When | None = None
        self._counts: Counter[str] = Counter()
        self._tests: dict[CoreName, TestsMade] = {}
        self._angst: dict[str, AngstSeen] = {}
        self._comforts: Counter[str] = Counter()
        self._wounds: deque[Wound] = deque(maxlen=KEPT_MAX)
        self._earned: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()
        self._relationships: deque[Change] = deque(maxlen=KEPT_MAX)
        self._landmarks: deque[Landmark] = deque(maxlen=KEPT_MAX)

    def add(self, event: Any, when: When) -> None:
        """Take an event into the record; those of others change nothing."""
        if getattr(event, "character", None) == self._character:
            self._post(event)
        super().add(event, when)

    def _post(self, event: e.Event) -> None:
        """Count points that the character gained or spent."""
        account = f"character:{self._character}"
        for posting in postings(event):
            side = self._earned if posting.credit == account else self._spent
            side[f"{posting.currency}:{posting.reason}"] += posting.amount

    def _begin(self, event: e.CharacterCreated | e.CharacterAdopted, when: When) -> None:
        self._created, self._adopted = when, isinstance(event, e.CharacterAdopted)

    def _enter(self, _event: e.CharacterEntered, when: When) -> None:
        self._created = self._created or when

    def _count_test(self, event: e.TestResolved, _when: When) -> None:
        if event.success is not None:
            tests = self._tests.setdefault(event.core, TestsMade())
            tests.succeeded += event.success
            tests.failed += not event.success

    def _compare(self, event: e.OpposedTestResolved, _when: When) -> None:
        for side, who in (("acting", event.acting_character), ("opposing", event.opposing_character)):
            if who == self._character:
                self._counts["opposed_won" if event.winner == side else "opposed_lost"] += 1

    def _spend_experience(self, event: e.LifeExperienceSpent, _when: When) -> None:
        self._spent["life_experience:test"] += event.amount

    def _wound(self, event: e.CoreReduced, when: When) -> None:
        self._wounds.append(Wound(event.core, event.steps, event.kind, when))

    def _recover(self, event: e.CoreRecovered, _when: When) -> None:
        self._counts["recovered"] += event.steps

    def _leave_scene(self, _event: e.CharacterRemovedFromScene, _when: When) -> None:
        self._counts["removed"] += 1

    def _be_spared(self, _event: e.CharacterSpared, _when: When) -> None:
        self._counts["spared"] += 1

    def _die(self, _event: e.CharacterDied, when: When) -> None:
        self._died = when

    def _gain_angst(self, event: e.AngstGained, _when: When) -> None:
        self._angst.setdefault(event.angst, AngstSeen()).gained += event.amount

    def _purge_angst(self, event: e.AngstPurged, _when: When) -> None:
        self._angst.setdefault(event.angst, AngstSeen()).purged += event.amount

    def _tap_angst(self, event: e.AngstTapped, _when: When) -> None:
        self._angst.setdefault(event.angst, AngstSeen()).tapped += 1

    def _comfort(self, event: e.ComfortUsed, _when: When) -> None:
        self._comforts[event.comfort] += 1

    def _change_heart(self, event: e.RelationshipGradeChanged, when: When) -> None:
        self._relationships.append(Change(event.target, event.from_, event.grade, when, event.why))

    def _mark_event(self, event: e.PositiveEventRecorded, when: When) -> None:
        self._landmarks.append(Landmark("positive_event", event.text, when))

    def _mark_milestone(self, event: e.MilestoneReached, when: When) -> None:
        if self._character in event.characters:
            self._landmarks.append(Landmark("milestone", event.text, when))

    def view(self, name: Callable[[Any], str]) -> CharacterRecord:  # noqa: ARG002 — the shape of every record
        """The record so far."""
        return CharacterRecord(
            created=self._created,
            from_another_campaign=self._adopted,
            died=self._died,
            spared=self._counts["spared"],
            removed_from_scenes=self._counts["removed"],
            tests=dict(sorted(self._tests.items())),
            opposed_won=self._counts["opposed_won"],
            opposed_lost=self._counts["opposed_lost"],
            angst=dict(sorted(self._angst.items())),
            comforts=dict(sorted(self._comforts.items())),
            wounds=[*self._wounds],
            steps_recovered=self._counts["recovered"],
            earned=dict(sorted(self._earned.items())),
            spent=dict(sorted(self._spent.items())),
            relationships=[*self._relationships],
            landmarks=[*self._landmarks],
        )

    ADDERS: ClassVar[Adders] = {
        e.MilestoneReached: _mark_milestone,
        e.OpposedTestResolved: _compare,
        **of_own("sheet.character_id", {e.CharacterEntered: _enter}),
        **of_own(
            "character",
            {
                e.CharacterCreated: _begin,
                e.CharacterAdopted: _begin,
                e.TestResolved: _count_test,
                e.CoreReduced: _wound,
                e.CoreRecovered: _recover,
                e.CharacterRemovedFromScene: _leave_scene,
                e.CharacterSpared: _be_spared,
                e.CharacterDied: _die,
                e.AngstGained: _gain_angst,
                e.AngstPurged: _purge_angst,
                e.AngstTapped: _tap_angst,
                e.ComfortUsed: _comfort,
                e.RelationshipGradeChanged: _change_heart,
                e.PositiveEventRecorded: _mark_event,
                e.LifeExperienceSpent: _spend_experience,
            },
        ),
        **dict.fromkeys((e.StoryPointsSpent, e.StoryPointEarned), only_posted),
    }
