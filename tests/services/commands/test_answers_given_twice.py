"""An answer that says which choice it means, over HTTP: the second of two screens answers nothing else."""

from typing import Any

import pytest

from tests.services.conftest import Person, Table, table_at

DRAFT = {"name": "Wren", "permanents": {"body": 12, "mind": 8, "ghost": 6}, "class": "Pilot"}


@pytest.fixture
def turn(client: Any) -> Table:
    """FREE/FALL in bullet time, with somebody to have a turn."""
    table = table_at(client, system="freefall")
    table.act(table.player, "freefall.create_character", **DRAFT)
    table.act(table.gm, "freefall.set_time_mode", mode="bullet")
    return table


def sent(table: Table, command: dict[str, Any], choice: str, **more: Any) -> tuple[int, str | None]:
    answer = table.gm.post(
        f"{table.path}/actions{more.pop('query', '')}", {**more, "command": command, "choice": choice}
    )
    return answer.status_code, answer.json().get("code")


def awaited(table: Table, kind: str) -> dict[str, Any]:
    """What a GM reads to be waited for, the same everywhere."""
    [entry] = [each for each in table.gm.get(table.path).json()["pending"] if each["kind"] == kind]
    [listed] = [
        each
        for each in table.gm.get(f"{table.path}/commands").json()["waiting"]
        if each["choice"] == entry["choice"]
    ]
    assert listed["answers"] == [each["command"] for each in entry["answers"]]
    return dict(entry)


def test_the_second_answer_to_one_choice_is_refused_and_the_first_one_repeated_under_its_key(turn):
    turn.act(turn.gm, "freefall.start_turn")
    actions = [{"dice": 1, "kind": "simple"}]
    turn.act(turn.player, "freefall.declare_actions", actions=actions)
    entry = awaited(turn, "order_resolution")
    order = {"type": "freefall.order_resolution"}
    body = {"command": order, "choice": entry["choice"]}
    key = {"Idempotency-Key": "one-press"}
    first, again = (turn.gm.post(f"{turn.path}/actions", body, headers=key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert again.json() == first.json()
    without = turn.gm.post(f"{turn.path}/actions", {"command": order}, headers=key)
    assert without.json() == first.json(), "the choice says when to refuse it, not what is done"
    assert sent(turn, order, entry["choice"]) == (409, "choice_made")


def test_an_end_that_comes_late_does_not_end_the_next_turn(turn):
    turn.act(turn.gm, "freefall.start_turn")
    turn.act(turn.player, "freefall.declare_actions", actions=[{"dice": 1, "kind": "simple"}])
    turn.act(turn.gm, "freefall.order_resolution")
    end, choice = {"type": "freefall.end_turn"}, awaited(turn, "end_turn")["choice"]
    assert sent(turn, end, choice) == (201, None)
    turn.act(turn.gm, "freefall.start_turn")
    assert sent(turn, end, choice) == (409, "choice_made")
    turn.act(turn.gm, "freefall.end_turn")  # one that says nothing ends whatever turn there is


def test_a_choice_is_asked_about_in_a_dry_run_and_of_several_commands_too(turn):
    turn.act(turn.gm, "freefall.start_turn")
    start = {"type": "freefall.start_turn"}
    tried = turn.gm.post(f"{turn.path}/actions?dry_run=true", {"command": start, "choice": "another"}).json()
    assert (tried["possible"], tried["refused"]["code"]) == (False, "choice_made")
    together = {"commands": [start, {"type": "campaign.add_note", "text": "Begun"}], "choice": "another"}
    refused = turn.gm.post(f"{turn.path}/actions", together)
    assert (refused.status_code, refused.json()["code"]) == (409, "choice_made")


def test_the_log_keeps_no_name_of_a_choice(turn):
    turn.act(turn.gm, "freefall.start_turn")
    turn.act(turn.player, "freefall.declare_actions", actions=[{"dice": 1, "kind": "simple"}])
    choice = awaited(turn, "order_resolution")["choice"]
    assert sent(turn, {"type": "freefall.order_resolution"}, choice) == (201, None)
    log = turn.gm.get(f"{turn.path}/export").text
    assert "freefall.order_resolution" in log
    assert choice not in log


def test_an_answer_in_an_archived_campaign_is_refused_because_of_that(turn):
    turn.act(turn.gm, "freefall.start_turn")
    turn.act(turn.player, "freefall.declare_actions", actions=[{"dice": 1, "kind": "simple"}])
    order, choice = {"type": "freefall.order_resolution"}, awaited(turn, "order_resolution")["choice"]
    assert turn.gm.post(f"{turn.path}/archive").status_code == 200
    assert sent(turn, order, choice) == (409, "campaign_archived")
    tried = turn.gm.post(f"{turn.path}/actions?dry_run=true", {"command": order, "choice": choice}).json()
    assert tried["refused"]["code"] == "campaign_archived"


def test_a_reveal_that_says_a_choice_is_asked_about_it_and_the_log_keeps_none(turn):
    hidden = turn.gm.post(
        f"{turn.path}/actions", {"command": {"type": "campaign.add_note", "text": "A trap"}, "visibility": "gm"}
    ).json()
    turn.act(turn.gm, "freefall.start_turn")
    reveal = {"type": "campaign.reveal_action", "action_id": hidden["action_id"]}
    choice = awaited(turn, "declare_actions")["choice"]
    assert sent(turn, reveal, "another") == (409, "choice_made")
    assert sent(turn, reveal, choice) == (201, None)
    assert choice not in turn.gm.get(f"{turn.path}/export").text


def test_a_command_that_may_answer_for_one_of_several_players_names_none_of_their_choices(client):
    table = table_at(client, system="angst")
    cores = dict.fromkeys(("physical", "mental", "social", "resolve"), "d8")
    tests = []
    for who in (table.player, table.gm):
        made = table.act(who, "angst.create_character", name=who.name, cores=cores)
        character = made["events"][0]["character"]
        called = table.act(table.gm, "angst.call_test", character=character, core="physical", dn=10)
        tests.append(called["events"][0]["test_id"])

    def offered() -> Any:
        commands = table.gm.get(f"{table.path}/commands").json()["commands"]
        return next(each for each in commands if each["command"] == "angst.make_test")

    assert offered()["choice"] is None
    table.act(table.gm, "angst.make_test", test_id=tests[1])
    [players] = [
        each["choice"] for each in table.gm.get(f"{table.path}/commands").json()["waiting"] if each["waits_for"]
    ]
    assert (offered()["example"]["test_id"], offered()["choice"]) == (tests[0], players)


def test_a_step_that_nothing_waits_for_has_its_name_for_players_too(client):
    table = table_at(client, system="angst")
    cores = dict.fromkeys(("physical", "mental", "social", "resolve"), "d8")
    sheet = {"name": "Wren", "cores": cores, "story_points": 3}
    character = table.act(table.player, "angst.create_character", **sheet)["events"][0]["character"]
    table.act(table.gm, "angst.call_test", character=character, core="physical", dn=10)
    table.act(table.player, "angst.make_test", finalise=False)
    reroll = {"type": "angst.reroll_dice", "dice": ["base"]}
    commands = table.player.get(f"{table.path}/commands").json()["commands"]
    [choice] = [each["choice"] for each in commands if each["command"] == reroll["type"]]
    pressed = [
        table.player.post(f"{table.path}/actions", {"command": reroll, "choice": choice}).json().get("code")
        for _ in range(2)
    ]
    assert pressed == [None, "choice_made"]


def test_a_deletion_that_is_asked_for_again_is_another_choice(turn):
    second = Person(turn.gm.client, "Sam")
    code = turn.gm.post(f"{turn.path}/invites", {"role": "gm"}).json()["code"]
    assert second.post(f"/invites/{code}/accept").status_code == 201
    decline = {"type": "campaign.decline_deletion"}
    turn.act(second, "campaign.ask_deletion")
    choice = awaited(turn, "decline_deletion")["choice"]
    assert sent(turn, decline, choice) == (201, None)
    turn.act(second, "campaign.ask_deletion")
    assert sent(turn, decline, choice) == (409, "choice_made")


def test_a_comparison_of_two_moments_says_nothing_of_names_of_choices(turn):
    turn.act(turn.gm, "freefall.start_turn")
    turn.act(turn.player, "freefall.declare_actions", actions=[{"dice": 1, "kind": "simple"}])
    choice = awaited(turn, "order_resolution")["choice"]
    before = turn.seq()
    turn.act(turn.gm, "freefall.order_resolution")
    changes = turn.gm.get(f"{turn.path}/diff?from={before}&to={turn.seq()}").json()["changes"]
    assert changes["boards"]
    assert choice not in str(changes)
    assert "'choice'" not in str(changes)
