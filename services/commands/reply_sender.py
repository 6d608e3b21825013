"""Answers members' commands once the event store has confirmed the head."""

from domain.rejection import Rejection
from services.commands.append_batch import AppendBatch
from services.commands.idempotency_record import answer_again
from services.commands.pending_command import PendingCommand
from services.commands.response import ResponseDraft
from services.errors import campaign_not_found, key_reused
from services.ports.event_store import EventStore

KeyedReply = tuple[PendingCommand, bytes | Rejection]
"""A command with a key, and its answer unless the key is known."""


def tell_accepted(batch: AppendBatch) -> None:
    """Answer the accepted commands of a committed batch, and their copies."""
    for (command, _), reply in zip(batch.accepted, batch.replies, strict=True):
        command.tell(reply)
    for copy in batch.copies:
        nth = batch.keyed[copy.own_key]
        original = batch.accepted[nth][0]
        copy.language = original.language
        copy.tell(batch.replies[nth] if copy.request_hash == original.request_hash else key_reused())


def tell_unwritten(batch: AppendBatch) -> list[KeyedReply]:
    """Answer the commands that appended nothing; returns those with a key, which may be known."""
    keyed: list[KeyedReply] = [(command, campaign_not_found()) for command in batch.repeated]
    for command, result in batch.unwritten:
        reply = result.encode(batch.rows, batch.before) if isinstance(result, ResponseDraft) else result
        if command.key is None or _is_stranger(reply):
            command.tell(reply)
        else:
            keyed.append((command, reply))
    return keyed


def _is_stranger(reply: bytes | Rejection) -> bool:
    """Whether the asker is no member: no key is known for them. A member's refusal may be about something else."""
    return isinstance(reply, Rejection) and reply.code == "campaign_not_found"


async def tell_known(log: EventStore, replies: list[KeyedReply]) -> None:
    """Answer commands of one campaign: with the first answer to a known key, else with their own."""
    campaign_id = replies[0][0].campaign_id
    try:
        keys = [(command.account, command.key) for command, _ in replies if command.account and command.key]
        records = await log.answers_to(campaign_id, keys)
        first = {
            (record.account_id, record.key): (record, await answer_again(log, campaign_id, record))
            for record in records
        }
    except Rejection as refusal:  # the campaign is deleted meanwhile
        for command, _ in replies:
            command.tell(refusal)
        return
    except Exception as failure:  # noqa: BLE001 — those who wait must hear of it, whatever it is
        for command, _ in replies:
            command.fail(failure)
        return
    for command, result in replies:
        earlier = first.get((command.account, command.key)) if command.account and command.key else None
        if earlier is None:
            command.tell(result)
        else:
            record, answer = earlier
            command.tell(answer if record.is_for(command.request_hash) else key_reused())
