"""The accountant finds every story's books right, whatever is undone, redone, imported or forked (invariant 12).

Each story is played once over HTTP with a worker that pays. Then its log is told to a log in memory, where what
moved money is undone and redone, one after the other and at random, and after each the accountant adds it all up.
"""

from collections.abc import Callable
from itertools import product
from random import Random
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from litestar.testing import TestClient

from domain.campaign.commands import SetSetting
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.money.ledger import postings
from domain.campaign.recorded_action import PastAction
from domain.campaign.storage.event_codec import past_action
from domain.event_store_types import EventBatch, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Rejection
from infra.machine.entropy import MachineEntropy, machine_clock
from projections.campaign.full_view import Everything, changes, everything
from services.cli.demo.recording import recorded_names
from services.history.undo import undo_or_redo
from services.history.undo_preview import preview
from services.reading.action_sentences import told_of
from services.reading.event_scan import by_action
from services.workers.ledger_audit_worker import LedgerAuditWorker
from services.workers.projector import Projector
from tests.accountants import balances_in, balances_of, programs
from tests.doubles.event_store import MemoryEventStore
from tests.doubles.ledger_check_store import MemoryLedgerCheckStore
from tests.doubles.projection_store import MemoryProjectionStore
from tests.sampling import only_in_release, slow_but
from tests.services.campaign_followed import CampaignFollowed, application_of
from tests.services.conftest import OPERATOR
from tests.stories.logged_stories import Logged, log_of

pytestmark = pytest.mark.anyio

REWRITES: dict[str, Callable[..., UndoAction | RedoAction]] = {"undo": UndoAction, "redo": RedoAction}
REWRITES_AT_RANDOM = 25
EVERY_FIFTH = 5
PREVIEWED_MAX = 60
"""So many actions are previewed at most: in long stories they lie further apart."""
EVERY_FIFTEENTH = 15
EVERY_FORTIETH = 40
PREVIEWED_MIN = 8
"""All of them, one after the other, are for a release."""


LOGGED = [*recorded_names(), "short/downtime"]


@pytest.fixture(scope="module")
def logged_stories() -> dict[str, Logged]:
    """What was played already: a worker that takes tests over from another makes `logged` a second time."""
    return {}


@pytest.fixture(scope="module", params=slow_but(LOGGED, "freefall", "short/downtime"))
def logged(request: pytest.FixtureRequest, client: TestClient[Any], logged_stories: dict[str, Logged]) -> Logged:
    if request.param not in logged_stories:
        logged_stories[request.param] = log_of(request.param, client)
    return logged_stories[request.param]


class Visitor(NamedTuple):
    """A person of a story who reads over HTTP."""

    client: TestClient[Any]
    headers: dict[str, str]

    def get(self, path: str, params: dict[str, Any] | None = None) -> Any:
        return self.client.get(path, params=params, headers=self.headers)


class Books:
    """A story's log in memory, where it can be rewritten, with a worker and an accountant."""

    def __init__(self, logged: Logged, campaign_id: CampaignId | None = None) -> None:
        self.gm = logged.gm
        self._now: int | None = logged.rows[-1].recorded_at
        log = MemoryEventStore(lambda: self._now or machine_clock())
        views = MemoryProjectionStore(log)
        self.campaign = CampaignFollowed(log, views)
        self.campaign.id = campaign_id or logged.id
        self.application = application_of(self.campaign)
        self.checks = MemoryLedgerCheckStore(views, machine_clock)
        self.accountant = LedgerAuditWorker(log, views, self.checks, MachineEntropy())

    async def open(self, rows: list[StoredEvent]) -> "Books":
        """Tell the whole story."""
        before = GENESIS
        for action in by_action(rows):
            self._now = action[-1].recorded_at
            batch = EventBatch(self.campaign.id, action[0].seq - 1, before, action)
            [outcome] = await self.campaign.log.append([batch])
            assert outcome.status == "committed"
            before = action[-1].hash
        self._now = None
        return self

    async def rewrite(
        self, wish: Callable[..., UndoAction | RedoAction], action_id: ActionId, who: AccountId | None = None
    ) -> bool:
        """Undo or redo an action with whatever depends on it, the GM or somebody else; False: that is refused."""
        who = who or self.gm
        try:
            shown = await preview(self.application, self.campaign.id, who, wish(action_id))
            confirm = sum(each.because == "depends" for each in shown.undone)
            await undo_or_redo(
                self.application, self.campaign.id, who, wish(action_id, cascade=True, confirm=confirm), None
            )
        except Rejection:
            return False
        return True

    async def drawn(self, who: AccountId) -> Everything:
        """Everything that somebody finds, once a worker has done what is due."""
        await self.application.handler.run_due(self.campaign.id, machine_clock(), [])
        seen = await self.application.campaigns.see(self.campaign.id, who)
        return everything(seen.state, seen.name)

    async def happened_since(self, seq: int, who: AccountId) -> list[list[str]]:
        """What happened by itself after a seq, in words."""
        seen = await self.application.campaigns.see(self.campaign.id, who)
        rows = await self.campaign.log.tail(self.campaign.id, seq)
        return [told_of(past_action(action), seen) for action in by_action(rows) if action[0].actor is None]

    async def drift(self) -> list[Any]:
        """What does not agree once the worker has followed: checked further, and once more from the beginning."""
        await self.campaign.worker.catch_up.campaign(self.campaign.id)
        await self.accountant.once()
        check = await self.checks.of(self.campaign.id)
        assert check is not None
        assert check.seq == (await self.campaign.log.head(self.campaign.id)).seq
        afresh = await self.accountant.check(self.campaign.id, afresh=True)
        assert await self.checks.of(self.campaign.id) == check  # what comes out the same is not written again
        assert afresh is not None
        return afresh


def moved_money(rows: list[StoredEvent]) -> list[PastAction]:
    """The actions of a story that moved anything in the ledger, and can be undone."""
    actions = [past_action(action) for action in by_action(rows)]
    return [each for each in actions if each.undoable and any(postings(event) for event in each.events)]


def test_accountants_programs_find_the_balances_of_every_reader(logged):
    """Before the books are rewritten, in the days of the campaign and in those of its play."""
    path = f"/api/campaigns/{logged.id}"
    read = 0
    for token in logged.story.tokens.values():
        who = Visitor(logged.client, {"Authorization": f"Bearer {token}"})
        if who.get(path).status_code != 200:
            continue
        balances = balances_in(who, path)
        for program, dates in product(programs(), ("real", "game")):
            answer = who.get(f"{path}/ledger/export", params={"format": program.format, "dates": dates})
            assert answer.status_code == 200, answer.text
            if program.reads(answer.text):
                assert balances_of(program, answer.text) == balances, (program.name, dates)
                read += 1
    assert read >= len(programs())


@pytest.mark.parametrize("step", [EVERY_FIFTEENTH, only_in_release(1)])
async def test_undoing_and_redoing_what_moved_money_leaves_no_drift(logged, step):
    books = await Books(logged).open(logged.rows)
    assert await books.drift() == []
    for action in moved_money(logged.rows)[::step]:
        for name, wish in REWRITES.items():
            if await books.rewrite(wish, action.action_id):
                assert await books.drift() == [], (name, action.command, action.first_seq)


async def test_undoing_and_redoing_at_random_leaves_no_drift(logged):
    chance = Random(logged.story.recording.title.title)  # noqa: S311 — a seed per story, so that it can be played again
    books = await Books(logged).open(logged.rows)
    actions = [past_action(action) for action in by_action(logged.rows)]
    rewritten = 0
    for _ in range(REWRITES_AT_RANDOM):
        action, name = chance.choice(actions), chance.choice(["undo", "undo", "redo"])
        rewritten += await books.rewrite(REWRITES[name], action.action_id)
        if chance.random() < 0.4:
            assert await books.drift() == [], (name, action.command, action.first_seq)
    assert await books.drift() == []
    assert rewritten > 0


@pytest.mark.parametrize(
    ("copy", "step"),
    [
        ("original", EVERY_FORTIETH),
        only_in_release("original", EVERY_FIFTH),
        pytest.param("fork", EVERY_FORTIETH, marks=pytest.mark.slow),
        pytest.param("import", EVERY_FORTIETH, marks=pytest.mark.slow),
    ],
)
async def test_what_a_preview_shows_is_what_is_found_afterwards(logged, copy, step):
    campaign_id, rows = copied(logged, copy)
    books = await Books(logged, campaign_id).open(rows)
    actions = [past_action(action) for action in by_action(rows)]
    shown = 0
    for action in actions[:: max(min(step, len(actions) // PREVIEWED_MIN), len(actions) // PREVIEWED_MAX)]:
        shown += await as_shown(books, action, books.gm)
    assert shown > 0


@pytest.mark.parametrize("enough", [4, only_in_release(30)])
async def test_what_a_preview_shows_to_players_is_what_they_find(logged, enough):
    """Where they may undo whatever they did; the last first, as actions of others depend on early ones."""
    books = await Books(logged).open(logged.rows)
    roles = (await books.application.campaigns.see(logged.id, books.gm)).state.members
    books.campaign.people["gm"] = books.gm
    await books.campaign.act("gm", SetSetting("campaign.player_undo", "own"))
    actions = [past_action(action) for action in by_action(logged.rows)]
    own = [each for each in actions if each.actor is not None and roles.get(each.actor) == "player"]
    shown = 0
    for action in reversed(own):
        assert action.actor is not None
        shown += await as_shown(books, action, action.actor)
        if shown >= enough:
            break
    assert shown > 0 or not own


async def as_shown(books: Books, action: PastAction, who: AccountId) -> int:
    """Undo an action and redo it: somebody finds what they were shown; how often they were shown anything."""
    shown_of = 0
    before = await books.drawn(who)
    for name, wish in REWRITES.items():
        about = (name, action.command, action.first_seq)
        try:
            shown = await preview(books.application, books.campaign.id, who, wish(action.action_id))
        except Rejection:
            continue
        assert await books.rewrite(wish, action.action_id, who), about
        after = await books.drawn(who)
        assert changes(before, after) == shown.changes, about
        assert await books.happened_since(shown.as_of, who) == [each.summary for each in shown.follows], about
        before = after
        shown_of += 1
    return shown_of


def copied(logged: Logged, copy: str) -> tuple[CampaignId, list[StoredEvent]]:
    """A story's campaign, or a copy of it that was made over HTTP, and its log."""
    path = f"/api/campaigns/{logged.id}"
    if copy == "original":
        return logged.id, logged.rows
    if copy == "fork":
        made = logged.client.post(f"{path}/fork", headers=logged.headers, json={})
    else:
        exported = logged.client.get(f"{path}/export", headers=logged.headers).content
        made = logged.client.post("/api/campaigns/import", headers=logged.headers, content=exported)
    assert made.status_code == 201, made.text
    campaign_id = CampaignId(UUID(made.json()["campaign_id"]))
    with logged.client.portal() as portal:
        return campaign_id, portal.call(logged.application.log.tail, campaign_id, 0)


def test_forks_and_imports_of_a_story_have_no_drift_and_every_page_says_so(logged):
    """Some of what moved money is undone, and some of that redone; half of the past is forked, too."""
    application, client = logged.application, logged.client
    done = [each for each in moved_money(logged.rows)[::EVERY_FIFTH] if rewritten(logged, "undo", each)]
    for each in done[::2]:
        rewritten(logged, "redo", each)
    path = f"/api/campaigns/{logged.id}"
    exported = client.get(f"{path}/export", headers=logged.headers).content
    copies = [
        client.post("/api/campaigns/import", headers=logged.headers, content=exported),
        client.post(f"{path}/fork", headers=logged.headers, json={"name": "What if"}),
        client.post(f"{path}/fork", headers=logged.headers, json={"at": len(logged.rows) // 2}),
    ]
    assert [each.status_code for each in copies] == [201] * 3, [each.text for each in copies]
    every = [logged.id, *(CampaignId(UUID(each.json()["campaign_id"])) for each in copies)]
    accountant = LedgerAuditWorker(
        application.log, application.views, application.ledger_checks, application.entropy
    )
    catch_up = Projector(application.log, application.views, application.handler)
    with client.portal() as portal:
        for campaign_id in every:
            portal.call(catch_up.campaign, campaign_id)
        assert portal.call(accountant.once) >= len(every)
        assert portal.call(accountant.again) >= len(every)
        assert [portal.call(accountant.check, campaign_id) for campaign_id in every] == [[]] * len(every)
    for campaign_id in every:
        assert client.get(f"/api/campaigns/{campaign_id}", headers=logged.headers).json()["alarms"] == []
        books = client.get(f"/api/campaigns/{campaign_id}/ledger/accounts", headers=logged.headers).json()
        assert (books["drift"], books["checked"]["drift"], books["checked"]["seq"]) == ([], [], books["as_of"])
    assert "fieldlog_ledgers_drifting 0.0" in client.get("/metrics", headers=OPERATOR).text
    assert done or not moved_money(logged.rows)


def rewritten(logged: Logged, wish: str, action: PastAction) -> bool:
    """Undo or redo an action over HTTP with whatever depends on it; False: that is refused."""
    path = f"/api/campaigns/{logged.id}/actions/{action.action_id}/{wish}"
    shown = logged.client.post(path, headers=logged.headers, json={"dry_run": True, "cascade": True})
    if shown.status_code != 200:
        return False
    confirm = sum(each["because"] == "depends" for each in shown.json()["undone"])
    wanted = {"cascade": True, "confirm": confirm}
    return logged.client.post(path, headers=logged.headers, json=wanted).status_code == 201
