"""What an open page follows: each action as its line, as its reader may see it, made once for who reads alike."""

import asyncio
import re
import time
from collections.abc import Iterator
from datetime import datetime
from types import SimpleNamespace
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest

from domain.ids import CampaignId
from services.http.screen.shared.templates import environment
from services.http.screen.table.live import CAMPAIGNS_MAX
from services.http.screen.table.live_lines import ToldLines
from services.reading import changed_reads
from tests.services.conftest import Person, Table, table_at
from tests.services.live_api import Api, Follower, api, eventually
from tests.web.browser import Browser

QUICKLY = 10.0


@pytest.fixture
def running(database) -> Iterator[Api]:
    with api(database.service) as one:
        yield one


@pytest.fixture
def table(running) -> Table:
    return table_at(running.client)


@pytest.fixture
def follow(running, table) -> Iterator[Any]:
    """A function that follows the table's page as a browser does."""
    made: list[Follower] = []

    def following(who: Any, last: int | None = None) -> Follower:
        headers = Browser(running.client).sign_in(who.name).headers
        person = SimpleNamespace(headers=headers, client=running.client)
        query = f"?follow={table.campaign_id}:{table.seq() if last is None else last}"
        made.append(Follower(running, person, "", root="", query=query))
        assert eventually(lambda: made[-1].told)
        return made[-1]

    yield following
    for follower in made:
        follower.hang_up()


def told(feed: Follower, count: int) -> list[dict[str, Any]]:
    """So many actions that a page is told."""
    assert eventually(lambda: sum(each.event == "action" for each in feed.told) >= count), feed.told[-3:]
    return [each.data for each in feed.told if each.event == "action"]


def ended(feed: Follower) -> str:
    """Why a page is told nothing more."""
    assert eventually(lambda: feed.told[-1].event == "end"), feed.told[-3:]
    code: str = feed.told[-1].data["code"]
    return code


def hide(table: Table, text: str) -> None:
    body = {"command": {"type": "campaign.add_note", "text": text}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", body).status_code == 201


def test_a_page_is_told_the_lines_that_its_chronicle_has_and_nothing_else(running, table, follow):
    feeds = {who.name: follow(who) for who in (table.gm, table.player)}
    before = table.seq()
    table.act(table.player, "campaign.roll", notation="2d6", rolled=[[6, 6], [6, 1]])
    hide(table, "The Duke is dead.")
    for who in (table.gm, table.player):
        lines = told(feeds[who.name], 2)
        path = f"/c/{table.campaign_id}/table/chronicle"
        page = running.client.get(
            path, params={"after": before}, headers=Browser(running.client).sign_in(who.name).headers
        )
        assert "\n".join(each["line"] for each in lines).split() == page.text.split()
        assert ("Duke" in lines[1]["line"]) == (who is table.gm)
        assert {each.event for each in feeds[who.name].told} == {"hello", "action"}
    [_, hidden] = told(feeds[table.player.name], 2)
    assert hidden["touches"] == ["recap"]


def test_readers_of_the_same_lines_read_each_by_a_clock_of_their_own(running, table, follow):
    code = table.gm.post(f"{table.path}/invites", {"role": "observer"}).json()["code"]
    olaf = Person(running.client, "Olaf")
    assert olaf.post(f"/invites/{code}/accept").status_code == 201
    clocks = {table.player.name: "Asia/Tokyo", olaf.name: "America/Los_Angeles"}
    for who in (table.player, olaf):
        assert who.send("PATCH", "/accounts/me", json={"time_zone": clocks[who.name]}).status_code == 204
    feeds = {who.name: follow(who) for who in (table.player, olaf)}
    table.act(table.gm, "campaign.add_note", text="It rains.")
    for name, feed in feeds.items():
        headers = Browser(running.client).sign_in(name).headers
        panel = running.client.get(f"/c/{table.campaign_id}/table/chronicle", headers=headers).text
        for text in (told(feed, 1)[0]["line"], panel[panel.rindex("<li") :]):
            [(instant, clock)] = re.findall(r'<time datetime="([^"]+)">(\d\d:\d\d)</time>', text)
            assert f"{datetime.fromisoformat(instant).astimezone(ZoneInfo(clocks[name])):%H:%M}" == clock


def test_whoever_resumes_is_told_the_lines_after_it_and_to_read_everything_again(table, follow):
    before = table.seq()
    for nth in range(60):
        table.act(table.gm, "campaign.add_note", text=f"Note {nth}.")
    feed = follow(table.player, last=before)
    lines = told(feed, 60)
    assert [each["seq"] for each in lines] == [*range(before + 1, before + 61)]
    assert {tuple(each["touches"]) for each in lines} == {("everything",)}


def test_notes_and_free_rolls_are_drawn_by_nobody_and_lines_are_made_once(table, follow, monkeypatch):
    drawn, made = list[int](), list[int]()
    hashes, written = changed_reads._hashes, ToldLines.write_actions

    def drawing(seen: Any, drawings: Any) -> dict[str, int]:
        drawn.append(seen.seq)
        return hashes(seen, drawings)

    async def writing(teller: ToldLines, seen: Any, *more: Any) -> list[bytes]:
        made.append(seen.seq)
        return await written(teller, seen, *more)

    monkeypatch.setattr(changed_reads, "_hashes", drawing)
    monkeypatch.setattr(ToldLines, "write_actions", writing)
    feeds = [follow(who) for who in (table.gm, table.player, table.gm, table.player)]
    drawn.clear()
    for nth in range(3):
        table.act(table.gm, "campaign.add_note", text=f"Note {nth}.")
        table.act(table.gm, "campaign.roll", notation="1d6", rolled=[[6, 1]])
        assert [told(feed, 2 * nth + 2)[-1]["touches"] for feed in feeds] == [
            ["recap", f"rolls:{table.gm.account_id}", "statistics"]
        ] * 4
    assert drawn == []
    assert len(made) < 3 * 6, "once for GMs and once for the others, unless one of them looks late"
    table.act(table.gm, "campaign.advance_calendar", by={"hours": 2})
    assert all("calendar" in told(feed, 7)[-1]["touches"] for feed in feeds)
    assert drawn


def test_a_page_of_a_removed_member_and_of_an_ended_session_are_told_so(table, follow):
    removed, signed_out = follow(table.player), follow(table.gm)
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    assert ended(removed) == "campaign_not_found"
    assert not removed.over, "it may have other campaigns"
    for session in table.gm.get("/sessions").json()["sessions"]:
        table.gm.send("DELETE", f"/sessions/{session['session_id']}")
    assert signed_out.ends(QUICKLY) == "not_signed_in"


def test_nobody_follows_a_page_without_signing_in_or_from_ahead_of_the_log(running, table, follow):
    stranger = running.client.get("/live", follow_redirects=False)
    assert stranger.status_code in (303, 401)
    assert ended(follow(table.player, last=9999)) == "ahead_of_log"
    headers = Browser(running.client).sign_in(table.player.name).headers
    for wrong, status in (("x:1", 404), (table.campaign_id, 400), (f"{table.campaign_id}:x", 400)):
        assert running.client.get("/live", params={"follow": wrong}, headers=headers).status_code == status
    too_many = [f"{table.campaign_id}:0"] * (CAMPAIGNS_MAX + 1)
    assert running.client.get("/live", params={"follow": too_many}, headers=headers).status_code == 400


def test_a_page_is_here_only_in_campaigns_of_its_reader_and_counts_as_a_feed(running, table):
    other = table_at(running.client, "Noor", "Sam")
    headers = Browser(running.client).sign_in(table.player.name).headers
    person = SimpleNamespace(headers=headers, client=running.client)
    stranger = f"?follow={other.campaign_id}:0&beside={other.campaign_id}"
    queries = [stranger, f"?beside={other.campaign_id}&beside={table.campaign_id}"]
    presence = running.app.state.application.presence

    def present(at: Table) -> set[Any]:
        return set(asyncio.run(presence._store.present(CampaignId(UUID(at.campaign_id)))))

    followers = [Follower(running, person, "", root="", query=query) for query in queries]
    try:
        assert eventually(lambda: running.feeds_open() == len(queries))
        assert eventually(lambda: len(present(table)) == 1)
        assert present(other) == set()
    finally:
        for follower in followers:
            follower.hang_up()


def test_boards_and_lines_that_were_drawn_are_drawn_again_after_any_event(running, table):
    path = f"/c/{table.campaign_id}/table/chronicle"
    headers = {who.name: Browser(running.client).sign_in(who.name).headers for who in (table.gm, table.player)}
    read = {}
    for text in ("Rain.", "Thunder."):
        hide(table, text)
        for name, header in headers.items():
            once, again = (running.client.get(path, headers=header).text for _ in range(2))
            assert once == again
            assert (text in once) == (name == table.gm.name)
            read[name] = once
    assert read[table.gm.name] != read[table.player.name]


def test_times_are_those_of_where_the_service_runs_in_24_hours(monkeypatch):
    """On every page and in every language; no script changes them."""
    monkeypatch.setenv("TZ", "XXX-05:30")
    time.tzset()
    try:
        at = "2026-03-04T19:05:00Z"
        shown = {
            language: [environment(language).filters[each](at) for each in ("clock", "day")]
            for language in ("en", "fr")
        }
    finally:
        monkeypatch.undo()
        time.tzset()
    assert shown == {"en": ["00:35", "5 March 2026"], "fr": ["00:35", "5 mars 2026"]}
