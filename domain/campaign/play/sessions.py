"""Play sessions and scenes: the campaign's own rhythm, which every rule system follows."""

from domain.campaign.commands import EndScene, EndSession, MarkAttendance, StartScene, StartSession
from domain.campaign.events import AttendanceMarked, CampaignEvent
from domain.campaign.lifecycle.membership import must_be_gm
from domain.campaign.state import CampaignState, OpenScene, OpenSession
from domain.command_context import Asked
from domain.ids import born
from domain.lifecycle_events import (
    SceneEnded,
    SceneStarted,
    SessionEnded,
    SessionStarted,
)
from domain.mechanics.dispatch import Decide, Evolve, without_dice
from domain.rejection import Rejection
from domain.sentences import say


def start_session(state: CampaignState, asked: Asked, command: StartSession) -> list[CampaignEvent]:
    """Sit down to play. Refuses `session_running` and members that are not there."""
    must_be_gm(asked, say("Only a GM may start a play session."))
    if state.session is not None:
        raise Rejection(
            "session_running", say("Play session {number} has not ended yet.", number=state.session.number)
        )
    present = command.present
    if present is None:
        present = asked.filled["present"] = [who for who, role in state.members.items() if role != "observer"]
    for account in present:
        if account not in state.members:
            raise Rejection("unknown_member", "Only members of the campaign can be present.")
    return [
        SessionStarted(
            session_id=born("session", asked.action_id),
            number=state.sessions_played + 1,
            present=list(dict.fromkeys(present)),
            title=command.title,
        )
    ]


def end_session(state: CampaignState, asked: Asked, _command: EndSession) -> list[CampaignEvent]:
    """Get up again; a scene that is still open closes first."""
    must_be_gm(asked, say("Only a GM may end the play session."))
    if state.session is None:
        raise Rejection("no_session", "No play session is running.")
    ended = SessionEnded(session_id=state.session.session_id, number=state.session.number)
    return [*_closing_scene(state), ended]


def mark_attendance(state: CampaignState, asked: Asked, command: MarkAttendance) -> list[CampaignEvent]:
    """Somebody comes late or leaves early. Refuses `no_session` and `unknown_member`."""
    if command.account != asked.account:
        must_be_gm(asked, say("Only a GM may say who else is present."))
    if state.session is None:
        raise Rejection("no_session", "No play session is running.")
    asked.require_member(command.account)
    if (command.account in state.session.present) == command.present:
        return []  # so it is already
    return [AttendanceMarked(account=command.account, present=command.present)]


def start_scene(state: CampaignState, asked: Asked, command: StartScene) -> list[CampaignEvent]:
    """Open a scene; the one before it closes."""
    must_be_gm(asked, say("Only a GM may start a scene."))
    opened = SceneStarted(scene_id=born("scene", asked.action_id), name=command.name)
    return [*_closing_scene(state), opened]


def end_scene(state: CampaignState, asked: Asked, _command: EndScene) -> list[CampaignEvent]:
    """Close the scene."""
    must_be_gm(asked, say("Only a GM may end the scene."))
    if state.scene is None:
        raise Rejection("no_scene", "No scene is open.")
    return _closing_scene(state)


def _closing_scene(state: CampaignState) -> list[CampaignEvent]:
    return [SceneEnded(scene_id=state.scene.scene_id)] if state.scene is not None else []


def session_started(state: CampaignState, event: SessionStarted) -> None:
    """The numbers of sessions never repeat, even where one was undone."""
    state.sessions_played = max(state.sessions_played, event.number)
    state.session = OpenSession(event.session_id, event.number, event.present, event.title)


def attendance_marked(state: CampaignState, event: AttendanceMarked) -> None:
    """Whoever comes late comes last."""
    if state.session is not None:
        others = [account for account in state.session.present if account != event.account]
        state.session.present = [*others, event.account] if event.present else others


def session_ended(state: CampaignState, _event: SessionEnded) -> None:
    """No session is open."""
    state.session = None


def scene_started(state: CampaignState, event: SceneStarted) -> None:
    """A scene is open."""
    state.scene = OpenScene(event.scene_id, event.name)


def scene_ended(state: CampaignState, _event: SceneEnded) -> None:
    """No scene is open."""
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
