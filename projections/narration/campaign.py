"""A campaign's own events in words."""

from collections.abc import Callable
from typing import Any, assert_never

from domain.campaign.calendar import DAY_SECONDS, HOUR_SECONDS
from domain.campaign.events import (
    AttendanceMarked,
    CampaignEvent,
    CharacterAssigned,
    DiceRolled,
    EntryPosted,
    Hidden,
    MemberJoined,
    MemberLeft,
    NoteAdded,
    RoleChanged,
    SettingChanged,
)
from domain.dice.rolling import CountedDie
from domain.moments import (
    CalendarAdvanced,
    CampaignCreated,
    DowntimeEnded,
    DowntimeStarted,
    SceneEnded,
    SceneStarted,
    SessionEnded,
    SessionStarted,
)
from domain.systems import SYSTEMS


def tell(event: CampaignEvent, name: Callable[[Any], str]) -> str:
    """One campaign event as a sentence."""
    match event:
        case CampaignCreated():
            played = " and ".join(SYSTEMS[system].title for system in event.systems)
            return f"{name(event.created_by)} founded “{event.name}”, played with {played}"
        case MemberJoined():
            return f"{name(event.account)} joined as {event.role}"
        case RoleChanged():
            return f"{name(event.account)} is {event.role} from now on"
        case MemberLeft():
            return f"{name(event.account)} {'was taken out of' if event.removed else 'left'} the campaign"
        case CharacterAssigned():
            owner = name(event.player) if event.player is not None else "nobody"
            return f"{name(event.character)} belongs to {owner} now"
        case SettingChanged():
            return _setting(event)
        case NoteAdded():
            about = f" about {name(event.about)}" if event.about is not None else ""
            return f"Note{about}: {event.text}"
        case EntryPosted():
            return f"{event.change} {event.currency} moved from {event.debit} to {event.credit}: {event.reason}"
        case DiceRolled():
            return _rolled(event, name)
        case SessionStarted():
            title = f", “{event.title}”," if event.title else ""
            present = ", ".join(name(account) for account in event.present)
            return f"Play session {event.number}{title} began with {present or 'nobody'}"
        case AttendanceMarked():
            return f"{name(event.account)} {'joined' if event.present else 'left'} the play session"
        case SessionEnded():
            return f"Play session {event.number} ended"
        case SceneStarted():
            return f"Scene: {event.name}" if event.name else "A scene began"
        case SceneEnded():
            return "The scene closed"
        case DowntimeStarted():
            return f"Downtime began: {event.reason}" if event.reason else "Downtime began"
        case DowntimeEnded():
            return "Downtime ended"
        case CalendarAdvanced():
            return f"{span(event.seconds)} passed"
        case Hidden():
            return "Something happened that you cannot see"
        case _:
            assert_never(event)


def _setting(event: SettingChanged) -> str:
    """A switch is turned on or off; anything else is set to something."""
    if isinstance(event.value, bool):
        return f"The setting {event.key} was turned {'on' if event.value else 'off'}"
    return f"The setting {event.key} was set to {'its default' if event.value is None else event.value}"


def _rolled(event: DiceRolled, name: Callable[[Any], str]) -> str:
    """A free roll in one line: `Ana rolled 4d6kh3+2: 5 6 (1) 4 → 17`."""
    who = f" for {name(event.character)}" if event.character is not None else ""
    pools = range(max((die.pool for die in event.dice), default=-1) + 1)
    faces = ", ".join(" ".join(_face(die) for die in event.dice if die.pool == pool) for pool in pools)
    counted = ""
    if event.successes is not None:
        counted = f", {event.successes} success{'es' if event.successes != 1 else ''}"
    why = f" ({event.label})" if event.label else ""
    return (
        f"{name(event.rolled_by)} rolled {event.notation}{who}{why}: {faces or 'no dice'} → {event.total}{counted}"
    )


def _face(die: CountedDie) -> str:
    """A die as it lies there: dropped and replaced ones in parentheses, `!` after one that exploded."""
    signed = die.value not in (die.natural, 0)  # fudge dice show -1, 0 and +1
    text = (f"{die.value:+}" if signed else str(die.value)) + ("!" if die.exploded else "")
    return text if die.kept else f"({text})"


def span(seconds: int) -> str:
    """Campaign time in words, e.g. `3 days 4 hours`."""
    days, rest = divmod(seconds, DAY_SECONDS)
    hours, rest = divmod(rest, HOUR_SECONDS)
    parts = [(days, "day"), (hours, "hour"), (rest // 60, "minute")]
    return " ".join(f"{count} {unit}{'s' if count != 1 else ''}" for count, unit in parts if count) or "No time"
