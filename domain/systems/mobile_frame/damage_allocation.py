"""Dealing damage out, hit by hit, until all is dealt or a choice is missing (MF-18 to MF-22).

The work is done on a copy of the state, to which every event is applied as it happens.
"""

import msgspec
from msgspec import UNSET, Struct, UnsetType, field, structs

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.systems.mobile_frame import attack_events as a
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import absent
from domain.systems.mobile_frame.evolve_damage import EVOLVE, DamageEvent
from domain.systems.mobile_frame.state import Cover, Frame, MobileFrameState, Unresolved
from domain.systems.mobile_frame.tables import (
    BRICKS_PER_HIT,
    COVER_HEIGHT_MIN,
    HAND_UNITS,
    STRAY_PROOF_DEFENSE,
    System,
)


class Choices(Struct):
    """Choices that were sent ahead, used up from the front."""

    heights: list[int] = field(default_factory=list)
    losses: dict[str, list[System]] = field(default_factory=dict)
    """By frame. A loss also declines to give up a station for that point."""
    stations: dict[str, list[str]] = field(default_factory=dict)
    """By frame."""
    declined: set[str] = field(default_factory=set)
    """Frames that give up no station for one point that takes a white die.

    Each further point is asked about again while a station is in reach (MF-A13).
    """


def at_station(frame: Frame) -> list[str]:
    """The stations that a frame is within contesting range of, as far as it was measured (MF-22)."""
    return sorted(station for station, units in frame.station_distances.items() if units <= HAND_UNITS)


def highest_left(bricks: int, height: int) -> tuple[int, int]:
    """How many bricks of a cover one more hit leaves, and how high they may stand at most (MF-20)."""
    bricks_left = max(0, bricks - BRICKS_PER_HIT)
    return bricks_left, min(height, bricks_left)


def deal(
    state: MobileFrameState,
    context: CommandContext,
    attacker: str,
    unresolved: Unresolved,
    choices: Choices,
    choice_id: str | UnsetType = UNSET,
) -> list[DamageEvent]:
    """The events of dealing out damage from here on; choices of players who are absent are a GM's.

    `choice_id` is the choice that is made: the first of the events is its result.
    """
    return _Dealing(state, context, attacker, unresolved, choices, choice_id).events


class _Missing(Exception):  # noqa: N818 — a choice is missing, nothing has gone wrong
    """A choice that has not been made yet: its kind and its subject."""

    def __init__(self, kind: str, subject: str) -> None:
        super().__init__(kind)
        self.kind = kind
        self.subject = subject


class _Dealing:
    """One run of dealing damage out."""

    def __init__(
        self,
        state: MobileFrameState,
        context: CommandContext,
        attacker: str,
        unresolved: Unresolved,
        choices: Choices,
        choice_id: str | UnsetType,
    ) -> None:
        self.events: list[DamageEvent] = []
        self._context = context
        self._made = choice_id
        self._state = msgspec.json.decode(msgspec.json.encode(state), type=MobileFrameState)
        self._attacker = attacker
        self._unresolved = unresolved
        self._choices = choices
        try:
            self._through_cover()
            self._through_frame()
            self._at_target()
        except _Missing as missing:
            self._emit(self._pending(missing))

    def _emit(self, event: DamageEvent) -> None:
        self.events.append(event)
        EVOLVE[type(event)](self._state, event)

    def _pending(self, missing: _Missing) -> a.ChoicePending:
        owner = self._attacker if missing.kind == "bricks" else missing.subject
        player = self._state.frames[owner].owner if owner in self._state.frames else ""
        return a.ChoicePending(
            kind="bricks" if missing.kind == "bricks" else "loss",
            attacker=self._attacker,
            subject=missing.subject,
            player=player,
            unresolved=self._unresolved,
            for_gm=player in absent(self._state, self._context) or UNSET,
            choice_id=derive_id("choice", self._context.action_id),
        )

    def _use_choice(self) -> str | UnsetType:
        """The choice that an event is made for: only the first one is."""
        made, self._made = self._made, UNSET
        return made

    def _spend(self, face: str) -> None:
        """Use up one hit of a face."""
        self._unresolved = structs.replace(self._unresolved, **{face: getattr(self._unresolved, face) - 1})

    # --- cover

    def _through_cover(self) -> None:
        """MF-18: fours before fives; where the cover is the target, sixes too. Then fours are wasted."""
        cover = self._state.covers.get(self._unresolved.cover or "")
        faces = ["fours", "fives", "sixes"] if self._unresolved.situation == "is_cover" else ["fours", "fives"]
        for face in faces:
            while cover is not None and not cover.fallen and getattr(self._unresolved, face):
                self._hit(cover)
                self._spend(face)
        self._unresolved = structs.replace(self._unresolved, fours=0)

    def _hit(self, cover: Cover) -> None:
        """MF-20: six bricks are removed, and the attacker says how high the rest is."""
        bricks_left, highest = highest_left(cover.bricks, cover.height)
        if self._choices.heights:
            height = min(self._choices.heights.pop(0), highest)
        elif highest < COVER_HEIGHT_MIN:
            height = highest  # rubble, so no choice is left
        else:
            raise _Missing("bricks", cover.cover_id)
        self._emit(
            a.CoverDamaged(
                cover=cover.cover_id,
                bricks_removed=cover.bricks - bricks_left,
                height_lost=cover.height - height,
                bricks_left=bricks_left,
                height=height,
                attack_id=self._unresolved.attack_id,
                choice_id=self._use_choice(),
            )
        )
        if height < COVER_HEIGHT_MIN:
            self._emit(a.CoverDestroyed(cover=cover.cover_id))

    # --- frames

    def _through_frame(self) -> None:
        """MF-19: a covering frame takes the fives until it is destroyed; two defence systems ignore them.

        With the setting of MF-A7, the target takes the ignored ones.
        """
        frame = self._state.frames.get(self._unresolved.cover_frame or "")
        if frame is None:
            return
        while frame.status == "active" and self._unresolved.fives:
            if frame.systems.count("defense") >= STRAY_PROOF_DEFENSE:
                if self._unresolved.stray_shots == "passed_on":
                    return
                self._emit(a.StrayShotIgnored(frame=frame.frame_id))
            else:
                self._lose_one(frame)
            self._spend("fives")

    def _at_target(self) -> None:
        """MF-21: the damage left hits the target, point by point."""
        frame = self._state.frames.get(self._unresolved.target)
        if self._unresolved.situation == "is_cover" or frame is None:
            return
        if self._unresolved.points is None:
            points = self._unresolved.fives + self._unresolved.sixes
            self._emit(a.DamageDealt(target=frame.frame_id, points=points))
            self._unresolved = structs.replace(self._unresolved, fives=0, sixes=0, points=points)
        while frame.status == "active" and self._unresolved.points:
            self._lose_one(frame)
            self._spend("points")

    def _lose_one(self, frame: Frame) -> None:
        """One point: a station given up, a system, or a white die (MF-21, MF-22)."""
        id_ = frame.frame_id
        stations, losses = self._choices.stations.get(id_, []), self._choices.losses.get(id_, [])
        if stations:
            station = stations.pop(0)
            distance = HAND_UNITS + 1 - frame.station_distances.get(station, HAND_UNITS)
            self._emit(a.StationAbandoned(id_, station, distance, self._unresolved.attack_id, self._use_choice()))
            return
        if losses:
            self._lose_system(id_, losses.pop(0))
            return
        if at_station(frame) and id_ not in self._choices.declined:
            raise _Missing("loss", id_)
        self._choices.declined.discard(id_)
        if frame.systems:
            if len(set(frame.systems)) > 1:
                raise _Missing("loss", id_)
            self._lose_system(id_, frame.systems[0])
        else:
            self._lose_white(frame)

    def _lose_system(self, frame: str, system: System) -> None:
        self._emit(a.SystemLost(frame, system, self._unresolved.attack_id, self._use_choice()))

    def _lose_white(self, frame: Frame) -> None:
        """Remove a white die; without its last one the frame is destroyed, and its owner loses an asset."""
        left = max(0, frame.white - 1)
        of, by = self._unresolved.attack_id, self._use_choice()
        self._emit(a.WhiteDieLost(frame=frame.frame_id, white_left=left, attack_id=of, choice_id=by))
        if frame.white:
            return
        side = self._state.battle.sides.get(frame.owner) if self._state.battle is not None else None
        before = side.score if side is not None else 0
        self._emit(a.FrameDestroyed(frame=frame.frame_id, owner=frame.owner))
        self._emit(
            e.ScoreRecalculated(
                player=frame.owner,
                from_=before,
                to=side.score if side is not None else 0,
                reason="frame_destroyed",
            )
        )
