"""The queues that a worker process can serve."""

QUEUES = ("catch_up", "timers", "accounting", "erasing")
"""The last two have no wake-up messages: neither a ledger audit nor an erasure is urgent."""

SHARED = QUEUES[:3]
"""Those whose campaigns are shared out among the workers."""
