"""Workers in a plain dict."""


class MemoryWorkerDirectory:
    """Tells the workers that are in `connected`, each with the queues that it serves."""

    def __init__(self) -> None:
        self.connected: dict[str, frozenset[str]] = {}

    async def queues(self) -> dict[str, frozenset[str]]:
        """The queues that each worker serves."""
        return dict(self.connected)
