"""Erasing what people wrote in their own words, wherever it stands, together with the event that says so.

In one transaction go the texts beside the events, what the kept answers to requests tell of them, and every stored
fold from there on. What processes have in memory is older than that event, and folded anew by whoever reads next.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.campaign.history.messages import ActionAffected
from domain.campaign.privacy.erasure import EVENTS_MAX, EraseTexts, TextsErased, check_eraser
from domain.campaign.request import ActRequest
from domain.campaign.secrecy.audience import GM, Audience, all_read, may_see
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.storage.event_codec import (
    ERASED,
    EVENT_TYPES,
    ORDERING,
    decode_event,
    erased_in,
    request_hash,
)
from domain.event_store_types import STRIKING_KINDS, Erasure, Head, KeyedAnswer, StoredEvent
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing, Stale
from domain.sentences import say
from projections.narration import told
from services.application import Application
from services.commands.decide_command import HistoryDecision, PendingCommand
from services.commands.kept_answer import answer_again
from services.errors import campaign_not_found, key_reused
from services.privacy.first_words import Authors, FirstWords, said_in, texts_beside, written
from services.queries.campaign_reader import VisibleCampaign
from services.state.history_changes import history_changes_in

ATTEMPTS_MAX = 5
MADE_ANEW_EVENTS_MAX = 4_000
"""Folds that reach so far beyond what is erased are made anew, further ones with all that was kept on the way."""

_ORDERING_KINDS = frozenset(kind.__struct_config__.tag for kind in ORDERING)
_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder()


class Part(Struct, frozen=True):
    """An event that loses its texts, but for those that stay."""

    row: StoredEvent
    stays: dict[str, str] = {}


class TextsGone(Struct, frozen=True):
    """How many texts are gone, of how many events, and where the log ends now. 0: there was nothing left.

    What stands in an event just as it was asked counts once.
    """

    as_of: int
    texts: int
    events: int


async def erase_action(
    application: Application,
    campaign_id: CampaignId,
    account: AccountId,
    action_id: ActionId,
    key: str | None = None,
) -> TextsGone:
    """Erase the words of an action, of what it ordered, and of what tells again what it said first. No way back.

    Refuses `action_not_found`, also for one that is hidden, `not_your_words`, `campaign_busy` and
    `idempotency_key_reused`.
    """
    command, done, busy = EraseTexts(action_id), list[TextsGone](), 0
    while True:
        seen = await application.reading.see(campaign_id, account)
        now = await campaign_now(application, campaign_id)
        with seen.refusing():
            rows = await application.log.action(campaign_id, action_id)
            if not rows or not may_see(_readers(rows[0], seen.state), seen.audience):
                raise Missing("action_not_found", say("No action of this campaign has that id."))
        found, is_theirs = await _to_erase(application, seen, rows)
        # No header holds a line break: the key of a further part is nobody's own.
        part = None if key is None else f"{key}\n{len(done)}" if done else key
        with seen.refusing():  # looked for after the words, which go together with it
            before = await _erased_before(application, seen, command, part)
            if before is None and not done:
                check_eraser(seen.role, is_theirs=is_theirs)
        if before is not None:
            done.append(before)
            continue
        if not found:
            as_of = done[-1].as_of if done else seen.seq
            return TextsGone(as_of, sum(each.texts for each in done), sum(each.events for each in done))
        try:
            gone = await erase(
                application, campaign_id, now, account, command, found[:EVENTS_MAX], part, seen.audience
            )
        except Stale as stale:
            busy += 1
            if stale.code != "campaign_busy" or busy == ATTEMPTS_MAX:
                raise
        else:
            if key is None:  # else it is found under its key: whose it was, others may have been faster with
                done.append(gone)


async def _erased_before(
    application: Application, seen: VisibleCampaign, command: EraseTexts, key: str | None
) -> TextsGone | None:
    """What went when the key came first; None: it did not. Refuses `idempotency_key_reused`."""
    known = [] if key is None else await application.log.answers_to(seen.campaign_id, [(seen.account, key)])
    if not known:
        return None
    if not known[0].is_for(request_hash(ActRequest(command=command))):
        raise key_reused()
    rows = await application.log.action(seen.campaign_id, known[0].action_id)
    rows = [row for row in rows if may_see(row.visibility, seen.audience)] or rows[:1]
    gone = [event for event in map(decode_event, rows) if isinstance(event, TextsErased)]
    return TextsGone(rows[-1].seq, sum(event.texts for event in gone), sum(len(event.seqs) for event in gone))


async def _to_erase(
    application: Application, seen: VisibleCampaign, rows: list[StoredEvent]
) -> tuple[list[Part], bool]:
    """What goes with the words of an action, and whether these are for whoever asks to erase.

    That is: its own, those of what happened because of it, and wherever else what it said first is told again. The
    latter comes first, since it is found by what goes last. Who is no GM erases what they wrote themselves.
    """
    target, authors = rows[0].action_id, Authors(application.log, seen.campaign_id)
    by_them = await authors.of(said_in(rows[0])) == seen.account
    if not any(row.texts is not None or row.kind in _ORDERING_KINDS for row in rows):
        return [], by_them
    words, own, again = FirstWords(), list[Part](), list[Part]()
    async for row in written(application.log, seen.campaign_id):
        said, texts = words.take(row), texts_beside(row)
        is_own = target in {each.action_id for each in await authors.chain(said_in(row))}
        gone = {
            place
            for place, first in said.items()
            if (is_own or target in {each.action_id for each in await authors.chain(first)})
            and (seen.role == "gm" or await authors.of(first) == seen.account)
        }
        if gone:
            part = Part(row, {place: text for place, text in texts.items() if place not in gone})
            (own if is_own else again).append(part)
    has_words = any(row.texts is not None for row in rows)
    return [*again, *own], bool(own) if has_words else by_them


async def campaign_now(application: Application, campaign_id: CampaignId) -> tuple[Head, CampaignState]:
    """The campaign, to be looked at before what is erased is read."""
    latest = await application.states.latest(campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    return latest


async def erase(
    application: Application,
    campaign_id: CampaignId,
    now: tuple[Head, CampaignState],
    asker: AccountId | None,
    command: EraseTexts,
    parts: Sequence[Part],
    key: str | None = None,
    audience: Audience = GM,
) -> TextsGone:
    """Erase texts that were read after the campaign was at `now`; `asker` None: the service itself.

    What is told of it is what the `audience` may read. Refuses `campaign_busy` where others have acted since.
    """
    head, state = now
    parts = sorted(parts, key=lambda part: (not may_see(_readers(part.row, state), audience), part.row.seq))
    seqs = {part.row.seq: part.stays for part in parts}
    name, language = application.names.within(state), language_of(state.changed_settings)
    quoting = await _quoting(application, campaign_id, head.seq, parts)
    answers = await application.log.answers_about(campaign_id, sorted(seqs.keys() | quoting))
    erasure = Erasure(
        [(part.row.seq, _encoder.encode(part.stays) if part.stays else None) for part in parts],
        [
            without_words(await whole_answer(application, campaign_id, answer), seqs, name, language)
            if answer.answer
            else structs.replace(answer, request_hash=b"")  # it was let go
            for answer in answers
        ],
        afresh=head.seq - min(seqs) > MADE_ANEW_EVENTS_MAX,
    )
    readers: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        readers[_readers(part.row, state)].append(part)
    action = (_readers(part.row, state) for part in parts if part.row.action_id == command.action_id)
    of_action = next(action, "gm")  # whoever may not read it does not hear that it held what is told again
    events = [
        TextsErased(
            sorted(part.row.seq for part in found),
            _texts_gone(found),
            command.action_id if all_read(of_action, reader) else None,
            command.account,
        )
        for reader, found in readers.items()
    ]
    request = ActRequest(command=command)
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=asker,
        request=request,
        action_id=ActionId(application.entropy.new_id()),
        answered=asyncio.get_running_loop().create_future(),
        key=key,
        request_hash=request_hash(request) if key is not None else b"",
        history=HistoryDecision(head.seq, events, [*readers], None, erasure),
    )
    await application.handler.act(ask)
    told = [event for event, reader in zip(events, readers, strict=True) if may_see(reader, audience)]
    return TextsGone(
        head.seq + len(told), sum(event.texts for event in told), sum(len(event.seqs) for event in told)
    )


def _readers(row: StoredEvent, state: CampaignState) -> str:
    """Who may read an event by now."""
    return "all" if row.action_id in state.revealed else row.visibility


async def whole_answer(application: Application, campaign_id: CampaignId, answer: KeyedAnswer) -> KeyedAnswer:
    """A kept answer with all that is told again. Refuses `campaign_not_found`."""
    return structs.replace(answer, answer=await answer_again(application.log, campaign_id, answer))


def without_words(
    answer: KeyedAnswer, seqs: Mapping[int, Collection[str]], name: Callable[[Any], str], language: str
) -> KeyedAnswer:
    """A kept answer as it is given from now on: without the words of these events, but for what stays of each."""
    content = _decoder.decode(answer.answer)
    for event in content["events"]:
        if event["seq"] in seqs:
            erased_in(event, seqs[event["seq"]])
    try:
        events = [
            msgspec.convert({key: event[key] for key in event if key != "seq"}, EVENT_TYPES[event["type"]])
            for event in content["events"]
        ]
        content["summary"] = told(events, name, language)
    except msgspec.ValidationError:
        content["summary"] = [ERASED]  # events of long ago, in a shape that is only read from the log
    return structs.replace(answer, request_hash=b"", answer=_encoder.encode(content))


def _texts_gone(parts: Sequence[Part]) -> int:
    """How many texts go with these parts."""
    return len(
        {
            (part.row.action_id, text)
            for part in parts
            for path, text in texts_beside(part.row).items()
            if path not in part.stays
        }
    )


async def _quoting(
    application: Application, campaign_id: CampaignId, upto: int, parts: Sequence[Part]
) -> set[int]:
    """The events by which actions that lose their words were undone, redone, affected or revealed.

    Answers quoted them. What affects an action stands beside what strikes or restores another.
    """
    actions = {part.row.action_id for part in parts}
    rows = await application.log.rewrites(campaign_id, upto)
    seqs = {each.seq for each in history_changes_in(rows) if each.action_id in actions}
    striking = {row.action_id for row in rows if row.kind in STRIKING_KINDS}
    beside = await application.log.actions(campaign_id, [*striking]) if striking else []
    events = ((row.seq, decode_event(row)) for row in beside)
    return seqs | {
        seq for seq, event in events if isinstance(event, ActionAffected) and event.action_id in actions
    }
