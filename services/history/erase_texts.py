"""Erasure of personal texts, wherever they are stored, together with the event that records it.

One transaction deletes the texts beside the events, their quotes in stored answers, and every stored fold from
there on. States in memory are older than that event, and are folded again by their next reader.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.campaign.command_request import ActRequest
from domain.campaign.messages.text_erasure import EVENTS_MAX, EraseTexts, TextsErased, check_eraser
from domain.campaign.messages.undo import ActionAffected
from domain.campaign.secrecy.audience import GM, Audience, all_read, as_now, may_see
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import (
    ERASED,
    EVENT_TYPES,
    ORDERING,
    decode_event,
    erase_in,
    request_hash,
)
from domain.event_store_types import STRIKING_KINDS, Erasure, Head, KeyedAnswer, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing
from domain.sentences import say
from projections.narration import narrate
from services.campaign.history_changes import history_changes_in
from services.campaign.visible_campaign import VisibleCampaign
from services.commands.command_dependencies import CommandParts
from services.commands.command_handler import Act
from services.commands.idempotency_record import answer_again
from services.commands.pending_command import HistoryDecision, PendingCommand
from services.errors import campaign_not_found, key_reused
from services.history.optimistic_attempts import attempted
from services.history.text_authors import Authors, FirstWords, rows_with_texts, source_of, texts_beside
from services.runtime.reader_language import reader_language

REBUILT_EVENTS_MAX = 4_000
"""If more events follow an erased text, all stored projections are invalidated, else only the affected folds."""

_ORDERING_KINDS = frozenset(kind.__struct_config__.tag for kind in ORDERING)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


class Loss(Struct, frozen=True):
    """An event that loses its texts, except those that stay."""

    row: StoredEvent
    stays: dict[str, str] = {}


class TextsGone(Struct, frozen=True):
    """How many texts were erased, of how many events, and the head of the log. 0: none were left.

    A text that stands equally in a command and its event counts once.
    """

    as_of: int
    texts: int
    events: int


async def erase_action(
    parts: CommandParts,
    campaign_id: CampaignId,
    account: AccountId,
    action_id: ActionId,
    key: str | None = None,
) -> TextsGone:
    """Erase the texts of an action, of its consequences, and of later copies. Cannot be undone.

    Raises `action_not_found`, also for a hidden action, `not_your_words`, `campaign_busy` and
    `idempotency_key_reused`.
    """
    command, erasures = EraseTexts(action_id), list[TextsGone]()

    async def next_part(act: Act) -> TextsGone | None:
        """Erase the next part, or return what all parts were."""
        campaign = await parts.campaigns.see(campaign_id, account)
        now = await campaign_now(parts, campaign_id)
        with campaign.refusing():
            rows = await parts.log.action(campaign_id, action_id)
            if not rows or not may_see(_readers(rows[0], campaign.state), campaign.audience):
                raise Missing("action_not_found", say("No action of this campaign has that id."))
        losses, is_theirs = await _to_erase(parts, campaign, rows)
        # No header contains a line break: no client can send the key of a further part.
        part = None if key is None else f"{key}\n{len(erasures)}" if erasures else key
        with campaign.refusing():  # looked for after the texts, with which the key is erased
            before = await _erased_before(parts, campaign, command, part)
            if before is None and not erasures:
                check_eraser(campaign.role, is_theirs=is_theirs)
        if before is not None:
            erasures.append(before)
            return None
        if not losses:
            as_of = erasures[-1].as_of if erasures else campaign.seq
            return TextsGone(
                as_of, sum(erasure.texts for erasure in erasures), sum(erasure.events for erasure in erasures)
            )
        some = losses[:EVENTS_MAX]
        erasure = await erase(parts, campaign_id, now, account, command, some, act, part, campaign.audience)
        if key is None:  # else it is found under its key: another process may have been the one to erase these
            erasures.append(erasure)
        return None

    whole = None
    while whole is None:
        whole = await attempted(parts.handler, campaign_id, account, next_part)
    return whole


async def _erased_before(
    parts: CommandParts, campaign: VisibleCampaign, command: EraseTexts, key: str | None
) -> TextsGone | None:
    """The erasure by the first request with this key; None: there was none. Raises `idempotency_key_reused`."""
    records = [] if key is None else await parts.log.answers_to(campaign.campaign_id, [(campaign.account, key)])
    if not records:
        return None
    if not records[0].is_for(request_hash(ActRequest(command=command))):
        raise key_reused()
    rows = await parts.log.action(campaign.campaign_id, records[0].action_id)
    rows = [row for row in rows if may_see(row.visibility, campaign.audience)] or rows[:1]
    events = [event for event in map(decode_event, rows) if isinstance(event, TextsErased)]
    return TextsGone(rows[-1].seq, sum(event.texts for event in events), sum(len(event.seqs) for event in events))


async def _to_erase(
    parts: CommandParts, campaign: VisibleCampaign, rows: list[StoredEvent]
) -> tuple[list[Loss], bool]:
    """The texts that are erased with an action's, and whether the asker may erase them.

    That is: its own texts, those of its consequences, and later copies of texts that it contained first. The
    copies come first, because they are found by the originals. An asker who is no GM erases their own texts.
    """
    target, authors = rows[0].action_id, Authors(parts.log, campaign.campaign_id)
    people = campaign.state.people_of(campaign.account)
    by_them = await authors.of(source_of(rows[0])) in people
    if not any(row.texts is not None or row.kind in _ORDERING_KINDS for row in rows):
        return [], by_them
    words, own, again = FirstWords(), list[Loss](), list[Loss]()
    async for row in rows_with_texts(parts.log, campaign.campaign_id):
        sources, texts = words.take(row), texts_beside(row)
        is_own = target in {source.action_id for source in await authors.chain(source_of(row))}
        places = {
            place
            for place, first in sources.items()
            if (is_own or target in {source.action_id for source in await authors.chain(first)})
            and (campaign.role == "gm" or await authors.of(first) in people)
        }
        if places:
            loss = Loss(row, {place: text for place, text in texts.items() if place not in places})
            (own if is_own else again).append(loss)
    has_words = any(row.texts is not None for row in rows)
    return [*again, *own], bool(own) if has_words else by_them


async def campaign_now(parts: CommandParts, campaign_id: CampaignId) -> tuple[Head, CampaignState]:
    """The campaign now, to be read before the texts to erase."""
    latest = await parts.states.latest(campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    return latest


async def erase(
    parts: CommandParts,
    campaign_id: CampaignId,
    now: tuple[Head, CampaignState],
    asker: AccountId | None,
    command: EraseTexts,
    losses: Sequence[Loss],
    act: Act,
    key: str | None = None,
    audience: Audience = GM,
) -> TextsGone:
    """Erase texts that were read after the campaign was at `now`; `asker` None: the service itself.

    The `audience` may read the event about it. Raises `campaign_busy` if the campaign has gone on since.
    """
    head, state = now
    losses = sorted(losses, key=lambda loss: (not may_see(_readers(loss.row, state), audience), loss.row.seq))
    seqs = {loss.row.seq: loss.stays for loss in losses}
    name, language = parts.names.within(state), language_of(state.changed_settings)
    quoting = await _quoting(parts, campaign_id, head.seq, losses)
    answers = await parts.log.answers_about(campaign_id, sorted(seqs.keys() | quoting))
    erasure = Erasure(
        [(loss.row.seq, _encoder.encode(loss.stays) if loss.stays else None) for loss in losses],
        [
            without_words(await whole_answer(parts, campaign_id, answer), seqs, name, language)
            if answer.answer
            else structs.replace(answer, request_hash=b"")  # it has expired
            for answer in answers
        ],
        afresh=head.seq - min(seqs) > REBUILT_EVENTS_MAX,
    )
    readers: dict[str, list[Loss]] = defaultdict(list)
    for loss in losses:
        readers[_readers(loss.row, state)].append(loss)
    action = (_readers(loss.row, state) for loss in losses if loss.row.action_id == command.action_id)
    of_action = next(action, "gm")  # its non-readers must not learn that it held a text that is copied elsewhere
    events = [
        TextsErased(
            sorted(loss.row.seq for loss in group),
            _texts_gone(group),
            command.action_id if all_read(of_action, reader) else None,
            command.account,
        )
        for reader, group in readers.items()
    ]
    request = ActRequest(command=command)
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=asker,
        request=request,
        action_id=ActionId(parts.entropy.new_id()),
        answered=asyncio.get_running_loop().create_future(),
        reads=reader_language(),
        key=key,
        request_hash=request_hash(request) if key is not None else b"",
        history=HistoryDecision(head.seq, events, [*readers], None, erasure),
    )
    await act(ask)
    visible_events = [event for event, reader in zip(events, readers, strict=True) if may_see(reader, audience)]
    return TextsGone(
        head.seq + len(visible_events),
        sum(event.texts for event in visible_events),
        sum(len(event.seqs) for event in visible_events),
    )


def _readers(row: StoredEvent, state: CampaignState) -> str:
    """The current visibility of an event."""
    return "all" if row.action_id in state.revealed else as_now(row.visibility, state.stands_for)


async def whole_answer(parts: CommandParts, campaign_id: CampaignId, answer: KeyedAnswer) -> KeyedAnswer:
    """A stored answer with the parts that the log holds. Raises `campaign_not_found`."""
    return structs.replace(answer, answer=await answer_again(parts.log, campaign_id, answer))


def without_words(
    answer: KeyedAnswer, seqs: Mapping[int, Collection[str]], name: Callable[[Any], str], language: str
) -> KeyedAnswer:
    """A stored answer without the texts of these events, except those that stay."""
    content = _decoder.decode(answer.answer)
    for event in content["events"]:
        if event["seq"] in seqs:
            erase_in(event, seqs[event["seq"]])
    try:
        events = [
            msgspec.convert({key: event[key] for key in event if key != "seq"}, EVENT_TYPES[event["type"]])
            for event in content["events"]
        ]
        content["summary"] = narrate(events, name, language)
    except msgspec.ValidationError:
        content["summary"] = [ERASED]  # old events, in a form that only the log is decoded from
    return structs.replace(answer, request_hash=b"", answer=_encoder.encode(content))


def _texts_gone(losses: Sequence[Loss]) -> int:
    """How many texts are lost."""
    return len(
        {
            (loss.row.action_id, text)
            for loss in losses
            for path, text in texts_beside(loss.row).items()
            if path not in loss.stays
        }
    )


async def _quoting(parts: CommandParts, campaign_id: CampaignId, upto: int, losses: Sequence[Loss]) -> set[int]:
    """The events by which the actions that lose their texts were undone, redone, affected or revealed.

    Stored answers may quote those actions. An "affected" event stands beside an undo or redo of another action.
    """
    actions = {loss.row.action_id for loss in losses}
    rows = await parts.log.rewrites(campaign_id, upto)
    seqs = {change.seq for change in history_changes_in(rows) if change.action_id in actions}
    striking = {row.action_id for row in rows if row.kind in STRIKING_KINDS}
    beside = await parts.log.actions(campaign_id, [*striking]) if striking else []
    events = ((row.seq, decode_event(row)) for row in beside)
    return seqs | {
        seq for seq, event in events if isinstance(event, ActionAffected) and event.action_id in actions
    }
