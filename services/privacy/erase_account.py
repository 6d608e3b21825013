"""What a worker does about accounts that go: campaign by campaign, so that it can be killed anywhere and goes on.

Everything here may happen twice. An account is taken away first, in one statement; what others may still read of
it is taken out of all campaigns afterwards, also out of those it had left, and of their forks.
"""

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec
import structlog

from domain.accounts import AccountErasure
from domain.campaign.commands import ForgetMember
from domain.campaign.privacy.erasure import EVENTS_MAX, EraseTexts
from domain.campaign.request import ActRequest
from domain.campaign.settings import language_of
from domain.campaign.transfer.import_events import CampaignImported
from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from services.application import Application
from services.commands.submit import submit_command
from services.privacy.erase_texts import Part, campaign_now, erase, whole_answer, without_words
from services.privacy.first_words import Authors, FirstWords, said_in, texts_beside

LEASE_SECONDS = 60
LOOK_AGAIN_SECONDS = 600
"""How often it is looked whether a deleted campaign was restored, of which something is to be erased."""
SETTLE_SECONDS = 10
"""After an account is gone some process may believe one of its tokens for a second, and its name for five."""
CAMPAIGNS_AT_ONCE = 20
ANSWERS_AT_ONCE = 100
OPENINGS_MAX = 20
"""Imports of imports that a log may begin with."""

_IMPORTED = CampaignImported.__struct_config__.tag
_NOBODY = AccountId(UUID(int=0))
_BEFORE_ALL = CampaignId(UUID(int=0))
_AFTER_ALL = CampaignId(UUID(int=2**128 - 1))

log_line = structlog.get_logger("fieldlog.erasing")


async def go_on(application: Application, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Go on with one erasure until it is done; False: it is not, somebody else or a later time goes on."""
    if erasure.what == "account" and erasure.begun_at is None:
        await application.account_erasures.begin(erasure.account_id, SETTLE_SECONDS)
        return False
    if erasure.after_campaign != _AFTER_ALL and not await _go_through(application, erasure, stopping):
        return False
    return await _go_through_left_over(application, erasure)


async def _go_through(application: Application, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Do every campaign that is not deleted; False: not whole, somebody else or a later time goes on.

    Which ones are deleted is noted before and after, since any may be deleted or restored meanwhile.
    """
    store, after = application.account_erasures, erasure.after_campaign
    if await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is None:
        return False
    whole = erasure.what == "texts" or await _leave_all(application, erasure.account_id)

    async def note(texts: int) -> bool:
        return await store.advance(erasure, after, texts, LEASE_SECONDS)

    while page := await application.views.campaigns(after, CAMPAIGNS_AT_ONCE):
        for campaign_id in page:
            if stopping():
                return False
            try:
                await _erase_in(application, campaign_id, erasure, note)
            except Rejection as refusal:  # others submit_command there all the time, or its log was set back
                log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
            after = campaign_id
            if not await note(0):
                return False
    whole = whole and await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is not None
    after = _AFTER_ALL if whole else _BEFORE_ALL
    await note(0)  # if not whole all over again, when the claim is over
    return whole


async def _go_through_left_over(application: Application, erasure: AccountErasure) -> bool:
    """Do the campaigns that were deleted and are restored; False: some of them still are deleted."""
    store = application.account_erasures
    left_over = await store.defer(erasure, [], LEASE_SECONDS, with_deleted=False)
    deleted = await application.deletions.gone(left_over or [])
    done = []

    async def note(texts: int) -> bool:
        return await store.advance(erasure, _AFTER_ALL, texts, LEASE_SECONDS)

    for campaign_id in left_over or []:
        if campaign_id in deleted:
            continue
        try:
            if erasure.what == "account":
                await submit_command(
                    application, campaign_id, None, ActRequest(command=ForgetMember(erasure.account_id))
                )
            await _erase_in(application, campaign_id, erasure, note)
        except Rejection as refusal:
            log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
        else:
            done.append(campaign_id)
    deleted = await application.deletions.gone(done)  # of one that is deleted again, nothing could be read
    done = [each for each in done if each not in deleted]
    left_over = await store.defer(erasure, done, LOOK_AGAIN_SECONDS, with_deleted=False)
    return left_over == [] and await store.finish(erasure)


async def _leave_all(application: Application, account: AccountId) -> bool:
    """Take the account out of its campaigns, unless it is out already; False: not of all of them."""
    whole, after = True, _BEFORE_ALL
    while page := await application.log.campaigns_of(account, after):
        for campaign_id, _ in page:
            try:
                await submit_command(application, campaign_id, None, ActRequest(command=ForgetMember(account)))
            except Rejection as refusal:
                log_line.warning("leaving_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
        after = page[-1][0]
    return whole


async def _erase_in(
    application: Application,
    campaign_id: CampaignId,
    erasure: AccountErasure,
    note: Callable[[int], Awaitable[bool]],
) -> None:
    """Do one campaign."""
    if erasure.with_texts:
        await erase_written(application, campaign_id, erasure.account_id, note)
    if erasure.name is not None:
        await note(await _erase_imported_name(application, campaign_id, erasure.account_id))
        await application.log.forget_answers(campaign_id, erasure.account_id)
        await _tell_answers_anew(application, campaign_id, erasure.name)


async def erase_written(
    application: Application, campaign_id: CampaignId, account: AccountId, note: Callable[[int], Awaitable[bool]]
) -> None:
    """Erase everything that somebody wrote in a campaign, and note how many texts that were.

    Refuses `campaign_busy` where others keep acting; what was erased until then is.
    """
    authors = Authors(application.log, campaign_id)
    if not await _has_written(application, campaign_id, account, authors):
        return
    for says_again in (
        True,
        False,
    ):  # by what goes last, whoever goes on after an accident finds what tells it again
        words, after = FirstWords(), 0
        while page := await application.log.written(campaign_id, after, EVENTS_MAX):
            now = await campaign_now(application, campaign_id)
            parts = []
            page = await application.log.written(campaign_id, after, EVENTS_MAX)
            for row in page:
                gone = {
                    place
                    for place, first in words.take(row).items()
                    if says_again <= (first.action_id != row.action_id) and await authors.of(first) == account
                }
                if gone:
                    stays = {place: text for place, text in texts_beside(row).items() if place not in gone}
                    parts.append(Part(row, stays))
            if parts:
                await note(
                    (await erase(application, campaign_id, now, None, EraseTexts(account=account), parts)).texts
                )
            after = page[-1].seq if page else after


async def _has_written(
    application: Application, campaign_id: CampaignId, account: AccountId, authors: Authors
) -> bool:
    """Whether anything of somebody's stands in a campaign."""
    after = 0
    while page := await application.log.written(campaign_id, after, EVENTS_MAX, account):
        for row in page:
            if await authors.of(said_in(row)) == account:
                return True
        after = page[-1].seq
    return False


async def _erase_imported_name(application: Application, campaign_id: CampaignId, account: AccountId) -> int:
    """Erase what somebody was called in the campaigns that this one was brought over from."""
    first = await application.log.tail(campaign_id, 0, limit=1)
    if not first or first[0].kind != _IMPORTED:
        return 0
    now = await campaign_now(application, campaign_id)
    parts = []
    for row in await application.log.tail(campaign_id, 0, limit=OPENINGS_MAX):
        if row.kind != _IMPORTED:
            break
        people = msgspec.json.decode(row.body)["people"] if row.texts is not None else []
        texts = texts_beside(row)
        names = {f"event.people[{nth}].name" for nth, each in enumerate(people) if each["account"] == str(account)}
        if names & texts.keys():
            parts.append(Part(row, {path: text for path, text in texts.items() if path not in names}))
    if not parts:
        return 0
    return (await erase(application, campaign_id, now, None, EraseTexts(account=account), parts)).texts


async def _tell_answers_anew(application: Application, campaign_id: CampaignId, name: str) -> None:
    """Tell kept answers that name somebody once more, without the name."""
    said = msgspec.json.encode(name)[1:-1]
    after = (_NOBODY, "")
    while page := await application.log.answers_saying(campaign_id, said, after, ANSWERS_AT_ONCE):
        _, state = await campaign_now(application, campaign_id)
        await application.names.fetch_all_in(state)
        called, language = application.names.within(state), language_of(state.changed_settings)
        for answer in page:
            told = await whole_answer(application, campaign_id, answer)
            anew = without_words(told, {}, called, language).answer
            await application.log.replace_answer(campaign_id, answer, anew)
        after = (page[-1].account_id, page[-1].key)
