"""A group that is already playing brings its sheets, and goes on as if nothing had happened."""

import json
from collections import Counter
from copy import deepcopy
from typing import Any

import msgspec
import pytest
from hypothesis import given

from domain.campaign.command_request import ActRequest
from domain.campaign.commands import AddNote, AdoptCharacter, RemoveMember, SetSetting
from domain.campaign.messages.character_arrivals import (
    AgreeToArrival,
    ArrivalAgreed,
    ArrivalAsked,
    DeclineArrival,
)
from domain.campaign.money.ledger import postings
from domain.campaign.pending_choices import pending
from domain.campaign.play.character_import import ARRIVALS_MAX, ARRIVALS_OF_ONE_MAX
from domain.campaign.state import Arrival
from domain.campaign.storage import event_codec
from domain.event_store_types import Head
from domain.ids import ActionId, CampaignId, SystemId
from domain.rejection import Rejection
from domain.systems import SYSTEMS
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from projections.campaign.pending_choices import choices_of
from projections.narration import tell
from projections.systems import SYSTEM_VIEWS
from projections.systems.frame_state.sheet import sheet
from tests.campaign_played import CampaignPlayed, person
from tests.domain.frame_state.random_play import EXAMPLES, SETTINGS, play
from tests.domain.frame_state.table import CATALOGUE, Table
from tests.domain.random_play import CHANCES

FRAME = SystemId("frame_state")


def drawn(state: Any, pilot: str) -> Any:
    """A sheet as it comes over the wire."""
    return json.loads(msgspec.json.encode(sheet(state, pilot)))


def but_for_ids(found: Any) -> Any:
    """A sheet with frames called by their place, without what only the old campaign knows."""
    frames = {frame["frame_id"]: f"frame {nth}" for nth, frame in enumerate(found["frames"])}
    for frame in found["frames"]:
        frame["frame_id"] = frames[frame["frame_id"]]
        frame["replaced_by"] = frames.get(frame["replaced_by"])
    return {
        **found,
        "active_frame": frames.get(found["active_frame"]),
        "pilot_id": "",
        "player": "",
        "mission": None,
        "open_tests": [],
    }


@EXAMPLES
@given(SETTINGS, CHANCES)
def test_an_adopted_character_has_the_sheet_it_came_with(house_rules, chance):
    old = play(house_rules, chance)
    for pilot in old.state.pilots:
        fresh = Table(house_rules)
        fresh.do("handler", CATALOGUE)
        given_out = drawn(old.state, pilot)
        before = deepcopy(given_out)
        [event] = FRAME_STATE.adopt(fresh.state, given_out, fresh.context("mara", None))
        assert given_out == before
        assert msgspec.json.decode(msgspec.json.encode(event), type=FRAME_STATE.events) == event
        fresh.state = FRAME_STATE.evolve(fresh.state, event)
        assert but_for_ids(drawn(fresh.state, event.pilot_id)) == but_for_ids(given_out)
        balances: Counter[tuple[str, str]] = Counter()
        for posting in postings(event):
            balances[posting.credit, posting.currency] += posting.amount
            balances[posting.debit, posting.currency] -= posting.amount
        assert balances[f"pilot:{event.pilot_id}", "credits"] == given_out["currency"]
        for frame in event.frames:
            assert balances[f"frame:{frame.frame_id}", "refit_credit"] == frame.refit_credit
        assert sum(balances.values()) == 0


def test_what_is_played_after_an_adoption_leaves_its_event_alone(mara):
    table = Table()
    table.do("handler", CATALOGUE)
    [event] = FRAME_STATE.adopt(table.state, {**mara, "player": str(person("mara"))}, table.context("mara", None))
    before = deepcopy(event)
    table.state = FRAME_STATE.evolve(table.state, event)
    table.do("mara", c.AllocatePoint(category="skills", attribute="smarts"))
    table.do("mara", c.AdvanceCategory(category="tuning"))
    table.do("handler", c.LoseFrame())
    assert event == before


@pytest.fixture
def played() -> CampaignPlayed:
    played = CampaignPlayed()
    played.do("ana", CATALOGUE)
    return played


@pytest.fixture
def mara() -> Any:
    """A pilot of another campaign: 95 credits, a wreck and its successor, an experimental part."""
    table = Table()
    pilot = table.pilot("mara")
    table.do("handler", c.AwardCurrency(amount=1000, reason="luck", pilot=pilot))
    table.do("mara", c.AllocatePoint(category="skills", attribute="sharpness"))
    table.do("mara", c.AdvanceCategory(category="skills"))
    table.do("mara", c.AdvanceCategory(category="tuning"))
    table.do("handler", c.InstallExperimental(attribute="aim_assist", value=2))
    table.do("handler", c.LoseFrame())
    table.do("mara", c.CreateUnit(kind="frame", name="Second"))
    table.do("handler", c.ReplaceFrame())
    return drawn(table.state, pilot)


def adopted(played: CampaignPlayed, given_out: Any, who: str = "ben") -> Any:
    """The character is brought in; where a player asks, the GM agrees."""
    [event] = played.do(who, AdoptCharacter(FRAME, given_out))
    if isinstance(event, ArrivalAsked):
        [agreed, event] = played.do("ana", AgreeToArrival(event.arrival))
        assert isinstance(agreed, ArrivalAgreed)
    return event


def test_a_player_brings_a_character_for_themselves(played, mara):
    event = adopted(played, {"as_of": 40, "character": mara["pilot_id"], "system": "frame_state", "sheet": mara})
    assert event.player_id == person("ben")
    assert str(tell(event, played.name)) == (
        "Mara came over from another campaign, played by Ben, with 795 credits, 49 points, 1 experimental part "
        "(+2), Frame of mara and Second"
    )
    state = played.state.systems[FRAME]
    assert but_for_ids(drawn(state, event.pilot_id)) == but_for_ids(mara)
    assert state.active_frame(state.pilots[event.pilot_id]).name == "Second"
    assert played.state.balances["world:adoption"] == {"credits": -795}
    assert played.state.balances[f"pilot:{event.pilot_id}"] == {"credits": 795}


def test_a_gm_brings_a_character_for_whoever_its_sheet_names(played, mara):
    assert adopted(played, mara, "ana").player_id is None
    assert adopted(played, {**mara, "player": str(person("cleo"))}, "ana").player_id == person("cleo")
    assert adopted(played, {**mara, "player": ["cleo"]}, "ana").player_id is None
    assert adopted(played, {**mara, "player": str(person("cleo"))}, "ben").player_id == person("ben")


RICH: Any = {
    "name": "Jun",
    "currency": 999_999,
    "pools": {"skills": {"granted": 12}},
    "attributes": {"sharpness": {"experimental": [3, 3]}},
    "background": "Ran from home.",
}


def test_what_a_player_brings_waits_for_a_gm_with_all_that_comes_along(played):
    [asked] = played.do("ben", AdoptCharacter(FRAME, RICH))
    assert played.state.systems[FRAME].pilots == {}
    assert played.state.balances == {}
    words = (
        "Ben asks to bring in Jun, with 999,999 credits, 12 points, 2 experimental parts (+6 in all) and no frame"
    )
    assert str(tell(asked, played.name)) == words
    [waiting] = choices_of(played.state, played.name)
    assert (waiting.kind, waiting.waits_for, waiting.told) == ("agree_to_arrival", None, words)
    for who in ("ben", "cleo"):
        assert played.refusal(who, AgreeToArrival(asked.arrival)) == "gm_only"
    assert played.refusal("cleo", DeclineArrival(asked.arrival)) == "gm_only"
    played.do("ana", AgreeToArrival(asked.arrival))
    [jun] = played.state.systems[FRAME].pilots.values()
    assert (jun.name, jun.player_id, jun.currency) == ("Jun", person("ben"), 999_999)
    assert jun.background == "Ran from home."
    assert pending(played.state) == []
    assert played.refusal("ana", AgreeToArrival(asked.arrival)) == "unknown_arrival"


@pytest.mark.parametrize("who", ["ben", "ana"])
def test_a_character_that_is_declined_or_withdrawn_does_not_come_in(played, who):
    [asked] = played.do("ben", AdoptCharacter(FRAME, RICH))
    [over] = played.do(who, DeclineArrival(asked.arrival, "too rich"))
    told = {"ben": "Ben no longer asks to bring in Jun: too rich", "ana": "Jun does not come in: too rich"}
    assert str(tell(over, played.name)) == told[who]
    assert played.state.systems[FRAME].pilots == {}
    assert pending(played.state) == []


def test_where_the_setting_says_so_a_player_brings_a_character_in_at_once(played):
    played.do("ana", SetSetting("campaign.adoption_approval", "none"))
    [event] = played.do("ben", AdoptCharacter(FRAME, RICH))
    assert event.name == "Jun"


def test_a_player_who_has_left_meanwhile_plays_nobody(played):
    [asked] = played.do("ben", AdoptCharacter(FRAME, RICH))
    played.do("ben", RemoveMember(person("ben")))
    played.do("ana", AgreeToArrival(asked.arrival))
    [jun] = played.state.systems[FRAME].pilots.values()
    assert jun.player_id is None


def test_only_so_many_characters_wait_at_once(played):
    for nth in range(ARRIVALS_MAX):
        played.state.arrivals[f"arrival-{nth}"] = Arrival(f"arrival-{nth}", FRAME, person("kim"), "Jun", {}, [])
    assert played.refusal("cleo", AdoptCharacter(FRAME, RICH)) == "too_many_arrivals"
    assert played.do("ana", AdoptCharacter(FRAME, RICH))


def test_no_player_takes_all_the_places_of_those_who_wait(played):
    asked = [played.do("ben", AdoptCharacter(FRAME, RICH))[0] for _ in range(ARRIVALS_OF_ONE_MAX)]
    assert played.refusal("ben", AdoptCharacter(FRAME, RICH)) == "too_many_arrivals"
    assert played.do("cleo", AdoptCharacter(FRAME, RICH))
    played.do("ben", DeclineArrival(asked[0].arrival))
    assert played.do("ben", AdoptCharacter(FRAME, RICH))


def test_the_texts_of_a_sheet_that_waits_can_be_erased(played):
    request = ActRequest(AdoptCharacter(FRAME, RICH))
    [asked] = played.do("ben", request.command)
    draft = event_codec.Draft(
        CampaignId(person("campaign")), ActionId(person("action")), 0, 0, None, "request", "all"
    )
    row = event_codec.seal(draft, Head(0, bytes(32), 0), asked, request, bytes(range(32)))
    assert b"Ran from" not in (row.command or b"") + row.body
    assert event_codec.decode_event(row) == asked
    assert event_codec.decode_event(msgspec.structs.replace(row, texts=None)).sheet["background"] == "erased"


def test_a_short_sheet_is_enough(played):
    event = adopted(played, {"name": "Jun", "attributes": {"sharpness": {"invested": 2}}})
    assert event.build.pools["skills"].granted == 7
    assert drawn(played.state.systems[FRAME], event.pilot_id)["pools"]["skills"]["unspent"] == 5


def changed(found: Any, path: str, value: Any) -> Any:
    """The sheet with one thing in it changed."""
    found = deepcopy(found)
    *way, last = path.split("/")
    part = found
    for key in way:
        part = part[int(key) if isinstance(part, list) else key]
    part[int(last) if isinstance(part, list) else last] = value
    return found


@pytest.mark.parametrize(
    ("path", "value", "code", "told"),
    [
        ("name", "", "sheet_invalid", "name"),
        ("name", 7, "sheet_invalid", "name"),
        ("currency", 10**12, "sheet_invalid", "currency"),
        ("currency", 1.5, "sheet_invalid", "currency"),
        ("pools/skills/granted", -1, "sheet_invalid", "pools.skills.granted"),
        ("pools/skills/advances", 6, "advance_limit_reached", "pools.skills.advances"),
        ("pools/skills/maximum", 99, "sheet_invalid", "pools.skills.maximum"),
        ("pools/skills/unspent", 0, "sheet_invalid", "pools.skills.unspent"),
        ("pools/tuning", {"granted": 1}, "unknown_category", "pools.tuning"),
        ("pools/luck", {"granted": 1}, "unknown_category", "pools.luck"),
        ("attributes/sharpness/invested", 5, "sheet_invalid", "attributes.sharpness.grade"),
        ("attributes/sharpness", {"invested": 5}, "attribute_above_maximum", "attributes.sharpness.invested"),
        ("attributes/sharpness/base", 2, "sheet_invalid", "attributes.sharpness.base"),
        ("attributes/sharpness/type", "val", "sheet_invalid", "attributes.sharpness.type"),
        ("attributes/aim_assist", {"invested": 1}, "unknown_attribute", "attributes.aim_assist"),
        ("attributes/smarts/experimental", [4], "experimental_out_of_range", "attributes.smarts.experimental[0]"),
        ("frames/0/status", "active", "frame_already_active", "frames"),
        ("frames/0/status", "lost", "sheet_invalid", "frames[0].replaced_by"),
        ("frames/0/replaced_by", "frame-x", "sheet_invalid", "frames[0].replaced_by"),
        ("frames/0/upgrade_cost_total", 1, "sheet_invalid", "frames[0].upgrade_cost_total"),
        ("frames/0/upgrade_costs", {"skills": 305}, "unknown_category", "frames[0].upgrade_costs.skills"),
        ("frames/1/salvaged", True, "sheet_invalid", "frames[1].salvaged"),
        ("frames/1/name", " ", "sheet_invalid", "frames[1].name"),
        ("frames/1/pools/tuning/granted", 0, "sheet_invalid", "frames[1].pools.tuning.maximum"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_its_place(played, mara, path, value, code, told):
    command = AdoptCharacter(FRAME, changed(mara, path, value))
    with pytest.raises(Rejection, match=r"The sheet") as refused:
        played.do("ben", command)
    assert (refused.value.code, refused.value.details["path"]) == (code, told)


def test_more_points_than_there_are_cannot_be_placed(played):
    placed = {"sharpness": {"invested": 4}, "smarts": {"invested": 4}}
    assert (
        played.refusal("ben", AdoptCharacter(FRAME, {"name": "Jun", "attributes": placed})) == "points_overspent"
    )


def test_what_the_campaign_refuses_about_a_sheet(played, mara):
    deep: Any = []
    for _ in range(20):
        deep = [deep]
    for command, code in (
        (AdoptCharacter(SystemId("chess"), mara), "unknown_system"),
        (AdoptCharacter(FRAME, {"system": "angst", "sheet": mara}), "sheet_invalid"),
        (AdoptCharacter(FRAME, {**mara, "notes": deep}), "sheet_invalid"),
        (AdoptCharacter(FRAME, {}), "sheet_invalid"),
    ):
        assert played.refusal("ben", command) == code
    assert played.refusal("olaf", AdoptCharacter(FRAME, mara)) == "observers_only_read"
    assert CampaignPlayed().refusal("ben", AdoptCharacter(FRAME, mara)) == "no_catalogue"


def test_a_background_in_an_adopted_sheet_can_be_erased(played, mara):
    request = ActRequest(AdoptCharacter(FRAME, {"sheet": {**mara, "background": "Ran from home."}}))
    draft = event_codec.Draft(
        CampaignId(person("campaign")), ActionId(person("action")), 0, 0, None, "request", "all"
    )
    event = adopted(played, request.command.sheet)
    row = event_codec.seal(draft, Head(0, bytes(32), 0), event, request, bytes(range(32)))
    assert b"Ran from" not in (row.command or b"") + row.body
    assert event_codec.decode_event(row) == event
    assert event_codec.decode_request(row) == msgspec.to_builtins(request, enc_hook=str) | {}
    erased = msgspec.structs.replace(row, texts=None)
    assert event_codec.decode_event(erased).background == "erased"
    told = event_codec.decode_request(erased)
    assert told is not None
    assert told["command"]["sheet"]["sheet"]["background"] == "erased"
    plain = event_codec.seal(draft, Head(0, bytes(32), 0), event, ActRequest(AddNote(text="hi")), bytes(range(32)))
    assert event_codec.decode_request(plain) is not None


@pytest.mark.parametrize("system", SYSTEMS)
def test_in_every_system_that_has_sheets_a_players_character_waits_and_is_told(system):
    played = CampaignPlayed(system)
    sheets: Any = SYSTEMS[system].candidates.get("sheet")
    brings: Any = SYSTEM_VIEWS[system].brings
    assert (sheets is None) == (brings is None)
    if system == FRAME:
        played.do("ana", CATALOGUE)
    [blank] = ({"name": "Jun"},) if sheets is None else sheets(played.state.systems[system], {}, None)
    command = AdoptCharacter(system, {**blank, "name": "Jun"})
    if sheets is None:
        assert played.refusal("ben", command) == "no_characters"
        return
    [asked] = played.do("ben", command)
    assert SYSTEMS[system].characters(played.state.systems[system]) == []
    [_, event, *_] = played.do("ana", AgreeToArrival(asked.arrival))
    [jun] = SYSTEMS[system].characters(played.state.systems[system])
    assert (jun.name, jun.player) == ("Jun", person("ben"))
    along = str(brings(event))
    assert str(tell(event, played.name)).endswith(along)
    assert str(tell(asked, played.name)) == f"Ben asks to bring in Jun, with {along}"
