"""Before the battle: companies, terrain, and the worth of an asset (MF-2, MF-6, MF-7, MF-C1, MF-C2).

Codes: notation_or_systems, too_many_systems, too_many_of_a_type, too_many_rockets, too_many_dice,
too_many_things, not_yours_to_give, too_low_for_cover, no_companies,
owner_required, not_your_character, unknown_character.
"""

import re
from collections import Counter
from collections.abc import Iterable

from msgspec import UNSET

from domain.command_context import CommandContext, KnownCharacter
from domain.ids import CharacterId, derive_id
from domain.personal_text import NAME_MAX
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import (
    find_frame,
    find_station,
    require_gm,
    require_no_battle,
    require_owner,
)
from domain.systems.mobile_frame.loadout import LoadoutDie, dice_of, notation_of, parsed, systems_of
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import THINGS_MAX, Cover, Frame, MobileFrameState, Station, account_of
from domain.systems.mobile_frame.tables import (
    COVER_HEIGHT_MIN,
    POINTS_PER_ASSET,
    ROCKETS_MAX,
    SYSTEMS_MAX,
    SYSTEMS_OF_A_TYPE_MAX,
    System,
)
from domain.systems.mobile_frame.term_words import SYSTEMS

NUMBER = re.compile(r"[1-9][0-9]{0,8}")
"""The number at the end of a made-up name."""


def register_loadout(
    state: MobileFrameState, context: CommandContext, command: c.RegisterLoadout
) -> list[e.LoadoutRegistered | e.FrameRenamed | e.FrameHandedOver | e.FrameCrewed]:
    """MF-C1: field a frame, or change what one carries. Fields that the command leaves out stay as they are."""
    known_frame = find_frame(state, command.frame, "MF-C1") if command.frame is not None else None
    if known_frame is not None:
        require_owner(known_frame, context, "MF-C1")
    played = context.require_character(CharacterId(command.character)) if command.character is not None else None
    owner = _owner(known_frame, played, context, _company(state, command.owner))
    require_no_battle(state, "MF-C1")
    if known_frame is not None and not (context.decided_before or _says_loadout(command)):
        return _as_it_is(known_frame, _name(known_frame, played, command.name), owner, command.character)
    settings: Settings = context.settings
    systems, dice = _loadout(known_frame, command, settings)
    if settings.loadout_limits:
        _require_within_limits(systems)
    if settings.loadout_limits and not context.decided_before:
        _require_own_dice(systems, dice)
    _require_room(state.frames, known_frame is not None)
    name = _name(known_frame, played, command.name) or _made_up(
        context,
        _next_name("Frame" if account_of(owner) is not None else state.company(owner), state.in_play()),
        f"Frame {sum(frame.owner == owner for frame in state.in_play()) + 1}",
    )
    return [
        e.LoadoutRegistered(
            frame=known_frame.frame_id
            if known_frame is not None
            else derive_id("mobile-frame", context.action_id),
            name=name,
            owner=owner,
            notation=notation_of(dice),
            systems=systems,
            dice=dice,
            bonus_d8=settings.bonus_d8,
            loadout_limits=settings.loadout_limits,
            character=command.character or (known_frame.character if known_frame is not None else None),
            hidden=(known_frame.hidden if known_frame is not None else context.visibility != "all") or UNSET,
        )
    ]


def _says_loadout(command: c.RegisterLoadout) -> bool:
    """Whether a command says what a frame carries."""
    return command.notation is not None or command.systems is not None or command.rockets > 0


def _as_it_is(
    known_frame: Frame, name: str | None, owner: str, character: str | None
) -> list[e.LoadoutRegistered | e.FrameRenamed | e.FrameHandedOver | e.FrameCrewed]:
    """A frame with another name, owner or character, and with all its damage; no events if nothing changes."""
    events: list[e.LoadoutRegistered | e.FrameRenamed | e.FrameHandedOver | e.FrameCrewed] = []
    if name is not None and name != known_frame.name:
        events.append(e.FrameRenamed(frame=known_frame.frame_id, name=name, previous=known_frame.name))
    if owner != known_frame.owner:
        events.append(e.FrameHandedOver(frame=known_frame.frame_id, owner=owner, previous=known_frame.owner))
    if character is not None and character != known_frame.character:
        events.append(e.FrameCrewed(frame=known_frame.frame_id, character=character))
    return events


def _made_up(context: CommandContext, name: str, of_old: str) -> str:
    """The name that is made up for a thing: `of_old`, by how many there are, where an old command took that."""
    events = (e.LoadoutRegistered, e.CoverPlaced, e.StationPlaced)
    names = {event.name for event in context.outcome if isinstance(event, events)}
    return of_old if of_old in names else name


def _next_name(kind: str, things: Iterable[Frame | Cover | Station]) -> str:
    """The name of a thing without one: its kind, and a number after those of all that are called so."""
    names = (thing.name for thing in things)
    pairs = ((name, int(end)) for name in names if NUMBER.fullmatch(end := name.rpartition(" ")[2]))
    numbers = (number for name, number in pairs if name.casefold() == _with_number(kind, number).casefold())
    return _with_number(kind, max(numbers, default=0) + 1)


def _with_number(kind: str, number: int) -> str:
    """A kind, cut where the name would be too long, and a number."""
    end = f" {number}"
    return f"{kind[: NAME_MAX - len(end)]}{end}"


def _name(known_frame: Frame | None, played: KnownCharacter | None, name: str | None) -> str | None:
    """A frame's name: as asked for, else of the character's machine or the character, else its present one."""
    if name is not None:
        return name
    if played is not None:
        return played.machine or played.name
    return known_frame.name if known_frame is not None else None


def _owner(
    known_frame: Frame | None, played: KnownCharacter | None, context: CommandContext, owner: str | None
) -> str:
    """The owner of a frame: as asked for, else the character's player, else the present owner, else the asker.

    Raises `not_your_character`, `not_yours_to_give`, `owner_required` or `unknown_member`.
    """
    if played is not None and not context.is_gm and played.player != context.account:
        raise Forbidden(
            "not_your_character", "Only a character's player or a GM may field their frame.", rule="MF-C1"
        )
    if owner is None and played is not None and played.player is not None:
        return str(played.player)
    if owner is None and known_frame is not None:
        return known_frame.owner
    if owner is None:
        if context.account is None:
            raise Rejection("owner_required", "Name the owner of the frame.", rule="MF-C1")
        return str(context.account)
    if not context.is_gm and owner != str(context.account):
        raise Forbidden("not_yours_to_give", "Only a GM may field frames for somebody else.", rule="MF-C1")
    account = account_of(owner)
    if account is not None:
        context.require_member(account)
        return str(account)
    return owner


def _company(state: MobileFrameState, owner: str | None) -> str | None:
    """A company by its present name, too."""
    return None if owner is None else state.company_called(owner)


def _loadout(
    known_frame: Frame | None, command: c.RegisterLoadout, settings: Settings
) -> tuple[list[System], list[LoadoutDie]]:
    """Systems and dice, from notation or from systems, else the present ones.

    Raises `notation_or_systems`, `bad_notation`.
    """
    has_systems = command.systems is not None or command.rockets > 0
    if known_frame is not None and not _says_loadout(command):
        return known_frame.whole_systems, known_frame.whole_dice
    if (command.notation is not None) == has_systems:
        raise Rejection("notation_or_systems", "Give the loadout either as notation or as systems.", rule="MF-C1")
    if command.notation is not None:
        dice = parsed(command.notation)
        return systems_of(dice), dice
    systems = sorted(command.systems or [])
    return systems, dice_of(systems, command.rockets, bonus_d8=settings.bonus_d8)


def _require_within_limits(systems: list[System]) -> None:
    """Raise `too_many_systems` or `too_many_of_a_type` (MF-2)."""
    if len(systems) > SYSTEMS_MAX:
        raise Rejection(
            "too_many_systems",
            say("A frame carries up to {most} systems, not {count}.", most=SYSTEMS_MAX, count=len(systems)),
            rule="MF-2",
        )
    for system, count in sorted(Counter(systems).items()):
        if count > SYSTEMS_OF_A_TYPE_MAX:
            raise Rejection(
                "too_many_of_a_type",
                say(
                    "At most {most} systems of a type: {count} times {system} is too many.",
                    most=SYSTEMS_OF_A_TYPE_MAX,
                    count=count,
                    system=SYSTEMS[system],
                ),
                rule="MF-2",
            )


def _require_own_dice(systems: list[System], dice: list[LoadoutDie]) -> None:
    """Raise `too_many_rockets` or `too_many_dice` for more dice than these systems bring (MF-2, MF-3)."""
    rockets = sum(die.range == "r" for die in dice)
    if rockets > ROCKETS_MAX:
        raise Rejection(
            "too_many_rockets",
            say("A frame carries up to {most} rockets, not {count}.", most=ROCKETS_MAX, count=rockets),
            rule="MF-2",
        )
    own = dice_of(systems, rockets, bonus_d8=True)
    if surplus := Counter(dice) - Counter(own):
        raise Rejection(
            "too_many_dice",
            say(
                "These systems bring {own}; {surplus} is too much.",
                own=notation_of(own),
                surplus=notation_of(surplus.elements()),
            ),
            rule="MF-3",
            dice=notation_of(own),
        )


def _require_room(
    things: dict[str, Frame] | dict[str, Cover] | dict[str, Station], is_known: bool = False
) -> None:
    """Raise `too_many_things` where a field is full."""
    if not is_known and len(things) >= THINGS_MAX:
        raise Rejection(
            "too_many_things",
            say("A field holds at most {most} frames, {most} covers and {most} stations.", most=THINGS_MAX),
            rule="MF-1",
        )


def withdraw_frame(
    state: MobileFrameState, context: CommandContext, command: c.WithdrawFrame
) -> list[e.FrameWithdrawn]:
    """Withdraw a frame between battles."""
    frame = find_frame(state, command.frame, "MF-C1")
    require_owner(frame, context, "MF-C1")
    require_no_battle(state, "MF-C1")
    return [e.FrameWithdrawn(frame=frame.frame_id)]


def place_cover(state: MobileFrameState, context: CommandContext, command: c.PlaceCover) -> list[e.CoverPlaced]:
    """MF-6: place terrain that is high enough to hide behind, and no higher than its number of bricks."""
    require_gm(context, "MF-6")
    if command.height < COVER_HEIGHT_MIN or command.bricks < command.height:
        raise Rejection(
            "too_low_for_cover",
            say(
                "Cover is at least {least} bricks high, and has at least as many bricks as it is high.",
                least=COVER_HEIGHT_MIN,
            ),
            rule="MF-6",
        )
    _require_room(state.covers)
    covers = [cover for cover in state.covers.values() if not cover.hidden]
    return [
        e.CoverPlaced(
            cover=derive_id("cover", context.action_id),
            name=command.name or _made_up(context, _next_name("Cover", covers), f"Cover {len(covers) + 1}"),
            bricks=command.bricks,
            height=command.height,
            hidden=context.visibility != "all" or UNSET,
        )
    ]


def place_station(
    state: MobileFrameState, context: CommandContext, command: c.PlaceStation
) -> list[e.StationPlaced]:
    """MF-7: place an objective, with or without a controller."""
    require_gm(context, "MF-7")
    require_no_battle(state, "MF-7")
    _require_room(state.stations)
    return [
        e.StationPlaced(
            station=derive_id("station", context.action_id),
            name=command.name
            or _made_up(
                context,
                _next_name("Station", state.stations.values()),
                f"Station {len(state.stations) + 1}",
            ),
            controller=_owner(None, None, context, _company(state, command.controller))
            if command.controller is not None
            else None,
        )
    ]


def measure_station(
    state: MobileFrameState, context: CommandContext, command: c.MeasureStation
) -> list[e.StationMeasured]:
    """MF-22: record how far a frame is from a station; no event if nothing changes."""
    frame = find_frame(state, command.frame, "MF-22")
    require_owner(frame, context, "MF-22")
    station = find_station(state, context, command.station, "MF-22")
    if frame.station_distances.get(station.station_id) == command.distance:
        return []
    return [e.StationMeasured(frame=frame.frame_id, station=station.station_id, distance=command.distance)]


def players_of(state: MobileFrameState) -> list[str]:
    """Players with a company or a station, by id; a company of hidden frames alone does not count."""
    players = {frame.owner for frame in state.in_play()}
    players |= {station.controller for station in state.stations.values() if station.controller is not None}
    return sorted(players)


def assets_of(state: MobileFrameState, player: str, *, keeps_damage: bool) -> int:
    """Frames in play and stations of a player; with `keeps_damage`, only frames that no battle has destroyed."""
    frames = [frame for frame in state.in_play() if frame.owner == player]
    stations = [station for station in state.stations.values() if station.controller == player]
    return len(stations) + sum(frame.status == "active" or not keeps_damage for frame in frames)


def set_points_per_asset(
    state: MobileFrameState,
    context: CommandContext,
    command: c.SetPointsPerAsset,  # noqa: ARG001 — it asks for nothing
) -> list[e.PointsPerAssetSet]:
    """MF-C2, MF-23: five points per asset, less for the most and more for the fewest frames and systems."""
    require_gm(context, "MF-C2")
    require_no_battle(state, "MF-C2")
    players = players_of(state)
    if not players:
        raise Rejection("no_companies", "Nobody has fielded a frame yet.", rule="MF-C2")
    settings: Settings = context.settings
    keeps_damage = settings.between_battles == "kept"
    fielded = [frame for frame in state.in_play() if frame.status == "active" or not keeps_damage]
    frames = Counter(frame.owner for frame in fielded)
    systems: Counter[str] = Counter()
    for frame in fielded:
        systems[frame.owner] += len(frame.systems if keeps_damage else frame.whole_systems)
    ppa = dict.fromkeys(players, POINTS_PER_ASSET)
    for count in (frames, systems):
        most, fewest = max(count[player] for player in players), min(count[player] for player in players)
        for player in players:
            ppa[player] += (count[player] == fewest) - (count[player] == most)
    scores = {player: ppa[player] * assets_of(state, player, keeps_damage=keeps_damage) for player in players}
    return [e.PointsPerAssetSet(ppa=ppa, scores=scores)]


def registered(state: MobileFrameState, event: e.LoadoutRegistered) -> None:
    """Field the frame; points per asset have to be set again, unless it is hidden."""
    state.frames[event.frame] = Frame(
        frame_id=event.frame,
        name=event.name,
        owner=event.owner,
        whole_systems=list(event.systems),
        whole_dice=list(event.dice),
        systems=list(event.systems),
        dice=list(event.dice),
        bonus_d8=event.bonus_d8,
        character=event.character,
        hidden=event.hidden is True,
    )
    if event.hidden is UNSET:
        state.ppa = {}


def renamed(state: MobileFrameState, event: e.FrameRenamed) -> None:
    """Set the frame's name."""
    if event.frame in state.frames:
        state.frames[event.frame].name = event.name


def handed_over(state: MobileFrameState, event: e.FrameHandedOver) -> None:
    """Set the frame's owner; points per asset have to be set again, unless it is hidden."""
    frame = state.frames.get(event.frame)
    if frame is not None:
        frame.owner = event.owner
    if frame is None or not frame.hidden:
        state.ppa = {}


def crewed(state: MobileFrameState, event: e.FrameCrewed) -> None:
    """Set the frame's character."""
    if event.frame in state.frames:
        state.frames[event.frame].character = event.character


def withdrawn(state: MobileFrameState, event: e.FrameWithdrawn) -> None:
    """Remove the frame."""
    frame = state.frames.pop(event.frame, None)
    if frame is not None:
        state.remember([frame])
    if frame is None or not frame.hidden:
        state.ppa = {}


def cover_placed(state: MobileFrameState, event: e.CoverPlaced) -> None:
    """Add the cover."""
    state.covers[event.cover] = Cover(
        event.cover, event.name, event.bricks, event.height, hidden=event.hidden is True
    )


def station_placed(state: MobileFrameState, event: e.StationPlaced) -> None:
    """Add the station."""
    state.stations[event.station] = Station(event.station, event.name, event.controller)
    state.ppa = {}


def station_measured(state: MobileFrameState, event: e.StationMeasured) -> None:
    """Set the frame's distance from the station."""
    if event.frame in state.frames:
        state.frames[event.frame].station_distances[event.station] = event.distance


def points_set(state: MobileFrameState, event: e.PointsPerAssetSet) -> None:
    """Set points per asset for the coming battle."""
    state.ppa = dict(event.ppa)
