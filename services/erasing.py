"""Erasing what people wrote in their own words, wherever it stands, together with the event that says so.

In one transaction go the texts beside the events, what the kept answers to requests tell of them, and every stored
fold from there on. What processes have in memory is older than that event, and folded anew by whoever reads next.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from domain.campaign.codec import ERASED, EVENT_TYPES, ORDERING, decode_event, erased_in, request_hash
from domain.campaign.erasing import EVENTS_MAX, EraseTexts, TextsErased, check_eraser
from domain.campaign.import_events import first_cause
from domain.campaign.request import ActRequest
from domain.campaign.settings import language_of
from domain.campaign.state import CampaignState
from domain.campaign.undo_events import ActionAffected
from domain.campaign.visibility import GM, may_see
from domain.ids import AccountId, ActionId, CampaignId
from domain.rejection import Missing, Stale
from domain.sentences import say
from domain.stored import STRIKING_KINDS, Erasure, Head, KeyedAnswer, StoredEvent
from projections.narration import told
from services.commands.decide_command import HistoryDecision, PendingCommand
from services.commands.kept_answer import answer_again
from services.errors import campaign_not_found, key_reused
from services.house import House
from services.reading import Seen
from services.standing import rewrites_in

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
    house: House, campaign_id: CampaignId, account: AccountId, action_id: ActionId, key: str | None = None
) -> TextsGone:
    """Erase the words of an action, and of what it ordered. There is no way back.

    Refuses `action_not_found`, also for one that is hidden, `not_your_words`, `campaign_busy` and
    `idempotency_key_reused`.
    """
    command, done, busy = EraseTexts(action_id), list[TextsGone](), 0
    while True:
        seen = await house.reading.see(campaign_id, account)
        now = await campaign_now(house, campaign_id)
        with seen.refusing():
            rows = await house.log.action(campaign_id, action_id)
            if not rows or not may_see(rows[0].visibility, seen.audience):
                raise Missing("action_not_found", say("There is no such action in this campaign."))
            check_eraser(seen.role, account, rows[0].actor)
        found = [row for row in rows if row.texts is not None]
        if any(row.kind in _ORDERING_KINDS for row in rows):
            found += await _ordered_by(house, campaign_id, action_id, rows[-1].seq)
        # No header holds a line break: the key of a further part is nobody's own.
        part = None if key is None else f"{key}\n{len(done)}" if done else key
        with seen.refusing():  # looked for after the words, which go together with it
            before = await _erased_before(house, seen, command, part)
        if before is not None:
            done.append(before)
            continue
        if not found:
            as_of = done[-1].as_of if done else seen.seq
            return TextsGone(as_of, sum(each.texts for each in done), sum(each.events for each in done))
        parts = [Part(row) for row in found[:EVENTS_MAX]]
        try:
            gone = await erase(house, campaign_id, now, account, command, parts, part)
        except Stale as stale:
            busy += 1
            if stale.code != "campaign_busy" or busy == ATTEMPTS_MAX:
                raise
        else:
            if key is None:  # else it is found under its key: whose it was, others may have been faster with
                done.append(gone)


async def _erased_before(house: House, seen: Seen, command: EraseTexts, key: str | None) -> TextsGone | None:
    """What went when the key came first; None: it did not. Refuses `idempotency_key_reused`."""
    known = [] if key is None else await house.log.answers_to(seen.campaign_id, [(seen.account, key)])
    if not known:
        return None
    if not known[0].is_for(request_hash(ActRequest(command=command))):
        raise key_reused()
    rows = await house.log.action(seen.campaign_id, known[0].action_id)
    gone = [event for event in map(decode_event, rows) if isinstance(event, TextsErased)]
    return TextsGone(rows[-1].seq, sum(event.texts for event in gone), sum(len(event.seqs) for event in gone))


async def campaign_now(house: House, campaign_id: CampaignId) -> tuple[Head, CampaignState]:
    """The campaign, to be looked at before what is erased is read."""
    latest = await house.standing.latest(campaign_id, GM)
    if latest is None:
        raise campaign_not_found()
    return latest


async def erase(
    house: House,
    campaign_id: CampaignId,
    now: tuple[Head, CampaignState],
    asker: AccountId | None,
    command: EraseTexts,
    parts: Sequence[Part],
    key: str | None = None,
) -> TextsGone:
    """Erase texts that were read after the campaign was at `now`; `asker` None: the service itself.

    Refuses `campaign_busy` where others have acted since.
    """
    head, state = now
    parts = sorted(parts, key=lambda part: part.row.seq)
    seqs = {part.row.seq for part in parts}
    name, language = house.names.within(state), language_of(state.changed_settings)
    quoting = await _quoting(house, campaign_id, head.seq, parts)
    answers = await house.log.answers_about(campaign_id, sorted(seqs | quoting))
    erasure = Erasure(
        [(part.row.seq, _encoder.encode(part.stays) if part.stays else None) for part in parts],
        [
            without_words(await whole_answer(house, campaign_id, answer), seqs, name, language)
            if answer.answer
            else structs.replace(answer, request_hash=b"")  # it was let go
            for answer in answers
        ],
        afresh=head.seq - min(seqs) > MADE_ANEW_EVENTS_MAX,
    )
    readers: dict[str, list[Part]] = defaultdict(list)
    for part in parts:
        readers[part.row.visibility].append(part)
    events = [
        TextsErased([part.row.seq for part in found], _texts_gone(found), command.action_id, command.account)
        for found in readers.values()
    ]
    request = ActRequest(command=command)
    ask = PendingCommand(
        campaign_id=campaign_id,
        account=asker,
        request=request,
        action_id=ActionId(house.entropy.new_id()),
        answered=asyncio.get_running_loop().create_future(),
        key=key,
        request_hash=request_hash(request) if key is not None else b"",
        history=HistoryDecision(head.seq, events, [*readers], None, erasure),
    )
    await house.handler.act(ask)
    return TextsGone(head.seq + len(events), sum(event.texts for event in events), len(parts))


def texts_beside(row: StoredEvent) -> dict[str, str]:
    """The texts beside an event, by their places."""
    texts: dict[str, str] = {} if row.texts is None else _decoder.decode(row.texts)
    return texts


async def whole_answer(house: House, campaign_id: CampaignId, answer: KeyedAnswer) -> KeyedAnswer:
    """A kept answer with all that is told again. Refuses `campaign_not_found`."""
    return structs.replace(answer, answer=await answer_again(house.log, campaign_id, answer))


def without_words(answer: KeyedAnswer, seqs: set[int], name: Callable[[Any], str], language: str) -> KeyedAnswer:
    """A kept answer as it is given from now on: without the words of these events, and told anew."""
    content = _decoder.decode(answer.answer)
    for event in content["events"]:
        if event["seq"] in seqs:
            erased_in(event)
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


async def _quoting(house: House, campaign_id: CampaignId, upto: int, parts: Sequence[Part]) -> set[int]:
    """The events by which actions that lose their words were undone, redone, affected or revealed.

    Answers quoted them. What affects an action stands beside what strikes or restores another.
    """
    actions = {part.row.action_id for part in parts}
    rows = await house.log.rewrites(campaign_id, upto)
    seqs = {each.seq for each in rewrites_in(rows) if each.action_id in actions}
    striking = {row.action_id for row in rows if row.kind in STRIKING_KINDS}
    beside = await house.log.actions(campaign_id, [*striking]) if striking else []
    events = ((row.seq, decode_event(row)) for row in beside)
    return seqs | {
        seq for seq, event in events if isinstance(event, ActionAffected) and event.action_id in actions
    }


async def _ordered_by(house: House, campaign_id: CampaignId, action_id: ActionId, after: int) -> list[StoredEvent]:
    """What happened by itself because of an action, and may say again what its order said."""
    found: list[StoredEvent] = []
    while page := await house.log.written(campaign_id, after, EVENTS_MAX):
        found += [row for row in page if row.actor is None and first_cause(row.cause) == f"action:{action_id}"]
        after = page[-1].seq
    return found
