"""The campaign's rules as a whole: permission, routing to the rule system, consequences."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec import structs

from domain.campaign import membership
from domain.campaign.calendar import campaign_time, downtime, timers
from domain.campaign.commands import (
    AddDiceWords,
    AddNote,
    AdvanceCalendar,
    AssignCharacter,
    CreateCampaign,
    EnterPlay,
    FollowHidden,
    JoinCampaign,
    PostEntry,
    RemoveMember,
    RollDice,
    SetSetting,
)
from domain.campaign.dice import dice_after_undo, epochs, member_words
from domain.campaign.lifecycle import archive, character_retirement, deletion_request, imported_people
from domain.campaign.lifecycle.create import create_campaign
from domain.campaign.messages.downtime import FinishActivity
from domain.campaign.messages.names import Rename
from domain.campaign.messages.timers import FireTimer, Order
from domain.campaign.money import escrow, ledger, splits, things
from domain.campaign.play import (
    character_import,
    characters,
    free_rolls,
    names,
    next_session,
    notes,
    sessions,
    undo_requests,
)
from domain.campaign.secrecy import entrance
from domain.campaign.settings import change_setting, settings_of, with_names_on_one_line
from domain.campaign.state import CampaignState
from domain.command_context import CommandContext
from domain.dice import Dice
from domain.lifecycle_events import CampaignCreated, LifecycleEvent
from domain.mechanics.acceptable_commands import FirstDie, NoDice
from domain.mechanics.dispatch import Decide, without_dice
from domain.mechanics.refused_fields import About
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from domain.systems import SYSTEMS, owner_of
from domain.systems.system import RuleSystem

OPEN_TO_OBSERVERS = (JoinCampaign, RemoveMember, AddDiceWords)
"""Commands of observers, who otherwise only read: attend and leave sessions, and add words to the dice."""


def decide(state: CampaignState, context: CommandContext, dice: Dice) -> list[Any]:
    """The events of a command. Raises `Rejection`; permission and legality come before the first die."""
    if context.role == "observer" and not isinstance(context.command, OPEN_TO_OBSERVERS):
        with About():
            raise Forbidden("observers_only_read", "Observers read along; ask a GM to make you a player.")
    archive.check(state, context)
    system = owner_of(context.command)
    if system is None:
        own_events = [*DECIDE[context.command.__class__](state, context, context.command, dice)]
    elif system.id in state.systems:
        own_events = system.decide(state.systems[system.id], _own_context(state, context, system), dice)
    else:
        raise Rejection("system_not_played", say("This campaign does not play {system}.", system=system.title))
    dice.finish()
    events = []
    for event in own_events:
        events.append(event)
        if isinstance(event, LifecycleEvent):
            events += _followed(state, event, context)
    return events if not state.undone else [*events, *dice_after_undo.pointed_out(state, context, events)]


def require_order_known(state: CampaignState, context: CommandContext) -> None:
    """Raise the refusal of a command ordered for later whose subject does not exist.

    Checked where a request comes in. Other reasons for a refusal may be gone when the order runs.
    """
    effect = getattr(context.command, "effect", None)
    if not (isinstance(effect, Order) and context.is_gm):
        return
    try:
        _ordered(state, effect, context, NoDice())
    except FirstDie:
        return
    except Rejection as refusal:
        _, is_unknown, what = refusal.code.partition("unknown_")
        if is_unknown and effect.command.get(what) is not None:
            raise


def _set_setting(state: CampaignState, context: CommandContext, command: SetSetting) -> list[Any]:
    membership.must_be_gm(context, say("Only a GM may change settings."))
    return [with_names_on_one_line(change_setting(list(state.systems), command), context)]


def _follow_hidden(_state: CampaignState, _context: CommandContext, _command: FollowHidden) -> list[Any]:
    """No events: they were decided with the action that this one follows."""
    return []


def _finish_activity(
    state: CampaignState, context: CommandContext, command: FinishActivity, dice: Dice
) -> list[Any]:
    events = downtime.finish(state, context, command)
    return [*events, *_ordered(state, state.activities[command.activity].effect, context, dice)]


def _fire_timer(state: CampaignState, context: CommandContext, command: FireTimer, dice: Dice) -> list[Any]:
    fired = timers.fire(state, context, command)
    return [*fired, *_ordered(state, state.timers[command.timer].effect, context, dice)]


def _ordered(state: CampaignState, effect: Any, context: CommandContext, dice: Dice) -> list[Any]:
    """The command of a rule system that a fired timer or a finished activity orders."""
    if not isinstance(effect, Order):
        return []
    order = timers.ordered(state, effect)
    system = owner_of(order)
    assert system is not None
    own_context = _own_context(state, structs.replace(context, command=order, filled={}), system)
    with About("effect"):
        return system.decide(state.systems[system.id], own_context, dice)


def _followed(state: CampaignState, event: LifecycleEvent, context: CommandContext) -> Iterator[Any]:
    """The events that rule systems add to a campaign event, in the order of the campaign's systems."""
    played = event.systems if isinstance(event, CampaignCreated) else state.systems
    for name in played:
        system = SYSTEMS[name]
        inner = state.systems.get(name) or system.state()
        yield from system.on_lifecycle_event(inner, event, _own_context(state, context, system))


def _own_context(state: CampaignState, context: CommandContext, system: RuleSystem) -> CommandContext:
    """The context for a system: with its own settings, and the characters of all systems."""
    return structs.replace(
        context,
        settings=settings_of(system.id, state.changed_settings),
        at_table=None if state.session is None else state.session.present,
        find_character=partial(characters.known_anywhere, state),
        out_of_story=() if context.decided_before else state.departures.keys(),
    )


DECIDE: Decide[CampaignState, Any] = {
    **archive.DECIDE,
    **character_import.DECIDE,
    **downtime.DECIDE,
    **epochs.DECIDE,
    **escrow.DECIDE,
    **deletion_request.DECIDE,
    **membership.DECIDE,
    **imported_people.DECIDE,
    **character_retirement.DECIDE,
    **undo_requests.DECIDE,
    **next_session.DECIDE,
    **sessions.DECIDE,
    **splits.DECIDE,
    **things.DECIDE,
    **timers.DECIDE,
    **without_dice(
        {
            AddDiceWords: member_words.add_dice_words,
            AddNote: notes.add_note,
            AdvanceCalendar: campaign_time.advance_calendar,
            AssignCharacter: characters.assign,
            CreateCampaign: create_campaign,
            EnterPlay: entrance.enter_play,
            FollowHidden: _follow_hidden,
            PostEntry: ledger.post_entry,
            Rename: names.rename,
            SetSetting: _set_setting,
        }
    ),
    FinishActivity: _finish_activity,
    FireTimer: _fire_timer,
    RollDice: free_rolls.roll_dice,
}
