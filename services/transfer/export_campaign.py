"""Exports a campaign: what one reader may see of its log, as lines whose chain can be verified."""

from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from hashlib import sha256

from msgspec import structs

from domain.campaign.events import MemberJoined
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.storage.event_codec import decode_event, recorded
from domain.campaign.transfer.export_format import (
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
from domain.event_store_types import Head, StoredEvent
from domain.hash_chain import GENESIS, link_of, private_hash_of
from domain.ids import AccountId
from projections.timestamps import moment
from services.integrity.checkpoints import signed_checkpoint
from services.queries.campaign_reader import VisibleCampaign
from services.queries.event_scan import by_action
from services.transfer.parts import TransferParts

LINES_AT_ONCE = 200
"""Lines that are sent together: sending each line costs more than making it."""


async def exported(parts: TransferParts, seen: VisibleCampaign) -> AsyncIterator[bytes]:
    """The export of a visible campaign, up to its seq, in pieces of some lines; holds one batch of the log."""
    export = _Export(seen)
    last = (await parts.log.tail(seen.campaign_id, seen.seq - 1, limit=1))[0]
    header = Header(
        format=FORMAT,
        version=VERSION,
        campaign_id=seen.campaign_id,
        name=seen.state.name,
        systems=[*seen.state.systems],
        exported_at=moment(await parts.log.now()),
        as_of=seen.seq,
        head_hash=last.hash.hex(),
        role=seen.role,
    )
    yield export.piece([header])
    async for actions in _actions(parts, seen):
        waiting = iter(actions)
        while piece := await parts.slices.finish(export.events(waiting)):
            yield piece
    await parts.names.fetch(export.people)
    yield export.piece(_after_events(parts, seen, export.people, last))
    yield export.end()


class _Export:
    """An export while it is written; `people` are the accounts named in it."""

    def __init__(self, seen: VisibleCampaign) -> None:
        self.people = set(seen.state.members)
        self._seen = seen
        self._previous = GENESIS
        self._lines = 0
        self._digest = sha256()

    def events(self, actions: Iterator[list[StoredEvent]]) -> Generator[None, None, bytes]:
        """The lines of the next actions, an action at each step; empty where there are none."""
        lines: list[AnyLine] = []
        while len(lines) < LINES_AT_ONCE and (action := next(actions, None)) is not None:
            lines += self._of_action(action)
            yield
        return self.piece(lines)

    def _of_action(self, action: list[StoredEvent]) -> Iterator[AnyLine]:
        campaign_id = self._seen.campaign_id
        for row, is_open in zip(action, _open_to(self._seen, action), strict=True):
            if row.seq > self._seen.seq:
                return
            if is_open:
                self.people |= _people_in(row)
                yield event_line(row)
            else:
                yield hidden_line(row, link_of(campaign_id, self._previous, row) or private_hash_of(row))
            self._previous = row.hash

    def piece(self, lines: Iterable[AnyLine]) -> bytes:
        """The bytes of these lines, added to the running hash."""
        encoded = [encode_line(line) for line in lines]
        piece = b"".join(encoded)
        self._lines += len(encoded)
        self._digest.update(piece)
        return piece

    def end(self) -> bytes:
        """The last line."""
        return encode_line(EndLine(self._lines + 1, self._digest.hexdigest()))


def _after_events(
    parts: TransferParts, seen: VisibleCampaign, people: set[AccountId], last: StoredEvent
) -> Iterator[AnyLine]:
    for account in sorted(people):
        yield PersonLine(account, seen.name(account), seen.state.members.get(account))
    for epoch in seen.state.dice.epochs:
        if epoch.seed is not None or epoch.hidden_seed is not None:
            yield SeedLine(epoch.epoch, epoch.commitment, epoch.hidden_commitment, epoch.seed, epoch.hidden_seed)
    head = Head(seq=last.seq, hash=last.hash, recorded_at=last.recorded_at)
    yield CheckpointLine(**structs.asdict(signed_checkpoint(parts.signer, seen.campaign_id, head)))


async def _actions(parts: TransferParts, seen: VisibleCampaign) -> AsyncIterator[list[list[StoredEvent]]]:
    """Whole actions up to the last visible one: which events of an action are open depends on all of them."""
    waiting: list[StoredEvent] = []
    async for rows in parts.log.stream(seen.campaign_id):
        *whole, waiting = by_action([*waiting, *rows])
        yield [action for action in whole if action[0].seq <= seen.seq]
        if waiting[0].seq > seen.seq:
            return
    if waiting:
        yield [waiting]


def _open_to(seen: VisibleCampaign, action: list[StoredEvent]) -> list[bool]:
    """For each event of an action, whether the reader may see it without redaction.

    The command, which stands with the first event, may contain the redacted part of another event: then the first
    is hidden too.
    """
    if seen.audience.gm:
        return [True] * len(action)
    records = [recorded(row) for row in action]
    has_secrets = any(without_secrets(record.event) is not record.event for record in records)
    return [
        seen.as_read(record).event is record.event and not (record.command is not None and has_secrets)
        for record in records
    ]


def _people_in(row: StoredEvent) -> set[AccountId]:
    joined = decode_event(row) if row.kind == MemberJoined.__struct_config__.tag else None
    return {each for each in (row.actor, joined and joined.account) if each is not None}
