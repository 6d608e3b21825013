"""The user at the machine."""

import getpass
import os
import socket


def machine_user() -> str:
    """The user under whom this process runs, and the machine: `ana@table`."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a user without an entry among the machine's
        name = f"user {os.getuid()}"
    return f"{name}@{socket.gethostname()}"
