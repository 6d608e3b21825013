"""The servers that a database's URL names, as in `postgresql://name@a:5432,b:5432/x`."""

from psycopg.conninfo import conninfo_to_dict, make_conninfo

WHICH = "target_session_attrs"


def names_several_hosts(url: str) -> bool:
    """Whether a URL names more than one host."""
    parameters = conninfo_to_dict(url)
    return any("," in str(parameters.get(name) or "") for name in ("host", "hostaddr"))


def url_for_writing(url: str) -> str:
    """The URL, saying that of several hosts the one is meant that takes writes.

    One that says which it means is left as it is. So is one with one host: where that takes no writes, there is no
    other, and what was recorded can still be read.
    """
    if WHICH in conninfo_to_dict(url) or not names_several_hosts(url):
        return url
    return make_conninfo(url, **{WHICH: "read-write"})
