"""A field on which Mobile Frame is played: one state, its facts, and people who ask."""

from domain.systems.mobile_frame import MOBILE_FRAME
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame.battles import next_to_go
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import Battle, Frame, MobileFrameState
from tests.domain.system_table import SystemTable

PEOPLE = ("ann", "ben", "cleo")


class Field(SystemTable):
    """`gm` leads; `ann`, `ben` and `cleo` have companies; a `worker` is nobody. Frames are called by name."""

    SYSTEM = MOBILE_FRAME
    RULES = "MF-"
    PEOPLE = PEOPLE

    state: MobileFrameState
    settings: Settings

    def field_frame(self, who: str, name: str, notation: str = "WWBGYRdRd") -> str:
        [registered] = self.do(who, c.RegisterLoadout(notation=notation, name=name))
        return str(registered.frame)

    def field_cover_that_fell(self, name: str) -> None:
        """Cover that somebody has razed."""
        [placed] = self.do("gm", c.PlaceCover(bricks=6, height=3, name=name))
        self.state.covers[placed.cover].fallen = True

    def fight(self) -> Battle:
        """Start the battle."""
        self.do("gm", c.SetPointsPerAsset())
        self.do("gm", c.StartBattle())
        assert self.state.battle is not None
        return self.state.battle

    def activates(self, name: str) -> None:
        """A frame begins its turn; whoever would go before it passes."""
        frame = self.frame(name)
        while frame.owner not in (first := next_to_go(self.state, self.battle)):
            self.do("gm", c.Pass(player=first[0]))
        self.do("gm", c.ActivateFrame(frame=frame.frame_id))

    @property
    def battle(self) -> Battle:
        assert self.state.battle is not None
        return self.state.battle

    def frame(self, name: str) -> Frame:
        return next(each for each in self.state.frames.values() if each.name == name)

    def frames(self) -> list[Frame]:
        """All frames by name."""
        return sorted(self.state.frames.values(), key=lambda frame: frame.name.casefold())

    def id(self, name: str) -> str:
        return self.frame(name).frame_id

    def acting(self) -> str | None:
        turn = self.state.acting()
        return self.state.frames[turn.frame].name if turn is not None else None


def duel(settings: Settings | None = None, **notations: str) -> Field:
    """Ann's Adder and Ben's Bear, in a battle; everybody asks through the GM where it does not matter."""
    field = Field(settings)
    field.field_frame("ann", "Adder", notations.get("adder", "WWBGYRdRd"))
    field.field_frame("ben", "Bear", notations.get("bear", "WWBGYRdRd"))
    field.fight()
    return field


def under_fire(settings: Settings | None = None, bear: str = "WWBGRdRd") -> Field:
    """Bear has no defence and is under an attack of 6 in the open or behind cover."""
    field = duel(settings, bear=bear)
    field.do("gm", c.PlaceCover(bricks=14, height=5, name="Wall"))
    field.activates("Adder")
    field.do("ann", c.DeclareTarget(target=field.id("Bear"), range="direct"))
    field.do("ann", c.RollDicepool(), [6])
    field.do("ann", c.AssignDie(action="defense"))
    field.do("ann", c.DeclaredAttack(distance=4, die=5))
    field.do("ben", c.RollDicepool(), [1])
    field.do("ben", c.AssignDie(action="defense"))
    return field
