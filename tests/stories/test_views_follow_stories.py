"""After every action of every recorded story, stored views are what folding from the beginning gives.

Byte for byte, for every audience (invariants 9 and 10). The story is played once with a worker that pays; then its
log is told again, action by action, to a log in memory whose views are followed and, each time, built anew.
"""

from typing import Any, NamedTuple
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.campaign import evolve as evolving
from domain.campaign.secrecy.audience import GM, TABLE, Audience
from domain.campaign.storage.snapshot import decode_state
from domain.event_store_types import EventBatch, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, CampaignId
from domain.systems import SYSTEMS
from services.application import Application
from services.campaign import audience_fold
from services.cli.demo.recording import STORIES, read_recording, recorded_names
from services.cli.demo.story import Story, StoryAction
from services.reading.event_scan import by_action
from services.workers.projection_fingerprint import ViewsDigest, views_digest
from services.workers.projector import Projector
from services.workers.stored_folds import StoredProjection
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.sampling import slow_but

pytestmark = pytest.mark.anyio
STORY_NAMES = recorded_names()


class Told:
    """A log in memory that hears a story again, as it was recorded."""

    def __init__(self, campaign_id: CampaignId) -> None:
        self.id = campaign_id
        self._now = 0
        self.log = MemoryEventStore(lambda: self._now)
        self.followed = MemoryProjectionStore(self.log)
        self._follower = self._catch_up(self.followed)

    async def tell(self, action: list[StoredEvent]) -> None:
        """One more action, and the stored views follow."""
        self._now = action[-1].recorded_at
        head = await self.log.head(self.id)
        before = GENESIS if head is None else head.hash
        [outcome] = await self.log.append([EventBatch(self.id, action[0].seq - 1, before, action)])
        assert outcome.status == "committed"
        await self._follower.campaign(self.id)

    async def anew(self) -> ViewsDigest:
        """Views folded from the beginning."""
        fresh = MemoryProjectionStore(self.log)
        await self._catch_up(fresh).campaign(self.id)
        return await views_digest(fresh, self.id)

    async def stored(self) -> ViewsDigest:
        return await views_digest(self.followed, self.id)

    def _catch_up(self, views: Any) -> Projector:
        paid: Any = AlreadyPaid()
        return Projector(self.log, views, paid)


class AlreadyPaid:
    """What the story owed itself stands in its log already."""

    async def run_due(self, *_: Any) -> int:
        return 0  # it comes next in the log


class Logged(NamedTuple):
    """The log of a story that was played with a worker, and whether there was something for it to do."""

    campaign_id: CampaignId
    rows: list[StoredEvent]
    owed: bool


class Logs(dict[str, Logged]):
    """The log of every story, each played when it is first asked for."""

    def __init__(self, client: TestClient[Any]) -> None:
        super().__init__()
        self._client = client

    def __missing__(self, name: str) -> Logged:
        application = self._client.app.state.application
        catch_up = Projector(application.log, application.views, application.handler)
        recording = read_recording(STORIES / f"{name}.jsonl")
        story = Story(recording, self._client, suffix=f" {name}", wait_seconds_max=5)
        owed = False
        with self._client.portal() as portal:
            for happening in story.play():
                if isinstance(happening, StoryAction) and portal.call(owes, application, story):
                    portal.call(catch_up.campaign, CampaignId(UUID(story.campaign_id)))
                    owed = True
            campaign_id = CampaignId(UUID(story.campaign_id))
            self[name] = Logged(campaign_id, portal.call(application.log.tail, campaign_id, 0), owed)
        return self[name]


@pytest.fixture(scope="module")
def logs(client: TestClient[Any]) -> Logs:
    return Logs(client)


async def owes(application: Application, story: Story) -> bool:
    """Whether the campaign owes itself something that a worker will command."""
    gm = AccountId(UUID(story.bound[story.recording.title.gm]))
    seen = await application.campaigns.see(CampaignId(UUID(story.campaign_id)), gm)
    owed = [each for system, inner in seen.state.systems.items() for each in SYSTEMS[system].due_commands(inner)]
    return any(each.due is None for each in owed)


@pytest.mark.parametrize("name", slow_but(STORY_NAMES, "freefall", "undo"))
async def test_after_every_action_the_stored_views_are_what_folding_anew_gives(logs, name):
    campaign_id, rows, _ = logs[name]
    told = Told(campaign_id)
    for action in by_action(rows):
        await told.tell(action)
        assert await told.stored() == await told.anew(), f"they part at seq {action[0].seq}: {action[0].kind}"
    assert (await told.stored()).seq == len(rows)


@pytest.mark.parametrize("name", slow_but(STORY_NAMES, "freefall", "undo"))
async def test_every_audience_has_views_and_sees_what_it_may(logs, name):
    campaign_id, rows, owed = logs[name]
    told = Told(campaign_id)
    for action in by_action(rows):
        await told.tell(action)
    folds = {fold.audience: fold for fold in await told.followed.folds(campaign_id)}
    private = {row.visibility for row in rows if row.visibility.startswith("account:")}
    assert set(folds) == {GM.key, TABLE.key, *private}
    assert {Audience.from_key(key).key for key in folds} == set(folds)
    by_a_worker = [row for row in rows if row.actor is None]
    assert by_a_worker or not owed


def parts(rows: list[StoredEvent]) -> list[list[StoredEvent]]:
    """The beginning of a story, long enough to go wrong in."""
    return by_action(rows)[:40]


async def first_difference(campaign_id: CampaignId, rows: list[StoredEvent]) -> int | None:
    """The seq at which stored views part from those folded anew."""
    told = Told(campaign_id)
    for action in parts(rows):
        await told.tell(action)
        if await told.stored() != await told.anew():
            return action[0].seq
    return None


@pytest.mark.slow
async def test_an_evolve_that_is_not_deterministic_is_found_out(logs, monkeypatch):
    """Negative control: a fold that depends on how often it has run."""
    runs, steady = 0, evolving.evolve

    def drifting(state: Any, event: Any) -> Any:
        nonlocal runs
        runs += 1
        state = steady(state, event)
        state.game_time = runs
        return state

    campaign_id, rows, _ = logs["frame_state"]
    assert await first_difference(campaign_id, rows) is None
    monkeypatch.setattr(evolving, "evolve", drifting)
    assert await first_difference(campaign_id, rows) is not None


async def test_a_snapshot_that_forgets_is_found_out(logs, monkeypatch):
    """Negative control: what a thawed state has lost, the fold from the beginning still has."""

    def forgetful(snapshot: bytes) -> Any:
        state = decode_state(snapshot)
        state.balances.clear()
        return state

    monkeypatch.setattr(audience_fold, "decode_state", forgetful)
    campaign_id, rows, _ = logs["frame_state"]
    assert await first_difference(campaign_id, rows) is not None


async def test_a_row_that_is_left_out_is_found_out(logs, monkeypatch):
    """Negative control: the list, too, is compared, and not only the state."""
    campaign_id, rows, _ = logs["frame_state"]
    list_all = StoredProjection.list_all

    def without_every_other_row(fold: StoredProjection) -> None:
        list_all(fold)
        if fold.rows and fold.rows[0].seq > 1:
            fold.rows.pop()

    monkeypatch.setattr(StoredProjection, "list_all", without_every_other_row)
    assert await first_difference(campaign_id, rows) is not None
