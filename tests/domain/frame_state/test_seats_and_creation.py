"""Who sits at the table, the catalogue they play with, and what they bring into play (FS-1, FS-3)."""

import pytest
from msgspec import structs

from domain import lifecycle_events
from domain.campaign.history.redecided_outcome import _as_of_old
from domain.ids import CharacterId
from domain.rejection import Rejection
from domain.systems.frame_state import FRAME_STATE
from domain.systems.frame_state import commands as c
from domain.systems.frame_state.settings import Settings
from domain.systems.frame_state.tables import LISTS_TO_BEGIN_WITH, PRESETS
from tests.domain.frame_state.table import CATALOGUE, Table
from tests.domain.system_table import person
from tests.scripted_dice import ScriptedDice

SESSION = lifecycle_events.SessionStarted(session_id="session-1", number=1, present=[])


def refused(table, moment):
    with pytest.raises(Rejection) as refusal:
        table.follow(moment)
    return refusal.value.code


def test_the_creator_of_a_campaign_is_its_handler():
    assert Table().state.handler == person("handler")


def test_the_handlers_seat_is_given_up_before_it_is_taken():
    table = Table()
    take = c.AssignRole(player=person("jun"), role="handler")
    assert table.refusal("handler", take) == "handler_exists"
    table.do("handler", c.AssignRole(player=person("handler"), role="pilot"))
    table.do("handler", take)
    assert table.state.handler == person("jun")


def at(table, **members):
    """The table with its members known: who is what in the campaign."""
    table.members = {person(name): role for name, role in members.items()}
    return table


def test_only_a_gm_holds_the_handlers_seat():
    table = at(Table(), handler="gm", jun="player", mara="gm")
    table.do("handler", c.AssignRole(player=person("handler"), role="pilot"))
    assert table.refusal("handler", c.AssignRole(player=person("jun"), role="handler")) == "handler_not_a_gm"
    table.do("handler", c.AssignRole(player=person("mara"), role="handler"))
    assert table.state.handler == person("mara")


@pytest.mark.parametrize("members", [{"mara": "gm"}, {"mara": "gm", "handler": "player"}])
def test_a_handler_who_left_or_is_no_gm_any_more_leaves_the_seat_empty(members):
    table = Table()
    table.do("handler", c.AssignRole(player=person("jun"), role="pilot"))
    at(table, **members)
    assert refused(table, SESSION) == "handler_required"
    table.do("handler", c.AssignRole(player=person("mara"), role="handler"))
    assert table.state.handler == person("mara")
    assert table.follow(SESSION)


def test_a_player_has_one_seat():
    table = Table()
    table.do("handler", c.AssignRole(player=person("handler"), role="pilot"))
    table.do("handler", c.AssignRole(player=person("handler"), role="handler"))
    assert table.state.pilot_seats == []


def test_players_do_not_assign_seats():
    assert Table().refusal("mara", c.AssignRole(player=person("mara"), role="pilot")) == "not_the_handler"


def test_a_session_needs_a_pilot():
    assert refused(Table(), SESSION) == "pilot_required"


def test_a_pilots_seat_is_enough_for_a_first_session():
    table = Table()
    table.do("handler", c.AssignRole(player=person("mara"), role="pilot"))
    [started] = table.follow(SESSION)
    assert started.pilots == []
    assert started.warning == "The company has one pilot; 4 to 6 are recommended."


def test_a_session_needs_a_handler():
    table = Table()
    table.pilot()
    table.do("handler", c.AssignRole(player=person("handler"), role="pilot"))
    assert refused(table, SESSION) == "handler_required"


def test_a_large_company_is_warned_of_but_plays():
    table = Table()
    pilots = [table.pilot(who) for who in ("a", "b", "c", "d", "e", "f", "g")]
    [started] = table.follow(SESSION)
    assert started.pilots == sorted(pilots)
    assert started.warning == "The company has 7 pilots; 4 to 6 are recommended."


def test_other_moments_of_the_campaign_are_not_the_systems():
    assert Table().follow(lifecycle_events.SceneStarted(scene_id="scene-1")) == []


def test_a_catalogue_may_be_written_again_until_a_sheet_uses_it():
    table = Table()
    table.do("handler", CATALOGUE)
    table.do("handler", c.DefineCatalogue(preset="playtest1.2"))
    table.do("mara", c.CreatePilot(name="Mara"))
    assert table.refusal("handler", CATALOGUE) == "catalogue_in_use"


def test_a_frame_uses_the_catalogue_though_its_pilot_is_gone():
    """FS-C1: an undo may have taken the pilot away."""
    table = Table()
    table.pilot("mara")
    table.state.pilots.clear()
    assert table.refusal("handler", CATALOGUE) == "catalogue_in_use"


def test_a_campaign_completes_a_preset():
    draft = c.CategoryDraft(cost=500, attributes={"speed": c.BaseAttribute("val", 1)})
    [defined] = Table().do(
        "handler", c.DefineCatalogue(preset="playtest1.2", categories={"tuning": draft}, new_frame_price=10)
    )
    tuning = defined.categories["tuning"]
    assert (tuning.cost, tuning.starting_points, tuning.attributes["speed"].base) == (500, 20, 1)
    assert (defined.new_frame_price, defined.starting_currency) == (10, 100)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_alone_has_room_for_every_point_that_can_ever_be_placed(preset):
    table = Table()
    [defined] = table.do("handler", c.DefineCatalogue(preset=preset))
    for id_, category in defined.categories.items():
        room = sum(5 - each.base for each in category.attributes.values())
        assert room >= category.starting_points + category.advance_limit, id_
    assert defined.short_of_room == []
    table.pilot("mara")
    for id_, category in defined.categories.items():
        places = [key for key, each in category.attributes.items() for _ in range(each.base, 5)]
        for attribute in places[: category.starting_points]:
            table.do("mara", c.AllocatePoint(category=id_, attribute=attribute))


def test_lists_to_begin_with_fill_only_what_nobody_names():
    drafts = {
        "tuning": c.CategoryDraft(attributes={"speed": c.BaseAttribute("val"), "cannon": c.BaseAttribute("die")}),
        "expansions": c.CategoryDraft(attributes={}),
        "crew": c.CategoryDraft(owner="pilot", cost=100, advance_limit=2, starting_points=3),
    }
    [defined] = Table().do("handler", c.DefineCatalogue(preset="playtest1.2", categories=drafts))
    found = {id_: set(each.attributes) for id_, each in defined.categories.items()}
    assert found["tuning"] == {"speed", "cannon"}
    assert found["skills"] == {"sharpness", "smarts", "synergy"}
    assert found["weapons"] == set(LISTS_TO_BEGIN_WITH["weapons"]) - {"cannon"}
    assert found["expansions"] == found["crew"] == set()
    assert defined.listed == ["weapon_limit", "weapons"]
    assert defined.short_of_room == ["crew", "expansions", "tuning"]


def test_a_catalogue_is_decided_again_with_the_lists_to_begin_with_that_it_got_then():
    table = Table()
    context = table.context("handler", c.DefineCatalogue(preset="playtest1.2"))
    [now] = FRAME_STATE.decide(table.state, context, ScriptedDice([]))
    bare = {
        id_: structs.replace(each, attributes={}) if id_ in now.listed else each
        for id_, each in now.categories.items()
    }
    of_old = structs.replace(now, categories=bare, listed=[], short_of_room=[])
    for then in (now, of_old):
        again = structs.replace(context, meant_ids=list, outcome=[then])
        [decided] = FRAME_STATE.decide(table.state, again, ScriptedDice([]))
        assert decided.categories == then.categories
        assert _as_of_old(decided) == _as_of_old(then)


def test_the_weapon_limit_is_a_category_of_its_own():
    [defined] = Table().do("handler", c.DefineCatalogue(preset="playtest1"))
    limit = defined.categories["weapon_limit"]
    assert (limit.owner, limit.starting_points, limit.cost, limit.advance_limit) == ("frame", 8, 900, 5)


def test_a_new_pilot_belongs_to_who_asks():
    table = Table()
    table.do("handler", CATALOGUE)
    [created] = table.do("mara", c.CreatePilot(name="Mara"))
    assert created.player_id == person("mara")


def test_the_handler_creates_a_pilot_for_later():
    table = Table(Settings(starting_currency=70))
    table.do("handler", CATALOGUE)
    [created] = table.do("handler", c.CreatePilot(name="Spare"))
    assert (created.player_id, created.currency) == (None, 70)


def test_a_pilot_is_handed_over():
    table = Table()
    pilot = table.pilot()
    [handed] = FRAME_STATE.assign(table.state, CharacterId(pilot), person("jun"))
    table.state = FRAME_STATE.evolve(table.state, handed)
    assert table.do("jun", c.AdvanceCategory(category="tuning"))
    assert table.refusal("mara", c.AdvanceCategory(category="tuning")) == "not_your_pilot"
    assert FRAME_STATE.assign(table.state, CharacterId(pilot), person("jun")) == []


def test_a_pilot_that_is_not_there_is_not_handed_over():
    table = Table()
    with pytest.raises(Rejection, match=r"no pilot|There is"):
        FRAME_STATE.assign(table.state, CharacterId("pilot-0"), person("jun"))


def test_the_same_action_makes_the_same_ids():
    assert Table().pilot() == Table().pilot()


def test_the_own_pilot_is_meant_when_none_is_named():
    table = Table()
    table.pilot()
    jun = table.pilot("jun")
    [_, advanced, _] = table.do("jun", c.AdvanceCategory(category="tuning"))
    assert advanced.pilot == jun
    assert table.refusal("handler", c.AwardCurrency(amount=1, reason="x")) == "which_pilot"
