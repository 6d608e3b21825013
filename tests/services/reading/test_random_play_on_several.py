"""Random play of every system on PostgreSQL, asked of three applications in turn: all is as one alone has it."""

import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import msgspec
import pytest
from msgspec import structs

from domain.campaign.messages.undo import UndoAction
from domain.campaign.recorded_action import PastAction
from domain.campaign.storage.snapshot import encode_state
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.application import Application
from services.history.undo import undo_or_redo
from services.settings import Settings
from services.wiring.application import open_application
from tests.domain.plays import PLAYS
from tests.engines import DICE_KEY, DatabaseUrls, PostgresServer
from tests.sampling import slow_but
from tests.services.in_turn import RequestEntropy, folded, folding_only_heads, the_same_draws
from tests.services.play_at_random import Campaign

pytestmark = pytest.mark.anyio

APPLICATIONS = 3
SEEDS = (3, 5)
UNDO_EVERY = 7
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
MADE = r"\b[a-z_]+-[0-9a-f]{12}\b"


class Heard(NamedTuple):
    """What came of everything that was asked, the log, and what each application says that people know."""

    answers: list[str]
    log: list[str]
    known: list[str]


class SharedCampaign(Campaign):
    """A campaign whose applications draw the same in every play. Nothing falls due in it while a test waits."""

    def __init__(self, system: str, seed: int, applications: list[Application], entropy: RequestEntropy) -> None:
        super().__init__(system, seed, applications)
        self.id = CampaignId(entropy.new_id())
        self.answers: list[str] = []
        self._entropy = entropy

    async def act(self, account: AccountId, command: Any, *more: Any) -> bool:
        self._entropy.next_request()
        if getattr(command, "clock", None) == "real":
            command = structs.replace(command, clock="game")
        if getattr(command, "key", None) == "campaign.timer_clock":
            return False
        accepted = await super().act(account, command, *more)
        self.answers.append(f"{type(command).__name__}: {accepted}")
        return accepted

    async def undo(self) -> None:
        """Take back one of the last actions, with what depends on it."""
        self._entropy.next_request()
        action = self.chance.choice((await self.past())[-20:])
        try:
            await undo_or_redo(
                self.application, self.id, self.gm, UndoAction(action.action_id, cascade=True), None
            )
        except Rejection as refused:
            self.answers.append(f"undo: {refused.code}")
        else:
            self.answers.append("undone")


async def played(system: str, seed: int, database: DatabaseUrls, redis_url: str, count: int) -> Heard:
    settings = Settings(database_url=database.service, redis_url=redis_url, dice_key=DICE_KEY)
    async with AsyncExitStack() as stack:
        entropy = stack.enter_context(the_same_draws())
        opened = [await stack.enter_async_context(open_application(settings)) for _ in range(count)]
        campaign = SharedCampaign(system, seed, opened, entropy)
        await campaign.gather()
        async for nth in campaign.play():
            if nth % UNDO_EVERY == 0:
                await campaign.undo()
        past = await campaign.past()
        names = {str(each.action_id): f"action {nth}" for nth, each in enumerate(past)}
        knows = [[named(each, names) for each in await known(one, campaign)] for one in opened]
        assert all(each == knows[0] for each in knows)
        return Heard(campaign.answers, [named(lasting(each), names) for each in past], knows[0])


def lasting(action: PastAction) -> bytes:
    """An action as it lies in the log, without the moment."""
    return msgspec.json.encode({**structs.asdict(action), "recorded_at": 0})


def named(text: bytes, names: dict[str, str]) -> str:
    """Actions by their place, and what they made by where it is first named.

    The ids of what happens by itself are drawn, and drawn again where an application was behind and decides again.
    """
    with_actions = re.sub(UUID, lambda found: names.get(found[0], found[0]), text.decode())
    return re.sub(MADE, lambda found: names.setdefault(found[0], f"thing {len(names)}"), with_actions)


async def known(application: Application, campaign: Campaign) -> list[bytes]:
    """The campaign's state as the GM knows it, and as a player does: sheets and boards are drawn of it."""
    people = (campaign.gm, campaign.players[0])
    return [encode_state((await application.campaigns.see(campaign.id, who)).state) for who in people]


@pytest.fixture
def databases(postgres_server: PostgresServer) -> Iterator[list[DatabaseUrls]]:
    """One for each play."""
    urls = [postgres_server.new_database() for _ in range(2)]
    yield urls
    for each in urls:
        postgres_server.give_back(each)


@pytest.mark.parametrize("system", slow_but(PLAYS, "angst"))
@pytest.mark.parametrize("seed", slow_but(SEEDS, 5))
async def test_random_play_comes_out_the_same_as_from_one_application(system, seed, databases, redis_url):
    alone = await played(system, seed, databases[0], redis_url, 1)
    before = folded()
    assert await played(system, seed, databases[1], redis_url, APPLICATIONS) == alone
    accepted = [answer for answer in alone.answers if answer.endswith(": True")]
    assert folded() - before > len(accepted) / APPLICATIONS, "each was asked about others' appends"
    assert "undone" in alone.answers


@pytest.mark.slow
async def test_folding_nothing_of_what_others_append_would_be_found_out(databases, redis_url):
    """Negative control."""
    alone = await played("angst", SEEDS[0], databases[0], redis_url, 1)
    with folding_only_heads():
        assert (await played("angst", SEEDS[0], databases[1], redis_url, APPLICATIONS)).answers != alone.answers
