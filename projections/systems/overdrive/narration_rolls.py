"""The purpose of a roll of Overdrive, in words."""

from domain.sentences import Part, Sentence, in_a_row, say, term
from domain.systems.overdrive import events as e
from projections.narration_tables import Name
from projections.systems.overdrive.narration_phrases import SCENES, weapon, with_whom

MODES = {"maneuver": say("manoeuvre"), "cover": say("cover"), "advantage": say("advantage")}


def rolled_for(event: e.RollMade, name: Name) -> Sentence:
    """The purpose of a roll and, outside fights, its stat or score."""
    purpose: Sentence | None = None
    match event.kind:
        case "attack":
            return _attack(event, name)
        case "defense":
            return say("defence")
        case "initiative":
            return say("initiative")
        case "movement":
            return say("movement") if event.mode is None else MODES[event.mode]
        case "relation":
            whom = with_whom(event.relation, name) if event.relation is not None else ""
            purpose = say("tension with {whom}", whom=whom)
        case "scene":
            purpose = say("scene") if event.scene is None else SCENES[event.scene]
        case "duel":
            purpose = say("duel")
        case "plain":
            pass
    used = term((event.use or "").partition(":")[2]) if event.use is not None else None
    parts: list[Part] = [part for part in (purpose, used) if part is not None]
    return in_a_row(parts or [say("roll")])


def _attack(event: e.RollMade, name: Name) -> Sentence:
    if event.target is None:
        return say("attack")
    target, what = name(event.target), weapon(event.weapon or "")
    if event.cinematic:
        return say("cinematic attack on {target} ({weapon})", target=target, weapon=what)
    return say("attack on {target} ({weapon})", target=target, weapon=what)
