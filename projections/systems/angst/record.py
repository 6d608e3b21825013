"""A character's service record: tests, Angst, wounds and recoveries, points, and how hearts changed."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from domain.campaign.money.ledger import postings
from domain.systems.angst import events as e
from domain.systems.angst.tables import CoreName, Kind
from projections.record_fold import When

EVENTS = (
    e.CharacterCreated,
    e.CharacterAdopted,
    e.CharacterEntered,
    e.RelationshipGradeChanged,
    e.LifeExperienceRefreshed,
    e.StoryPointsSpent,
    e.StoryPointEarned,
    e.AngstTapped,
    e.TestResolved,
    e.OpposedTestResolved,
    e.LifeExperienceSpent,
    e.CoreReduced,
    e.CoreRecovered,
    e.CharacterRemovedFromScene,
    e.CharacterDied,
    e.CharacterSpared,
    e.AngstGained,
    e.AngstPurged,
    e.ComfortUsed,
    e.MilestoneReached,
    e.PositiveEventRecorded,
)

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


class CharacterRecordFold:
    """The fold for one character."""

    def __init__(self, character: str) -> None:
        self._character = character
        self._created: When | None = None
        self._adopted = False
        self._died: When | None = None
        self._counts: Counter[str] = Counter()
        self._tests: dict[CoreName, TestsMade] = {}
        self._angst: dict[str, AngstSeen] = {}
        self._comforts: Counter[str] = Counter()
        self._wounds: list[Wound] = []
        self._earned: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()
        self._relationships: list[Change] = []
        self._landmarks: list[Landmark] = []

    def add(self, event: e.Event, when: When) -> None:
        """Take an event that concerns the character into the record; ignore others."""
        match event:
            case e.MilestoneReached():
                if self._character in event.characters:
                    self._landmarks.append(Landmark("milestone", event.text, when))
            case e.OpposedTestResolved():
                self._add_opposed(event)
            case e.CharacterEntered():
                if event.sheet.character_id == self._character and self._created is None:
                    self._created = when
            case _ if getattr(event, "character", None) == self._character:
                self._add_points(event)
                self._add_body(event, when)
                self._add_heart(event, when)
            case _:
                pass
        for kept in (self._wounds, self._relationships, self._landmarks):
            del kept[:-KEPT_MAX]

    def _add_points(self, event: e.Event) -> None:
        """Count points that the character gained or spent."""
        account = f"character:{self._character}"
        for posting in postings(event):
            side = self._earned if posting.credit == account else self._spent
            side[f"{posting.currency}:{posting.reason}"] += posting.amount
        if isinstance(event, e.LifeExperienceSpent):
            self._spent["life_experience:test"] += event.amount

    def _add_opposed(self, event: e.OpposedTestResolved) -> None:
        for side, who in (("acting", event.acting_character), ("opposing", event.opposing_character)):
            if who == self._character:
                self._counts["opposed_won" if event.winner == side else "opposed_lost"] += 1

    def _add_body(self, event: e.Event, when: When) -> None:
        """Count tests, and what they cost."""
        match event:
            case e.CharacterCreated() | e.CharacterAdopted():
                self._created, self._adopted = when, isinstance(event, e.CharacterAdopted)
            case e.TestResolved() if event.success is not None:
                tests = self._tests.setdefault(event.core, TestsMade())
                tests.succeeded += event.success
                tests.failed += not event.success
            case e.CoreReduced():
                self._wounds.append(Wound(event.core, event.steps, event.kind, when))
            case e.CoreRecovered():
                self._counts["recovered"] += event.steps
            case e.CharacterRemovedFromScene():
                self._counts["removed"] += 1
            case e.CharacterSpared():
                self._counts["spared"] += 1
            case e.CharacterDied():
                self._died = when
            case _:
                pass

    def _add_heart(self, event: e.Event, when: When) -> None:
        """Count Angst, comforts and changed relationships."""
        match event:
            case e.AngstGained() | e.AngstPurged() | e.AngstTapped():
                seen = self._angst.setdefault(event.angst, AngstSeen())
                if isinstance(event, e.AngstGained):
                    seen.gained += event.amount
                elif isinstance(event, e.AngstPurged):
                    seen.purged += event.amount
                else:
                    seen.tapped += 1
            case e.ComfortUsed():
                self._comforts[event.comfort] += 1
            case e.RelationshipGradeChanged():
                change = Change(event.target, event.from_, event.grade, when, event.why)
                self._relationships.append(change)
            case e.PositiveEventRecorded():
                self._landmarks.append(Landmark("positive_event", event.text, when))
            case _:
                pass

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
            wounds=self._wounds,
            steps_recovered=self._counts["recovered"],
            earned=dict(sorted(self._earned.items())),
            spent=dict(sorted(self._spent.items())),
            relationships=self._relationships,
            landmarks=self._landmarks,
        )
