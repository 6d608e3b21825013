"""Purges deleted campaigns from the database and from the folder of heads."""

from collections.abc import Callable
from datetime import UTC, datetime

from infra.postgres.purge import purging
from services.settings import Settings
from services.wiring.keys import kept_heads


def purge_database(
    owner_url: str, settings: Settings, say: Callable[[str], None], *, dry_run: bool = False
) -> int:
    """Purge campaigns whose grace is over, telling `say` of each; returns how many. Raises MigrationFailed.

    If it is killed, some campaigns are purged completely and none in part.
    """
    heads = kept_heads(settings)
    with purging(owner_url) as purge:
        if not dry_run:
            purge.collect_aborted_imports()
            purge.note_deletions(settings.campaign_grace_days)
        deletions = purge.deletions(settings.campaign_grace_days)
        due = [each for each in deletions if each[3]]
        for nth, (campaign_id, name, may_go_at, _) in enumerate(due, 1):
            called = f"“{name}”" if name is not None else "an import that died"
            if dry_run:
                say(f"[{nth}/{len(due)}] {campaign_id}, {called}, may go since {_day(may_go_at)}")
                continue
            rows = purge.purge(campaign_id)
            if rows is None:
                say(f"[{nth}/{len(due)}] {campaign_id}, {called}, was restored just now and stays")
                continue
            heads.forget(campaign_id)
            say(f"[{nth}/{len(due)}] {campaign_id}, {called}, is gone: {rows} rows")
        for campaign_id, name, may_go_at, is_due in deletions:
            if dry_run and not is_due:
                called = f"“{name}”" if name is not None else "which no GM deleted"
                say(f"{campaign_id}, {called}, can be restored until {_day(may_go_at)}")
        return len(due)


def _day(microseconds: int) -> str:
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).isoformat(timespec="minutes")
