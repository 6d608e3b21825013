"""What README.md and docs/play/quick-start.md say to type works, the second time too."""

import re
import shutil
import subprocess

import pytest

from tests.root import ROOT
from tests.services.live_api import api

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SHELL = shutil.which("sh") or "sh"

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="the examples need curl")


def typed(page: str) -> str:
    """All that a page says to type into a shell."""
    return "".join(code for language, code in BLOCK.findall(page) if language == "sh")


def promised(page: str) -> list[str]:
    """What it says is answered; of dice that the service rolls only up to the die."""
    shown = "".join(text for language, text in BLOCK.findall(page) if not language)
    lines = [line for line in shown.splitlines() if line.startswith(("[", "{"))]
    return [re.sub(r"rolled d4: .*", "rolled d4: ", line) for line in lines]


@pytest.mark.parametrize("name", ["README.md", "docs/play/quick-start.md"])
def test_what_the_page_says_to_type_is_answered_as_it_says_twice(database, name):
    page = (ROOT / name).read_text("utf-8")
    with api(database.service) as running:
        commands = typed(page).replace("http://127.0.0.1:8420", running.base)
        for _ in range(2):
            done = subprocess.run(  # noqa: S603 — the page is ours, and that it runs is what is tested
                [SHELL, "-eu"], input=f"token=\n{commands}", capture_output=True, text=True, timeout=60, check=True
            )
            lines = [re.sub(r"rolled d4: .*", "rolled d4: ", line) for line in done.stdout.splitlines()]
            assert lines == promised(page)
