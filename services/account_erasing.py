"""What a worker does about accounts that go: campaign by campaign, so that it can be killed anywhere and goes on.

Everything here may happen twice. An account is taken away first, in one statement; what others may still read of
it is taken out of all campaigns afterwards, also out of those it had left, and of their forks.
"""

from collections.abc import Awaitable, Callable
from uuid import UUID

import msgspec
import structlog

from domain.campaign.commands import ForgetMember
from domain.campaign.erasing import EVENTS_MAX, EraseTexts
from domain.campaign.import_events import CampaignImported, first_cause
from domain.campaign.request import ActRequest
from domain.campaign.settings import language_of
from domain.ids import AccountId, ActionId, CampaignId
from domain.people import AccountErasure
from domain.rejection import Rejection
from domain.stored import StoredEvent
from services.acting import act
from services.erasing import Part, campaign_now, erase, texts_beside, whole_answer, without_words
from services.house import House

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


async def go_on(house: House, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Go on with one erasure until it is done; False: it is not, somebody else or a later time goes on."""
    if erasure.what == "account" and erasure.begun_at is None:
        await house.account_erasures.begin(erasure.account_id, SETTLE_SECONDS)
        return False
    if erasure.after_campaign != _AFTER_ALL and not await _go_through(house, erasure, stopping):
        return False
    return await _go_through_left_over(house, erasure)


async def _go_through(house: House, erasure: AccountErasure, stopping: Callable[[], bool]) -> bool:
    """Do every campaign that is not deleted; False: not whole, somebody else or a later time goes on.

    Which ones are deleted is noted before and after, since any may be deleted or restored meanwhile.
    """
    store, after = house.account_erasures, erasure.after_campaign
    if await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is None:
        return False
    whole = erasure.what == "texts" or await _leave_all(house, erasure.account_id)

    async def note(texts: int) -> bool:
        return await store.advance(erasure, after, texts, LEASE_SECONDS)

    while page := await house.views.campaigns(after, CAMPAIGNS_AT_ONCE):
        for campaign_id in page:
            if stopping():
                return False
            try:
                await _erase_in(house, campaign_id, erasure, note)
            except Rejection as refusal:  # others act there all the time, or its log was set back
                log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
            after = campaign_id
            if not await note(0):
                return False
    whole = whole and await store.defer(erasure, [], LEASE_SECONDS, with_deleted=True) is not None
    after = _AFTER_ALL if whole else _BEFORE_ALL
    await note(0)  # if not whole all over again, when the claim is over
    return whole


async def _go_through_left_over(house: House, erasure: AccountErasure) -> bool:
    """Do the campaigns that were deleted and are restored; False: some of them still are deleted."""
    store = house.account_erasures
    left_over = await store.defer(erasure, [], LEASE_SECONDS, with_deleted=False)
    deleted = await house.deletions.gone(left_over or [])
    done = []

    async def note(texts: int) -> bool:
        return await store.advance(erasure, _AFTER_ALL, texts, LEASE_SECONDS)

    for campaign_id in left_over or []:
        if campaign_id in deleted:
            continue
        try:
            if erasure.what == "account":
                await act(house, campaign_id, None, ActRequest(command=ForgetMember(erasure.account_id)))
            await _erase_in(house, campaign_id, erasure, note)
        except Rejection as refusal:
            log_line.warning("erasing_delayed", campaign=str(campaign_id), code=refusal.code)
        else:
            done.append(campaign_id)
    deleted = await house.deletions.gone(done)  # of one that is deleted again, nothing could be read
    done = [each for each in done if each not in deleted]
    left_over = await store.defer(erasure, done, LOOK_AGAIN_SECONDS, with_deleted=False)
    return left_over == [] and await store.finish(erasure)


async def _leave_all(house: House, account: AccountId) -> bool:
    """Take the account out of its campaigns, unless it is out already; False: not of all of them."""
    whole, after = True, _BEFORE_ALL
    while page := await house.log.campaigns_of(account, after):
        for campaign_id, _ in page:
            try:
                await act(house, campaign_id, None, ActRequest(command=ForgetMember(account)))
            except Rejection as refusal:
                log_line.warning("leaving_delayed", campaign=str(campaign_id), code=refusal.code)
                whole = False
        after = page[-1][0]
    return whole


async def _erase_in(
    house: House, campaign_id: CampaignId, erasure: AccountErasure, note: Callable[[int], Awaitable[bool]]
) -> None:
    """Do one campaign."""
    if erasure.with_texts:
        await erase_written(house, campaign_id, erasure.account_id, note)
    if erasure.name is not None:
        await note(await _erase_imported_name(house, campaign_id, erasure.account_id))
        await house.log.forget_answers(campaign_id, erasure.account_id)
        await _tell_answers_anew(house, campaign_id, erasure.name)


async def erase_written(
    house: House, campaign_id: CampaignId, account: AccountId, note: Callable[[int], Awaitable[bool]]
) -> None:
    """Erase everything that somebody wrote in a campaign, and note how many texts that were.

    Refuses `campaign_busy` where others keep acting; what was erased until then is.
    """
    after = 0
    own: dict[ActionId, bool] = {}
    while page := await house.log.written(campaign_id, after, EVENTS_MAX, account):
        now = await campaign_now(house, campaign_id)
        page = await house.log.written(campaign_id, after, EVENTS_MAX, account)
        parts = [Part(row) for row in page if await _is_own(house, campaign_id, account, row, own)]
        if parts:
            await note((await erase(house, campaign_id, now, None, EraseTexts(account=account), parts)).texts)
        after = page[-1].seq if page else after


async def _is_own(
    house: House, campaign_id: CampaignId, account: AccountId, row: StoredEvent, known: dict[ActionId, bool]
) -> bool:
    """Whether somebody wrote the words of an event, or ordered what says them again by itself."""
    if row.actor is not None:
        return row.actor == account
    kind, _, cause = first_cause(row.cause).partition(":")
    if kind != "action":
        return False
    action_id = ActionId(UUID(cause))
    if action_id not in known:
        ordered = await house.log.action(campaign_id, action_id)
        known[action_id] = bool(ordered) and ordered[0].actor == account
    return known[action_id]


async def _erase_imported_name(house: House, campaign_id: CampaignId, account: AccountId) -> int:
    """Erase what somebody was called in the campaigns that this one was brought over from."""
    first = await house.log.tail(campaign_id, 0, limit=1)
    if not first or first[0].kind != _IMPORTED:
        return 0
    now = await campaign_now(house, campaign_id)
    parts = []
    for row in await house.log.tail(campaign_id, 0, limit=OPENINGS_MAX):
        if row.kind != _IMPORTED:
            break
        people = msgspec.json.decode(row.body)["people"] if row.texts is not None else []
        texts = texts_beside(row)
        names = {f"event.people[{nth}].name" for nth, each in enumerate(people) if each["account"] == str(account)}
        if names & texts.keys():
            parts.append(Part(row, {path: text for path, text in texts.items() if path not in names}))
    if not parts:
        return 0
    return (await erase(house, campaign_id, now, None, EraseTexts(account=account), parts)).texts


async def _tell_answers_anew(house: House, campaign_id: CampaignId, name: str) -> None:
    """Tell kept answers that name somebody once more, without the name."""
    said = msgspec.json.encode(name)[1:-1]
    after = (_NOBODY, "")
    while page := await house.log.answers_saying(campaign_id, said, after, ANSWERS_AT_ONCE):
        _, state = await campaign_now(house, campaign_id)
        await house.names.fetch_all_in(state)
        called, language = house.names.within(state), language_of(state.changed_settings)
        for answer in page:
            told = await whole_answer(house, campaign_id, answer)
            anew = without_words(told, set(), called, language).answer
            await house.log.replace_answer(campaign_id, answer, anew)
        after = (page[-1].account_id, page[-1].key)
