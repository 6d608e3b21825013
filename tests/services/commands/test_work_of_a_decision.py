"""How much is done to decide the commonest commands: calls are counted, for time says little beside other work."""

import asyncio
import sys
from typing import Any

import pytest

from domain.systems.frame_state import commands as c
from tests.bench.campaigns import CALL, NOTE, ROLL
from tests.services.deciding import Deciding

CALLS_MAX = {"call": 142, "note": 94}
"""With sealing, a little more than there are, so that a walk over a command's annotations does not fit in."""


@pytest.mark.parametrize("name", CALLS_MAX)
def test_a_common_command_is_decided_with_few_calls_of_functions(name: str) -> None:
    calls = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    async def decide() -> None:
        campaign = Deciding()
        commands = {"call": CALL, "note": NOTE}
        campaign.do(c.DefineCatalogue(preset="playtest1.2"))
        campaign.do(c.CreatePilot(name="Mara Voss"), campaign.player)
        for command in commands.values():  # whatever is worked out once for each kind is there from here on
            campaign.do(command)
        campaign.do(ROLL, campaign.player)
        sys.setprofile(count)
        try:
            campaign.do(commands[name])
        finally:
            sys.setprofile(None)

    asyncio.run(decide())
    assert calls <= CALLS_MAX[name]
