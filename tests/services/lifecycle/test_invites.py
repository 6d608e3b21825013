"""Invites: who was sent away stays away, and nobody comes in by the word of somebody who leads no more."""

from contextlib import nullcontext
from typing import Any
from uuid import UUID

import pytest

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import ChangeRole
from domain.event_store_types import Head
from domain.ids import AccountId, CampaignId
from services.commands.submit import submit_command
from tests.services.conftest import Person, Table, table_at
from tests.stories.memory_service import memory_service


def invite(table: Table, by: Person, **fields: Any) -> str:
    """Make an invite; its code."""
    made = by.post(f"{table.path}/invites", fields)
    assert made.status_code == 201, made.text
    code: str = made.json()["code"]
    return code


def accept(who: Person, code: str) -> tuple[int, str | None]:
    """Try a code; status and code of the refusal."""
    answer = who.post(f"/invites/{code}/accept")
    return answer.status_code, answer.json().get("code")


def second_gm(table: Table, client: Any) -> Person:
    ben = Person(client, "Ben")
    assert accept(ben, invite(table, table.gm, role="gm")) == (201, None)
    return ben


VOID = (404, "invite_not_found")
REMOVED = (403, "was_removed")


def test_a_gms_invites_are_void_once_they_are_demoted_and_stay_so(table, client):
    ben = second_gm(table, client)
    code = invite(table, ben)
    own = invite(table, table.gm)
    role = f"{table.path}/members/{ben.account_id}"
    assert table.gm.send("PATCH", role, json={"role": "player"}).status_code == 200
    late = Person(client, "Cleo")
    assert accept(late, code) == VOID
    assert table.gm.send("PATCH", role, json={"role": "gm"}).status_code == 200
    assert accept(late, code) == VOID
    listed = table.gm.get(f"{table.path}/invites").json()["invites"]
    assert sorted(each["revoked"] for each in listed) == [False, False, False, True]
    assert accept(late, own) == (201, None)


def test_a_gms_invites_are_void_once_they_leave_are_removed_or_hand_over(table, client):
    late = Person(client, "Cleo")
    for sends_away in ("leaves", "is removed"):
        ben = Person(client, f"Ben who {sends_away}")
        assert accept(ben, invite(table, table.gm, role="gm")) == (201, None)
        code = invite(table, ben)
        by = ben if sends_away == "leaves" else table.gm
        assert by.send("DELETE", f"{table.path}/members/{ben.account_id}").status_code == 204
        assert accept(late, code) == VOID, sends_away
    code = invite(table, table.gm)
    assert table.gm.post(f"{table.path}/handover", {"account": table.player.account_id}).status_code == 200
    assert accept(late, code) == VOID


def test_no_later_step_is_needed_for_the_invites_of_who_leads_no_more_to_be_void(table, client):
    """Whatever goes away right after the demotion."""
    ben = second_gm(table, client)
    codes = [invite(table, ben), invite(table, table.gm, account=ben.account_id)]
    campaign, account = CampaignId(UUID(table.campaign_id)), AccountId(UUID(ben.account_id))
    for role in ("player", "gm"):
        request = ActRequest(command=ChangeRole(account=account, role=role))
        asker = AccountId(UUID(table.gm.account_id))
        client.blocking_portal.call(submit_command, client.app.state.application, campaign, asker, request)
    assert [accept(Person(client, f"Cleo {nth}"), code) for nth, code in enumerate(codes)] == [VOID, VOID]


def test_invites_are_void_in_memory_as_well():
    with memory_service(1) as client:
        table = table_at(client)
        ben = second_gm(table, client)
        kept, code = invite(table, table.gm), invite(table, ben)
        own = invite(table, table.gm, account=ben.account_id)
        role = f"{table.path}/members/{ben.account_id}"
        for each in ("player", "gm"):
            assert table.gm.send("PATCH", role, json={"role": each}).status_code == 200
        cleo = Person(client, "Cleo")
        assert [accept(cleo, code), accept(cleo, kept)] == [VOID, (201, None)]
        listed = table.gm.get(f"{table.path}/invites").json()["invites"]
        assert {each["account"]: each["revoked"] for each in listed if each["account"]} == {ben.account_id: True}
        assert own != code


def test_who_was_removed_comes_back_by_an_invite_made_for_them_and_by_no_other(table, client):
    mara, spare = table.player, invite(table, table.gm)
    before = invite(table, table.gm, account=mara.account_id)
    assert table.gm.send("DELETE", f"{table.path}/members/{mara.account_id}").status_code == 204
    assert accept(mara, spare) == REMOVED
    assert accept(mara, invite(table, table.gm)) == REMOVED
    assert accept(mara, before) == VOID, "it was made before they were sent away"
    code = invite(table, table.gm, account=mara.account_id)
    assert accept(Person(client, "Cleo"), code) == VOID, "it is for nobody else"
    assert accept(mara, code) == (201, None)
    assert mara.send("DELETE", f"{table.path}/members/{mara.account_id}").status_code == 204
    assert accept(mara, code) == VOID, "it was for once"
    assert accept(mara, spare) == (201, None), "who left by themselves was not sent away"


def test_who_leads_again_or_still_does_keeps_their_invites(table, client):
    handover, key = f"{table.path}/handover", {"Idempotency-Key": "k"}
    ana, mara = table.gm, table.player
    assert ana.post(handover, {"account": mara.account_id}, headers=key).status_code == 200
    assert mara.post(handover, {"account": ana.account_id}).status_code == 200
    code = invite(table, ana)
    assert ana.post(handover, {"account": mara.account_id}, headers=key).status_code == 200, "a repetition"
    assert ana.post(handover, {"account": mara.account_id, "stay_as": "gm"}).status_code == 200
    assert accept(Person(client, "Cleo"), code) == (201, None)


def test_who_is_in_already_hears_so_of_an_invite_that_is_used_up(table, client):
    code, cleo = invite(table, table.gm, uses_max=1), Person(client, "Cleo")
    assert [accept(cleo, code) for _ in range(2)] == [(201, None), (201, None)]
    assert accept(Person(client, "Dora"), code) == VOID


def test_a_refused_newcomer_uses_up_no_invite(table, client):
    code = invite(table, table.gm, uses_max=1)
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    assert accept(table.player, code) == REMOVED
    assert accept(Person(client, "Cleo"), code) == (201, None)


@pytest.mark.parametrize("kept", ["postgres", "memory"])
def test_who_could_not_come_in_uses_up_no_invite(kept, request):
    """Such as where others keep acting, or a backup was restored."""
    with memory_service(1) if kept == "memory" else nullcontext(request.getfixturevalue("client")) as client:
        table = table_at(client)
        code, cleo = invite(table, table.gm, uses_max=1), Person(client, "Cleo")
        application, campaign = client.app.state.application, CampaignId(UUID(table.campaign_id))
        application.detector.confirm(campaign, Head(seq=999, hash=bytes(32), recorded_at=0))
        application.cache.evict(campaign)
        assert accept(cleo, code) == (409, "log_behind_checkpoint")
        application.detector.forget(campaign)
        assert accept(cleo, code) == (201, None)
        assert accept(Person(client, "Dora"), code) == VOID


def test_an_invite_makes_one_gm_unless_it_says_otherwise(table, client):
    def most(**fields: Any) -> int | None:
        made = table.gm.post(f"{table.path}/invites", fields).json()
        found: int | None = made["uses_max"]
        return found

    assert most(role="gm") == 1
    assert most(role="gm", uses_max=None) is None
    assert most(role="gm", uses_max=2) == 2
    assert most(role="player") is None
    assert most(role="player", account=table.player.account_id, uses_max=5) == 1


def test_who_was_removed_is_told_so_in_the_tables_language(table):
    table.act(table.gm, "campaign.set_setting", key="campaign.language", value="fr")
    assert table.gm.send("DELETE", f"{table.path}/members/{table.player.account_id}").status_code == 204
    refusal = table.player.post(f"/invites/{invite(table, table.gm)}/accept").json()
    assert refusal["detail"] == "Un MJ vous a retiré de cette campagne\u00a0: demandez une invitation à votre nom."


def looked_at(client: Any, code: str) -> tuple[int, str | None]:
    """Look at a code without an account; status and code of the refusal."""
    answer = client.get(f"/api/invites/{code}")
    return answer.status_code, answer.json().get("code")


def test_an_invite_is_looked_at_before_there_is_an_account(table, client):
    for role in ("player", "observer", "gm"):
        code = invite(table, table.gm, role=role)
        shown = client.get(f"/api/invites/{code}").json()
        assert shown.pop("expires_at")
        assert shown == {"campaign": "Iron Rain", "systems": ["frame_state"], "role": role, "invited_by": "Ana"}


def test_what_nobody_can_accept_any_more_is_not_shown_either(table, client):
    ben = second_gm(table, client)
    spent = invite(table, table.gm, uses_max=1)
    assert accept(Person(client, "Cleo"), spent) == (201, None)
    assert looked_at(client, spent) == VOID
    void = invite(table, ben)
    role = f"{table.path}/members/{ben.account_id}"
    assert table.gm.send("PATCH", role, json={"role": "player"}).status_code == 200
    made = table.gm.post(f"{table.path}/invites", {}).json()
    assert table.gm.send("DELETE", f"{table.path}/invites/{made['invite_id']}").status_code == 204
    for code in (void, made["code"], "nonsense", "A" * 43):
        assert looked_at(client, code) == VOID
    good = invite(table, table.gm)
    assert table.gm.post(f"{table.path}/archive").status_code == 200
    assert looked_at(client, good) == (409, "campaign_archived")
    name = table.gm.get(table.path).json()["name"]
    assert table.gm.send("DELETE", table.path, json={"name": name}).status_code == 200
    assert looked_at(client, good) == VOID


def test_looking_at_an_invite_uses_nothing_up(table, client):
    code = invite(table, table.gm, uses_max=1)
    for _ in range(3):
        assert looked_at(client, code) == (200, None)
    assert accept(Person(client, "Cleo"), code) == (201, None)


def test_an_invite_that_is_asked_for_twice_with_one_key_is_made_once(table, client):
    key = {"Idempotency-Key": "one"}
    path, wanted = f"{table.path}/invites", {"role": "observer", "days_valid": 3}
    first = table.gm.post(path, wanted, headers=key)
    assert first.status_code == 201
    assert table.gm.post(path, wanted, headers=key).json() == first.json()
    other = table.gm.post(path, {"role": "player"}, headers=key)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    another = table.gm.post(path, wanted, headers={"Idempotency-Key": "two"}).json()["code"]
    ben = second_gm(table, client)
    codes = {first.json()["code"], another, ben.post(path, wanted, headers=key).json()["code"]}
    assert len(codes) == 3, "keys are those of their account"
    assert accept(Person(client, "Cleo"), first.json()["code"]) == (201, None)


def test_what_has_ended_is_ended_alike_when_it_is_asked_for_again(table, client):
    invite_id = table.gm.post(f"{table.path}/invites", {}).json()["invite_id"]
    members = f"{table.path}/members"
    ben = Person(client, "Ben")
    assert accept(ben, invite(table, table.gm)) == (201, None)
    for who, path in (
        (table.gm, f"{table.path}/invites/{invite_id}"),
        (table.gm, f"{members}/{table.player.account_id}"),
        (ben, f"{members}/{ben.account_id}"),
    ):
        assert [who.send("DELETE", path).status_code for _ in range(2)] == [204, 204], path
    stranger = Person(client, "Cleo")
    for who, gone in ((stranger, stranger), (ben, table.player), (table.gm, stranger), (table.gm, ben)):
        assert who.send("DELETE", f"{members}/{gone.account_id}").status_code == 404
