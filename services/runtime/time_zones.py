"""Time zones by their names in the IANA database, as far as the machine knows them."""

from functools import cache
from zoneinfo import ZoneInfo, available_timezones

NO_PLACES = ("Etc/", "SystemV/")


@cache
def time_zones() -> tuple[str, ...]:
    """The names of all places, and UTC; none where the machine has no database of them."""
    names = available_timezones()
    places = sorted(name for name in names if "/" in name and not name.startswith(NO_PLACES))
    return (*places, "UTC") if "UTC" in names else tuple(places)


def zone_called(name: str | None) -> ZoneInfo | None:
    """The time zone of that name; None: there is none here, or no name."""
    return ZoneInfo(name) if name is not None and name in time_zones() else None
