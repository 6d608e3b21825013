"""A character's service record: rolls, harm, scars, broken gear, machines, and how it ended."""

from collections import Counter
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from domain.systems.freefall import events as e
from domain.systems.freefall.entered_events import CharacterEntered
from domain.systems.freefall.tables import Fate, HarmType, Outcome
from projections.record_fold import When

EVENTS = (
    e.CharacterCreated,
    e.CharacterAdopted,
    CharacterEntered,
    e.ActionRolled,
    e.AttackHit,
    e.ComplicationFlagged,
    e.HarmSuffered,
    e.HarmMadePermanent,
    e.HarmConsequenceWritten,
    e.PermanentHarmRemoved,
    e.GearBroken,
    e.GearRepaired,
    e.GearDiscarded,
    e.MachineBoarded,
    e.MachineHarmSuffered,
    e.MachineBroken,
    e.CharacterOusted,
    e.CharacterFateDecided,
)


class Scar(Struct):
    """A permanent harm, and when a treatment removed it."""

    harm_id: str
    harm_type: HarmType
    since: When
    consequence: str | None = None
    removed: When | None = None


class CharacterRecord(Struct, frozen=True):
    """What a character has been through so far."""

    entered: When | None
    from_another_campaign: bool
    rolls: dict[Outcome, int]
    hits: int
    criticals: int
    natural_ones: int
    levels: dict[HarmType, int]
    scars: list[Scar]
    gear_broken: int
    gear_repaired: int
    gear_discarded: int
    machines: list[str]
    machines_lost: int
    ousted: When | None
    fate: Fate | None


class CharacterRecordFold:
    """The fold: one character's events in, their record out."""

    def __init__(self, character: str) -> None:
        self._character = character
        self._entered: When | None = None
        self._adopted = False
        self._rolls: Counter[Outcome] = Counter()
        self._levels: Counter[HarmType] = Counter()
        self._counts: Counter[str] = Counter()
        self._scars: dict[str, Scar] = {}
        self._machines: dict[str, None] = {}
        self._piloting: dict[str, str] = {}
        self._ousted: When | None = None
        self._fate: Fate | None = None

    def add(self, event: Any, when: When) -> None:
        """Take an event that concerns the character into the record; ignore others."""
        match event:
            case e.MachineBoarded():
                self._piloting[event.machine] = event.character
                if event.character == self._character:
                    self._machines[event.machine] = None
            case e.MachineBroken():
                self._counts["machines_lost"] += self._piloting.get(event.machine) == self._character
            case e.CharacterAdopted() | CharacterEntered():
                sheet = event.sheet if isinstance(event, e.CharacterAdopted) else event.character
                self._enter(sheet.character_id, when, adopted=isinstance(event, e.CharacterAdopted))
            case e.ActionRolled() | e.AttackHit() | e.ComplicationFlagged():
                if event.actor == self._character:
                    self._add_roll(event)
            case e.MachineHarmSuffered():
                pass  # harm to the machine; the pilot's share is an event of its own
            case _ if event.character == self._character:
                self._add_own(event, when)
            case _:
                pass

    def _enter(self, character: str, when: When, *, adopted: bool) -> None:
        """Begin the record, unless an earlier event of the character began it."""
        if character == self._character and self._entered is None:
            self._entered, self._adopted = when, adopted

    def _add_roll(self, event: e.ActionRolled | e.AttackHit | e.ComplicationFlagged) -> None:
        match event:
            case e.ActionRolled():
                self._rolls[event.outcome] += 1
            case e.AttackHit():
                self._counts["hits"] += 1
                self._counts["criticals"] += event.critical
            case e.ComplicationFlagged():
                self._counts["natural_ones"] += event.ones

    def _add_own(self, event: Any, when: When) -> None:
        match event:
            case e.CharacterCreated():
                self._enter(event.character, when, adopted=False)
            case e.HarmSuffered():
                self._levels[event.harm_type] += event.levels
            case e.HarmMadePermanent():
                self._scars[event.harm_id] = Scar(event.harm_id, event.harm_type, when)
            case e.HarmConsequenceWritten() if event.harm_id in self._scars:
                self._scars[event.harm_id].consequence = event.consequence
            case e.PermanentHarmRemoved() if event.harm_id in self._scars:
                self._scars[event.harm_id].removed = when
            case e.CharacterOusted():
                self._ousted = when
            case e.CharacterFateDecided():
                self._fate = event.fate
            case _:
                self._counts[str(event.__struct_config__.tag).partition(".")[2]] += 1

    def view(self, name: Callable[[Any], str]) -> CharacterRecord:
        """The record so far."""
        return CharacterRecord(
            entered=self._entered,
            from_another_campaign=self._adopted,
            rolls=dict(sorted(self._rolls.items())),
            hits=self._counts["hits"],
            criticals=self._counts["criticals"],
            natural_ones=self._counts["natural_ones"],
            levels=dict(sorted(self._levels.items())),
            scars=list(self._scars.values()),
            gear_broken=self._counts["gear_broken"],
            gear_repaired=self._counts["gear_repaired"],
            gear_discarded=self._counts["gear_discarded"],
            machines=[name(machine) for machine in self._machines],
            machines_lost=self._counts["machines_lost"],
            ousted=self._ousted,
            fate=self._fate,
        )
