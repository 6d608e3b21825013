"""How often is too often: what is counted under which name, and where each limit ends, to the one."""

from types import SimpleNamespace
from uuid import UUID

import pytest

from domain.ids import AccountId, CampaignId
from domain.rejection import Rejection
from infra.embedded.child_process import free_port
from infra.in_process import rate_counter as in_process
from infra.in_process.rate_counter import InProcessRateCounter
from infra.redis.rate_counter import RedisRateCounter
from services.accounts.rate_limits import SIGNED_IN_SECONDS, RateLimiter, RateLimits
from services.errors import RateLimitExceeded

pytestmark = pytest.mark.anyio

ANA, BEN = AccountId(UUID(int=1)), AccountId(UUID(int=2))
HERE, THERE = "192.0.2.1", "192.0.2.2"
NO_LIMITS = dict.fromkeys(RateLimits.__struct_fields__, 0)


class Counted:
    """Rates by a clock of one's own; `shared` is what all processes count together."""

    def __init__(self, **limits: int) -> None:
        self.now = 7200.0
        self.shared, self.own = InProcessRateCounter(lambda: self.now), InProcessRateCounter(lambda: self.now)
        self.rates = RateLimiter(self.shared, self.own, RateLimits(**{**NO_LIMITS, **limits}))

    async def fits(self, what: str, *about: object) -> bool:
        try:
            await getattr(self.rates, what)(*about)
        except RateLimitExceeded as refusal:
            self.refusal = refusal
            return False
        return True

    async def times(self, what: str, *about: object) -> int:
        """How often it goes through in one window."""
        count = 0
        while await self.fits(what, *about):
            count += 1
            assert count < 10_000, "there is no limit"
        return count


async def test_an_address_makes_so_many_accounts_an_hour_and_another_its_own():
    counted = Counted(sign_ups_per_hour=3)
    assert await counted.times("sign_up", HERE) == 3
    assert (counted.refusal.code, counted.refusal.seconds) == ("too_many_sign_ups", 3600)
    assert str(counted.refusal) == "That is too often: try again in 3,600 seconds."
    assert await counted.times("sign_up", THERE) == 3
    counted.now += 3599
    assert not await counted.fits("sign_up", HERE)
    assert counted.refusal.seconds == 1
    counted.now += 1
    assert await counted.times("sign_up", HERE) == 3


async def test_a_name_is_tried_so_often_a_minute_from_wherever_it_is_tried():
    counted = Counted(sign_ins_per_minute=2)
    assert await counted.fits("sign_in", "ana", HERE)
    assert await counted.times("sign_in", "ana", THERE) == 1
    assert (counted.refusal.code, counted.refusal.seconds) == ("too_many_sign_ins", 60)
    assert await counted.times("sign_in", "ben", HERE) == 2


async def test_an_address_tries_ten_times_as_many_names_and_what_it_says_beyond_that_is_not_counted():
    counted = Counted(sign_ins_per_minute=2)
    tried = [await counted.fits("sign_in", f"name {nth}", HERE) for nth in range(25)]
    assert tried == [True] * 20 + [False] * 5
    assert await counted.times("sign_in", "name 24", THERE) == 2, "what the full address said of it is not kept"
    assert await counted.times("sign_in", "name 0", THERE) == 1


async def test_an_address_that_signed_in_under_a_name_is_not_locked_out_by_strangers_who_try_it():
    counted = Counted(sign_ins_per_minute=2)
    await counted.rates.signed_in("ana", HERE)
    await counted.times("sign_in", "ana", THERE)
    assert await counted.times("sign_in", "ana", HERE) == 2, "it has a limit of its own"
    counted.now += SIGNED_IN_SECONDS - 1
    await counted.times("sign_in", "ana", THERE)
    assert await counted.fits("sign_in", "ana", HERE)
    counted.now += 60
    await counted.times("sign_in", "ana", THERE)
    assert not await counted.fits("sign_in", "ana", HERE), "it is a stranger again after a month"


async def test_being_known_at_one_address_is_no_help_at_another_or_for_another_name():
    counted = Counted(sign_ins_per_minute=1)
    await counted.rates.signed_in("ana", HERE)
    await counted.times("sign_in", "ana", THERE)
    await counted.times("sign_in", "ben", THERE)
    assert not await counted.fits("sign_in", "ana", "192.0.2.3")
    assert not await counted.fits("sign_in", "ben", HERE)


async def test_a_password_is_confirmed_so_often_by_one_account_and_by_one_address():
    counted = Counted(sign_ins_per_minute=2)
    await counted.times("sign_in", "ana", THERE)
    assert await counted.times("confirm", ANA, HERE) == 2, "tries by strangers do not count against it"
    assert counted.refusal.code == "too_many_sign_ins"
    many = [await counted.fits("confirm", AccountId(UUID(int=nth)), HERE) for nth in range(10, 40)]
    assert many == [True] * 17 + [False] * 13, "the address had been asked three times"
    assert not await counted.fits("sign_in", "cleo", HERE), "it is the same limit as that of signing in"
    assert await counted.fits("confirm", BEN, THERE)


async def test_an_account_invites_so_often_an_hour_and_an_address_ten_times_that():
    counted = Counted(invites_per_hour=2)
    assert await counted.times("invite", ANA, HERE) == 2
    assert (counted.refusal.code, counted.refusal.seconds) == ("too_many_invites", 3600)
    many = [await counted.fits("invite", AccountId(UUID(int=nth)), HERE) for nth in range(10, 40)]
    assert many == [True] * 17 + [False] * 13
    assert await counted.times("invite", BEN, THERE) == 2


async def test_importing_tells_of_no_more_names_than_signing_up_does():
    counted = Counted(sign_ups_per_hour=5)
    assert await counted.fits("ask_for_people", HERE, 5)
    assert not await counted.fits("ask_for_people", HERE, 1)
    assert (counted.refusal.code, counted.refusal.seconds) == ("too_many_imports", 3600)
    assert await counted.fits("sign_up", HERE)
    assert await counted.fits("ask_for_people", HERE, 0), "whoever asks for nobody else"
    assert not await counted.fits("ask_for_people", THERE, 6)


async def test_acting_is_counted_for_each_member_of_each_campaign_in_this_process_alone():
    counted = Counted(actions_per_minute=3)
    one, other = CampaignId(UUID(int=8)), CampaignId(UUID(int=9))
    assert await counted.times("act", one, ANA) == 3
    assert (counted.refusal.code, counted.refusal.seconds) == ("too_many_actions", 60)
    assert await counted.times("act", one, BEN) == 3
    assert await counted.times("act", other, ANA) == 3
    assert counted.shared._counts == {}


async def test_without_a_limit_nothing_is_counted():
    counted = Counted()
    for what, about in (
        ("sign_up", (HERE,)),
        ("sign_in", ("ana", HERE)),
        ("signed_in", ("ana", HERE)),
        ("confirm", (ANA, HERE)),
        ("invite", (ANA, HERE)),
        ("ask_for_people", (HERE, 5)),
        ("act", (CampaignId(UUID(int=8)), ANA)),
    ):
        for _ in range(3):
            assert await counted.fits(what, *about)
    counted.rates.room_for_a_campaign(1_000_000)
    kept = (counted.shared, counted.own)
    assert [(each._counts, each._remembered) for each in kept] == [({}, {}), ({}, {})]


async def test_names_and_addresses_are_kept_as_hashes_of_one_size():
    counted = Counted(sign_ins_per_minute=2, sign_ups_per_hour=2)
    for name in ("a", "\ufdfa" * 80_000, "\ud800"):
        await counted.rates.sign_in(name, HERE)
        await counted.rates.signed_in(name, HERE)
    await counted.rates.sign_up(HERE)
    keys = [*counted.shared._counts, *counted.shared._remembered]
    assert {len(key.rpartition(":")[2]) for key in keys} == {32}
    assert not any(HERE in key for key in keys)
    assert len(keys) == 8, "each name has a key and each pair, the address one for each kind"


def test_one_account_is_in_so_many_campaigns():
    rates = Counted(campaigns_per_account=2).rates
    assert rates.campaigns_per_account == 2
    rates.room_for_a_campaign(1)
    with pytest.raises(Rejection) as refused:
        rates.room_for_a_campaign(2)
    assert refused.value.code == "too_many_campaigns"


def test_an_account_has_one_import_under_way_and_may_begin_another_however_it_ended():
    rates = Counted().rates
    with rates.one_import(ANA):
        with pytest.raises(RateLimitExceeded) as refused, rates.one_import(ANA):
            pytest.fail("two at once")
        assert (refused.value.code, refused.value.seconds) == ("import_under_way", 5)
        with pytest.raises(ZeroDivisionError), rates.one_import(BEN):
            raise ZeroDivisionError
    with rates.one_import(ANA), rates.one_import(BEN):
        pass


async def test_where_there_is_no_room_for_counts_those_of_windows_that_are_over_go_first(monkeypatch):
    monkeypatch.setattr(in_process, "KEYS_MAX", 20)
    monkeypatch.setattr(in_process, "OLDEST", 2)
    now = SimpleNamespace(seconds=600.0)
    rates = InProcessRateCounter(lambda: now.seconds)
    for nth in range(10):
        await rates.count(f"short {nth}", 60)
        await rates.count(f"long {nth}", 3600)
    assert await rates.count("short 0", 60) == (2, 60), "what is known needs no room"
    assert len(rates._counts) == 20
    now.seconds = 660
    await rates.count("new", 60)
    assert sorted(rates._counts) == sorted(["new", *(f"long {nth}" for nth in range(10))])
    for nth in range(9):
        await rates.count(f"long too {nth}", 3600)
    assert len(rates._counts) == 20
    await rates.count("one more", 60)
    assert len(rates._counts) == 19
    assert {"long 0", "long 1"} & {*rates._counts} == set(), "the oldest went, since none was over"
    assert await rates.count("long 2", 3600) == (2, 2940)


async def test_what_is_remembered_is_so_for_its_time_and_the_oldest_goes_where_there_is_no_room(monkeypatch):
    monkeypatch.setattr(in_process, "KEYS_MAX", 3)
    now = SimpleNamespace(seconds=100.0)
    rates = InProcessRateCounter(lambda: now.seconds)
    assert not await rates.remembers("a")
    for key in ("a", "b", "c", "a"):
        await rates.remember(key, 50)
    assert [await rates.remembers(key) for key in "abc"] == [True, True, True]
    await rates.remember("d", 60)
    assert [await rates.remembers(key) for key in "abcd"] == [True, False, True, True], "a was remembered again"
    now.seconds = 150
    assert [await rates.remembers(key) for key in "acd"] == [False, False, True]


async def test_what_is_remembered_is_so_in_this_process_though_redis_is_away():
    async with RedisRateCounter(f"redis://127.0.0.1:{free_port()}/0") as rates:
        assert not await rates.remembers("a")
        await rates.remember("a", 50)
        assert await rates.remembers("a")
        assert not await rates.remembers("b")


async def test_an_address_looks_at_so_many_invites_an_hour_as_it_may_try():
    counted = Counted(invites_per_hour=2)
    assert await counted.times("look_at_invite", HERE) == 20
    assert counted.refusal.code == "too_many_invites"
    assert not await counted.fits("invite", ANA, HERE)
    assert await counted.times("look_at_invite", THERE) == 20
