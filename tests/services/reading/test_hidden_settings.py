"""Settings were hidden once: what is told to others goes by the settings that they know of."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, RollDice, SetSetting
from domain.campaign.events import SettingChanged
from domain.campaign.storage import event_codec
from domain.ids import AccountId, ActionId
from domain.rejection import Rejection
from infra.machine.entropy import EntropyDice, MachineEntropy, machine_clock
from services.campaign.name_resolver import NameResolver
from services.campaign.unsealed_action import UnsealedAction
from services.commands.decide_command import decide_command
from services.commands.pending_command import PendingCommand
from services.commands.response import draft_response
from tests.doubles.account_stores import MemoryAccountStore
from tests.services.deciding import Deciding, committed

pytestmark = pytest.mark.anyio


def set_hidden(campaign: Deciding, key: str, value: Any) -> None:
    """As an earlier version let a GM do it."""
    draft = event_codec.Draft(
        campaign.campaign_id, ActionId(uuid4()), machine_clock(), 0, campaign.gm, "request", "gm"
    )
    request = ActRequest(command=SetSetting(key=key, value=value), visibility="gm")
    action = UnsealedAction(draft, request, [SettingChanged(key=key, value=value)], ["gm"])
    committed(campaign.hot, action, MachineEntropy())


def asked(campaign: Deciding, who: AccountId, command: Any, **request: Any) -> PendingCommand:
    return PendingCommand(
        campaign_id=campaign.campaign_id,
        account=who,
        action_id=ActionId(uuid4()),
        answered=asyncio.get_running_loop().create_future(),
        request=ActRequest(command=command, **request),
    )


async def refusal(campaign: Deciding, who: AccountId, command: Any, **request: Any) -> str:
    """What whoever asks hears, in their language."""
    ask = asked(campaign, who, command, **request)
    with pytest.raises(Rejection) as refused:
        decide_command(ask, campaign.hot, machine_clock(), EntropyDice, MachineEntropy())
    ask.tell(refused.value)
    with pytest.raises(Rejection) as told:
        await ask.answered
    return str(told.value.message)


def answer(campaign: Deciding, who: AccountId, command: Any) -> list[str]:
    ask = asked(campaign, who, command)
    [action] = decide_command(ask, campaign.hot, machine_clock(), EntropyDice, MachineEntropy())
    names = NameResolver(MemoryAccountStore(machine_clock))
    drafted = draft_response(
        campaign.hot,
        who,
        ask.action_id,
        action.events,
        action.visibilities,
        names,
        about=(),
        places=range(len(action.events)),
        more_due=False,
    )
    return drafted.summary


async def test_refusals_and_answers_are_in_the_language_that_whoever_asks_knows_of():
    campaign = Deciding()
    set_hidden(campaign, "campaign.language", "fr")
    wrong = SetSetting(key="campaign.nope", value=1)
    assert "n\u2019a pas" in await refusal(campaign, campaign.gm, wrong), "negative control"
    assert await refusal(campaign, campaign.player, wrong) == "Only a GM may change settings."
    note = AddNote(text="mine")
    assert answer(campaign, campaign.player, note) == ["Note: mine"]
    assert answer(campaign, campaign.gm, note) == ["Note\u00a0: mine"], "negative control"


async def test_whose_dice_count_goes_by_what_whoever_asks_knows_of():
    campaign = Deciding()
    set_hidden(campaign, "campaign.dice_origins", "server")
    roll, typed = RollDice(notation="d6"), [(6, 4)]
    assert "lets the service roll" in await refusal(campaign, campaign.gm, roll, dice=typed), "negative control"
    assert campaign.do(roll, campaign.player, dice=typed)[0].dice[0].natural == 4
