"""Links to another password, as a host makes them."""

import re
from typing import Any

from tests.services.verify_command import cli


def reset_link(database: Any, name: str, *options: str) -> str:
    """The path of a link by which the account of that name gets another password."""
    printed = cli(database, "account", "reset-password", name, *options)
    assert printed.returncode == 0, printed.stderr
    found = re.search(r"http://127\.0\.0\.1:8420(/reset-password/\S+)", printed.stdout)
    assert found is not None, printed.stdout
    return found[1]
