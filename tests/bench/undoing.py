"""What an undo costs, beside folding and deciding as much as it must; and what any moment of the past costs."""

import time
from typing import Any
from uuid import uuid4

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote
from domain.campaign.evolve import evolve
from domain.campaign.history.redecide import decided_again
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.secrecy.audience import GM
from domain.campaign.storage.event_codec import past_action
from domain.ids import AccountId, ActionId, CampaignId
from services.application import Application
from services.commands.submit import submit_command
from services.history.undo import undo_or_redo
from services.reading.event_scan import by_action
from services.workers.projector import KEPT_EVERY_EVENTS, Projector
from tests.bench.campaigns import a_script, write
from tests.bench.lengths import SAME_COST
from tests.bench.rows import Goal, Rounds, Row
from tests.bench.stage import Stage, a_house
from tests.infra.log_entries import answer_under

THREEFOLD = Goal(3.0, better="less")
ACTIONS_BACK = 100


async def undoing(stage: Stage) -> list[Row]:
    """Undo a hundred actions back in a long campaign; read a moment in its middle."""
    with stage.database() as urls:
        script = a_script(AccountId(uuid4()), AccountId(uuid4()))
        long = CampaignId(uuid4())
        await write(urls, script, {long: script.whole(stage.scale.events_long)})
        async with a_house(urls) as application:
            stage.say(f"folding {stage.scale.events_long:,} events")
            await Projector(application.log, application.views, application.handler).campaign(long)
            return [
                await _recent(stage, application, long, script.gm),
                await _moments(stage, application, long),
            ]


async def _recent(stage: Stage, application: Application, campaign_id: CampaignId, gm: AccountId) -> Row:
    rounds = Rounds(
        f"undo {ACTIONS_BACK} actions back at {stage.scale.events_long:,} events",
        "ms",
        "one interval folded, as many decided",
        THREEFOLD,
    )
    noted = await _acted(application, campaign_id, gm, AddNote(text="Wrong tower."))
    for _ in range(ACTIONS_BACK):
        await _acted(application, campaign_id, gm, AddNote(text="The next one."))
    for _ in range(stage.scale.rounds):
        floor = await _interval_ms(application, campaign_id) + await _decided_ms(
            application, campaign_id, ACTIONS_BACK
        )
        rounds.add(await _undone_ms(application, campaign_id, gm, noted), floor)
    return rounds.row()


async def _moments(stage: Stage, application: Application, campaign_id: CampaignId) -> Row:
    """Just before a fold that is kept, where most is to be folded: in the middle, and at the beginning."""
    rounds = Rounds(
        f"a moment in the middle of {stage.scale.events_long:,} events",
        "ms",
        "one of the first interval",
        SAME_COST,
    )
    every = min(KEPT_EVERY_EVENTS, stage.scale.events_long // 4)
    middle = stage.scale.events_long // 2 // every * every
    for _ in range(stage.scale.rounds):
        rounds.add(
            await _state_ms(application, campaign_id, middle - 1),
            await _state_ms(application, campaign_id, every - 1),
        )
    return rounds.row()


async def _acted(application: Application, campaign_id: CampaignId, account: AccountId, command: Any) -> ActionId:
    """Act; the id of the action."""
    key = uuid4().hex
    await submit_command(application, campaign_id, account, ActRequest(command=command), key=key)
    known = await answer_under(application.log, campaign_id, account, key)
    assert known is not None
    return known.action_id


async def _undone_ms(
    application: Application, campaign_id: CampaignId, gm: AccountId, action_id: ActionId
) -> float:
    """Undo an action; then redo it, so that the next round finds what this one did."""
    await application.campaigns.see(campaign_id, gm)
    began = time.perf_counter()
    await undo_or_redo(application, campaign_id, gm, UndoAction(action_id), None)
    seconds = time.perf_counter() - began
    await undo_or_redo(application, campaign_id, gm, RedoAction(action_id), None)
    return 1000 * seconds


async def _state_ms(application: Application, campaign_id: CampaignId, seq: int) -> float:
    began = time.perf_counter()
    await application.states.at(campaign_id, GM, seq)
    return 1000 * (time.perf_counter() - began)


async def _interval_ms(application: Application, campaign_id: CampaignId) -> float:
    """As much folded as lies between two kept folds, or all there is."""
    return await _state_ms(
        application, campaign_id, min(KEPT_EVERY_EVENTS - 1, await _seq(application, campaign_id))
    )


async def _seq(application: Application, campaign_id: CampaignId) -> int:
    head = await application.log.head(campaign_id)
    assert head is not None
    return head.seq


async def _decided_ms(application: Application, campaign_id: CampaignId, count: int) -> float:
    """The last so many commands decided again, one after the other, on the campaign before them."""
    rows = await application.log.tail(campaign_id, max(0, await _seq(application, campaign_id) - 2 * count))
    actions = [past_action(each) for each in by_action(rows)]
    judged = [each for each in actions if each.undoable and each.request is not None][-count:]
    state = await application.states.at(campaign_id, GM, judged[0].first_seq - 1)
    began = time.perf_counter()
    for action in judged:
        for event in decided_again(state, action):
            state = evolve(state, event)
    return 1000 * (time.perf_counter() - began)
