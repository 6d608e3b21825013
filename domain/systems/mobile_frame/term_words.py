"""The rulebook's words in sentences: of refusals, of the chronicle and on the board."""

from domain.sentences import Sentence, say
from domain.systems.mobile_frame.tables import Action, Color, Range, Situation, System, Weapon

RANGES: dict[Range, Sentence] = {
    "hand": say("at hand range"),
    "direct": say("at direct range"),
    "artillery": say("at artillery range"),
}
SITUATIONS: dict[Situation, Sentence] = {
    "melee": say("hand to hand"),
    "open": say("in the open"),
    "in_cover": say("behind cover"),
    "covered_by_frame": say("behind another frame"),
    "is_cover": say("as cover itself"),
}
SYSTEMS: dict[System, Sentence] = {
    "defense": say("a defence system"),
    "movement": say("a movement system"),
    "spotting": say("a spotting system"),
    "weapon:hand": say("a hand weapon"),
    "weapon:direct": say("a direct fire weapon"),
    "weapon:artillery": say("a piece of artillery"),
}
WEAPONS: dict[Weapon, Sentence] = {
    "weapon:hand": SYSTEMS["weapon:hand"],
    "weapon:direct": SYSTEMS["weapon:direct"],
    "weapon:artillery": SYSTEMS["weapon:artillery"],
    "rocket": say("a rocket"),
}
ACTIONS: dict[Action, Sentence] = {
    "defense": say("its defence"),
    "movement": say("its move"),
    "attack": say("its attack"),
    "spot": say("its spot"),
}
COLORS: dict[Color, Sentence] = {
    "white": say("a white die"),
    "blue": say("a blue die"),
    "green": say("a green die"),
    "yellow": say("a yellow die"),
    "red": say("a red die"),
}
