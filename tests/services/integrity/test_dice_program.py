"""The program in docs/play/dice.md checks the dice of an export without this code, and finds what was forged."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from domain.campaign import commands as c
from services.transfer.export_campaign import exported
from tests.domain.dice.dice_page import BLOCK, PAGE
from tests.sampling import slow_but
from tests.services import play_at_random
from tests.services.rolls_at_random import SEEDS, Rolling

pytestmark = pytest.mark.anyio

Lines = list[dict[str, Any]]

LINES_MAX = 33
"""Nobody reads a long program to trust a short one: what checks all dice is one piece of so many lines."""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """All Python of the page, as it says."""
    blocks = [code for language, code in BLOCK.findall(PAGE.read_text("utf-8")) if language == "python"]
    assert max(len([line for line in block.splitlines() if line]) for block in blocks) <= LINES_MAX
    found = tmp_path / "check.py"
    found.write_text("\n".join(blocks), "utf-8")
    return found


async def evening(system: str, monkeypatch: pytest.MonkeyPatch) -> Rolling:
    """A play of a system whose seeds become public, an epoch of which a hidden roll is proved, and three dice."""
    monkeypatch.setattr(play_at_random, "AT_THE_TABLE", 0.2)
    rolling = Rolling(system, SEEDS[0])
    await rolling.play()
    campaign = rolling.campaign
    for visibility in ("gm", "all", "all"):
        assert await campaign.act(campaign.gm, c.RollDice("3d20"), visibility)
    assert await campaign.act(campaign.gm, c.ProveHiddenRoll(2, 0))
    assert await campaign.act(campaign.gm, c.EndDiceEpoch())
    assert await campaign.act(campaign.gm, c.RollDice("3d20"))
    return rolling


async def export(rolling: Rolling, who: Any) -> Lines:
    content = b"".join(
        [piece async for piece in exported(rolling.application.for_transfer, await rolling.campaign.seen(who))]
    )
    return [json.loads(line) for line in content.splitlines()]


def checked(program: Path, lines: Lines) -> str:
    """The last line that the program prints."""
    file = program.with_name("export.ndjson")
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    command = [sys.executable, "-I", str(program), str(file)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 — the page's own code
    assert ran.returncode == 0, ran.stderr
    told: str = ran.stdout.splitlines()[-1]
    return told


@pytest.mark.parametrize("system", slow_but(["freefall", "mobile_frame", "overdrive"], "freefall"))
async def test_the_program_recomputes_every_die_that_is_not_secret(
    system: str, program: Path, monkeypatch: pytest.MonkeyPatch
):
    rolling = await evening(system, monkeypatch)
    for who in (rolling.campaign.gm, rolling.campaign.players[0]):
        told = checked(program, await export(rolling, who))
        assert told.endswith(" dice recomputed, 3 wait for a seed; not as they should be: none")
        assert int(told.split()[0]) > 15
    await rolling.application.handler.close()


Events = list[dict[str, Any]]


def of(events: Events, kind: str) -> dict[str, Any]:
    return next(each for each in events if each["type"] == f"campaign.{kind}")


def rolled(events: Events, nth: int) -> Any:
    """The dice of an open free roll that was never undone."""
    back = {
        die["proof"] for each in events if each["type"] == "campaign.action_undone" for die in each.get("dice", [])
    }
    free = (each["dice"] for each in events if each["type"] == "campaign.dice_rolled")
    return [dice for dice in free if "open" in dice[0]["proof"] and dice[0]["proof"] not in back][nth]


FORGERIES: dict[str, Callable[[Events], Any]] = {
    "a face": lambda events: rolled(events, 0)[0].update(natural=rolled(events, 0)[0]["natural"] % 6 + 1),
    "a seed": lambda events: of(events, "dice_epoch_ended").update(seed="00" * 32),
    "a hidden seed": lambda events: of(events, "hidden_dice_revealed").update(seed="00" * 32),
    "a key": lambda events: of(events, "hidden_roll_proved").update(key="00" * 32),
    "words": lambda events: of(events, "dice_words_added").update(digest="00" * 32),
    "words that were not said": lambda events: of(events, "dice_words_added").update(type="campaign.note_added"),
    "a roll that was taken out": lambda events: rolled(events, 0).clear(),
    "a die that counts twice": lambda events: rolled(events, 1).append(rolled(events, 0)[0]),
    "an undo that there was not": lambda events: [
        each.update(type="campaign.note_added") for each in events if each["type"] == "campaign.action_undone"
    ],
}


async def test_the_program_finds_what_was_forged(program: Path, monkeypatch: pytest.MonkeyPatch):
    """Negative control."""
    rolling = await evening("mobile_frame", monkeypatch)
    lines = await export(rolling, rolling.campaign.gm)
    await rolling.application.handler.close()
    found = {}
    for name, forge in FORGERIES.items():
        events = [json.loads(line["body"]) for line in lines if line["line"] == "event"]
        forge(events)
        bodies = iter(events)
        forged = [line | {"body": json.dumps(next(bodies))} if line["line"] == "event" else line for line in lines]
        try:
            found[name] = checked(program, forged)
        except AssertionError as failure:
            found[name] = f"it stops: {str(failure)[-200:]}"
    assert [name for name, told in found.items() if told.endswith(": none")] == [], found
