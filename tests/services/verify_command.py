"""Fieldlog's command line, as tests call it."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.engines import DICE_KEY, DatabaseUrls
from tests.services.forked import ForkedProgram


def cli(database: DatabaseUrls, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    environ = {"database_url": database.service, "dice_key": DICE_KEY, **settings}
    return ended([*arguments], {f"FIELDLOG_{name.upper()}": value for name, value in environ.items()})


def told_by(database: DatabaseUrls, *command: str) -> Any:
    """What a command says to programs."""
    ran = cli(database, *command, "--json")
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def ended(arguments: list[str], environ: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    with TemporaryDirectory() as folder:
        output, errors = Path(folder, "output"), Path(folder, "errors")
        code = ForkedProgram(arguments, environ, output, errors).wait(60)
        return subprocess.CompletedProcess(arguments, code, output.read_text("utf-8"), errors.read_text("utf-8"))
