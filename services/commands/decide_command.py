"""Decides one command on a loaded campaign; the result is not sealed yet."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import structs

from domain.campaign import aggregate
from domain.campaign.aggregate import require_order_known
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import CreateCampaign, JoinCampaign
from domain.campaign.dice import dice_after_undo, epochs
from domain.campaign.dice.dice_to_decide_again import OtherDiceWanted, Twos
from domain.campaign.dice.policy import chosen_dice
from domain.campaign.dice.server_dice import require_all_kept, server_dice
from domain.campaign.knowledge import decision_by_audience
from domain.campaign.lifecycle import character_retirement
from domain.campaign.messages.undo import DeclineUndo, RequestUndo
from domain.campaign.money import escrow, mistyped_names
from domain.campaign.pending_choices import require_open
from domain.campaign.recorded_action import CAUSED
from domain.campaign.secrecy import hideable_commands
from domain.campaign.secrecy.audience import TABLE, Audience, may_see, with_asker
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage import event_codec
from domain.command_context import CommandContext, Role
from domain.dice import TableDice
from domain.dice.seeded_dice import EpochSeeds
from domain.ids import AccountId, ActionId, CampaignId, CharacterId
from domain.names import name_resolution
from domain.rejection import Rejection, Stale
from domain.sentences import say
from projections.choice_words import titles_in
from services.campaign.loaded_campaign import LoadedCampaign
from services.campaign.unsealed_action import UnsealedAction
from services.commands.pending_command import HistoryDecision, PendingCommand
from services.errors import campaign_busy, campaign_not_found, key_reused
from services.ports.clock_and_randomness import DiceSource, Entropy

ABOUT_UNDO = (RequestUndo, DeclineUndo)
"""Commands whose visibility is that of the action that they are about."""


def decide_command(
    command: PendingCommand, loaded: LoadedCampaign, at: int, dice: DiceSource, entropy: Entropy
) -> list[UnsealedAction]:
    """The actions of a command at a moment (microseconds UTC); the campaign is not changed.

    Raises `Rejection`.
    """
    state, request, history = loaded.state, command.request, command.history
    role = _role(command, state)
    disclosed_state = loaded.knowledge.of(Audience(gm=role == "gm", account=command.account), state)
    command.language = language_of(disclosed_state.changed_settings)
    if command.no_room is not None:
        raise command.no_room
    if command.if_match is not None and command.if_match != loaded.seq:
        raise Stale(
            "stale_if_match",
            say(
                "The campaign is at {seq}, not at {wanted}: look again, then decide.",
                seq=loaded.seq,
                wanted=command.if_match,
            ),
            seq=loaded.seq,
        )
    if command.choice is not None:
        require_open(disclosed_state, command.choice)
    if history is not None and history.seq != loaded.seq:
        raise campaign_busy()
    context = CommandContext(
        command=request.command,
        account=command.account,
        role=role,
        action_id=command.action_id,
        at=at,
        game_time=state.game_time,
        settings=None,
        members=state.members,
        dice_seeds=command.dice_seeds or loaded.seeds,
    )
    if command.account is not None and history is None:
        # Names depend on the asker: deciding and the log use ids.
        own = name_resolution.resolve_names(request.command, disclosed_state, context, titles_in(disclosed_state))
        command.request = request = request if own is request.command else structs.replace(request, command=own)
        mistyped_names.require_no_slip(disclosed_state, request.command)
        character_retirement.require_none_retired(disclosed_state, request.command)
    if history is None:
        _check_readers(request, state)
        command.request = request = _with_its_readers(request, disclosed_state, loaded)
    _check_visibility(command, role, loaded)
    if history is not None:
        return _of_history(command, history, loaded, at)
    visibility = with_asker(request.visibility, command.account, is_gm=role == "gm")
    context = _with_ids_and_readers(context, request.command, visibility)
    try:
        if command.account is not None:
            require_order_known(disclosed_state, context)
        return decide_action(command.campaign_id, loaded, context, request, at, dice, entropy, typed=command.typed)
    except Rejection as refusal:
        raise name_resolution.with_choices(refusal, disclosed_state, context) from None


def _with_ids_and_readers(context: CommandContext, command: Any, visibility: str) -> CommandContext:
    """The context with ids for names, and its readers; itself where it has them, as is usual."""
    if command is context.command and visibility == context.visibility:
        return context
    return structs.replace(context, command=command, visibility=visibility)


def _of_history(
    command: PendingCommand, history: HistoryDecision, loaded: LoadedCampaign, at: int
) -> list[UnsealedAction]:
    """The history command's action, and the corrections of things in play."""
    request, campaign_id = command.request, command.campaign_id
    game_time = loaded.game_time_for(history.visibilities)
    draft = _draft(campaign_id, command.action_id, at, game_time, request.visibility, command.account)
    actions = [UnsealedAction(draft, request, history.events, history.visibilities)]
    for entrance in history.entering:
        cause = "request" if entrance.shown_by is not None else f"{CAUSED}{command.action_id}"
        entrance_request = ActRequest(command=entrance.command, visibility=entrance.visibility)
        game_time = loaded.game_time_for([entrance.visibility])
        draft = _draft(
            campaign_id, entrance.action_id, at, game_time, entrance.visibility, entrance.shown_by, cause
        )
        actions.append(
            UnsealedAction(draft, entrance_request, entrance.events, [entrance.visibility] * len(entrance.events))
        )
    return actions


def decide_action(
    campaign_id: CampaignId,
    loaded: LoadedCampaign,
    context: CommandContext,
    request: ActRequest,
    at: int,
    unproven: DiceSource,
    entropy: Entropy,
    cause: str = "request",
    typed: TableDice | None = None,
) -> list[UnsealedAction]:
    """Decide with the campaign's dice, and end its dice epoch where that is due; the campaign is not changed.

    `request.dice`, or `typed` in their place, are table dice; `unproven` gives server dice until the
    campaign's first epoch. `at` is the moment to record (microseconds UTC). Raises `Rejection`.
    """
    dice_state, seeds = loaded.state.dice, loaded.seeds
    server = server_dice(dice_state, seeds, unproven, context, lambda: _roller(loaded.state, context))
    disclosed_state = loaded.knowledge.of(Audience(gm=context.is_gm, account=context.account), loaded.state)
    dice = chosen_dice(disclosed_state, request.dice if typed is None else typed, server)
    outcome = decision_by_audience.decide(loaded.state, loaded.knowledge, context, context.visibility, dice)
    events = outcome.events
    require_all_kept(dice, events)

    def fresh(epoch: int) -> EpochSeeds:
        return EpochSeeds(campaign_id, epoch, entropy.salts(), entropy.salts())

    about_dice, started = epochs.closing(dice_state, events, seeds, fresh)
    actions = [_action_of(outcome.main, campaign_id, at, context.action_id, request, context.account, cause)]
    if about_dice:  # events about seeds are open, whatever the action's visibility
        actions = [_with_dice_events(actions[0], about_dice, started)]
    for entrance in reversed(outcome.entering):
        entrance_request = ActRequest(command=entrance.command, visibility=context.visibility)
        action_id = entrance.action_id or ActionId(entropy.new_id())
        entry = _action_of(entrance, campaign_id, at, action_id, entrance_request, context.account, "request")
        actions.insert(0, entry)
    if outcome.follows is not None:
        hidden_request = ActRequest(command=outcome.follows.command, visibility=outcome.follows.visibilities[0])
        follow_up_cause = f"action:{context.action_id}"
        action_id = ActionId(entropy.new_id())
        actions.append(
            _action_of(outcome.follows, campaign_id, at, action_id, hidden_request, None, follow_up_cause)
        )
    return actions


def _action_of(
    part: decision_by_audience.DecidedAction,
    campaign_id: CampaignId,
    at: int,
    action_id: ActionId,
    request: ActRequest,
    actor: AccountId | None,
    cause: str,
) -> UnsealedAction:
    draft = _draft(campaign_id, action_id, at, part.game_time, request.visibility, actor, cause)
    return UnsealedAction(draft, request, part.events, part.visibilities)


def _roller(state: CampaignState, context: CommandContext) -> CharacterId | None:
    """The character for whom a command rolls, whatever the dice; None: for none, or for several."""
    with suppress(Rejection, OtherDiceWanted):
        return dice_after_undo.roller_in(aggregate.decide(state, structs.replace(context, filled={}), Twos()))
    return None


def _with_dice_events(
    action: UnsealedAction, about_dice: Sequence[Any], started: EpochSeeds | None
) -> UnsealedAction:
    """The action followed by its events about dice epochs, which are open to all."""
    visibilities = action.visibilities + ["all"] * len(about_dice)
    return UnsealedAction(action.draft, action.request, [*action.events, *about_dice], visibilities, started)


def _draft(
    campaign_id: CampaignId,
    action_id: ActionId,
    at: int,
    game_time: int,
    visibility: str,
    actor: AccountId | None,
    cause: str = "request",
) -> event_codec.Draft:
    return event_codec.Draft(campaign_id, action_id, at, game_time, actor, cause, visibility)


def _role(command: PendingCommand, state: CampaignState) -> Role | Any:
    """The asker's role in this campaign. Raises `campaign_not_found` for an account without one."""
    if command.account is None:
        return "worker"
    game_command = command.request.command
    if type(game_command) is CreateCampaign:
        if state.members or state.importing:
            raise key_reused()  # the only way to an existing campaign here
        return "gm"
    if type(game_command) is JoinCampaign:
        return game_command.role
    role = state.members.get(command.account)
    if role is None:
        raise campaign_not_found()
    return role


def _with_its_readers(request: ActRequest, known: CampaignState, loaded: LoadedCampaign) -> ActRequest:
    """The request with the visibility of the hidden thing that it answers, whatever it asks for."""
    if not loaded.knowledge:
        return request
    thing = hideable_commands.answered_by(request.command, known)
    if thing is None:
        return request
    readers = loaded.knowledge.readers_of(lambda state: hideable_commands.knows(state, thing))
    return request if readers == "all" else structs.replace(request, visibility=readers)


def _check_readers(request: ActRequest, state: CampaignState) -> None:
    if request.visibility == "all" or isinstance(request.command, ABOUT_UNDO):
        return
    account = request.visibility.removeprefix("account:")
    if account != request.visibility and not any(str(member) == account for member in state.members):
        raise Rejection("unknown_member", say("Only a member of the campaign can be shown something alone."))


def _check_visibility(command: PendingCommand, role: Role | Any, loaded: LoadedCampaign) -> None:
    visibility, state = command.request.visibility, loaded.state
    if visibility == "all" or isinstance(command.request.command, ABOUT_UNDO):
        return
    disclosed_state = loaded.knowledge.of(Audience(gm=role == "gm", account=command.account), state)
    others = [loaded.knowledge.of(TABLE, state)]
    if role == "gm":  # other readers of the offer would wait for ever for an answer that they cannot read
        others += [
            other for reader, other in loaded.knowledge.by_audience.items() if not may_see(visibility, reader)
        ]
    elif visibility == "blind":
        others.append(disclosed_state)
    hideable_commands.require_hideable(command.request.command, disclosed_state, others)
    readers = with_asker(visibility, command.account, is_gm=role == "gm")
    escrow.require_read_by_who_agrees(disclosed_state, command.request.command, command.account, readers)
