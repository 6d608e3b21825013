"""The jobs that a worker process may be given."""

QUEUES = ("catch_up", "timers", "accounting", "erasing")
"""The last two have no wake-up messages: neither a check of a ledger nor an erasure is urgent."""
