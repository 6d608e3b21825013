"""Work on two things at a time."""

import asyncio

import pytest

from services.runtime.bounded_gather import bounded_gather

pytestmark = pytest.mark.anyio


async def test_two_are_worked_on_at_a_time_until_none_is_left():
    at_work, most = 0, 0

    async def double(number: int) -> int:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(0)
        at_work -= 1
        return 2 * number

    assert sorted(await bounded_gather(double, range(5))) == [0, 2, 4, 6, 8]
    assert most == 2
    assert await bounded_gather(double, []) == []


async def test_the_first_failure_ends_all_and_is_raised():
    begun: list[str] = []
    ended: list[str] = []

    async def work(name: str) -> None:
        begun.append(name)
        try:
            if name == "bad":
                raise LookupError(name)
            await asyncio.Event().wait()
        finally:
            ended.append(name)

    with pytest.raises(LookupError, match="bad"):
        await bounded_gather(work, ["long", "bad", "never"])
    assert begun == ["long", "bad"]
    assert sorted(ended) == ["bad", "long"]
