"""Lines of the chronicle as a page shows them: who, what in sentences, the dice, and what undid it."""

from collections.abc import Sequence
from datetime import datetime

from msgspec import Struct

from domain.campaign.secrecy.audience import accounts_in
from domain.ids import ActionId
from domain.lifecycle_events import SessionStarted
from domain.rejection import Rejection
from domain.sentences import Part, Sentence, in_a_row, say
from domain.systems.system import JudgedDie
from projections.campaign.chronicle import ActionEntry
from projections.campaign.rolls import DiceRoll
from services.api.paths import action_of
from services.application import Application
from services.queries.campaign_reader import VisibleCampaign
from services.queries.chronicle import ActionsPage, entries_of, one_action
from services.queries.event_scan import by_action
from services.web.campaign_page import campaign_path
from services.web.templates import where_read
from services.web.time_line import session_title

STARTED = SessionStarted.__struct_config__.tag

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
}
"""What the rules made of dice, in a word. Overdrive's `none` is no tier: the sentence counts the successes."""


class Die(Struct, frozen=True):
    """A die as it is drawn. `fate` is `won`, `lost`, or empty where no single die succeeds; `kept`: it counts.

    `letters` are written below its face.
    """

    sides: int
    face: int
    fate: str
    kept: bool
    letters: str


class Roll(Struct, frozen=True):
    """Dice that fell together: whose, which, in words for who does not see them, and what came of them."""

    name: str
    dice: list[Die]
    told: Sentence
    outcome: Sentence | None


class Rule(Struct, frozen=True):
    """What separates play sessions: the session's name, None in the middle of one, and the day."""

    title: Sentence | None
    at: str


class Undone(Struct, frozen=True):
    """What undid an action: its number, its page, and its first sentence."""

    seq: int
    path: str
    told: str


class Line(Struct, frozen=True):
    """One action. `actor` is empty where no person acted; `readers` says who can read it, if not everybody can.

    `until` is the last of its seqs. `is_revealable`: it is hidden from some to this day.
    """

    seq: int
    until: int
    path: str
    initial: str
    actor: str
    at: str
    sentences: list[str]
    note: str
    rolls: list[Roll]
    undone: Undone | None
    readers: Sentence | None
    is_hidden: bool
    is_revealable: bool
    rule: Rule | None


async def lines_of(
    application: Application, seen: VisibleCampaign, page: ActionsPage, *, is_going_on: bool = False
) -> list[Line]:
    """The actions of a page as lines, oldest first; each day and each play session begins with a rule.

    Lines that go on below others (`is_going_on`) have a rule for a play session only.
    """
    return await lines_among(application, seen, page.actions, is_going_on=is_going_on)


async def lines_among(
    application: Application, seen: VisibleCampaign, actions: Sequence[ActionEntry], *, is_going_on: bool = False
) -> list[Line]:
    """Actions that follow each other as lines, as those of a page."""
    entries = sorted(actions, key=lambda each: each.seq)
    undone = await _undone_by(application, seen, entries)
    sessions = await _sessions(application, seen, entries)
    lines: list[Line] = []
    day = _day(entries[0].at) if is_going_on and entries else ""
    for entry in entries:
        began, rule = _day(entry.at), None
        if entry.action_id in sessions:
            rule = Rule(sessions[entry.action_id], entry.at)
        elif began != day:
            rule = Rule(None, entry.at)
        day = began
        lines.append(_line(seen, entry, undone, rule))
    return lines


async def line_of(application: Application, seen: VisibleCampaign, action: str) -> Line | None:
    """An action by its id, as a line that stands by itself; None: none is asked for, or the reader knows none."""
    if not action:
        return None
    try:
        entry, _ = await one_action(application.log, seen, action_of(action))
    except Rejection:
        return None
    return _line(seen, entry, {}, None)


def _day(at: str) -> str:
    """The day of a moment where its reader is, as `<time>` shows it."""
    return where_read(datetime.fromisoformat(at)).date().isoformat()


def _line(seen: VisibleCampaign, entry: ActionEntry, undone: dict[ActionId, Undone], rule: Rule | None) -> Line:
    actor = entry.actor_name or ""
    return Line(
        seq=entry.seq,
        until=entry.last_seq,
        path=action_path(seen, entry.seq),
        initial=actor[:1].upper(),
        actor=actor,
        at=entry.at,
        sentences=entry.beside_dice or entry.summary,
        note=entry.note or "",
        rolls=[_roll(each) for each in entry.rolls],
        undone=undone.get(entry.undone_in) if entry.undone_in is not None else None,
        readers=_readers(seen, entry),
        is_hidden=entry.type is None,
        is_revealable=entry.visibility != "all" and entry.type is not None and entry.revealed_in is None,
        rule=rule,
    )


def action_path(seen: VisibleCampaign, seq: int) -> str:
    """Where the page of an action is, by its first event."""
    return f"{campaign_path(seen)}/a/{seq}"


def _readers(seen: VisibleCampaign, entry: ActionEntry) -> Sentence | None:
    """Who can read an action that not everybody can; None also for who cannot."""
    if entry.visibility == "all" or entry.type is None:
        return None
    if entry.revealed_in is not None:
        return say("Was hidden at first")
    named = [seen.name(account) for account in accounts_in(entry.visibility)]
    return say("Only for {names} and GMs", names=in_a_row(named, ", ")) if named else say("Only for GMs")


def _roll(roll: DiceRoll) -> Roll:
    told = in_a_row([_told(each) for each in roll.dice], ", ")
    return Roll(
        name=roll.name,
        dice=[Die(each.sides, each.face, _fate(each), each.kept, each.letters or "") for each in roll.dice],
        told=say("Dice of {name}: {dice}", name=roll.name, dice=told),
        outcome=OUTCOMES.get(roll.outcome or ""),
    )


def _fate(die: JudgedDie) -> str:
    return "" if die.success is None else "won" if die.success else "lost"


def _told(die: JudgedDie) -> Part:
    told = say("d{sides} {face}", sides=die.sides, face=die.face)
    if die.letters is not None:
        told = say("{letters} {die}", letters=die.letters, die=told)
    if not die.kept:
        return say("{die}, dropped", die=told)
    return say("{die}, a success", die=told) if die.success else told


async def _undone_by(
    application: Application, seen: VisibleCampaign, entries: list[ActionEntry]
) -> dict[ActionId, Undone]:
    """What undid these actions, as far as it is told."""
    wanted = list(dict.fromkeys(each.undone_in for each in entries if each.undone_in is not None))
    rows = await application.log.actions(seen.campaign_id, wanted) if wanted else []
    told = await entries_of(application.log, by_action(rows), seen)
    return {each.action_id: Undone(each.seq, action_path(seen, each.seq), each.summary[0]) for each in told}


async def _sessions(
    application: Application, seen: VisibleCampaign, entries: list[ActionEntry]
) -> dict[ActionId, Sentence]:
    """The play sessions that begin in these actions, and stand."""
    wanted = [each.action_id for each in entries if STARTED in each.events and each.undone_in is None]
    rows = await application.log.actions(seen.campaign_id, wanted) if wanted else []
    found: dict[ActionId, Sentence] = {}
    for row in rows:
        event = seen.read(row).event
        if isinstance(event, SessionStarted):
            found[row.action_id] = session_title(event.number, event.title)
    return found
