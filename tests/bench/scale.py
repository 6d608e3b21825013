"""Several processes on one database: the same clients sent to whichever comes next, or each campaign to its own.

The clients, the campaigns and the processes are the same in figure and floor; only who is asked differs.
"""

from contextlib import ExitStack
from uuid import uuid4

from domain.ids import CampaignId
from tests.bench.campaigns import CALL, ROLL, Script, a_script, write
from tests.bench.load import Result, taking_turns
from tests.bench.over_http import Person, acting, sign_up
from tests.bench.rows import Goal, Rounds, Row
from tests.bench.serving import FIELDLOG, serving
from tests.bench.stage import Stage
from tests.engines import DatabaseUrls, a_redis_server

PROCESSES = 4
CLIENTS = 16


class Clients:
    """People whose clients each play a campaign of their own: a test is called, and rolled."""

    def __init__(self, urls: DatabaseUrls, gm: Person, player: Person, script: Script) -> None:
        self._urls = urls
        self._gm = gm
        self._player = player
        self._script = script

    async def campaigns(self, clients: int) -> list[CampaignId]:
        """New campaigns, one for each client."""
        found = [CampaignId(uuid4()) for _ in range(clients)]
        await write(self._urls, self._script, dict.fromkeys(found))
        return found

    async def play(self, campaigns: list[CampaignId], routes: list[list[int]], requests: int) -> Result:
        """Each client sends its requests one after another to the ports of its route, in turn."""
        return await taking_turns(routes, [self._requests(campaign_id, requests) for campaign_id in campaigns])

    async def play_apart(self, campaigns: list[CampaignId], ports: list[int], requests: int) -> Result:
        """One client sends its requests to each port in turn, which has one of the campaigns for itself."""
        each = [self._requests(campaign_id, requests // len(ports)) for campaign_id in campaigns]
        return await taking_turns([ports], [[request for turn in zip(*each, strict=True) for request in turn]])

    def _requests(self, campaign_id: CampaignId, count: int) -> list[bytes]:
        moves = (CALL, self._gm), (ROLL, self._player)
        return [acting(campaign_id, *moves[nth % 2]) for nth in range(count)]


async def scale(stage: Stage) -> list[Row]:
    """Sixteen clients on four processes, and one client on two; and what taking turns costs by itself."""
    spread = Rounds("16 clients, each request to the next of 4 processes", "/s", "by campaign", Goal(0.7, 0.9))
    alone = Rounds("one client, each request to the next of 2 processes", "/s", "one process", Goal(0.8, 0.95))
    apart = Rounds("the same, in two campaigns with a process each", "/s", "one process", Goal(0.8, 0.95))
    with stage.database() as urls, ExitStack() as stack:
        redis = stack.enter_context(a_redis_server())
        ports = [stack.enter_context(serving(urls, FIELDLOG, FIELDLOG_REDIS_URL=redis)) for _ in range(PROCESSES)]
        gm, player = await sign_up(ports[0], "Ana"), await sign_up(ports[0], "Mara")
        people = Clients(urls, gm, player, a_script(gm.account, player.account, stretches=1))
        by_campaign = [[ports[nth % PROCESSES]] for nth in range(CLIENTS)]
        in_turn = [ports[nth % PROCESSES :] + ports[: nth % PROCESSES] for nth in range(CLIENTS)]
        requests = max(4, stage.scale.requests // CLIENTS // 2 * 2)
        many, routed, one, single, two = [await people.campaigns(count) for count in (CLIENTS, CLIENTS, 1, 1, 2)]
        for _ in range(1 + stage.scale.rounds):  # the first one is for warming up
            floor = await people.play(routed, by_campaign, requests)
            figure = await people.play(many, in_turn, requests)
            spread.add(figure.per_second, floor.per_second)
            floor = await people.play(single, [ports[:1]], 4 * requests)
            figure = await people.play(one, [ports[:2]], 4 * requests)
            alone.add(figure.per_second, floor.per_second)
            figure = await people.play_apart(two, ports[:2], 4 * requests)
            apart.add(figure.per_second, floor.per_second)
            stage.say(f"{figure.per_second:.0f} of {floor.per_second:.0f}")
    return [spread.row(), alone.row(), apart.row()]
