"""A battle from start to doomsday: order, passing and rounds (MF-23, MF-C3, MF-C15, MF-C16, MF-W1, MF-W2).

Codes: not_enough_players, points_per_asset_not_set, turn_in_progress, not_your_turn,
last_player_cannot_pass, frames_not_activated, too_many_votes,
only_a_worker, order_already_set.
"""

from domain.command_context import CommandContext
from domain.ids import derive_id
from domain.rejection import Forbidden, Rejection
from domain.sentences import join_parts, say
from domain.systems.mobile_frame import commands as c
from domain.systems.mobile_frame import events as e
from domain.systems.mobile_frame.access import (
    require_battle,
    require_gm,
    require_no_battle,
    require_nothing_pending,
    speaks_for,
    waits,
)
from domain.systems.mobile_frame.creation import assets_of, players_of
from domain.systems.mobile_frame.settings import Settings
from domain.systems.mobile_frame.state import (
    RESULTS_REMEMBERED,
    Battle,
    BattleResult,
    MobileFrameState,
    Side,
)
from domain.systems.system import DueCommand

PLAYERS_MIN = 2


def score_order(battle: Battle) -> list[str]:
    """Players, highest score first; a tie goes by id (MF-23).

    The sides are in the order of the ids when the battle began, even where an import has changed the ids.
    """
    return sorted(battle.sides, key=lambda player: -battle.sides[player].score)


def scores_of(battle: Battle) -> dict[str, int]:
    """Every player's score."""
    return {player: side.score for player, side in sorted(battle.sides.items())}


def order_set(battle: Battle) -> e.TacticalOrderSet:
    """The event of the order by scores."""
    return e.TacticalOrderSet(order=score_order(battle), scores=scores_of(battle))


def start_battle(
    state: MobileFrameState, context: CommandContext, command: c.StartBattle
) -> list[e.BattleStarted | e.TacticalOrderSet]:
    """MF-C3: points per asset are fixed from here on."""
    require_gm(context, "MF-C3")
    require_no_battle(state, "MF-C3")
    settings: Settings = context.settings
    keeps_damage = settings.between_battles == "kept"
    able = {frame.owner for frame in state.in_play() if frame.status == "active" or not keeps_damage}
    if len(able) < PLAYERS_MIN:
        raise Rejection("not_enough_players", "A battle needs the frames of at least two players.", rule="MF-C3")
    if sorted(state.ppa) != players_of(state):
        raise Rejection(
            "points_per_asset_not_set",
            "The companies have changed: a GM sets the points per asset first.",
            rule="MF-C2",
        )
    started = e.BattleStarted(
        battle_id=derive_id("battle", context.action_id),
        doomsday=settings.doomsday_start if command.doomsday is None else command.doomsday,
        ruler_units=settings.ruler_units,
        ppa=dict(state.ppa),
        assets={player: assets_of(state, player, keeps_damage=keeps_damage) for player in state.ppa},
        between_battles=settings.between_battles,
    )
    return [started, order_set(_new_battle(started))]


def yet_to_go(state: MobileFrameState, battle: Battle) -> list[str]:
    """Players who have not passed and have a frame to activate, highest score first."""
    waiting = {frame.owner for frame in state.frames.values() if waits(frame)}
    return [player for player in score_order(battle) if player in waiting and player not in battle.passed]


def next_to_go(state: MobileFrameState, battle: Battle) -> list[str]:
    """The players who may go next in tactical order; several where scores tie."""
    players = yet_to_go(state, battle)
    best = battle.sides[players[0]].score if players else 0
    return [player for player in players if battle.sides[player].score == best]


def require_no_open_turn(state: MobileFrameState, rule: str) -> None:
    """Raise `turn_in_progress` while a turn is open."""
    if state.battle is None or not state.battle.stack:
        return
    acting = state.acting()
    frame = state.frames.get(acting.frame) if acting is not None else None
    sentence = say(
        "{frame} is taking its turn; it has to end first.", frame=frame.name if frame is not None else "?"
    )
    raise Rejection("turn_in_progress", sentence, rule=rule)


def require_next(state: MobileFrameState, battle: Battle, player: str, rule: str) -> None:
    """Raise `not_your_turn` out of tactical order."""
    first = next_to_go(state, battle)
    if player in first:
        return
    if player in battle.passed:
        sentence = say("A player who has passed waits until one of the others has taken a turn.")
    else:
        sentence = say("A company with a higher score goes first.")
    raise Rejection("not_your_turn", sentence, rule=rule, next=first)


def pass_turn(state: MobileFrameState, context: CommandContext, command: c.Pass) -> list[e.TurnPassed]:
    """MF-C15: pass; the last player may not."""
    battle = require_battle(state, "MF-C15")
    first = next_to_go(state, battle)
    own = [player for player in first if speaks_for(player, context)]
    company = None if command.player is None else state.company_called(command.player)
    player = context.filled["player"] = company or (own[0] if own else str(context.account))
    if not speaks_for(player, context):
        raise Forbidden("not_your_frame", "Only a company's own player or a GM may pass for it.", rule="MF-C15")
    require_nothing_pending(state, "MF-C15")
    require_no_open_turn(state, "MF-C15")
    require_next(state, battle, player, "MF-C15")
    if yet_to_go(state, battle) == [player]:
        raise Rejection(
            "last_player_cannot_pass", "The last company with a frame to activate may not pass.", rule="MF-C15"
        )
    return [e.TurnPassed(player=player, during=battle.now)]


def set_tactical_order(
    state: MobileFrameState,
    context: CommandContext,
    command: c.SetTacticalOrder,  # noqa: ARG001 — it asks for nothing
) -> list[e.TacticalOrderSet]:
    """MF-W1: a worker records the new order between two turns, once; otherwise the end of the turn does."""
    if context.role != "worker":
        raise Forbidden("only_a_worker", "The order follows the scores without anybody asking.", rule="MF-W1")
    battle = require_battle(state, "MF-W1")
    if battle.order_due is None:
        raise Rejection("order_already_set", "Play has moved on: there is no new order to set.", rule="MF-W1")
    return [order_set(battle)]


def due_commands(state: MobileFrameState) -> list[DueCommand]:
    """MF-W1: the order that is due after scores changed between two turns."""
    battle = state.battle
    if battle is None or battle.order_due is None:
        return []
    return [DueCommand(command=c.SetTacticalOrder(), cause=battle.order_due, subject=battle.battle_id)]


def end_round(
    state: MobileFrameState, context: CommandContext, command: c.EndRound
) -> list[e.RoundEnded | e.ExtraRoundGranted | e.BattleEnded]:
    """MF-C16: markers are cleared, the clock goes down, and at zero the highest score wins."""
    require_gm(context, "MF-C16")
    battle = require_battle(state, "MF-C16")
    require_nothing_pending(state, "MF-C16")
    require_no_open_turn(state, "MF-C16")
    if frames_left := [frame.name for _, frame in sorted(state.frames.items()) if waits(frame)]:
        sentence = say("Still to take their turn this round: {frames}.", frames=join_parts(frames_left))
        raise Rejection("frames_not_activated", sentence, rule="MF-C16")
    players = score_order(battle)
    if len(command.votes) > len(players):
        raise Rejection(
            "too_many_votes",
            say("Only {n} players vote, in the order of their scores.", n=len(players)),
            rule="MF-C16",
        )
    votes = dict(zip(players, [*command.votes, *[False] * len(players)], strict=False))
    ticks = min(battle.doomsday, 1 + sum(votes.values()))
    frames = state.frames.values()
    ended = e.RoundEnded(
        round=battle.round,
        doomsday=battle.doomsday - ticks,
        markers_cleared=sum((frame.defense is not None) + (frame.spot is not None) for frame in frames),
        ticks=ticks,
        votes=votes,
        during=battle.now,
        round_id=derive_id("round", context.action_id),
    )
    return [ended] if ended.doomsday else [ended, _doomsday(battle, context.settings)]


def _doomsday(battle: Battle, settings: Settings) -> e.ExtraRoundGranted | e.BattleEnded:
    """The winners at zero; for a tie, by the setting (MF-A17)."""
    best = max((side.score for side in battle.sides.values()), default=0)
    winners = [player for player, side in battle.sides.items() if side.score == best]
    if len(winners) > 1 and settings.doomsday_tie == "one_more_round" and not battle.extra_round:
        return e.ExtraRoundGranted(players=winners, doomsday_tie=settings.doomsday_tie)
    if settings.doomsday_tie == "most_assets":
        most = max((battle.sides[player].assets for player in winners), default=0)
        winners = [player for player in winners if battle.sides[player].assets == most]
    return e.BattleEnded(
        battle_id=battle.battle_id,
        winners=winners,
        scores=scores_of(battle),
        rounds=battle.round,
        doomsday_tie=settings.doomsday_tie,
    )


def _new_battle(event: e.BattleStarted) -> Battle:
    """The battle at its beginning."""
    sides = {player: Side(ppa=event.ppa.get(player, 0), assets=assets) for player, assets in event.assets.items()}
    return Battle(event.battle_id, event.doomsday, event.ruler_units, sides)


def started(state: MobileFrameState, event: e.BattleStarted) -> None:
    """Start the battle: clear markers of an older one and repair frames."""
    state.battle = _new_battle(event)
    for frame in state.frames.values():
        frame.activated, frame.defense, frame.spot = False, None, None
        if event.between_battles == "repaired":
            frame.status = "active"
            frame.systems, frame.dice = list(frame.whole_systems), list(frame.whole_dice)
    standing = [frame for frame in state.in_play() if frame.status == "active"]
    state.battle.characters = sorted({frame.character for frame in standing if frame.character is not None})
    for player, side in state.battle.sides.items():
        side.assets = assets_of(
            state, player, keeps_damage=True
        )  # counts existing frames, because an undo may have removed one


def tactical(state: MobileFrameState, _event: e.TacticalOrderSet | e.RoundEnded) -> None:
    """Return to the order by scores, and forget who has passed."""
    if state.battle is not None:
        state.battle.order = "tactical"
        state.battle.passed = []
        state.battle.order_due = None


def passed(state: MobileFrameState, event: e.TurnPassed) -> None:
    """Mark the player as passed."""
    if state.battle is not None and event.player not in state.battle.passed:
        state.battle.passed.append(event.player)
        state.battle.order_due = None


def round_ended(state: MobileFrameState, event: e.RoundEnded) -> None:
    """End the round: clear markers, let every frame act again, lower the clock."""
    for frame in state.frames.values():
        frame.activated, frame.defense, frame.spot = False, None, None
    if state.battle is not None:
        state.battle.doomsday = max(0, state.battle.doomsday - event.ticks)
        state.battle.round += 1
        state.battle.round_id = event.round_id
        state.battle.stack, state.battle.choice = [], None
        tactical(state, event)


def extra_round(state: MobileFrameState, _event: e.ExtraRoundGranted) -> None:
    """Record that the extra round was granted."""
    if state.battle is not None:
        state.battle.extra_round = True


def ended(state: MobileFrameState, event: e.BattleEnded) -> None:
    """Remember the battle by its scores and clear the field (MF-W2)."""
    characters = state.battle.characters if state.battle is not None else []
    state.battle = None
    state.ppa = {}
    state.remember(cover for _, cover in sorted(state.covers.items()))
    state.remember(station for _, station in sorted(state.stations.items()))
    state.covers, state.stations = {}, {}
    for frame in state.frames.values():
        frame.station_distances = {}
    result = BattleResult(event.battle_id, list(event.winners), dict(event.scores), event.rounds, characters)
    state.results = [*state.results, result][-RESULTS_REMEMBERED:]
