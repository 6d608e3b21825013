"""Purges deleted campaigns whose grace is over, from the database and from what is kept outside it."""

from collections.abc import Callable
from datetime import UTC, datetime

from services.ports.head_store import HeadStore
from services.ports.purge_store import PurgeStore


def purge_campaigns(
    store: PurgeStore,
    heads: HeadStore,
    grace_days: int,
    say: Callable[[str], None],
    *,
    done_by: str,
    dry_run: bool = False,
) -> int:
    """Purge what may go, telling `say` of each campaign; returns how many. `dry_run` only tells.

    `done_by` is noted beside each: the user of the machine. If it is killed, some campaigns are purged completely
    and none in part.
    """
    if not dry_run:
        store.collect_aborted_imports()
        store.note_deletions(grace_days)
    deletions = store.deletions(grace_days)
    due = [deletion for deletion in deletions if deletion[3]]
    for nth, (campaign_id, name, may_go_at, _) in enumerate(due, 1):
        title = f"“{name}”" if name is not None else "an import that died"
        if dry_run:
            say(f"[{nth}/{len(due)}] {campaign_id}, {title}, may go since {_day(may_go_at)}")
            continue
        rows = store.purge(campaign_id, done_by)
        if rows is None:
            say(f"[{nth}/{len(due)}] {campaign_id}, {title}, was restored just now and stays")
            continue
        heads.forget(campaign_id)
        say(f"[{nth}/{len(due)}] {campaign_id}, {title}, is gone: {rows} rows")
    for campaign_id, name, may_go_at, is_due in deletions:
        if dry_run and not is_due:
            title = f"“{name}”" if name is not None else "which no GM deleted"
            say(f"{campaign_id}, {title}, can be restored until {_day(may_go_at)}")
    return len(due)


def _day(microseconds: int) -> str:
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).isoformat(timespec="minutes")
