"""What the stores of accounts, tokens and invites promise, in PostgreSQL and in memory."""

import asyncio
from asyncio import gather
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import psycopg
import pytest

from domain.accounts import (
    SESSION_IDLE,
    SESSION_LONGEST,
    SESSION_SHARED,
    SESSIONS_MAX,
    TOKEN_IDLE,
    UNLIMITED,
    Invite,
    LooksTaken,
    TokenLimits,
    TokenOwner,
)
from infra.postgres.account_stores import PostgresAccountStore, PostgresInviteStore
from infra.postgres.driver.database import Database
from tests.doubles.account_stores import MemoryAccountStore, MemoryInviteStore
from tests.doubles.event_store import MemoryEventStore
from tests.infra.log_entries import new_account, new_campaign, wall_clock

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["memory", "postgres"])
async def stores(request):
    if request.param == "memory":
        yield MemoryAccountStore(wall_clock), MemoryInviteStore(wall_clock, MemoryEventStore(wall_clock))
    else:
        async with Database(request.getfixturevalue("database").service, readers=2) as connections:
            yield PostgresAccountStore(connections), PostgresInviteStore(connections)


@pytest.fixture
def accounts(stores):
    return stores[0]


@pytest.fixture
def invites(stores):
    return stores[1]


def is_recent(moment):
    return moment.utcoffset() == timedelta(0) and abs(datetime.now(UTC) - moment) < timedelta(minutes=1)


async def test_an_account_is_found_by_its_name_key(accounts):
    mara = new_account()
    assert await accounts.create(mara, "Mära", "mära", "$argon2id$x")
    found = await accounts.by_name("mära")
    assert (found.account_id, found.name, found.password_hash) == (mara, "Mära", "$argon2id$x")
    assert is_recent(found.created_at)
    assert await accounts.by_name("Mära") is None


async def test_a_name_is_taken_once(accounts):
    assert await accounts.create(new_account(), "Mara", "mara", "first")
    assert not await accounts.create(new_account(), "MARA", "mara", "second")
    assert (await accounts.by_name("mara")).password_hash == "first"


async def test_another_name_frees_the_former_one_and_its_looks(accounts):
    mara, dell = new_account(), new_account()
    assert await accounts.create(mara, "Mara", "mara", "x", looks=["mara", "Mara"])
    assert await accounts.create(dell, "Dell", "dell", "x", looks=["dell"])
    assert not await accounts.rename(mara, "Dell", "dell", ["other"])
    with pytest.raises(LooksTaken):
        await accounts.rename(mara, "D\u0435ll", "d\u0435ll", ["dell"])
    assert (await accounts.by_name("mara")).name == "Mara"
    assert await accounts.rename(mara, "MARA", "mara", ["mara", "MARA"])
    assert await accounts.rename(mara, "Rita", "rita", ["rita"])
    assert await accounts.by_name("mara") is None
    assert (await accounts.by_name("rita")).account_id == mara
    assert await accounts.names([mara]) == {mara: "Rita"}
    assert await accounts.rename(dell, "Mara", "mara", ["mara", "Mara"])
    assert not await accounts.rename(new_account(), "Nobody", "nobody", ["nobody"])


async def test_names_are_found_for_those_who_have_one(accounts):
    mara, dell = new_account(), new_account()
    await accounts.create(mara, "Mara", "mara", "x")
    await accounts.create(dell, "Dell", "dell", "x")
    assert await accounts.names([mara, dell, new_account()]) == {mara: "Mara", dell: "Dell"}
    assert await accounts.names([]) == {}


async def test_a_token_leads_to_its_owner_until_it_is_revoked(accounts):
    mara, token = new_account(), uuid4()
    await accounts.create(mara, "Mara", "mara", "x")
    await accounts.add_token(token, mara, "phone", b"hash")
    assert await accounts.token_owner(b"hash") == TokenOwner(token, mara, "Mara")
    assert await accounts.token_owner(b"other") is None
    assert not await accounts.revoke(new_account(), token)
    assert not await accounts.revoke(mara, uuid4())
    assert await accounts.revoke(mara, token)
    assert not await accounts.revoke(mara, token)
    assert await accounts.token_owner(b"hash") is None
    assert await accounts.tokens(mara) == []


async def test_tokens_that_are_asked_for_at_once_lead_each_to_its_own_owner(accounts):
    people = {name: new_account() for name in ("mara", "dell")}
    for name, account in people.items():
        await accounts.create(account, name, name, "x")
        await accounts.add_token(uuid4(), account, "phone", name.encode())
    hashes = [b"mara", b"other", b"dell", b"mara"]
    owners = await asyncio.gather(*map(accounts.token_owner, hashes))
    assert [owner and owner.account_id for owner in owners] == [
        people["mara"],
        None,
        people["dell"],
        people["mara"],
    ]


async def test_who_stops_asking_for_a_token_leaves_it_to_those_who_ask_at_once(accounts):
    mara, token = new_account(), uuid4()
    await accounts.create(mara, "Mara", "mara", "x")
    await accounts.add_token(token, mara, "phone", b"hash")
    first, second = (asyncio.create_task(accounts.token_owner(b"hash")) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    assert await second == TokenOwner(token, mara, "Mara")


async def test_an_account_says_which_language_it_reads_or_takes_it_back(accounts):
    mara, token = new_account(), uuid4()
    await accounts.create(mara, "Mara", "mara", "argon")
    await accounts.add_token(token, mara, "phone", b"hash")
    for language in ("fr", "en", None):
        await accounts.set_language(mara, language)
        assert await accounts.token_owner(b"hash") == TokenOwner(token, mara, "Mara", language)


async def test_tokens_are_listed_oldest_first_with_their_last_use(accounts):
    mara, first, second = new_account(), uuid4(), uuid4()
    await accounts.create(mara, "Mara", "mara", "x")
    await accounts.add_token(first, mara, "phone", b"1")
    await accounts.add_token(second, mara, "desk", b"2")
    await accounts.token_owner(b"2")
    phone, desk = await accounts.tokens(mara)
    assert (phone.token_id, phone.label, phone.last_used_at) == (first, "phone", None)
    assert (desk.token_id, desk.label) == (second, "desk")
    assert is_recent(desk.last_used_at)
    await accounts.token_owner(b"2")
    assert (await accounts.tokens(mara))[1].last_used_at == desk.last_used_at


async def test_a_token_used_again_after_an_hour_is_noted_again(database):
    async with Database(database.service, readers=1) as connections:
        accounts, mara = PostgresAccountStore(connections), new_account()
        await accounts.create(mara, "Mara", "mara", "x")
        await accounts.add_token(uuid4(), mara, "phone", b"1")
        with psycopg.connect(database.owner) as owner:
            owner.execute("UPDATE tokens SET last_used_at = now() - interval '61 minutes'")
        await accounts.token_owner(b"1")
        assert is_recent((await accounts.tokens(mara))[0].last_used_at)


class SetClock:
    """Time as a test has it, in microseconds; what the database takes for now, where there is one, follows."""

    def __init__(self, owner_url):
        self.now = wall_clock()
        self._owner_url = owner_url

    def __call__(self):
        return self.now

    def pass_by(self, duration):
        """In a database, all that is kept moves into the past by as much instead."""
        self.now += duration // timedelta(microseconds=1)
        if self._owner_url is not None:
            with psycopg.connect(self._owner_url) as owner:
                owner.execute(
                    "UPDATE tokens SET created_at = created_at - %(by)s, last_used_at = last_used_at - %(by)s, "
                    "expires_at = expires_at - %(by)s, "
                    "ends_at = CASE WHEN expires_at IS NULL THEN ends_at ELSE ends_at - %(by)s END",
                    {"by": duration},
                )
                owner.execute("UPDATE account_resets SET expires_at = expires_at - %s", [duration])


@pytest.fixture(params=["memory", "postgres"])
async def timed(request):
    """A store of accounts, and its clock."""
    if request.param == "memory":
        clock = SetClock(None)
        yield MemoryAccountStore(clock), clock
    else:
        database = request.getfixturevalue("database")
        async with Database(database.service, readers=2) as connections:
            yield PostgresAccountStore(connections), SetClock(database.owner)


async def begun(accounts, who, label="browser"):
    """A new session's id; its hash is the id's bytes."""
    session = uuid4()
    await accounts.add_session(session, who, label, session.bytes)
    return session


async def is_valid(accounts, session):
    return await accounts.token_owner(session.bytes) is not None


async def somebody(accounts, name="Mara"):
    who = new_account()
    await accounts.create(who, name, name, "x")
    return who


async def test_a_session_leads_to_its_owner_and_is_no_token(accounts):
    mara, dell = await somebody(accounts), await somebody(accounts, "Dell")
    session, token = await begun(accounts, mara, "browser, Firefox"), uuid4()
    await accounts.add_token(token, mara, "phone", b"hash")
    assert await accounts.token_owner(session.bytes) == TokenOwner(session, mara, "Mara")
    assert [each.token_id for each in await accounts.tokens(mara)] == [token]
    (kept,) = await accounts.sessions(mara)
    assert (kept.session_id, kept.label) == (session, "browser, Firefox")
    assert kept.created_at == kept.last_used_at
    assert kept.expires_at == kept.created_at + min(SESSION_IDLE, SESSION_LONGEST)
    assert is_recent(kept.created_at)
    assert not await accounts.revoke(mara, session)
    assert not await accounts.end_session(mara, token)
    assert not await accounts.end_session(dell, session)
    assert await is_valid(accounts, session)
    assert await accounts.end_session(mara, session)
    assert not await accounts.end_session(mara, session)
    assert not await is_valid(accounts, session)
    assert await accounts.sessions(mara) == []
    assert (await accounts.token_owner(b"hash")).token_id == token


async def test_sessions_are_listed_by_id_and_those_of_others_are_not(accounts):
    mara, dell = await somebody(accounts), await somebody(accounts, "Dell")
    mine = [await begun(accounts, mara) for _ in range(5)]
    theirs = await begun(accounts, dell)
    assert [each.session_id for each in await accounts.sessions(mara)] == sorted(mine)
    await accounts.end_other_sessions(mara, mine[2])
    assert [each.session_id for each in await accounts.sessions(mara)] == [mine[2]]
    assert await is_valid(accounts, theirs)


async def test_of_too_many_sessions_those_that_were_used_last_stay(timed):
    accounts, clock = timed
    mara, dell = await somebody(accounts), await somebody(accounts, "Dell")
    theirs = await begun(accounts, dell)
    sessions = []
    for _ in range(SESSIONS_MAX):
        sessions.append(await begun(accounts, mara))
        clock.pass_by(timedelta(minutes=5))
    clock.pass_by(timedelta(hours=2))
    assert await is_valid(accounts, sessions[0])  # which it is used by that
    more = [await begun(accounts, mara), await begun(accounts, mara)]
    kept = {each.session_id for each in await accounts.sessions(mara)}
    assert kept == {sessions[0], *sessions[3:], *more}
    assert await is_valid(accounts, theirs)


async def test_a_session_that_is_over_takes_no_room(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    for _ in range(SESSIONS_MAX):
        await begun(accounts, mara)
    clock.pass_by(SESSION_IDLE + timedelta(seconds=1))
    assert await accounts.sessions(mara) == []
    sessions = [await begun(accounts, mara) for _ in range(SESSIONS_MAX)]
    assert {each.session_id for each in await accounts.sessions(mara)} == {*sessions}


async def test_a_session_is_over_when_it_was_idle_for_too_long(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    session = await begun(accounts, mara)
    clock.pass_by(SESSION_IDLE - timedelta(minutes=1))
    assert await is_valid(accounts, session)
    clock.pass_by(SESSION_IDLE - timedelta(minutes=1))
    assert await is_valid(accounts, session)
    clock.pass_by(SESSION_IDLE + timedelta(seconds=1))
    assert not await is_valid(accounts, session)
    assert not await accounts.end_session(mara, session)


async def test_a_session_is_over_after_its_longest_time_however_often_it_is_used(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    session, passed = await begun(accounts, mara), timedelta(0)
    while passed + timedelta(days=30) < SESSION_LONGEST:
        clock.pass_by(timedelta(days=30))
        passed += timedelta(days=30)
        assert await is_valid(accounts, session)
    clock.pass_by(SESSION_LONGEST - passed - timedelta(minutes=1))
    assert await is_valid(accounts, session)
    clock.pass_by(timedelta(minutes=2))
    assert not await is_valid(accounts, session)


async def test_the_use_of_a_session_is_noted_once_an_hour(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    session = await begun(accounts, mara)

    async def noted():
        (found,) = await accounts.sessions(mara)
        return found.last_used_at - found.created_at

    for minutes, known in ((30, 0), (29, 0), (2, 61), (59, 61), (2, 122)):
        clock.pass_by(timedelta(minutes=minutes))
        assert await is_valid(accounts, session)
        assert abs(await noted() - timedelta(minutes=known)) < timedelta(minutes=1)


async def test_a_session_on_a_shared_computer_is_over_soon_however_often_it_is_used(timed):
    accounts, clock = timed
    mara, secret = await somebody(accounts), b"hash"
    await accounts.add_session(uuid4(), mara, "hotel", secret, is_shared=True)
    (session,) = await accounts.sessions(mara)
    assert session.expires_at - session.created_at == SESSION_SHARED
    for _ in range(5):
        clock.pass_by(timedelta(hours=2))
        assert await accounts.token_owner(secret) is not None
    assert (await accounts.token_owner(secret)).limits == UNLIMITED
    clock.pass_by(SESSION_SHARED - timedelta(hours=10))
    assert await accounts.token_owner(secret) is None
    assert await accounts.sessions(mara) == []


async def test_a_token_without_an_end_is_over_when_it_is_not_used_for_a_year(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    await accounts.add_token(uuid4(), mara, "phone", b"hash")
    for _ in range(3):
        clock.pass_by(TOKEN_IDLE - timedelta(minutes=1))
        assert await accounts.token_owner(b"hash") is not None
        (token,) = await accounts.tokens(mara)
        assert token.expires_at == token.last_used_at + TOKEN_IDLE
    clock.pass_by(TOKEN_IDLE + timedelta(seconds=1))
    assert await accounts.tokens(mara) == []
    assert await accounts.token_owner(b"hash") is None


async def test_a_limited_token_is_found_with_its_limits_until_it_ends(timed):
    accounts, clock = timed
    mara, campaign = await somebody(accounts), new_campaign()
    ends_at = datetime.fromtimestamp(clock() / 1_000_000, UTC) + timedelta(days=7)
    limits = TokenLimits("play", campaign, ends_at, 60)
    await accounts.add_token(uuid4(), mara, "bot", b"hash", limits)
    assert (await accounts.token_owner(b"hash")).limits == limits
    assert [each.limits for each in await accounts.tokens(mara)] == [limits]


async def test_a_session_of_an_account_that_is_gone_is_not_kept(accounts):
    session = await begun(accounts, new_account())
    assert not await is_valid(accounts, session)


async def test_another_password_ends_every_session_but_one(accounts):
    mara, dell = await somebody(accounts), await somebody(accounts, "Dell")
    kept, other, theirs = await begun(accounts, mara), await begun(accounts, mara), await begun(accounts, dell)
    await accounts.change_password(mara, "new", kept)
    assert [await is_valid(accounts, each) for each in (kept, other, theirs)] == [True, False, True]
    assert [each.session_id for each in await accounts.sessions(mara)] == [kept]


async def test_many_sign_ins_at_once_leave_as_many_sessions_as_there_may_be(database):
    async with Database(database.service, readers=2, writers=8) as connections:
        accounts = PostgresAccountStore(connections)
        mara = await somebody(accounts)
        await gather(*(begun(accounts, mara) for _ in range(3 * SESSIONS_MAX)))
        assert len(await accounts.sessions(mara)) == SESSIONS_MAX
        with psycopg.connect(database.owner) as owner:
            assert owner.execute("SELECT count(*) FROM tokens").fetchone() == (SESSIONS_MAX,)


async def test_a_reset_gives_another_password_once_and_ends_everything_that_was_signed_in(accounts):
    mara, dell = await somebody(accounts), await somebody(accounts, "Dell")
    session, theirs = await begun(accounts, mara), await begun(accounts, dell)
    await accounts.add_token(uuid4(), mara, "phone", b"token")
    assert abs(await accounts.offer_reset(mara, b"code", 60) - datetime.now(UTC)) < timedelta(minutes=2)
    assert await accounts.reset_of(b"other") is None
    assert (await accounts.reset_of(b"code")).account_id == mara
    assert await accounts.reset_password(b"other", "new") is None
    assert await accounts.reset_password(b"code", "new") == mara
    assert (await accounts.by_id(mara)).password_hash == "new"
    assert [await is_valid(accounts, each) for each in (session, theirs)] == [False, True]
    assert await accounts.token_owner(b"token") is None
    assert await accounts.reset_of(b"code") is None
    assert await accounts.reset_password(b"code", "newer") is None


async def test_a_new_reset_takes_the_place_of_the_old_one_and_another_password_ends_it(accounts):
    mara = await somebody(accounts)
    kept = await begun(accounts, mara)
    await accounts.offer_reset(mara, b"old", 60)
    await accounts.offer_reset(mara, b"new", 60)
    assert await accounts.reset_of(b"old") is None
    assert (await accounts.reset_of(b"new")).account_id == mara
    await accounts.change_password(mara, "changed", kept)
    assert await accounts.reset_of(b"new") is None
    assert await accounts.offer_reset(new_account(), b"nobody", 60) is None


async def test_a_reset_ends_by_itself(timed):
    accounts, clock = timed
    mara = await somebody(accounts)
    await accounts.offer_reset(mara, b"code", 3600)
    clock.pass_by(timedelta(minutes=59))
    assert await accounts.reset_of(b"code") is not None
    clock.pass_by(timedelta(minutes=2))
    assert await accounts.reset_of(b"code") is None
    assert await accounts.reset_password(b"code", "new") is None


async def test_a_disabled_account_is_found_as_such_until_it_is_enabled(accounts):
    mara = await somebody(accounts)
    session = await begun(accounts, mara)
    assert await accounts.disable(mara, disabled=True)
    assert not await accounts.disable(mara, disabled=True)
    assert is_recent((await accounts.by_name("Mara")).disabled_at)
    assert (await accounts.token_owner(session.bytes)).is_disabled
    assert await accounts.disable(mara, disabled=False)
    assert not await accounts.disable(mara, disabled=False)
    assert (await accounts.by_id(mara)).disabled_at is None
    assert not (await accounts.token_owner(session.bytes)).is_disabled
    assert not await accounts.disable(new_account(), disabled=True)


def an_invite(campaign_id, **fields):
    now = datetime.now(UTC)
    given = {
        "campaign_id": campaign_id,
        "invite_id": uuid4(),
        "role": "player",
        "created_by": new_account(),
        "created_at": now,
        "expires_at": now + timedelta(days=30),
        "revoked_at": None,
        "uses": 0,
        "uses_max": None,
    }
    return Invite(**{**given, **fields})


async def test_an_invite_is_found_by_its_code_in_its_campaign_only(invites):
    """Invariant 21."""
    campaign = new_campaign()
    invite = an_invite(campaign)
    await invites.create(invite, b"code")
    assert await invites.find(campaign, b"code") == invite
    assert await invites.find(campaign, b"other") is None
    assert await invites.find(new_campaign(), b"code") is None


async def test_a_revoked_invite_is_still_shown_as_such(invites):
    campaign = new_campaign()
    invite = an_invite(campaign)
    await invites.create(invite, b"code")
    assert not await invites.revoke(new_campaign(), invite.invite_id)
    assert await invites.revoke(campaign, invite.invite_id)
    revoked_at = (await invites.find(campaign, b"code")).revoked_at
    assert is_recent(revoked_at)
    assert await invites.revoke(campaign, invite.invite_id)
    assert (await invites.find(campaign, b"code")).revoked_at == revoked_at


async def test_a_code_that_is_there_is_not_made_again(invites):
    campaign = new_campaign()
    first = an_invite(campaign)
    await invites.create(first, b"code")
    await invites.create(an_invite(campaign, role="observer"), b"code")
    assert await invites.list(campaign) == [first]


async def test_invites_are_listed_newest_first(invites):
    campaign, now = new_campaign(), datetime.now(UTC)
    old = an_invite(campaign, created_at=now - timedelta(days=1), role="observer")
    new = an_invite(campaign, created_at=now)
    await invites.create(old, b"1")
    await invites.create(new, b"2")
    await invites.create(an_invite(new_campaign()), b"3")
    assert await invites.list(campaign) == [new, old]


async def test_an_invite_lets_in_as_many_as_it_may(invites):
    campaign = new_campaign()
    few, many = an_invite(campaign, uses_max=2), an_invite(campaign)
    await invites.create(few, b"few")
    await invites.create(many, b"many")
    assert [await invites.use(campaign, few.invite_id) for _ in range(3)] == [True, True, False]
    assert [await invites.use(campaign, many.invite_id) for _ in range(3)] == [True, True, True]
    assert (await invites.find(campaign, b"few")).uses == 2
    await invites.revoke(campaign, many.invite_id)
    assert not await invites.use(campaign, many.invite_id)


async def test_an_account_says_by_which_invite_it_was_made(accounts):
    ana, noor, invite = new_account(), new_account(), an_invite(new_campaign())
    await accounts.create(ana, "Ana", "ana", "hash")
    await accounts.create(noor, "Noor", "noor", "hash", invite.invite_id)
    assert (await accounts.by_id(ana)).invite_id is None
    assert (await accounts.by_id(noor)).invite_id == (await accounts.by_name("noor")).invite_id == invite.invite_id


async def test_another_password_is_kept_and_only_one_token_stays(accounts):
    mara = new_account()
    await accounts.create(mara, "Mara", "mara", "old")
    kept, other = uuid4(), uuid4()
    await accounts.add_token(kept, mara, "kept", b"kept")
    await accounts.add_token(other, mara, "other", b"other")
    await accounts.change_password(mara, "new", kept)
    assert (await accounts.by_id(mara)).password_hash == "new"
    assert (await accounts.by_name("mara")).password_hash == "new"
    assert await accounts.token_owner(b"other") is None
    assert (await accounts.token_owner(b"kept")).account_id == mara
    assert await accounts.by_id(new_account()) is None
