"""Play sessions and scenes, which every rule system follows."""

from domain.campaign.commands import EndScene, EndSession, MarkAttendance, StartScene, StartSession
from domain.campaign.events import AttendanceMarked, CampaignEvent
from domain.campaign.membership import must_be_gm
from domain.campaign.state import CampaignState, OpenScene, OpenSession
from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.lifecycle_events import (
    SceneEnded,
    SceneStarted,
    SessionEnded,
    SessionStarted,
)
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.rejection import Rejection
from domain.sentences import say

TITLES_MAX = 24
"""So many play sessions and scenes, the last ones, can be renamed."""


def start_session(state: CampaignState, context: CommandContext, command: StartSession) -> list[CampaignEvent]:
    """Start a play session. Raises `session_running` and `unknown_member`."""
    must_be_gm(context, say("Only a GM may start a play session."))
    if state.session is not None:
        raise Rejection(
            "session_running", say("Play session {number} has not ended yet.", number=state.session.number)
        )
    present = command.present
    if present is None:
        present = context.filled["present"] = [who for who, role in state.members.items() if role != "observer"]
    for account in present:
        if account not in state.members:
            raise Rejection("unknown_member", "Only members of the campaign can be present.")
    return [
        SessionStarted(
            session_id=derive_id("session", context.action_id),
            number=state.sessions_played + 1,
            present=list(dict.fromkeys(present)),
            title=command.title,
        )
    ]


def end_session(state: CampaignState, context: CommandContext, _command: EndSession) -> list[CampaignEvent]:
    """End the play session, and first an open scene."""
    must_be_gm(context, say("Only a GM may end the play session."))
    if state.session is None:
        raise Rejection("no_session", "No play session is running.")
    ended = SessionEnded(session_id=state.session.session_id, number=state.session.number)
    return [*_closing_scene(state), ended]


def mark_attendance(state: CampaignState, context: CommandContext, command: MarkAttendance) -> list[CampaignEvent]:
    """Record that a member comes late or leaves early. Raises `no_session` and `unknown_member`."""
    if command.account != context.account:
        must_be_gm(context, say("Only a GM may say who else is present."))
    if state.session is None:
        raise Rejection("no_session", "No play session is running.")
    context.require_member(command.account)
    if (command.account in state.session.present) == command.present:
        return []  # nothing changes
    return [AttendanceMarked(account=command.account, present=command.present)]


def start_scene(state: CampaignState, context: CommandContext, command: StartScene) -> list[CampaignEvent]:
    """Open a scene, and end the one before it."""
    must_be_gm(context, say("Only a GM may start a scene."))
    scene = SceneStarted(scene_id=derive_id("scene", context.action_id), name=command.name)
    return [*_closing_scene(state), scene]


def end_scene(state: CampaignState, context: CommandContext, _command: EndScene) -> list[CampaignEvent]:
    """End the scene."""
    must_be_gm(context, say("Only a GM may end the scene."))
    if state.scene is None:
        raise Rejection("no_scene", "No scene is open.")
    return _closing_scene(state)


def _closing_scene(state: CampaignState) -> list[CampaignEvent]:
    return [SceneEnded(scene_id=state.scene.scene_id)] if state.scene is not None else []


def session_started(state: CampaignState, event: SessionStarted) -> None:
    """Open the session, for which a date may have been chosen. Numbers never repeat, even if one was undone."""
    if state.next_session is not None and state.next_session.choice is not None:
        state.next_session = None
    state.sessions_played = max(state.sessions_played, event.number)
    state.session = OpenSession(event.session_id, event.number, event.present, event.title)
    _note_title(state, event.session_id, event.title)


def _note_title(state: CampaignState, thing: str, title: str | None) -> None:
    """Keep the title of a session or scene as one of the last, so that it can be renamed."""
    titles = [*state.titles.items(), (thing, title or "")]
    state.titles = dict(titles[-TITLES_MAX:])


def attendance_marked(state: CampaignState, event: AttendanceMarked) -> None:
    """Update attendance; members who come late are last."""
    if state.session is not None:
        others = [account for account in state.session.present if account != event.account]
        state.session.present = [*others, event.account] if event.present else others


def session_ended(state: CampaignState, _event: SessionEnded) -> None:
    """Close the session."""
    state.session = None


def scene_started(state: CampaignState, event: SceneStarted) -> None:
    """Open the scene."""
    state.scene = OpenScene(event.scene_id, event.name)
    _note_title(state, event.scene_id, event.name)


def scene_ended(state: CampaignState, _event: SceneEnded) -> None:
    """Close the scene."""
    state.scene = None


DECIDE: Decide[CampaignState, CampaignEvent] = without_dice(
    {
        StartSession: start_session,
        EndSession: end_session,
        MarkAttendance: mark_attendance,
        StartScene: start_scene,
        EndScene: end_scene,
    }
)
EVOLVE: Evolve[CampaignState] = {
    SessionStarted: session_started,
    AttendanceMarked: attendance_marked,
    SessionEnded: session_ended,
    SceneStarted: scene_started,
    SceneEnded: scene_ended,
}
