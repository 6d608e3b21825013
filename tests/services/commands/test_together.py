"""Several commands in one action: what comes of them, all or none, and one undo for all of them."""

import asyncio
import io
import re
from random import Random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from domain.campaign.command_request import ActRequest, Together
from domain.campaign.commands import AdvanceCalendar
from domain.campaign.messages.base_types import Span
from domain.campaign.messages.undo import RedoAction, UndoAction
from domain.campaign.storage.event_codec import COMMAND_TYPES
from domain.ids import ActionId, derive_id, group_id, part_id, whole_action
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from projections.campaign.full_view import Everything, everything
from services.commands.pending_command import PendingCommand
from services.history.undo import undo_or_redo
from services.transfer.uploaded_export import Limits, verified
from tests.services.conftest import Table
from tests.services.play_at_random import Campaign, Played

SPLIT = {"due_before_the_rest", "not_together", "dice_mismatch"}
"""Refusals of commands that are possible, but not together."""
GROUPS_MAX = 6
_NAME = re.compile(rb'"([a-z_-]+)-[0-9a-f]{12}"')


class Wish(msgspec.Struct):
    """A move by the rules, with the action id that it has in both campaigns, and whether it is possible."""

    move: Played
    command: Any
    action_id: ActionId
    accepted: bool = False


def wishes(campaign: Campaign, chance: Random) -> list[list[Wish]]:
    """The moves of a random play in groups of up to five by the same member, about things of their new ids."""
    groups: list[list[Wish]] = []
    for move in campaign.moves:
        if move.context.command is None or move.context.account is None:
            continue
        last = groups[-1] if groups else []
        before = last[-1].move.context if last else None
        is_same = before is not None and before.account == move.context.account
        passed = before is None or before.game_time != move.context.game_time
        if not is_same or passed or len(last) >= chance.randint(2, 5):
            groups.append([])
        drawn = group_id(ActionId(campaign.application.entropy.new_id()))
        first_id = groups[-1][0].action_id if groups[-1] else drawn
        groups[-1].append(Wish(move, move.context.command, part_id(first_id, len(groups[-1]))))
    plain = msgspec.json.encode([wish.command for group in groups for wish in group])
    kinds = {kind.decode() for kind in _NAME.findall(plain)}
    renamed = {
        derive_id(kind, wish.move.context.action_id, nth): derive_id(kind, wish.action_id, nth)
        for group in groups
        for wish in group
        for kind in kinds
        for nth in range(20)
    }
    for group in groups:
        for wish in group:
            text = msgspec.json.encode(wish.command).decode()
            text = re.sub("[a-z_-]+-[0-9a-f]{12}", lambda match: renamed.get(match[0], match[0]), text)
            plain = msgspec.json.decode(text)
            wish.command = msgspec.convert(plain, COMMAND_TYPES[plain["type"]])
    return groups


async def ask(
    campaign: Campaign, wish: Wish, command: Any, action_id: ActionId, dice: list[tuple[int, int]]
) -> str | None:
    """Ask for something at once; returns the code of a refusal."""
    try:
        await campaign.application.handler.act(
            PendingCommand(
                campaign_id=campaign.id,
                account=wish.move.context.account,
                request=ActRequest(command=command, dice=dice or None),
                action_id=action_id,
                answered=asyncio.get_running_loop().create_future(),
            )
        )
    except Rejection as refusal:
        return refusal.code
    return None


async def let_time_pass(campaign: Campaign, wish: Wish) -> None:
    campaign.clock.now += 1_000_000
    passed = wish.move.context.game_time - (await campaign.seen(campaign.gm)).state.game_time
    if passed > 0:
        await campaign.act(campaign.gm, AdvanceCalendar(Span(seconds=passed)))
    await campaign.work()


async def views(campaign: Campaign) -> Everything:
    seen = await campaign.seen(campaign.gm)
    return everything(seen.state, seen.name, "en")


async def play_singly(campaign: Campaign, groups: list[list[Wish]]) -> list[Everything]:
    """The views after each group; notes which commands were possible."""
    after = []
    for group in groups:
        await let_time_pass(campaign, group[0])
        for wish in group:
            wish.accepted = await ask(campaign, wish, wish.command, wish.action_id, wish.move.dice) is None
        after.append(await views(campaign))
    return after


class Grouped(msgspec.Struct):
    """The views after each group, how many were given together, and those before an undo and after a redo."""

    after: list[Everything] = []
    together: int = 0
    undone: list[tuple[Everything, Everything, Everything, Everything]] = []


async def play_together(campaign: Campaign, groups: list[list[Wish]], *, leave_out: bool) -> Grouped:
    """The same in groups; with `leave_out`, each group lacks its last command."""
    grouped = Grouped()
    for group in groups:
        await let_time_pass(campaign, group[0])
        possible = [wish for wish in group if wish.accepted]
        before = await views(campaign)
        if len(possible) > 1 and len(possible) == len(group):
            given = possible[:-1] if leave_out else possible
            dice = [die for wish in given for die in wish.move.dice]
            command = Together([wish.command for wish in given])
            refused = await ask(campaign, group[0], command, group[0].action_id, dice)
            assert leave_out or refused is None or refused in SPLIT, refused
            if refused is None:
                grouped.together += 1
                if len(grouped.undone) < GROUPS_MAX and not leave_out:
                    grouped.undone.append((before, *await undone_and_redone(campaign, group[0].action_id)))
                possible = []
        for wish in possible:
            await ask(campaign, wish, wish.command, wish.action_id, wish.move.dice)
        grouped.after.append(await views(campaign))
    return grouped


async def undone_and_redone(campaign: Campaign, action_id: ActionId) -> tuple[Everything, Everything, Everything]:
    parts = campaign.application
    now = await views(campaign)
    await undo_or_redo(parts, campaign.id, campaign.gm, UndoAction(action_id, cascade=True), None)
    without = await views(campaign)
    await undo_or_redo(parts, campaign.id, campaign.gm, RedoAction(action_id), None)
    return without, now, await views(campaign)


async def both(system: str, seed: int, *, leave_out: bool = False) -> tuple[list[Everything], Grouped]:
    singly, together = Campaign(system, seed), Campaign(system, seed)
    groups = wishes(singly, Random(seed))  # noqa: S311 — a seed per play
    await singly.gather()
    await together.gather()
    return await play_singly(singly, groups), await play_together(together, groups, leave_out=leave_out)


@pytest.mark.parametrize("system", SYSTEMS)
def test_commands_given_together_come_to_the_same_as_one_after_the_other(system: str):
    singly, grouped = asyncio.run(both(system, 3))
    assert grouped.together > 2
    assert grouped.after == singly
    for before, without, now, again in grouped.undone:
        assert without == before, "one undo takes all of them back"
        assert again == now, "and one redo brings all of them again"


def test_a_group_that_lacks_a_command_does_not_come_to_the_same():
    singly, grouped = asyncio.run(both("frame_state", 3, leave_out=True))
    assert grouped.after != singly


def test_the_ids_of_a_group_s_commands_lead_back_to_it():
    for version in (1, 4, 5, 7):
        drawn = ActionId(UUID(f"5f0c2a91-e3b4-{version}abc-9def-0123456789ab"))
        group = group_id(drawn)
        parts = [part_id(group, nth) for nth in range(200)]
        assert len({*parts}) == 200
        assert parts[0] == group
        assert {whole_action(part) for part in parts} == {group}
        assert whole_action(drawn) == drawn


NOTE = {"type": "campaign.add_note", "text": "The rain."}


def pilot(name: str) -> dict[str, Any]:
    return {"type": "frame_state.create_pilot", "name": name}


def give(table: Table, *commands: Any, key: str | None = None, **more: Any) -> Any:
    headers = {} if key is None else {"Idempotency-Key": key}
    return table.gm.post(f"{table.path}/actions", {"commands": [*commands], **more}, headers=headers)


def test_together_is_one_action_with_one_line_one_key_and_one_undo(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    assign = {"type": "campaign.assign_character", "character": "Ines", "player": table.gm.account_id}
    sent = [pilot("Ines"), assign, {**NOTE, "about": "Ines"}]
    answer = give(table, *sent, note="at once", key="k1")
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert (len(made["summary"]), len(made["events"])) == (3, 4)
    assert give(table, *sent, note="at once", key="k1").json() == made
    assert give(table, pilot("Ada"), key="k1").json()["code"] == "idempotency_key_reused"
    lines = table.gm.get(f"{table.path}/actions").json()["actions"]
    assert (lines[-1]["action_id"], lines[-1]["note"]) == (made["action_id"], "at once")
    assert lines[-1]["summary"] == made["summary"]
    events = table.gm.get(f"{table.path}/events?limit=500").json()["events"][-4:]
    assert {event["recorded"]["action_id"] for event in events} == {made["action_id"]}
    by_kind = table.gm.get(f"{table.path}/actions?type=campaign.add_note").json()["actions"]
    assert [line["action_id"] for line in by_kind] == [made["action_id"]]
    assert table.gm.post(f"{table.path}/actions/{made['action_id']}/undo", {}).status_code == 201
    assert table.gm.get(f"{table.path}/sheets").json()["sheets"] == []
    assert table.gm.post(f"{table.path}/actions/{made['action_id']}/redo", {}).status_code == 201
    assert [sheet["name"] for sheet in table.gm.get(f"{table.path}/sheets").json()["sheets"]] == ["Ines"]


def test_where_one_is_refused_none_is_given_and_its_number_is_said(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    lost = {"type": "campaign.assign_character", "character": "Nobody", "player": None}
    for query in ("", "?dry_run=true"):
        answer = table.gm.post(f"{table.path}/actions{query}", {"commands": [pilot("Ines"), NOTE, lost]})
        problem = answer.json()
        assert (problem if query else problem["details"])["command_number"] == 3, problem
    assert table.gm.get(f"{table.path}/sheets").json()["sheets"] == []
    tried = table.gm.post(f"{table.path}/actions?dry_run=true", {"commands": [pilot("Ines"), NOTE]}).json()
    assert (tried["possible"], len(tried["events"])) == (True, 2)
    assert table.gm.get(f"{table.path}/sheets").json()["sheets"] == []


def test_commands_are_one_or_up_to_two_hundred_and_rolls_come_last(table: Table):
    assert give(table).status_code == give(table, *[NOTE] * 201).status_code == 400
    assert give(table, NOTE, command=NOTE).status_code == 400
    assert len(give(table, *[NOTE] * 200).json()["events"]) == 200
    roll = {"type": "campaign.roll", "notation": "2d6"}
    assert give(table, roll, NOTE).json()["code"] == "rolls_come_last"
    rolled = give(table, NOTE, roll, roll)
    assert rolled.status_code == 201, rolled.text
    reveal = {"type": "campaign.end_dice_epoch"}
    assert give(table, NOTE, reveal).json()["code"] == "not_together"
    typed = give(table, roll, roll, dice=[[6, 1], [6, 2], [6, 3], [6, 4]])
    assert [roll["total"] for roll in typed.json()["events"]] == [3, 7], typed.text
    assert give(table, roll, roll, dice=[[6, 1]] * 5).json()["code"] == "dice_mismatch"


def test_hidden_ones_stay_hidden_together_and_are_revealed_together(table: Table):
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = give(table, NOTE, pilot("Ines"), visibility="gm").json()
    assert "Ines" not in table.player.get(f"{table.path}/actions").text
    assert table.player.get(f"{table.path}/sheets").json()["sheets"] == []
    table.act(table.gm, "campaign.reveal_action", action_id=made["action_id"])
    assert [sheet["name"] for sheet in table.player.get(f"{table.path}/sheets").json()["sheets"]] == ["Ines"]
    assert "The rain." in table.player.get(f"{table.path}/actions").text


def test_an_exported_group_verifies_and_is_one_action_where_it_is_imported(table: Table):
    made = give(table, {**NOTE, "text": "One."}, {**NOTE, "text": "Two."}).json()
    sent = table.gm.get(f"{table.path}/export").content
    assert verified(io.BytesIO(sent), Limits()).fault is None
    fork = table.gm.post(f"{table.path}/fork", {"name": "Iron Hail"}).json()["campaign_id"]
    lines = table.gm.get(f"/campaigns/{fork}/actions").json()["actions"]
    assert made["summary"] in [line["summary"] for line in lines]
    erased = table.gm.send("DELETE", f"{table.path}/actions/{made['action_id']}/texts")
    assert erased.status_code == 200, erased.text
    assert "Two." not in table.gm.get(f"{table.path}/export").text
