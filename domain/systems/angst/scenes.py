"""Sessions and scenes are the campaign's; this is what they mean here (AN-5, AN-C2, AN-C3)."""

from domain import lifecycle_events
from domain.command_context import Asked
from domain.systems.angst.access import has_spendables, known
from domain.systems.angst.events import (
    LifeExperienceRefreshed,
    SceneEnded,
    SceneStarted,
    SessionStarted,
)
from domain.systems.angst.state import Angst

Followed = SessionStarted | LifeExperienceRefreshed | SceneStarted | SceneEnded


def follow(state: Angst, moment: lifecycle_events.Moment, asked: Asked) -> list[Followed]:
    """Answer the campaign. What the calendar gives back is owed (`recovery`)."""
    match moment:
        case lifecycle_events.SessionStarted():
            return [SessionStarted(number=moment.number), *_refreshed(state, asked)]
        case lifecycle_events.SceneStarted():
            return [SceneStarted(scene_id=moment.scene_id)]
        case lifecycle_events.SceneEnded():
            out = [each.character_id for each in known(state, asked) if each.status == "out_of_scene"]
            return [SceneEnded(scene_id=moment.scene_id, returned=out)]
        case _:
            return []


def _refreshed(state: Angst, asked: Asked) -> list[LifeExperienceRefreshed]:
    """Life Experience of everybody who lives and has any (AN-C2, AN-W2)."""
    return [
        LifeExperienceRefreshed(
            character=character.character_id,
            current=character.life_experience.max,
            change=character.life_experience.max - character.life_experience.current,
        )
        for character in known(state, asked)
        if character.status != "dead" and has_spendables(character, asked)
    ]


def session_started(state: Angst, event: SessionStarted) -> None:
    """What is allowed once per session is allowed again."""
    state.session = event.number
    for character in state.characters.values():
        character.bought_purge_this_session = False
        if character.hidden:  # their refreshment is told to nobody
            character.life_experience.current = character.life_experience.max


def scene_started(state: Angst, event: SceneStarted) -> None:  # noqa: ARG001 — that it began is all there is
    """What is allowed once per scene is allowed again."""
    _fresh(state)


def scene_ended(state: Angst, event: SceneEnded) -> None:  # noqa: ARG001 — `returned` is what people saw
    """Offers expire; whoever was out of the scene is back."""
    _fresh(state)
    for character in state.characters.values():
        character.purge_offers = []
        if character.status == "out_of_scene":
            character.status = "active"


def _fresh(state: Angst) -> None:
    """Between scenes nothing of a scene is used up."""
    for character in state.characters.values():
        character.tapped_this_scene = False
        character.factoid_used_this_scene = False
