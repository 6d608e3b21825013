"""The battles in which another system's character was fielded, frame by frame."""

from collections.abc import Callable
from typing import Any, ClassVar

from msgspec import Struct

from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.entrance_events import FrameEntered
from projections.service_record_fold import Adders, RecordFold, When

KEPT_MAX = 200
"""How many battles are kept, the last ones."""


class BattleFought(Struct):
    """A battle with a frame of the character. `ended`, `rounds`, `score` and `won` are null while it lasts.

    `destroyed` counts the frames that fell to its attacks, `lost` its own losses: systems and white dice.
    """

    battle_id: str
    frame: str
    frame_name: str
    started: When
    ended: When | None = None
    rounds: int | None = None
    score: int | None = None
    won: bool | None = None
    attacks: int = 0
    damage_dice: int = 0
    destroyed: int = 0
    lost: int = 0
    fell: bool = False


class FieldedRecord(Struct, frozen=True):
    """The battles in the order they were fought, and how many of them were won."""

    battles: list[BattleFought]
    won: int
    destroyed: int
    fell: int


class FieldedFrame(Struct):
    """A frame in a battle."""

    name: str
    owner: str
    own: bool
    """It stands for the character."""
    down: bool = False
    """It is destroyed."""
    is_hidden: bool = False
    """Until it is in play."""


class FieldedRecordFold(RecordFold):
    """The fold for one character."""

    def __init__(self, character: str) -> None:
        super().__init__(character)
        self._frames: dict[str, FieldedFrame] = {}
        self._battles: list[BattleFought] = []
        self._attacker: str | None = None
        self._battle_id: str | None = None

    def _register(self, event: e.LoadoutRegistered, _when: When) -> None:
        """Note a frame, and whether it is the character's."""
        own = event.character == self._character
        self._frames[event.frame] = FieldedFrame(event.name, event.owner, own, is_hidden=event.hidden is True)

    def _rename(self, event: e.FrameRenamed, _when: When) -> None:
        if event.frame in self._frames:
            self._frames[event.frame].name = event.name

    def _hand_over(self, event: e.FrameHandedOver, _when: When) -> None:
        if event.frame in self._frames:
            self._frames[event.frame].owner = event.owner

    def _crew(self, event: e.FrameCrewed, _when: When) -> None:
        """Note that a frame became the character's, or is another's now."""
        if event.frame in self._frames:
            self._frames[event.frame].own = event.character == self._character

    def _withdraw(self, event: e.FrameWithdrawn, _when: When) -> None:
        self._frames.pop(event.frame, None)

    def _enter(self, event: FrameEntered, when: When) -> None:
        """A hidden frame enters play, that of the character perhaps into a battle."""
        frame = event.frame
        known_frame = self._frames.get(frame.frame_id)
        if known_frame is not None and not known_frame.is_hidden:
            return
        own, down = frame.character == self._character, frame.status == "destroyed"
        self._frames[frame.frame_id] = FieldedFrame(frame.name, frame.owner, own, down=down)
        if own and self._battle_id is not None and frame.status == "active":
            self._battles.append(BattleFought(self._battle_id, frame.frame_id, frame.name, when))

    def _begin(self, event: e.BattleStarted, when: When) -> None:
        """Add a battle for every frame of the character that is neither destroyed nor hidden."""
        self._battle_id = event.battle_id
        for battle in self._battles:
            if battle.ended is None:
                battle.ended = when  # its end was undone
        for frame, fielded in self._frames.items():
            fielded.down = fielded.down and event.between_battles == "kept"
            if fielded.own and not (fielded.down or fielded.is_hidden):
                self._battles.append(BattleFought(event.battle_id, frame, fielded.name, when))
        del self._battles[:-KEPT_MAX]

    def _end(self, event: e.BattleEnded, when: When) -> None:
        self._battle_id = None
        for battle in self._battles:
            if battle.battle_id == event.battle_id:
                owner = self._frames[battle.frame].owner if battle.frame in self._frames else ""
                battle.ended, battle.rounds = when, event.rounds
                battle.score, battle.won = event.scores.get(owner), owner in event.winners

    def _attack(self, event: a.DamageRolled, _when: When) -> None:
        self._attacker = event.frame
        for battle in self._open(event.frame):
            battle.attacks += 1
            battle.damage_dice += event.damage_dice

    def _lose_system(self, event: a.SystemLost, _when: When) -> None:
        for battle in self._open(event.frame):
            battle.lost += 1

    def _lose_dice(self, event: a.WhiteDieLost, _when: When) -> None:
        for battle in self._open(event.frame):
            battle.lost += event.lost

    def _destroy(self, event: a.FrameDestroyed, _when: When) -> None:
        """A frame is destroyed: the character's, or by an attack of theirs."""
        for battle in self._open(event.frame):
            battle.fell = True
        if event.frame in self._frames:
            self._frames[event.frame].down = True
        if self._attacker is not None:
            for battle in self._open(self._attacker):
                battle.destroyed += 1

    def _open(self, frame: str) -> list[BattleFought]:
        """The current battle, if the frame is the character's."""
        return [battle for battle in self._battles if battle.frame == frame and battle.ended is None]

    def view(self, name: Callable[[Any], str]) -> FieldedRecord | None:  # noqa: ARG002 — part of the shape of every record
        """The record so far; None if the character was never in a battle."""
        if not self._battles:
            return None
        return FieldedRecord(
            battles=self._battles,
            won=sum(battle.won or False for battle in self._battles),
            destroyed=sum(battle.destroyed for battle in self._battles),
            fell=sum(battle.fell for battle in self._battles),
        )

    ADDERS: ClassVar[Adders] = {
        e.LoadoutRegistered: _register,
        e.FrameRenamed: _rename,
        e.FrameHandedOver: _hand_over,
        e.FrameCrewed: _crew,
        e.FrameWithdrawn: _withdraw,
        FrameEntered: _enter,
        e.BattleStarted: _begin,
        e.BattleEnded: _end,
        a.DamageRolled: _attack,
        a.SystemLost: _lose_system,
        a.WhiteDieLost: _lose_dice,
        a.FrameDestroyed: _destroy,
    }
