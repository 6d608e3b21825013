"""The builder of a frame: its systems and rockets (MF-C1, MF-2)."""

from collections import Counter as Tally
from collections.abc import Iterator

from domain.mechanics.builders import Builder, Counter, CounterGroup, Draft, Preset, Step, command
from domain.sentences import say
from domain.systems.mobile_frame.commands import RegisterLoadout
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import MobileFrameState
from domain.systems.mobile_frame.tables import SYSTEMS_MAX, SYSTEMS_OF_A_TYPE_MAX
from domain.systems.mobile_frame.term_words import SYSTEMS

UNLIMITED = 20
"""The most systems that the command takes, where the group plays without the limits of a loadout."""


def _groups(_state: MobileFrameState, settings: Settings) -> Iterator[CounterGroup]:
    """The systems that a frame may carry."""
    most, total = (SYSTEMS_OF_A_TYPE_MAX, SYSTEMS_MAX) if settings.loadout_limits else (UNLIMITED, UNLIMITED)
    counters = tuple(Counter({"systems": system}, most) for system in SYSTEMS)
    yield CounterGroup(say("Systems"), counters, total)


def _presets(_state: MobileFrameState, _settings: Settings) -> Iterator[Preset]:
    """Frames for each of the three ranges, and one that finds targets for the others."""
    frames = (
        ("soldier", say("A soldier"), "Heron", ["defense", "defense", "movement", "weapon:direct"], 0),
        ("brawler", say("A brawler"), "Anvil", ["defense", "movement", "weapon:hand", "weapon:hand"], 0),
        ("artillery", say("Artillery"), "Winch", ["defense", "movement", "spotting", "weapon:artillery"], 0),
        ("scout", say("A scout"), "Lantern", ["movement", "movement", "spotting", "spotting"], 1),
    )
    for key, title, name, systems, rockets in frames:
        yield Preset(key, title, [command(RegisterLoadout, name=name, systems=systems, rockets=rockets)])


def _originals(state: MobileFrameState) -> dict[str, str]:
    return {key: frame.name for key, frame in state.frames.items()}


def _copy(state: MobileFrameState, _settings: Settings, original: str) -> Draft:
    """A frame with the loadout that this one had before any damage."""
    frame = state.frames[original]
    rockets = Tally(die.range for die in frame.whole_dice)["r"]
    return [command(RegisterLoadout, name=frame.name, systems=[*frame.whole_systems], rockets=rockets)]


BUILDER = Builder(
    title=say("A new frame"),
    steps=(
        Step(
            kind=RegisterLoadout,
            title=say("The frame"),
            gm_only=frozenset({"owner"}),
            left_out=frozenset({"notation", "frame", "systems"}),
            rare=frozenset({"character"}),
            list_field="systems",
            groups=_groups,
        ),
    ),
    presets=_presets,
    originals=_originals,
    copy=_copy,
)
