"""The reads that an action changed for one reader, for which a client of the live feed has to ask again.

All reads that are drawn from the campaign as it stands are drawn before and after, and compared. Those told from
the log go by the events, as their reader sees them.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Raw, Struct

from domain.campaign import events as c
from domain.campaign.messages.archive import ArchiveEvent
from domain.campaign.messages.imports import ImportEvent
from domain.campaign.messages.names import Renamed
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.messages.undo import ActionRedone, ActionUndone
from domain.campaign.money.reconciliation import Drift
from domain.campaign.play.free_rolls import rolls
from domain.campaign.state import CampaignState
from domain.campaign.subjects import named_in
from domain.command_context import Role
from domain.recorded_event import RecordedEvent
from domain.systems import SYSTEMS
from projections.boards import board, boards
from projections.campaign.campaign_view import campaign_view, members, roster
from projections.campaign.downtime import downtime_view
from projections.campaign.ledger import account_balances, pending_entries, statement_rows
from projections.campaign.things import things_of, things_of_group
from projections.campaign.timers import timer_board
from projections.service_records import SESSIONS
from projections.sheets import sheet
from projections.systems import SYSTEM_VIEWS
from services.campaign.visible_campaign import CONTENT_BYTES, VisibleCampaign
from services.reading.action_sentences import NAMELESS
from services.reading.ledger_drift import known_drift
from services.reading.names_in_answers import names_in

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


class ReadHashes(Struct, frozen=True, weakref=True):
    """A hash of each read that is drawn from the campaign as it stands, by its word; without those of its dice."""

    reads: dict[str, int]

    def unlike(self, earlier: "ReadHashes") -> set[str]:
        """The words for what reads otherwise than before."""
        now, before = self.reads, earlier.reads
        if now is before:
            return set()
        return {word for word in now.keys() | before.keys() if now.get(word) != before.get(word)}


class Drawing(Struct, frozen=True):
    """How everything read at `seq`, for readers of one role."""

    seq: int
    role: Role
    content: ReadHashes
    own: ReadHashes
    """The parts that read otherwise where more drift is known."""
    dice: int

    def unlike(self, earlier: "Drawing") -> set[str]:
        """The words for what reads otherwise than before."""
        if self.role != earlier.role:
            return {EVERYTHING}
        words = self.content.unlike(earlier.content) | self.own.unlike(earlier.own)
        if self.dice != earlier.dice:
            words.add("dice")
        return words - {"names"} | {*_TOLD_WITH_NAMES} if "names" in words else words


class Drawings:
    """The drawings of open feeds, shared by feeds of readers who know the same, in one language.

    Events that are only told, such as notes, cause no new drawing.
    """

    def __init__(self) -> None:
        self._contents: WeakValueDictionary[tuple[Any, ...], ReadHashes] = WeakValueDictionary()

    def of(self, campaign: VisibleCampaign) -> Drawing:
        """A drawing of the state just seen, made at once: further folding changes that state in place."""
        people = tuple(
            campaign.name(account) for account in (*campaign.state.members, *campaign.state.former_members)
        )
        known = (campaign.campaign_id, campaign.content, campaign.language, people)
        content = self._drawn(known, campaign, partial(_draw_all, campaign))
        own = self._own(known, campaign)
        return Drawing(campaign.seq, campaign.role, content, own, hash(_encoder.encode(campaign.state.dice)))

    def _own(self, content: tuple[Any, ...], campaign: VisibleCampaign) -> ReadHashes:
        """The parts that drift makes differ: where GMs know of none either, they are the same for all."""
        key = (*content, campaign.audience.gm)
        own = self._contents.get(key)
        if own is None:
            drift = known_drift(campaign, None)
            draw = partial(_draw_own, campaign, drift)
            own = self._contents[key] = self._drawn((*content, _encoder.encode(drift)), campaign, draw)
        return own

    def _drawn(
        self, key: tuple[Any, ...], campaign: VisibleCampaign, draw: Callable[[], dict[str, Any]]
    ) -> ReadHashes:
        drawn = self._contents.get(key)
        if drawn is None:
            drawn = self._contents[key] = ReadHashes(_hashes(campaign, draw()))
        return drawn


def touched_by(records: Iterable[RecordedEvent], state: CampaignState) -> set[str]:
    """The words for what is told of an action otherwise than from the campaign as it stands."""
    records = [*records]
    events = [record.event for record in records]
    if any(isinstance(event, CHANGES_EVERYTHING) for event in events):
        return {EVERYTHING}
    words = {"recap"}
    if any(isinstance(event, c.DiceRolled) or rolls(event) for event in events):
        words.add("statistics")
    words |= {f"rolls:{record.actor}" for record in records if isinstance(record.event, c.DiceRolled)}
    if any(event.__struct_config__.tag in _RECORDED for event in events):
        words.add("records")
    if any(isinstance(event, Renamed) for event in events):
        words |= {*_TOLD_WITH_NAMES}
    if statement_rows(records, reader=state):
        words.add("ledger")
    if not all(isinstance(event, DECIDES_NOTHING) for event in events):
        words.add("commands")
    return words


def _hashes(campaign: VisibleCampaign, drawings: dict[str, Any]) -> dict[str, int]:
    parts = {word: Raw(_encoder.encode(part)) for word, part in drawings.items()}
    return {word: hash(_encoder.encode((part, names_in(part, campaign)))) for word, part in parts.items()}


def _draw_own(visible: VisibleCampaign, drift: Sequence[Drift]) -> dict[str, Any]:
    """The reads that differ by the drift that is known: GMs may know of more. Roles are compared by themselves."""
    state, name = visible.state, visible.name
    campaign = campaign_view(state, visible.campaign_id, 0, "observer", name, drift)
    return {
        "campaign": (campaign, _marks(visible) if campaign.pending else None),
        "ledger": (account_balances(state, name), pending_entries(state, name), drift),
    }


def _draw_all(visible: VisibleCampaign) -> dict[str, Any]:
    """Everything else."""
    state, name = visible.state, visible.name
    timers = timer_board(state, {}, name)
    drawings: dict[str, Any] = {
        "members": members(state, name),
        "sheets": roster(state, name),
        "boards": boards(state),
        "timers": timers,
        "calendar": (state.game_time, state.downtime, timers),
        "downtime": downtime_view(state, 0, name),
        "names": _names(visible),
        "things": things_of_group(state, name),
    }
    for entry in boards(state):
        _, view = board(state, entry.system, entry.board, name)
        marks = _marks(visible) if getattr(view, "waits_for", None) else None
        drawings[f"board:{entry.system}/{entry.board}"] = (view, marks)
    for character in roster(state, name):
        drawings[f"sheet:{character.character}"] = (
            sheet(state, character.system, character.character),
            things_of(state, character.character),
        )
    return drawings


def _marks(campaign: VisibleCampaign) -> int | None:
    """Stands for what is marked of that which is waited for: whether its answers have to be asked hidden.

    To find that out, answers are tried on the campaign as its reader and as everybody knows it, which takes many
    times as long as all drawing. So it counts as another mark where either is another campaign than before.
    """
    if campaign.common is None or campaign.common is campaign.state or len(campaign.content) == CONTENT_BYTES:
        return None
    return hash(campaign.content)


def _names(campaign: VisibleCampaign) -> list[tuple[str, str | None]]:
    """The names of everything in the campaign that has one: the past is told with these."""
    state = campaign.state
    things = (
        (thing, SYSTEMS[system].name(inner, thing))
        for system, inner in state.systems.items()
        for thing in sorted(named_in(_encoder.encode(inner)))
        if thing.rpartition("-")[0] not in NAMELESS
    )
    own_things = ((thing, known.name) for thing, known in state.things.items())
    people = ((str(account), campaign.name(account)) for account in (*state.members, *state.former_members))
    return [*((thing, name) for thing, name in things if name is not None), *own_things, *people]
