"""Scenes with secrets at a table of Angst, each as its GM reads it and as a player does who does not know."""

import json
from typing import Any

import pytest

from tests.services.angst_night import CORES, WHOLE, Night, night
from tests.services.conftest import Person

__all__ = ["night"]

GRADUAL = {"mode": "gradual"}


NOTHING: Any = ([], [], [], [])


def opposed(night: Night, *, faces: list[int], hers: list[int], **stakes: Any) -> Any:
    """Vane's hidden roll against Mara's open one; what the GM is told of its end."""
    dice = [[6, faces[0]], [8, faces[1]]]
    rolled = night.hide("make_test", character=night.vane, core="physical", opposed=True, rolled=dice)
    hidden = rolled["events"][0]["test_id"]
    called = night.act(night.gm, "angst.call_test", character=night.mara, core="physical", opposed=True, **stakes)
    night.act(night.player, "angst.make_test", rolled=[[6, hers[0]], [8, hers[1]]])
    sides = {"acting": {"test_id": called["events"][0]["test_id"]}, "opposing": {"test_id": hidden}}
    return night.act(night.gm, "angst.resolve_opposed", **sides), hidden


def test_a_hidden_opposed_roll_shows_who_won_and_nothing_of_who_it_was(night):
    told, hidden = opposed(night, faces=[5, 8], hers=[2, 4], crucial=GRADUAL)
    assert told["summary"] == [
        "Mara has 6, Vane 13: Vane beats Mara by 7",
        "Mara fell short by 7: Physical falls 2 steps to d4",
    ]
    summary = night.told(night.player)
    assert "Somebody unseen comes out on top against Mara" in summary
    assert "Mara fell short: Physical falls 2 steps to d4" in summary
    read = night.read_by_the_player()
    for secret in (hidden, night.vane, "Vane"):
        assert secret not in read
    [resolved] = night.events(night.player, "angst.opposed_test_resolved")
    assert resolved["winner"] == "opposing"
    assert resolved["acting_total"] == 6
    assert [resolved[each] for each in ("opposing", "opposing_character", "dn", "margin")] == [None] * 4
    [reduced] = night.events(night.player, "angst.core_reduced")
    assert (reduced["steps"], reduced["margin"]) == (2, None)
    for who in (night.gm, night.player):
        assert night.waiting(who) == NOTHING
        assert night.sheet(who, night.mara)["cores"]["physical"]["effective"] == "d4"
    assert "Vane" not in night.names(night.player)


def test_what_it_costs_a_hidden_loser_stays_hidden_and_goes_and_comes_back_with_it(night):
    hidden = night.hide("make_test", character=night.vane, core="physical", opposed=True, rolled=[[6, 1], [8, 1]])[
        "events"
    ][0]["test_id"]
    called = night.act(night.gm, "angst.call_test", character=night.mara, core="physical", opposed=True)
    night.act(night.player, "angst.make_test", rolled=[[6, 5], [8, 8]])
    acting = {"test_id": called["events"][0]["test_id"]}
    opposing = {"test_id": hidden, "crucial": GRADUAL}
    told = night.act(night.gm, "angst.resolve_opposed", acting=acting, opposing=opposing)

    def physical() -> str:
        core: str = night.sheet(night.gm, night.vane)["cores"]["physical"]["effective"]
        return core

    assert "Mara comes out on top against somebody unseen" in night.told(night.player)
    assert physical() == "d4"
    night.undo(told)
    assert physical() == "d8"
    assert [len(each) for each in night.waiting(night.player)] == [1, 0, 0, 1], "her own roll waits to be judged"
    night.redo(told)
    assert physical() == "d4"
    assert night.waiting(night.player) == night.waiting(night.gm) == NOTHING
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 5})
    assert physical() == "d8", "it heals unseen"
    read = night.read_by_the_player()
    for secret in (hidden, night.vane, "Vane", "core_reduced", "core_recovered"):
        assert secret not in read


def test_what_a_hidden_roll_costs_somebody_whom_all_know_is_read_by_all(night):
    made = night.act(night.gm, "angst.create_character", name="Ilse", kind="gmc", cores=CORES)
    ilse = made["events"][0]["character"]
    low, high = [[6, 1], [8, 1]], [[6, 5], [8, 8]]
    rolled = night.hide("make_test", character=night.mara, core="physical", opposed=True, rolled=low)
    shown = night.act(
        night.gm, "angst.make_test", character=ilse, core="physical", opposed=True, rolled=high, finalise=True
    )
    acting = {"test_id": next(each["test_id"] for each in shown["events"] if "test_id" in each)}
    opposing = {"test_id": rolled["events"][0]["test_id"], "crucial": GRADUAL}
    night.act(night.gm, "angst.resolve_opposed", acting=acting, opposing=opposing)
    for who in (night.gm, night.player):
        assert night.sheet(who, night.mara)["cores"]["physical"]["effective"] == "d4"
    [reduced] = night.events(night.player, "angst.core_reduced")
    assert (reduced["test_id"], reduced["margin"]) == (None, None)
    assert opposing["test_id"] not in night.read_by_the_player()


def test_two_hidden_rolls_are_compared_before_nobody(night):
    """There would be nothing to tell."""
    tests = [
        night.hide("make_test", character=who, core="mental", opposed=True)["events"][0]["test_id"]
        for who in (night.vane, night.mara)
    ]
    sides = {"acting": {"test_id": tests[0]}, "opposing": {"test_id": tests[1]}}
    assert night.refused(night.gm, "angst.resolve_opposed", **sides) == (422, "rests_on_hidden")
    assert night.refused(night.gm, "angst.cancel_test", test_id=tests[0]) == (422, "rests_on_hidden")
    night.hide("resolve_opposed", **sides)
    assert night.waiting(night.gm) == NOTHING


def test_a_look_around_for_a_players_character_is_read_by_gms_alone(night):
    night.act(night.player, "campaign.add_note", text="on watch")
    before = night.read_by_the_player()
    rolled = night.hide("make_test", character=night.mara, core="mental", dn=9, rolled=[[6, 5], [8, 6]])
    assert rolled["summary"][-1] == "Mara makes it with 2 to spare"
    assert night.waiting(night.player) == NOTHING
    assert night.sheet(night.player, night.mara) == night.sheet(night.gm, night.mara)
    read = night.read_by_the_player()
    assert read.count("Something happened that you cannot see") > before.count("Something happened that you")
    assert rolled["events"][0]["test_id"] not in read
    night.act(night.player, "campaign.roll", notation="d6", character=night.mara)


@pytest.fixture
def troubled(night: Night) -> Night:
    """Mara has two points of Pride that the GM alone knows of, and one that she knows of."""
    night.act(night.gm, "angst.avoid_angst", character=night.mara, candidates=["pride"], rolled=[[6, 1], [8, 1]])
    for _ in range(2):
        night.hide("avoid_angst", character=night.mara, candidates=["pride"], rolled=[[6, 1], [8, 1]])
    return night


def points(night: Night, who: Person) -> int:
    held: int = night.sheet(who, night.mara)["angst"]["pride"]["points"]
    return held


def test_hidden_angst_is_on_no_sheet_and_an_open_test_is_decided_as_things_are(troubled):
    night = troubled
    assert [points(night, who) for who in (night.gm, night.player)] == [3, 1]
    assert night.waiting(night.player) == NOTHING
    rolled = night.act(
        night.gm, "angst.avoid_angst", character=night.mara, candidates=["pride"], rolled=[[6, 4], [8, 5]]
    )
    [_, seen] = night.events(night.player, "angst.test_rolled")
    assert seen["dn"] == 10, "it is as hard as it is"
    assert [each["type"] for each in rolled["events"]] == [
        "angst.test_rolled",
        "angst.test_resolved",
        "angst.angst_gained",
    ]
    assert [points(night, who) for who in (night.gm, night.player)] == [4, 2]
    night.undo(rolled)
    assert [points(night, who) for who in (night.gm, night.player)] == [3, 1]
    night.redo(rolled)
    assert [points(night, who) for who in (night.gm, night.player)] == [4, 2]


def test_points_that_are_known_can_be_let_go_of_although_there_are_more(troubled):
    night = troubled
    bought = night.act(night.player, "angst.buy_angst_purge", angst="pride")
    assert bought["summary"][-1] == "Mara let go of the last of pride"
    assert [points(night, who) for who in (night.gm, night.player)] == [2, 0]
    night.undo(bought)
    assert [points(night, who) for who in (night.gm, night.player)] == [3, 1]


def test_a_test_that_everybody_waits_for_ends_although_there_is_more_than_they_know(troubled):
    night = troubled
    night.act(night.gm, "angst.record_positive_event", character=night.mara)
    purge = {"angst": "pride", "trigger": "positive_event", "finalise": False}
    night.act(night.player, "angst.purge_angst", rolled=[[6, 6], [8, 8]], **purge)
    ended = night.act(night.gm, "angst.finalise_test")
    assert [each["type"] for each in ended["events"]] == ["angst.test_resolved", "angst.angst_purged"]
    assert [points(night, who) for who in (night.gm, night.player)] == [1, 0]
    assert night.waiting(night.player) == NOTHING


def test_hidden_harm_heals_unseen_and_harm_that_is_seen_heals_before_everybody(night):
    def physical() -> list[str]:
        sheets = [night.sheet(who, night.mara) for who in (night.gm, night.player)]
        return [each["cores"]["physical"]["effective"] for each in sheets]

    night.hide("set_core", character=night.mara, core="physical", effective="d6")
    night.act(night.gm, "campaign.advance_calendar", by={"minutes": 30})
    failed = night.act(
        night.gm, "angst.make_test", character=night.mara, core="physical", dn=6, crucial=GRADUAL,
        rolled=[[6, 1], [6, 1]],
    )  # fmt: skip
    assert [each["type"] for each in failed["events"]][-1] == "angst.core_reduced"
    assert physical() == ["d4", "d6"]
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 1})
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 1})
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 1})
    assert physical() == ["d8", "d8"]
    assert len(night.events(night.player, "angst.core_recovered")) == 1
    assert len(night.events(night.gm, "angst.core_recovered")) == 2


def test_an_npc_that_is_named_openly_is_seen_from_then_on_as_they_are(night):
    night.hide("set_core", character=night.vane, core="physical", effective="d4")
    night.hide("award_story_points", character=night.vane, amount=2, why="she waits in the rain")
    secret = night.events(night.gm, "angst.core_adjusted")[0]
    told = night.act(
        night.gm, "angst.make_test", character=night.vane, core="physical", dn=5, rolled=[[6, 3], [4, 3]]
    )
    assert told["events"][0]["type"] == "angst.character_entered"
    assert "Vane came into play" in night.told(night.player)
    assert night.sheet(night.player, night.vane) == night.sheet(night.gm, night.vane)
    assert night.names(night.player) == ["Mara", "Vane"]
    read = night.read_by_the_player()
    assert "she waits in the rain" not in read, "her past stays hidden"
    [entered] = night.events(night.player, "angst.character_entered")
    assert secret["recorded"]["action_id"] not in json.dumps(entered["sheet"])
    for who in (night.gm, night.player):
        page = who.get(f"{night.path}/ledger/accounts").json()
        held = {each["account"]: each["balance"] for each in page["accounts"]}
        assert held[f"character:{night.vane}"] == 5
        assert page["drift"] == []
        assert who.get(night.path).json()["alarms"] == []
    night.undo(told)
    assert night.names(night.player) == ["Mara", "Vane"], "who was seen stays seen"
    night.redo(told)
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 3})
    assert night.sheet(night.player, night.vane) == night.sheet(night.gm, night.vane)
    assert "Vane recovers: Physical is back at d8" in night.told(night.player)
    [healed, *_] = night.events(night.player, "angst.core_recovered")
    assert secret["recorded"]["action_id"] not in json.dumps(healed)
    night.act(night.gm, "angst.reach_milestone")
    assert "Mara and Vane reached a Milestone and may each try to let go of some Angst" in night.told(night.player)


def test_a_doom_clock_runs_out_unseen(night):
    timer = {
        "type": "campaign.schedule_timer",
        "title": "The tide is here",
        "after": {"hours": 2},
        "clock": "game",
    }
    scheduled = night.gm.post(f"{night.path}/actions", {"command": timer, "visibility": "gm"})
    assert scheduled.status_code == 201, scheduled.text
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 1})
    assert night.player.get(f"{night.path}/timers").json()["timers"] == []
    told = night.act(night.player, "campaign.roll", notation="d6")
    assert told["pending"] == []
    night.act(night.gm, "campaign.advance_calendar", by={"hours": 1})
    assert "The tide is here" in json.dumps(night.told(night.gm))
    assert "tide" not in night.read_by_the_player()


def effective(night: Night, who: Person) -> str:
    die: str = night.sheet(who, night.mara)["cores"]["physical"]["effective"]
    return die


@pytest.mark.parametrize(("hidden", "openly"), [("d4", "d6"), ("d6", "d4"), ("d6", "d6")])
def test_a_core_over_hidden_harm_is_set_openly_and_what_is_left_to_do_follows_hidden(night, hidden, openly):
    """Issue 20: the table reads it become so from what it knows, and in truth it is so, too."""
    night.hide("set_core", character=night.mara, core="physical", effective=hidden)
    night.act(night.gm, "angst.set_core", character=night.mara, core="physical", effective=openly)
    assert [effective(night, who) for who in (night.gm, night.player)] == [openly] * 2
    [told] = night.events(night.player, "angst.core_adjusted")
    assert told["effective"] == openly
    note = night.act(night.gm, "campaign.add_note", text="x")
    [undone, *more] = night.undo(note)["events"]
    assert (undone["type"], more) == ("campaign.action_undone", [])
    first = night.gm.get(f"{night.path}/actions", params=WHOLE).json()["actions"]
    harm = next(each["action_id"] for each in first if each["type"] == "angst.set_core")
    shown = night.gm.post(f"{night.path}/actions/{harm}/undo", {"dry_run": True}).json()
    assert [each["because"] for each in shown["undone"]] == ["asked"]


@pytest.mark.parametrize(
    ("secrets", "follows"),
    [
        (["gm d4"], [0, 0]),
        (["player d4"], [1, 0]),
        (["player d4", "gm d0"], [1, 0]),
        (["gm d4", "player d0"], [1, 0]),
        (["player d6"], [1, 0]),
        (["player d4", "other d0"], [1, 1]),
    ],
)
def test_a_core_set_openly_is_so_for_all_and_what_follows_is_read_where_it_was_known(night, secrets, follows):
    """One player reads what is left of what they knew alone, and no player what is left of what GMs knew."""
    other = Person(night.gm.client, "Cleo")
    code = night.gm.post(f"{night.path}/invites", {"role": "player"}).json()["code"]
    assert other.post(f"/invites/{code}/accept").status_code == 201
    readers = {"gm": "gm", "player": f"account:{night.player.account_id}", "other": f"account:{other.account_id}"}
    for secret in ("player mental d6", "other mental d6", *(each.replace(" ", " physical ") for each in secrets)):
        who, core, die = secret.split()
        core_set = {"type": "angst.set_core", "character": night.mara, "core": core, "effective": die}
        answer = night.gm.post(f"{night.path}/actions", {"command": core_set, "visibility": readers[who]})
        assert answer.status_code == 201, answer.text
    night.act(night.gm, "angst.set_core", character=night.mara, core="physical", effective="d6")
    assert [effective(night, who) for who in (night.gm, night.player, other)] == ["d6"] * 3
    read = [night.events(who, "angst.core_adjusted") for who in (night.player, other)]
    causes = [[each["recorded"]["cause"] for each in events if each["core"] == "physical"] for events in read]
    assert [sum(cause.startswith("action:") for cause in those) for those in causes] == follows


def test_a_relationship_becomes_openly_what_it_is_hidden_already(night):
    """Issue 20."""
    grade = {"character": night.mara, "target": "the harbour", "grade": "B"}
    night.hide("set_relationship", **grade)
    night.act(night.gm, "angst.set_relationship", **grade)
    [read, known] = [json.dumps(night.sheet(who, night.mara)["relationships"]) for who in (night.player, night.gm)]
    assert "the harbour" in read
    assert read == known
    note = night.act(night.gm, "campaign.add_note", text="x")
    assert len(night.undo(note)["events"]) == 1


def test_what_awaits_a_hidden_test_says_that_it_has_to_be_asked_hidden(night):
    night.hide("call_test", character=night.vane, core="mental", dn=9)
    for page in ("", "/boards/angst/scene"):
        read = night.gm.get(f"{night.path}{page}").json()
        [waiting] = read["waits_for" if page else "pending"]
        assert (waiting["kind"], waiting["hidden"]) == ("make_test", True)
    command = waiting["answers"][0]["command"]
    assert night.refused(night.gm, command.pop("type"), **command) == (422, "rests_on_hidden")
    night.hide("make_test", **command, rolled=[[6, 4], [8, 6]])
    assert night.gm.get(night.path).json()["pending"] == []


def test_a_test_that_is_rolled_for_one_player_stays_until_it_is_compared(night):
    """What was told of its end stood ahead of its roll, which is hidden from them: the GM lost it."""
    vanes = [[6, 3], [8, 5]]
    rolled = night.hide("make_test", character=night.vane, core="physical", opposed=True, rolled=vanes)
    sheet = {"kind": "gmc", "cores": CORES, "angst": {"pride": 2}}
    ilse = night.act(night.gm, "angst.create_character", name="Ilse", **sheet)["events"][0]["character"]
    fields = {"character": ilse, "core": "physical", "opposed": True, "tap": {"angst": "pride", "use": "negative"}}
    body = {"command": {"type": "angst.make_test", **fields}, "visibility": f"account:{night.player.account_id}"}
    made = night.gm.post(f"{night.path}/actions", body)
    assert made.status_code == 201, made.text
    hers, vanes_own = (each["events"][-1]["test_id"] for each in (made.json(), rolled))
    night.hide("resolve_opposed", acting={"test_id": hers}, opposing={"test_id": vanes_own})
    assert [each["acting"] for each in night.events(night.gm, "angst.opposed_test_resolved")] == [hers]
    assert night.waiting(night.gm) == night.waiting(night.player) == NOTHING
