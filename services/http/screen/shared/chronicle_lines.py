"""Lines of the chronicle as a page shows them: the actor, the sentences, the dice, and an undo."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from msgspec import Struct

from domain.campaign.secrecy.audience import accounts_in
from domain.ids import ActionId
from domain.lifecycle_events import SessionStarted
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, in_a_row, say
from domain.systems.system import JudgedDie
from projections.campaign.chronicle import ActionEntry
from projections.campaign.dates import CampaignDates
from projections.campaign.dice_of_action import DiceRoll
from projections.timestamps import moment
from services.application import Application
from services.campaign.visible_campaign import VisibleCampaign
from services.http.screen.shared.campaign_page import campaign_path
from services.http.screen.shared.templates import where_read
from services.reading.chronicle import ActionsPage, one_action
from services.reading.event_scan import by_action
from services.reading.parameters import action_of
from services.reading.play_session import session_title

STARTED = SessionStarted.__struct_config__.tag
BEFORE = "before-"
"""The beginning of an action's id in an address, where a form was sent again that had done it before."""
NOTHING = "nothing"
"""The text in an address in place of an action's id, where a form changed nothing."""

OUTCOMES: dict[str, Sentence] = {
    "success": say("Success"),
    "failure": say("Failure"),
    "hit": say("Hit"),
    "miss": say("Miss"),
    "critical": say("Critical hit"),
    "fumble": say("Fumble"),
    "basic": say("Basic success"),
    "greater": say("Greater success"),
    "major": say("Major success"),
    "cinematic": say("Cinematic success"),
    "held": say("Held"),
    "failed": say("Not held"),
    "tie": say("Tie"),
}
"""The rules' outcome of dice, in a word. Overdrive's `none` is no tier: the sentence counts the successes."""


class Die(Struct, frozen=True):
    """A die as it is drawn."""

    sides: int
    face: int
    fate: str
    """`won`, `lost`, or empty where no single die succeeds."""
    kept: bool
    """It counts."""
    letters: str
    """Written below its face."""


class Roll(Struct, frozen=True):
    """Dice that fell together: roller, faces, words for readers who do not see them, and outcome."""

    name: str
    dice: list[Die]
    told: Sentence
    outcome: Sentence | None


class Rule(Struct, frozen=True):
    """A separator of play sessions and days: the session's name, None in the middle of one, and the day."""

    title: Sentence | None
    at: str
    """Empty where only the day of the campaign's calendar changes."""
    date: Part = ""
    """The day of the campaign's calendar; empty where time has not moved there."""


class UndoLink(Struct, frozen=True):
    """The undo of an action: its number and its page."""

    seq: int
    path: str


class Line(Struct, frozen=True):
    """One action."""

    seq: int
    until: int
    """The last of its seqs."""
    path: str
    initial: str
    actor: str
    """Empty where no person acted."""
    at: str
    sentences: list[str]
    note: str
    rolls: list[Roll]
    undone: UndoLink | None
    readers: Sentence | None
    """Its readers, if not everybody can read it."""
    is_hidden: bool
    is_revealable: bool
    """It is hidden from some to this day."""
    rule: Rule | None
    leads_to_undo: bool
    """Whether its reader can see what undoing it would do."""
    date: Part = ""
    """When it was in the campaign's calendar; empty where time has not moved there."""
    text: str = ""
    """All of it as text, with the faces of its dice; empty: its reader may not read it."""


class OwnAction(Struct, frozen=True):
    """The reader's last action, after its form was sent."""

    line: Line | None
    """None if it changed nothing."""
    is_before: bool
    """Whether it was done when the form was first sent, and not again now."""


async def lines_of(
    application: Application, campaign: VisibleCampaign, page: ActionsPage, *, is_going_on: bool = False
) -> list[Line]:
    """The actions of a page as lines, oldest first; a rule stands before each day and each play session.

    Days are those of real time and those of the campaign's calendar. Lines that go on below others
    (`is_going_on`) have no rule for the day of the line above them.
    """
    return await lines_among(application, campaign, page.actions, is_going_on=is_going_on)


async def lines_among(
    application: Application,
    campaign: VisibleCampaign,
    actions: Sequence[ActionEntry],
    *,
    is_going_on: bool = False,
) -> list[Line]:
    """Actions that follow each other as lines, as those of a page."""
    entries = sorted(actions, key=lambda action: action.seq)
    undoings = await _undone_by(application, campaign, entries)
    sessions = await _sessions(application, campaign, entries)
    lines: list[Line] = []
    dates = CampaignDates(campaign.state, campaign.language)
    before = await _days_before(application, campaign, entries[0].seq, dates) if is_going_on and entries else None
    for entry in entries:
        days = _Days(_day(entry.at), dates.count(entry.game_time) or (before.in_campaign if before else None))
        rule = None
        if entry.action_id in sessions:
            rule = Rule(sessions[entry.action_id], entry.at, dates.day(entry.game_time))
        elif before is None or days != before:
            is_new_day = before is None or days.real != before.real
            rule = Rule(None, entry.at if is_new_day else "", dates.day(entry.game_time))
        before = days
        lines.append(_line(campaign, entry, undoings, rule))
    return lines


async def line_of(application: Application, campaign: VisibleCampaign, action: str) -> Line | None:
    """An action by its id, as a line that stands by itself; None: none is asked for, or the reader knows none."""
    if not action:
        return None
    try:
        entry, _ = await one_action(application.log, campaign, action_of(action))
    except Rejection:
        return None
    return _line(campaign, entry, {}, None)


async def happened_of(application: Application, campaign: VisibleCampaign, last_action: str) -> OwnAction | None:
    """The action that the reader just did, as the address of a page says it: `done_in` an action."""
    is_before, action = last_action.startswith(BEFORE), last_action.removeprefix(BEFORE)
    if action == NOTHING:
        return OwnAction(None, is_before)
    line = await line_of(application, campaign, action)
    return None if line is None else OwnAction(line, is_before)


def done_in(action: ActionId | None, *, is_before: bool) -> str:
    """Name an action in the address of the page that follows its form; None changed nothing.

    `is_before`: the form was sent before, and that did it.
    """
    return f"{BEFORE if is_before else ''}{action or NOTHING}"


def _day(at: str) -> str:
    """The day of a moment where its reader is, as `<time>` shows it."""
    return where_read(datetime.fromisoformat(at)).date().isoformat()


class _Days(NamedTuple):
    """The day of an action in real time, and by the campaign's calendar; None: time has not moved there."""

    real: str
    in_campaign: int | None


async def _days_before(
    application: Application, campaign: VisibleCampaign, seq: int, dates: CampaignDates
) -> _Days | None:
    """The days of what happened before an event; None before the first."""
    rows = campaign.news_after(seq - 2) if seq > 1 else []
    if rows is None:
        rows = await application.log.tail(campaign.campaign_id, seq - 2, limit=1)
    return _Days(_day(moment(rows[0].recorded_at)), dates.count(rows[0].game_time)) if rows else None


def _line(
    campaign: VisibleCampaign, entry: ActionEntry, undoings: dict[ActionId, UndoLink], rule: Rule | None
) -> Line:
    actor = entry.actor_name or ""
    return Line(
        seq=entry.seq,
        until=entry.last_seq,
        path=action_path(campaign, entry.seq),
        initial=actor[:1].upper(),
        actor=actor,
        at=entry.at,
        sentences=entry.beside_dice or entry.summary,
        note=entry.note or "",
        rolls=[_roll(roll) for roll in entry.rolls],
        undone=undoings.get(entry.undone_in) if entry.undone_in is not None else None,
        readers=_readers(campaign, entry),
        is_hidden=entry.type is None,
        is_revealable=entry.visibility != "all" and entry.type is not None and entry.revealed_in is None,
        rule=rule,
        leads_to_undo=entry.type is not None and not campaign.watching_code,
        date=CampaignDates(campaign.state, campaign.language).moment(entry.game_time),
        text="" if entry.type is None else "\n".join([*entry.summary, *([entry.note] if entry.note else [])]),
    )


def action_path(campaign: VisibleCampaign, seq: int) -> str:
    """Where the page of an action is, by its first event."""
    return f"{campaign_path(campaign)}/a/{seq}"


def _readers(campaign: VisibleCampaign, entry: ActionEntry) -> Sentence | None:
    """The readers of an action that is not open to everybody; None also for readers who are not among them."""
    if entry.visibility == "all" or entry.type is None:
        return None
    if entry.revealed_in is not None:
        return say("Was hidden at first")
    names = [campaign.name(account) for account in accounts_in(entry.visibility)]
    return say("Only for {names} and GMs", names=in_a_row(names, ", ")) if names else say("Only for GMs")


def _roll(roll: DiceRoll) -> Roll:
    dice = in_a_row([_in_words(die) for die in roll.dice], ", ")
    return Roll(
        name=roll.name,
        dice=[Die(die.sides, die.face, _fate(die), die.kept, die.letters or "") for die in roll.dice],
        told=say("Dice of {name}: {dice}", name=roll.name, dice=dice),
        outcome=OUTCOMES.get(roll.outcome or ""),
    )


def _fate(die: JudgedDie) -> str:
    return "" if die.success is None else "won" if die.success else "lost"


def _in_words(die: JudgedDie) -> Part:
    text = say("d{sides} {face}", sides=die.sides, face=die.face)
    if die.letters is not None:
        text = say("{letters} {die}", letters=die.letters, die=text)
    if not die.kept:
        return say("{die}, dropped", die=text)
    return say("{die}, a success", die=text) if die.success else text


async def _undone_by(
    application: Application, campaign: VisibleCampaign, entries: list[ActionEntry]
) -> dict[ActionId, UndoLink]:
    """The undo of each of these actions; its own line says the rest."""
    action_ids = list(dict.fromkeys(entry.undone_in for entry in entries if entry.undone_in is not None))
    rows = await application.log.actions(campaign.campaign_id, action_ids) if action_ids else []
    firsts = [action[0] for action in by_action(rows)]
    return {first.action_id: UndoLink(first.seq, action_path(campaign, first.seq)) for first in firsts}


async def _sessions(
    application: Application, campaign: VisibleCampaign, entries: list[ActionEntry]
) -> dict[ActionId, Sentence]:
    """The play sessions that begin in these actions, and stand."""
    action_ids = [entry.action_id for entry in entries if STARTED in entry.events and entry.undone_in is None]
    rows = await application.log.actions(campaign.campaign_id, action_ids) if action_ids else []
    titles: dict[ActionId, Sentence] = {}
    for row in rows:
        event = campaign.read(row).event
        if isinstance(event, SessionStarted):
            titles[row.action_id] = session_title(event.number, event.title)
    return titles
