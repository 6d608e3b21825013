"""The bot of `docs/play/bots.md` plays an evening in every game, and knows no rules."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.systems.frame_state import commands as frame_state
from domain.systems.mobile_frame import commands as mobile_frame
from fieldlog.client import Service, Table
from tests.engines import DatabaseUrls
from tests.root import ROOT
from tests.sampling import only_in_release
from tests.services.conftest import PASSWORD
from tests.services.live_api import Api

LINES_MAX = 40
DONE_MIN = 2 / 3
"""A bot that draws lots calls off and repeats; most of its steps are actions all the same."""


@pytest.fixture
def api(database: DatabaseUrls) -> Iterator[Api]:
    running = Api(database.service)
    running.start()
    yield running
    running.stop()


def bot() -> str:
    """The program of the page, without its last line: that reads the command line."""
    [source] = re.findall(
        r"```python\n(.*?)```", (ROOT / "docs" / "play" / "bots.md").read_text("utf-8"), re.DOTALL
    )
    return str(source).rpartition("\nasyncio.run(")[0]


def field_two_sides(table: Table) -> None:
    for owner in ("Reds", "Blues"):
        for name in ("Rook", "Crow"):
            table.act(mobile_frame.RegisterLoadout(notation="WWRdG", owner=owner, name=f"{owner} {name}"))
    table.act(mobile_frame.PlaceStation(controller="Reds"))
    table.act(mobile_frame.SetPointsPerAsset())
    table.act(mobile_frame.StartBattle(doomsday=2))


def prepare(table: Table, system: str) -> None:
    """What a group has before its evening: characters of the game, with what they need; or a battle."""
    if system == "mobile_frame":
        field_two_sides(table)
        return
    if system == "frame_state":
        table.act(frame_state.DefineCatalogue(preset="playtest1.2"))
    for preset in table.get("/commands/presets")["presets"][:2]:
        table.act_together(preset["commands"])


def test_the_bot_has_at_most_forty_lines():
    assert len(bot().splitlines()) <= LINES_MAX


@pytest.mark.slow
@pytest.mark.anyio
@pytest.mark.parametrize("steps", [30, only_in_release(60)])
@pytest.mark.parametrize("system", ["angst", "frame_state", "freefall", "mobile_frame", "overdrive"])
async def test_the_bot_plays_an_evening_in_every_game(api, capsys, system, steps):
    table = Service.at(api.base).sign_up("Ana", PASSWORD).found("The last bridge", [system])
    prepare(table, system)
    before = table.get()["as_of"]
    program: dict[str, Any] = {}
    exec(bot(), program)  # noqa: S102 — our own page
    await program["evening"](api.base, "Ana", PASSWORD, table.campaign_id, steps)
    done = list(table.pages("/actions", "actions", after=before))
    kinds = {each["type"].partition(".")[0] for each in done}
    assert len(done) >= DONE_MIN * steps
    assert system in kinds
    assert table.get("/recap")["session"]["ended_at"] is not None
    table.account.service.close()
    assert "Traceback" not in capsys.readouterr().out
