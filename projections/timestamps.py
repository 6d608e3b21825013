"""Times as people and programs read them."""

from datetime import UTC, datetime


def moment(micros: int) -> str:
    """Microseconds UTC as RFC 3339, e.g. `2026-11-21T18:30:00.123456Z`."""
    seconds, rest = divmod(micros, 1_000_000)
    whole = datetime.fromtimestamp(seconds, UTC).replace(microsecond=rest)
    return whole.isoformat(timespec="microseconds").replace("+00:00", "Z")
