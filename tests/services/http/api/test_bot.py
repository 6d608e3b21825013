"""The bot of `docs/play/bots.md` plays a battle to its end, and knows no rules."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from domain.systems.mobile_frame import commands as mobile_frame
from fieldlog.client import Service, Table
from tests.engines import DatabaseUrls
from tests.root import ROOT
from tests.services.conftest import PASSWORD
from tests.services.live_api import Api

LINES_MAX = 34


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


def field_two_sides(api: Api) -> Table:
    table = Service.at(api.base).sign_up("Ana", PASSWORD).found("The last bridge", ["mobile_frame"])
    for owner in ("Reds", "Blues"):
        for name in ("Rook", "Crow"):
            table.act(mobile_frame.RegisterLoadout(notation="WWRdG", owner=owner, name=f"{owner} {name}"))
    table.act(mobile_frame.PlaceStation(controller="Reds"))
    table.act(mobile_frame.SetPointsPerAsset())
    table.act(mobile_frame.StartBattle(doomsday=2))
    return table


def test_the_bot_has_about_thirty_lines():
    assert len([line for line in bot().splitlines() if line.strip()]) <= LINES_MAX


@pytest.mark.anyio
async def test_the_bot_plays_a_battle_to_its_end(api, capsys):
    table = field_two_sides(api)
    program: dict[str, Any] = {}
    exec(bot(), program)  # noqa: S102 — our own page
    await program["play"](api.base, "Ana", PASSWORD, table.campaign_id)
    [result] = table.get()["results"]
    table.account.service.close()
    assert result["kind"] == "battle"
    assert "doomsday" in capsys.readouterr().out
