"""A campaign as a file: what one reader may see of its log, in lines whose chain can still be verified."""

from collections.abc import AsyncIterator
from hashlib import sha256

from msgspec import structs

from domain.campaign.codec import decode_event, recorded
from domain.campaign.events import MemberJoined
from domain.campaign.exported import (
    FORMAT,
    VERSION,
    AnyLine,
    CheckpointLine,
    EndLine,
    Header,
    PersonLine,
    SeedLine,
    encode_line,
    event_line,
    hidden_line,
)
from domain.campaign.visibility import may_read, without_secrets
from domain.chain import GENESIS
from domain.ids import AccountId
from domain.links import link_of, private_hash_of
from domain.stored import Head, StoredEvent
from projections.moments import moment
from services.checkpoints import signed_checkpoint
from services.folding import by_action
from services.house import House
from services.reading import Seen

LINES_AT_ONCE = 200
"""So many lines go out together: one at a time costs more than making them."""


async def exported(house: House, seen: Seen) -> AsyncIterator[bytes]:
    """The export of what was seen, up to its seq, in pieces of some lines; holds one batch of the log."""
    waiting: list[bytes] = []
    lines, digest = 0, sha256()
    async for line in _lines(house, seen):
        waiting.append(encode_line(line))
        lines += 1
        if len(waiting) == LINES_AT_ONCE:
            piece = b"".join(waiting)
            waiting = []
            digest.update(piece)
            yield piece
    piece = b"".join(waiting)
    digest.update(piece)
    yield piece + encode_line(EndLine(lines + 1, digest.hexdigest()))


async def _lines(house: House, seen: Seen) -> AsyncIterator[AnyLine]:
    last = (await house.log.tail(seen.campaign_id, seen.seq - 1, limit=1))[0]
    yield Header(
        format=FORMAT,
        version=VERSION,
        campaign_id=seen.campaign_id,
        name=seen.state.name,
        systems=[*seen.state.systems],
        exported_at=moment(await house.log.now()),
        as_of=seen.seq,
        head_hash=last.hash.hex(),
        role=seen.role,
    )
    people = set(seen.state.members)
    previous = GENESIS
    async for action in _actions(house, seen):
        for row, is_open in zip(action, _open_to(seen, action), strict=True):
            if row.seq > seen.seq:
                break
            if is_open:
                people |= _people_in(row)
                yield event_line(row)
            else:
                yield hidden_line(row, link_of(seen.campaign_id, previous, row) or private_hash_of(row))
            previous = row.hash
    await house.names.fetch(people)
    for account in sorted(people):
        yield PersonLine(account, seen.name(account), seen.state.members.get(account))
    for epoch in seen.state.dice.epochs:
        if epoch.seed is not None or epoch.hidden_seed is not None:
            yield SeedLine(epoch.epoch, epoch.commitment, epoch.hidden_commitment, epoch.seed, epoch.hidden_seed)
    head = Head(seq=last.seq, hash=last.hash, recorded_at=last.recorded_at)
    yield CheckpointLine(**structs.asdict(signed_checkpoint(house.signer, seen.campaign_id, head)))


async def _actions(house: House, seen: Seen) -> AsyncIterator[list[StoredEvent]]:
    """Whole actions, up to the one that was seen last: what of an action is open depends on all of it."""
    waiting: list[StoredEvent] = []
    async for rows in house.log.stream(seen.campaign_id):
        *whole, waiting = by_action([*waiting, *rows])
        for action in whole:
            if action[0].seq > seen.seq:
                return
            yield action
    if waiting and waiting[0].seq <= seen.seq:
        yield waiting


def _open_to(seen: Seen, action: list[StoredEvent]) -> list[bool]:
    """Which events of an action the reader may see just as they are.

    The command, which stands with the first event, may say what is taken out of one: then that stays hidden too.
    """
    if seen.audience.gm:
        return [True] * len(action)
    records = [recorded(row) for row in action]
    secret = [without_secrets(record.event) is not record.event for record in records]
    return [
        may_read(seen.audience, record, seen.state.revealed)
        and not (holds or (record.command is not None and any(secret)))
        for record, holds in zip(records, secret, strict=True)
    ]


def _people_in(row: StoredEvent) -> set[AccountId]:
    joined = decode_event(row) if row.kind == MemberJoined.__struct_config__.tag else None
    return {each for each in (row.actor, joined and joined.account) if each is not None}
