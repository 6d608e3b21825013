"""Imports a prepared file as a new campaign, appended in pieces.

Until the last piece is appended, the campaign has no members, owes no commands, and has no timers: if the service
dies meanwhile, no account can read the rest. A repeated request with the same key appends the rest.
"""

from collections.abc import Generator, Iterator

from msgspec import Struct

from domain.campaign.command_request import ActRequest
from domain.campaign.dice import epochs
from domain.campaign.evolve import evolve
from domain.campaign.messages.imports import CampaignImported, ImportCampaign, ImportCompleted
from domain.campaign.storage.event_codec import decode_event, decode_request
from domain.campaign.storage.snapshot import decode_state, encode_state
from domain.campaign.transfer.remap import OPENING_EVENTS
from domain.dice.seeded_dice import EpochSeeds
from domain.event_store_types import EventBatch, Head, KeyedAnswer, MembershipChange, StoredEvent
from domain.hash_chain import GENESIS
from domain.ids import ActionId, CampaignId
from domain.rejection import Forbidden, Rejection
from domain.sentences import say
from services.campaign.campaign_timers import CampaignTimers
from services.campaign.visible_campaign import PointInTime, VisibleCampaign
from services.commands.creation_keys import CampaignKey
from services.errors import campaign_busy, campaign_not_found, key_reused
from services.lifecycle.membership import require_room
from services.transfer.export_campaign import exported
from services.transfer.import_file import rows_of
from services.transfer.import_plan import NOTHING, ImportOptions, ImportPlan, hash_chained, plan_import, spool
from services.transfer.transfer_dependencies import TransferParts
from services.transfer.uploaded_export import LIMITS, too_large, too_many_events

BATCH_EVENTS = 200
BATCH_BYTES = 1_048_576
"""An append takes the event loop for a few milliseconds. It may exceed this size by its last event."""
STILL_SECONDS = 1.0
"""A running import appends more often than this."""
COMPLETION_EVENTS_MAX = 10


class Imported(Struct, frozen=True):
    """The new campaign, whose only member is the importing account; `as_of` is its head."""

    campaign_id: CampaignId
    name: str
    as_of: int
    events: int


class Overtaken(Exception):  # noqa: N818 — nothing is wrong: another process brings the same over
    """Another process appended to the same new campaign."""


async def import_campaign(parts: TransferParts, prepared: ImportPlan) -> Imported:
    """Append the prepared events as a new campaign, or the rest of them after an earlier request.

    Raises `DatabaseUnavailable`, `campaign_busy` if the clock jumped, `idempotency_key_reused` if something else
    was begun under the key, and `campaign_not_found` if that was deleted meanwhile.
    """
    campaign_id, key = prepared.crossing.campaign_id, prepared.options.key
    while True:
        opening = None if key is None else await opening_of(parts, campaign_id)
        head = NOTHING if opening is None else await parts.log.head(campaign_id)
        if opening is None:
            await require_room(parts.rates, parts.log, prepared.options.account)
            await parts.quotas.require_storage(prepared.options.account)
        elif not _is_same(opening, prepared) or await _name_asked(parts, campaign_id) != prepared.options.name:
            raise key_reused()
        if head is None:
            raise campaign_not_found()
        if head.seq > OPENING_EVENTS + prepared.opening.events:
            return await imported(parts, campaign_id)
        try:
            head = await _append_rest(parts, prepared, head)
        except Overtaken:
            if key is None:
                raise campaign_busy() from None
            await _stillness(parts, campaign_id)
            continue
        parts.detector.confirm(campaign_id, head)
        parts.notifier.notify(campaign_id)
        return await imported(parts, campaign_id)


def _is_same(opening: CampaignImported, prepared: ImportPlan) -> bool:
    """Whether a begun import is the same: a fork is exported again, and people may have other names by now."""
    is_fork = prepared.options.people is None

    def what(event: CampaignImported) -> object:
        people = {(person.account, None if is_fork else person.name) for person in event.people}
        return event.campaign_id, event.as_of, event.head_hash, people

    return what(opening) == what(prepared.opening)


async def _name_asked(parts: TransferParts, campaign_id: CampaignId) -> str | None:
    """The name that a begun import was given; None: none."""
    [opening] = await parts.log.tail(campaign_id, 0, 1)
    request = decode_request(opening)
    return None if request is None else request["command"].get("name")


async def opening_of(parts: TransferParts, campaign_id: CampaignId) -> CampaignImported | None:
    """The opening event of an imported campaign; None: there is no such campaign.

    Raises `idempotency_key_reused` if the campaign began otherwise.
    """
    rows = await parts.log.tail(campaign_id, 0, 1)
    if not rows:
        return None
    opening = decode_event(rows[0])
    if not isinstance(opening, CampaignImported):
        raise key_reused()
    return opening


async def imported(parts: TransferParts, campaign_id: CampaignId) -> Imported:
    """The answer to an import, from the campaign's log. Raises `campaign_not_found`."""
    opening = await opening_of(parts, campaign_id)
    first = 0 if opening is None else OPENING_EVENTS + opening.events
    rows = await parts.log.tail(campaign_id, first, COMPLETION_EVENTS_MAX)
    completed = decode_event(rows[0]) if rows else None
    if opening is None or not isinstance(completed, ImportCompleted):
        raise campaign_not_found()
    as_of = max(row.seq for row in rows if row.action_id == rows[0].action_id)
    return Imported(campaign_id, completed.name, as_of, opening.events)


async def imported_before(parts: TransferParts, key: CampaignKey | None) -> Imported | None:
    """The answer to an earlier request with this key; None: there is none yet.

    Raises `idempotency_key_reused` if that was a different request.
    """
    record = None if key is None else await key.answer(parts.log)
    if key is None or record is None:
        return None
    key.check(record)
    return await imported(parts, key.campaign_id)


async def _stillness(parts: TransferParts, campaign_id: CampaignId) -> None:
    """Wait while another process imports the same."""
    before, now = None, await parts.log.head(campaign_id)
    async with parts.notifier.subscribe(campaign_id) as subscription:
        while now != before:
            await subscription.wait(STILL_SECONDS)
            before, now = now, await parts.log.head(campaign_id)


async def _append_rest(parts: TransferParts, prepared: ImportPlan, head: Head) -> Head:
    """Append the missing rows after a head; returns the new head. Raises `Overtaken`."""
    campaign_id, options = prepared.crossing.campaign_id, prepared.options
    at = await parts.log.now()

    def now() -> int:
        return at

    def salt() -> bytes:
        return parts.entropy.salts()[:16]

    if head.seq == 0:
        first = hash_chained(
            parts, campaign_id, NOTHING, options.account, prepared.opening, at, _import_request(prepared)
        )
        await _append(parts, EventBatch(campaign_id, 0, GENESIS, [first]))
        head = _head_at(first)
    rows = prepared.crossing.brought(rows_of(prepared.file, prepared.limits), head, now, salt)
    while batch := await parts.slices.finish(_batch(rows)):
        await _append(parts, EventBatch(campaign_id, head.seq, head.hash, batch))
        head = _head_at(batch[-1])
        at = await parts.log.now()
    return await _complete(parts, prepared, head, at)


def _batch(rows: Iterator[StoredEvent]) -> Generator[None, None, list[StoredEvent]]:
    """The next rows to append together, one at each step; empty at the end."""
    batch: list[StoredEvent] = []
    size = 0
    while len(batch) < BATCH_EVENTS and size < BATCH_BYTES and (row := next(rows, None)) is not None:
        batch.append(row)
        size += len(row.body) + len(row.command or b"") + len(row.texts or b"")
        yield
    return batch


async def _complete(parts: TransferParts, prepared: ImportPlan, head: Head, at: int) -> Head:
    """The last action: the campaign gets its GM, its timers, and seeds of its own."""
    campaign_id, account = prepared.crossing.campaign_id, prepared.options.account
    state = decode_state(encode_state(prepared.state))  # a copy, since completion may be repeated
    completed = ImportCompleted(gm=account, name=prepared.options.name or state.name)

    def fresh(epoch: int) -> EpochSeeds:
        return EpochSeeds(campaign_id, epoch, parts.entropy.salts(), parts.entropy.salts())

    about_dice, seeds = epochs.closing(state.dice, [completed], None, fresh)
    action_id = ActionId(parts.entropy.new_id())
    before = head
    rows: list[StoredEvent] = []
    for event in (completed, *about_dice):
        rows.append(
            hash_chained(
                parts,
                campaign_id,
                head,
                account,
                event,
                at,
                None if rows else _import_request(prepared),
                action_id,
            )
        )
        head = _head_at(rows[-1])
        state = evolve(state, event)
    timers = CampaignTimers().timers(state, head.recorded_at)
    batch = EventBatch(
        campaign_id,
        before.seq,
        before.hash,
        rows,
        answers=await _answers(parts, prepared),
        members=[MembershipChange(account, "gm")],
        timers=[*timers.values()],
        seeds=[] if seeds is None else [parts.seeds.encrypted(seeds)],
    )
    await _append(parts, batch)
    return head


async def _answers(parts: TransferParts, prepared: ImportPlan) -> list[KeyedAnswer]:
    """The idempotency record: the log holds the whole answer.

    It belongs to the opening event, so that an erasure of imported texts removes the hash of the request, too.
    """
    key = prepared.options.key
    if key is None:
        return []
    (first,) = await parts.log.tail(key.campaign_id, 0, 1)
    return [KeyedAnswer(key.account, key.key, key.request_hash, first.action_id, b"")]


async def fork(
    parts: TransferParts, campaign: VisibleCampaign, name: str | None, key: CampaignKey | None = None
) -> Imported:
    """Create a campaign that begins as the visible one stands, through the same file format.

    A fork that was begun under the same key continues from its first moment. Raises `gm_only`, `nothing_to_fork`,
    `file_too_many_events`, `file_too_large` and `idempotency_key_reused`.
    """
    if key is not None and (opening := await opening_of(parts, key.campaign_id)) is not None:
        if opening.campaign_id != campaign.campaign_id:
            raise key_reused()
        campaign = await parts.campaigns.see(
            campaign.campaign_id, campaign.account, PointInTime(seq=opening.as_of)
        )
    if campaign.role != "gm":
        raise Forbidden("gm_only", campaign.text_of(say("Only a GM may fork a campaign.")))
    if campaign.seq == 0:
        raise Rejection("nothing_to_fork", campaign.text_of(say("Nothing had happened yet by then.")))
    if campaign.seq > LIMITS.events:
        raise too_many_events(LIMITS)
    with spool() as file:
        async for piece in exported(parts, campaign):
            file.write(piece)
            if file.tell() > LIMITS.bytes_max:
                raise too_large(LIMITS)
        options = ImportOptions(campaign.account, None, name, key)
        return await import_campaign(parts, await plan_import(parts, file, options))


def _import_request(prepared: ImportPlan) -> ActRequest:
    header = prepared.contents.header
    return ActRequest(command=ImportCampaign(header.campaign_id, header.as_of, prepared.options.name))


async def _append(parts: TransferParts, batch: EventBatch) -> None:
    (outcome,) = await parts.log.append([batch])
    match outcome.status:
        case "version_conflict" | "duplicate_key":
            raise Overtaken
        case "gone":
            raise campaign_not_found()
        case "clock_skew":
            raise campaign_busy()


def _head_at(row: StoredEvent) -> Head:
    return Head(seq=row.seq, hash=row.hash, recorded_at=row.recorded_at)
