"""A character's service record: rolls, harm, scars, broken gear, machines, and how it ended."""

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

from msgspec import Struct

from domain.systems.freefall import events as e
from domain.systems.freefall.entrance_events import CharacterEntered
from domain.systems.freefall.tables import Fate, HarmType, Outcome
from projections.service_record_fold import Adders, RecordFold, When, of_own


class Scar(Struct):
    """A permanent harm, and when a treatment removed it."""

    harm_id: str
    harm_type: HarmType
    since: When
    consequence: str | None = None
    removed: When | None = None


class CharacterRecord(Struct, frozen=True):
    """A character's history so far."""

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


class CharacterRecordFold(RecordFold):
    """The fold: one character's events in, their record out."""

    def __init__(self, character: str) -> None:
        super().__init__(character)
        self._entered: When | None = None
        self._adopted = False
        self._rolls: Counter[Outcome] = Counter()
        self._levels: Counter[HarmType] = Counter()
        self._counts: Counter[str] = Counter()
        self._gear: Counter[type[Struct]] = Counter()
        self._scars: dict[str, Scar] = {}
        self._machines: dict[str, None] = {}
        self._piloting: dict[str, str] = {}
        self._ousted: When | None = None
        self._fate: Fate | None = None

    def _begin(self, _event: e.CharacterCreated | CharacterEntered, when: When) -> None:
        self._entered = self._entered or when

    def _adopt(self, _event: e.CharacterAdopted, when: When) -> None:
        if self._entered is None:
            self._entered, self._adopted = when, True

    def _roll(self, event: e.ActionRolled, _when: When) -> None:
        self._rolls[event.outcome] += 1

    def _hit(self, event: e.AttackHit, _when: When) -> None:
        self._counts["hits"] += 1
        self._counts["criticals"] += event.critical

    def _roll_ones(self, event: e.ComplicationFlagged, _when: When) -> None:
        self._counts["natural_ones"] += event.ones

    def _suffer(self, event: e.HarmSuffered, _when: When) -> None:
        self._levels[event.harm_type] += event.levels

    def _scar(self, event: e.HarmMadePermanent, when: When) -> None:
        self._scars[event.harm_id] = Scar(event.harm_id, event.harm_type, when)

    def _describe_scar(self, event: e.HarmConsequenceWritten, _when: When) -> None:
        if event.harm_id in self._scars:
            self._scars[event.harm_id].consequence = event.consequence

    def _heal_scar(self, event: e.PermanentHarmRemoved, when: When) -> None:
        if event.harm_id in self._scars:
            self._scars[event.harm_id].removed = when

    def _count_gear(self, event: e.GearBroken | e.GearRepaired | e.GearDiscarded, _when: When) -> None:
        self._gear[type(event)] += 1

    def _board(self, event: e.MachineBoarded, _when: When) -> None:
        self._piloting[event.machine] = event.character
        if event.character == self._character:
            self._machines[event.machine] = None

    def _lose_machine(self, event: e.MachineBroken, _when: When) -> None:
        self._counts["machines_lost"] += self._piloting.get(event.machine) == self._character

    def _oust(self, _event: e.CharacterOusted, when: When) -> None:
        self._ousted = when

    def _end(self, event: e.CharacterFateDecided, _when: When) -> None:
        self._fate = event.fate

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
            gear_broken=self._gear[e.GearBroken],
            gear_repaired=self._gear[e.GearRepaired],
            gear_discarded=self._gear[e.GearDiscarded],
            machines=[name(machine) for machine in self._machines],
            machines_lost=self._counts["machines_lost"],
            ousted=self._ousted,
            fate=self._fate,
        )

    ADDERS: ClassVar[Adders] = {
        e.MachineBoarded: _board,
        e.MachineBroken: _lose_machine,
        **of_own("sheet.character_id", {e.CharacterAdopted: _adopt}),
        **of_own("character.character_id", {CharacterEntered: _begin}),
        **of_own("actor", {e.ActionRolled: _roll, e.AttackHit: _hit, e.ComplicationFlagged: _roll_ones}),
        **of_own(
            "character",
            {
                e.CharacterCreated: _begin,
                e.HarmSuffered: _suffer,
                e.HarmMadePermanent: _scar,
                e.HarmConsequenceWritten: _describe_scar,
                e.PermanentHarmRemoved: _heal_scar,
                e.GearBroken: _count_gear,
                e.GearRepaired: _count_gear,
                e.GearDiscarded: _count_gear,
                e.CharacterOusted: _oust,
                e.CharacterFateDecided: _end,
            },
        ),
    }
