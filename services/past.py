"""The past of a campaign as one reader may see it, for what is folded on demand."""

from collections.abc import AsyncIterator, Collection

from domain.recorded import Recorded
from services.ports import EventLog
from services.reading import Seen

FOLDED_MAX = 50_000
"""Events that one answer folds at most, the newest: a hundred long sessions, in a second or two."""


def folded_from(seen: Seen, after: int = 0) -> int:
    """The seq after which an answer's fold begins."""
    return max(after, seen.seq - FOLDED_MAX)


async def past(
    log: EventLog,
    seen: Seen,
    after: int = 0,
    kinds: Collection[str] | None = None,
    *,
    undone: bool = False,
) -> AsyncIterator[Recorded]:
    """Events after a seq up to what was seen, oldest first; of these kinds (wire names), or of all.

    Those that were undone since are left out unless asked for.
    """
    struck = frozenset() if undone else frozenset(seen.state.undone)
    async for rows in log.stream(seen.campaign_id, folded_from(seen, after)):
        for row in rows:
            if row.seq > seen.seq:
                return
            if row.action_id not in struck and (kinds is None or row.kind in kinds):
                yield seen.read(row)
