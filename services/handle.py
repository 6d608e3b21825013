"""Load → decide → append.

While a group of commands is being committed the next collect; then all that have arrived, of any campaigns but
those in flight, are decided one after the other and committed together. Nobody waits for others when nothing is
in flight. Commands of one campaign are decided on each other's not yet committed state. When an append turns
out to be stale, everything that was decided on it is dropped and decided again; nobody hears of anything, not
even of a refusal, before the database has confirmed what it was decided on.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import structlog

from domain.campaign.commands import CreateCampaign, ProveHiddenRoll, RevealHiddenDice
from domain.campaign.membership import membership_changes
from domain.campaign.owing import OwedKey
from domain.campaign.request import ActRequest
from domain.campaign.state import CampaignState
from domain.campaign.visibility import GM
from domain.chain import GENESIS
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing, Rejection, Stale
from domain.sentences import say
from domain.stored import DatabaseAway, Head, KeyedAnswer, Outcome
from services.database_clock import DatabaseClock
from services.decision import Ask, answer, decided, no_such_campaign
from services.hot import HotCampaign, HotCampaigns
from services.knowing import knowledge_of
from services.names import Names
from services.plan import Plan
from services.ports import Clock, DiceCup, Entropy, EventLog, Timers, ViewStore
from services.safe import Safe
from services.settling import Fire, Settled, nothing, settle
from services.standing import Standing
from services.turns import Group, Turns

ATTEMPTS_MAX = 6
"""A command is decided once, and up to five times again when others were faster."""

GROUPS_IN_FLIGHT = 2
"""While PostgreSQL commits a group, another is decided."""

REASON_MAX = 500
"""Characters kept of why a timer failed."""

log_line = structlog.get_logger("fieldlog.timers")


class Handler:
    """Takes commands from many people at once and commits them in groups."""

    def __init__(
        self,
        log: EventLog,
        views: ViewStore,
        timers: Timers,
        hot: HotCampaigns,
        names: Names,
        clock: Clock,
        dice: DiceCup,
        entropy: Entropy,
        safe: Safe,
        news: Callable[[CampaignId], None],
    ) -> None:
        self._log = log
        self._views = views
        self._standing = Standing(log, views)
        self._timers = timers
        self._hot = hot
        self._names = names
        self._time = DatabaseClock(clock, log)
        self._dice = dice
        self._entropy = entropy
        self._safe = safe
        self._news = news
        self._turns = Turns()
        self._loading: dict[CampaignId, asyncio.Task[None]] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._committing: set[asyncio.Task[None]] = set()

    async def act(self, ask: Ask) -> bytes:
        """Have a command decided and committed; its answer as JSON.

        Raises `Rejection` (nothing was appended) and `DatabaseAway` (whether it was appended is not known; asking
        again with the same key is safe).
        """
        if not isinstance(ask.request.command, CreateCampaign):
            await self._load(ask.campaign_id)
        if isinstance(ask.request.command, (RevealHiddenDice, ProveHiddenRoll)):
            ask.dice_seeds = await self._safe.opened(ask.campaign_id, ask.request.command.epoch)
        self._enqueue([ask])
        return await ask.answered

    async def fire(self, campaign_id: CampaignId, real_time: int, given: list[OwedKey]) -> int:
        """Let happen what is due by a moment of real time (microseconds UTC); how many things did.

        `given` are those that a worker was given to look after; they are tried although they failed before. A
        timer that nothing is owed for any more is taken out of the database. Raises `Stale` and `DatabaseAway`.
        """
        await self._agree_on_timers(campaign_id, given)
        ask = Ask(
            campaign_id=campaign_id,
            account=None,
            request=ActRequest(command=Fire(real_time, given)),
            action_id=ActionId(campaign_id),  # each thing that happens has an id of its own
            answered=asyncio.get_running_loop().create_future(),
        )
        self._enqueue([ask])
        return int(await ask.answered)

    async def close(self) -> None:
        """Finish what is under way."""
        while running := [*self._committing, *self._background]:
            await asyncio.gather(*running, return_exceptions=True)

    def _enqueue(self, asks: list[Ask]) -> None:
        self._turns.join(asks)
        self._commit_more()

    def _commit_more(self) -> None:
        if self._turns.ready and len(self._committing) < GROUPS_IN_FLIGHT:
            self._committing.add(asyncio.create_task(self._commit_groups()))

    async def _commit_groups(self) -> None:
        """Commit group after group until none can go."""
        try:
            while group := await self._next_group():
                try:
                    await self._commit(self._decide_group(group))
                finally:
                    self._turns.let_go(group)
        finally:
            self._committing -= {asyncio.current_task()}

    async def _next_group(self) -> Group:
        """Whose turn it is, at a time that the database takes; who is left over gets a group beside this one."""
        try:
            await self._time.be_set()
        except DatabaseAway as away:
            for ask in self._turns.leave():
                ask.fail(away)
        group = self._turns.take()
        self._commit_more()
        return group

    def _decide_group(self, group: Group) -> list[Plan]:
        plans = []
        for campaign_id, asks in group.items():
            try:
                plan = self._decide_campaign(campaign_id, asks)
            except Exception as defect:  # noqa: BLE001 — a defect in one campaign must not fail the others
                self._hot.forget(campaign_id)
                for ask in asks:
                    ask.fail(defect)
            else:
                plans += [plan] if plan is not None else []
        return plans

    def _decide_campaign(self, campaign_id: CampaignId, asks: list[Ask]) -> Plan | None:
        """Decide a campaign's commands in order, each on what was decided before; None: it is not in memory."""
        hot = self._hot_for(asks[0])
        if hot is None:
            self._in_background(self._load_then_enqueue(campaign_id, asks))
            return None
        plan = Plan(campaign_id, hot, hot.head)
        keys: set[tuple[AccountId | None, str]] = set()
        later: list[Ask] = []
        for ask in asks:
            if plan.rewritten or (ask.key is not None and (ask.account, ask.key) in keys):
                later.append(ask)
                continue
            if ask.key is not None:
                keys.add((ask.account, ask.key))
            self._decide(ask, plan)
        if later:
            self._turns.again(campaign_id, later)
        return plan

    def _hot_for(self, ask: Ask) -> HotCampaign | None:
        hot = self._hot.get(ask.campaign_id)
        if hot is None and isinstance(ask.request.command, CreateCampaign):
            hot = HotCampaign(Head(seq=0, hash=GENESIS, recorded_at=0), CampaignState())
            self._hot.keep(ask.campaign_id, hot)
        return hot

    def _decide(self, ask: Ask, plan: Plan) -> None:
        """Decide one command and let it have happened in memory."""
        ask.attempts += 1
        at = self._time()
        if isinstance(ask.request.command, Fire):
            self._fire(ask, ask.request.command, plan, at)
            return
        self._happen(plan, at)
        try:
            decision = decided(ask, plan.hot, at, self._dice, self._entropy)
        except Rejection as refusal:
            plan.unwritten.append((ask, refusal))
            return
        except Exception as defect:  # noqa: BLE001 — a defect in a rule must fail this command only
            ask.fail(defect)
            return
        if ask.prepared is not None:
            plan.rewritten, plan.erasure = True, ask.prepared.erasure
        if ask.prepared is not None and ask.prepared.state is not None:
            plan.hot.become(decision.rows[-1], ask.prepared.state)
        else:
            for row, event in zip(decision.rows, decision.events, strict=True):
                plan.hot.advance(row, event)
        plan.rows += decision.rows
        if decision.seeds is not None:
            plan.hot.seeds = decision.seeds
            plan.seeds += self._safe.sealed([decision.seeds])
        alone = plan.erasure is not None or (plan.rewritten and plan.hot.knowledge)
        then = nothing() if alone else self._happen(plan, at)
        reply = answer(ask, decision, then, plan.hot, self._names)
        if not decision.rows:
            plan.unwritten.append((ask, reply))
            return
        plan.members += membership_changes(decision.events)
        plan.accepted.append((ask, reply))
        if ask.key is not None and ask.account is not None:
            plan.keyed.append(KeyedAnswer(ask.account, ask.key, ask.request_hash, ask.action_id, reply))

    def _fire(self, ask: Ask, command: Fire, plan: Plan, at: int) -> None:
        """Let happen what a worker found due."""
        done = self._happen(plan, at, command)
        reply = b"%d" % done.fired
        if done.rows:
            plan.accepted.append((ask, reply))
        else:
            plan.unwritten.append((ask, reply))

    def _happen(self, plan: Plan, at: int, fire: Fire | None = None) -> Settled:
        """Let happen what is due now, in memory; failures are counted in the background."""
        if not plan.hot.owing.all(plan.hot.state):
            return nothing()
        done = settle(plan.campaign_id, plan.hot, at, self._dice, self._entropy, fire or Fire())
        plan.rows += done.rows
        plan.seeds += self._safe.sealed(done.seeds)
        for key, reason in done.failed:
            self._in_background(self._count_failure(plan.campaign_id, key, reason))
        return done

    async def _count_failure(self, campaign_id: CampaignId, key: OwedKey, reason: str) -> None:
        """In a transaction of its own, whatever becomes of the group."""
        try:
            attempts = await self._timers.failed(campaign_id, *key, reason[:REASON_MAX])
        except DatabaseAway:
            return  # it stays due, and fails again
        log_line.warning(
            "timer_failed", campaign=str(campaign_id), subject=key[1], attempts=attempts, reason=reason
        )

    async def _commit(self, plans: list[Plan]) -> None:
        """Append a group in one transaction and tell everybody what became of their command."""
        writing = [plan for plan in plans if plan.rows]
        for plan, outcome in zip(writing, await self._append(writing), strict=True):
            try:
                await self._settle(plan, outcome)
            except Exception as failure:  # noqa: BLE001 — whatever it is, those who wait must hear of it
                self._give_up(plan, failure)
        for plan in plans:
            if plan.unwritten:
                self._in_background(self._confirm(plan))

    async def _append(self, plans: list[Plan]) -> list[Outcome | Exception]:
        """Append all plans at once; one by one where something in one of them cannot be stored."""
        try:
            return [*await self._log.append([plan.chunk() for plan in plans])]
        except Exception as failure:  # noqa: BLE001 — the same
            if len(plans) <= 1 or isinstance(failure, DatabaseAway):
                return [failure] * len(plans)
        return [outcome for plan in plans for outcome in await self._append([plan])]

    async def _settle(self, plan: Plan, outcome: Outcome | Exception) -> None:
        if isinstance(outcome, Exception):
            self._give_up(plan, outcome)
            return
        if outcome.status == "written":
            plan.hot.owing.is_stored(plan.timers)
            if plan.erasure is not None or (plan.rewritten and await self._log.hidden(plan.campaign_id)):
                self._hot.forget(plan.campaign_id)  # it holds what was erased, or who knows what is found out anew
            else:
                self._hot.keep(plan.campaign_id, plan.hot)
            self._safe.note(plan.campaign_id, plan.hot.head)
            self._news(plan.campaign_id)
            for ask, reply in plan.accepted:
                ask.tell(reply)
            return
        self._hot.forget(plan.campaign_id)
        if outcome.status == "clock":
            self._time.doubt()
        again = [ask for ask in plan.asks if not await self._told_before(ask)]
        plan.unwritten = []
        self._decide_again(plan.campaign_id, again)

    async def _confirm(self, plan: Plan) -> None:
        """Tell of what appended nothing, once the database agrees that it was decided on the truth."""
        try:
            head = None if plan.rows else await self._log.head(plan.campaign_id)
            on_the_truth = bool(plan.rows) or (0 if head is None else head.seq) == plan.expected.seq
            if not on_the_truth:
                self._hot.forget(plan.campaign_id)
            for ask, result in plan.unwritten:
                if not isinstance(result, Missing) and await self._told_before(ask):
                    continue  # who is no member (any more) is not told again either
                if on_the_truth or ask.attempts >= ATTEMPTS_MAX:
                    ask.tell(result)
                else:
                    self._enqueue([ask])
        except Exception as failure:  # noqa: BLE001 — whatever it is, those who wait must hear of it
            for ask in plan.asks:
                ask.fail(failure)

    async def _told_before(self, ask: Ask) -> bool:
        """Give the first answer again if this command was accepted before under its key."""
        if ask.key is None or ask.account is None:
            return False
        known = await self._log.answer(ask.campaign_id, ask.account, ask.key)
        if known is None:
            return False
        if known.is_for(ask.request_hash):
            ask.tell(known.answer)
        else:
            reused = say("This Idempotency-Key came with another request before.")
            ask.tell(Stale("idempotency_key_reused", reused))
        return True

    def _give_up(self, plan: Plan, failure: Exception) -> None:
        """Forget what may not be true, and let everybody know."""
        self._hot.forget(plan.campaign_id)
        for ask in plan.asks:
            ask.fail(failure)
        plan.unwritten = []

    def _decide_again(self, campaign_id: CampaignId, asks: list[Ask]) -> None:
        """Others were faster: decide again, before whatever came in since."""
        busy = say("Others keep acting at the same moment; please try again.")
        for ask in asks:
            if ask.attempts >= ATTEMPTS_MAX:
                ask.tell(Stale("campaign_busy", busy))
        self._turns.again(campaign_id, [ask for ask in asks if ask.attempts < ATTEMPTS_MAX])

    async def _load(self, campaign_id: CampaignId) -> None:
        """Have a campaign in memory; several who want it load it once. Raises `Missing`."""
        if (hot := self._hot.get(campaign_id)) is not None:
            await self._names.fetch_all_in(hot.state)
            return
        loading = self._loading.get(campaign_id) or asyncio.create_task(self._load_once(campaign_id))
        self._loading[campaign_id] = loading
        await asyncio.shield(loading)

    async def _load_once(self, campaign_id: CampaignId) -> None:
        try:
            found = await self._standing.latest(campaign_id, GM)
            if found is None:
                raise no_such_campaign()
            await self._safe.require_whole(campaign_id, found[0])
            # After the log: timers that are newer than it belong to a newer head, on which nothing is appended.
            hot = HotCampaign(*found, await self._timers.of(campaign_id))
            hot.seeds = await self._safe.opened(campaign_id, hot.state.dice.epoch)
            hot.knowledge = await knowledge_of(self._log, self._views, self._standing, campaign_id, hot.state)
            await self._names.fetch_all_in(hot.state)
            if self._hot.get(campaign_id) is None:
                self._hot.keep(campaign_id, hot)
        finally:
            del self._loading[campaign_id]

    async def _agree_on_timers(self, campaign_id: CampaignId, given: list[OwedKey]) -> None:
        """Take out of the database what a worker was given though the campaign does not owe it."""
        hot = self._hot.get(campaign_id)
        if hot is not None and hot.head != await self._log.head(campaign_id):
            self._hot.forget(campaign_id)  # another process has gone on
        await self._load(campaign_id)
        hot = self._hot.get(campaign_id)
        if hot is None or all(key in hot.owing.all(hot.state) for key in given):
            return
        timers = hot.owing.timers(hot.state, hot.head.recorded_at)
        if await self._timers.replace(campaign_id, hot.head.seq, list(timers.values())):
            hot.owing.is_stored(timers)

    async def _load_then_enqueue(self, campaign_id: CampaignId, asks: list[Ask]) -> None:
        try:
            await self._load(campaign_id)
        except Exception as failure:  # noqa: BLE001 — whatever it is, those who wait must hear of it
            for ask in asks:
                ask.fail(failure)
        else:
            self._enqueue(asks)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._background.discard)
