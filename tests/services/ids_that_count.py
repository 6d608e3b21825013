"""A derivation of ids that tells of hidden undos, to try that tests find it."""

from typing import Any
from uuid import UUID, uuid5

import pytest
from msgspec import structs

from domain.campaign.messages.timers import FireTimer
from domain.ids import ActionId
from services.commands.decide_command import decide_action


def ids_that_count_undos(monkeypatch: pytest.MonkeyPatch) -> None:
    """What happens by itself gets an id of its cause, its subject and how many actions are undone."""

    def decided(campaign_id: Any, loaded: Any, context: Any, *rest: Any) -> Any:
        cause = UUID(rest[-1].removeprefix("action:"))
        command = context.command
        subject = f"{command.timer}:{command.occurrence}" if isinstance(command, FireTimer) else "due"
        counted = ActionId(uuid5(cause, f"{subject}:{len(loaded.state.undone)}"))
        return decide_action(campaign_id, loaded, structs.replace(context, action_id=counted), *rest)

    monkeypatch.setattr("services.commands.run_due.decide_action", decided)
