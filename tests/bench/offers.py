"""What it takes to say what a GM may do now, in the fullest moment of play: a fight of five in Overdrive."""

from contextlib import ExitStack

from tests.bench.load import a_request, ask, burst
from tests.bench.rows import Goal, Rounds, Row, require
from tests.bench.serving import FIELDLOG, serving
from tests.bench.stage import Stage
from tests.bench.story import Played, play

STORY = "overdrive"
STEPS = 100
"""Until the fight of the recording's first session is on."""
SHEETS_MOST = 40.0
COMMANDS_LEAST = 30
"""Fewer would mean that there is no fight."""


async def offers(stage: Stage) -> list[Row]:
    """A GM's `…/commands` beside a sheet, each after an action, so that neither is kept from before."""
    rounds = Rounds("…/commands of a GM in a fight", "ms", "a sheet", Goal(SHEETS_MOST, better="less"))
    with ExitStack() as stack:
        port = stack.enter_context(serving(stack.enter_context(stage.database()), FIELDLOG))
        played = await play(port, STORY, STEPS)
        commands = a_request("GET", f"{played.path}/commands", token=played.token)
        listed = await ask(port, commands)
        require(len(listed["commands"]) >= COMMANDS_LEAST, "there is no fight")
        known = await ask(port, a_request("GET", f"{played.path}/sheets", token=played.token))
        path = f"{played.path}/sheets/{known['sheets'][0]['character']}?acts=false"
        sheet = a_request("GET", path, token=played.token)
        for _ in range(stage.scale.rounds):
            asked = await _after_actions(played, commands, stage.scale.pages)
            rounds.add(asked, await _after_actions(played, sheet, stage.scale.pages))
    return [rounds.row()]


async def _after_actions(played: Played, request: bytes, times: int) -> float:
    """Milliseconds of a request, on average, each time after something that may change what is offered."""
    seconds = 0.0
    for nth in range(times):
        await played.act(type="campaign.schedule_timer", title=f"Bell {nth}", after={"hours": 1})
        seconds += (await burst(played.port, [[request]])).seconds
    return 1000 * seconds / times
