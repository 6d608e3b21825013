"""Groups of which some batches can be written and others cannot, for an event store and the one in memory."""

import random

from msgspec.structs import replace

from domain.command_context import Role
from domain.event_store_types import Deletion, EventBatch, Head, MembershipChange, SealedSeeds, Timer
from domain.ids import AccountId, CampaignId
from infra.postgres.deletion_store import PostgresDeletionStore
from infra.postgres.driver.database import Database
from infra.postgres.event_store import PostgresEventStore
from infra.postgres.timer_store import PostgresTimerStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import NOTHING, answer_to, batch_after, head_at, new_account, new_campaign, wall_clock

CAMPAIGNS = 12
GROUPS = 25
LATE = 20_000_000
FLAWS = ("stale", "of another hash", "known key", "late", "")
"""What may be wrong with a batch; as often as each of these, nothing is."""

STATUSES = {"committed", "version_conflict", "duplicate_key", "clock_skew", "gone"}


class MixedGroups:
    """Draws groups by chance, for twelve campaigns of which one is deleted."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.memory = MemoryEventStore(wall_clock)
        self.campaigns = [new_campaign() for _ in range(CAMPAIGNS)]
        self.people = [new_account() for _ in range(3)]
        self.seen: set[str] = set()

    async def differences(self, connections: Database) -> list[str]:
        """What became of the groups there and not in memory, one sentence each; `seen` are the verdicts."""
        log = PostgresEventStore(connections)
        first = [self._batch(campaign, NOTHING, 1) for campaign in self.campaigns]
        wrong = await self._put(log, first)
        deleted = self.campaigns[0]
        await PostgresDeletionStore(connections).delete(deleted, None, "Of old", 0, rested=True)
        self.memory.deleted[deleted] = Deletion(deleted, "Of old", 0, None, 0, rested=True)
        for nth in range(2, GROUPS + 1):
            some = self.chance.sample(self.campaigns, self.chance.randint(2, CAMPAIGNS))
            wrong += await self._put(log, [await self._mixed(campaign, nth) for campaign in some])
        for campaign in self.campaigns[1:]:
            wrong += await self._compare(log, PostgresTimerStore(connections), campaign)
        return wrong

    async def _put(self, log: PostgresEventStore, group: list[EventBatch]) -> list[str]:
        there, here = await log.append(group), await self.memory.append(group)
        self.seen |= {each.status for each in here}
        return [f"{one} instead of {other}" for one, other in zip(there, here, strict=True) if one != other]

    async def _compare(
        self, log: PostgresEventStore, timers: PostgresTimerStore, campaign: CampaignId
    ) -> list[str]:
        memory = self.memory
        keys = [(account, key) for account in self.people for key in map(key_of, range(1, GROUPS + 1))]
        pairs = {
            "events": (await log.tail(campaign, 0), await memory.tail(campaign, 0)),
            "answers": (
                sorted(map(repr, await log.answers_to(campaign, keys))),
                sorted(map(repr, await memory.answers_to(campaign, keys))),
            ),
            "timers": (
                {kept.timer for kept in await timers.of(campaign)},
                {kept.timer for kept in memory.timers[campaign].values()},
            ),
            "members": (
                [dict(await log.campaigns_of(each)).get(campaign) for each in self.people],
                [dict(await memory.campaigns_of(each)).get(campaign) for each in self.people],
            ),
            "seeds": (
                [await log.sealed_seeds(campaign, epoch) for epoch in range(1, GROUPS + 1)],
                [await memory.sealed_seeds(campaign, epoch) for epoch in range(1, GROUPS + 1)],
            ),
        }
        return [f"other {name} of {campaign}" for name, (there, here) in pairs.items() if there != here]

    async def _mixed(self, campaign: CampaignId, nth: int) -> EventBatch:
        """A batch that can be written, or one that has a flaw."""
        head = await self.memory.head(campaign) or NOTHING
        flaw = self.chance.choice(FLAWS)
        if flaw == "stale" and head.seq:
            events = await self.memory.tail(campaign, 0)
            head = head_at(events[-2]) if len(events) > 1 else NOTHING
        if flaw == "of another hash":
            head = Head(head.seq, b"x" * 32, head.recorded_at)
        batch = self._batch(campaign, head, self.chance.randrange(1, nth) if flaw == "known key" else nth)
        return replace(batch, decided_at=wall_clock() - LATE) if flaw == "late" else batch

    def _batch(self, campaign: CampaignId, head: Head, nth: int) -> EventBatch:
        """Events with an answer to each person, and by chance what else comes with events."""
        chance = self.chance
        batch = batch_after(
            campaign,
            head,
            events=chance.randint(1, 3),
            texts=chance.choice([None, b'{"event.text":"x"}']),
            answers=[answer_to(account, key_of(nth)) for account in self.people],
            members=[self._change(account, first=nth == 1) for account in self.people],
            seeds=[SealedSeeds(nth, b"sealed %d" % nth)] if chance.random() < 1 / 2 else [],
        )
        timer = Timer(batch.events[0].action_id, "payout", "real", 7, 7)
        fired = [key for key in self.memory.timers[campaign] if chance.random() < 1 / 2]
        return replace(batch, timers=[timer], fired=fired)

    def _change(self, account: AccountId, *, first: bool) -> MembershipChange:
        # One remains: answers are for members only.
        roles: list[Role | None] = ["gm", "player"]
        if not first and account != self.people[0]:
            roles.append(None)
        return MembershipChange(account, self.chance.choice(roles))


def key_of(nth: int) -> str:
    return f"key {nth}"
