"""A GM says who a person of an import is: what was theirs alone is the member's, and nobody else learns of it."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest

from domain.ids import CampaignId
from services.campaign.verify_log import stale_audiences
from tests.engines import DatabaseUrls
from tests.services.conftest import NO_RATES, Person, Table, table_at
from tests.services.live_api import api
from tests.services.revealing import follow
from tests.services.transfers import SECRET, brought, export, forked, played, played_at

__all__ = ["played"]

ALL = {"limit": 500}
OTHERS = "only Ana knows this"


class Brought(Table):
    """An imported campaign whose people were not mapped; the player has joined, and Zoe beside her."""

    other: Person

    @property
    def people(self) -> list[Any]:
        """Who of the file is no member yet."""
        answer = self.gm.get(f"{self.path}/imported-people")
        assert answer.status_code == 200, answer.text
        people: list[Any] = answer.json()["people"]
        return people

    def identify(self, person: str = "Mara", account: str | None = None) -> Any:
        """The GM says who a person is; the answer."""
        member = account or self.player.account_id
        return self.act(self.gm, "campaign.identify_person", person=person, account=member)


def with_purse(table: Table) -> Table:
    """Put ducats into the player's purse, and a secret of the GM's into the log."""
    entry = {"currency": "ducats", "debit": "world:bank", "amount": 40, "reason": "a gift", "new": True}
    table.act(table.gm, "campaign.post_entry", credit=f"player:{table.player.account_id}", **entry)
    hidden = {"command": {"type": "campaign.add_note", "text": OTHERS}, "visibility": "gm"}
    assert table.gm.post(f"{table.path}/actions", hidden).status_code == 201
    return table


def with_hidden_purse(table: Table) -> Table:
    """Some of what is in the purse only the player and the GMs know of."""
    entry = {"currency": "ducats", "debit": "world:bank", "amount": 7, "reason": "a bribe"}
    command = {"type": "campaign.post_entry", "credit": f"player:{table.player.account_id}", **entry}
    sent = {"command": command, "visibility": f"account:{table.player.account_id}"}
    assert table.gm.post(f"{table.path}/actions", sent).status_code == 201
    return table


def join(table: Table, who: Person, role: str = "player") -> None:
    code = table.gm.post(f"{table.path}/invites", {"role": role}).json()["code"]
    assert who.post(f"/invites/{code}/accept").status_code == 201


def brought_over(source: Table, zoe: str = "Zoe") -> Brought:
    table = brought(source.gm, export(source, source.gm), people=json.dumps({"Ana": "Ana"}))
    found = Brought(source.gm, source.player, table.campaign_id)
    found.other = Person(source.gm.client, zoe)
    join(found, found.player)
    join(found, found.other)
    return found


@pytest.fixture(params=["before it is stored", "after it is stored"])
def there(played: Table, request: pytest.FixtureRequest) -> Brought:
    found = brought_over(with_purse(played))
    if request.param == "after it is stored":
        follow(found)
    return found


READS = (
    "/actions",
    "/events",
    "/sheets",
    "/ledger/entries",
    "/ledger/accounts",
    "/statistics",
    "/table",
    "/members",
)


def read(table: Table, who: Person, **params: Any) -> dict[str, Any]:
    """What somebody reads of a campaign."""
    found = {}
    for path in READS:
        paged = ALL if path in ("/actions", "/events", "/ledger/entries") else {}
        answer = who.get(f"{table.path}{path}", params={**paged, **params})
        assert answer.status_code == 200, answer.text
        found[path] = answer.json()
    return found


def told(table: Table, who: Person) -> str:
    return json.dumps(read(table, who))


def has(table: Table, who: Person) -> "Has":
    """Whether somebody reads the player's secret, what is in their purse, and whom they play."""
    everything = read(table, who)
    accounts = everything["/ledger/accounts"]["accounts"]
    purse = sum(each["balance"] for each in accounts if each["account"] == f"player:{who.account_id}")
    sheets = everything["/sheets"]["sheets"]
    return (
        SECRET in json.dumps(everything["/actions"]),
        purse,
        [each["name"] for each in sheets if each["player"] == who.account_id],
    )


Has = tuple[bool, int, list[str]]

NOTHING: Has = (False, 0, [])
HERS: Has = (True, 40, ["Mara"])


def is_sound(table: Table) -> None:
    """Everything that is stored is what the log gives, and the chain verifies."""
    follow(table)
    client: Any = table.gm.client
    application = client.app.state.application
    campaign = CampaignId(UUID(table.campaign_id))
    assert client.blocking_portal.call(stale_audiences, application.log, application.views, campaign) == []
    assert table.gm.get(f"{table.path}/verify").json()["sound"] is True


def test_what_was_a_persons_alone_is_the_members_and_comes_and_goes_with_the_word(there):
    assert has(there, there.player) == NOTHING
    action = there.identify()["action_id"]
    for _ in range(2):
        assert has(there, there.player) == HERS
        is_sound(there)
    assert there.gm.post(f"{there.path}/actions/{action}/undo", {}).status_code == 201
    for _ in range(2):
        assert has(there, there.player) == NOTHING
        is_sound(there)
    assert there.gm.post(f"{there.path}/actions/{action}/redo", {}).status_code == 201
    for _ in range(2):
        assert has(there, there.player) == HERS
        is_sound(there)


def test_nobody_else_learns_anything_by_it(there):
    before = read(there, there.other)
    there.identify()
    assert has(there, there.other) == NOTHING
    assert SECRET not in told(there, there.other)
    assert OTHERS not in told(there, there.player)
    after = read(there, there.other)
    seqs = len(before["/events"]["events"])
    assert after["/events"]["events"][:seqs] == before["/events"]["events"]
    assert after["/actions"]["actions"][: len(before["/actions"]["actions"])] == before["/actions"]["actions"]
    is_sound(there)
    assert SECRET not in told(there, there.other)


def purses(table: Table, who: Person) -> list[tuple[str, int]]:
    accounts = read(table, who)["/ledger/accounts"]["accounts"]
    found = [(each["account"], each["balance"]) for each in accounts if each["account"].startswith("player:")]
    return sorted(found, key=lambda purse: purse[1])


def test_money_that_others_do_not_know_of_stays_hidden_from_them(played):
    there = brought_over(with_hidden_purse(with_purse(played)))
    (mara,) = there.people
    hers, left = f"player:{there.player.account_id}", f"player:{mara['person']}"
    assert purses(there, there.other) == [(left, 40)]
    action = there.identify()["action_id"]
    assert purses(there, there.gm) == [(left, 0), (hers, 47)]
    assert purses(there, there.player) == [(left, 0), (hers, 47)]
    assert purses(there, there.other) == [(left, 0), (hers, 40)]
    assert "bribe" not in told(there, there.other)
    assert "bribe" in told(there, there.player)
    is_sound(there)
    assert there.gm.post(f"{there.path}/actions/{action}/undo", {}).status_code == 201
    assert purses(there, there.gm) == [(left, 47)]
    assert purses(there, there.other) == [(left, 40)]
    is_sound(there)
    spends = {"currency": "ducats", "credit": "world:bank", "amount": 45, "reason": "all at once"}
    there.identify()
    command = {"type": "campaign.post_entry", "debit": hers, **spends}
    sent = {"command": command, "visibility": f"account:{there.player.account_id}"}
    assert there.gm.post(f"{there.path}/actions", sent).status_code == 201
    assert (hers, 2) in purses(there, there.player)
    assert (hers, 40) in purses(there, there.other)
    is_sound(there)


def test_the_past_is_read_as_it_was_known_then(there):
    before = there.seq()
    there.identify()
    assert SECRET not in json.dumps(read(there, there.player, at=before)["/table"])
    assert SECRET not in json.dumps(there.player.get(f"{there.path}/actions", params={**ALL, "at": before}).json())


def test_the_people_who_are_no_members_are_listed_with_what_is_theirs(there):
    (mara,) = there.people
    assert (mara["name"], mara["account"]) == ("Mara", None)
    assert (mara["has_secrets"], mara["purse"], mara["characters"]) == (True, {"ducats": 40}, ["Mara"])
    assert there.player.get(f"{there.path}/imported-people").json()["code"] == "gm_only"
    there.identify(mara["person"])
    assert there.people == []


def test_money_that_comes_later_to_the_persons_account_is_handed_over_when_it_is_said_again(there):
    (mara,) = there.people
    action = there.identify()["action_id"]
    entry = {"currency": "ducats", "debit": "world:bank", "amount": 5, "reason": "late"}
    there.act(there.gm, "campaign.post_entry", credit=f"player:{mara['person']}", **entry)
    (late,) = there.people
    assert (late["account"], late["purse"], late["has_secrets"]) == (there.player.account_id, {"ducats": 5}, False)
    there.identify(mara["person"])
    assert has(there, there.player) == (True, 45, ["Mara"])
    assert there.people == []
    undone = there.gm.post(f"{there.path}/actions/{action}/undo", {})
    assert undone.json()["summary"][1].startswith("Kept, although it would turn out differently")
    assert has(there, there.player) == (False, 5, [])
    is_sound(there)


def test_what_was_spent_since_has_to_be_undone_with_the_word(there):
    action = there.identify()["action_id"]
    entry = {"currency": "ducats", "credit": "world:bank", "amount": 30, "reason": "spent"}
    there.act(there.gm, "campaign.post_entry", debit=f"player:{there.player.account_id}", **entry)
    there.act(there.player, "campaign.roll", notation="1d6")
    answer = there.gm.post(f"{there.path}/actions/{action}/undo", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "has_dependents")
    answer = there.gm.post(f"{there.path}/actions/{action}/undo", {"cascade": True})
    assert answer.status_code == 201, answer.text
    assert has(there, there.player) == NOTHING
    is_sound(there)


def test_who_cannot_be_said_is_refused(there):
    (mara,) = there.people
    player, other, gm = (each.account_id for each in (there.player, there.other, there.gm))

    def refused(who: Person, person: str, account: str) -> tuple[int, str]:
        status, code = there.refused(who, "campaign.identify_person", person=person, account=account)
        return status, code

    assert refused(there.player, mara["person"], player) == (403, "gm_only")
    assert refused(there.gm, "Nobody", player) == (422, "unknown_person")
    assert refused(there.gm, gm, player) == (422, "unknown_person")
    assert refused(there.gm, mara["person"], mara["person"]) == (404, "unknown_member")
    there.identify()
    assert refused(there.gm, mara["person"], other) == (409, "already_identified")
    hidden = {"command": {"type": "campaign.identify_person", "person": mara["person"], "account": player}}
    answer = there.gm.post(f"{there.path}/actions", {**hidden, "visibility": "gm"})
    assert answer.json()["code"] == "cannot_be_hidden"


def test_a_member_with_secrets_of_their_own_reads_both_and_acts_on_both(there):
    own = {
        "command": {"type": "campaign.add_note", "text": "mine"},
        "visibility": f"account:{there.player.account_id}",
    }
    assert there.player.post(f"{there.path}/actions", own).status_code == 201
    there.identify()
    assert "mine" in told(there, there.player)
    assert has(there, there.player) == HERS
    assert "mine" not in told(there, there.other)
    secret = next(
        each
        for each in there.player.get(f"{there.path}/actions", params=ALL).json()["actions"]
        if SECRET in json.dumps(each)
    )
    answer = there.player.post(f"{there.path}/actions/{secret['action_id']}/undo-request", {})
    assert answer.status_code == 201, answer.text
    assert secret["action_id"] in told(there, there.player)
    assert "undo_requested" not in told(there, there.other)
    is_sound(there)


def test_what_the_person_wrote_is_the_members_to_erase(played):
    words = played.act(played.player, "campaign.add_note", text="I was here first")["action_id"]
    there = brought_over(with_purse(played))
    erasing = f"{there.path}/actions/{words}/texts"
    assert there.player.send("DELETE", erasing).json()["code"] == "not_your_words"
    there.identify()
    assert there.other.send("DELETE", erasing).json()["code"] == "not_your_words"
    answer = there.player.send("DELETE", erasing)
    assert (answer.status_code, answer.json()["texts"]) == (200, 1)
    assert "I was here first" not in told(there, there.gm)
    is_sound(there)


@pytest.mark.slow
@pytest.mark.parametrize("mapped", [True, False], ids=["with the member", "with nobody"])
def test_the_word_comes_along_into_another_campaign(there, mapped):
    there.identify()
    people = {"Ana": "Ana", "Mara": "Mara"} if mapped else {"Ana": "Ana"}
    again = brought(there.gm, export(there, there.gm), people=json.dumps(people))
    table = Brought(there.gm, there.player, again.campaign_id)
    join(table, table.player)
    if not mapped:
        assert has(table, table.player) == NOTHING
        assert [each["name"] for each in table.people] == ["Mara", "Zoe"]
        table.identify()
    assert has(table, table.player) == HERS
    is_sound(table)


@pytest.mark.slow
def test_a_fork_knows_it_too(there):
    there.identify()
    copy = forked(there)
    join(copy, there.player)
    assert has(copy, there.player) == HERS
    is_sound(copy)


@pytest.fixture
def two(database: DatabaseUrls, redis_url: str) -> Iterator[tuple[Any, Any]]:
    with (
        api(database.service, redis_url, rates=NO_RATES) as one,
        api(database.service, redis_url, rates=NO_RATES) as other,
    ):
        yield one, other


@pytest.mark.slow
def test_every_process_hears_of_it(two):
    one, other = two
    there = brought_over(with_purse(played_at(table_at(one.client))))

    def elsewhere() -> Has:
        with_other = Person.__new__(Person)
        with_other.__dict__ = {**there.player.__dict__, "client": other.client}
        return has(there, with_other)

    assert (has(there, there.player), elsewhere()) == (NOTHING, NOTHING)
    action = there.identify()["action_id"]
    assert (has(there, there.player), elsewhere()) == (HERS, HERS)
    assert there.gm.post(f"{there.path}/actions/{action}/undo", {}).status_code == 201
    assert (elsewhere(), has(there, there.player)) == (NOTHING, NOTHING)
    assert there.gm.post(f"{there.path}/actions/{action}/redo", {}).status_code == 201
    assert (elsewhere(), has(there, there.player)) == (HERS, HERS)


@pytest.mark.parametrize("follows_first", [False, True], ids=["not stored", "stored"])
def test_what_the_person_did_and_rolled_is_found_under_the_member(played, follows_first):
    for _ in range(3):
        played.act(played.player, "campaign.roll", notation="2d6")
    there = brought_over(played, zoe="Otto")
    (mara,) = there.people
    there.act(there.other, "campaign.roll", notation="1d8")
    before = found_under(there, mara["person"])
    own = found_under(there, there.other.account_id)
    if follows_first:
        follow(there)
    there.identify(mara["person"], there.other.account_id)
    for stored in (False, True):
        if stored:
            follow(there)
        for actor in (mara["person"], there.other.account_id):
            assert found_under(there, actor) == sorted(before + own)
            assert found_under(there, actor, 1) == sorted(before + own)
            assert found_under(there, actor, 2, backwards=True) == sorted(before + own)
            assert len(found_under(there, actor, type="campaign.roll")) == 4
            assert len(found_under(there, actor, text="d6")) == 3
        people = there.gm.get(f"{there.path}/statistics").json()["people"]
        rolls = {each["account"]: (each["name"], each["rolls"]) for each in people}
        assert rolls[there.other.account_id] == ("Otto", 7)
        assert mara["person"] not in rolls


def found_under(
    table: Table, actor: str, limit: int = 500, *, backwards: bool = False, **filters: Any
) -> list[int]:
    """The seqs of the actions of an actor, read page by page."""
    seqs: list[int] = []
    going, onwards = ("before", table.seq() + 1) if backwards else ("after", 0), True
    while onwards:
        params = {"actor": actor, "limit": limit, going[0]: going[1], **filters}
        page = table.gm.get(f"{table.path}/actions", params=params).json()
        seqs += [each["seq"] for each in page["actions"]]
        going = (going[0], page[f"next_{going[0]}"])
        onwards = going[1] is not None
    return sorted(seqs)
