import asyncio

from infra.in_process.worker_notifier import InProcessWorkerNotifier


def test_notifications_that_come_together_wake_the_worker_at_once_and_once_more():
    async def woken() -> tuple[int, int, list[str]]:
        looked: list[str] = []
        elsewhere: list[str] = []
        notifier = InProcessWorkerNotifier(lambda: elsewhere.append("told"))
        notifier.notify()
        again = asyncio.Event()

        def look() -> None:
            looked.append("looked")
            if len(looked) > 1:
                again.set()

        notifier.looks.append(look)
        for _ in range(100):
            notifier.notify()
        at_once = len(looked)
        async with asyncio.timeout(5):
            await again.wait()
        return at_once, len(looked), elsewhere

    assert asyncio.run(woken()) == (1, 2, ["told"])
