"""Opens the owner's connection for a purge."""

from collections.abc import Callable

from infra.postgres.purge import purging
from services.lifecycle.purge import purge_campaigns
from services.runtime.machine_user import machine_user
from services.settings import Settings
from services.wiring.keys import kept_heads


def purge_database(
    owner_url: str, settings: Settings, say: Callable[[str], None], *, dry_run: bool = False
) -> int:
    """Purge as `purge_campaigns` does. Raises MigrationFailed."""
    heads = kept_heads(settings)
    with purging(owner_url) as store:
        return purge_campaigns(
            store, heads, settings.campaign_grace_days, say, done_by=machine_user(), dry_run=dry_run
        )
