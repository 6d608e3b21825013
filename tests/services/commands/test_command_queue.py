"""Who waits for a campaign, in which order, and how many may."""

import asyncio
from uuid import UUID, uuid4

import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote
from domain.ids import AccountId, ActionId, CampaignId
from services.commands.command_queue import QUEUED_MAX, QUEUED_PER_ACCOUNT_MAX, CampaignQueue, ReadyList
from services.commands.pending_command import Hold, PendingCommand
from services.errors import RateLimitExceeded

CAMPAIGN = CampaignId(UUID(int=1))
ANA, BEN = AccountId(UUID(int=2)), AccountId(UUID(int=3))
NOTE = ActRequest(command=AddNote(text="x"))


@pytest.fixture
def queue():
    return CampaignQueue(CAMPAIGN)


@pytest.fixture(scope="module")
def loop():
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
def command(loop):
    def made(account: AccountId | None = ANA, deadline: float = 8.0) -> PendingCommand:
        answered = loop.create_future()
        return PendingCommand(CAMPAIGN, account, NOTE, ActionId(uuid4()), answered, deadline=deadline)

    return made


@pytest.fixture
def hold(command):
    def made() -> PendingCommand:
        asked: PendingCommand = command()
        asked.request, asked.is_hold = ActRequest(command=Hold()), True
        return asked

    return made


def test_commands_are_taken_in_the_order_in_which_they_came(queue, command):
    commands = [command() for _ in range(5)]
    for each in commands:
        queue.add(each)
    assert [queue.take() for _ in range(5)] == commands
    assert not queue.waiting


def test_what_is_put_back_comes_before_what_came_since(queue, command):
    first, second, third = command(), command(), command()
    queue.add(third)
    queue.put_first([first, second])
    assert queue.take_all() == [first, second, third]


def test_one_account_leaves_half_of_a_queue_to_the_others(queue, command):
    for _ in range(QUEUED_PER_ACCOUNT_MAX):
        queue.add(command(ANA))
    with pytest.raises(RateLimitExceeded) as refused:
        queue.add(command(ANA))
    assert (refused.value.code, refused.value.seconds) == ("campaign_queue_full", 1)
    for _ in range(QUEUED_MAX - QUEUED_PER_ACCOUNT_MAX):
        queue.add(command(BEN))
    with pytest.raises(RateLimitExceeded):
        queue.add(command(AccountId(uuid4())))
    assert len(queue.waiting) == QUEUED_MAX


def test_who_was_answered_may_ask_again(queue, command):
    """The number of commands of an account counts those that wait, and no others."""
    for _ in range(QUEUED_PER_ACCOUNT_MAX):
        queue.add(command(ANA, deadline=1.0))
    queue.take()
    queue.add(command(ANA))
    assert len(queue.drop_late(now=1.0)) == QUEUED_PER_ACCOUNT_MAX - 1
    for _ in range(QUEUED_PER_ACCOUNT_MAX - 1):
        queue.add(command(ANA))
    queue.take_all()
    for _ in range(QUEUED_PER_ACCOUNT_MAX):
        queue.add(command(ANA))


def test_a_full_queue_takes_back_what_must_be_decided_again(queue, command):
    for account in (ANA, BEN):
        for _ in range(QUEUED_MAX // 2):
            queue.add(command(account))
    again = command(ANA)
    queue.put_first([again])
    assert queue.waiting[0] is again


def test_commands_whose_time_is_up_leave_and_the_others_stay_in_order(queue, command):
    commands = [command(deadline=deadline) for deadline in (3.0, 9.0, 5.0, 9.0)]
    for each in commands:
        queue.add(each)
    queue.retried = 3
    assert queue.deadline == 3.0
    assert queue.drop_late(now=5.0) == [commands[0], commands[2]]
    assert queue.retried == 1
    assert queue.deadline == 9.0
    assert queue.take_all() == [commands[1], commands[3]]
    assert queue.deadline == float("inf")


def test_what_waits_goes_before_the_next_hold_and_holds_stay_in_order(queue, command, hold):
    first, second, one, other = hold(), hold(), command(), command()
    for each in (first, one, second, other):
        queue.add(each)
    queue.defer_holds()
    assert queue.take_all() == [one, other, first, second]


def test_holds_that_nobody_waits_for_any_more_leave_from_the_front(queue, command, hold):
    left, kept, one = hold(), hold(), command()
    left.answered.cancel()
    for each in (left, kept, one):
        queue.add(each)
    queue.drop_left()
    assert queue.take_all() == [kept, one]


def test_a_hold_counts_as_a_command_of_its_account(queue, hold):
    for _ in range(QUEUED_PER_ACCOUNT_MAX):
        queue.add(hold())
    with pytest.raises(RateLimitExceeded):
        queue.add(hold())


def test_campaigns_are_served_in_turns_and_their_commands_counted(command):
    ready = ReadyList()
    queues = [CampaignQueue(CampaignId(uuid4())) for _ in range(3)]
    for number, queue in enumerate(queues, 1):
        for _ in range(number):
            queue.add(command())
        ready.add(queue)
    assert ready.commands == 6
    assert ready.queues[0] is queues[0]
    assert ready.take() is queues[0]
    ready.add(queues[0])
    assert [ready.take() for _ in range(3)] == [queues[1], queues[2], queues[0]]
    assert ready.commands == 0
    assert not ready.queues
