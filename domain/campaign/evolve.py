"""Let a campaign event have happened. Decides nothing, never fails on a fact that was stored."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import UNSET, Struct, structs

from domain.campaign.calendar import downtime
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
from domain.campaign.history import requests
from domain.campaign.history.messages import ActionAffected, ActionRedone, ActionUndone, DiceCameBack, RolledAgain
from domain.campaign.lifecycle import archive, membership
from domain.campaign.money import escrow
from domain.campaign.money.ledger import moves_of, post
from domain.campaign.play import sessions
from domain.campaign.privacy.erasure import TextsErased
from domain.campaign.scheduling import timers
from domain.campaign.state import CampaignState, Undone
from domain.campaign.transfer.import_events import CampaignImported, ImportCompleted
from domain.lifecycle_events import CalendarAdvanced, CampaignCreated
from domain.mechanics.dispatch import Evolve, each_of, only_told
from domain.systems import SYSTEMS, owner_of_kind
from domain.systems.system import Posting, Purse, RuleSystem
from domain.type_cache import once_per_kind

ENTERED = "world:entered"
"""The account that stands for what somebody had before they came into play."""


def evolve(state: CampaignState, event: Any) -> CampaignState:
    """The campaign after one more event of its own or of one of its systems."""
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
    """What stays of an event whose action is undone: its dice are used up, and its epochs have begun.

    And whoever could not read it had not read all, and was told something for it.
    """
    advance_dice(state, event)
    state.missed = state.missed or type(event) is Hidden
    return state


def evolve_all(state: CampaignState, events: Iterable[Any], *, stands: bool = True) -> CampaignState:
    """The campaign after all events of an action that stands, or of one that is undone."""
    happens = evolve if stands else evolve_undone
    for event in events:
        state = happens(state, event)
    return state


@once_per_kind
def _nature(kind: type[Struct]) -> tuple[RuleSystem | None, Callable[[Any], list[Posting]] | None, bool, bool]:
    """Whose events of this kind are, how they move currency, and whether they say anything about dice.

    At last whether something hidden enters play in them: that is all of a rule system that nobody can undo.
    """
    system = owner_of_kind(kind)
    enters = system is not None and not getattr(kind, "undoable", True)
    return system, moves_of(kind), tells_of_dice(kind), enters


def _enter(state: CampaignState, system: RuleSystem, inner: Any, event: Any) -> None:
    """What enters play is as the event tells it, for whoever did not know all of its past."""
    before = _held(system, inner)
    inner = state.systems[system.id] = (system.tell_anew if state.skipped else system.evolve)(inner, event)
    now = _held(system, inner)
    gone = {(each.account, each.currency) for each in before} - {(each.account, each.currency) for each in now}
    _bring_purses(
        state, [*(Purse(*each, 0) for each in sorted(gone)), *(each for each in now if each not in before)]
    )


def _held(system: RuleSystem, inner: Any) -> list[Purse]:
    """What accounts hold by a system's own state, with what is set aside."""
    aside = [Purse(f"escrow:{each.subject}", each.currency, each.amount) for each in system.set_aside(inner)]
    return [*system.purses(inner), *aside]


def _bring_purses(state: CampaignState, purses: Iterable[Purse]) -> None:
    """What enters play has what it has: its accounts hold that from then on."""
    for each in purses:
        missing = each.balance - state.balances.get(each.account, {}).get(each.currency, 0)
        if missing:
            post(state, Posting(each.currency, ENTERED, each.account, missing, "entered"))


def is_news(state: CampaignState, event: BalancesEntered) -> bool:
    """Whether they hold that from then on, for who had not read all that was before."""
    return state.skipped or (event.lasts is True and state.missed)


def _purses_in(event: BalancesEntered) -> list[Purse]:
    return [
        Purse(account, currency, balance)
        for account, held in event.balances.items()
        for currency, balance in held.items()
    ]


def _created(state: CampaignState, event: CampaignCreated) -> None:
    state.name = event.name
    state.rulings = event.rulings or 0
    state.systems = {system: SYSTEMS[system].state() for system in event.systems}


def _imported(state: CampaignState, event: CampaignImported) -> None:
    state.importing += 1
    state.imported_people |= {person.account: person.name for person in event.people}


def _import_completed(state: CampaignState, event: ImportCompleted) -> None:
    state.importing = max(0, state.importing - 1)
    state.name, state.members, state.removed_members = event.name, {event.gm: "gm"}, []


def _setting_changed(state: CampaignState, event: SettingChanged) -> None:
    if event.value is None:
        state.changed_settings.pop(event.key, None)
    else:
        state.changed_settings[event.key] = event.value


def _calendar_advanced(state: CampaignState, event: CalendarAdvanced) -> None:
    state.game_time += event.seconds


def _undone(state: CampaignState, event: ActionUndone) -> None:
    state.undone[event.action_id] = Undone(
        event.undone_in, event.because, event.command, event.rolled_by, event.visibility
    )
    state.undo_requests.pop(event.action_id, None)
    state.rewrites += 1


def _rolled_again(state: CampaignState, event: RolledAgain) -> None:
    if event.action_id in state.undone:
        before = state.undone[event.action_id]
        state.undone[event.action_id] = (
            structs.replace(before, rolled_again=True)
            if event.readers is UNSET
            else structs.replace(before, again_for=(*before.again_for, event.readers))
        )


def _redone(state: CampaignState, event: ActionRedone) -> None:
    """Nothing is affected any more by an undo that was taken back; what the redo affects, it says itself."""
    before = state.undone.pop(event.action_id, None)
    if before is not None:
        state.affected = {each: by for each, by in state.affected.items() if by != before.undone_in}
    state.rewrites += 1


def _affected(state: CampaignState, event: ActionAffected) -> None:
    state.affected[event.action_id] = event.affected_in


def _hidden(state: CampaignState, _event: Hidden) -> None:
    """Some of the past is not known here."""
    state.skipped = state.missed = True


def _balances_entered(state: CampaignState, event: BalancesEntered) -> None:
    if is_news(state, event):
        _bring_purses(state, _purses_in(event))


def _revealed(state: CampaignState, event: ActionRevealed) -> None:
    state.revealed[event.action_id] = event.revealed_in
    for system, inner in state.systems.items():
        SYSTEMS[system].revealed(inner, event.action_id)


EVOLVE: Evolve[CampaignState] = {
    **archive.EVOLVE,
    **downtime.EVOLVE,
    **escrow.EVOLVE,
    **membership.EVOLVE,
    **requests.EVOLVE,
    **sessions.EVOLVE,
    **timers.EVOLVE,
    CampaignCreated: _created,
    CampaignImported: _imported,
    ImportCompleted: _import_completed,
    SettingChanged: _setting_changed,
    CalendarAdvanced: _calendar_advanced,
    ActionUndone: _undone,
    RolledAgain: _rolled_again,
    ActionRedone: _redone,
    ActionAffected: _affected,
    Hidden: _hidden,
    BalancesEntered: _balances_entered,
    ActionRevealed: _revealed,
    # The system moves the character, the ledger posts, `advance_dice` counts; the rest is told.
    **each_of(CharacterAssigned | EntryPosted | NoteAdded | DiceRolled | DiceCameBack | TextsErased, only_told),
    **each_of(
        DiceEpochStarted | DiceEpochEnded | DiceWordsAdded | HiddenDiceRevealed | HiddenRollProved, only_told
    ),
}
