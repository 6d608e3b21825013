"""A new campaign out of what was prepared from a file, appended piece by piece.

Until the last piece is in, nobody is a member of it, it owes itself nothing, and it has no timers: if the service
dies on the way, what is there can be read by nobody. Who asks again with the same key has the rest brought over.
"""

from collections.abc import Generator, Iterator

from msgspec import Struct

from domain.campaign.dice import epochs
from domain.campaign.evolve import evolve
from domain.campaign.request import ActRequest
from domain.campaign.storage.event_codec import decode_event, decode_request
from domain.campaign.storage.snapshot import freeze, thaw
from domain.campaign.transfer.import_events import CampaignImported, ImportCampaign, ImportCompleted
from domain.campaign.transfer.remap import OPENING_EVENTS
from domain.dice.seeds import EpochSeeds
from domain.event_store_types import Chunk, Head, KeyedAnswer, MembershipChange, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import ActionId, CampaignId
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from services.application import Application
from services.campaigns.lifecycle import require_room
from services.commands.creation_keys import CampaignKey
from services.errors import campaign_busy, campaign_not_found, key_reused
from services.queries.campaign_reader import PointInTime, VisibleCampaign
from services.scheduler.schedule_index import ScheduleIndex
from services.transfer.export_campaign import exported
from services.transfer.export_file import LIMITS, too_large, too_many_events
from services.transfer.import_file import rows_of
from services.transfer.import_plan import NOTHING, ImportOptions, ImportPlan, hash_chained, plan_import, spool

BATCH_EVENTS = 200
BATCH_BYTES = 1_048_576
"""An append takes the event loop for a few milliseconds. It may be longer than that by its last event."""
STILL_SECONDS = 1.0
"""A process that brings a campaign over appends more often."""
COMPLETION_EVENTS_MAX = 10


class Imported(Struct, frozen=True):
    """The new campaign, whose only member is whoever brought it here; `as_of` is its head."""

    campaign_id: CampaignId
    name: str
    as_of: int
    events: int


class Overtaken(Exception):  # noqa: N818 — nothing is wrong: another process brings the same over
    """Somebody else appended to the same new campaign."""


async def import_campaign(application: Application, prepared: ImportPlan) -> Imported:
    """Append what was prepared as a new campaign, or the rest of it where another request came so far.

    Raises `DatabaseUnavailable`. Refuses `campaign_busy` where the clock jumped, `idempotency_key_reused` where
    something else was begun under the key, and `campaign_not_found` where that was deleted meanwhile.
    """
    campaign_id, key = prepared.crossing.campaign_id, prepared.wish.key
    while True:
        begun = None if key is None else await opening_of(application, campaign_id)
        head = NOTHING if begun is None else await application.log.head(campaign_id)
        if begun is None:
            await require_room(application, prepared.wish.account)
        elif not _is_same(begun, prepared) or await _name_asked(application, campaign_id) != prepared.wish.name:
            raise key_reused()
        if head is None:
            raise campaign_not_found()
        if head.seq > OPENING_EVENTS + prepared.opening.events:
            return await imported(application, campaign_id)
        try:
            head = await _append_rest(application, prepared, head)
        except Overtaken:
            if key is None:
                raise campaign_busy() from None
            await _stillness(application, campaign_id)
            continue
        application.detector.confirm(campaign_id, head)
        application.notifier.notify(campaign_id)
        return await imported(application, campaign_id)


def _is_same(begun: CampaignImported, prepared: ImportPlan) -> bool:
    """Whether the same was begun: a fork is exported anew, and people may have other names by now."""
    is_fork = prepared.wish.people is None

    def what(each: CampaignImported) -> object:
        people = {(person.account, None if is_fork else person.name) for person in each.people}
        return each.campaign_id, each.as_of, each.head_hash, people

    return what(begun) == what(prepared.opening)


async def _name_asked(application: Application, campaign_id: CampaignId) -> str | None:
    """The name that was asked for when a campaign was begun to be brought over; None: none."""
    [opening] = await application.log.tail(campaign_id, 0, 1)
    request = decode_request(opening)
    return None if request is None else request["command"].get("name")


async def opening_of(application: Application, campaign_id: CampaignId) -> CampaignImported | None:
    """How a campaign began that is, or was, brought over; None: there is none.

    Refuses `idempotency_key_reused` where it began otherwise.
    """
    rows = await application.log.tail(campaign_id, 0, 1)
    if not rows:
        return None
    opening = decode_event(rows[0])
    if not isinstance(opening, CampaignImported):
        raise key_reused()
    return opening


async def imported(application: Application, campaign_id: CampaignId) -> Imported:
    """What was told when a campaign was brought over, from its log. Refuses `campaign_not_found`."""
    opening = await opening_of(application, campaign_id)
    first = 0 if opening is None else OPENING_EVENTS + opening.events
    rows = await application.log.tail(campaign_id, first, COMPLETION_EVENTS_MAX)
    completed = decode_event(rows[0]) if rows else None
    if opening is None or not isinstance(completed, ImportCompleted):
        raise campaign_not_found()
    as_of = max(row.seq for row in rows if row.action_id == rows[0].action_id)
    return Imported(campaign_id, completed.name, as_of, opening.events)


async def imported_before(application: Application, key: CampaignKey | None) -> Imported | None:
    """What came of the request that came with a key before; None: nothing yet.

    Refuses `idempotency_key_reused` where that was another request.
    """
    known = None if key is None else await key.answer(application.log)
    if key is None or known is None:
        return None
    key.check(known)
    return await imported(application, key.campaign_id)


async def _stillness(application: Application, campaign_id: CampaignId) -> None:
    """Wait while another process brings the same over."""
    before, now = None, await application.log.head(campaign_id)
    async with application.notifier.subscribe(campaign_id) as subscription:
        while now != before:
            await subscription.wait(STILL_SECONDS)
            before, now = now, await application.log.head(campaign_id)


async def _append_rest(application: Application, prepared: ImportPlan, head: Head) -> Head:
    """Append what is not in yet at a head; the head then. Raises `Overtaken`."""
    campaign_id, wish = prepared.crossing.campaign_id, prepared.wish
    at = await application.log.now()

    def now() -> int:
        return at

    def salt() -> bytes:
        return application.entropy.salts()[:16]

    if head.seq == 0:
        first = hash_chained(
            application, campaign_id, NOTHING, wish.account, prepared.opening, at, _asked(prepared)
        )
        await _append(application, Chunk(campaign_id, 0, GENESIS, [first]))
        head = _head_at(first)
    rows = prepared.crossing.brought(rows_of(prepared.file, prepared.limits), head, now, salt)
    while batch := await application.slices.finish(_batch(rows)):
        await _append(application, Chunk(campaign_id, head.seq, head.hash, batch))
        head = _head_at(batch[-1])
        at = await application.log.now()
    return await _complete(application, prepared, head, at)


def _batch(rows: Iterator[StoredEvent]) -> Generator[None, None, list[StoredEvent]]:
    """The next rows that are appended together, one at each step; none are left where there are none."""
    batch: list[StoredEvent] = []
    size = 0
    while len(batch) < BATCH_EVENTS and size < BATCH_BYTES and (row := next(rows, None)) is not None:
        batch.append(row)
        size += len(row.body) + len(row.command or b"") + len(row.texts or b"")
        yield
    return batch


async def _complete(application: Application, prepared: ImportPlan, head: Head, at: int) -> Head:
    """The last action: the campaign gets its GM, its timers, and seeds of its own."""
    campaign_id, account = prepared.crossing.campaign_id, prepared.wish.account
    state = thaw(freeze(prepared.state))  # it is evolved in place, and may be completed once more
    completed = ImportCompleted(gm=account, name=prepared.wish.name or state.name)

    def fresh(epoch: int) -> EpochSeeds:
        return EpochSeeds(campaign_id, epoch, application.entropy.salts(), application.entropy.salts())

    about_dice, seeds = epochs.closing(state.dice, [completed], None, fresh)
    action_id = ActionId(application.entropy.new_id())
    before = head
    rows: list[StoredEvent] = []
    for event in (completed, *about_dice):
        rows.append(
            hash_chained(
                application, campaign_id, head, account, event, at, None if rows else _asked(prepared), action_id
            )
        )
        head = _head_at(rows[-1])
        state = evolve(state, event)
    timers = ScheduleIndex().timers(state, head.recorded_at)
    chunk = Chunk(
        campaign_id,
        before.seq,
        before.hash,
        rows,
        answers=await _answers(application, prepared),
        members=[MembershipChange(account, "gm")],
        timers=[*timers.values()],
        seeds=[] if seeds is None else [application.seeds.encrypted(seeds)],
    )
    await _append(application, chunk)
    return head


async def _answers(application: Application, prepared: ImportPlan) -> list[KeyedAnswer]:
    """What the key stands for: all of the answer stands in the log.

    It belongs to the opening, so that what is erased of what was brought over takes the hash of the request along.
    """
    key = prepared.wish.key
    if key is None:
        return []
    (first,) = await application.log.tail(key.campaign_id, 0, 1)
    return [KeyedAnswer(key.account, key.key, key.request_hash, first.action_id, b"")]


async def fork(
    application: Application, seen: VisibleCampaign, name: str | None, key: CampaignKey | None = None
) -> Imported:
    """A new campaign that begins as this one was when it was seen, through the same file.

    One that was begun under the same key goes on from how it was seen then. Refuses `gm_only`, `nothing_to_fork`,
    `file_too_many_events`, `file_too_large` and `idempotency_key_reused`.
    """
    if key is not None and (begun := await opening_of(application, key.campaign_id)) is not None:
        if begun.campaign_id != seen.campaign_id:
            raise key_reused()
        seen = await application.reading.see(seen.campaign_id, seen.account, PointInTime(seq=begun.as_of))
    if seen.role != "gm":
        raise Forbidden("gm_only", seen.told(say("Only a GM may fork a campaign.")))
    if seen.seq == 0:
        raise Rejection("nothing_to_fork", seen.told(say("Nothing had happened yet by then.")))
    if seen.seq > LIMITS.events:
        raise too_many_events(LIMITS)
    with spool() as file:
        async for piece in exported(application, seen):
            file.write(piece)
            if file.tell() > LIMITS.bytes_max:
                raise too_large(LIMITS)
        wish = ImportOptions(seen.account, None, name, key)
        return await import_campaign(application, await plan_import(application, file, wish))


def _asked(prepared: ImportPlan) -> ActRequest:
    header = prepared.contents.header
    return ActRequest(command=ImportCampaign(header.campaign_id, header.as_of, prepared.wish.name))


async def _append(application: Application, chunk: Chunk) -> None:
    (outcome,) = await application.log.append([chunk])
    match outcome.status:
        case "version_conflict" | "duplicate_key":
            raise Overtaken
        case "gone":
            raise campaign_not_found()
        case "clock_skew":
            raise campaign_busy()


def _head_at(row: StoredEvent) -> Head:
    return Head(seq=row.seq, hash=row.hash, recorded_at=row.recorded_at)
