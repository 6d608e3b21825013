"""The documents hold together: links lead somewhere, and what is to stay short is short."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")), ROOT / "domain" / "README.md"]
BYTES_MAX = {"README.md": 6 * 1024, "CONTRIBUTING.md": 5 * 1024, "docs/ARCHITECTURE.md": 10 * 1024}


def dead_links(page: Path, text: str) -> list[str]:
    """Links to files that are not there, and headings that the linked page does not have."""
    dead = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, anchor = link.partition("#")
        if ":" in path:
            continue
        linked = (page.parent / path).resolve() if path else page
        if not linked.exists() or (anchor and anchor not in anchors(linked.read_text("utf-8"))):
            dead.append(link)
    return dead


def anchors(text: str) -> set[str]:
    """The names under which headings can be linked to."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path):
    assert dead_links(page, page.read_text("utf-8")) == []


def missing_files(text: str) -> list[str]:
    """Files of the tree that are named, and are not there."""
    named = re.findall(r"`((?:domain|projections|infra|services|fieldlog|tests|docs)/[\w./]+)`", text)
    return [path for path in named if not (ROOT / path).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_file_that_is_named_is_there(page: Path):
    """But in the changelog, which tells of the past."""
    assert page.name == "CHANGELOG.md" or missing_files(page.read_text("utf-8")) == []


def test_what_is_not_there_is_noticed():
    """Negative control."""
    text = "[a](README.md) [b](docs/nothing.md) [c](docs/play/dice.md#no-such-heading) [d](https://example.org)"
    assert dead_links(ROOT / "README.md", text) == ["docs/nothing.md", "docs/play/dice.md#no-such-heading"]
    assert missing_files("`services/settings.py` and `services/handle.py`") == ["services/handle.py"]


@pytest.mark.parametrize("name", BYTES_MAX)
def test_pages_for_newcomers_stay_short(name: str):
    assert len((ROOT / name).read_bytes()) <= BYTES_MAX[name]
