"""The live feed in words: every action behind its events, as its reader may see it, with what it touched."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.services.conftest import Table, table_at
from tests.services.live_api import Api, Follower, api, eventually


@pytest.fixture
def running(database) -> Iterator[Api]:
    with api(database.service) as one:
        yield one


@pytest.fixture
def follow(running) -> Iterator[Any]:
    """A function that follows a table in words."""
    made: list[Follower] = []

    def following(table: Table, who: Any, query: str = "", **more: Any) -> Follower:
        made.append(Follower(running, who, table.path, query=f"?words=true{query}", **more))
        assert eventually(lambda: made[-1].told)
        return made[-1]

    yield following
    for follower in made:
        follower.hang_up()


def actions(feed: Follower, count: int) -> list[dict[str, Any]]:
    """So many actions that the feed tells."""
    assert eventually(lambda: sum(told.event == "action" for told in feed.told) >= count), feed.told[-3:]
    return [told.data for told in feed.told if told.event == "action"]


def test_an_action_comes_behind_its_events_as_the_chronicle_has_it(running, follow):
    table = table_at(running.client)
    feed = follow(table, table.player)
    table.act(table.player, "campaign.roll", notation="4d6kh3+2", rolled=[[6, 6], [6, 1], [6, 2], [6, 3]])
    [action] = actions(feed, 1)
    [entry] = table.player.get(f"{table.path}/actions", params={"after": action["seq"] - 1}).json()["actions"]
    assert {key: value for key, value in action.items() if key not in {"touches", "names"}} == entry
    assert action["names"] == {table.player.account_id: action["actor_name"]}
    assert set(action["touches"]) == {"recap", "statistics", f"rolls:{table.player.account_id}"}
    [roll] = action["rolls"]
    assert [(die["face"], die["kept"], die["origin"]) for die in roll["dice"]] == [
        (6, True, "table"), (1, False, "table"), (2, True, "table"), (3, True, "table"),
    ]  # fmt: skip
    _, *told = [each for each in feed.told if each.event != "presence"]
    assert [(each.event, each.id) for each in told] == [("event", None), ("action", entry["last_seq"])]


def test_a_feed_touches_what_reads_otherwise(running, follow):
    table = table_at(running.client)
    feed = follow(table, table.player)
    table.act(table.gm, "campaign.schedule_timer", title="The tide", after={"hours": 2})
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    timer, setting = actions(feed, 2)
    assert {"timers", "calendar", "commands"} <= set(timer["touches"])
    assert not {"members", "ledger", "everything"} & set(timer["touches"])
    assert setting["touches"] == ["everything"]


def test_what_is_hidden_touches_nothing_of_others(running, follow):
    table = table_at(running.client)
    feed, gms = follow(table, table.player), follow(table, table.gm)
    timer = {"type": "campaign.schedule_timer", "title": "The tide", "after": {"hours": 2}}
    assert table.gm.post(f"{table.path}/actions", {"command": timer, "visibility": "gm"}).status_code == 201
    roll = {"type": "campaign.roll", "notation": "3d6"}
    assert table.gm.post(f"{table.path}/actions", {"command": roll, "visibility": "gm"}).status_code == 201
    for hidden in actions(feed, 2):
        assert (hidden["touches"], hidden["type"], hidden["rolls"], hidden["names"]) == (["recap"], None, [], {})
    timer_set, rolled = actions(gms, 2)
    assert "timers" in timer_set["touches"]
    assert "statistics" in rolled["touches"]


def test_whoever_resumes_inside_an_action_or_before_it_hears_it_and_reads_everything_again(running, follow):
    table = table_at(running.client)
    events = table.gm.get(f"{table.path}/events", params={"limit": 500}).json()["events"]
    ids = [event["recorded"]["action_id"] for event in events]
    inside = next(seq for seq in range(1, len(ids)) if ids[seq - 1] == ids[seq])
    for begin in (0, inside):
        feed = follow(table, table.gm, f"&after={begin}")
        told = actions(feed, len({*ids[begin:]}))
        assert [action["action_id"] for action in told] == list(dict.fromkeys(ids[begin:]))
        assert {tuple(action["touches"]) for action in told} == {("everything",)}
        frames = [each for each in feed.told if each.event in {"event", "action"}]
        assert sorted(each.id for each in frames if each.id is not None) == list(range(begin + 1, len(ids) + 1))
        assert sum(each.event == "event" for each in frames) == len(ids) - begin


def test_more_events_than_fit_into_a_page_are_told_in_words_too(running, follow):
    table = table_at(running.client)
    feed = follow(table, table.player)
    for nth in range(70):
        table.act(table.gm, "campaign.add_note", text=f"note {nth}")
    begun = feed.told[0].id
    assert [action["last_seq"] for action in actions(feed, 70)] == list(range(begun + 1, begun + 71))
    late = follow(table, table.player, f"&after={begun}")
    assert [action["last_seq"] for action in actions(late, 70)] == list(range(begun + 1, begun + 71))
