"""A character's service record: rolls, Overdrive, fights, wounds, relations and duels."""

from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Literal

from msgspec import Struct

from domain.campaign.money.ledger import postings
from domain.systems.overdrive import events as e
from domain.systems.overdrive.entrance_events import CharacterEntered
from domain.systems.overdrive.ledger import OVERDRIVE as CURRENCY
from domain.systems.overdrive.tables import Tier
from projections.service_record_fold import Adders, RecordFold, When, of_own, only_posted

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


class CharacterRecordFold(RecordFold):
    """The fold for one character."""

    def __init__(self, character: str) -> None:
        super().__init__(character)
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

    def add(self, event: Any, when: When) -> None:
        """Take an event into the record; those of others change nothing."""
        account = f"available:{self._character}"
        for posting in postings(event):
            if posting.currency == CURRENCY and posting.credit == account:
                self._gained[posting.reason] += posting.amount
            if posting.currency == CURRENCY and posting.debit == account:
                self._spent[posting.reason] += posting.amount
        super().add(event, when)

    @property
    def _fight(self) -> FightFought | None:
        """The fight that lasts."""
        return self._fights[-1] if self._fights and self._fights[-1].ended is None else None

    def _begin(self, _event: e.CharacterCreated, when: When) -> None:
        self._entered = when

    def _adopt(self, _event: e.CharacterAdopted, when: When) -> None:
        self._entered, self._adopted = when, True

    def _enter(self, _event: CharacterEntered, when: When) -> None:
        self._entered = self._entered or when

    def _roll(self, event: e.RollMade, _when: When) -> None:
        self._rolls[event.tier] += 1
        self._ones += sum(die.value == 1 for die in event.dice)

    def _start_duel(self, event: e.DuelStarted, _when: When) -> None:
        for side, duelist in event.sides.items():
            if duelist.character == self._character:
                self._sides[event.duel_id] = side

    def _end_duel(self, event: e.DuelLost, _when: When) -> None:
        if event.duel_id in self._sides:
            self._duels[self._sides.pop(event.duel_id) == event.winner] += 1

    def _advance(self, event: e.TraitAdvanced, _when: When) -> None:
        self._advances[event.trait] += event.levels

    def _turn_relation(
        self,
        event: e.RelationStressed | e.RelationStrengthened | e.RelationBroken | e.RelationRepaired,
        when: When,
    ) -> None:
        self._relations.append(RelationTurn(event.relation, TURNS[type(event)], when))

    def _start_fight(self, event: e.CombatStarted, when: When) -> None:
        if self._character in event.participants:
            self._fights.append(FightFought(event.combat_id, when))

    def _join_fight(self, event: e.CombatJoined, when: When) -> None:
        self._fights.append(FightFought(event.combat_id, when))

    def _end_fight(self, _event: e.CombatEnded, when: When) -> None:
        if (fight := self._fight) is not None:
            fight.ended = when

    def _hit(self, event: e.AttackResolved, _when: When) -> None:
        if (fight := self._fight) is not None:
            fight.hits += event.damage

    def _take_damage(self, event: e.DamageTaken, _when: When) -> None:
        if (fight := self._fight) is not None:
            fight.damage_taken += event.amount

    def _turn_fatal(self, _event: e.FatalModeEntered, _when: When) -> None:
        if (fight := self._fight) is not None:
            fight.fatal_mode = True

    def _be_wounded(self, _event: e.CharacterGravelyWounded, _when: When) -> None:
        if (fight := self._fight) is not None:
            fight.gravely_wounded = True

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

    ADDERS: ClassVar[Adders] = {
        e.DuelStarted: _start_duel,
        e.DuelLost: _end_duel,
        e.CombatStarted: _start_fight,
        e.CombatEnded: _end_fight,
        **of_own("character_id", {e.CharacterCreated: _begin}),
        **of_own("sheet.character_id", {e.CharacterAdopted: _adopt}),
        **of_own("character.character_id", {CharacterEntered: _enter}),
        **of_own("attacker", {e.AttackResolved: _hit}),
        **of_own(
            "character",
            {
                e.RollMade: _roll,
                e.TraitAdvanced: _advance,
                e.CombatJoined: _join_fight,
                e.DamageTaken: _take_damage,
                e.FatalModeEntered: _turn_fatal,
                e.CharacterGravelyWounded: _be_wounded,
                **dict.fromkeys(TURNS, _turn_relation),
            },
        ),
        **dict.fromkeys(
            (e.OverdriveGained, e.OverdriveSpent, e.OverdriveRetired, e.ReactionPlayed, e.DuelRaised), only_posted
        ),
    }
