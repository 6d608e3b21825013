"""The state of Mobile Frame: the fold of its events, plain data that is its own snapshot.

There is one battle at a time; between battles the companies stay, with their frames. A player is a string: an
account's id, or the name of a company that the GM leads. Iteration over a dict sorts it first: a snapshot may
come back with its keys in another order.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Literal
from uuid import UUID

from msgspec import UNSET, Struct, UnsetType, field

from domain.ids import AccountId, ActionId
from domain.systems.mobile_frame.loadout import LoadoutDie
from domain.systems.mobile_frame.settings import StrayShots
from domain.systems.mobile_frame.tables import Action, Color, Letter, Range, Situation, System, Weapon

RESULTS_REMEMBERED = 32
NAMES_REMEMBERED = 360
THINGS_MAX = 120
"""The most frames, covers or stations on the field at once."""

TargetKind = Literal["frame", "cover"]


def account_of(player: str) -> AccountId | None:
    """The account behind a player; None where a GM leads the company."""
    with suppress(ValueError):
        return AccountId(UUID(player))
    return None


COMPANY = "company:"
"""The beginning of the id of a company that a GM leads."""


def company_id(player: str) -> str:
    """The id by which the company of a player without an account is renamed."""
    return COMPANY + player


class Frame(Struct):
    """A mobile frame (MF-2). `whole_systems` and `whole_dice` are those of its undamaged loadout.

    `defense` and `spot` are the markers beside it. `station_distances` are units, as last measured. `character`
    is its character in another system, if it has one. `hidden`: only some may know of it yet.
    """

    frame_id: str
    name: str
    owner: str
    whole_systems: list[System]
    whole_dice: list[LoadoutDie]
    systems: list[System]
    dice: list[LoadoutDie]
    bonus_d8: bool = True
    status: Literal["active", "destroyed"] = "active"
    activated: bool = False
    defense: int | None = None
    spot: int | None = None
    station_distances: dict[str, int] = field(default_factory=dict)
    character: str | None = None
    hidden: bool = False

    @property
    def white(self) -> int:
        """White dice left; at 0 the frame is destroyed."""
        return sum(die.color == "white" for die in self.dice)

    @property
    def rockets(self) -> int:
        """Rockets not yet fired."""
        return sum(die.range == "r" for die in self.dice)


class Cover(Struct):
    """A cover (MF-6); `fallen` is rubble. `hidden`: only some may know of it yet."""

    cover_id: str
    name: str
    bricks: int
    height: int
    fallen: bool = False
    hidden: bool = False


class Station(Struct):
    """An objective (MF-7); `controller` is a player."""

    station_id: str
    name: str
    controller: str | None = None


class Target(Struct, frozen=True):
    """The target of an attack, its range, and its weapon if one was named (MF-9)."""

    target: str
    kind: TargetKind
    range: Range
    weapon: Weapon | None = None


class PoolDie(Struct):
    """A die rolled this turn."""

    color: Color
    sides: int
    range: Letter | None
    value: int
    used: bool = False


class Attack(Struct):
    """A committed attack that waits to be resolved.

    The last named situation is `situation` with `cover` and `cover_frame`.
    """

    target: str
    kind: TargetKind
    range: Range
    value: int
    situation: Situation | None = None
    cover: str | None = None
    cover_frame: str | None = None
    named: dict[str, Situation] = field(default_factory=dict)
    """The situation that each player has named."""
    behind: dict[str, str] = field(default_factory=dict)
    """The cover or frame that each player sees in the way."""
    attack_id: str | UnsetType = UNSET
    """Those of old logs have none."""

    def word_of(self, player: str) -> tuple[Situation | None, str | None]:
        """The situation that a player has named, and the thing in the way."""
        return self.named.get(player), self.behind.get(player)


class Activation(Struct):
    """A frame's turn (MF-8)."""

    frame: str
    by: Literal["player", "attack"]
    attacker: str | None = None
    waits_for: str | None = None
    """The frame that acts meanwhile."""
    target: Target | None = None
    rolled: bool = False
    pool: list[PoolDie] = field(default_factory=list)
    assigned: dict[Action, int | None] = field(default_factory=dict)
    moved: bool = False
    attacked: bool = False
    """The attack is used up."""
    spotted: bool = False
    may_declare: bool = True
    """Whether it may declare an attack of its own (MF-A12)."""
    attack: Attack | None = None
    turn_id: str | UnsetType = UNSET
    """Those of old logs have none."""

    def value(self, action: Action) -> int:
        """The face given to an action; 0 without a die (MF-10)."""
        die = self.assigned.get(action)
        return self.pool[die].value if die is not None and die < len(self.pool) else 0


class Unresolved(Struct, frozen=True):
    """Damage dice still to be dealt out, by face, under the setting at the time of the roll.

    `points` is the rest for the target once its damage is announced, None before. Of old attacks there is no
    id.
    """

    situation: Situation
    target: str
    cover: str | None = None
    cover_frame: str | None = None
    fours: int = 0
    fives: int = 0
    sixes: int = 0
    points: int | None = None
    stray_shots: StrayShots = "ignored"
    attack_id: str | UnsetType = UNSET


class Choice(Struct, frozen=True):
    """A choice that the resolution of an attack waits for; `player` is the one to make it. Old ones have no id."""

    kind: Literal["loss", "bricks"]
    attacker: str
    subject: str
    player: str
    unresolved: Unresolved
    choice_id: str | UnsetType = UNSET


class Side(Struct):
    """One player in a battle: points per asset, and assets, frames and stations alike (MF-1)."""

    ppa: int
    assets: int

    @property
    def score(self) -> int:
        """MF-23."""
        return self.ppa * self.assets


class Battle(Struct):
    """A running battle (MF-1)."""

    battle_id: str
    doomsday: int
    ruler_units: int
    sides: dict[str, Side] = field(default_factory=dict)
    round: int = 1
    order: Literal["tactical", "combat"] = "tactical"
    stack: list[Activation] = field(default_factory=list)
    """The oldest first."""
    passed: list[str] = field(default_factory=list)
    """The players who passed this time."""
    choice: Choice | None = None
    extra_round: bool = False
    characters: list[str] = field(default_factory=list)
    """Those of other systems whose frames are in it."""
    order_due: ActionId | None = None
    """The action that changed the order between two turns, until the new order is set (MF-W1)."""
    round_id: str | UnsetType = UNSET
    """The first round has none."""

    @property
    def now(self) -> str:
        """The round that is played, by its id; the first one by the battle's."""
        return self.round_id or self.battle_id


class BattleResult(Struct, frozen=True):
    """The record of a battle (MF-W2); `characters` are those of other systems whose frames were in it."""

    battle_id: str
    winners: list[str]
    scores: dict[str, int]
    rounds: int
    characters: list[str] = []


class FormerThing(Struct, frozen=True):
    """The name of a thing that is no longer on the field."""

    thing: str
    name: str


class MobileFrameState(Struct):
    """Companies, terrain, and the battle if one runs. `ppa` is set for the next battle, by player."""

    frames: dict[str, Frame] = field(default_factory=dict)
    covers: dict[str, Cover] = field(default_factory=dict)
    stations: dict[str, Station] = field(default_factory=dict)
    ppa: dict[str, int] = field(default_factory=dict)
    battle: Battle | None = None
    results: list[BattleResult] = field(default_factory=list)
    remembered: list[FormerThing] = field(default_factory=list)
    company_names: dict[str, str] = field(default_factory=dict)
    """The present names of companies that a GM leads, by their first ones."""

    def remember(self, things: Iterable[Frame | Cover | Station]) -> None:
        """Keep the names of things that leave the field, up to a limit."""
        records = [
            FormerThing(thing.frame_id, thing.name)
            if isinstance(thing, Frame)
            else FormerThing(thing.cover_id if isinstance(thing, Cover) else thing.station_id, thing.name)
            for thing in things
        ]
        self.remembered = [*self.remembered, *records][-NAMES_REMEMBERED:]

    def company(self, player: str) -> str:
        """The present name of a company that a GM leads."""
        return self.company_names.get(player, player)

    def company_called(self, name: str) -> str:
        """The company with this name, as its frames have it; another word stays as it is."""
        return next((player for player, now in self.company_names.items() if now == name), name)

    def name_of(self, thing: str) -> str | None:
        """The name of a frame, a cover or a station, even of one that has left the field; of a renamed company."""
        if thing in self.company_names:
            return self.company_names[thing]
        for subject in (self.frames.get(thing), self.covers.get(thing), self.stations.get(thing)):
            if subject is not None:
                return subject.name
        return next((record.name for record in reversed(self.remembered) if record.thing == thing), None)

    def in_play(self) -> list[Frame]:
        """The frames that are not hidden, by id: hidden ones count for nothing."""
        return [frame for _, frame in sorted(self.frames.items()) if not frame.hidden]

    def activation(self, frame: str) -> Activation | None:
        """The open turn of a frame."""
        stack = self.battle.stack if self.battle is not None else []
        return next((turn for turn in stack if turn.frame == frame), None)

    def choice(self) -> Choice | None:
        """The pending choice; None if its subject has left the field meanwhile."""
        choice = self.battle.choice if self.battle is not None else None
        if choice is None:
            return None
        if choice.kind == "bricks":
            cover = self.covers.get(choice.subject)
            return choice if cover is not None and not cover.fallen and choice.attacker in self.frames else None
        frame = self.frames.get(choice.subject)
        return choice if frame is not None and frame.status == "active" else None

    def acting(self) -> Activation | None:
        """The current turn: the latest one that waits for no open turn."""
        stack = self.battle.stack if self.battle is not None else []
        frame_ids = {turn.frame for turn in stack}
        return next((turn for turn in reversed(stack) if turn.waits_for not in frame_ids), None)
