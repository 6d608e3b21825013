"""Which reads an action changed for one reader: what a client of the live feed has to ask for again.

Whatever is drawn from the campaign as it stands is drawn before and after, and compared. What is told from the log
goes by the events, as their reader sees them.
"""

from collections.abc import Iterable
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Raw, Struct, structs

from domain.campaign import events as c
from domain.campaign.messages.archive import ArchiveEvent
from domain.campaign.messages.erasure import TextsErased
from domain.campaign.messages.history import ActionRedone, ActionUndone
from domain.campaign.messages.imports import ImportEvent
from domain.campaign.play.free_rolls import rolls
from domain.campaign.state import CampaignState, ServerDice
from domain.campaign.subjects import named_in
from domain.command_context import Role
from domain.recorded_event import Recorded
from domain.systems import SYSTEMS
from projections.boards import board, boards
from projections.campaign.campaign_view import campaign_view, members, roster
from projections.campaign.downtime import downtime_view
from projections.campaign.ledger import account_balances, pending_entries, statement_rows
from projections.campaign.timers import timer_board
from projections.service_records import SESSIONS
from projections.sheets import sheet
from projections.systems import SYSTEM_VIEWS
from services.queries.campaign_reader import VisibleCampaign
from services.queries.ledger_drift import known_drift
from services.queries.names_in_answers import names_in
from services.queries.quotation import NAMELESS

EVERYTHING = "everything"

CHANGES_EVERYTHING = (
    ActionUndone
    | ActionRedone
    | c.ActionRevealed
    | TextsErased
    | c.SettingChanged
    | c.MemberJoined
    | c.RoleChanged
    | c.MemberLeft
    | c.HiddenDiceRevealed
    | c.HiddenRollProved
    | ArchiveEvent
    | ImportEvent
)
"""After these all that is told from the log may be told otherwise, whenever it happened."""

DECIDES_NOTHING = c.Hidden | c.NoteAdded | c.DiceRolled | c.DiceEpochStarted | c.DiceEpochEnded | c.DiceWordsAdded
"""After these a member may give the same commands as before."""

_RECORDED = SESSIONS.union(*(views.record.kinds() for views in SYSTEM_VIEWS.values()))
_TOLD_WITH_NAMES = ("chronicle", "ledger", "recap", "records")

_encoder = msgspec.json.Encoder()


class Drawn(Struct, frozen=True, weakref=True):
    """A hash of each read that is drawn from the campaign as it stands, by its word; without those of its dice."""

    reads: dict[str, int]


class Drawing(Struct, frozen=True):
    """How everything read at `seq`, for who has a `role`."""

    seq: int
    role: Role
    drawn: Drawn
    dice: int

    def unlike(self, earlier: "Drawing") -> set[str]:
        """The words for what reads otherwise than before."""
        if self.role != earlier.role:
            return {EVERYTHING}
        now, before = self.drawn.reads, earlier.drawn.reads
        found = (
            set[str]()
            if now is before
            else {word for word in now.keys() | before.keys() if now.get(word) != before.get(word)}
        )
        if self.dice != earlier.dice:
            found.add("dice")
        return found - {"names"} | {*_TOLD_WITH_NAMES} if "names" in found else found


class Drawings:
    """What open feeds have drawn, so that feeds of readers who know the same share it.

    Nothing is drawn once more while nothing happens but what is only told, such as notes.
    """

    def __init__(self) -> None:
        self._held: WeakValueDictionary[tuple[Any, ...], Drawn] = WeakValueDictionary()

    def of(self, seen: VisibleCampaign) -> Drawing:
        """What was just seen, drawn at once: who goes on folding does so in place."""
        people = tuple(seen.name(each) for each in (*seen.state.members, *seen.state.former_members))
        key = (seen.campaign_id, seen.audience.key, seen.role, seen.moved, people)
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = Drawn(_hashes(seen))
        return Drawing(seen.seq, seen.role, found, hash(_encoder.encode(seen.state.dice)))


def touched_by(records: Iterable[Recorded], state: CampaignState) -> set[str]:
    """The words for what is told of an action otherwise than from the campaign as it stands."""
    records = [*records]
    events = [record.event for record in records]
    if any(isinstance(event, CHANGES_EVERYTHING) for event in events):
        return {EVERYTHING}
    found = {"recap"}
    if any(isinstance(event, c.DiceRolled) or rolls(event) for event in events):
        found.add("statistics")
    if any(event.__struct_config__.tag in _RECORDED for event in events):
        found.add("records")
    if statement_rows(records, reader=state):
        found.add("ledger")
    if not all(isinstance(event, DECIDES_NOTHING) for event in events):
        found.add("commands")
    return found


def _hashes(seen: VisibleCampaign) -> dict[str, int]:
    written = {word: Raw(_encoder.encode(drawn)) for word, drawn in _drawn(seen).items()}
    reads = {word: (drawn, names_in(drawn, seen)) for word, drawn in written.items()}
    return {word: hash(_encoder.encode(each)) for word, each in (reads | {"names": _names(seen)}).items()}


def _drawn(seen: VisibleCampaign) -> dict[str, Any]:
    state, name, drift = seen.state, seen.name, known_drift(seen, None)
    timers = timer_board(state, {}, name)
    campaign = campaign_view(state, seen.campaign_id, 0, seen.role, name, drift)
    drawn: dict[str, Any] = {
        "campaign": (campaign, _marks(seen) if campaign.pending else None),
        "members": members(state, name),
        "sheets": roster(state, name),
        "boards": boards(state),
        "ledger": (account_balances(state, name), pending_entries(state, name), drift),
        "timers": timers,
        "calendar": (state.game_time, state.downtime, timers),
        "downtime": downtime_view(state, 0, name),
    }
    for each in boards(state):
        _, shown = board(state, each.system, each.board, name)
        marks = _marks(seen) if getattr(shown, "waits_for", None) else None
        drawn[f"board:{each.system}/{each.board}"] = (shown, marks)
    for known in roster(state, name):
        drawn[f"sheet:{known.character}"] = sheet(state, known.system, known.character)
    return drawn


def _marks(seen: VisibleCampaign) -> int | None:
    """Stands for what is marked of that which is waited for: whether its answers have to be asked hidden.

    To find that out, answers are tried on the campaign as its reader and as everybody knows it, which takes many
    times as long as all drawing. So it counts as another mark where either is another campaign than before.
    """
    if seen.common is None or seen.common is seen.state:
        return None
    known = (structs.replace(each, dice=ServerDice()) for each in (seen.state, seen.common))
    return hash(b"".join(map(_encoder.encode, known)))


def _names(seen: VisibleCampaign) -> list[tuple[str, str | None]]:
    """What everything in the campaign is called that has a name: the past is told with these."""
    state = seen.state
    things = (
        (thing, SYSTEMS[system].name(inner, thing))
        for system, inner in state.systems.items()
        for thing in sorted(named_in(_encoder.encode(inner)))
        if thing.rpartition("-")[0] not in NAMELESS
    )
    people = ((str(each), seen.name(each)) for each in (*state.members, *state.former_members))
    return [*((thing, name) for thing, name in things if name is not None), *people]
