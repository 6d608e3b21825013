"""The queues that a worker process can serve."""

QUEUES = ("catch_up", "timers", "accounting", "webhooks", "erasing")
"""The last three have no wake-up messages: a ledger audit, news for elsewhere and an erasure can wait a second."""

SHARED = QUEUES[:3]
"""Those whose campaigns are shared out among the workers."""
