"""A worker's erasure of accounts: campaign by campaign, so that it can be killed and continued anywhere.

Every step can be repeated. The account is deleted first, in one statement; its words that others can still read
are erased in all campaigns afterwards, also in those it had left, and in their forks.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from uuid import UUID

import msgspec
import structlog

from domain.accounts import AccountErasure
from domain.campaign.command_request import ActRequest
from domain.campaign.commands import ForgetMember
from domain.campaign.messages.imports import CampaignImported
from domain.campaign.messages.text_erasure import EVENTS_MAX, EraseTexts
from domain.campaign.settings import language_of
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.accounts.account_dependencies import AccountParts
from services.commands.command_handler import Act
from services.commands.submit import submit_command
from services.history.erase_texts import Loss, campaign_now, erase, whole_answer, without_words
from services.history.optimistic_attempts import attempted
from services.history.text_authors import Authors, FirstWords, source_of, texts_beside

LEASE_SECONDS = 60
LOOK_AGAIN_SECONDS = 600
"""How often the worker checks whether a deleted campaign with something to erase was restored."""
SETTLE_SECONDS = 10
"""Other processes may accept a token of the deleted account for a second, and show its name for five."""
CAMPAIGNS_AT_ONCE = 20
ANSWERS_AT_ONCE = 100
OPENINGS_MAX = 20
"""How many nested imports a log may begin with."""

_IMPORTED = CampaignImported.__struct_config__.tag
_NOBODY = AccountId(UUID(int=0))
_BEFORE_ALL = CampaignId(UUID(int=0))
_AFTER_ALL = CampaignId(UUID(int=2**128 - 1))

log_line = structlog.get_logger("fieldlog.erasing")


async def continue_erasure(parts: AccountParts, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Continue one erasure until it is done; False: it continues later, or in another worker."""
    if erasure.what == "account" and erasure.begun_at is None:
        await parts.account_erasures.begin(erasure.account_id, SETTLE_SECONDS)
        return False
    if erasure.after_campaign != _AFTER_ALL and not await _go_through(parts, erasure, stopping):
        return False
    return await _go_through_left_over(parts, erasure)


async def _go_through(parts: AccountParts, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Go through every campaign that is not deleted; False: not all of them.

    The deleted ones are noted before and after, since any may be deleted or restored meanwhile.
    """
    store, after = parts.account_erasures, erasure.after_campaign
    if await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is None:
        return False
    await parts.saved_rolls.forget(erasure.account_id)
    whole = erasure.what == "texts" or await _leave_all(parts, erasure.account_id)

    async def note(texts: int) -> bool:
        return await store.advance(erasure, after, texts, LEASE_SECONDS)

    while page := await parts.views.campaigns(after, CAMPAIGNS_AT_ONCE):
        for campaign_id in page:
            if stopping():
                return False
            try:
                await _erase_in(parts, campaign_id, erasure, note)
            except Rejection as refusal:  # the campaign is busy, or its log was set back
                log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
            after = campaign_id
            if not await note(0):
                return False
    whole = whole and await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is not None
    after = _AFTER_ALL if whole else _BEFORE_ALL
    await note(0)  # if not complete, it starts over when the claim has expired
    return whole


async def _go_through_left_over(parts: AccountParts, erasure: AccountErasure) -> bool:
    """Go through campaigns that were deleted and are restored; False: some of them still are deleted."""
    store = parts.account_erasures
    left_over = await store.defer(erasure, [], LEASE_SECONDS, with_deleted=False)
    deleted = await parts.deletions.deleted_among(left_over or [])
    finished_ids = []

    async def note(texts: int) -> bool:
        return await store.advance(erasure, _AFTER_ALL, texts, LEASE_SECONDS)

    for campaign_id in left_over or []:
        if campaign_id in deleted:
            continue
        try:
            if erasure.what == "account":
                await submit_command(
                    parts, campaign_id, None, ActRequest(command=ForgetMember(erasure.account_id))
                )
            await _erase_in(parts, campaign_id, erasure, note)
        except Rejection as refusal:
            log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
        else:
            finished_ids.append(campaign_id)
    deleted = await parts.deletions.deleted_among(finished_ids)  # a campaign that is deleted again cannot be read
    finished_ids = [campaign_id for campaign_id in finished_ids if campaign_id not in deleted]
    left_over = await store.defer(erasure, finished_ids, LOOK_AGAIN_SECONDS, with_deleted=False)
    return left_over == [] and await store.finish(erasure)


async def _leave_all(parts: AccountParts, account: AccountId) -> bool:
    """Remove the account from its campaigns; False: not from all of them."""
    whole, after = True, _BEFORE_ALL
    while page := await parts.log.campaigns_of(account, after):
        for campaign_id, _ in page:
            try:
                await submit_command(parts, campaign_id, None, ActRequest(command=ForgetMember(account)))
            except Rejection as refusal:
                log_line.warning("leaving_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
        after = page[-1][0]
    return whole


async def _erase_in(
    parts: AccountParts,
    campaign_id: CampaignId,
    erasure: AccountErasure,
    note: Callable[[int], Awaitable[bool]],
) -> None:
    """Erase in one campaign."""
    if erasure.with_texts:
        await erase_written(parts, campaign_id, erasure.account_id, note)
    if erasure.name is not None:
        await note(await _erase_imported_name(parts, campaign_id, erasure.account_id))
        await parts.log.forget_answers(campaign_id, erasure.account_id)
        await _rewrite_answers(parts, campaign_id, erasure.name)


async def erase_written(
    parts: AccountParts, campaign_id: CampaignId, account: AccountId, note: Callable[[int], Awaitable[bool]]
) -> None:
    """Erase everything that an account wrote in a campaign; `note` gets the number of texts.

    Raises `campaign_busy` if other commands keep coming first; texts erased until then stay erased.
    """
    authors = Authors(parts.log, campaign_id)
    _, state = await campaign_now(parts, campaign_id)
    people = state.people_of(account)
    if not await _has_written(parts, campaign_id, people, authors):
        return

    async def erase_page(act: Act, words: FirstWords, after: int, *, says_again: bool) -> int | None:
        """Erase in the events after this one; returns the last of them, None: there are no more with texts."""
        now = await campaign_now(parts, campaign_id)
        losses = []
        page = await parts.log.events_with_texts(campaign_id, after, EVENTS_MAX)
        for row in page:
            places = {
                place
                for place, first in words.take(row).items()
                if says_again <= (first.action_id != row.action_id) and await authors.of(first) in people
            }
            if places:
                stays = {place: text for place, text in texts_beside(row).items() if place not in places}
                losses.append(Loss(row, stays))
        if losses:
            erased = await erase(parts, campaign_id, now, None, EraseTexts(account=account), losses, act)
            await note(erased.texts)
        return page[-1].seq if page else None

    # The first text is erased last: after a crash, its copies are found by it.
    for says_again in (True, False):
        words = FirstWords()
        after: int | None = 0
        while after is not None:
            attempt = partial(erase_page, words=words, after=after, says_again=says_again)
            after = await attempted(parts.handler, campaign_id, None, attempt)


async def _has_written(
    parts: AccountParts, campaign_id: CampaignId, people: set[AccountId], authors: Authors
) -> bool:
    """Whether a campaign has any text of an account, or of the people of an import whom it was said to be."""
    for person in sorted(people):
        after = 0
        while page := await parts.log.events_with_texts(campaign_id, after, EVENTS_MAX, person):
            for row in page:
                if await authors.of(source_of(row)) == person:
                    return True
            after = page[-1].seq
    return False


async def _erase_imported_name(parts: AccountParts, campaign_id: CampaignId, account: AccountId) -> int:
    """Erase the account's name from the campaigns that this one was imported from, also as the person it was."""
    first = await parts.log.tail(campaign_id, 0, limit=1)
    if not first or first[0].kind != _IMPORTED:
        return 0

    async def erase_openings(act: Act) -> int:
        now = await campaign_now(parts, campaign_id)
        own = {str(person) for person in now[1].people_of(account)}
        losses = []
        for row in await parts.log.tail(campaign_id, 0, limit=OPENINGS_MAX):
            if row.kind != _IMPORTED:
                break
            people = msgspec.json.decode(row.body)["people"] if row.texts is not None else []
            texts = texts_beside(row)
            their = {f"event.people[{nth}].name" for nth, each in enumerate(people) if each["account"] in own}
            if their & texts.keys():
                losses.append(Loss(row, {path: text for path, text in texts.items() if path not in their}))
        if not losses:
            return 0
        return (await erase(parts, campaign_id, now, None, EraseTexts(account=account), losses, act)).texts

    return await attempted(parts.handler, campaign_id, None, erase_openings)


async def _rewrite_answers(parts: AccountParts, campaign_id: CampaignId, name: str) -> None:
    """Rewrite stored answers that name the account, without the name."""
    name_bytes = msgspec.json.encode(name)[1:-1]
    after = (_NOBODY, "")
    while page := await parts.log.answers_saying(campaign_id, name_bytes, after, ANSWERS_AT_ONCE):
        _, state = await campaign_now(parts, campaign_id)
        await parts.names.fetch_all_in(state)
        name_of, language = parts.names.within(state), language_of(state.changed_settings)
        for answer in page:
            full_answer = await whole_answer(parts, campaign_id, answer)
            rewritten = without_words(full_answer, {}, name_of, language).answer
            await parts.log.replace_answer(campaign_id, answer, rewritten)
        after = (page[-1].account_id, page[-1].key)
