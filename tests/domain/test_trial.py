"""What is only tried: the rules are asked once about each command of each asker."""

from typing import Any

from domain.command_context import CommandContext
from domain.mechanics.acceptable_commands import Trial
from domain.rejection import Rejection
from domain.systems.frame_state import commands as c
from tests.domain.system_table import person


def test_the_same_command_of_the_same_asker_is_tried_once():
    """Negative control: another command, and another asker, are tried by themselves."""
    asked_for: list[Any] = []

    def decide(_: Any, context: CommandContext, __: Any) -> list[Any]:
        asked_for.append((context.command, context.role))
        if context.role == "player":
            raise Rejection("gm_only", "Only a GM may do that.")
        return []

    trial = Trial(decide, None, None)
    for _ in range(2):
        assert trial.accepts(c.ReplaceFrame(pilot="Mara"), None)
        assert not trial.accepts(c.ReplaceFrame(pilot="Mara"), person("mara"))
        assert trial.accepts(c.ReplaceFrame(pilot="Jun"), None)
    assert len(asked_for) == 3
