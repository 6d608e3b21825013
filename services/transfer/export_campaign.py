"""Exports a campaign: the part of its log that one reader may see, as lines of a chain that can be verified."""

from collections.abc import AsyncIterator, Generator, Iterable, Iterator
from hashlib import sha256

from msgspec import structs

from domain.campaign.events import MemberJoined
from domain.campaign.secrecy.audience import without_secrets
from domain.campaign.storage.event_codec import decode_event, record_of
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
from domain.ids import AccountId
from projections.timestamps import moment
from services.campaign.visible_campaign import VisibleCampaign
from services.integrity.checkpoints import signed_checkpoint
from services.reading.event_scan import by_action
from services.transfer.transfer_dependencies import TransferParts

LINES_AT_ONCE = 200
"""Lines that are sent together: sending each line costs more than making it."""


async def exported(parts: TransferParts, campaign: VisibleCampaign) -> AsyncIterator[bytes]:
    """The export of a visible campaign, up to its seq, in pieces of some lines; holds one batch of the log."""
    export = _Export(campaign)
    last = (await parts.log.tail(campaign.campaign_id, campaign.seq - 1, limit=1))[0]
    header = Header(
        format=FORMAT,
        version=VERSION,
        campaign_id=campaign.campaign_id,
        name=campaign.state.name,
        systems=[*campaign.state.systems],
        exported_at=moment(await parts.log.now()),
        as_of=campaign.seq,
        head_hash=last.hash.hex(),
        role=campaign.role,
    )
    yield export.piece([header])
    async for actions in _actions(parts, campaign):
        waiting = iter(actions)
        while piece := await parts.slices.finish(export.events(waiting)):
            yield piece
    await parts.names.fetch(export.people)
    yield export.piece(_after_events(parts, campaign, export.people, last))
    yield export.end()


class _Export:
    """An export while it is written; `people` are the accounts named in it."""

    def __init__(self, campaign: VisibleCampaign) -> None:
        self.people = set(campaign.state.members)
        self._campaign = campaign
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
        for row, is_open in zip(action, _open_to(self._campaign, action), strict=True):
            if row.seq > self._campaign.seq:
                return
            if is_open:
                self.people |= _people_in(row)
                yield event_line(row)
            else:
                yield hidden_line(row)

    def piece(self, lines: Iterable[AnyLine]) -> bytes:
        """The bytes of these lines, added to the running hash."""
        encoded_lines = [encode_line(line) for line in lines]
        piece = b"".join(encoded_lines)
        self._lines += len(encoded_lines)
        self._digest.update(piece)
        return piece

    def end(self) -> bytes:
        """The last line."""
        return encode_line(EndLine(self._lines + 1, self._digest.hexdigest()))


def _after_events(
    parts: TransferParts, campaign: VisibleCampaign, people: set[AccountId], last: StoredEvent
) -> Iterator[AnyLine]:
    for account in sorted(people - campaign.state.stands_for.keys()):
        yield PersonLine(account, campaign.name(account), campaign.state.members.get(account))
    for epoch in campaign.state.dice.epochs:
        if epoch.seed is not None or epoch.hidden_seed is not None:
            yield SeedLine(epoch.epoch, epoch.commitment, epoch.hidden_commitment, epoch.seed, epoch.hidden_seed)
    head = Head(seq=last.seq, hash=last.hash, recorded_at=last.recorded_at)
    yield CheckpointLine(**structs.asdict(signed_checkpoint(parts.signer, campaign.campaign_id, head)))


async def _actions(parts: TransferParts, campaign: VisibleCampaign) -> AsyncIterator[list[list[StoredEvent]]]:
    """Whole actions up to the last visible one: which events of an action are open depends on all of them."""
    waiting: list[StoredEvent] = []
    async for rows in parts.log.stream(campaign.campaign_id):
        *whole, waiting = by_action([*waiting, *rows])
        yield [action for action in whole if action[0].seq <= campaign.seq]
        if waiting[0].seq > campaign.seq:
            return
    if waiting:
        yield [waiting]


def _open_to(campaign: VisibleCampaign, action: list[StoredEvent]) -> list[bool]:
    """For each event of an action, whether the reader may see it without redaction.

    The command, which stands with the first event, may contain the redacted part of another event: then the first
    is hidden too.
    """
    if campaign.audience.gm:
        return [True] * len(action)
    records = [record_of(row) for row in action]
    has_secrets = any(without_secrets(record.event) is not record.event for record in records)
    return [
        campaign.as_read(record).event is record.event and not (record.command is not None and has_secrets)
        for record in records
    ]


def _people_in(row: StoredEvent) -> set[AccountId]:
    join_event = decode_event(row) if row.kind == MemberJoined.__struct_config__.tag else None
    return {account for account in (row.actor, join_event and join_event.account) if account is not None}
