"""Apply one stored campaign event to the state, in place. Makes no decisions and must not raise."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.campaign import membership
from domain.campaign.calendar import downtime, timers
from domain.campaign.dice.epochs import advance_dice, tells_of_dice
from domain.campaign.events import (
    ActionRevealed,
    BalancesEntered,
    CharacterAssigned,
    DiceEpochEnded,
    DiceEpochStarted,
    DiceRolled,
    DiceWordsAdded,
    EntryPosted,
    Hidden,
    HiddenDiceRevealed,
    HiddenRollProved,
    NoteAdded,
    SettingChanged,
)
from domain.campaign.lifecycle import archive, character_retirement, deletion_request, imported_people
from domain.campaign.messages.imports import CampaignImported, ImportCompleted, PurseHandedOver
from domain.campaign.messages.names import Renamed
from domain.campaign.messages.text_erasure import TextsErased
from domain.campaign.messages.undo import ActionAffected, ActionRedone, ActionUndone, DiceCameBack, RolledAgain
from domain.campaign.money import escrow, splits, things
from domain.campaign.money.ledger import moves_of, post
from domain.campaign.play import character_import, names, next_session, sessions, undo_requests
from domain.campaign.settings import CALENDAR
from domain.campaign.state import CampaignState, UndoneAction
from domain.ids import ids_of_action
from domain.lifecycle_events import CalendarAdvanced, CampaignCreated
from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems import SYSTEMS, owner_of_kind
from domain.systems.system import Posting, RuleSystem, SheetBalance
from domain.type_cache import once_per_kind

ENTERED = "world:entered"
"""The account that balances what things held before they entered play."""


def evolve(state: CampaignState, event: Any) -> CampaignState:
    """Apply one event of the campaign or of one of its systems. Returns the state."""
    system, moves, tells, enters = _nature(type(event))
    if system is None:
        EVOLVE[type(event)](state, event)
    elif (inner := state.systems.get(system.id)) is not None:
        if enters:
            _enter(state, system, inner, event)
        else:
            state.systems[system.id] = system.evolve(inner, event)
    if moves is not None:
        for posting in moves(event):
            post(state, posting)
    if tells:
        advance_dice(state, event)
    return state


def evolve_undone(state: CampaignState, event: Any) -> CampaignState:
    """Apply the lasting part of an undone event: its dice are used up, and its epochs have begun.

    A state that misses hidden events stays marked so.
    """
    advance_dice(state, event)
    state.missed = state.missed or type(event) is Hidden
    return state


def evolve_all(state: CampaignState, events: Iterable[Any], *, stands: bool = True) -> CampaignState:
    """Apply all events of an action, whether it stands or is undone. Returns the state."""
    happens = evolve if stands else evolve_undone
    for event in events:
        state = happens(state, event)
    return state


@once_per_kind
def _nature(kind: type[Struct]) -> tuple[RuleSystem | None, Callable[[Any], list[Posting]] | None, bool, bool]:
    """The needs of a kind of events here: its system, how it moves currency, whether it concerns dice.

    Last, whether something hidden enters play in them: a rule system's only events that cannot be undone.
    """
    system = owner_of_kind(kind)
    enters = system is not None and not getattr(kind, "undoable", True)
    return system, moves_of(kind), tells_of_dice(kind), enters


def _enter(state: CampaignState, system: RuleSystem, inner: Any, event: Any) -> None:
    """Apply an entry into play: where the past was not all known, the thing is as the event tells it."""
    before = _balances_of(system, inner)
    inner = state.systems[system.id] = (system.evolve_reentered if state.skipped else system.evolve)(inner, event)
    now = _balances_of(system, inner)
    gone_purses = {(balance.account, balance.currency) for balance in before} - {
        (balance.account, balance.currency) for balance in now
    }
    _bring_purses(
        state,
        [
            *(SheetBalance(*purse, 0) for purse in sorted(gone_purses)),
            *(balance for balance in now if balance not in before),
        ],
    )


def _balances_of(system: RuleSystem, inner: Any) -> list[SheetBalance]:
    """The balances of accounts by a system's own state, including escrow."""
    aside = [
        SheetBalance(f"escrow:{escrow_item.subject}", escrow_item.currency, escrow_item.amount)
        for escrow_item in system.escrow_items(inner)
    ]
    return [*system.sheet_balances(inner), *aside]


def _bring_purses(state: CampaignState, sheet_balances: Iterable[SheetBalance]) -> None:
    """Set the accounts of a thing that enters play to what it holds."""
    for balance in sheet_balances:
        missing = balance.balance - state.balances.get(balance.account, {}).get(balance.currency, 0)
        if missing:
            post(state, Posting(balance.currency, ENTERED, balance.account, missing, "entered"))


def is_news(state: CampaignState, event: BalancesEntered) -> bool:
    """Whether the state may lack some of the thing's past, so that the event's balances replace its own."""
    return state.skipped or (event.lasts is True and state.missed)


def _purses_in(event: BalancesEntered) -> list[SheetBalance]:
    return [
        SheetBalance(account, currency, balance)
        for account, purse in event.balances.items()
        for currency, balance in purse.items()
    ]


def _created(state: CampaignState, event: CampaignCreated) -> None:
    state.name = event.name
    state.rulings = event.rulings or 0
    if event.calendar is not UNSET:
        state.changed_settings[CALENDAR] = event.calendar
    state.founder = event.created_by
    state.systems = {system: SYSTEMS[system].state() for system in event.systems}


def _imported(state: CampaignState, event: CampaignImported) -> None:
    state.importing += 1
    state.imported_people |= {person.account: person.name for person in event.people}


def _import_completed(state: CampaignState, event: ImportCompleted) -> None:
    state.importing = max(0, state.importing - 1)
    state.name, state.members, state.removed_members = event.name, {event.gm: "gm"}, []
    state.founder, state.deletion = event.gm, None


def _setting_changed(state: CampaignState, event: SettingChanged) -> None:
    if event.value is None:
        state.changed_settings.pop(event.key, None)
    else:
        state.changed_settings[event.key] = event.value
    if event.key == CALENDAR:
        timers.follow_calendar(state)


def _calendar_advanced(state: CampaignState, event: CalendarAdvanced) -> None:
    state.game_time += event.seconds


def _undo_action(state: CampaignState, event: ActionUndone) -> None:
    """Mark an action as undone; the amounts it had moved for fewer readers have an event of their own."""
    before = state.undone.get(event.action_id)
    requested_by = state.undo_requests.pop(event.action_id, before.requested_by if before else None)
    state.undone[event.action_id] = UndoneAction(
        undone_in=event.undone_in,
        because=event.because,
        command=event.command,
        rolled_by=event.rolled_by,
        visibility=event.visibility,
        character=event.character or None,
        requested_by=requested_by,
    )


def _rolled_again(state: CampaignState, event: RolledAgain) -> None:
    if event.action_id in state.undone:
        before = state.undone[event.action_id]
        state.undone[event.action_id] = (
            structs.replace(before, rolled_again=True)
            if event.readers is UNSET
            else structs.replace(before, again_for=(*before.again_for, event.readers))
        )


def _redo_action(state: CampaignState, event: ActionRedone) -> None:
    """Remove the marks of an undo that is redone; the redo has its own events for the actions it affects."""
    before = state.undone.pop(event.action_id, None)
    if before is not None:
        state.affected = {action_id: by for action_id, by in state.affected.items() if by != before.undone_in}


def _affected(state: CampaignState, event: ActionAffected) -> None:
    state.affected[event.action_id] = event.affected_in


def _note_hidden(state: CampaignState, _event: Hidden) -> None:
    """Note that the state misses part of the past."""
    state.skipped = state.missed = True


def _balances_entered(state: CampaignState, event: BalancesEntered) -> None:
    if is_news(state, event):
        _bring_purses(state, _purses_in(event))


def _reveal_action(state: CampaignState, event: ActionRevealed) -> None:
    state.revealed[event.action_id] = event.revealed_in
    for system, inner in state.systems.items():
        for part in ids_of_action(event.action_id):
            SYSTEMS[system].reveal(inner, part)


EVOLVE: Evolve[CampaignState] = {
    **archive.EVOLVE,
    **character_import.EVOLVE,
    **downtime.EVOLVE,
    **escrow.EVOLVE,
    **deletion_request.EVOLVE,
    **membership.EVOLVE,
    **imported_people.EVOLVE,
    **character_retirement.EVOLVE,
    **undo_requests.EVOLVE,
    **next_session.EVOLVE,
    **sessions.EVOLVE,
    **splits.EVOLVE,
    **things.EVOLVE,
    **timers.EVOLVE,
    CampaignCreated: _created,
    CampaignImported: _imported,
    ImportCompleted: _import_completed,
    SettingChanged: _setting_changed,
    CalendarAdvanced: _calendar_advanced,
    ActionUndone: _undo_action,
    RolledAgain: _rolled_again,
    ActionRedone: _redo_action,
    ActionAffected: _affected,
    Hidden: _note_hidden,
    BalancesEntered: _balances_entered,
    ActionRevealed: _reveal_action,
    Renamed: names.call,
    # The system moves the character, the ledger posts, `advance_dice` counts; the other kinds are only read.
    **each_of(CharacterAssigned | EntryPosted | PurseHandedOver | NoteAdded | DiceRolled, only_told),
    **each_of(DiceCameBack | TextsErased, only_told),
    **each_of(
        DiceEpochStarted | DiceEpochEnded | DiceWordsAdded | HiddenDiceRevealed | HiddenRollProved, only_told
    ),
}
