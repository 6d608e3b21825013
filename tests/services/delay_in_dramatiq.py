"""The worker that Fieldlog does not have: its timers are delayed messages. For the control of the fire test only.

`python -m tests.services.delay_in_dramatiq REDIS_URL FILE` writes a line for each timer that fires.
"""

import sys
import time
from pathlib import Path

import dramatiq
from dramatiq import Broker
from dramatiq.brokers.redis import RedisBroker

QUEUE = "delayed"
NAMESPACE = "control"


def declare(broker: Broker, file: Path) -> "dramatiq.Actor[[str], None]":
    """The actor that fires a timer."""

    @dramatiq.actor(broker=broker, actor_name="fire", queue_name=QUEUE, max_retries=0)
    def fire(timer: str) -> None:
        with file.open("a", encoding="utf-8") as out:
            out.write(f"{timer} {time.time_ns() // 1000}\n")

    return fire


def main() -> None:
    """Work until killed."""
    broker = RedisBroker(url=sys.argv[1], namespace=NAMESPACE)
    declare(broker, Path(sys.argv[2]))
    worker = dramatiq.Worker(broker, worker_threads=2, worker_timeout=50)
    worker.start()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        time.sleep(1)


if __name__ == "__main__":
    main()
