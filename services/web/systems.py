"""The rule systems as a page presents them."""

from functools import cache

from msgspec import Struct

from domain.command_context import Role
from domain.ids import SystemId
from domain.sentences import Sentence, say
from domain.systems import SYSTEMS

IN_A_LINE: dict[SystemId, Sentence] = {
    SystemId("frame_state"): say(
        "Pilots for hire and their frames: step dice, missions, and money that pays for everything."
    ),
    SystemId("freefall"): say(
        "Operators on the edge: five twenty-sided dice, attributes bound for effect, and harm that lasts."
    ),
    SystemId("angst"): say(
        "Feelings under pressure: two dice, relationships with grades, and Angst that builds up."
    ),
    SystemId("mobile_frame"): say(
        "A battle on the tabletop: pools of coloured dice, companies of frames, a clock."
    ),
    SystemId("overdrive"): say("Mecha drama: pools of dice that explode, strained ties, and points of Overdrive."),
}

ROLES: dict[Role, Sentence] = {
    "gm": say("Game master"),
    "player": say("Player"),
    "observer": say("Observer"),
}


class Game(Struct, frozen=True):
    """A rule system: its id, its name, and one line about it."""

    system: SystemId
    title: str
    line: Sentence


@cache
def games() -> list[Game]:
    """All rule systems, in the order in which they are listed to people."""
    return [Game(known.id, known.title, IN_A_LINE[known.id]) for known in SYSTEMS.values()]
