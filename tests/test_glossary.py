"""docs/GLOSSARY.md names things as the code does."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]

PAGE = ROOT / "docs" / "GLOSSARY.md"
ROW = re.compile(r"^\| [^|]+ \| .+ \| ([^|]+) \|$", re.MULTILINE)


def unknown(page: str) -> list[str]:
    """Names of the last column of three that no product file has, and paths that are not there."""
    names = {name for cell in ROW.findall(page) for name in re.findall(r"`([^`]+)`", cell)}
    files = [
        path
        for room in ("domain", "projections", "infra", "services", "fieldlog")
        for path in (ROOT / room).rglob("*.py")
    ]
    words = {word for path in files for word in re.findall(r"\w+", f"{path.stem} {path.read_text('utf-8')}")}
    return sorted(name for name in names if name not in words and not ("/" in name and (ROOT / name).is_dir()))


def test_every_name_in_the_glossary_is_a_name_in_the_code():
    assert unknown(PAGE.read_text("utf-8")) == []


def test_a_name_that_was_renamed_is_noticed():
    """Negative control."""
    assert unknown("| queue | who waits | `TurnsOfThoseWhoWait`, `CampaignQueue` |") == ["TurnsOfThoseWhoWait"]
