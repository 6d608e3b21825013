"""Changes that sessions and scenes, which are the campaign's, bring in Angst (AN-5, AN-C2, AN-C3)."""

from msgspec import UNSET

from domain import lifecycle_events
from domain.command_context import CommandContext
from domain.systems.angst.access import has_spendables, nameable
from domain.systems.angst.events import (
    LifeExperienceRefreshed,
    SceneEnded,
    SceneStarted,
    SessionStarted,
)
from domain.systems.angst.state import Angst

Followed = SessionStarted | LifeExperienceRefreshed | SceneStarted | SceneEnded


def on_lifecycle_event(
    state: Angst, moment: lifecycle_events.LifecycleEvent, context: CommandContext
) -> list[Followed]:
    """The events after a campaign event. Recovery by the calendar is owed (`recovery`)."""
    match moment:
        case lifecycle_events.SessionStarted():
            return [SessionStarted(number=moment.number), *_refreshed(state, context)]
        case lifecycle_events.SceneStarted():
            return [SceneStarted(scene_id=moment.scene_id, returned=_out(state, context))]
        case lifecycle_events.SceneEnded():
            return [SceneEnded(scene_id=moment.scene_id, returned=_out(state, context))]
        case _:
            return []


def _out(state: Angst, context: CommandContext) -> list[str]:
    """The characters who were removed from a scene, or between scenes (AN-21)."""
    return [character.character_id for character in nameable(state, context) if character.status == "out_of_scene"]


def _refreshed(state: Angst, context: CommandContext) -> list[LifeExperienceRefreshed]:
    """The refreshed Life Experience of every living character who has any (AN-C2, AN-W2)."""
    return [
        LifeExperienceRefreshed(
            character=character.character_id,
            current=character.life_experience.max,
            change=character.life_experience.max - character.life_experience.current,
        )
        for character in nameable(state, context)
        if character.status != "dead" and has_spendables(character, context)
    ]


def session_started(state: Angst, event: SessionStarted) -> None:
    """Reset what is allowed once per session."""
    state.session = event.number
    for character in state.characters.values():
        character.bought_purge_this_session = False
        if character.hidden:  # the event does not name hidden characters
            character.life_experience.current = character.life_experience.max


def scene_started(state: Angst, event: SceneStarted) -> None:
    """Reset what is allowed once per scene, and bring back characters who were removed between scenes."""
    _fresh(state)
    if event.returned is not UNSET:
        _bring_back(state)


def scene_ended(state: Angst, event: SceneEnded) -> None:  # noqa: ARG001 — `returned` is what people saw
    """Remove offers, and bring back characters who were out of the scene."""
    _fresh(state)
    for character in state.characters.values():
        character.purge_offers = []
    _bring_back(state)


def _bring_back(state: Angst) -> None:
    """Bring back everybody who is out, hidden characters too, whom events do not name."""
    for character in state.characters.values():
        if character.status == "out_of_scene":
            character.status = "active"


def _fresh(state: Angst) -> None:
    """Reset what is allowed once per scene, also between scenes."""
    for character in state.characters.values():
        character.tapped_this_scene = False
        character.factoid_used_this_scene = False
