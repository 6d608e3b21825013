"""A character's service record: rolls, Overdrive, fights, wounds, relations and duels."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from domain.campaign.money.ledger import postings
from domain.systems.overdrive import events as e
from domain.systems.overdrive.entered_events import CharacterEntered
from domain.systems.overdrive.ledger import OVERDRIVE as CURRENCY
from domain.systems.overdrive.tables import Tier
from projections.record_fold import When

EVENTS = (
    e.CharacterCreated,
    e.CharacterAdopted,
    CharacterEntered,
    e.RollMade,
    e.OverdriveGained,
    e.OverdriveSpent,
    e.OverdriveRetired,
    e.ReactionPlayed,
    e.DuelStarted,
    e.DuelRaised,
    e.DuelLost,
    e.CombatStarted,
    e.CombatJoined,
    e.CombatEnded,
    e.AttackResolved,
    e.DamageTaken,
    e.FatalModeEntered,
    e.CharacterGravelyWounded,
    e.RelationStressed,
    e.RelationStrengthened,
    e.RelationBroken,
    e.RelationRepaired,
    e.TraitAdvanced,
)

Turn = Literal["stressed", "strengthened", "broken", "repaired"]


TURNS: dict[type[Any], Turn] = {
    e.RelationStressed: "stressed",
    e.RelationStrengthened: "strengthened",
    e.RelationBroken: "broken",
    e.RelationRepaired: "repaired",
}


class RelationTurn(Struct, frozen=True):
    """A change of a relation."""

    relation: str
    turn: Turn
    when: When


class FightFought(Struct):
    """A fight. `ended` is null while it lasts."""

    combat_id: str
    started: When
    ended: When | None = None
    hits: int = 0
    damage_taken: int = 0
    fatal_mode: bool = False
    gravely_wounded: bool = False


class CharacterRecord(Struct, frozen=True):
    """The record. Overdrive is counted by reason, duels as won and lost."""

    entered: When | None
    from_another_campaign: bool
    rolls: dict[Tier, int]
    ones: int
    gained: dict[str, int]
    spent: dict[str, int]
    fights: list[FightFought]
    duels_won: int
    duels_lost: int
    relations: list[RelationTurn]
    advances: dict[str, int]


class CharacterRecordFold:
    """The fold for one character."""

    def __init__(self, character: str) -> None:
        self._character = character
        self._entered: When | None = None
        self._adopted = False
        self._rolls: Counter[Tier] = Counter()
        self._ones = 0
        self._gained: Counter[str] = Counter()
        self._spent: Counter[str] = Counter()
        self._fights: list[FightFought] = []
        self._duels: Counter[bool] = Counter()
        self._sides: dict[str, str] = {}
        self._relations: list[RelationTurn] = []
        self._advances: Counter[str] = Counter()

    def add(self, event: e.Event, when: When) -> None:
        """Take an event that concerns the character into the record; ignore others."""
        self._add_points(event)
        self._add_fight(event, when)
        self._add_relation(event, when)
        match event:
            case e.CharacterCreated() if event.character_id == self._character:
                self._entered = when
            case e.CharacterAdopted() if event.sheet.character_id == self._character:
                self._entered, self._adopted = when, True
            case CharacterEntered() if event.character.character_id == self._character:
                self._entered = self._entered or when
            case e.RollMade() if event.character == self._character:
                self._rolls[event.tier] += 1
                self._ones += sum(die.value == 1 for die in event.dice)
            case e.DuelStarted():
                for side, duelist in event.sides.items():
                    if duelist.character == self._character:
                        self._sides[event.duel_id] = side
            case e.DuelLost() if event.duel_id in self._sides:
                self._duels[self._sides.pop(event.duel_id) == event.winner] += 1
            case e.TraitAdvanced() if event.character == self._character:
                self._advances[event.trait] += event.levels
            case _:
                pass

    def _add_relation(self, event: e.Event, when: When) -> None:
        turn = TURNS.get(type(event))
        if turn is not None and getattr(event, "character", None) == self._character:
            self._relations.append(RelationTurn(str(getattr(event, "relation", "")), turn, when))

    def _add_points(self, event: e.Event) -> None:
        """Count points that were gained, spent or given up."""
        account = f"available:{self._character}"
        for posting in postings(event):
            if posting.currency != CURRENCY:
                continue
            if posting.credit == account:
                self._gained[posting.reason] += posting.amount
            if posting.debit == account:
                self._spent[posting.reason] += posting.amount

    def _add_fight(self, event: e.Event, when: When) -> None:
        """Count the events of the current fight."""
        if isinstance(event, e.CombatStarted):
            if self._character in event.participants:
                self._fights.append(FightFought(event.combat_id, when))
            return
        if isinstance(event, e.CombatJoined) and event.character == self._character:
            self._fights.append(FightFought(event.combat_id, when))
        fight = self._fights[-1] if self._fights and self._fights[-1].ended is None else None
        if fight is None:
            return
        match event:
            case e.CombatEnded():
                fight.ended = when
            case e.AttackResolved() if event.attacker == self._character:
                fight.hits += event.damage
            case e.DamageTaken() if event.character == self._character:
                fight.damage_taken += event.amount
            case e.FatalModeEntered() if event.character == self._character:
                fight.fatal_mode = True
            case e.CharacterGravelyWounded() if event.character == self._character:
                fight.gravely_wounded = True
            case _:
                pass

    def view(self, name: Callable[[Any], str]) -> CharacterRecord:  # noqa: ARG002 — part of the shape of every record
        """The record so far."""
        return CharacterRecord(
            entered=self._entered,
            from_another_campaign=self._adopted,
            rolls=dict(sorted(self._rolls.items())),
            ones=self._ones,
            gained=dict(sorted(self._gained.items())),
            spent=dict(sorted(self._spent.items())),
            fights=self._fights,
            duels_won=self._duels[True],
            duels_lost=self._duels[False],
            relations=self._relations,
            advances=dict(sorted(self._advances.items())),
        )
