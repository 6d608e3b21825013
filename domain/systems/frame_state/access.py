"""Permission to give commands, and the ids that a command leaves out.

Codes: not_the_handler, not_your_pilot, observers_only_watch, only_a_worker (forbidden); unknown_pilot,
unknown_frame (missing); which_pilot, which_frame, no_pilot, no_frame, no_catalogue, no_active_frame.
"""

from collections.abc import Iterable

from domain.command_context import CommandContext
from domain.mechanics.omitted_ids import the_one
from domain.rejection import Forbidden, Rejection
from domain.sentences import Sentence, either, say
from domain.systems.frame_state.state import Catalogue, Frame, FrameState, Pilot


def require_handler(context: CommandContext, rule: str) -> None:
    """Raise `not_the_handler` unless a Handler (any GM) or the campaign itself asks."""
    if not context.is_gm:
        raise Forbidden("not_the_handler", "Only the Handler may do that; ask your GM.", rule=rule)


def require_player_of(pilot: Pilot, context: CommandContext, rule: str) -> None:
    """Raise `not_your_pilot` unless the player asks, or the Handler for a pilot without an active player."""
    if context.is_gm and (pilot.player_id is None or context.is_absent(pilot.player_id)):
        return
    if pilot.player_id is None or context.account != pilot.player_id:
        raise Forbidden(
            "not_your_pilot",
            say("{pilot} is not your pilot; only their player may do that.", pilot=pilot.name),
            rule=rule,
        )


def require_player_or_handler(pilot: Pilot, context: CommandContext, rule: str) -> None:
    """Raise `not_your_pilot` unless the pilot's player or the Handler asks."""
    if not context.is_gm:
        require_player_of(pilot, context, rule)


def find_pilot(state: FrameState, context: CommandContext, pilot: str | None, rule: str) -> Pilot:
    """The pilot that a command means: the asker's only one, else the campaign's only one, if it names none.

    Raises `unknown_pilot`, `no_pilot` or `which_pilot`.
    """
    if pilot is not None:
        known_pilot = state.pilots.get(pilot)
        if known_pilot is None:
            raise Rejection("unknown_pilot", "There is no such pilot in this campaign.", rule=rule)
        return known_pilot
    return the_one(
        context,
        "pilot",
        sorted(state.pilots.values(), key=lambda candidate: candidate.pilot_id),
        lambda candidate: candidate.player_id is not None and candidate.player_id == context.account,
        code="which_pilot",
        message=lambda several: say("Which pilot? {choices}.", choices=_names(several)),
        rule=rule,
        describe=lambda candidate: {"pilot": candidate.pilot_id, "name": candidate.name},
        none=lambda: Rejection("no_pilot", "There is no pilot yet; create one first.", rule=rule),
    )


def find_frame(state: FrameState, context: CommandContext, frame: str | None, rule: str, *, active: bool) -> Frame:
    """The frame that a command means: the asker's only one, else the campaign's only one, if it names none.

    Frames that are active (or, with `active=False`, that are not) come first: a group has one wreck beside many
    machines. Raises `unknown_frame`, `no_frame` or `which_frame`.
    """
    if frame is not None:
        known_frame = state.frames.get(frame)
        if known_frame is None:
            raise Rejection("unknown_frame", "There is no such frame in this campaign.", rule=rule)
        return known_frame
    everything = sorted(state.frames.values(), key=lambda candidate: candidate.frame_id)
    return the_one(
        context,
        "frame",
        [candidate for candidate in everything if (candidate.status == "active") == active] or everything,
        lambda candidate: _flown_by(state, candidate, context),
        code="which_frame",
        message=lambda several: say("Which frame? {choices}.", choices=_names(several)),
        rule=rule,
        describe=lambda candidate: {"frame": candidate.frame_id, "name": candidate.name},
        none=lambda: Rejection("no_frame", "There is no frame yet; create one first.", rule=rule),
    )


def _names(several: Iterable[Pilot | Frame]) -> Sentence:
    return either(holder.name for holder in several)


def _flown_by(state: FrameState, frame: Frame, context: CommandContext) -> bool:
    """Whether a frame's pilot is the asker's."""
    pilot = state.pilots.get(frame.pilot_id)
    return pilot is not None and pilot.player_id is not None and pilot.player_id == context.account


def require_catalogue(state: FrameState, rule: str) -> Catalogue:
    """The campaign's catalogue. Raises `no_catalogue`."""
    if state.catalogue is None:
        raise Rejection(
            "no_catalogue",
            "This campaign has no catalogue yet; the Handler defines or loads one first.",
            rule=rule,
        )
    return state.catalogue


def require_active_frame(state: FrameState, pilot: Pilot, rule: str) -> Frame:
    """The frame that a pilot flies. Raises `no_active_frame`."""
    frame = state.active_frame(pilot)
    if frame is None:
        raise Rejection(
            "no_active_frame",
            say("{pilot} has no active frame, and this belongs to the frame; create one first.", pilot=pilot.name),
            rule=rule,
        )
    return frame


def require_between_missions(state: FrameState, pilot: Pilot, rule: str) -> None:
    """Raise `mission_in_progress` while a mission runs for this pilot (FS-11, FS-A18)."""
    mission = state.mission_of(pilot.pilot_id)
    if mission is not None:
        raise Rejection(
            "mission_in_progress",
            say(
                "{pilot} is on the mission “{mission}”; this has to wait until it is concluded.",
                pilot=pilot.name,
                mission=mission.name,
            ),
            rule=rule,
        )
