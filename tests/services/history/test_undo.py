"""Undo over HTTP: an old action and its consequences, seen beforehand, cascaded, redone (invariant 11)."""

import pytest

from tests.services.conftest import Table
from tests.services.pilots import award, credits_of, earn_and_spend, mara
from tests.services.undoing import everything, undo

__all__ = ["mara"]

DIE = ("sides", "natural", "proof")


def test_an_undone_action_is_as_if_it_had_never_been_and_stays_in_the_chronicle(table: Table, mara: str):
    award(table, mara, 40)
    gone = award(table, mara, 7)
    award(table, mara, 50)
    before = credits_of(table, mara)
    undone = undo(table, table.gm, gone, reason="wrong pilot")
    assert undone.status_code == 201, undone.text
    assert undone.json()["summary"] == ["Undone: Mara was paid 7 credits (a find) and has 147 (wrong pilot)"]
    assert credits_of(table, mara) == before - 7
    chronicle = table.gm.get(f"{table.path}/actions").json()["actions"]
    [entry] = [each for each in chronicle if each["action_id"] == gone]
    assert entry["undone_in"] == undone.json()["action_id"]
    assert [each["undone_in"] for each in chronicle if each["action_id"] != gone] == [None] * (len(chronicle) - 1)


def test_undo_then_redo_gives_the_same_views_and_a_second_undo_is_refused(table: Table, mara: str):
    gone = award(table, mara, 7)
    award(table, mara, 50)
    before = everything(table, table.player)
    assert undo(table, table.gm, gone).status_code == 201
    assert everything(table, table.player) != before
    again = undo(table, table.gm, gone)
    assert (again.status_code, again.json()["code"]) == (409, "already_undone")
    assert undo(table, table.gm, gone, "redo").status_code == 201
    assert everything(table, table.player) == before
    again = undo(table, table.gm, gone, "redo")
    assert (again.status_code, again.json()["code"]) == (409, "not_undone")


def test_undoing_an_undo_is_a_redo(table: Table, mara: str):
    gone = award(table, mara, 7)
    before = everything(table, table.gm)
    undone = undo(table, table.gm, gone).json()["action_id"]
    back = undo(table, table.gm, undone)
    assert back.status_code == 201, back.text
    assert back.json()["events"][0]["type"] == "campaign.action_redone"
    assert everything(table, table.gm) == before


def test_redoing_an_undone_redo_or_a_redone_undo_is_about_what_they_were_about(table: Table, mara: str):
    found = award(table, mara, 7)
    undone = undo(table, table.gm, found).json()["action_id"]
    redone = undo(table, table.gm, found, "redo").json()["action_id"]
    assert undo(table, table.gm, redone).status_code == 201
    again = undo(table, table.gm, redone, "redo")
    assert [each["type"] for each in again.json()["events"]] == ["campaign.action_redone"]
    assert undo(table, table.gm, redone, "redo").json()["code"] == "not_undone"
    taken_back = undo(table, table.gm, undone, "redo")
    assert [each["type"] for each in taken_back.json()["events"]] == ["campaign.action_undone"]


def test_what_depends_on_an_action_is_listed_and_goes_with_it_in_a_cascade(table: Table, mara: str):
    earned, bought = earn_and_spend(table, mara)
    before = everything(table, table.gm)
    refused = undo(table, table.gm, earned)
    assert (refused.status_code, refused.json()["code"]) == (409, "has_dependents")
    [dependent] = refused.json()["details"]["dependents"]
    assert (dependent["action_id"], dependent["because"]) == (bought, "depends")
    assert dependent["refusal"]
    assert dependent["summary"]
    done = undo(table, table.gm, earned, cascade=True)
    assert done.status_code == 201, done.text
    assert [event["because"] for event in done.json()["events"]] == ["asked", "depends"]
    accounts = table.gm.get(f"{table.path}/ledger/accounts").json()["accounts"]
    assert sum(each["balance"] for each in accounts) == 0
    assert undo(table, table.gm, earned, "redo").status_code == 201
    assert everything(table, table.gm) == before


def test_a_session_does_not_go_with_one_of_those_who_fly(table: Table, mara: str):
    """Who flies is said in passing: it stands, and is pointed out."""
    jun = table.act(table.gm, "frame_state.create_pilot", name="Jun")["action_id"]
    table.act(table.gm, "campaign.start_session")
    preview = undo(table, table.gm, jun, dry_run=True).json()
    assert [each["because"] for each in preview["undone"]] == ["asked"]
    assert [each["summary"][0] for each in preview["affected"]] == ["Play session 1 began with Ana, Mara"]
    assert undo(table, table.gm, jun).status_code == 201


def test_a_reason_names_the_action_that_made_what_the_dependent_is_about(table: Table, mara: str):
    created = table.act(table.gm, "frame_state.create_pilot", name="Jun")
    award(table, created["events"][0]["pilot_id"], 40)
    created = created["action_id"]
    [dependent] = undo(table, table.gm, created).json()["details"]["dependents"]
    assert dependent["refusal"].startswith("It rests on what goes: A new pilot reports for duty: Jun")


def test_a_roll_that_would_want_other_dice_now_stands_and_is_pointed_out(table: Table, mara: str):
    """At the table they fell as they fell."""
    skill = {"category": "skills", "attribute": "sharpness", "pilot": mara}
    raised = table.act(table.player, "frame_state.allocate_point", **skill)["action_id"]
    dice = [{"attribute": "sharpness"}]
    table.act(table.gm, "frame_state.call_test", test_type="proactive", mark=5, dice=dice, pilot=mara)
    rolled = table.act(table.player, "frame_state.roll_test", rolled=[[6, 5]])["action_id"]
    undone = undo(table, table.gm, raised)
    assert undone.status_code == 201, undone.text
    assert [event["type"] for event in undone.json()["events"]] == [
        "campaign.action_undone",
        "campaign.action_affected",
    ]
    entry = table.gm.get(f"{table.path}/actions/{rolled}").json()["action"]
    assert (entry["undone_in"], entry["affected_in"]) == (None, undone.json()["action_id"])


def test_a_dry_run_shows_what_then_happens_and_does_nothing(table: Table, mara: str):
    earned, _ = earn_and_spend(table, mara)
    before, seq = everything(table, table.gm), table.seq()
    shown = undo(table, table.gm, earned, dry_run=True, cascade=True)
    assert shown.status_code == 200, shown.text
    assert everything(table, table.gm) == before
    assert table.seq() == seq
    assert [each["because"] for each in shown.json()["undone"]] == ["asked", "depends"]
    was, will = (
        {each["path"]: each[when] for each in shown.json()["changes"]["sheets"][mara]}
        for when in ("before", "after")
    )
    undo(table, table.gm, earned, cascade=True)
    after = credits_of(table, mara)
    assert was["currency"] == next(each["currency"] for each in before["sheets"])
    assert will["currency"] == after


def test_the_ledger_shows_the_reversal_beside_what_it_reverses(table: Table, mara: str):
    gone = award(table, mara, 7)
    undone = undo(table, table.gm, gone).json()["action_id"]
    entries = table.gm.get(f"{table.path}/ledger/entries").json()["entries"]
    moved = [(each["action_id"], each["debit"], each["credit"], each["amount"]) for each in entries[-2:]]
    assert moved == [
        (gone, moved[0][1], f"pilot:{mara}", 7),
        (undone, f"pilot:{mara}", moved[0][1], 7),
    ]


def test_any_moment_can_be_read_as_people_saw_it_then(table: Table, mara: str):
    at_first, seq = credits_of(table, mara), table.seq()
    gone = award(table, mara, 7)
    with_it = table.seq()
    undo(table, table.gm, gone)
    assert credits_of(table, mara) == at_first
    assert credits_of(table, mara, at=seq) == at_first
    assert credits_of(table, mara, at=with_it) == at_first + 7  # the undo came later
    entry = table.gm.get(f"{table.path}/actions/{gone}").json()["action"]
    assert credits_of(table, mara, at=entry["at"]) == at_first + 7
    assert table.gm.get(f"{table.path}/sheets/{mara}", params={"at": entry["at"]}).json()["as_of"] == with_it


def test_the_table_of_the_ledger_and_the_dice_can_be_read_as_they_were(table: Table, mara: str):
    before = table.seq()
    table.act(table.gm, "campaign.roll", notation="d6")
    award(table, mara, 7)
    csv, csv_then = (
        table.gm.get(f"{table.path}/ledger/entries.csv", params=when).text for when in ({}, {"at": before})
    )
    assert len(csv.splitlines()) == len(csv_then.splitlines()) + 1
    assert table.gm.get(f"{table.path}/dice", params={"at": before}).json()["as_of"] == before


@pytest.mark.parametrize("at", ["soon", "-1", "2026-11-21T10:00:00", "9" * 30, "²"])
def test_a_moment_that_is_none_is_malformed(table: Table, at: str):
    response = table.gm.get(table.path, params={"at": at})
    assert (response.status_code, response.json()["code"]) == (400, "malformed")


def test_a_seq_that_has_not_happened_yet_is_refused(table: Table):
    response = table.gm.get(table.path, params={"at": 10_000})
    assert (response.status_code, response.json()["code"]) == (404, "moment_not_reached")


def test_why_lists_the_standing_events_that_moved_a_value(table: Table, mara: str):
    first = award(table, mara, 40)
    gone = award(table, mara, 7)
    undo(table, table.gm, gone)
    why = table.player.get(f"{table.path}/sheets/{mara}/why", params={"path": "currency"})
    assert why.status_code == 200, why.text
    moves = [(each["action_id"], each["before"], each["after"]) for each in why.json()["moves"]]
    assert moves[-1] == (first, moves[-1][2] - 40, credits_of(table, mara))
    assert gone not in [action for action, *_ in moves]
    balance = table.player.get(f"{table.path}/ledger/accounts/pilot:{mara}/why", params={"currency": "credits"})
    assert balance.json()["value"] == credits_of(table, mara)
    unknown = table.gm.get(f"{table.path}/sheets/{mara}/why", params={"path": "hat.colour"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "path_not_found")


def test_two_moments_differ_in_fields_and_in_words(table: Table, mara: str):
    start = table.seq()
    award(table, mara, 40)
    diff = table.player.get(f"{table.path}/diff", params={"from": start}).json()
    assert [each["path"] for each in diff["changes"]["sheets"][mara]] == ["currency"]
    assert [each["summary"] for each in diff["actions"]] == [["Mara was paid 40 credits (a find) and has 140"]]
    back = table.player.get(f"{table.path}/diff", params={"from": diff["to_seq"], "to": start}).json()
    assert back["changes"]["sheets"][mara][0]["after"] == diff["changes"]["sheets"][mara][0]["before"]


def test_the_chronicle_can_begin_at_a_moment(table: Table, mara: str):
    seq = table.seq()
    last = award(table, mara, 40)
    [entry] = table.gm.get(f"{table.path}/actions", params={"since": seq}).json()["actions"]
    assert entry["action_id"] == last
    later = table.gm.get(f"{table.path}/actions", params={"since": entry["at"]}).json()
    assert (later["actions"], later["next_after"]) == ([], None)


def test_an_action_tells_what_it_changed_then(table: Table, mara: str):
    action = award(table, mara, 40)
    award(table, mara, 2)
    changes = table.gm.get(f"{table.path}/actions/{action}").json()["changes"]
    [currency] = changes["sheets"][mara]
    assert currency["after"] - currency["before"] == 40


def test_players_undo_their_own_last_action_and_ask_for_the_rest(table: Table, mara: str):
    awarded = award(table, mara, 40)
    theirs = undo(table, table.player, awarded)
    assert (theirs.status_code, theirs.json()["code"]) == (403, "not_your_action")
    noted = table.act(table.player, "campaign.add_note", text="a")["action_id"]
    last = table.act(table.player, "campaign.add_note", text="b")["action_id"]
    older = undo(table, table.player, noted)
    assert (older.status_code, older.json()["code"]) == (403, "not_your_last_action")
    assert undo(table, table.player, last).status_code == 201
    assert undo(table, table.player, noted).status_code == 201
    rolled = table.act(table.player, "campaign.roll", notation="d6")["action_id"]
    fished = undo(table, table.player, rolled)
    assert (fished.status_code, fished.json()["code"]) == (403, "server_dice_rolled")
    table.act(table.gm, "campaign.set_setting", key="campaign.player_undo", value="nothing")
    at_all = undo(table, table.player, table.act(table.player, "campaign.add_note", text="c")["action_id"])
    assert (at_all.status_code, at_all.json()["code"]) == (403, "undo_needs_gm")


def test_asking_gms_for_something_leaves_ones_last_action_the_last(table: Table, mara: str):
    awarded = award(table, mara, 40)
    noted = table.act(table.player, "campaign.add_note", text="a")["action_id"]
    assert undo(table, table.player, awarded, "undo-request").status_code == 201
    assert undo(table, table.player, noted).status_code == 201


def test_nothing_is_asked_of_an_archived_campaign(table: Table):
    noted = table.act(table.player, "campaign.add_note", text="a")["action_id"]
    assert undo(table, table.gm, noted).status_code == 201
    assert table.gm.post(f"{table.path}/archive").status_code < 300
    refused = undo(table, table.player, noted, "undo-request")
    assert refused.json()["code"] == "campaign_archived", "before anything that is said of the action"


def test_a_gm_grants_an_undo_request_by_undoing_or_declines_it(table: Table, mara: str):
    rolled = table.act(table.player, "campaign.roll", notation="d6")["action_id"]
    asked = undo(table, table.player, rolled, "undo-request", reason="wrong die")
    assert asked.status_code == 201, asked.text
    waiting = {"kind": "undo_request", "subject": rolled, "waits_for": None}
    pending = table.gm.get(table.path).json()["pending"]
    assert waiting in [{key: each[key] for key in waiting} for each in pending]
    twice = undo(table, table.player, rolled, "undo-request")
    assert (twice.status_code, twice.json()["code"]) == (422, "already_requested")
    assert undo(table, table.gm, rolled, "undo-request/decline", reason="dice are dice").status_code == 201
    gone = undo(table, table.gm, rolled, "undo-request/decline")
    assert (gone.status_code, gone.json()["code"]) == (404, "no_undo_request")
    undo(table, table.player, rolled, "undo-request")
    assert undo(table, table.gm, rolled).status_code == 201
    assert table.gm.get(table.path).json()["pending"] == []


def test_new_dice_after_an_undo_are_pointed_out_and_the_first_ones_still_count(table: Table):
    table.act(table.gm, "campaign.set_setting", key="campaign.dice_after_undo", value="new")
    rolled = table.act(table.player, "campaign.roll", notation="d6")["action_id"]
    undo(table, table.gm, rolled)
    again = table.act(table.player, "campaign.roll", notation="d6")
    assert [event["type"] for event in again["events"]] == ["campaign.dice_rolled", "campaign.rolled_again"]
    third = table.act(table.player, "campaign.roll", notation="d6")
    assert [event["type"] for event in third["events"]] == ["campaign.dice_rolled"]
    statistics = table.gm.get(f"{table.path}/statistics").json()
    assert sum(person["rolls"] for person in statistics["people"]) == 3


def test_the_dice_of_an_undone_roll_come_back_to_whoever_rolled_them(table: Table):
    rolled = table.act(table.player, "campaign.roll", notation="3d20")
    undone = undo(table, table.gm, rolled["action_id"]).json()
    fallen = rolled["events"][0]["dice"]
    assert undone["events"][0]["dice"] == [{name: die[name] for name in DIE} for die in fallen]
    assert f"{fallen[0]['natural']} (d20), {fallen[1]['natural']} (d20)" in undone["summary"][0]
    others = table.act(table.gm, "campaign.roll", notation="3d20")
    assert [event["type"] for event in others["events"]] == ["campaign.dice_rolled"]
    assert [die["proof"] for die in others["events"][0]["dice"]] == ["open:1:3", "open:1:4", "open:1:5"]
    again = table.act(table.player, "campaign.roll", notation="3d20")
    assert again["events"][0]["dice"] == fallen
    assert again["events"][1:] == [
        {"seq": again["seq"], "type": "campaign.dice_came_back", "action_id": rolled["action_id"]}
    ]
    assert "The dice are those of a roll that was undone" in again["summary"]
    after = table.act(table.player, "campaign.roll", notation="3d20")
    assert [die["proof"] for die in after["events"][0]["dice"]] == ["open:1:6", "open:1:7", "open:1:8"]


def test_what_counts_again_keeps_its_dice_unless_they_were_rolled_since(table: Table):
    first = table.act(table.player, "campaign.roll", notation="d20")["action_id"]
    undo(table, table.gm, first)
    assert undo(table, table.gm, first, "redo").status_code == 201
    second = table.act(table.player, "campaign.roll", notation="d20")
    assert second["events"][0]["dice"][0]["proof"] == "open:1:1", "the first one counts again"
    undo(table, table.gm, first)
    assert table.act(table.player, "campaign.roll", notation="d20")["events"][0]["dice"][0]["proof"] == "open:1:0"
    refused = undo(table, table.gm, first, "redo")
    assert (refused.status_code, refused.json()["code"]) == (409, "dice_used_since")


def test_membership_and_undo_policy_are_not_undone(table: Table):
    joined = table.gm.get(f"{table.path}/actions").json()["actions"][1]["action_id"]
    refused = undo(table, table.gm, joined)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")
    for key, value in (("campaign.player_undo", "own"), ("campaign.dice_after_undo", "new")):
        setting = table.act(table.gm, "campaign.set_setting", key=key, value=value)["action_id"]
        refused = undo(table, table.gm, setting)
        assert (refused.status_code, refused.json()["code"]) == (409, "not_undoable")


def test_unknown_and_hidden_actions_answer_alike(table: Table, mara: str):
    hidden = table.gm.post(
        f"{table.path}/actions",
        {"command": {"type": "campaign.add_note", "text": "the mole is Mara"}, "visibility": "gm"},
    ).json()["action_id"]
    answers = [
        undo(table, table.player, action, what).json()
        for action in (hidden, "8e8b6a6e-0000-4000-8000-000000000000", "nonsense")
        for what in ("undo", "redo", "undo-request")
    ]
    assert {answer["code"] for answer in answers} == {"action_not_found"}
    assert undo(table, table.gm, hidden).status_code == 201


def test_an_idempotency_key_undoes_once_and_hears_the_first_answer_again(table: Table, mara: str):
    gone = award(table, mara, 7)
    path = f"{table.path}/actions/{gone}/undo"
    first = table.gm.post(path, {}, headers={"Idempotency-Key": "k"})
    again = table.gm.post(path, {}, headers={"Idempotency-Key": "k"})
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    other = table.gm.post(path, {"reason": "x"}, headers={"Idempotency-Key": "k"})
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")


def test_a_large_cascade_wants_its_number_confirmed(table: Table):
    catalogue = table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")["action_id"]
    table.act(table.player, "frame_state.create_pilot", name="Mara")
    pilot = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    founded = table.gm.get(f"{table.path}/actions", params={"type": "frame_state.create_pilot"}).json()["actions"]
    for amount in range(1, 22):
        award(table, pilot, amount)
    refused = undo(table, table.gm, founded[0]["action_id"], cascade=True)
    assert (refused.status_code, refused.json()["code"]) == (409, "confirm_cascade")
    count = refused.json()["details"]["count"]
    assert count == 21
    assert undo(table, table.gm, founded[0]["action_id"], cascade=True, confirm=count).status_code == 201
    assert table.gm.get(f"{table.path}/sheets").json()["sheets"] == []
    assert undo(table, table.gm, catalogue).status_code == 201


def test_an_undo_does_what_was_shown_or_nothing(table: Table, mara: str):
    """By the list and not by its length: one dependent gone and another come are as many."""
    earned, bought = earn_and_spend(table, mara)
    shown = undo(table, table.gm, earned, dry_run=True).json()["shown"]
    assert undo(table, table.gm, bought).status_code == 201
    other = undo(table, table.gm, earned, dry_run=True).json()["shown"]
    assert other != shown
    stale = undo(table, table.gm, earned, cascade=True, shown=shown)
    assert (stale.status_code, stale.json()["code"]) == (409, "confirm_cascade")
    table.act(table.gm, "campaign.add_note", text="Nothing to do with it.")
    assert undo(table, table.gm, earned, dry_run=True).json()["shown"] == other
    assert undo(table, table.gm, earned, shown=other).status_code == 201


@pytest.mark.parametrize("dry_run", [True, False])
def test_an_undo_that_would_change_too_much_is_refused_and_its_redo_is_not(table: Table, monkeypatch, dry_run):
    """A later action that goes and one that would come out otherwise count alike."""
    table.act(table.gm, "frame_state.define_catalogue", preset="playtest1.2")
    made = table.act(table.player, "frame_state.create_pilot", name="Mara")["action_id"]
    pilot = table.gm.get(f"{table.path}/sheets").json()["sheets"][0]["character"]
    for amount in (1, 2):
        award(table, pilot, amount)
    table.act(table.gm, "campaign.start_session")  # who flies is said in passing
    monkeypatch.setattr("domain.campaign.history.undo.CONSEQUENCES_MAX", 3)
    refused = undo(table, table.gm, made, cascade=True, dry_run=dry_run)
    assert (refused.status_code, refused.json()["code"]) == (409, "too_many_consequences")
    monkeypatch.setattr("domain.campaign.history.undo.CONSEQUENCES_MAX", 4)
    assert undo(table, table.gm, made, cascade=True).status_code == 201
    monkeypatch.setattr("domain.campaign.history.undo.CONSEQUENCES_MAX", 0)
    assert undo(table, table.gm, made, "redo").status_code == 201


def test_what_was_bought_for_a_frame_goes_with_it(table: Table, mara: str):
    """Without the loss the advance would be of the first frame: it was of another one, and depends on that."""
    first = table.act(table.player, "frame_state.create_unit", kind="frame", name="Old Rope")["action_id"]
    award(table, mara, 800)
    lost = table.act(table.gm, "frame_state.lose_frame")["action_id"]
    second = table.act(table.player, "frame_state.create_unit", kind="frame", name="New Rope")["action_id"]
    before = credits_of(table, mara)
    bought = table.act(table.player, "frame_state.advance_category", category="tuning")["action_id"]
    assert credits_of(table, mara) < before
    refused = undo(table, table.gm, lost)
    assert refused.json()["code"] == "has_dependents"
    assert [each["action_id"] for each in refused.json()["details"]["dependents"]] == [second, bought]
    assert undo(table, table.gm, lost, cascade=True).status_code == 201
    assert credits_of(table, mara) == before
    assert undo(table, table.gm, first, dry_run=True).status_code == 200


def test_what_happened_by_itself_goes_only_with_what_brought_it_about(table: Table, mara: str):
    timer = table.act(
        table.gm,
        "campaign.schedule_timer",
        title="Rent",
        after={"days": 3},
        clock="game",
        effect={
            "type": "post",
            "currency": "kitty",
            "debit": "world:harbour",
            "credit": "tin",
            "amount": 5,
            "new": True,
        },
    )["action_id"]
    days = table.act(table.gm, "campaign.advance_calendar", by={"days": 4})["action_id"]
    chronicle = table.gm.get(f"{table.path}/actions").json()["actions"]
    [fired] = [each["action_id"] for each in chronicle if each["cause"] == f"action:{timer}"]
    refused = undo(table, table.gm, fired)
    assert (refused.status_code, refused.json()["code"]) == (409, "happened_by_itself")
    assert refused.json()["details"]["cause"] == timer
    assert refused.json()["details"]["summary"]
    undone = undo(table, table.gm, days)
    assert undone.status_code == 201, undone.text
    assert table.act(table.gm, "campaign.advance_calendar", by={"days": 5})["events"]
    again = undo(table, table.gm, days, "redo")
    assert again.status_code == 201, again.text
