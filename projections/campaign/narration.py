"""A campaign's own events in words."""

from collections.abc import Callable
from typing import Any, assert_never
from uuid import UUID

from msgspec import UNSET

from domain.campaign.calendar.advance import DAY_SECONDS, HOUR_SECONDS
from domain.campaign.calendar.downtime_messages import (
    ActivityFinished,
    ActivityPlanned,
    ActivityStarted,
    ActivityStopped,
    DowntimeEvent,
    RequirementMet,
)
from domain.campaign.events import (
    ActionRevealed,
    AttendanceMarked,
    BalancesEntered,
    CampaignEvent,
    CharacterAssigned,
    DiceEpochEnded,
    DiceEpochStarted,
    DiceRolled,
    DiceWordsAdded,
    EntryPosted,
    Hidden,
    HiddenDiceRevealed,
    HiddenRollProved,
    MemberJoined,
    MemberLeft,
    NoteAdded,
    RoleChanged,
    SettingChanged,
)
from domain.campaign.history.messages import (
    ActionAffected,
    ActionRedone,
    ActionUndone,
    DiceCameBack,
    RolledAgain,
    UndoDeclined,
    UndoRequested,
)
from domain.campaign.lifecycle.archive_events import ArchiveEvent, CampaignArchived, CampaignUnarchived
from domain.campaign.money.messages import EntryPending, PendingPosted, PendingVoided
from domain.campaign.play.characters import plain_name
from domain.campaign.privacy.erasure import TextsErased
from domain.campaign.scheduling.messages import (
    TimerCancelled,
    TimerEvent,
    TimerFired,
    TimerPaused,
    TimerResumed,
    TimerScheduled,
)
from domain.campaign.transfer.import_events import CampaignImported, ImportCompleted, ImportEvent
from domain.command_context import Role
from domain.dice.rolling import CountedDie
from domain.ids import AccountId
from domain.lifecycle_events import (
    CalendarAdvanced,
    CampaignCreated,
    DowntimeEnded,
    DowntimeStarted,
    SceneEnded,
    SceneStarted,
    SessionEnded,
    SessionStarted,
)
from domain.sentences import Sentence, in_a_row, joined, say, say_many, term
from domain.systems import SYSTEMS
from projections.campaign import narration_dice, narration_history, narration_settings

CURRENCIES = sorted({each for system in SYSTEMS.values() for each in system.currencies})

TERMS = (Role, CURRENCIES, narration_settings.WORDS)
"""Whose words are said as terms."""


def tell(event: CampaignEvent, name: Callable[[Any], str]) -> str | Sentence:
    """One campaign event as a sentence; notes and free rolls are tried first, for most of them are those."""
    match event:
        case NoteAdded():
            if event.about is None:
                return say("Note: {text}", text=event.text)
            return say("Note about {about}: {text}", about=name(event.about), text=event.text)
        case DiceRolled():
            return _rolled(event, name)
        case CampaignCreated():
            played = joined(SYSTEMS[system].title for system in event.systems)
            who = name(event.created_by)
            return say(
                "{who} founded “{campaign}”, played with {systems}", who=who, campaign=event.name, systems=played
            )
        case MemberJoined():
            return say("{who} joined as {role}", who=name(event.account), role=term(event.role))
        case RoleChanged():
            return say("{who} is {role} from now on", who=name(event.account), role=term(event.role))
        case MemberLeft():
            who = name(event.account)
            if event.removed:
                return say("{who} was taken out of the campaign", who=who)
            return say("{who} left the campaign", who=who)
        case CharacterAssigned():
            if event.player is None:
                return say("{character} belongs to nobody now", character=name(event.character))
            return say("{character} belongs to {who} now", character=name(event.character), who=name(event.player))
        case CampaignImported() | ImportCompleted() | CampaignArchived() | CampaignUnarchived():
            return _as_a_whole(event, name)
        case SettingChanged():
            return narration_settings.tell(event)
        case EntryPosted() | BalancesEntered():
            return _booked(event, name)
        case DiceEpochStarted() | DiceEpochEnded() | HiddenDiceRevealed() | HiddenRollProved():
            return narration_dice.tell(event)
        case DiceWordsAdded() | DiceCameBack() | RolledAgain():
            return _about_dice(event, name)
        case SessionStarted():
            return _sat_down(event, name)
        case AttendanceMarked():
            return _attended(event, name)
        case SessionEnded():
            return say("Play session {number} ended", number=event.number)
        case SceneStarted():
            return say("Scene: {scene}", scene=event.name) if event.name else say("A scene began")
        case SceneEnded():
            return say("The scene closed")
        case DowntimeStarted():
            return say("Downtime began: {why}", why=event.reason) if event.reason else say("Downtime began")
        case DowntimeEnded():
            return say("Downtime ended")
        case CalendarAdvanced():
            return say("{span} passed", span=span(event.seconds)) if event.seconds else say("No time passed")
        case ActivityPlanned() | ActivityStarted() | RequirementMet() | ActivityFinished() | ActivityStopped():
            return activity(event, name)
        case EntryPending() | PendingPosted() | PendingVoided():
            return _in_two_steps(event, name)
        case TimerScheduled() | TimerCancelled() | TimerPaused() | TimerResumed() | TimerFired():
            return timer(event)
        case (
            ActionUndone()
            | ActionRedone()
            | ActionAffected()
            | UndoRequested()
            | UndoDeclined()
            | ActionRevealed()
        ):
            return narration_history.tell([event], narration_history.unquoted, name)
        case TextsErased():
            return _erased(event, name)
        case Hidden():
            return say("Something happened that you cannot see")
        case _:
            assert_never(event)


def _attended(event: AttendanceMarked, name: Callable[[Any], str]) -> Sentence:
    """Somebody came late, or left early."""
    who = name(event.account)
    if event.present:
        return say("{who} joined the play session", who=who)
    return say("{who} left the play session", who=who)


def activity(event: DowntimeEvent, name: Callable[[Any], str]) -> Sentence:
    """What somebody does with their time."""
    title = event.title
    match event:
        case ActivityPlanned():
            who, takes = name(event.character), span(event.takes)
            return say("{who} wants to spend {span} on “{title}”", who=who, span=takes, title=title)
        case ActivityStarted():
            return say("{who} begins: “{title}”", who=name(event.character), title=title)
        case RequirementMet():
            return say("“{title}” no longer waits for: {requirement}", title=title, requirement=event.requirement)
        case ActivityFinished():
            return say("{who} finishes: “{title}”", who=name(event.character), title=title)
        case ActivityStopped():
            who, done = name(event.character), span(event.done)
            return say("{who} breaks off after {span}: “{title}”", who=who, span=done, title=title)


def _in_two_steps(event: EntryPending | PendingPosted | PendingVoided, name: Callable[[Any], str]) -> Sentence:
    """Currency that is set aside, and what became of it."""
    debit, credit = in_words(event.debit, name), in_words(event.credit, name)
    amount, currency = event.change, term(event.currency)
    match event:
        case EntryPending():
            return say(
                "{amount} {currency} are set aside, from {debit} for {credit}: {reason}",
                amount=amount,
                currency=currency,
                debit=debit,
                credit=credit,
                reason=event.reason,
            )
        case PendingPosted():
            return say(
                "{credit} got {amount} {currency} from {debit}",
                amount=amount,
                currency=currency,
                debit=debit,
                credit=credit,
            )
        case PendingVoided():
            return say("{debit} got {amount} {currency} back", amount=amount, currency=currency, debit=debit)


def holder(account: str, name: Callable[[Any], str]) -> str | None:
    """Who an account of the ledger belongs to: `Mara` for `pilot:pilot-5f0c…`; None for one of nobody's."""
    owner = account.partition(":")[2]
    try:
        return name(AccountId(UUID(owner)))
    except ValueError:
        person = name(owner)
    return None if person == owner else person


def called(account: str, name: Callable[[Any], str]) -> str:
    """An account of the ledger by its title in the chart, or by whose it is; else it keeps its own name."""
    return _titled(account, name) or account.replace(":", ": ", 1)


def in_words(account: str, name: Callable[[Any], str]) -> str:
    """The same within a sentence, where one of nobody's is called by its last word."""
    return _titled(account, name) or plain_name(account)


def _titled(account: str, name: Callable[[Any], str]) -> str | None:
    title = name(account)
    return title if title != account else holder(account, name)


def timer(event: TimerEvent) -> Sentence:
    """What happened to a timer."""
    title = event.title
    match event:
        case TimerScheduled():
            return say("Scheduled: “{title}”", title=title)
        case TimerCancelled():
            return say("Cancelled: “{title}”", title=title)
        case TimerPaused():
            return say("Paused: “{title}”", title=title)
        case TimerResumed():
            return say("“{title}” goes on", title=title)
        case TimerFired():
            return say("It is time: “{title}”", title=title)


def _as_a_whole(event: ImportEvent | ArchiveEvent, name: Callable[[Any], str]) -> str | Sentence:
    """Where the facts of another campaign begin and end, and where nothing happens for a while."""
    if isinstance(event, CampaignArchived):
        return say("The campaign was archived")
    if isinstance(event, CampaignUnarchived):
        return say("The campaign was taken up again")
    if isinstance(event, ImportCompleted):
        return say("Everything was brought over, and {who} leads the campaign", who=name(event.gm))
    return say(
        "What follows was brought over from another campaign: {events} events, exported {when}",
        events=event.events,
        when=event.exported_at,
    )


def _booked(event: EntryPosted | BalancesEntered, name: Callable[[Any], str]) -> Sentence:
    if isinstance(event, BalancesEntered):
        return joined(
            say(
                "{account} has {balance} {currency}",
                account=in_words(account, name),
                balance=balance,
                currency=term(currency),
            )
            for account, held in event.balances.items()
            for currency, balance in held.items()
        )
    return say(
        "{amount} {currency} moved from {debit} to {credit}: {reason}",
        amount=event.change,
        currency=term(event.currency),
        debit=in_words(event.debit, name),
        credit=in_words(event.credit, name),
        reason=event.reason,
    )


def _about_dice(event: DiceWordsAdded | DiceCameBack | RolledAgain, name: Callable[[Any], str]) -> Sentence:
    match event:
        case DiceWordsAdded():
            who = name(event.account)
            return say("{who} added words to the dice of epoch {epoch}", who=who, epoch=event.epoch)
        case DiceCameBack():
            return say("The dice are those of a roll that was undone")
        case RolledAgain() if event.readers is UNSET:
            return say("Rolled again, after an undo")
        case RolledAgain():
            return say("Rolled again, after an undo, for fewer to read")


def _erased(event: TextsErased, name: Callable[[Any], str]) -> Sentence:
    """What is gone is counted, and never said again."""
    if event.account is not None:
        who = name(event.account)
        return say_many("{n} text of {who} was erased", "{n} texts of {who} were erased", event.texts, who=who)
    return say_many("{n} text was erased", "{n} texts were erased", event.texts)


def _sat_down(event: SessionStarted, name: Callable[[Any], str]) -> Sentence:
    """Who came to the table, to play what."""
    present = in_a_row(map(name, event.present)) if event.present else say("nobody")
    if event.title:
        return say(
            "Play session {number}, “{title}”, began with {present}",
            number=event.number,
            title=event.title,
            present=present,
        )
    return say("Play session {number} began with {present}", number=event.number, present=present)


def _rolled(event: DiceRolled, name: Callable[[Any], str]) -> Sentence:
    """A free roll in one line: `Ana rolled 4d6kh3+2: 5 6 (1) 4 → 17`."""
    pools = sorted({die.pool for die in event.dice})
    faces = ", ".join(" ".join(_face(die) for die in event.dice if die.pool == pool) for pool in pools)
    what: Sentence | str = event.notation
    if event.character is not None:
        what = say("{notation} for {character}", notation=event.notation, character=name(event.character))
    result: Sentence | str = str(event.total)
    if event.successes is not None:
        total = event.total
        result = say_many("{total}, {n} success", "{total}, {n} successes", event.successes, total=total)
    who, dice = name(event.rolled_by), faces or say("no dice")
    if event.label:
        why = event.label
        return say(
            "{who} rolled {what} ({why}): {dice} → {result}", who=who, what=what, why=why, dice=dice, result=result
        )
    return say("{who} rolled {what}: {dice} → {result}", who=who, what=what, dice=dice, result=result)


def _face(die: CountedDie) -> str:
    """A die as it lies there: dropped and replaced ones in parentheses, `!` after one that exploded."""
    signed = die.value not in (die.natural, 0)  # fudge dice show -1, 0 and +1
    text = (f"{die.value:+}" if signed else str(die.value)) + ("!" if die.exploded else "")
    return text if die.kept else f"({text})"


def span(seconds: int) -> Sentence:
    """Campaign time in words, e.g. `3 days 4 hours`."""
    days, rest = divmod(seconds, DAY_SECONDS)
    hours, rest = divmod(rest, HOUR_SECONDS)
    minutes, rest = divmod(rest, 60)
    parts = [
        *([say_many("{n} day", "{n} days", days)] if days else []),
        *([say_many("{n} hour", "{n} hours", hours)] if hours else []),
        *([say_many("{n} minute", "{n} minutes", minutes)] if minutes else []),
        *([say_many("{n} second", "{n} seconds", rest)] if rest else []),
    ]
    return in_a_row(parts, " ") if parts else say("No time")
