"""The page that explains dice to players: its example runs, prints what it says, and is what the service does."""

import contextlib
import io
import re
from hashlib import sha256
from uuid import UUID

from domain.dice.seeded_dice import EpochSeeds, with_words
from tests.domain.dice.dice_page import BLOCK, PAGE


def printed(page: str) -> list[str]:
    """What the page's Python prints, block after block, as a reader would run it; but for what reads an export."""
    told, names = [], {"__name__": "page"}
    for language, code in BLOCK.findall(page):
        if language == "python" and "sys.argv" not in code:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(code, names)  # noqa: S102 — the page is ours, and that it runs is what is tested
            told.append(out.getvalue())
    return [each for each in told if each]


def promised(page: str) -> list[str]:
    """What the page says that it prints."""
    return [text for language, text in BLOCK.findall(page) if not language]


def test_the_example_prints_what_the_page_says():
    page = PAGE.read_text("utf-8")
    assert printed(page) == promised(page)
    assert len(promised(page)) == 4


def test_the_example_is_what_the_service_rolls():
    page = PAGE.read_text("utf-8")
    campaign = UUID(re.findall(r'uuid\.UUID\("(.*)"\)', page)[0])
    open_seed = bytes.fromhex(re.findall(r'seed = bytes\.fromhex\("(.*)"\)', page)[0])
    hidden_seed = bytes.fromhex(re.findall(r'hidden_seed = bytes\.fromhex\("(.*)"\)', page)[0])
    seeds = EpochSeeds(campaign, 1, open_seed, hidden_seed)
    assert seeds.commitment.hex() in page
    assert seeds.hidden_commitment.hex() in page
    dice = seeds.open_dice(0)
    fallen = [dice.roll(20) for _ in range(3)]
    assert f"[{', '.join(str(die.natural) for die in fallen)}]" in promised(page)[0]
    words = with_words(b"", sha256(re.findall(r'sha256\(b"(.*)"\)', page)[0].encode()).digest())
    dice = seeds.open_dice(3, words, 1)
    fallen += [dice.roll(20) for _ in range(2)]
    assert str([die.natural for die in fallen[3:]]) in promised(page)[1]
    assert all(f"`{die.proof}`" in page for die in fallen)
    dice = seeds.hidden_dice(0)
    assert str([dice.roll(20).natural for _ in range(2)]) in promised(page)[2]


def test_another_seed_prints_something_else():
    """Negative control."""
    page = PAGE.read_text("utf-8")
    seed = re.findall(r'seed = bytes\.fromhex\("(.*)"\)', page)[0]
    other = ("0" if seed[0] != "0" else "1") + seed[1:]
    assert printed(page.replace(seed, other))[0] != promised(page)[0]
