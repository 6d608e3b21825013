"""The answers to what a battle waits for: commands that are accepted in the current state.

A client that reads nothing else can play on with them, and is refused nothing. Commands that do not advance the
battle, such as measuring a distance, are not listed.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import structs

from domain.systems.mobile_frame.access import waits
from domain.systems.mobile_frame.attacks import (
    RANGED,
    forced_situation,
    names_for_both,
    standing_covers,
    standing_frames,
)
from domain.systems.mobile_frame.battles import yet_to_go
from domain.systems.mobile_frame.damage_allocation import at_station, highest_left
from domain.systems.mobile_frame.die_assignment import serving
from domain.systems.mobile_frame.frame_values import (
    can_pass_cover,
    can_stand_on_cover,
    ranges_of,
    spotting_level,
    weapons_at,
)
from domain.systems.mobile_frame.pending_choices import PendingChoice
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.spot_action import spottable, spotting_distance
from domain.systems.mobile_frame.state import Activation, Attack, Battle, Frame, MobileFrameState
from domain.systems.mobile_frame.tables import (
    SPOT_ANYTHING,
    Action,
    Situation,
)
from projections.awaited_answers import MayAnswer, may

DISTANCE_MAX = 10_000
Choosable: TypeAlias = str | int | bool | None
Choices: TypeAlias = Mapping[str, Sequence[Choosable]]
Numbers: TypeAlias = dict[str, tuple[int, int]]
BOTH: Sequence[Choosable] = (False, True)


def answers(
    state: MobileFrameState,
    settings: Settings,
    waiting: PendingChoice,
    absent_owners: Collection[str],
    *,
    for_gm: bool,
) -> Iterator[MayAnswer]:
    """The answers of the person waited for; `for_gm`: a GM, who also acts for `absent_owners`.

    They name the frame that they are about: later, when another one is asked, they are refused.
    """
    for answer in _answers(state, settings, waiting, absent_owners, for_gm=for_gm):
        about = {"frame": waiting.subject} if waiting.subject in state.frames else {}
        yield structs.replace(answer, command={**answer.command, **about})


def _answers(
    state: MobileFrameState,
    settings: Settings,
    waiting: PendingChoice,
    absent_owners: Collection[str],
    *,
    for_gm: bool,
) -> Iterator[MayAnswer]:
    battle, turn = state.battle, state.acting()
    frame = state.frames.get(waiting.subject)
    if battle is None:
        return
    match waiting.kind:
        case "choose_loss" if frame is not None:
            yield from _losses(frame)
        case "remove_bricks":
            yield _heights(state, waiting.subject)
        case "activate_frame":
            yield from _activations(state, battle, waiting.player)
        case "name_situation" if turn is not None and turn.attack is not None:
            for choices in _situations(state, turn.frame, turn.attack, RANGED):
                yield _may("name_situation", choices)
        case "resolve_attack" if turn is not None and turn.attack is not None:
            agreed = settings.situation_named_by == "agreed"
            target = state.frames.get(turn.attack.target)
            both = (
                for_gm
                and target is not None
                and names_for_both(state.frames[turn.frame], target, None, absent_owners)
            )
            yield from _resolutions(state, turn.frame, turn.attack, agreed=agreed, agreement=agreed and not both)
        case "take_turn" if turn is not None and frame is not None:
            yield from _Turn(state, settings, battle, turn, frame).answers()
        case _:
            yield _may(waiting.kind)


def _may(command: str, choices: Choices | None = None, numbers: Numbers | None = None) -> MayAnswer:
    return may(f"mobile_frame.{command}", choices, numbers)


def _losses(frame: Frame) -> Iterator[MayAnswer]:
    """A system, or else a white die; or a station (MF-21, MF-22)."""
    systems = sorted(set(frame.systems))
    yield _may("choose_loss", {"system": systems} if systems else None)
    if stations := at_station(frame):
        yield _may("choose_loss", {"abandon_station": stations})


def _heights(state: MobileFrameState, cover: str) -> MayAnswer:
    """How high a cover may still stand (MF-20)."""
    hit = state.covers[cover]
    return _may("remove_bricks", numbers={"height": (0, highest_left(hit.bricks, hit.height)[1])})


def _activations(state: MobileFrameState, battle: Battle, player: str | None) -> Iterator[MayAnswer]:
    """A frame of the player, or a pass (MF-C4, MF-C15)."""
    own = sorted(frame.frame_id for frame in state.frames.values() if waits(frame) and frame.owner == player)
    yield _may("activate_frame", {"frame": own})
    if yet_to_go(state, battle) != [player]:
        yield _may("pass", {"player": [player]})


def _resolutions(
    state: MobileFrameState, attacker: str, attack: Attack, *, agreed: bool, agreement: bool
) -> Iterator[MayAnswer]:
    """The resolution of an attack, in every situation that may be named (MF-17, MF-A6).

    `agreed`: both sides have to name it; `agreement`: and this side is bound to what the other has named.
    """
    target = state.frames.get(attack.target)
    spots = BOTH if target is not None and target.spot is not None else (False,)
    if forced_situation(attack) is not None:
        yield _may("resolve_attack", {"use_spot": spots})
        return
    named_situation = attack.named.get(target.owner) if target is not None else None
    situations = [situation for situation in RANGED if situation == named_situation] if agreement else RANGED
    for choices in _situations(state, attacker, attack, situations):
        yield _may("resolve_attack", {**choices, "use_spot": spots})
    if agreed:
        yield from (_may("name_situation", choices) for choices in _situations(state, attacker, attack, RANGED))


def _situations(
    state: MobileFrameState, attacker: str, attack: Attack, situations: Sequence[Situation]
) -> Iterator[Choices]:
    """The situations of a ranged attack, each with the possible obstacles (MF-6)."""
    in_the_way: dict[Situation, tuple[str, list[str]]] = {
        "in_cover": ("cover", standing_covers(state)),
        "covered_by_frame": ("cover_frame", standing_frames(state, {attacker, attack.target})),
    }
    for situation in situations:
        field, things = in_the_way.get(situation, ("", []))
        if not field:
            yield {"situation": [situation]}
        elif things:
            yield {"situation": [situation], field: things}


class _Turn:
    """The steps that are open to the active frame (MF-8)."""

    def __init__(
        self, state: MobileFrameState, settings: Settings, battle: Battle, turn: Activation, frame: Frame
    ) -> None:
        self._state, self._settings, self._battle = state, settings, battle
        self._turn, self._frame = turn, frame
        target = turn.target
        self._attacks = target if target is not None and not turn.attacked else None

    def answers(self) -> Iterator[MayAnswer]:
        """The answers in the order of a turn."""
        if not self._turn.rolled:
            if self._turn.may_declare:
                yield from self._targets()
            yield _may("roll_dicepool")
        elif "defense" not in self._turn.assigned:
            yield _may("assign_die", {"action": ["defense"], "die": [*self._dice("defense"), None]})
        else:
            yield from self._actions()
        if self._attacks is not None and self._turn.assigned.get("attack") is None:
            yield _may("abort_attack")

    def _targets(self) -> Iterator[MayAnswer]:
        """MF-9: any enemy and any cover, at any range the frame has a weapon for."""
        hostile = [frame.frame_id for frame in spottable(self._state, self._frame)]
        if targets := [*hostile, *standing_covers(self._state)]:
            for range_ in ranges_of(self._frame, self._turn):
                weapons: Sequence[Choosable] = weapons_at(self._frame, range_) or [None]
                yield _may("declare_target", {"target": targets, "range": [range_], "weapon": weapons})

    def _actions(self) -> Iterator[MayAnswer]:
        """MF-8: move and attack in either order, then spot, then the end."""
        turn = self._turn
        yield from self._dice_for_later()
        if not (turn.moved or turn.spotted):
            yield from self._moves()
        if self._attacks is not None and not turn.spotted:
            yield self._attack()
        if self._attacks is None and not turn.spotted:
            yield from self._spots()
        if self._attacks is None or turn.assigned.get("attack") is None:
            yield _may("end_turn")

    def _dice_for_later(self) -> Iterator[MayAnswer]:
        """MF-10: a die for a later action; that action may as well name it."""
        turn = self._turn
        open_: dict[Action, bool] = {
            "movement": not (turn.moved or turn.spotted),
            "attack": self._attacks is not None,
            "spot": not turn.spotted,
        }
        for action, is_open in open_.items():
            if is_open and turn.assigned.get(action) is None and (dice := self._dice(action)):
                yield _may("assign_die", {"action": [action], "die": dice})

    def _moves(self) -> Iterator[MayAnswer]:
        """MF-13: as far as the die that the move has, or any that it may get, allows."""
        over: dict[str, Sequence[Choosable]] = {}
        if can_pass_cover(self._frame):
            over["through_cover"] = BOTH
        if can_stand_on_cover(self._frame, bonus_d8_on_cover=self._settings.bonus_d8_on_cover):
            over["stand_on_cover"] = BOTH
        yield _may("move", over, {"distance": (0, self._turn.value("movement"))})
        if self._turn.assigned.get("movement") is None:
            for die in self._dice("movement"):
                yield _may("move", {"die": [die], **over}, {"distance": (0, self._turn.pool[die].value)})

    def _attack(self) -> MayAnswer:
        """MF-14: with the die it has, or one that it may get, or none; out of range it is forgone."""
        has_die = self._turn.assigned.get("attack") is not None
        dice: Choices = {} if has_die else {"die": [*self._dice("attack"), None]}
        return _may("attack", dice, {"distance": (0, DISTANCE_MAX)})

    def _spots(self) -> Iterator[MayAnswer]:
        """MF-16: any enemy that the spotting systems can reach, by distance and cover."""
        targets = [frame.frame_id for frame in spottable(self._state, self._frame)]
        if not targets:
            return
        level = spotting_level(self._frame)
        dice: Choices = {} if "spot" in self._turn.assigned else {"die": self._dice("spot") or [None]}
        far = DISTANCE_MAX if level >= SPOT_ANYTHING else spotting_distance(self._battle)
        covered = BOTH if level else (False,)
        yield _may("spot", {"target": targets, "in_cover": covered, **dice}, {"distance": (0, far)})

    def _dice(self, action: Action) -> list[int]:
        """The places of the dice that an action may still get (MF-10)."""
        return serving(self._turn, self._frame, action)
